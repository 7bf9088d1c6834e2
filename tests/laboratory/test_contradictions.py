"""What cannot all be true of a sample stands before the approval, on whatever way it came in."""

import json
from datetime import UTC, datetime

import pytest

from inspect_app.services import devices, findings, review
from inspect_app.store import inspections
from inspect_app.store.people import person
from tests.laboratory import visit

TOLD = visit.case("Walkthrough 4")


def changed(**fields):
    """The visit with other answers; `containers` and `custody_events` by a function of one row."""
    answers = json.loads(json.dumps(TOLD["answers"]))
    for name, change in fields.items():
        for row in answers[name]:
            change(row)
    return {**TOLD, "answers": answers}


@pytest.fixture
def against(app, outsider):
    """`against(record_id)`: what the page says before an approval, and the op is refused with."""

    def told(record_id):
        with app.app_context():
            found = review.case("howards_grove", record_id)
            said = [text for kind, text in review.hindrances(found, person(outsider.id)) if kind == "custody"]
            refused = findings.obstacles(inspections.inspection(record_id), 0)
        assert [text for text in said if text not in refused] == []
        return said

    return told


def test_a_visit_in_which_everything_fits_has_none(app, code, visited, against):
    assert against(visited) == []


@pytest.mark.parametrize(
    ("seconds", "is_said"), [("10:03:00", False), ("10:02:59", True), ("00:30:00", True)]
)
def test_a_hand_over_before_the_bottle_was_filled_is_said_beyond_what_clocks_may_differ(
    app, code, against, seconds, is_said
):
    def fill(row):
        if row["sample_id"].endswith("G1"):
            row["filled_at"] = "2026-04-15T10:05:00-05:00"

    def seal(row):
        if row["action"] == "seal":
            row["at_device"] = f"2026-04-15T{seconds}-05:00"

    _, record_id = visit.hand_in(app, code, changed(containers=fill, custody_events=seal))
    said = [text for text in against(record_id) if "G1" in text]
    assert bool(said) == is_said
    assert all("before HG-260415-CM03-G1 was filled at 2026-04-15 10:05" in text for text in said)


def test_a_time_of_collection_that_is_edited_past_the_receipt_is_said(app, code, lab_desk, against):
    tablet, record_id = visit.hand_in(app, code, TOLD)
    lab_desk.read(visit.csv_of(*visit.ROWS))
    lab_desk.enter()
    rows = json.loads(json.dumps(TOLD["answers"]["containers"]))
    for row in rows:
        row["filled_at"] = "2026-04-16T10:00:00-05:00"
    tablet.pull()
    tablet.set(record_id, "containers", {"containers": rows})
    assert tablet.sync()[0]["status"] == "applied"
    said = against(record_id)
    assert any("The laboratory received HG-260415-CM03-C1 at 2026-04-16 09:30" in text for text in said)
    assert any(text.startswith("Entry 3 of the custody was at 2026-04-16 09:30") for text in said)


def test_a_label_on_two_samples_is_said_on_both_records_and_both_are_kept(
    app, code, visited, outsider, against
):
    with app.app_context():
        second = devices.make_code(outsider.village, outsider.id, None, datetime.now(UTC))
    other = visit.hand_in(app, second, TOLD, coc_no="COC-26-099")[1]
    assert any("HG-260415-CM03-C1 is on a sample of record M-0002 too" in text for text in against(visited))
    assert any("HG-260415-CM03-C1 is on a sample of record M-0001 too" in text for text in against(other))


def test_a_container_that_a_hand_over_leaves_out_is_said(app, code, against):
    def lose(row):
        if row["action"] == "relinquish":
            row["containers_moved"] = row["containers_moved"][1:]

    _, record_id = visit.hand_in(app, code, changed(custody_events=lose))
    assert against(record_id) == [
        "Entry 2 of the custody leaves out HG-260415-CM03-C1. "
        "Split the form, or have an entry added that says where it is."
    ]


def test_a_label_twice_on_one_record_is_said(app, code, against):
    def same(row):
        if row["sample_id"].endswith("C2"):
            row["sample_id"] = "HG-260415-CM03-C1"

    _, record_id = visit.hand_in(app, code, changed(containers=same))
    assert "Two containers have the label HG-260415-CM03-C1." in " ".join(against(record_id))


@pytest.mark.parametrize("label", ["50%", "a_b", 'say "x"', "ü-1", "0012"])
def test_a_label_is_compared_letter_for_letter_whatever_its_letters(app, code, outsider, against, label):
    def name(to):
        def change(row):
            if row["sample_id"].endswith("C1"):
                row["sample_id"] = to

        return change

    with app.app_context():
        codes = [devices.make_code(outsider.village, outsider.id, None, datetime.now(UTC)) for _ in range(2)]
    first = visit.hand_in(app, codes[0], changed(containers=name(label)))[1]
    visit.hand_in(app, codes[1], changed(containers=name(label.replace("%", "x").replace("_", "x") + "x")))
    said = [text for text in against(first) if text.startswith(f"Label {label} ")]
    assert said == []
    visit.hand_in(app, code, changed(containers=name(label)))
    assert [text for text in against(first) if text.startswith(f"Label {label} ")]
