"""Walkthrough 6 with all its variations: two inspectors edit one tap offline, and nobody loses a value.

What is on screens stands in tests/e2e/test_two_inspectors.py and tests/office/test_conflicts.py.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest

from inspect_app.domain.errors import IllegalTransition
from inspect_app.services import devices, findings
from inspect_app.store.findings import Finding
from inspect_app.store.inspections import Conflict, Inspection, InspectionHistory
from tests.api.tablet import sha256
from tests.office.field_work import CLEAN, FieldTablet, let_tap, m

GEOMETRY = CLEAN["tap_geometry"] | {"joint_distance_down": m("7.0"), "clock": "11:00"}
OF_A = GEOMETRY | {"joint_distance_down": m("5.5")}
OF_B = GEOMETRY | {"joint_distance_down": m("6.5"), "clock": "10:30"}
AGAIN = GEOMETRY | {"joint_distance_down": m("5.9")}
FOUR = CLEAN["barricades"] | {"barricades_count": 4}
JOINT, OTHER_SIDE = "BV-TAP-04", "BV-TAP-03"
TAP, SITE = "tap_geometry", "barricades"


@pytest.fixture
def tablet_a(app, inspector_a):
    let_tap(app)
    return FieldTablet(app, inspector_a, "Tablet A")


@pytest.fixture
def tablet_b(app, inspector_b):
    """Its clock is 47 minutes slow."""
    return FieldTablet(app, inspector_b, "Tablet B", offset_ms=47 * 60_000)


@pytest.fixture
def base(tablet_a, tablet_b):
    """The tap as both have it before they lose the line, with three photos; its id."""
    record_id = tablet_a.tap(GEOMETRY, shots=[], hand_in=False, leave_out=[SITE])
    tablet_a.set(record_id, SITE, CLEAN["barricades"] | {"barricades_count": 2})
    for shows, proves in (("overview", ""), ("inside_edge", "opening_dia"), ("clock_card", "clock")):
        tablet_a.shoot(record_id, shows, proves, send=False)
    tablet_a.sync()
    tablet_b.pull()
    return record_id


def statuses(results):
    return [result["status"] for result in results]


def measured(tablet, record_id, values, text, photos):
    """What one of them does offline to the geometry; nothing is sent."""
    op_id = tablet.set(record_id, TAP, values)
    tablet.note(record_id, text)
    for _ in range(photos):
        tablet.shoot(record_id, "tape_at_joint", "joint_distance_down", send=False)
    return op_id


def sign(tablet, record_id, field="signature_inspector"):
    """Sign the record as this tablet shows it; the mark's name."""
    name = f"s-{tablet.seq}"
    row = {"signature_id": name, "field": field, "role": "Inspector", "typed": tablet.person["name"]}
    row["revision_hash"] = tablet.records[record_id]["doc"]["revision_hash"]
    tablet.op("list.add", record_id, list="signature_marks", row_id=name, row=row)
    tablet.set(record_id, "signatures", {field: name})
    return name


def holds(doc):
    return {mark["signature_id"]: mark["holds"] for mark in doc["signatures"]}


@pytest.fixture
def judged(app):
    """What the rules say of a record with these values in the place of its geometry: {rule: outcome}."""

    def judge(record_id, values):
        from inspect_app.store import inspections

        with app.app_context():
            found = findings.evaluate(inspections.inspection(record_id), instead={TAP: values})
            return {finding["rule"]: finding["outcome"] for finding in found}

    return judge


@pytest.fixture
def clash(tablet_a, tablet_b, base):
    """Sync 1 and sync 2 of the walkthrough: (record id, op of A, op of B, results of B)."""
    of_a = measured(tablet_a, base, OF_A, "measured to bell lip", 2)
    tablet_a.sync()
    sign(tablet_a, base)
    tablet_a.hand_in(base)
    tablet_b.set(base, SITE, FOUR)
    of_b = measured(tablet_b, base, OF_B, "measured to gasket line", 1)
    return base, of_a, of_b, tablet_b.push()


