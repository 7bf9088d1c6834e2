"""What the office decides: the steps of a review, and settled conflicts. Ops like any other, in one log."""

from typing import Any

from inspect_app.domain import inspections, merge
from inspect_app.domain.errors import IllegalTransition, NotAllowed, Refused
from inspect_app.services import findings
from inspect_app.services.groups import check_fields
from inspect_app.services.op import Op, Outcome, SetAside, changed, judge_again, note, record_of
from inspect_app.services.records import assignment_to
from inspect_app.store import inspections as store
from inspect_app.store import sync
from inspect_app.store.base import db
from inspect_app.store.findings import FindingDecision
from inspect_app.store.inspections import Conflict, Inspection


def move(op: Op) -> Outcome:
    """Review, return, approve, reopen or void a record."""
    record = record_of(op)
    before = record.state
    if op.kind == "record.approve":
        _check_approval(op, record)
    record.state = inspections.move(op.kind, before, op.roles, op.person.id == record.inspector_id)
    reason = op.content.get("reason")
    doc = record.doc
    touched: list[tuple[str, str]] = []
    if op.kind == "record.return":
        doc = {**doc, "returned": {"op": op.id, "by": op.person.id, "at": op.at, "reason": reason}}
        touched = assignment_to(record, "begun")
    changed(op, record, doc)
    if op.kind in ("record.approve", "record.return", "record.void"):
        record.decided_at, record.decided_by = op.now, op.person.id
        record.decided_rev = record.rev if op.kind == "record.approve" else None
        if op.kind == "record.approve":
            touched = assignment_to(record, "done")
    elif op.kind == "record.reopen":
        record.decided_at = record.decided_by = record.decided_rev = None
    new = {"state": record.state, **({"reason": reason} if reason else {})}
    note(op, record, "state", "applied", old={"state": before}, new=new)
    return Outcome("applied", record, touched=touched)


def _check_approval(op: Op, record: Inspection) -> None:
    # The role and the state are said first: a list of obstacles is no answer to somebody who may not approve.
    inspections.move(op.kind, record.state, op.roles, op.person.id == record.inspector_id)
    if op.content.get("rev", record.rev) != record.rev:
        raise IllegalTransition("The record changed while you read it. Read the new revision, then decide.")
    reasons = findings.obstacles(record, len(store.open_conflicts([record.id])))
    if reasons:
        raise IllegalTransition("The record cannot be approved yet. " + " ".join(reasons))


def number(op: Op) -> Outcome:
    """Correct a record's number; the old one stays in its history."""
    record = record_of(op)
    if not inspections.OFFICE_ROLES & set(op.roles):
        raise NotAllowed("To change a record's number needs the role reviewer or administrator.")
    old, record.number = record.number, op.content["number"]
    changed(op, record)
    note(op, record, "number", "applied", old={"number": old}, new={"number": record.number})
    return Outcome("applied", record)


def decide(op: Op) -> Outcome:
    """A reviewer's word on one finding."""
    record, said = record_of(op), op.content
    if not inspections.OFFICE_ROLES & set(op.roles):
        raise NotAllowed("To decide a finding needs the role reviewer or administrator.")
    if op.person.id == record.inspector_id:
        raise NotAllowed("The reviewer of a record is never its inspector. Ask another reviewer.")
    if record.state not in ("submitted", "in_review"):
        raise IllegalTransition(f"The record is {record.state}, so its findings cannot be decided now.")
    db.session.add(
        FindingDecision(
            record_id=record.id,
            rule=said["rule"],
            decision=said["decision"],
            reason=said["reason"],
            person_id=op.person.id,
            at=op.now,
            op_id=op.id,
        )
    )
    note(
        op,
        record,
        f"finding:{said['rule']}",
        "applied",
        new={name: said[name] for name in ("decision", "reason")},
    )
    return Outcome("applied", record)


