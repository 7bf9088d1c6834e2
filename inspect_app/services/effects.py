"""What each kind of op from the field does to a record. Steps of the office are in decisions.py.

A new kind: add its members to domain/envelopes.py, write a function here that takes an Op and gives an
Outcome, and enter it in services/ops.py. It runs in a savepoint of the op's transaction: whatever it raises
sets the op aside, so it must not commit, and it draws no change number.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from inspect_app.domain import custody, inspections, merge
from inspect_app.domain.device_time import DeviceTime
from inspect_app.services import documents, findings, pictures
from inspect_app.store import custody as custody_store
from inspect_app.store import forms, places, sync
from inspect_app.store import inspections as store
from inspect_app.store import photos as photo_store
from inspect_app.store.base import db, settings
from inspect_app.store.blobs import blobs
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.inspections import Conflict, Inspection, InspectionHistory
from inspect_app.store.people import Device, Person
from inspect_app.store.photos import Photo


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


def create(op: Op) -> Outcome:
    """A new record, with the next number of its village and kind."""
    said = op.content
    if said["village"] != op.device.village:
        raise SetAside("wrong_village")
    if store.inspection(said["record_id"]):
        raise SetAside("record_exists")
    form = forms.protocol(said["protocol"], said["protocol_version"])
    if form is None:
        raise SetAside("protocol_unknown")
    findings.know_pack(said["pack"], op.device.village, op.now)
    number = f"{form.prefix}-{sync.next_number(op.device.village, form.prefix):04d}"
    record = Inspection(
        id=said["record_id"],
        village=op.device.village,
        protocol=said["protocol"],
        protocol_version=said["protocol_version"],
        pack_hash=said["pack"],
        number=number,
        place=said["place"],
        permit_no=said["permit_no"] or None,
        assignment_id=said["assignment_id"],
        parent_record=said["parent_record"],
        inspector_id=op.person.id,
        device_id=op.device.id,
        state="draft",
        rev=1,
        doc=inspections.empty_doc(),
        context={},
        deleted=False,
        chg=0,
        begun_at=op.happened_at,
        received_at=op.now,
        counts={},
    )
    db.session.add(record)
    db.session.flush()
    outcome = Outcome("applied", record)
    flags: tuple[str, ...] = ()
    if said["assignment_id"]:
        assignment = places.assignment(said["assignment_id"], op.device.village)
        if assignment is None:
            flags = ("assignment_unknown",)
        elif assignment.record_id not in (None, record.id):
            flags = ("second_of_assignment",)  # two tablets began it: both are kept, the office decides
        else:
            assignment.record_id = record.id
            if assignment.state == "open":
                assignment.state = "begun"
            outcome.touched.append(("assignment", assignment.id))
    note(op, record, "record", "applied", new={"prefill": said.get("prefill") or {}}, flags=flags)
    return outcome


def group_set(op: Op) -> Outcome:
    """Replace a group, or park the value beside what it did not know of."""
    record, said = record_of(op), op.content
    group, what = said["group"], f"group:{said['group']}"
    _check_fields(record, group, said["values"])
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
    row = _park(op, record, what, merged, open_one, entry)
    note(op, record, what, "conflict", old=entry["values"] if entry else None, new=said["values"])
    return Outcome("conflict", record, conflicts=[row])


def _park(
    op: Op,
    record: Inspection,
    what: str,
    merged: merge.Merged,
    open_one: Conflict | None,
    entry: dict[str, Any] | None,
) -> Conflict:
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


def _check_fields(record: Inspection, group: str, values: dict[str, Any]) -> None:
    """A group is replaced whole, so it holds its own fields only: a stray one would never be replaced."""
    groups = forms.groups(record.protocol)
    if group not in groups:
        raise SetAside("group_unknown", {"group": [f"{record.protocol} has no group {group}"]})
    stray = sorted(name for name in values if name not in groups[group])
    if stray:
        raise SetAside("field_unknown", {name: [f"not a field of {group}"] for name in stray})


def list_add(op: Op) -> Outcome:
    """Add a row to a list that only grows: it never conflicts."""
    record, said = record_of(op), op.content
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


def photo_attach(op: Op) -> Outcome:
    """Promise a photo. Its bytes may have come before, or come later."""
    record, said = record_of(op), op.content
    there = photo_store.photo(said["photo_id"])
    if there:
        if (there.record_id, there.sha256) != (record.id, said["sha256"]):
            raise SetAside("photo_id_taken")
        return Outcome("noop", record)
    held = blobs()
    photo = Photo(
        id=said["photo_id"],
        village=record.village,
        record_id=record.id,
        op_id=op.id,
        person_id=op.person.id,
        wall=op.time.wall,
        sha256=said["sha256"],
        bytes=said["bytes"],
        mime=said["mime"],
        row=said["row"],
        state="missing",
    )
    for upload in photo_store.uploads_of([photo.id]):
        if upload.kind == "preview" and upload.state == "done":
            photo.preview_sha256 = upload.sha256
        if upload.kind == "original" and upload.state == "open" and upload.off:
            photo.state = "partial"
    if held.exists(photo.sha256):
        found_here(photo, pictures.examine(held.path(photo.sha256), settings().pixel_limit), op.now)
    db.session.add(photo)
    changed(op, record)
    note(op, record, f"photo:{photo.id}", "applied", new={"sha256": photo.sha256, **said["row"]})
    judge_again(op, record)
    return Outcome("applied", record)


def found_here(photo: Photo, picture: pictures.Picture, now: datetime) -> None:
    """The photo's bytes are kept: say since when, and what they are."""
    photo.state = "stored"
    photo.stored_at = now
    photo.content_type = picture.content_type
    photo.width, photo.height = picture.width, picture.height
    photo.problem = picture.problem


