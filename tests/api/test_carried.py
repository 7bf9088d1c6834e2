"""Ops of one tablet brought by another, from a file: each in its own device's log, each once."""

import json
from datetime import UTC, datetime

import pytest

from inspect_app.services import devices
from inspect_app.store.inspections import Inspection
from inspect_app.store.people import Device
from inspect_app.store.sync import OpLog
from tests.api.tablet import sha256

CARRIED = "/api/v1/ops/carried"


def carry(tablet, envelopes):
    return tablet.client.post(CARRIED, json={"ops": envelopes}, headers=tablet.as_device())


def carried(tablet, envelopes):
    answer = carry(tablet, envelopes)
    assert answer.status_code == 200, answer.json
    return answer.json["results"]


@pytest.fixture
def file_of_a(tablet_a):
    """What tablet A never sent, as its file holds it: (record id, envelopes)."""
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", {"clock": "11:00"})
    tablet_a.note(record_id, "measured to the bell lip")
    return record_id, list(tablet_a.queue)


def test_another_tablet_brings_what_one_never_sent(tablet_a, tablet_b, file_of_a, rows):
    record_id, envelopes = file_of_a
    seen_at = rows(Device, id=tablet_a.device_id)[0]["last_seen_at"]
    results = carried(tablet_b, envelopes)
    assert [(result["seq"], result["status"]) for result in results] == [
        (1, "applied"),
        (2, "applied"),
        (3, "applied"),
    ]
    log = sorted(rows(OpLog), key=lambda row: row["seq"])
    assert {row["device_id"] for row in log} == {tablet_a.device_id}
    assert {row["carried_by"] for row in log} == {tablet_b.device_id}
    assert tablet_b.doc(record_id)["groups"]["tap_geometry"]["by"] == tablet_a.person["id"]
    owner = rows(Device, id=tablet_a.device_id)[0]
    assert (owner["last_seq"], owner["last_seen_at"]) == (3, seen_at)


def test_brought_again_or_sent_by_its_own_tablet_after_all_it_gets_the_stored_result(
    tablet_a, tablet_b, file_of_a, rows
):
    _record_id, envelopes = file_of_a
    first = carried(tablet_b, envelopes)
    assert carried(tablet_b, envelopes) == first
    assert tablet_a.push() == first
    tablet_a.op("device.note", None, text="goes on from there", data=None)
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
    assert len(rows(OpLog)) == 4
    assert rows(Inspection)[0]["rev"] == 3


def test_what_a_tablet_signed_anew_after_its_storage_was_lost_is_known_under_both_numbers(
    app, tablet_a, tablet_b, inspector_a, file_of_a, rows
):
    _record_id, envelopes = file_of_a
    sent = [json.loads(envelope["body"]) for envelope in envelopes]
    with app.app_context():
        code = devices.make_code("barneveld", inspector_a.id, None, datetime.now(UTC))
    tablet_a.enrol(code)
    for body in sent:
        tablet_a.add(tablet_a.seal(body["content"], op_id=body["op_id"]))
    first = tablet_a.push()
    assert carried(tablet_b, envelopes) == first
    assert len(rows(OpLog)) == 3


def test_ops_of_several_tablets_stand_in_one_file_and_a_hole_stops_only_its_own(
    tablet_a, tablet_b, tablet_of, inspector_a, file_of_a
):
    _record_id, envelopes = file_of_a
    tablet_b.op("device.note", None, text="of B", data=None)
    carrier = tablet_of(inspector_a)
    results = carried(carrier, [envelopes[0], envelopes[2], *tablet_b.queue, envelopes[1]])
    assert [result["status"] for result in results] == ["applied", "gap", "applied", "applied"]
    assert results[1]["expect"] == 2


def test_a_changed_op_does_not_pass_for_its_owners(tablet_a, tablet_b, file_of_a, rows):
    _record_id, envelopes = file_of_a
    body = json.loads(envelopes[0]["body"])
    changed = body["content"].replace("Lot 14", "Lot 15")
    forged = {**envelopes[0], "body": json.dumps({**body, "content": changed})}
    by_the_carrier = {**forged, "sig": tablet_b.sign(forged["body"]), "kid": tablet_b.kid}
    assert [result["reason"] for result in carried(tablet_b, [by_the_carrier])] == ["signature_wrong"]
    assert rows(Inspection) == []


def test_ops_of_a_revoked_tablet_are_set_aside_whoever_brings_them(app, tablet_a, tablet_b, file_of_a):
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    results = carried(tablet_b, file_of_a[1])
    assert {(result["status"], result["reason"]) for result in results} == {("quarantined", "device_revoked")}


def test_an_op_of_another_village_or_of_no_tablet_is_named_and_nothing_is_applied(
    app, tablet_a, tablet_b, outside, reviewer_1, office, file_of_a, rows
):
    record_id, envelopes = file_of_a
    outside.begin()
    unknown = {**envelopes[1], "body": envelopes[1]["body"].replace(tablet_a.device_id, "no-such-device")}
    unreadable = {**envelopes[1], "body": "not json"}
    answer = carry(tablet_b, [envelopes[0], outside.queue[0], unknown, unreadable])
    assert (answer.status_code, answer.json["type"]) == (400, "/problems/unreadable-op")
    assert list(answer.json["errors"]) == ["ops.1.body", "ops.2.body", "ops.3.body"]
    assert answer.json["errors"]["ops.1.body"] == answer.json["errors"]["ops.2.body"]
    assert rows(OpLog) == []
    carried(tablet_b, envelopes)
    office(reviewer_1, "record.number", record_id, number="T-9000")
    of_the_office = rows(OpLog, kind="record.number")[0]
    envelope = {"body": of_the_office["body"], "sig": of_the_office["sig"], "kid": of_the_office["kid"]}
    assert carry(tablet_b, [envelope]).status_code == 400


def test_more_than_a_hundred_and_a_person_are_refused(tablet_a, tablet_b, file_of_a):
    assert carry(tablet_b, [file_of_a[1][0]] * 101).status_code == 422
    answer = tablet_b.client.post(CARRIED, json={"ops": file_of_a[1]}, headers=tablet_b.as_person())
    assert answer.status_code == 403
    assert tablet_b.client.post(CARRIED, json={"ops": file_of_a[1]}).status_code == 401


def test_the_photos_of_the_file_are_sent_by_who_brings_it(tablet_a, tablet_b, file_of_a):
    record_id, _envelopes = file_of_a
    photo = b"\xff\xd8 the bytes of a photo"
    photo_id = tablet_a.attach(record_id, photo)
    carried(tablet_b, tablet_a.queue)
    tablet_b.upload(photo_id, photo)
    assert tablet_b.photo_state(photo_id) == "stored"
    assert tablet_a.photo_state(photo_id) == "stored"
    assert [one["sha256"] for one in tablet_b.doc(record_id)["photos"]] == [sha256(photo)]
