"""Two inspectors edit one record offline (walkthrough 6): no value is lost, and no clock picks a winner."""

from datetime import UTC, datetime, timedelta

import pytest

from inspect_app.domain.errors import IllegalTransition, NotAllowed, Refused
from inspect_app.services import sync
from inspect_app.store.inspections import Conflict, Inspection, InspectionHistory
from tests.api.tablet import sha256

BASE = {"joint_distance_down": {"value": "7.0", "unit": "in"}, "clock": "11:00", "basis": "edge"}
OF_A = BASE | {"joint_distance_down": {"value": "5.5", "unit": "in"}}
OF_B = BASE | {"joint_distance_down": {"value": "6.5", "unit": "in"}, "clock": "10:30"}
BARRICADES = {"barricades_count": 2}


@pytest.fixture
def record_id(tablet_a, tablet_b):
    """A record that both hold, with the base values."""
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", BASE)
    tablet_a.set(record_id, "barricades", BARRICADES)
    tablet_a.sync()
    tablet_b.pull()
    assert tablet_b.records[record_id]["rev"] == 3
    return record_id


def statuses(results):
    return [result["status"] for result in results]


def test_the_first_to_sync_is_current_and_the_other_waits_beside_it(tablet_a, tablet_b, record_id, rows):
    mine = tablet_a.set(record_id, "tap_geometry", OF_A)
    theirs = tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_b.set(record_id, "barricades", {"barricades_count": 4})
    assert statuses(tablet_a.push()) == ["applied"]
    results = tablet_b.push()
    assert statuses(results) == ["conflict", "applied"]
    doc = tablet_b.doc(record_id)
    # A's 5.5 is never combined with B's 10:30.
    assert doc["groups"]["tap_geometry"]["values"] == OF_A
    assert doc["groups"]["tap_geometry"]["by"] == tablet_a.person["id"]
    assert doc["groups"]["barricades"]["values"] == {"barricades_count": 4}
    assert doc["groups"]["barricades"]["by"] == tablet_b.person["id"]
    conflict = rows(Conflict)[0]
    assert results[0]["conflicts"] == [conflict["id"]]
    assert (conflict["what"], conflict["kind"], conflict["current_op"]) == (
        "group:tap_geometry",
        "group",
        mine,
    )
    assert [candidate["op"] for candidate in conflict["candidates"]] == [theirs]
    assert conflict["candidates"][0]["values"] == OF_B


def test_the_other_order_gives_the_same_two_versions(tablet_a, tablet_b, record_id, rows):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_b.set(record_id, "tap_geometry", OF_B)
    assert statuses(tablet_b.push()) == ["applied"]
    assert statuses(tablet_a.push()) == ["conflict"]
    assert tablet_a.doc(record_id)["groups"]["tap_geometry"]["values"] == OF_B
    assert rows(Conflict)[0]["candidates"][0]["values"] == OF_A


@pytest.mark.parametrize("days", [-3, 0, 3])
def test_a_wrong_clock_changes_nothing_about_who_wins(tablet_a, tablet_b, record_id, rows, days):
    tablet_b.wall = datetime.now(UTC) + timedelta(days=days)
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_a.push()
    assert statuses(tablet_b.push()) == ["conflict"]
    entry = rows(InspectionHistory, outcome="conflict")[0]
    assert ("clock_ahead" in entry["flags"]) == (days > 0)


def test_the_same_values_twice_are_no_conflict_and_both_names_hold(tablet_a, tablet_b, record_id, rows):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_b.set(record_id, "tap_geometry", BASE | {"joint_distance_down": {"value": "5 1/2", "unit": "in"}})
    tablet_b.set(record_id, "tap_geometry", OF_B)
    assert statuses(tablet_a.push()) == ["applied"]
    # B's second edit names B's own first one, which counts as another name of A's.
    assert statuses(tablet_b.push()) == ["noop", "applied"]
    assert rows(Conflict) == []
    assert tablet_b.doc(record_id)["groups"]["tap_geometry"]["values"] == OF_B


def test_one_boundary_step_apart_is_a_conflict(tablet_a, tablet_b, record_id):
    tablet_a.set(record_id, "tap_geometry", BASE | {"joint_distance_down": {"value": "6.0", "unit": "in"}})
    tablet_b.set(record_id, "tap_geometry", BASE | {"joint_distance_down": {"value": "6.01", "unit": "in"}})
    tablet_a.push()
    assert statuses(tablet_b.push()) == ["conflict"]


