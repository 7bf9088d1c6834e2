"""Reports of laboratories: kept as they came, entered once, and nothing of them lost on the way."""

from hashlib import sha256

import pytest

from inspect_app.domain.errors import NotFound, Refused
from inspect_app.services import laboratory
from inspect_app.store import laboratory as store
from inspect_app.store.blobs import BlobStore
from inspect_app.store.sync import OpLog
from tests.laboratory import visit

BOD, TSS = visit.ROWS[:2]


def states(rows):
    return [row["state"] for row in rows.values()]


def results_of(desk, record_id):
    return {
        (entry["row"]["sample_id"], entry["row"]["analyte"]): entry
        for entry in desk.record(record_id)["doc"]["lists"].get("lab_results", ())
    }


def test_the_file_is_kept_as_it_came_under_its_hash(app, lab_desk, visited):
    content = visit.csv_of(*visit.ROWS)
    lab_desk.read(content)
    with app.app_context():
        file = store.file_in("howards_grove", lab_desk.file_id)
        blobs = BlobStore(app.config["SETTINGS"].blobs)
        assert blobs.path(file.sha256).read_bytes() == content
        assert file.sha256 == sha256(content).hexdigest()
        assert file.mapping["result"] == "result"


def test_the_same_bytes_are_read_once_and_entered_once(lab_desk, visited):
    lab_desk.read(visit.csv_of(*visit.ROWS))
    first = lab_desk.file_id
    assert lab_desk.enter() == {"applied": 6}
    rev = lab_desk.record(visited)["rev"]
    lab_desk.read(visit.csv_of(*visit.ROWS), name="again.csv")
    assert (lab_desk.file_id, lab_desk.is_new) == (first, False)
    assert lab_desk.enter() == {"applied": 6}
    assert lab_desk.record(visited)["rev"] == rev


def test_a_report_that_says_the_same_in_other_bytes_changes_nothing(lab_desk, visited):
    lab_desk.read(visit.csv_of(BOD))
    lab_desk.enter()
    rev = lab_desk.record(visited)["rev"]
    lab_desk.read(visit.csv_of(BOD) + b"\r\n")
    assert lab_desk.enter() == {"same": 1}
    assert lab_desk.record(visited)["rev"] == rev


def test_entering_that_was_cut_off_after_the_record_goes_on_without_a_second_version(
    app, lab_desk, visited, monkeypatch
):
    lab_desk.read(visit.csv_of(BOD))

    def cut(*_args, **_values):
        raise ConnectionError

    with monkeypatch.context() as broken, pytest.raises(ConnectionError):
        broken.setattr(store, "mark", cut)
        lab_desk.enter()
    rev = lab_desk.record(visited)["rev"]
    assert len(results_of(lab_desk, visited)) == 1
    assert lab_desk.enter() == {"same": 1}
    assert lab_desk.record(visited)["rev"] == rev


def test_what_was_entered_is_a_signed_op_of_the_office_with_the_files_hash(app, lab_desk, visited, outsider):
    import json

    from inspect_app.store.base import db

    content = visit.csv_of(BOD)
    lab_desk.read(content)
    lab_desk.enter()
    with app.app_context():
        op = db.session.query(OpLog).filter_by(kind="lab.report").one()
        assert op.sig_ok
        said = json.loads(json.loads(op.body)["content"])
    assert said["report"]["sha256"] == sha256(content).hexdigest()
    assert said["user_id"] == outsider.id
    assert [row["said"] for row in said["rows"]] == ["412"]


def test_the_signature_of_the_visit_still_holds_after_results_came(app, lab_desk, visited):
    from inspect_app.services import documents
    from inspect_app.store import inspections

    def signed():
        with app.app_context():
            return documents.pulled(inspections.inspection(visited))["revision_hash"]

    before = signed()
    lab_desk.read(visit.csv_of(*visit.ROWS))
    lab_desk.enter()
    assert signed() == before