def test_the_walkthrough_itself(clash, tablet_a, tablet_b, rows, judged, reviewer_1, office):
    record_id, of_a, of_b, results = clash
    assert statuses(results) == ["applied", "conflict", "applied", "applied"]
    doc = tablet_b.doc(record_id)
    # Only B changed the site: merged, and credited to B. The geometry of A stands whole.
    assert doc["groups"][SITE]["values"] == FOUR
    assert doc["groups"][SITE]["by"] == tablet_b.person["id"]
    assert doc["groups"][TAP]["values"] == OF_A
    assert list(holds(doc).values()) == [False]  # signed the revision before
    assert len(doc["photos"]) == 3 + 2 + 1
    assert [row["row"]["note"] for row in doc["lists"]["notes"]] == [
        "measured to bell lip",
        "measured to gasket line",
    ]
    # Both versions, and what the rules say of each; the record is no better than the worse.
    (conflict,) = rows(Conflict)
    assert (conflict["current_op"], conflict["candidates"][0]["op"]) == (of_a, of_b)
    assert conflict["candidates"][0]["values"] == OF_B
    said_of_a, said_of_b = judged(record_id, OF_A), judged(record_id, OF_B)
    assert (said_of_a[JOINT], said_of_b[JOINT]) == ("violation", "pass")
    assert (said_of_a[OTHER_SIDE], said_of_b[OTHER_SIDE]) == ("pass", "pass")
    assert rows(Inspection)[0]["worst"] == "violation"
    # Each tablet is told of both.
    for tablet in (tablet_a, tablet_b):
        tablet.cursor = ""
        told = tablet.pull()["conflicts"]
        assert [one["candidates"][0]["values"] for one in told] == [OF_B]
    with pytest.raises(IllegalTransition, match="conflict is open"):
        office(reviewer_1, "record.approve", record_id)

    settle = {"conflict_id": conflict["id"], "take": "value", "value": AGAIN, "reason": "re-measured"}
    office(reviewer_1, "conflict.resolve", record_id, saw=[of_a, of_b], **settle)
    doc = tablet_a.doc(record_id)
    assert doc["groups"][TAP]["values"] == AGAIN
    newest = max(rows(Finding, rule=JOINT, source="server"), key=lambda row: row["id"])
    assert newest["outcome"] == "violation"
    for tablet in (tablet_a, tablet_b):
        tablet.pull()
        tablet.current[record_id, "signatures"] = tablet.records[record_id]["doc"]["groups"]["signatures"][
            "op"
        ]
    sign(tablet_a, record_id)
    sign(tablet_b, record_id, "signature_installer")
    assert statuses(tablet_a.push()) == statuses(tablet_b.push()) == ["applied", "applied"]
    assert sorted(holds(tablet_a.doc(record_id)).values()) == [False, True, True]
    # The history holds every value, who, the tablet's time and the corrected one, and the reason.
    past = rows(InspectionHistory, what=f"group:{TAP}")
    assert [row["new"] for row in past if row["op_kind"] == "group.set"] == [GEOMETRY, OF_A, OF_B]
    slow = next(row for row in past if row["op_id"] == of_b)
    assert slow["estimated_at"] - datetime.fromisoformat(slow["wall"]) == timedelta(minutes=47)
    assert rows(Conflict)[0]["resolution"]["reason"] == "re-measured"


def test_both_typed_the_same_no_conflict_and_both_are_credited(tablet_a, tablet_b, base, rows):
    tablet_a.set(base, TAP, OF_A)
    tablet_b.set(base, TAP, OF_A)
    assert statuses(tablet_a.push()) == ["applied"]
    assert statuses(tablet_b.push()) == ["noop"]
    assert rows(Conflict) == []
    credited = {
        row["person_id"] for row in rows(InspectionHistory, what=f"group:{TAP}") if row["new"] == OF_A
    }
    assert credited == {tablet_a.person["id"], tablet_b.person["id"]}


