"""A record that is handed in: the server's own findings beside the tablet's, and the steps of the office."""

import json
from datetime import UTC, datetime

import pytest

from inspect_app.domain import packs
from inspect_app.domain.errors import IllegalTransition, NotAllowed, NotFound
from inspect_app.services import findings
from inspect_app.store import villages
from inspect_app.store.base import db, transaction
from inspect_app.store.findings import Finding, PackRow
from inspect_app.store.inspections import Conflict, Inspection
from inspect_app.store.places import Assignment

GEOMETRY = {
    "joint_distance_down": {"value": "5.5", "unit": "in"},
    "joint_distance_up": {"value": "90", "unit": "in"},
    "basis": "edge",
    "clock": "11:00",
}


@pytest.fixture
def submitted(tablet_a):
    """A tap in the hands of the office, 5.5 in from a joint."""
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", GEOMETRY)
    tablet_a.sync()
    tablet_a.submit(record_id)
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
    return record_id


def test_the_server_judges_by_the_pack_of_the_record(submitted, rows):
    record = rows(Inspection)[0]
    found = {row["rule"]: row for row in rows(Finding, source="server")}
    assert record["state"] == "submitted"
    assert found["BV-TAP-04"]["outcome"] == "violation"
    assert found["BV-TAP-04"]["rev"] == record["rev"] == record["submitted_rev"]
    assert record["worst"] == "violation"
    assert record["counts"]["violation"] >= 1
    assert rows(PackRow)[0]["hash"] == record["pack_hash"]


def test_a_rule_that_stands_once_for_each_of_two_forms_weighs_as_on_the_records_own(app_context):
    source = villages.pack_source(villages.OWN_VILLAGES / "howards_grove")
    rules = [
        {**rule, "severity": "warning"} if rule["id"] == "HG-STM-01" and "lateral" in rule["kinds"] else rule
        for rule in source["rules"]
    ]
    pack = packs.publish({**source, "rules": rules})
    with transaction():
        findings.keep_pack(pack, "howards_grove", datetime(2026, 6, 18, tzinfo=UTC))
    for form, severity in (("lateral", "warning"), ("downspout", "violation")):
        record = Inspection(protocol=form, pack_hash=pack.hash)
        assert findings.severities(record)["HG-STM-01"] == severity


