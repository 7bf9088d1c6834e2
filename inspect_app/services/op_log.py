"""The log of ops: whether one was here before, and writing one down with its place in feed and chain."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import update

from inspect_app.domain.envelopes import Body, sha256
from inspect_app.services.op import Outcome
from inspect_app.store import sync
from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection, InspectionHistory
from inspect_app.store.people import Device
from inspect_app.store.places import Assignment
from inspect_app.store.sync import OpAlias, OpLog

log = structlog.get_logger()


def known(
    device: Device, envelope: Mapping[str, str], body: Body, held: sync.Held, now: datetime
) -> dict[str, Any] | None:
    """The answer for an op that was here before or does not follow the last one; None for the next."""
    there, at = held.of_id, held.at(body.seq)
    if at and at.body_sha256 == body.sha256:
        return _stored(at)
    same = there is not None and there.content_sha256 == body.content_sha256
    if there and same and (there.device_id, there.seq) == (device.id, body.seq):
        return _stored(there)
    alias = sync.alias_at(device.id, body.seq) if there and same else None
    if there and alias and alias.op_id == body.op_id:
        return _stored(there, body.seq)
    if body.seq > device.last_seq + 1:
        return {"op_id": body.op_id, "seq": body.seq, "status": "gap", "expect": device.last_seq + 1}
    if body.seq <= device.last_seq or body.prev != device.last_hash:
        log.warning("fork", device=device.id, seq=body.seq, last_seq=device.last_seq)
        return {"op_id": body.op_id, "seq": body.seq, "status": "fork"}
    if there and same:
        # Sent again under a new number after its tablet had to enrol anew. Without this row the new device's
        # numbers would have a hole, and everything after it would wait for ever.
        db.session.add(
            OpAlias(
                device_id=device.id,
                seq=body.seq,
                op_id=body.op_id,
                body=envelope["body"],
                sig=envelope["sig"],
                received_at=now,
            )
        )
        device.last_seq, device.last_hash, device.last_seen_at = body.seq, body.sha256, now
        return _stored(there, body.seq)
    return None


def _stored(row: sync.HeldOp, seq: int | None = None) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(row.result_json)
    return {**result, "seq": seq} if seq is not None else result


def write_down(
    device: Device,
    envelope: Mapping[str, str],
    body: Body,
    op_id: str,
    content: Mapping[str, Any],
    outcome: Outcome,
    errors: dict[str, list[str]] | None,
    sig_ok: bool,
    now: datetime,
    carried_by: str | None,
) -> dict[str, Any]:
    """Draw the change number, as the last thing, and write op, feed and chain."""
    record: Inspection | None = outcome.record
    for entity, thing_id in outcome.touched:
        chg = sync.tick(entity, thing_id, device.village)
        if entity == "assignment":
            db.session.execute(update(Assignment).where(Assignment.id == thing_id).values(chg=chg))
    chg, head = sync.tick_op("inspection", record.id if record else None, device.village, op_id, _waits())
    result: dict[str, Any] = {"op_id": body.op_id, "seq": body.seq, "status": outcome.status, "chg": chg}
    if record is not None:
        record.chg = chg
        result |= {"record_id": record.id, "rev": record.rev, "number": record.number}
    for conflict in outcome.conflicts:
        if not conflict.opened_chg:
            conflict.opened_chg = chg
    if outcome.conflicts:
        result["conflicts"] = [conflict.id for conflict in outcome.conflicts]
    if outcome.reason:
        result["reason"] = outcome.reason
    if errors:
        result["errors"] = errors
    log_hash = sha256(head + body.sha256)
    sync.move_head(log_hash)
    db.session.add(
        OpLog(
            op_id=op_id,
            claimed_op_id=body.op_id if op_id != body.op_id else None,
            device_id=device.id,
            village=device.village,
            seq=body.seq,
            body=envelope["body"],
            body_sha256=body.sha256,
            content_sha256=body.content_sha256,
            sig=envelope["sig"],
            kid=envelope["kid"][:64],
            sig_ok=sig_ok,
            user_id=_short(content.get("user_id"), 36),
            kind=_short(content.get("kind"), 40),
            record_id=_short(content.get("record_id"), 36),
            status=outcome.status,
            reason=outcome.reason,
            result_json=json.dumps(result),
            received_at=now,
            chg=chg,
            log_hash=log_hash,
            carried_by=carried_by,
            reapplies=_short(content.get("reapplies"), 36) if device.is_server else None,
        )
    )
    return result


def _waits() -> bool:
    """Whether everything still to be written is of rows that are locked already, or of nobody else's concern.

    Then it may be written after the number was drawn, all at once. Anything else goes first: another
    transaction may hold such a row and wait for the number.
    """
    session = db.session()
    return all(isinstance(row, InspectionHistory) for row in session.new) and all(
        isinstance(row, Inspection | Device) for row in session.dirty
    )


def _short(value: Any, longest: int) -> str | None:
    """A text that fits its column, or nothing: what it said in full is in the body."""
    return value[:longest] if isinstance(value, str) and value.isascii() and value.isprintable() else None
