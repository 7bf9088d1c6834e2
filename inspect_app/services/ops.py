"""The one door: every write to a record goes through apply_op, the office's too.

One transaction per op. A tablet forgets what was acknowledged, so nothing is answered before the commit. An
op that cannot be applied is kept with its reason and acknowledged: one bad item never holds up a queue.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from inspect_app.domain import device_time, envelopes
from inspect_app.domain.envelopes import Body, NewerSchema, Unreadable
from inspect_app.domain.errors import IllegalTransition, NotAllowed, NotFound, Refused, TradeError
from inspect_app.domain.ids import new_id
from inspect_app.services import decisions, evidence, groups, op_log, records, results, server_key
from inspect_app.services.keys import verify
from inspect_app.services.op import Op, Outcome, SetAside
from inspect_app.store import people, sync
from inspect_app.store.base import db, is_unreachable, transaction
from inspect_app.store.people import Device, Person

EFFECTS: dict[str, Callable[[Op], Outcome]] = {
    "record.create": records.create,
    "group.set": groups.group_set,
    "list.add": groups.list_add,
    "photo.attach": evidence.photo_attach,
    "custody.append": evidence.custody_append,
    "record.submit": records.submit,
    "record.delete": records.delete,
    "record.move_form": records.move_form,
    "device.note": records.device_note,
    "conflict.resolve": decisions.resolve,
    "record.review": decisions.move,
    "record.return": decisions.move,
    "record.approve": decisions.move,
    "record.reopen": decisions.move,
    "record.void": decisions.move,
    "record.number": decisions.number,
    "finding.decide": decisions.decide,
    "lab.report": results.report,
    "raw.note": evidence.raw_note,
    "upload.decide": evidence.upload_decide,
}
REASONS = {
    "record_unknown": "There is no such record in this village.",
    "conflict_unknown": "There is no such conflict in this record.",
    "not_a_member": "This person has no role in this village.",
}

log = structlog.get_logger()


def apply_op(device: Device, envelope: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """Take one op of a tablet, and say what became of it.

    `envelope` is {"body", "sig", "kid"}; its body must be readable (`envelopes.read_body`), since an op
    without a number cannot be kept in its place. Status: applied, noop, conflict, quarantined (final), gap or
    fork (nothing was kept). A repeated op gets the stored result.
    """
    return apply_from(device.id, envelope, now)


def apply_from(device_id: str, envelope: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """`apply_op` for who has only the device's id."""
    return _take(device_id, envelope, now, None)


def apply_carried(device_id: str, envelope: Mapping[str, str], by: str, now: datetime) -> dict[str, Any]:
    """`apply_op` for an op that another device, `by`, brought from a file of this one's."""
    return _take(device_id, envelope, now, by if by != device_id else None)


def _take(
    device_id: str, envelope: Mapping[str, str], now: datetime, carried_by: str | None
) -> dict[str, Any]:
    """Take an op in one transaction. Whatever stops it undoes that, and another one keeps it with its reason.

    Where another device made the same thing in the same moment it is tried once more: now that is there.
    """
    body = envelopes.read_body(envelope["body"])
    stopped: Exception | None = None
    again = False
    while True:
        try:
            return _in_one_transaction(device_id, envelope, body, now, carried_by, stopped)
        except _Stopped as stop:
            stopped = stop.by
        except IntegrityError as problem:
            if stopped:
                raise
            if again:
                log.exception("op_failed", op=body.op_id)
                stopped = _Bug(type(problem).__name__)
            else:
                log.warning("op_taken_twice", device=device_id)
            again = True


def _in_one_transaction(
    device_id: str,
    envelope: Mapping[str, str],
    body: Body,
    now: datetime,
    carried_by: str | None,
    stopped: Exception | None,
) -> dict[str, Any]:
    with transaction() as session:
        locked = _locked(session, device_id)
        seen_at = locked.last_seen_at
        held = sync.held(locked.id, body.op_id, (body.seq, locked.last_seq))
        result = op_log.known(locked, envelope, body, held, now) or _enter(
            locked, envelope, body, now, held=held, stopped=stopped, carried_by=carried_by
        )
        if carried_by:
            locked.last_seen_at = seen_at  # somebody else was heard of
        return result