@pytest.mark.parametrize(
    ("row", "state", "sentence"),
    [
        (BOD.replace("CM03-C1", "CM3-C1"), "tray", "No record has a sample HG-260415-CM3-C1"),
        (BOD.replace("COC-26-011", "COC-26-012"), "tray", "went with form COC-26-011, not with COC-26-012"),
        (BOD.replace("COC-26-011", ""), "tray", "names no chain-of-custody form"),
        (BOD.replace("mg/L", "mg/kg"), "tray", "“mg/kg”"),
        (BOD.replace("412", "1,200").replace("1,200", '"1,200"'), "tray", "comma"),
        (BOD.replace("2026-04-16 09:30", "2026-04-15 07:59"), "refused", "before it was collected"),
        (BOD + ",surplus", "tray", "13 cells"),
    ],
)
def test_a_row_that_does_not_fit_is_kept_with_its_reason_and_the_rest_is_entered(
    lab_desk, visited, row, state, sentence
):
    rows = lab_desk.read(visit.csv_of(row, TSS))
    assert states(rows) == [state, "ready"]
    assert sentence in " ".join(rows[2]["reasons"])
    assert lab_desk.enter() == {state: 1, "applied": 1}
    assert [analyte for _, analyte in results_of(lab_desk, visited)] == ["tss"]


def test_a_receipt_before_the_bottle_was_filled_is_refused_though_the_row_agrees_with_itself(
    lab_desk, visited
):
    grab = visit.ROWS[4].replace("2026-04-15 09:12", "2026-04-15 08:00")
    at = grab.replace("2026-04-16 09:30", "2026-04-15 {}").replace("2026-04-16 15:00", "2026-04-17 08:00")
    assert states(lab_desk.read(visit.csv_of(at.format("09:11")))) == ["refused"]
    assert states(lab_desk.read(visit.csv_of(at.format("09:12")))) == ["ready"]


def test_the_same_row_twice_in_a_file_is_entered_once_and_two_that_differ_wait(lab_desk, visited):
    rows = lab_desk.read(visit.csv_of(BOD, BOD, TSS, TSS.replace("236", "263")))
    assert states(rows) == ["ready", "same", "ready", "tray"]
    assert "Line 4 says something else" in rows[5]["reasons"][0]


def test_a_duplicate_of_the_field_stands_beside_its_sample_and_is_not_judged(lab_desk, visited):
    header = visit.HEADER + ",qc_type"
    rows = lab_desk.read(visit.csv_of(BOD + ",", BOD.replace("412", "800") + ",FD", header=header))
    assert states(rows) == ["ready", "ready"]
    lab_desk.enter()
    entries = lab_desk.record(visited)["doc"]["lists"]["lab_results"]
    assert sorted(entry["row"]["lab_result"] for entry in entries) == ["412", "800"]
    assert "412" in lab_desk.findings(visited)["HG-PRH-17"]["figure"]


def test_quality_control_of_the_laboratory_is_kept_and_entered_nowhere(lab_desk, visited):
    header = visit.HEADER + ",qc_type"
    rows = lab_desk.read(visit.csv_of(BOD + ",MB", header=header))
    assert states(rows) == ["quality"]
    assert lab_desk.enter() == {"quality": 1}
    assert results_of(lab_desk, visited) == {}


@pytest.mark.parametrize("state", ["draft", "approved", "void"])
def test_a_record_that_takes_no_results_now_leaves_them_in_the_tray_until_it_does(
    app, lab_desk, visited, state
):
    from inspect_app.store.base import transaction
    from inspect_app.store.inspections import Inspection

    def put(into):
        with app.app_context(), transaction() as session:
            session.get(Inspection, visited).state = into

    lab_desk.read(visit.csv_of(BOD))
    put(state)
    assert lab_desk.enter() == {"tray": 1}
    assert lab_desk.rows()[2]["reasons"][0].startswith("Record M-0001 ")
    with app.app_context():
        assert laboratory.look_again("howards_grove", visit.REPORTED) == 0
    put("in_review")
    with app.app_context():
        assert laboratory.look_again("howards_grove", visit.REPORTED) == 1
    assert lab_desk.enter() == {"applied": 1}


