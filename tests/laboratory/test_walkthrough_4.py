"""Walkthrough 4 from the laboratory's file on: each finding as it is printed, with the results imported."""

import pytest

from tests.laboratory import visit

BOD = visit.ROWS[0]


def test_each_finding_is_as_printed_once_the_report_is_entered(lab_desk, visited):
    rows = lab_desk.read(visit.csv_of(*visit.ROWS))
    assert {row["state"] for row in rows.values()} == {"ready"}, rows
    before = lab_desk.findings(visited)
    assert "HG-PRH-17" not in before
    assert before["HG-SMP-04"]["outcome"] == "warning"  # the broken seal, before any result
    assert lab_desk.enter() == {"applied": 6}
    found = lab_desk.findings(visited)
    told = visit.case("Walkthrough 4")
    own = {rule: outcome for rule, outcome in told["expect"].items() if rule in found}
    assert {rule: found[rule]["outcome"] for rule in own} == own
    assert {"HG-PRH-08", "HG-PRH-17", "HG-PRH-12", "HG-SMP-04", "HG-CAT-02"} <= own.keys()
    assert found["HG-CAT-02"]["value"] == "B"
    assert any("cannot stand alone" in note for note in found["HG-PRH-08"]["notes"])


@pytest.mark.parametrize(
    ("name", "bod"),
    [
        ("pH read at 15:00 minutes, seal intact", BOD),
        ("BOD 400, valid", BOD.replace("412", "400")),
        ("BOD 400.1, valid", BOD.replace("412", "400.1")),
        ("Grab BOD 700", BOD.replace("412", "700").replace("composite,24", "grab,")),
        ("BOD set up after 48:00:00", BOD.replace("2026-04-16 15:00", "2026-04-17 08:00:00")),
        ("BOD set up after 48:00:01", BOD.replace("2026-04-16 15:00", "2026-04-17 08:00:01")),
        ("Received the same day at 7.0", BOD),
        ("Corrected BOD 395", BOD.replace("412", "395")),
    ],
)
def test_its_variations_are_as_printed(app, code, lab_desk, name, bod):
    told, rows = visit.case(name), [bod, *visit.ROWS[1:]]
    if name.startswith("Received the same day"):
        rows = [row.replace("2026-04-16 09:30", "2026-04-15 13:40") for row in rows]
    _, record_id = visit.hand_in(app, code, told)
    read = lab_desk.read(visit.csv_of(*rows), now=visit.REPORTED)
    assert {row["state"] for row in read.values()} == {"ready"}, read
    lab_desk.enter()
    found = lab_desk.findings(record_id)
    expected = {rule: outcome for rule, outcome in told["expect"].items() if rule in found}
    assert {rule: found[rule]["outcome"] for rule in expected} == expected
    assert "HG-PRH-17" in expected or "HG-SMP-04" in expected


def test_a_misspelt_sample_id_goes_to_the_tray_and_is_matched_with_nothing(lab_desk, visited):
    rows = lab_desk.read(visit.csv_of(BOD.replace("CM03-C1", "CM3-C1")))
    assert rows[2]["state"] == "tray"
    assert rows[2]["reasons"] == [f"No record has a sample HG-260415-CM3-C1 on form {visit.COC}."]
    assert lab_desk.enter() == {"tray": 1}
    assert "lab_results" not in lab_desk.record(visited)["doc"]["lists"]


def test_a_corrected_report_makes_a_new_version_and_the_old_finding_stays(app, lab_desk, visited):
    from inspect_app.store import findings, inspections

    lab_desk.read(visit.csv_of(*visit.ROWS))
    lab_desk.enter()
    rev = lab_desk.record(visited)["rev"]
    assert lab_desk.findings(visited)["HG-PRH-17"]["outcome"] == "warning"
    lab_desk.read(visit.csv_of(BOD.replace("412", "395")), name="corrected.csv")
    assert lab_desk.enter() == {"applied": 1}
    after = lab_desk.record(visited)
    assert after["rev"] == rev + 1
    results = {entry["row"]["analyte"]: entry for entry in after["doc"]["lists"]["lab_results"]}
    assert len(results) == 6
    assert results["bod5"]["row"]["lab_result"] == "395"
    assert lab_desk.findings(visited)["HG-PRH-17"]["outcome"] == "pass"
    with app.app_context():
        change = inspections.history(visited)[-1]
        assert [entry["row"]["lab_result"] for entry in change.old] == ["412"]
        assert change.new["report"]["name"] == "corrected.csv"
        said = {found.rev: found.outcome for found in findings.of_every_revision(visited, ["HG-PRH-17"])}
        assert said == {rev: "warning", rev + 1: "pass"}
