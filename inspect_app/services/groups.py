"""Groups, which are replaced whole, and lists, which only grow."""

from typing import Any

from inspect_app.domain import merge
from inspect_app.services.op import Op, Outcome, SetAside, changed, judge_again, note, record_of
from inspect_app.store import forms
from inspect_app.store import inspections as store
from inspect_app.store.base import db
from inspect_app.store.inspections import Conflict, Inspection


def group_set(op: Op) -> Outcome:
    """Replace a group, or park the value beside what it did not know of."""
    record, said = record_of(op), op.content
    group, what = said["group"], f"group:{said['group']}"
    check_fields(record, group, said["values"])
    change = merge.Change(
        op=op.id,
        replaces=said["replaces"],
        values=said["values"],
        by=op.person.id,
        at=op.at,
        device=op.device.id,
        was=said.get("was") or {},
    )
    entry = record.doc["groups"].get(group)
    open_one = store.open_conflict(record.id, what)
    merged = merge.set_group(
        group,
        change,
        entry,
        open_one.candidates if open_one else (),
        approved=record.state in ("approved", "void"),
        deleted=record.deleted,
    )
    if merged.status == "noop":
        record.doc = {**record.doc, "groups": {**record.doc["groups"], group: merged.entry}}
        note(op, record, what, "noop", old=entry["values"] if entry else None, new=said["values"])
        return Outcome("noop", record)
    if merged.status == "applied":
        changed(op, record, {**record.doc, "groups": {**record.doc["groups"], group: merged.entry}})
        if open_one:
            open_one.current_op = op.id
        note(op, record, what, "applied", old=entry["values"] if entry else None, new=said["values"])
        judge_again(op, record)
        return Outcome("applied", record)
    row = park(op, record, what, merged, open_one, entry)
    note(op, record, what, "conflict", old=entry["values"] if entry else None, new=said["values"])
    judge_again(op, record)
    return Outcome("conflict", record, conflicts=[row])


def park(
    op: Op,
    record: Inspection,
    what: str,
    merged: merge.Merged,
    open_one: Conflict | None,
    entry: dict[str, Any] | None,
) -> Conflict:
    """Keep a value that was not applied, as a candidate of the conflict about its thing."""
    changed(op, record)
    if open_one:
        open_one.candidates = merged.candidates or []
        return open_one
    row = Conflict(
        id=op.id,  # named after the op that opened it: a replay can never open a second one
        village=record.village,
        record_id=record.id,
        what=what,
        kind=merged.kind or "group",
        base=op.content.get("was") or None,
        current_op=entry["op"] if entry else None,
        candidates=merged.candidates or [],
        state="open",
        opened_chg=0,
    )
    db.session.add(row)
    return row


def check_fields(record: Inspection, group: str, values: dict[str, Any]) -> None:
    """A group is replaced whole, so it holds its own fields only: a stray one would never be replaced."""
    groups = forms.groups(record.protocol)
    if group not in groups:
        raise SetAside("group_unknown", {"group": [f"{record.protocol} has no group {group}"]})
    stray = sorted(name for name in values if name not in groups[group])
    if stray:
        raise SetAside("field_unknown", {name: [f"not a field of {group}"] for name in stray})


def _lists(record: Inspection) -> set[str]:
    """The lists of the form that only grow. A row under another name would hide the answer of that name."""
    fields = (spec for group in forms.groups(record.protocol).values() for spec in group.items())
    growing = {name for name, spec in fields if spec.get("append_only")}
    return (growing | {"signature_marks"}) - {"photos", "custody_events"}  # these two have ops of their own


def list_add(op: Op) -> Outcome:
    """Add a row to a list that only grows: it never conflicts."""
    record, said = record_of(op), op.content
    if said["list"] not in _lists(record):
        raise SetAside("list_unknown", {"list": [f"{record.protocol} has no list {said['list']} to add to"]})
    rows = record.doc["lists"].get(said["list"], [])
    status = merge.add_row(rows, said["row_id"], said["row"])
    if status == "taken":
        raise SetAside("row_id_taken")
    if status == "noop":
        return Outcome("noop", record)
    row = {"id": said["row_id"], "op": op.id, "row": said["row"], "by": op.person.id, "at": op.at}
    changed(op, record, {**record.doc, "lists": {**record.doc["lists"], said["list"]: [*rows, row]}})
    note(op, record, f"list:{said['list']}", "applied", new=said["row"])
    judge_again(op, record)
    return Outcome("applied", record)
