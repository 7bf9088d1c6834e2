"""Records as the field makes them: begun, handed in, taken away."""

from inspect_app.domain import inspections, merge
from inspect_app.services import documents, findings
from inspect_app.services.groups import park
from inspect_app.services.op import Op, Outcome, SetAside, changed, note, record_of
from inspect_app.store import forms, people, places, sync
from inspect_app.store import inspections as store
from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection


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
        assignment = places.for_update(said["assignment_id"], op.device.village)
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
    assignment = places.for_update(record.assignment_id, record.village) if record.assignment_id else None
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
    # A restored server gives its revision numbers a second time: those of before say nothing.
    counts = op.content.get("epoch") in (None, sync.epoch())
    after = seen_rev if counts and isinstance(seen_rev, int) and not isinstance(seen_rev, bool) else 0
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
    row = park(op, record, "record", merge.Merged("conflict", None, waiting, merged.kind), open_one, None)
    note(op, record, "record", "conflict", new=reason)
    return Outcome("conflict", record, conflicts=[row])


def move_form(op: Op) -> Outcome:
    """Go on with a draft on another version of its form, on purpose; what it holds stays as it is."""
    record, said = record_of(op), op.content
    if (
        said["protocol"] != record.protocol
        or forms.protocol(record.protocol, said["protocol_version"]) is None
    ):
        raise SetAside("protocol_unknown")
    before, after = record.protocol_version, said["protocol_version"]
    if record.state not in ("draft", "returned") or record.deleted or before == after:
        note(op, record, "form", "noop", new={"version": after})
        return Outcome("noop", record, reason="deleted" if record.deleted else record.state)
    record.protocol_version = after
    changed(op, record)
    note(
        op,
        record,
        "form",
        "applied",
        old={"version": before},
        new={"version": after, "reason": f"From version {before} to {after}. {said['reason']}".strip()},
    )
    return Outcome("applied", record)


def device_note(op: Op) -> Outcome:
    """Something a device wants remembered, such as that its storage was reset."""
    record_id = op.content.get("record_id")
    record = store.inspection_in(op.device.village, record_id) if record_id else None
    data = op.content.get("data")
    if isinstance(data, dict):
        lost = data.get("lost_ops")
        if isinstance(lost, int) and not isinstance(lost, bool) and 0 < lost < 2**31:
            _note_loss(op, str(data.get("device_id") or op.device.id), lost)
    return Outcome("applied", record)


def _note_loss(op: Op, device_id: str, lost: int) -> None:
    """A tablet's storage is gone with work that was never sent: the office sees it at the tablet it was."""
    device = people.device(device_id)
    if device is None or device.village != op.device.village or device.is_server:
        device = op.device
    device.lost_ops, device.lost_at = lost, op.now
