"""What every kind of op has in common: all that is known about it, its outcome, its entry in the history.

A new kind: add its members to domain/envelopes.py; write a function beside its noun (records.py, groups.py,
evidence.py, decisions.py) that takes an Op and gives an Outcome; enter it in ops.py. It runs in the op's
transaction: whatever it raises undoes all of that, and the op is set aside in another. So it must not commit,
and it draws no change number.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from inspect_app.domain.device_time import DeviceTime
from inspect_app.services import findings
from inspect_app.store import inspections as store
from inspect_app.store.base import db
from inspect_app.store.inspections import Conflict, Inspection, InspectionHistory
from inspect_app.store.people import Device, Person


class SetAside(Exception):
    """This op cannot be applied; it is kept with this reason, and the queue moves on."""

    def __init__(self, reason: str, errors: dict[str, list[str]] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.errors = errors


@dataclass(frozen=True)
class Op:
    """One op with everything that is known about it."""

    id: str
    kind: str
    content: dict[str, Any]
    person: Person
    roles: tuple[str, ...]
    device: Device
    time: DeviceTime
    now: datetime

    @property
    def at(self) -> str:
        return self.time.wall or self.now.isoformat()

    @property
    def happened_at(self) -> datetime:
        """Our best estimate of when it was done: never later than its arrival."""
        estimate = self.time.estimated_at
        return min(estimate, self.now) if estimate else self.now


@dataclass
class Outcome:
    """What became of an op. `touched` are other things whose change tablets must hear of."""

    status: str
    record: Inspection | None = None
    reason: str | None = None
    conflicts: list[Conflict] = field(default_factory=list)
    touched: list[tuple[str, str]] = field(default_factory=list)


def record_of(op: Op) -> Inspection:
    """The op's record, locked; another village's is as unknown as one that was never made."""
    record = store.for_update(op.content["record_id"])
    if record is None or record.village != op.device.village:
        raise SetAside("record_unknown")
    return record


def note(
    op: Op,
    record: Inspection,
    what: str,
    outcome: str,
    old: Any = None,
    new: Any = None,
    flags: tuple[str, ...] = (),
) -> None:
    """Enter a change in the record's history."""
    marks = [*op.time.flags, *flags]
    if record.state == "approved":
        marks.append("after_approval")
    if record.deleted:
        marks.append("after_deletion")
    db.session.add(
        InspectionHistory(
            record_id=record.id,
            rev=record.rev,
            op_id=op.id,
            op_kind=op.kind,
            what=what[:80],
            outcome=outcome,
            old=old,
            new=new,
            person_id=op.person.id,
            device_id=op.device.id,
            wall=op.time.wall,
            estimated_at=op.time.estimated_at,
            received_at=op.now,
            flags=marks,
        )
    )


def changed(op: Op, record: Inspection, doc: dict[str, Any] | None = None) -> None:
    """Count one more revision; `doc` replaces the document whole, so that the database sees the change."""
    record.rev += 1
    if doc is not None:
        record.doc = doc


def judge_again(op: Op, record: Inspection) -> None:
    """Findings follow every change of a record that was handed in."""
    if record.state in findings.JUDGED_STATES:
        db.session.flush()
        findings.judge(record, op.now)