def custody_append(op: Op) -> Outcome:
    """Add an event to a sample's chain. A second follower of one event is a fork: kept, and flagged."""
    record, said = record_of(op), op.content
    try:
        event = custody.read_event(said["event"])
    except ValueError as problem:
        raise SetAside("event_unreadable", {"event": [str(problem)]}) from None
    sample_set = event.says["sample_set"][:80]
    rows = custody_store.events_of_set(record.village, sample_set)
    if any(row.event_hash == event.hash for row in rows):
        return Outcome("noop", record)
    chain = [custody.read_event(row.event) for row in rows]
    forked = custody.forks([*chain, event])
    db.session.add(
        CustodyEvent(
            id=op.id,
            village=record.village,
            record_id=record.id,
            sample_set=sample_set,
            event=event.text,
            event_hash=event.hash,
            prev_hash=event.prev[:64],
            op_id=op.id,
            person_id=op.person.id,
            wall=op.time.wall,
            fork=event.hash in forked,
            received_at=op.now,
        )
    )
    for row in rows:
        row.fork = row.event_hash in forked
    changed(op, record)
    flags = ("custody_fork",) if event.hash in forked else ()
    note(op, record, f"custody:{sample_set}", "applied", new=event.says, flags=flags)
    judge_again(op, record)
    return Outcome("applied", record)


def submit(op: Op) -> Outcome:
    """Hand the record in: the server judges it and compares with what the tablet found."""
    record, said = record_of(op), op.content
    if record.state in ("approved", "void") or record.deleted:
        note(op, record, "state", "noop", new={"submit": record.state})
        return Outcome("noop", record, reason="deleted" if record.deleted else record.state)
    before = record.state
    record.state = inspections.move(op.kind, record.state, op.roles, op.person.id == record.inspector_id)
    record.context = said["context"]
    submitted = {"op": op.id, "by": op.person.id, "at": op.at}
    submitted |= {name: said[name] for name in ("pack", "revision_hash")}
    changed(op, record, {**record.doc, "submitted": submitted, "returned": None})
    record.submitted_at, record.submitted_rev = op.happened_at, record.rev
    findings.know_pack(record.pack_hash, record.village, op.now)
    db.session.flush()
    findings.judge(record, op.now)
    same = (
        documents.pulled(record)["revision_hash"] == said["revision_hash"]
        and said["pack"] == record.pack_hash
    )
    findings.compare(record, said["findings"], same, op.now)
    note(op, record, "state", "applied", old={"state": before}, new={"state": record.state})
    return Outcome("applied", record, touched=assignment_to(record, "done"))


def assignment_to(record: Inspection, state: str) -> list[tuple[str, str]]:
    """Move the assignment of a record along with it."""
    assignment = places.assignment(record.assignment_id, record.village) if record.assignment_id else None
    if assignment is None or assignment.record_id != record.id or assignment.state in (state, "cancelled"):
        return []
    assignment.state = state
    return [("assignment", assignment.id)]


def delete(op: Op) -> Outcome:
    """Take a draft away. It beats no edit its author had not seen, and stays as a tombstone."""
    record = record_of(op)
    if record.deleted:
        return Outcome("noop", record)
    seen_rev = op.content.get("rev")
    after = seen_rev if isinstance(seen_rev, int) and not isinstance(seen_rev, bool) else 0
    merged = merge.delete(store.changed_by_others(record.id, op.device.id, after), record.state)
    reason = {"reason": op.content["reason"]}
    if merged.status == "applied":
        record.deleted = True
        changed(op, record)
        note(op, record, "record", "applied", new=reason)
        return Outcome("applied", record)
    open_one = store.open_conflict(record.id, "record")
    mine = {"op": op.id, "values": reason, "by": op.person.id, "at": op.at, "device": op.device.id}
    waiting = [*(open_one.candidates if open_one else ()), {**mine, "was": {}, "replaces": ""}]
    row = _park(op, record, "record", merge.Merged("conflict", None, waiting, merged.kind), open_one, None)
    note(op, record, "record", "conflict", new=reason)
    return Outcome("conflict", record, conflicts=[row])


def device_note(op: Op) -> Outcome:
    """Something a device wants remembered, such as that its storage was reset."""
    record_id = op.content.get("record_id")
    record = store.inspection_in(op.device.village, record_id) if record_id else None
    return Outcome("applied", record)