def resolve(op: Op) -> Outcome:
    """Settle a conflict. With a candidate its author had not seen, it stays open. Both values are kept."""
    record, said = record_of(op), op.content
    row = store.conflict(said["conflict_id"])
    if row is None or row.record_id != record.id:
        raise SetAside("conflict_unknown")
    if row.state != "open":
        return Outcome("noop", record, reason="already_settled")
    _check_may_settle(op, record, row)
    if merge.unseen(row.candidates, said["saw"]) or _moved_on(record, row, said["saw"]):
        if op.device.is_server:
            raise IllegalTransition("Another version has come in meanwhile. Read it too, then settle.")
        note(op, record, row.what, "conflict", new={"take": said["take"]}, flags=("unseen_candidate",))
        return Outcome("conflict", record, reason="unseen_candidate", conflicts=[row])
    before = _settle(op, record, row)
    row.state, row.resolved_op = "resolved", op.id
    row.resolution = {
        "take": said["take"],
        "value": said.get("value"),
        "reason": said.get("reason"),
        "by": op.person.id,
        "at": op.at,
    }
    note(op, record, row.what, "applied", old=before, new={"take": said["take"], "value": said.get("value")})
    judge_again(op, record)
    return Outcome("applied", record, conflicts=[row])


def _moved_on(record: Inspection, row: Conflict, saw: list[str]) -> bool:
    """Whether the value in force came after the conflict, and whoever settles it had not seen it."""
    entry = record.doc["groups"].get(row.what.removeprefix("group:"))
    if entry is None or {entry["op"], *entry.get("also", ())} & set(saw):
        return False
    current = sync.op(entry["op"])
    return current is not None and current.chg > row.opened_chg


def _check_may_settle(op: Op, record: Inspection, row: Conflict) -> None:
    in_office = bool(inspections.OFFICE_ROLES & set(op.roles))
    if row.kind == "amendment":
        if not in_office or op.person.id == record.inspector_id:
            raise NotAllowed(
                "An amendment of an approved record is decided by a reviewer who did not inspect it."
            )
    elif row.what == "record" and record.state != "draft":
        if not in_office or op.person.id == record.inspector_id:
            raise NotAllowed(
                "A reviewer who did not inspect it decides whether a record that was handed in is deleted."
            )
    elif not in_office:
        group = record.doc["groups"].get(row.what.removeprefix("group:"))
        authors = {candidate["by"] for candidate in row.candidates} | ({group["by"]} if group else set())
        if op.person.id not in authors:
            raise NotAllowed("A conflict is settled by a reviewer, or by one of the two who measured.")


def _settle(op: Op, record: Inspection, row: Conflict) -> Any:
    take, value = op.content["take"], op.content.get("value")
    if row.what == "record":  # a deletion of a record that others had changed
        if take == "candidate":
            record.deleted = True
        changed(op, record)
        return {"deleted": False}
    group = row.what.removeprefix("group:")
    entry = record.doc["groups"].get(group)
    chosen = op.content.get("candidate") or (value if isinstance(value, str) else None)
    if take == "value" and not isinstance(value, dict):
        raise Refused("Say which values are right.", errors={"value": ["absent"]})
    if take == "value" and isinstance(value, dict):
        check_fields(record, group, value)
    try:
        settled = merge.resolve(
            entry,
            row.candidates,
            group=group,
            take=take,
            value=value if isinstance(value, dict) else None,
            chosen=chosen,
            op=op.id,
            by=op.person.id,
            at=op.at,
            device=op.device.id,
        )
    except LookupError as problem:
        raise Refused(str(problem), errors={"candidate": [str(problem)]}) from None
    groups = dict(record.doc["groups"])
    if settled:
        groups[group] = settled
    changed(op, record, {**record.doc, "groups": groups})
    if take != "current":
        if record.deleted:
            record.deleted = False  # taking the edit of a deleted record brings it back
        if row.kind == "amendment" and record.state in ("approved", "void"):
            # The approval stays with the revision that was approved; the record asks for another.
            record.state = "submitted"
    return entry["values"] if entry else None