def test_geometry_by_one_and_barricades_by_the_other_are_merged(tablet_a, tablet_b, base, rows):
    tablet_a.set(base, TAP, OF_A)
    tablet_b.set(base, SITE, FOUR)
    assert statuses(tablet_a.push()) == statuses(tablet_b.push()) == ["applied"]
    assert rows(Conflict) == []
    groups = tablet_a.doc(base)["groups"]
    assert (groups[TAP]["values"], groups[SITE]["values"]) == (OF_A, FOUR)


@pytest.mark.parametrize("days", [-3, 0, 3])
@pytest.mark.parametrize("b_first", [False, True])
def test_neither_a_clock_nor_who_is_first_changes_what_is_kept(tablet_a, tablet_b, base, rows, days, b_first):
    tablet_b.wall += timedelta(days=days)
    tablet_a.set(base, TAP, OF_A)
    tablet_b.set(base, TAP, OF_B)
    first, second = (tablet_b, tablet_a) if b_first else (tablet_a, tablet_b)
    assert statuses(first.push()) == ["applied"]
    assert statuses(second.push()) == ["conflict"]
    kept = [tablet_a.doc(base)["groups"][TAP]["values"], rows(Conflict)[0]["candidates"][0]["values"]]
    assert kept == ([OF_B, OF_A] if b_first else [OF_A, OF_B])


@pytest.mark.parametrize("delete_first", [True, False])
def test_one_deletes_and_the_other_edits_nothing_is_lost(tablet_a, tablet_b, base, rows, delete_first):
    rev = tablet_a.records[base]["rev"]
    tablet_a.op("record.delete", base, reason="wrong address", rev=rev)
    tablet_b.set(base, TAP, OF_B)
    first, second = (tablet_a, tablet_b) if delete_first else (tablet_b, tablet_a)
    assert statuses(first.push()) == ["applied"]
    assert statuses(second.push()) == ["conflict"]
    (conflict,) = rows(Conflict)
    assert conflict["kind"] == ("edit_after_delete" if delete_first else "delete_after_edit")
    assert rows(Inspection)[0]["deleted"] is delete_first
    history = [row["new"] for row in rows(InspectionHistory)]
    assert OF_B in history
    assert {"reason": "wrong address"} in history


def test_what_comes_after_the_approval_is_an_amendment(
    tablet_a, tablet_b, base, rows, reviewer_1, office, monkeypatch
):
    monkeypatch.setattr(findings, "severities", lambda _pack: {})
    tablet_a.hand_in(base)
    office(reviewer_1, "record.approve", base)
    tablet_b.set(base, TAP, OF_B)
    assert statuses(tablet_b.push()) == ["conflict"]
    assert rows(Conflict)[0]["kind"] == "amendment"
    record = rows(Inspection)[0]
    assert (record["state"], record["doc"]["groups"][TAP]["values"]) == ("approved", GEOMETRY)


def test_an_upload_cut_between_group_and_photo_sends_only_the_photo_again(tablet_a, tablet_b, base, rows):
    tablet_a.set(base, TAP, OF_A)
    tablet_a.push()
    tablet_b.set(base, TAP, OF_B)
    first = tablet_b.push()
    photo = b"\xff\xd8 six and a half"
    photo_id = tablet_b.attach(base, photo)
    lost = tablet_b.push(lose_answer=True)
    assert tablet_b.push() == lost
    url = tablet_b.create_upload(photo_id, photo).headers["Location"]
    tablet_b.patch(url, 0, photo[:5])
    assert tablet_b.stands_at(url) == 5
    tablet_b.upload(photo_id, photo)
    assert tablet_b.photo_state(photo_id) == "stored"
    assert first[0]["conflicts"] == [row["id"] for row in rows(Conflict)]
    assert len(rows(Conflict)[0]["candidates"]) == 1


def test_two_tabs_of_one_tablet_meet_the_same_rule(tablet_a, base, rows):
    """The second tab still shows what was there before the first one's edit, and says so."""
    shown = tablet_a.current[base, TAP]
    tablet_a.set(base, TAP, OF_A)
    tablet_a.set(base, TAP, OF_B, replaces=shown)
    assert statuses(tablet_a.push()) == ["applied", "conflict"]
    assert [candidate["values"] for candidate in rows(Conflict)[0]["candidates"]] == [OF_B]
    assert tablet_a.doc(base)["groups"][TAP]["values"] == OF_A


