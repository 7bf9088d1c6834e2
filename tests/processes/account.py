"""The account at the end: what the tablets made and were told, against what the server holds."""

import hashlib
import json
from collections import Counter

from sqlalchemy import select

from inspect_app.store.base import db
from inspect_app.store.blobs import BlobStore
from inspect_app.store.inspections import Conflict, Inspection
from inspect_app.store.photos import Photo
from inspect_app.store.sync import ChangeClock, ChangeLog, OpLog
from tests.api.tablet import sha256


def settle(app, data, hands):
    """Every op exactly once, every answer kept, every photo byte for byte, every number there."""
    with app.app_context():
        log = db.session.scalars(select(OpLog).order_by(OpLog.chg)).all()
        ops_are_there_once(log, hands)
        answers_are_kept({row.op_id: row for row in log}, hands)
        chains_are_whole(log)
        numbers_have_no_hole()
        photos_are_whole(BlobStore(data / "blobs"), hands)
        notes_stand_once(log)
        nothing_was_replaced_unseen(log)
        tablets_show_what_is_there(hands)
        db.session.rollback()


def said(row):
    return json.loads(json.loads(row.body)["content"])


def ops_are_there_once(log, hands):
    made = Counter(envelope["body"] for hand in hands for envelope in hand.made)
    assert Counter(row.body for row in log) == made
    assert set(made.values()) == {1}


def answers_are_kept(log, hands):
    for hand in hands:
        assert len(hand.told) == len(hand.made)
        for op_id, result in hand.told.items():
            assert json.loads(log[op_id].result_json) == result


def chains_are_whole(log):
    heads, numbers, whole = {}, Counter(), ""
    for row in log:
        body = json.loads(row.body)
        assert body["prev"] == heads.get(row.device_id, "")
        heads[row.device_id] = sha256(row.body)
        numbers[row.device_id] += 1
        assert row.seq == body["seq"] == numbers[row.device_id]
        whole = hashlib.sha256((whole + row.body_sha256).encode()).hexdigest()
        assert row.log_hash == whole


def numbers_have_no_hole():
    last = db.session.scalar(select(ChangeClock.v))
    assert list(db.session.scalars(select(ChangeLog.chg).order_by(ChangeLog.chg))) == list(range(1, last + 1))


def photos_are_whole(blobs, hands):
    taken = {photo_id: data for hand in hands for photo_id, data in hand.photos.items()}
    rows = db.session.scalars(select(Photo)).all()
    assert {row.id: row.state for row in rows} == dict.fromkeys(taken, "stored")
    for data in taken.values():
        assert blobs.path(sha256(data)).read_bytes() == data


def notes_stand_once(log):
    written = Counter((said(row)["record_id"], said(row)["row_id"]) for row in log if row.kind == "list.add")
    records = db.session.scalars(select(Inspection)).all()
    there = Counter((row.id, note["id"]) for row in records for note in row.doc["lists"].get("notes", []))
    assert there == written


def nothing_was_replaced_unseen(log):
    """A value gave way only to an author who named it; every other one waits in a conflict."""
    names: dict = {}
    held = {c["op"] for conflict in db.session.scalars(select(Conflict)) for c in conflict.candidates}
    followed = {said(row)["replaces"] for row in log if row.kind == "group.set"}
    for row in log:
        if row.kind != "group.set":
            continue
        key = said(row)["record_id"], said(row)["group"]
        if row.status == "applied":
            assert key not in names or said(row)["replaces"] in names[key]
            names[key] = {row.op_id}
        elif row.status == "noop":
            names[key].add(row.op_id)
        else:
            assert row.op_id in held or row.op_id in followed


def tablets_show_what_is_there(hands):
    there = {row.id: row.chg for row in db.session.scalars(select(Inspection)).all()}
    for hand in hands:
        assert {key: row["chg"] for key, row in hand.tablet.records.items()} == there
