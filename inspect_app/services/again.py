"""What was set aside and is applied again: by a person who reads it, or by a server that can read it now.

An op is applied again as a new op of the server's own device, in its author's name; the one that was set
aside stays as it came.
"""

from datetime import datetime
from typing import Any

import structlog

from inspect_app.domain import envelopes
from inspect_app.domain.envelopes import Unreadable
from inspect_app.domain.errors import IllegalTransition, NotFound, Refused, TradeError
from inspect_app.services import ops
from inspect_app.store import forms, people, sync
from inspect_app.store.people import Person
from inspect_app.store.sync import OpLog

# Reasons that go away when a newer version of the product is installed.
OF_THE_VERSION = ("schema_unknown", "kind_unknown", "protocol_unknown")
# Never applied as they are: another op has the id; a step of the office is taken in the office.
FINAL = ("op_id_reused", "office_only")

log = structlog.get_logger()


def reapply(op_id: str, village: str, person: Person, now: datetime) -> dict[str, Any]:
    """Apply an op that was set aside, as a new op of the server's own device in its author's name.

    A change that replaces one which was applied again before it replaces what that one has become. Raises
    NotFound, or a TradeError that says why it still cannot be applied.
    """
    row = sync.op(op_id)
    if row is None or row.village != village or row.status != "quarantined":
        raise NotFound("There is no op set aside under this id in this village.")
    if row.reason in FINAL:
        raise Refused("It cannot be applied as it is; it stays here. Do in the office what it says.")
    try:
        content = _content(row)
    except Unreadable as problem:
        raise Refused(f"{problem} It cannot be applied as it is; it stays here.") from None
    author = people.person(str(content.get("user_id")))
    return _apply(row, content, author or person, person.id, now)


def after_update(now: datetime) -> dict[str, int]:
    """Apply again what an earlier version of this server could not read, and this one can.

    Each in the order in which it came, so that of one device all stay in order; and what was set aside only
    because its record was. Ops with a wrong signature, of a revoked device, or of somebody who is no
    inspector any more wait for a person. Returns how many were {"applied"} and how many still {"wait"}.
    """
    counts = {"applied": 0, "wait": 0}
    brought: set[str] = set()
    for op_id in sync.set_aside_for((*OF_THE_VERSION, "record_unknown")):
        row = sync.op(op_id)
        if row is None or (row.reason == "record_unknown" and row.record_id not in brought):
            continue
        try:
            content = _content(row)
            author = _author(row, content)
            if author is None or not _is_known(content):
                counts["wait"] += 1
                continue
            record_id, village = content.get("record_id"), row.village
            result = _apply(row, content, author, None, now)
        except (TradeError, Unreadable) as problem:
            log.warning("still_set_aside", op=op_id, why=str(problem))
            counts["wait"] += 1
            continue
        except Exception:  # a server must start whatever one old op does to it
            log.exception("still_set_aside", op=op_id)
            counts["wait"] += 1
            continue
        counts["applied"] += 1
        brought.add(str(record_id))
        log.warning("applied_after_update", op=op_id, village=village, status=result["status"])
    return counts


def _content(row: OpLog) -> dict[str, Any]:
    return envelopes.read_content(envelopes.read_body(row.body).content)


def _apply(
    row: OpLog, content: dict[str, Any], author: Person, by: str | None, now: datetime
) -> dict[str, Any]:
    replaces = str(content.get("replaces"))
    become = sync.applied_again(row.village, [row.op_id, replaces])
    if row.op_id in become:
        raise IllegalTransition("It was applied again already.")
    if replaces in become:
        content["replaces"] = become[replaces]
    said = {**content, "reapplies": row.op_id, "reapplied_by": by}
    return ops.office_op(row.village, author, said, now)


def _author(row: OpLog, content: dict[str, Any]) -> Person | None:
    """The op's author if it may be applied without a person's word: its tablet could have sent it today."""
    device = people.device(row.device_id)
    if not row.sig_ok or device is None or device.revoked_at is not None:
        return None
    author = people.person(str(content.get("user_id")))
    is_one = author is not None and author.active and "inspector" in people.roles_of(author, row.village)
    return author if is_one else None


def _is_known(content: dict[str, Any]) -> bool:
    """Whether this version has the op's kind, as a tablet's, and its form."""
    kind = content.get("kind")
    if kind not in envelopes.KINDS or kind in envelopes.OFFICE_ONLY:
        return False
    if kind not in ("record.create", "record.move_form"):
        return True
    return forms.protocol(str(content.get("protocol")), str(content.get("protocol_version"))) is not None
