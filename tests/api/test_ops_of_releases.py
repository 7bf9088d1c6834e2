"""Ops as released apps sent them, recorded once, are read and applied for ever.

Each file of `ops_of_releases/` is one recording: the devices and people of a village, and everything they
sent, in the order in which the server took it, with what became of it. A recording is never edited. When a
kind's members change, `envelopes.SCHEMA` is raised, its upgrade is written, and a new recording is added.
"""

import json
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspect_app.domain import envelopes
from inspect_app.services import devices, ops, staging
from inspect_app.services import sync as sync_service
from inspect_app.store import inspections, people, villages
from inspect_app.store.base import db, transaction
from inspect_app.store.findings import PackRow
from inspect_app.store.people import Device, Membership, Person
from inspect_app.store.photos import Upload
from inspect_app.store.places import Assignment
from inspect_app.store.sync import RawItem
from tests.api.recorder import record
from tests.api.tablet import sha256

RECORDINGS = sorted((Path(__file__).parent / "ops_of_releases").glob("*.json"))
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def contents(path):
    return [json.loads(json.loads(op["envelope"]["body"])["content"]) for op in read(path)["ops"]]


def test_there_is_a_recording_of_every_kind_of_every_schema():
    recorded = {(content["schema"], content["kind"]) for path in RECORDINGS for content in contents(path)}
    assert recorded >= {(envelopes.SCHEMA, kind) for kind in envelopes.KINDS}
    assert {schema for schema, _ in recorded} == set(range(1, envelopes.SCHEMA + 1))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_every_recorded_op_is_read_and_whole(path):
    for op in read(path)["ops"]:
        body = envelopes.read_body(op["envelope"]["body"])
        content = envelopes.read_content(body.content)
        assert content["kind"] in envelopes.KINDS
        assert envelopes.faults(content) == {}


def test_the_chain_of_upgrades_is_whole():
    assert sorted(envelopes.UPGRADES) == list(range(1, envelopes.SCHEMA))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_upgrading_is_pure_and_what_is_upgraded_is_upgraded_no_further(path):
    for content in contents(path):
        before = deepcopy(content)
        once = envelopes.upgraded(content)
        assert content == before
        assert envelopes.upgraded(deepcopy(once)) == once
        assert once["schema"] == envelopes.SCHEMA


def settle_in(recording):
    """The village of the recording, before anything was sent."""
    with transaction() as session:
        for one in recording["people"]:
            session.add(
                Person(
                    id=one["id"],
                    sign_in_name=one["id"],
                    name=one["name"],
                    password_hash="none",
                    active=True,
                    created_at=NOW,
                )
            )
            session.flush()
            session.add_all(
                Membership(person_id=one["id"], village=recording["village"], role=role)
                for role in one["roles"]
            )
        village = recording["village"]
        for text in recording["packs"]:
            session.add(PackRow(hash=sha256(text), village=village, canonical=text, first_used_at=NOW))
        for one in recording["devices"]:
            revoked_at = NOW if one["is_revoked"] else None
            kept = {name: value for name, value in one.items() if name != "is_revoked"}
            session.add(Device(**kept, village=village, enrolled_at=NOW, revoked_at=revoked_at))
        session.flush()
        for one in recording["assignments"]:
            session.add(Assignment(**one, village=village, state="open", chg=0))
        for one in recording["uploads"]:
            session.add(Upload(**one, state="open", expires_at=NOW))
        for one in recording["raw_items"]:
            item = {"sha256": "0" * 64, "body": b"", "headers": {}, "received_at": NOW}
            session.add(RawItem(**one, **item, village=village))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_played_again_ends_as_it_did(app, path):
    recording = read(path)
    with app.app_context():
        settle_in(recording)
        for op in recording["ops"]:
            device_id = json.loads(op["envelope"]["body"])["device_id"]
            result = ops.apply_from(device_id, op["envelope"], NOW)
            said = {name: result[name] for name in ("op_id", "seq", "status", "reason") if name in result}
            assert said == op["result"], op["envelope"]["body"]
        for record_id, held in recording["ends"].items():
            record = inspections.inspection(record_id)
            groups = {name: entry["values"] for name, entry in record.doc["groups"].items()}
            lists = {name: len(rows) for name, rows in record.doc["lists"].items()}
            assert {"state": record.state, "groups": groups, "lists": lists} == held


GEOMETRY = {
    "joint_distance_up": {"value": "9", "unit": "in"},
    "joint_distance_down": {"value": "7", "unit": "in"},
    "basis": "edge",
}