def test_a_person_gives_a_row_its_sample_with_a_reason_and_the_report_keeps_its_word(
    lab_desk, visited, outsider
):
    row = lab_desk.read(visit.csv_of(BOD.replace("CM03-C1", "CM3-C1")))[2]
    number = lab_desk.record(visited)["number"]
    told = (row["id"], number, "HG-260415-CM03-C1")
    with pytest.raises(Refused, match="Say why"):
        lab_desk.do(laboratory.assign, *told, " ")
    with pytest.raises(Refused, match="has no sample X"):
        lab_desk.do(laboratory.assign, row["id"], number, "X", "The laboratory left out a zero.")
    lab_desk.do(laboratory.assign, *told, "The laboratory left out a zero.")
    assert lab_desk.enter() == {"applied": 1}
    after = lab_desk.rows()[2]
    assert after["cells"]["sample_id"] == "HG-260415-CM3-C1"
    assert after["note"] == "The laboratory left out a zero."
    assert ("HG-260415-CM03-C1", "bod5") in results_of(lab_desk, visited)
    with pytest.raises(Refused, match="does not wait"):
        lab_desk.do(laboratory.assign, *told, "The laboratory left out a zero.")


def test_a_row_is_left_unused_only_with_a_reason(lab_desk, visited):
    row = lab_desk.read(visit.csv_of(BOD.replace("CM03-C1", "CM3-C1")))[2]
    with pytest.raises(Refused, match="Say why"):
        lab_desk.do(laboratory.settle, row["id"], "")
    lab_desk.do(laboratory.settle, row["id"], "Another client's sample.")
    assert lab_desk.rows()[2]["state"] == "settled"


def test_a_row_of_another_village_is_not_there(app, lab_desk, visited, reviewer_1):
    from datetime import UTC, datetime

    from inspect_app.store.people import person

    row = lab_desk.read(visit.csv_of(BOD.replace("CM03-C1", "CM3-C1")))[2]
    with app.app_context(), pytest.raises(NotFound):
        laboratory.settle("barneveld", row["id"], "Not ours.", person(reviewer_1.id), datetime.now(UTC))


def test_two_records_with_one_form_and_sample_are_a_question_for_a_person(
    app, code, lab_desk, visited, outsider
):
    from datetime import UTC, datetime

    from inspect_app.services import devices

    with app.app_context():
        second = devices.make_code(outsider.village, outsider.id, None, datetime.now(UTC))
    visit.hand_in(app, second, visit.case("Walkthrough 4"))
    rows = lab_desk.read(visit.csv_of(BOD))
    assert states(rows) == ["tray"]
    assert "M-0001, M-0002" in rows[2]["reasons"][0]


def test_many_rows_are_read_in_one_go_and_entered_record_by_record(lab_desk, visited):
    others = [BOD.replace("CM03-C1", f"CM03-X{n}") for n in range(1200)]
    rows = lab_desk.read(visit.csv_of(*others, *visit.ROWS))
    assert len(rows) == 1206
    assert lab_desk.enter() == {"tray": 1200, "applied": 6}


def test_a_later_test_of_a_sample_leaves_the_day_of_its_receipt_as_it_was(lab_desk, visited):
    lab_desk.read(visit.csv_of(BOD))
    lab_desk.enter()
    before = lab_desk.record(visited)["doc"]
    lab_desk.read(
        visit.csv_of(
            TSS.replace("2026-04-16 09:30", "2026-04-17 09:30")
            .replace("15:00", "15:30", 1)
            .replace("2026-04-16 15:30", "2026-04-17 15:30")
        )
    )
    assert lab_desk.enter() == {"applied": 1}
    results = results_of(lab_desk, visited)
    sample = "HG-260415-CM03-C1"
    assert results[sample, "bod5"]["row"]["received_at"].startswith("2026-04-16T09:30")
    assert results[sample, "tss"]["row"]["received_at"].startswith("2026-04-17T09:30")
    assert lab_desk.record(visited)["doc"]["groups"] == before["groups"]