def test_an_edit_on_top_of_ones_own_candidate_takes_its_place(tablet_a, tablet_b, record_id, rows):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_b.set(record_id, "tap_geometry", OF_B)
    last = tablet_b.set(record_id, "tap_geometry", OF_B | {"clock": "10:00"})
    tablet_a.push()
    assert statuses(tablet_b.push()) == ["conflict", "conflict"]
    candidates = rows(Conflict)[0]["candidates"]
    assert [candidate["op"] for candidate in candidates] == [last]


def test_an_edit_over_an_unsent_own_edit_claims_not_to_have_seen_what_was_pulled(
    tablet_a, tablet_b, record_id
):
    """The trunk rule: B's screen shows B's own unsent value, whatever a pull brings underneath."""
    tablet_b.set(record_id, "tap_geometry", OF_B)
    unsent = tablet_b.current[record_id, "tap_geometry"]
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_a.push()
    tablet_b.pull()
    tablet_b.set(record_id, "tap_geometry", OF_B | {"clock": "9:30"}, replaces=unsent)
    assert statuses(tablet_b.push()) == ["conflict", "conflict"]
    assert tablet_b.doc(record_id)["groups"]["tap_geometry"]["values"] == OF_A


def test_two_conflicts_before_any_is_settled_keep_both_copies(
    tablet_a, tablet_b, tablet_of, inspector_b, record_id, rows
):
    other = tablet_of(inspector_b, "Second tablet of B")
    other.pull()
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_b.set(record_id, "tap_geometry", OF_B)
    other.set(record_id, "tap_geometry", OF_B | {"clock": "1:00"})
    for one in (tablet_a, tablet_b, other):
        one.push()
    assert [len(conflict["candidates"]) for conflict in rows(Conflict)] == [2]


def test_photos_notes_and_signatures_are_joined(tablet_a, tablet_b, record_id):
    for one, text in ((tablet_a, "bell lip"), (tablet_b, "gasket line")):
        one.note(record_id, text)
        one.attach(record_id, text.encode())
        one.set(record_id, "signatures", {"signature_inspector": sha256(text)[:8]})
    assert statuses(tablet_a.push() + tablet_b.push()) == ["applied"] * 6
    doc = tablet_a.doc(record_id)
    assert [row["row"]["note"] for row in doc["lists"]["notes"]] == ["bell lip", "gasket line"]
    assert len(doc["photos"]) == 2


def test_a_signature_holds_until_the_record_changes(tablet_a, tablet_b, record_id):
    signed = tablet_a.doc(record_id)["revision_hash"]
    row = {
        "signature_id": "s-1",
        "field": "signature_inspector",
        "role": "Inspector",
        "revision_hash": signed,
    }
    tablet_a.op("list.add", record_id, list="signature_marks", row_id="s-1", row=row)
    tablet_a.set(record_id, "signatures", {"signature_inspector": "s-1"})
    tablet_a.push()
    assert [mark["holds"] for mark in tablet_a.doc(record_id)["signatures"]] == [True]
    tablet_b.set(record_id, "barricades", {"barricades_count": 4})
    tablet_b.push()
    assert [mark["holds"] for mark in tablet_a.doc(record_id)["signatures"]] == [False]


def test_a_deletion_does_not_beat_an_edit_it_had_not_seen(tablet_a, tablet_b, record_id, rows):
    tablet_b.set(record_id, "barricades", {"barricades_count": 4})
    tablet_b.push()
    tablet_a.op("record.delete", record_id, reason="wrong address")
    assert statuses(tablet_a.push()) == ["conflict"]
    assert rows(Inspection)[0]["deleted"] is False
    assert rows(Conflict)[0]["kind"] == "delete_after_edit"


def test_a_revision_of_before_a_restore_is_no_proof_of_what_was_seen(
    app, tablet_a, tablet_b, record_id, rows
):
    tablet_b.set(record_id, "barricades", {"barricades_count": 4})
    tablet_b.push()
    tablet_a.pull()
    seen = tablet_a.records[record_id]["rev"]
    tablet_a.op("record.delete", record_id, reason="wrong address", rev=seen, epoch="e-before")
    assert statuses(tablet_a.push()) == ["conflict"]
    assert rows(Inspection)[0]["deleted"] is False


