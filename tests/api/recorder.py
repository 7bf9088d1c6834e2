"""Record what a released app sent, for `ops_of_releases/`: everything of a village's tablets in one database.

`python -m tests.api.recorder DATA VILLAGE OUT.json` reads the database of a server on which somebody worked,
such as the one a walkthrough of the browser tests leaves behind. Take people by their roles only.
"""

import json
import sys
from pathlib import Path

from sqlalchemy import select

from inspect_app.services.demonstration_tablet import APP
from inspect_app.store import people
from inspect_app.store.base import db
from inspect_app.store.findings import PackRow
from inspect_app.store.inspections import Inspection
from inspect_app.store.people import Device
from inspect_app.store.photos import Upload
from inspect_app.store.places import Assignment
from inspect_app.store.sync import OpLog, RawItem
from tests.support.databases import opened

OF_DEVICE = ("id", "name", "kid", "public_key", "app", "is_server")
SMALL_PACK = 40_000  # letters
OF_UPLOAD = ("id", "device_id", "photo_id", "kind", "sha256", "length", "off", "attempt")


def record(village):
    """The recording of a village, as plain data; within an application's context."""
    devices = {
        row.id: row
        for row in db.session.scalars(select(Device).where(Device.village == village)).all()
        if row.app != APP
    }
    of_tablets = [row for row in _log(village) if not devices[row.device_id].is_server]
    records = {row.record_id for row in of_tablets if row.record_id}
    # The office's ops on these records stand in one stretch of its log: what was before them is left out.
    kept = [row for row in _log(village) if not devices[row.device_id].is_server or _is_of(row, records)]
    first = {
        device_id: min(row.seq for row in kept if row.device_id == device_id) for device_id in _ids(kept)
    }
    uploads = _decided(kept, Upload, "upload_id")
    for upload in uploads:
        first.setdefault(upload.device_id, devices[upload.device_id].last_seq + 1)
    return {
        "village": village,
        "people": [_person(village, one) for one in sorted({row.user_id for row in kept if row.user_id})],
        "devices": [_device(devices[device_id], first[device_id]) for device_id in sorted(first)],
        "assignments": [_assignment(row) for row in _assignments(kept)],
        "packs": [row.canonical for row in _small_packs(kept)],
        "uploads": [_only(row, OF_UPLOAD) for row in uploads],
        "raw_items": [
            {"id": row.id, "device_id": row.device_id} for row in _decided(kept, RawItem, "item_id")
        ],
        "ops": [_op(row) for row in kept],
        "ends": {record_id: _end(record_id) for record_id in sorted(records) if _end(record_id)},
    }


def _log(village):
    query = select(OpLog).join(Device, Device.id == OpLog.device_id).where(Device.app != APP)
    return db.session.scalars(query.where(OpLog.village == village).order_by(OpLog.chg)).all()


def _is_of(row, records):
    return row.record_id in records or (row.record_id is None and row.kind != "device.note")


def _ids(rows):
    return {row.device_id for row in rows}


def _only(row, names):
    return {name: getattr(row, name) for name in names}


def _content(row):
    return json.loads(json.loads(row.body)["content"])


def _person(village, person_id):
    person = people.person(person_id)
    return {"id": person.id, "name": person.name, "roles": list(people.roles_of(person, village))}


def _device(device, first_seq):
    before = db.session.scalar(select(OpLog).where(OpLog.device_id == device.id, OpLog.seq == first_seq - 1))
    return {
        **_only(device, OF_DEVICE),
        "is_revoked": device.revoked_at is not None,
        "last_seq": first_seq - 1,
        "last_hash": before.body_sha256 if before else "",
    }


def _assignments(rows):
    wanted = {_content(row).get("assignment_id") for row in rows if row.kind == "record.create"}
    return db.session.scalars(select(Assignment).where(Assignment.id.in_(wanted - {None}))).all()


def _assignment(row):
    return _only(row, ("id", "protocol", "place", "permit_no", "person_id", "prefill", "context"))


def _small_packs(rows):
    """The packs by which records were judged, but not the ordinances whole: those decide no status here."""
    wanted = {_content(row)["pack"] for row in rows if row.kind == "record.create"}
    found = db.session.scalars(select(PackRow).where(PackRow.hash.in_(wanted)))
    return [row for row in found if len(row.canonical) < SMALL_PACK]


def _decided(rows, model, member):
    ids = [_content(row)[member] for row in rows if member in _content(row)]
    return db.session.scalars(select(model).where(model.id.in_(ids))).all()


def _op(row):
    result = json.loads(row.result_json)
    said = {name: result[name] for name in ("op_id", "seq", "status", "reason") if name in result}
    return {"envelope": {"body": row.body, "sig": row.sig, "kid": row.kid}, "result": said}


def _end(record_id):
    record = db.session.get(Inspection, record_id)
    if record is None:
        return None
    groups = {name: entry["values"] for name, entry in record.doc["groups"].items()}
    lists = {name: len(rows) for name, rows in record.doc["lists"].items()}
    return {"state": record.state, "groups": groups, "lists": lists}


if __name__ == "__main__":
    folder, slug, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    with opened(folder, f"sqlite:///{folder / 'inspect.sqlite3'}") as app, app.app_context():
        text = json.dumps(record(slug), indent=1, ensure_ascii=False, sort_keys=True)
    out.write_text(text + "\n", encoding="utf-8")
