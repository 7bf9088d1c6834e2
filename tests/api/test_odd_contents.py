"""What one odd op says harms nobody else: feed and office pages go on, and no reading is rounded."""

import json
from datetime import UTC, datetime

import pytest

from inspect_app.domain.ids import new_id
from inspect_app.services import devices
from inspect_app.store.inspections import Inspection
from tests.office.conftest import Desk

EVENT = {"sample_set": "S-1", "prev": "", "action": "seal"}


def row_id():
    return new_id(datetime.now(UTC))


@pytest.fixture
def record_id(tablet_a):
    record_id = tablet_a.begin("manhole")
    tablet_a.push()
    return record_id


@pytest.fixture
def desk(app, reviewer_1):
    desk = Desk(app)
    desk.sign_in(reviewer_1.sign_in_name, reviewer_1.password)
    return desk


@pytest.mark.parametrize("odd", ["NaN", "-Infinity", "1e999", '"\\u0000"', '"\\ud800"', "[" * 60 + "]" * 60])
def test_a_custody_event_that_no_json_can_say_again_is_set_aside(tablet_a, record_id, odd):
    text = json.dumps(EVENT)[:-1] + f', "temp": {odd}}}'
    tablet_a.op("custody.append", record_id, event=text)
    result = tablet_a.push()[0]
    assert (result["status"], result["reason"]) == ("quarantined", "event_unreadable")
    assert tablet_a.doc(record_id)["custody"] == []


def test_a_signature_mark_that_names_no_field_stops_nobodys_feed(tablet_a, record_id):
    tablet_a.set(record_id, "signatures", {"signature_inspector": "s-1"})
    tablet_a.op("list.add", record_id, list="signature_marks", row_id=row_id(), row={"field": ["x"]})
    tablet_a.set(record_id, "entry_decision", {})
    tablet_a.push()
    tablet_a.op("list.add", record_id, list="signature_marks", row_id=row_id(), row={"field": {}, "role": []})
    tablet_a.push()
    other = tablet_a.begin()
    tablet_a.set(other, "tap_geometry", {"clock": "11:00"})
    tablet_a.op("list.add", other, list="signature_marks", row_id=row_id(), row={"field": ["clock"]})
    assert [result["status"] for result in tablet_a.push()] == ["applied"] * 3
    assert [mark["holds"] for mark in tablet_a.doc(other)["signatures"]] == [False]


def test_a_row_cannot_hide_a_reading_under_its_name(tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", {"clock": "11:00"})
    for name in ("clock", "photos", "custody_events", "no_such_list"):
        tablet_a.op("list.add", record_id, list=name, row_id=row_id(), row={"clock": "12:00"})
    results = tablet_a.push()[2:]
    assert {(result["status"], result["reason"]) for result in results} == {("quarantined", "list_unknown")}
    assert rows(Inspection)[0]["doc"]["lists"] == {}


@pytest.mark.parametrize(
    "wall", ["0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00", "1970-01-01T00:00:00Z"]
)
def test_a_clock_at_the_end_of_time_leaves_the_offices_pages_open(tablet_a, desk, wall):
    record_id = row_id()
    content = tablet_a.content(
        "record.create",
        record_id,
        village=tablet_a.village,
        protocol="tap",
        protocol_version="1",
        pack=tablet_a.reference()["pack"],
        assignment_id=None,
        parent_record=None,
        place="Lot 14",
        permit_no=None,
    )
    tablet_a.add(tablet_a.seal(content | {"wall": wall}))
    for kind, own in (
        ("group.set", {"group": "tap_geometry", "replaces": "", "values": {"clock": "11:00"}, "was": {}}),
        ("list.add", {"list": "notes", "row_id": "n-1", "row": {"note": "x", "noted_at": wall}}),
    ):
        tablet_a.add(tablet_a.seal(tablet_a.content(kind, record_id, **own) | {"wall": wall}))
    tablet_a.submit(record_id)
    assert [result["status"] for result in tablet_a.push()] == ["applied"] * 4
    assert tablet_a.doc(record_id)["groups"]["tap_geometry"]["at"] == wall  # kept as it was written
    for path in ("/barneveld/queue", f"/barneveld/records/{record_id}"):
        assert desk.get(path, follow_redirects=True).status_code == 200


@pytest.mark.parametrize("odd", [True, 0, [], [1], {"a": []}, "0001-01-01T00:00:00+00:00"])
def test_answers_of_another_kind_than_the_forms_are_shown_as_they_stand(tablet_a, desk, odd):
    from inspect_app.store import forms

    record_id = tablet_a.begin("manhole")
    for group, fields in forms.groups("manhole").items():
        tablet_a.set(record_id, group, dict.fromkeys(fields, odd))
    members = ("signature_id", "field", "role", "name", "signed_at", "revision_hash", "pin", "witness")
    for name in ("signature_marks", "gas", "readings", "notes"):
        row = dict.fromkeys((*members, "note", "noted_at", "param", "value"), odd)
        tablet_a.op("list.add", record_id, list=name, row_id=row_id(), row=row)
    while tablet_a.queue:
        assert tablet_a.post_ops(tablet_a.queue[:80]).status_code == 200
        del tablet_a.queue[:80]
    assert tablet_a.doc(record_id)
    assert desk.get(f"/barneveld/records/{record_id}").status_code == 200


def wire(tablet, record_id, value):
    """A group whose reading is a JSON number, written just so."""
    content = tablet.content(
        "group.set",
        record_id,
        group="tap_geometry",
        replaces="",
        was={},
        values={"joint_distance_up": "HERE"},
    )
    tablet.add(tablet.seal(json.dumps(content).replace('"HERE"', value)))
    return tablet.push()[-1]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("6.00000000000000000001", "6.00000000000000000001"),
        ("7.10", "7.10"),
        ("12.00", "12.00"),
        ("-0.50", "-0.50"),
        ("7.1", 7.1),
        ("5", 5),
    ],
)
def test_a_reading_sent_as_a_number_keeps_its_zeros(tablet_a, rows, written, kept):
    record_id = tablet_a.begin()
    assert wire(tablet_a, record_id, f'{{"value": {written}, "unit": "in"}}')["status"] == "applied"
    values = rows(Inspection)[0]["doc"]["groups"]["tap_geometry"]["values"]
    assert values == {"joint_distance_up": {"value": kept, "unit": "in"}}