def test_an_own_edit_after_signing_voids_the_signature(tablet_a, base):
    sign(tablet_a, base)
    tablet_a.sync()
    assert list(holds(tablet_a.records[base]["doc"]).values()) == [True]
    tablet_a.set(base, TAP, OF_A)
    tablet_a.sync()
    assert list(holds(tablet_a.records[base]["doc"]).values()) == [False]
    sign(tablet_a, base)
    assert sorted(holds(tablet_a.doc(base) if tablet_a.sync() else {}).values()) == [False, True]


def test_a_tablet_that_is_silent_for_eight_days_is_listed_and_holds_up_nobody(
    app, client, tablet_a, tablet_b, base, reviewer_1, administrator, office, monkeypatch
):
    from tests.office.conftest import Desk

    monkeypatch.setattr(findings, "severities", lambda _pack: {})
    tablet_b.set(base, TAP, OF_B)
    with app.app_context():
        devices.seen(tablet_b.device_id, datetime.now(UTC) - timedelta(days=8), 1, 700)
    browser = Desk(app)
    browser.sign_in(administrator.sign_in_name, administrator.password)
    page = browser.get("/barneveld/tablets").text
    for words in ("8 days ago", "silent", "1 item"):
        assert words in page
    tablet_a.set(base, TAP, OF_A)
    tablet_a.sync()
    tablet_a.hand_in(base)
    office(reviewer_1, "record.approve", base)
    assert tablet_a.doc(base)["state"] == "approved"


def test_a_hundredth_of_an_inch_at_the_limit_is_a_conflict(tablet_a, tablet_b, base, judged):
    at_limit = GEOMETRY | {"joint_distance_down": m("6.0")}
    above = GEOMETRY | {"joint_distance_down": m("6.01")}
    tablet_a.set(base, TAP, at_limit)
    tablet_b.set(base, TAP, above)
    assert statuses(tablet_a.push() + tablet_b.push()) == ["applied", "conflict"]
    assert (judged(base, at_limit)[JOINT], judged(base, above)[JOINT]) == ("violation", "pass")


def test_two_holders_of_one_container_are_both_kept_and_nothing_is_approved_until_one_event_names_both(
    tablet_a, tablet_b, reviewer_1, office, monkeypatch
):
    monkeypatch.setattr(findings, "severities", lambda _pack: {})
    record_id = tablet_a.begin("manhole")
    event = {"sample_set": "S-1", "prev": "", "event_no": 1, "action": "seal", "to_role": "sampler"}
    first = json.dumps(event)
    tablet_a.op("custody.append", record_id, event=first)
    tablet_a.sync()
    tablet_b.pull()
    hashes = []
    for tablet, to in ((tablet_a, "courier"), (tablet_b, "laboratory")):
        text = json.dumps(event | {"prev": sha256(first), "action": "receive", "to_role": to})
        tablet.op("custody.append", record_id, event=text)
        hashes.append(sha256(text))
        assert statuses(tablet.push()) == ["applied"]
    doc = tablet_a.doc(record_id)
    assert [one["fork"] for one in doc["custody"]] == [False, True, True]
    assert {one["hash"] for one in doc["custody"]} >= set(hashes)
    tablet_a.hand_in(record_id)
    with pytest.raises(IllegalTransition, match="S-1: its custody has two holders"):
        office(reviewer_1, "record.approve", record_id)
    both = event | {"prev": hashes[0], "action": "correct", "to_role": "laboratory", "reconciles": hashes}
    tablet_b.op("custody.append", record_id, event=json.dumps(both))
    tablet_b.push()
    assert not any(one["fork"] for one in tablet_a.doc(record_id)["custody"])
    office(reviewer_1, "record.approve", record_id)
    assert tablet_a.doc(record_id)["state"] == "approved"