def test_a_draft_is_not_judged(tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", GEOMETRY)
    tablet_a.push()
    assert rows(Finding) == []


def test_the_tablets_findings_are_kept_and_compared(app, tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", GEOMETRY)
    tablet_a.sync()
    with app.app_context():
        record = db.session.get(Inspection, record_id)
        record.state, record.context = "submitted", {"today": "2026-05-14"}
        same = findings.evaluate(record)
        db.session.rollback()
    context = {"today": "2026-05-14"}
    tablet_a.submit(record_id, same, context)
    tablet_a.push()
    assert rows(Inspection)[0]["counts"]["differ"] == []
    other = [
        {**finding, "outcome": "pass"} if finding["rule"] == "BV-TAP-04" else finding for finding in same
    ]
    tablet_a.pull()
    tablet_a.submit(record_id, other, context)
    tablet_a.push()
    assert rows(Inspection)[0]["counts"]["differ"] == ["BV-TAP-04"]
    assert {row["source"] for row in rows(Finding, rule="BV-TAP-04")} == {"tablet", "server"}


def test_a_change_after_the_submission_is_judged_again(submitted, tablet_a, rows):
    tablet_a.pull()
    tablet_a.set(submitted, "tap_geometry", GEOMETRY | {"joint_distance_down": {"value": "16", "unit": "cm"}})
    tablet_a.push()
    newest = max(rows(Finding, rule="BV-TAP-04"), key=lambda row: row["rev"])
    assert newest["outcome"] == "pass"


def test_a_record_in_conflict_is_no_better_than_the_worse_of_its_versions(
    submitted, tablet_a, tablet_b, rows, reviewer_1, office, monkeypatch
):
    from inspect_app.domain.rules import evaluate

    def only_this_rule(*args, **kwargs):
        return [finding for finding in evaluate(*args, **kwargs) if finding.rule == "BV-TAP-04"]

    monkeypatch.setattr("inspect_app.services.findings.rules.evaluate", only_this_rule)
    tablet_a.pull()
    tablet_b.pull()
    good = GEOMETRY | {"joint_distance_down": {"value": "6.5", "unit": "in"}}
    tablet_a.set(submitted, "tap_geometry", good)
    tablet_a.push()
    assert rows(Inspection)[0]["worst"] == "pass"
    theirs = tablet_b.set(submitted, "tap_geometry", GEOMETRY | {"clock": "10:30"})
    tablet_b.push()
    assert rows(Inspection)[0]["worst"] == "violation"
    conflict_id = rows(Conflict)[0]["id"]
    office(reviewer_1, "conflict.resolve", submitted, conflict_id=conflict_id, take="current", saw=[theirs])
    assert rows(Inspection)[0]["worst"] == "pass"


def test_approval_is_refused_while_a_violation_rule_is_not_evaluated(submitted, reviewer_1, office, rows):
    with pytest.raises(IllegalTransition, match="could not be evaluated"):
        office(reviewer_1, "record.approve", submitted)
    assert rows(Inspection)[0]["state"] == "submitted"


def test_approval_is_refused_while_a_photo_is_missing_or_a_conflict_is_open(
    submitted, tablet_a, tablet_b, reviewer_1, office, monkeypatch, rows
):
    monkeypatch.setattr(findings, "severities", lambda _pack: {})  # the rules have had their say above
    tablet_b.pull()
    photo_id = tablet_a.attach(submitted, b"not here yet")
    tablet_a.push()
    with pytest.raises(IllegalTransition, match="photo has not arrived"):
        office(reviewer_1, "record.approve", submitted)
    tablet_a.upload(photo_id, b"not here yet")
    tablet_a.pull()
    tablet_a.set(submitted, "tap_geometry", GEOMETRY | {"clock": "12:00"})
    tablet_a.push()
    theirs = tablet_b.set(submitted, "tap_geometry", GEOMETRY | {"clock": "1:00"})
    tablet_b.push()
    with pytest.raises(IllegalTransition, match="conflict is open"):
        office(reviewer_1, "record.approve", submitted)
    conflict_id = rows(Conflict)[0]["id"]
    office(reviewer_1, "conflict.resolve", submitted, conflict_id=conflict_id, take="current", saw=[theirs])
    office(reviewer_1, "record.approve", submitted)
    assert rows(Inspection)[0]["state"] == "approved"


@pytest.fixture
def approved(submitted, reviewer_1, office, monkeypatch):
    monkeypatch.setattr(findings, "severities", lambda _pack: {})
    office(reviewer_1, "record.review", submitted)
    office(reviewer_1, "record.approve", submitted)
    return submitted


def test_an_edit_after_approval_is_a_proposed_amendment(
    approved, tablet_b, tablet_a, rows, reviewer_1, office
):
    record = rows(Inspection)[0]
    tablet_a.pull()
    edit = tablet_a.set(approved, "tap_geometry", GEOMETRY | {"clock": "4:00"})
    assert [result["status"] for result in tablet_a.push()] == ["conflict"]
    after = rows(Inspection)[0]
    assert (after["state"], after["decided_rev"]) == ("approved", record["rev"])
    assert after["doc"]["groups"]["tap_geometry"]["values"] == GEOMETRY
    conflict = rows(Conflict)[0]
    assert conflict["kind"] == "amendment"
    office(reviewer_1, "conflict.resolve", approved, conflict_id=conflict["id"], take="candidate", saw=[edit])
    after = rows(Inspection)[0]
    assert after["state"] == "submitted"  # it asks for another approval
    assert after["doc"]["groups"]["tap_geometry"]["values"]["clock"] == "4:00"


def test_a_late_submission_of_an_approved_record_changes_nothing(approved, tablet_a, rows):
    tablet_a.submit(approved)
    result = tablet_a.push()[0]
    assert (result["status"], result["reason"]) == ("noop", "approved")
    assert rows(Inspection)[0]["state"] == "approved"


def test_a_late_photo_of_an_approved_record_is_kept_and_marked(approved, tablet_a, rows):
    from inspect_app.store.inspections import InspectionHistory

    tablet_a.attach(approved, b"late")
    assert tablet_a.push()[0]["status"] == "applied"
    assert "after_approval" in rows(InspectionHistory)[-1]["flags"]


def test_the_reviewer_is_never_the_inspector(app, submitted, inspector_a, office, rows):
    from inspect_app.services import people

    with app.app_context():
        people.set_roles("barneveld", inspector_a.id, ["inspector", "reviewer"])
    for kind in ("record.review", "record.approve"):
        with pytest.raises(NotAllowed):
            office(inspector_a, kind, submitted)
    assert rows(Inspection)[0]["state"] == "submitted"


def test_a_returned_record_goes_back_with_its_reason(submitted, tablet_a, reviewer_1, office):
    office(reviewer_1, "record.return", submitted, reason="Take the photo of the tape again")
    doc = tablet_a.doc(submitted)
    assert doc["state"] == "returned"
    assert doc["returned"]["reason"] == "Take the photo of the tape again"
    tablet_a.submit(submitted)
    tablet_a.push()
    assert tablet_a.doc(submitted)["state"] == "submitted"
    assert tablet_a.records[submitted]["doc"]["returned"] is None


def test_a_step_without_its_reason_or_role_leaves_no_trace(submitted, inspector_b, reviewer_1, office, rows):
    from inspect_app.domain.errors import Refused
    from inspect_app.store.sync import OpLog

    before = len(rows(OpLog))
    with pytest.raises(Refused):
        office(reviewer_1, "record.return", submitted, reason="")
    with pytest.raises(NotAllowed):
        office(inspector_b, "record.return", submitted, reason="because")
    assert len(rows(OpLog)) == before
    assert rows(Inspection)[0]["state"] == "submitted"


def test_the_outsiders_office_finds_no_such_record(submitted, outsider, office):
    with pytest.raises(NotFound):
        office(outsider, "record.return", submitted, reason="not mine")


def test_office_ops_are_signed_numbered_and_in_the_same_log(submitted, reviewer_1, office, rows):
    from inspect_app.services.keys import verify
    from inspect_app.store.people import Device
    from inspect_app.store.sync import OpLog

    office(reviewer_1, "record.review", submitted)
    office(reviewer_1, "record.return", submitted, reason="again")
    device = rows(Device, is_server=True)[0]
    ops = rows(OpLog, device_id=device["id"])
    assert [row["seq"] for row in ops] == [1, 2]
    assert all(verify(device["public_key"], row["sig"], row["body"]) and row["sig_ok"] for row in ops)
    assert json.loads(ops[1]["body"])["prev"] == ops[0]["body_sha256"]


def test_an_assignment_follows_its_record(app, tablet_a, inspector_a, reviewer_1, office, rows):
    from datetime import UTC, datetime

    from inspect_app.services import places

    with app.app_context():
        assignment = places.assign(
            "barneveld",
            places.Visit("tap", "Example Court", inspector_a.id, None),
            None,
            datetime.now(UTC),
        )
        assignment_id = assignment.id
    tablet_a.pull()
    assert tablet_a.assignments[assignment_id]["doc"]["state"] == "open"
    record_id = tablet_a.begin(assignment_id=assignment_id)
    tablet_a.sync()
    assert tablet_a.assignments[assignment_id]["doc"]["state"] == "begun"
    assert tablet_a.assignments[assignment_id]["doc"]["record_id"] == record_id
    tablet_a.submit(record_id)
    tablet_a.push()
    assert rows(Assignment)[0]["state"] == "done"
    office(reviewer_1, "record.return", record_id, reason="again")
    assert rows(Assignment)[0]["state"] == "begun"


def test_a_signature_after_approval_is_added_to_those_that_stand(
    approved, tablet_a, rows, reviewer_1, office
):
    record_id = approved
    tablet_a.pull()
    office(reviewer_1, "record.reopen", record_id, reason="signature is missing")
    tablet_a.set(record_id, "signatures", {"signature_inspector": "s-1"})
    tablet_a.push()
    office(reviewer_1, "record.approve", record_id)
    late = tablet_a.set(record_id, "signatures", {"signature_installer": "s-2"})
    assert [result["status"] for result in tablet_a.push()] == ["conflict"]
    conflict = rows(Conflict)[0]
    settle = {"conflict_id": conflict["id"], "take": "candidate", "saw": [late]}
    office(reviewer_1, "conflict.resolve", record_id, **settle)
    values = rows(Inspection)[0]["doc"]["groups"]["signatures"]["values"]
    assert values == {"signature_inspector": "s-1", "signature_installer": "s-2"}


def test_an_amendment_taken_later_does_not_hand_in_what_was_returned(
    approved, tablet_a, rows, reviewer_1, office
):
    tablet_a.pull()
    edit = tablet_a.set(approved, "tap_geometry", GEOMETRY | {"clock": "4:00"})
    tablet_a.push()
    office(reviewer_1, "record.reopen", approved, reason="to be measured again")
    office(reviewer_1, "record.return", approved, reason="measure it again")
    settle = {"conflict_id": rows(Conflict)[0]["id"], "take": "candidate", "saw": [edit]}
    office(reviewer_1, "conflict.resolve", approved, **settle)
    assert rows(Inspection)[0]["state"] == "returned"