def keep_small_pack(app):
    """A pack with one rule of the ordinance, kept as any other; its hash."""
    with app.app_context():
        whole = villages.pack_of("barneveld", NOW.date()).data
        rule = next(one for one in whole["rules"] if one["id"] == "BV-TAP-04")
        names = {name for name in whole["fields"] if name in json.dumps(rule)} | set(
            whole["settings"][0]["values"]
        )
        small = {
            **whole,
            "rules": [rule],
            "fields": {name: spec for name, spec in whole["fields"].items() if name in names},
        }
        text = json.dumps(small, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        with transaction() as session:
            session.add(PackRow(hash=sha256(text), village="barneveld", canonical=text, first_used_at=NOW))
        return sha256(text)


@pytest.fixture
def everything(app, tablet_a, tablet_b, tablet_of, inspector_b, reviewer_1, office):
    """A village in which an op of every kind was sent and applied."""
    gone = tablet_of(inspector_b, "Tablet that is out of use")
    upload_id = gone.create_upload("p-9", b"nine bytes").headers["Location"].rpartition("/")[2]
    with app.app_context():
        devices.revoke("barneveld", gone.device_id, None, NOW)
    gone.device_token = None
    assert gone.patch(f"/api/v1/files/{upload_id}", 0, b"nine bytes").status_code == 204
    raw = tablet_a.client.post("/api/v1/ops/raw", data=b"raw", headers=tablet_a.as_device())
    assert raw.status_code == 200

    pack = keep_small_pack(app)
    record_id = tablet_a.begin(pack=pack)
    tablet_a.set(record_id, "tap_geometry", GEOMETRY | {"clock": "11:00"})
    tablet_a.note(record_id, "measured to the bell lip")
    tablet_a.sync()
    tablet_b.pull()
    tablet_a.set(record_id, "tap_geometry", GEOMETRY | {"clock": "11:30"})
    theirs = tablet_b.set(record_id, "tap_geometry", GEOMETRY | {"clock": "10:30"})
    tablet_a.sync()
    conflict_id = tablet_b.push()[0]["conflicts"][0]
    tablet_b.pull()
    saw = [theirs, tablet_b.records[record_id]["doc"]["groups"]["tap_geometry"]["op"]]
    tablet_b.op(
        "conflict.resolve",
        record_id,
        conflict_id=conflict_id,
        take="candidate",
        value=None,
        saw=saw,
        reason="",
    )
    tablet_b.sync()
    tablet_a.pull()
    tablet_a.op(
        "record.submit", record_id, context={}, findings=[], pack=pack, revision_hash=sha256("unseen")
    )
    manhole = tablet_a.begin("manhole", pack=pack)
    event = {"sample_set": "S-1", "prev": "", "event_no": 1, "action": "seal"}
    tablet_a.op("custody.append", manhole, event=json.dumps(event))
    tablet_a.attach(manhole, b"a photo that never came")
    tablet_a.op("record.submit", manhole, context={}, findings=[], pack=pack, revision_hash=sha256("unseen"))
    drafted = tablet_a.begin("lateral", pack=pack)
    tablet_a.op("record.move_form", drafted, protocol="lateral", protocol_version="2", reason="asks too much")
    tablet_a.op("record.delete", drafted, reason="begun by mistake", rev=2)
    tablet_a.op("device.note", None, text="The storage was lost.", data={"lost_ops": 2})
    tablet_a.sync()

    office(reviewer_1, "record.review", record_id)
    office(
        reviewer_1, "finding.decide", record_id, rule="BV-TAP-04", decision="dispute", reason="On the photo"
    )
    office(reviewer_1, "record.return", record_id, reason="The basis is not clear.")
    tablet_a.op(
        "record.submit", record_id, context={}, findings=[], pack=pack, revision_hash=sha256("unseen")
    )
    tablet_a.sync()
    office(reviewer_1, "record.review", record_id)
    office(reviewer_1, "record.approve", record_id)
    office(reviewer_1, "record.reopen", record_id, reason="Approved by mistake.")
    office(reviewer_1, "record.number", record_id, number="T-0100")
    reported = {
        "key": "COC-1|S-1|bod5||normal",
        "said": "5 U",
        "row": {"sample_id": "S-1", "lab_result": "<5"},
    }
    report = {"file": "f-1", "name": "report.csv", "sha256": sha256("report"), "mapping": "simple CSV, 1"}
    office(reviewer_1, "lab.report", manhole, report=report, rows=[reported])
    office(reviewer_1, "record.void", manhole, reason="Another manhole.")
    with app.app_context():
        reviewer = people.person(reviewer_1.id)
        item_id = db.session.query(RawItem.id).scalar()
        sync_service.note_raw("barneveld", item_id, "Entered by hand.", reviewer, NOW)
        staging.decide("barneveld", upload_id, "keep", "Nobody knows it.", reviewer, NOW)
    return app


def test_a_new_recording_would_hold_every_kind(everything):
    """How one is made: every kind is sent and applied, and `recorder.py` reads it from the database."""
    with everything.app_context():
        recording = record("barneveld")
    kinds = {json.loads(json.loads(op["envelope"]["body"])["content"])["kind"] for op in recording["ops"]}
    assert kinds == set(envelopes.KINDS)
    assert {op["result"]["status"] for op in recording["ops"]} == {"applied", "conflict"}