@pytest.mark.parametrize("written", ["9007199254740993", "1e-400", "1e400"])
def test_a_reading_that_would_be_rounded_is_set_aside_aloud(tablet_a, rows, written):
    record_id = tablet_a.begin()
    result = wire(tablet_a, record_id, f'{{"value": {written}, "unit": "in"}}')
    assert (result["status"], result["reason"]) == ("quarantined", "content_unreadable")
    assert "number that" in result["errors"]["content"][0]
    assert rows(Inspection)[0]["doc"]["groups"] == {}


ODD_TEXTS = ["a\x00b", "a\ud800b"]


@pytest.mark.parametrize("odd", ODD_TEXTS)
@pytest.mark.parametrize("member", ["code", "name", "app"])
def test_an_enrolment_with_a_broken_text_is_refused_not_failed(app, tablet_a, inspector_a, member, odd):
    with app.app_context():
        code = devices.make_code("barneveld", inspector_a.id, None, datetime.now(UTC))
    said = {"code": code, "public_key": tablet_a.jwk(), "name": "Tablet", "app": "test"}
    answer = post(tablet_a, "/api/v1/devices", said | {member: odd})
    assert answer.status_code == 422


@pytest.mark.parametrize("odd", ODD_TEXTS)
@pytest.mark.parametrize("member", ["device_id", "nonce", "sig", "sign_in_name", "password"])
def test_a_proof_with_a_broken_text_is_refused_not_failed(tablet_a, member, odd):
    nonce = tablet_a.client.get("/api/v1/time").json["nonce"]
    said = {"device_id": tablet_a.device_id, "nonce": nonce, "sig": tablet_a.sign(nonce)}
    if member in said:
        assert post(tablet_a, "/api/v1/auth/device", said | {member: odd}).status_code in (401, 422)
    said |= {"sign_in_name": "inspector-a", "password": "x" * 12}
    assert post(tablet_a, "/api/v1/auth/person", said | {member: odd}).status_code in (401, 422)


@pytest.mark.parametrize(
    "path", ["/api/v1/snapshot?page=%00", "/api/v1/files/%00", "/api/v1/photos/status?ids=%00"]
)
def test_an_address_with_a_broken_text_is_refused_not_failed(tablet_a, path):
    headers = (
        tablet_a.as_person() if "snapshot" in path else {**tablet_a.as_device(), "Tus-Resumable": "1.0.0"}
    )
    call = tablet_a.client.head if "files" in path else tablet_a.client.get
    assert call(path, headers=headers).status_code in (404, 422)


def post(tablet, path, said):
    return tablet.client.post(path, data=json.dumps(said), content_type="application/json")
