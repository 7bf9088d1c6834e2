"""The evidence package of a record: all that was signed about it, in one zip that a stranger can check.

See checker.py for its form, and docs/evidence.md for what it proves.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import select

from inspect_app.domain.errors import NotFound, Refused
from inspect_app.reports import checker, custody_form
from inspect_app.reports.evidence_index import index
from inspect_app.services import server_key, sync
from inspect_app.services.documents import pulled
from inspect_app.services.pictures import ENDINGS
from inspect_app.store import custody, findings, people, photos
from inspect_app.store import sync as log
from inspect_app.store.base import db, settings
from inspect_app.store.blobs import BlobStore
from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import OpLog

Content = bytes | Path
LARGEST = 2**32 - 1
CHECKER = "check_evidence.py"


def any_sample() -> Inspection:
    """The oldest approved record with a chain of custody, or the oldest with one; raises NotFound."""
    with_chain = select(custody.CustodyEvent.record_id)
    found = db.session.scalars(
        select(Inspection)
        .where(Inspection.id.in_(with_chain))
        .order_by(Inspection.state != "approved", Inspection.begun_at, Inspection.id)
        .limit(1)
    ).first()
    if found is None:
        raise NotFound("No record has a chain of custody yet.")
    return found


def named(name: str, village: str | None) -> Inspection:
    """The record of this number or id; raises NotFound, and Refused where two villages have the number."""
    wanted = select(Inspection).where((Inspection.number == name) | (Inspection.id == name))
    if village:
        wanted = wanted.where(Inspection.village == village)
    found = db.session.scalars(wanted.limit(2)).all()
    if not found:
        raise NotFound(f"There is no record {name}.")
    if len(found) > 1:
        raise Refused(f"Two villages have a record {name}. Name one with --village.")
    return found[0]


def write(record: Inspection, out: BinaryIO, now: datetime) -> dict[str, int]:
    """Write the package of a record; how many files there are of each kind.

    Raises Refused where the zip would be larger than 4 GB.
    """
    chg, head = log.clock()  # first: what arrives meanwhile is of no concern to this package
    contents = _contents(record, chg)
    measured = {name: measure(content) for name, content in contents.items()}
    manifest = _json(
        {
            "format": checker.FORMAT,
            "made_at": now.astimezone(UTC).isoformat(timespec="seconds"),
            "village": record.village,
            "record": record.number,
            "record_id": record.id,
            "server_key": server_key.public_key(),
            "log": {"epoch": sync.current_epoch(), "chg": chg, "head": head},
            "files": {
                name: {"sha256": digest, "crc32": crc, "bytes": size}
                for name, (crc, size, digest) in measured.items()
            },
        }
    )
    signature = server_key.sign(manifest.decode()).encode()
    first = {checker.MANIFEST: manifest, checker.SIGNATURE: signature}
    measured |= {name: measure(content) for name, content in first.items()}
    zip_up(out, [*first.items(), *sorted(contents.items())], measured)
    kinds: dict[str, int] = {}
    for name in contents:
        kind = name.partition("/")[0] if "/" in name else "other"
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def _contents(record: Inspection, up_to: int) -> dict[str, Content]:
    """Every file of the package but the list and its signature; of the log what there was at `up_to`."""
    ops = db.session.scalars(
        select(OpLog).where(OpLog.record_id == record.id, OpLog.chg <= up_to).order_by(OpLog.chg)
    ).all()
    events = custody.events_of([record.id])
    shots = photos.photos_of([record.id])
    blobs = BlobStore(settings().blobs)
    said: dict[str, Content] = {
        CHECKER: files("inspect_app.reports").joinpath("checker.py").read_bytes(),
        "keys.json": _json([_key(device_id) for device_id in sorted({op.device_id for op in ops})]),
        "log.txt": _log(ops[0].chg if ops else 1, up_to),
    }
    for number, op in enumerate(ops, 1):
        said[f"ops/{number:06}.json"] = _json(_op(op))
    for number, event in enumerate(events, 1):
        said[f"custody/{number:06}.json"] = event.event.encode()
    pictures = {}
    for shot in shots:
        if shot.state in photos.HERE and blobs.exists(shot.sha256):
            name = f"photos/{shot.sha256}.{ENDINGS.get(shot.content_type or '', 'bin')}"
            said[name] = blobs.path(shot.sha256)
            pictures[shot.id] = name
    judged = [_finding(row) for row in findings.latest(record.id, "server")]
    said["record.json"] = _json({"record": pulled(record), "findings": judged})
    if custody_form.has_samples(record):
        said["custody.pdf"] = custody_form.custody_pdf(record)
    said["index.html"] = index(record, judged, events, [(shot, pictures.get(shot.id)) for shot in shots], ops)
    return said


def _op(op: OpLog) -> dict[str, Any]:
    return {
        "op_id": op.op_id,
        "chg": op.chg,
        "body": op.body,
        "sig": op.sig,
        "kid": op.kid,
        "status": op.status,
        "reason": op.reason,
        "received_at": op.received_at.astimezone(UTC).isoformat(),
        "carried_by": op.carried_by,
    }


def _key(device_id: str) -> dict[str, Any]:
    device = people.device(device_id)
    if device is None:
        raise NotFound(f"The device {device_id} is not known here.")
    return {
        "device_id": device.id,
        "name": device.name,
        "person": device.person.name if device.person else None,
        "key": device.public_key,
        "enrolled_at": device.enrolled_at.astimezone(UTC).isoformat(),
        "revoked_at": device.revoked_at.astimezone(UTC).isoformat() if device.revoked_at else None,
    }


def _log(first_chg: int, up_to: int) -> bytes:
    """The head of the log before the record's first entry, then number and hash of every entry since."""
    rows = db.session.execute(
        select(OpLog.chg, OpLog.body_sha256)
        .where(OpLog.chg >= first_chg, OpLog.chg <= up_to)
        .order_by(OpLog.chg)
    )
    return "".join(
        [f"before {log.head_at(first_chg - 1)}\n", *(f"{row.chg} {row.body_sha256}\n" for row in rows)]
    ).encode()


def _finding(row: findings.Finding) -> dict[str, Any]:
    return {
        "rule": row.rule,
        "outcome": row.outcome,
        "value": row.value,
        "rev": row.rev,
        "pack": row.pack_hash,
        "says": row.body,
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def _blocks(content: Content) -> Iterable[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while block := file.read(checker.BLOCK):
            yield block


def measure(content: Content) -> tuple[int, int, str]:
    """CRC-32, size and SHA-256."""
    crc, size, digest = 0, 0, checker.sha256()
    for block in _blocks(content):
        crc, size = zlib.crc32(block, crc), size + len(block)
        digest.update(block)
    return crc, size, digest.hexdigest()


def zip_up(
    out: BinaryIO, parts: list[tuple[str, Content]], measured: Mapping[str, tuple[int, int, str]]
) -> None:
    """Write a zip of these parts in their order, as checker.py has it; `measured` as `measure` gives it.

    Raises Refused where it would be larger than 4 GB.
    """
    at = 0
    listed = []
    for name, content in parts:
        crc, size, _digest = measured[name]
        header = checker.local_header(name, crc, size)
        listed.append((name, crc, size, at))
        at += len(header) + size
        if at > LARGEST:
            raise Refused(
                "The package would be larger than 4 GB, which is more than a zip of this form holds."
            )
        out.write(header)
        for block in _blocks(content):
            out.write(block)
    out.write(checker.directory(listed))