def office_op(village: str, person: Person, content: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Make, number, sign and apply an op of the village's own server device.

    `content` holds kind, record_id and the kind's own members. Unlike a tablet's op, which is kept whatever
    it says, one that cannot be applied raises a TradeError and leaves no trace.
    """
    person_id = person.id
    with transaction() as session:
        device = _locked(session, server_key.device_id(session, village, now))
        whole = {
            "app": "office",
            "user_id": person_id,
            "entity": "inspection",
            "wall": now.isoformat(),
            "boot": "",
            "mono": 0,
            "clock": {"offset_ms": 0, "age_s": 0},
            **content,  # of an op that is applied again: its own times too, for it was not done today
            "schema": envelopes.SCHEMA,
        }
        text = json.dumps(
            {
                "v": 1,
                "device_id": device.id,
                "seq": device.last_seq + 1,
                "prev": device.last_hash,
                "op_id": new_id(now),
                "content": json.dumps(whole, ensure_ascii=False),
            }
        )
        envelope = {"body": text, "sig": server_key.sign(text), "kid": device.kid}
        return _enter(device, envelope, envelopes.read_body(text), now, strict=True)


def bump_change(_session: Session, entity: str, record_id: str, village: str) -> int:
    """Enter a change of something other than a record in the feed; the last step before the commit."""
    return sync.tick(entity, record_id, village)


def _locked(session: Session, device_id: str) -> Device:
    """The device, locked: one device's ops are taken one after the other, over all processes.

    FOR NO KEY UPDATE on PostgreSQL, here and at every other lock: a plain FOR UPDATE would hold up the check
    of foreign keys. A record updated twice in one transaction has its device checked again, so two tablets at
    work on one record would wait for each other: one locks its device, the other the record.
    """
    return session.execute(
        select(Device)
        .where(Device.id == device_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).scalar_one()


def _enter(
    device: Device,
    envelope: Mapping[str, str],
    body: Body,
    now: datetime,
    *,
    held: sync.Held | None = None,
    strict: bool = False,
    stopped: Exception | None = None,
    carried_by: str | None = None,
) -> dict[str, Any]:
    """Apply the next op of a device and write it down, with its place in the log's chain.

    Raises _Stopped when something is wrong with the op, and everything is to be undone; called again with
    that, it writes the op down as set aside. `strict` raises what a person reads instead.
    """
    reused = bool(held and held.of_id)
    sig_ok = device.kid == envelope["kid"] and verify(device.public_key, envelope["sig"], envelope["body"])
    op_id = new_id(now) if reused else body.op_id
    content, unreadable = _content_of(body)

    def write_down(outcome: Outcome, errors: dict[str, list[str]] | None = None) -> dict[str, Any]:
        result = op_log.write_down(
            device, envelope, body, op_id, content, outcome, errors, sig_ok, now, carried_by
        )
        device.last_seq, device.last_hash, device.last_seen_at = body.seq, body.sha256, now
        db.session.flush()
        return result

    if stopped:
        with suppress(Unreadable):
            content = envelopes.upgraded(content)
        reason, errors = _reason(stopped)
        if reason in ("op_id_reused", "signature_wrong"):
            log.error("op_set_aside", reason=reason, device=device.id, seq=body.seq)
        return write_down(Outcome("quarantined", reason=reason), errors)
    try:
        _check_envelope(device, sig_ok, reused)
        if unreadable:
            raise unreadable
        content = envelopes.upgraded(content)
        return write_down(_effect(device, content, op_id, body, now, held))
    except IntegrityError:
        raise  # another was quicker: nothing is wrong with the op, it is tried again
    except (SetAside, TradeError, Unreadable) as problem:
        if strict:
            raise _for_a_person(problem) from problem
        raise _Stopped(problem) from problem
    except Exception as problem:
        if is_unreachable(problem):
            raise
        log.exception("op_failed", op=op_id, kind=content.get("kind"))
        bug = _Bug(type(problem).__name__)
        if strict:
            raise bug from problem
        raise _Stopped(bug) from problem


def _content_of(body: Body) -> tuple[dict[str, Any], Unreadable | None]:
    """The content as it was sent: also of an op that is set aside, for the columns it is found by."""
    try:
        return envelopes.read_kept(body.content, "The content"), None
    except Unreadable as problem:
        return {}, problem


class _Bug(Exception):
    """Something in our own code failed; the op is kept and can be applied again after the repair."""


class _Stopped(Exception):
    """An op cannot be applied: all that it has begun is undone before it is kept with its reason."""

    def __init__(self, by: Exception) -> None:
        super().__init__(str(by))
        self.by = by


def _check_envelope(device: Device, sig_ok: bool, reused: bool) -> None:
    if reused:
        raise SetAside("op_id_reused")
    if not sig_ok:
        raise SetAside("signature_wrong")
    if device.revoked_at is not None:
        raise SetAside("device_revoked")


def _effect(
    device: Device, content: dict[str, Any], op_id: str, body: Body, now: datetime, held: sync.Held | None
) -> Outcome:
    kind = content.get("kind")
    if kind not in envelopes.KINDS:
        raise SetAside("kind_unknown")
    errors = envelopes.faults(content)
    if errors:
        raise SetAside("content_invalid", errors)
    if kind in envelopes.OFFICE_ONLY and not device.is_server:
        raise SetAside("office_only")
    person = people.member(content["user_id"])
    roles = people.roles_of(person, device.village) if person else ()
    if person is None or not roles:
        raise SetAside("not_a_member")
    if not person.active:
        raise SetAside("person_inactive")
    if not device.is_server and "inspector" not in roles:
        raise SetAside("not_an_inspector")
    time = device_time.read(content, _content_before(device, held), now)
    return EFFECTS[kind](Op(op_id, kind, content, person, roles, device, time, now))


def _content_before(device: Device, held: sync.Held | None) -> dict[str, Any] | None:
    """What the device's op before this one said: its clock is compared with this one's.

    Not for the server's own device: it also applies again what tablets did by their clocks, long ago.
    """
    row = held.at(device.last_seq) if held else None
    try:
        return envelopes.read_content(envelopes.read_body(row.body).content) if row else None
    except Unreadable:
        return None


def _reason(problem: Exception) -> tuple[str, dict[str, list[str]] | None]:
    if isinstance(problem, SetAside):
        return problem.reason, problem.errors
    if isinstance(problem, _Bug):
        return f"bug:{problem}", None
    if isinstance(problem, NewerSchema):
        return "schema_unknown", {"schema": [str(problem)]}
    if isinstance(problem, TradeError):
        return problem.slug.replace("-", "_"), {"content": [str(problem)], **(problem.errors or {})}
    return "content_unreadable", {"content": [str(problem)]}


def _for_a_person(problem: Exception) -> Exception:
    """What stopped an office op, as the error a person reads."""
    if isinstance(problem, TradeError | _Bug):
        return problem
    if isinstance(problem, SetAside):
        text = REASONS.get(problem.reason)
        if problem.reason in ("record_unknown", "conflict_unknown"):
            return NotFound(str(text))
        if problem.reason in ("not_a_member", "person_inactive"):
            return NotAllowed(text or "This person may not do this any more.")
        if problem.reason in ("record_exists", "photo_id_taken", "row_id_taken"):
            return IllegalTransition("Something of this id is there already. Nothing was changed.")
        return Refused(f"This cannot be applied ({problem.reason.replace('_', ' ')}).", errors=problem.errors)
    return Refused(str(problem))