def test_a_deletion_by_who_saw_everything_is_applied(app, tablet_a, tablet_b, record_id, rows):
    tablet_b.set(record_id, "barricades", {"barricades_count": 4})
    tablet_b.push()
    tablet_a.pull()
    seen = tablet_a.records[record_id]["rev"]
    with app.app_context():
        epoch = sync.current_epoch()
    tablet_a.op("record.delete", record_id, reason="wrong address", rev=seen, epoch=epoch)
    assert statuses(tablet_a.push()) == ["applied"]
    assert rows(Inspection)[0]["deleted"] is True


def test_an_edit_does_not_revive_a_deleted_record_in_silence(
    tablet_a, tablet_b, record_id, rows, reviewer_1, office
):
    tablet_a.op("record.delete", record_id, reason="wrong address")
    assert statuses(tablet_a.push()) == ["applied"]
    edit = tablet_b.set(record_id, "tap_geometry", OF_B)
    assert statuses(tablet_b.push()) == ["conflict"]
    assert tablet_b.doc(record_id) and tablet_b.records[record_id]["deleted"] is True
    conflict = rows(Conflict)[0]
    assert conflict["kind"] == "edit_after_delete"
    office(
        reviewer_1, "conflict.resolve", record_id, conflict_id=conflict["id"], take="candidate", saw=[edit]
    )
    assert rows(Inspection)[0]["deleted"] is False
    assert tablet_b.doc(record_id)["groups"]["tap_geometry"]["values"] == OF_B


def test_a_conflict_is_settled_by_a_reviewer_who_saw_all_of_it(
    tablet_a, tablet_b, record_id, rows, reviewer_1, office
):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    seen = tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_a.push()
    tablet_b.push()
    conflict_id = rows(Conflict)[0]["id"]
    late = tablet_b.set(record_id, "tap_geometry", OF_B | {"clock": "10:00"}, replaces=seen)
    tablet_b.push()
    measured_again = BASE | {"joint_distance_down": {"value": "5.9", "unit": "in"}}
    settle = {"conflict_id": conflict_id, "take": "value", "value": measured_again, "reason": "re-measured"}
    with pytest.raises(IllegalTransition):
        office(reviewer_1, "conflict.resolve", record_id, saw=[seen], **settle)
    assert rows(Conflict)[0]["state"] == "open"
    office(reviewer_1, "conflict.resolve", record_id, saw=[late], **settle)
    assert rows(Conflict)[0]["state"] == "resolved"
    assert tablet_a.doc(record_id)["groups"]["tap_geometry"]["values"] == measured_again
    pasts = [entry["new"] for entry in rows(InspectionHistory, what="group:tap_geometry")]
    assert OF_A in pasts
    assert OF_B in pasts
    again = office(reviewer_1, "conflict.resolve", record_id, saw=[late], **settle)
    assert (again["status"], again["reason"]) == ("noop", "already_settled")


def test_the_author_of_the_chosen_candidate_goes_on_without_a_second_conflict(
    tablet_a, tablet_b, record_id, rows, reviewer_1, office
):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    theirs = tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_a.push()
    tablet_b.push()
    office(
        reviewer_1,
        "conflict.resolve",
        record_id,
        conflict_id=rows(Conflict)[0]["id"],
        take="candidate",
        candidate=theirs,
        saw=[theirs],
    )
    tablet_b.set(record_id, "tap_geometry", OF_B | {"clock": "10:15"}, replaces=theirs)
    assert statuses(tablet_b.push()) == ["applied"]


def test_a_bystander_cannot_settle_a_conflict(
    tablet_a, tablet_b, record_id, rows, administrator, reader, office
):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_a.push()
    tablet_b.push()
    conflict_id = rows(Conflict)[0]["id"]
    with pytest.raises(NotAllowed):
        office(reader, "conflict.resolve", record_id, conflict_id=conflict_id, take="current", saw=[])
    assert rows(Conflict)[0]["state"] == "open"


def test_a_second_photo_upload_after_a_cut_makes_no_second_conflict(tablet_a, tablet_b, record_id, rows):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    tablet_a.push()
    tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_b.push(lose_answer=True)
    tablet_b.attach(record_id, b"photo")
    tablet_b.push()
    tablet_b.push() if tablet_b.queue else None
    assert len(rows(Conflict)) == 1
    assert len(rows(Conflict)[0]["candidates"]) == 1


def test_custody_events_of_two_tablets_after_one_point_are_a_fork_and_both_are_kept(tablet_a, tablet_b, rows):
    import json

    from inspect_app.store.custody import CustodyEvent

    record_id = tablet_a.begin("manhole")
    event = {
        "sample_set": "S-1",
        "prev": "",
        "event_no": 1,
        "action": "seal",
        "from_role": "",
        "to_role": "sampler",
    }
    first = json.dumps(event)
    tablet_a.op("custody.append", record_id, event=first)
    tablet_a.push()
    tablet_b.pull()
    for one, to in ((tablet_a, "courier"), (tablet_b, "laboratory")):
        text = json.dumps(
            event | {"prev": sha256(first), "event_no": 2, "action": "relinquish", "to_role": to}
        )
        one.op("custody.append", record_id, event=text)
        assert statuses(one.push()) == ["applied"]
    events = sorted(rows(CustodyEvent), key=lambda row: row["received_at"])
    assert [row["fork"] for row in events] == [False, True, True]
    assert events[0]["event_hash"] == sha256(first)
    assert len(tablet_b.doc(record_id)["custody"]) == 3


def test_who_settles_must_have_seen_the_value_that_came_into_force_meanwhile(
    tablet_a, tablet_b, record_id, rows, reviewer_1, office
):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    theirs = tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_a.push()
    tablet_b.push()
    conflict_id = rows(Conflict)[0]["id"]
    newer = tablet_a.set(record_id, "tap_geometry", OF_A | {"clock": "11:15"})
    assert statuses(tablet_a.push()) == ["applied"]
    settle = {"conflict_id": conflict_id, "take": "candidate", "candidate": theirs}
    with pytest.raises(IllegalTransition, match="come in meanwhile"):
        office(reviewer_1, "conflict.resolve", record_id, saw=[theirs], **settle)
    # The author's own tablet shows what it pulled before: its word leaves the conflict open.
    tablet_b.op("conflict.resolve", record_id, saw=[rows(Conflict)[0]["id"], theirs], value=None, **settle)
    assert statuses(tablet_b.push()) == ["conflict"]
    assert tablet_a.doc(record_id)["groups"]["tap_geometry"]["values"]["clock"] == "11:15"
    office(reviewer_1, "conflict.resolve", record_id, saw=[newer, theirs], **settle)
    assert tablet_a.doc(record_id)["groups"]["tap_geometry"]["values"] == OF_B


def test_a_value_measured_again_holds_the_groups_own_fields_only(
    tablet_a, tablet_b, record_id, rows, reviewer_1, office
):
    tablet_a.set(record_id, "tap_geometry", OF_A)
    theirs = tablet_b.set(record_id, "tap_geometry", OF_B)
    tablet_a.push()
    tablet_b.push()
    settle = {"conflict_id": rows(Conflict)[0]["id"], "take": "value", "saw": [theirs]}
    with pytest.raises(Refused):
        office(reviewer_1, "conflict.resolve", record_id, value=OF_A | {"barricades_count": 9}, **settle)
    assert rows(Conflict)[0]["state"] == "open"


def test_a_record_that_was_handed_in_is_not_deleted_by_who_asked_for_it(
    tablet_a, tablet_b, record_id, rows, reviewer_1, office
):
    tablet_a.pull()
    tablet_a.submit(record_id)
    tablet_a.op("record.delete", record_id, reason="not good for me", rev=99)
    assert statuses(tablet_a.push()) == ["applied", "conflict"]
    conflict = rows(Conflict)[0]
    settle = {"conflict_id": conflict["id"], "take": "candidate", "saw": [conflict["candidates"][0]["op"]]}
    tablet_a.op("conflict.resolve", record_id, value=None, **settle)
    assert statuses(tablet_a.push()) == ["quarantined"]
    assert rows(Inspection)[0]["deleted"] is False
    office(reviewer_1, "conflict.resolve", record_id, **settle)
    assert rows(Inspection)[0]["deleted"] is True


def test_a_second_signer_brings_no_older_signature_back(tablet_a, tablet_b, record_id):
    tablet_a.set(record_id, "signatures", {"signature_inspector": "s-1"})
    tablet_a.push()
    tablet_b.pull()
    tablet_a.set(record_id, "signatures", {"signature_inspector": "s-2"}, was={"signature_inspector": "s-1"})
    tablet_a.push()
    both = {"signature_inspector": "s-1", "signature_installer": "s-3"}
    tablet_b.set(record_id, "signatures", both, was={"signature_inspector": "s-1"})
    assert statuses(tablet_b.push()) == ["applied"]
    signed = {"signature_inspector": "s-2", "signature_installer": "s-3"}
    assert tablet_b.doc(record_id)["groups"]["signatures"]["values"] == signed
