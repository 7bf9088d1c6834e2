"""Photos and custody events: what is only ever added, and never altered."""

from datetime import datetime

from inspect_app.domain import custody, inspections
from inspect_app.domain.errors import IllegalTransition, NotAllowed, NotFound
from inspect_app.services import pictures
from inspect_app.services.op import Op, Outcome, SetAside, changed, judge_again, note, record_of
from inspect_app.store import custody as custody_store
from inspect_app.store import inspections as store
from inspect_app.store import people, sync
from inspect_app.store import photos as photo_store
from inspect_app.store.base import db, settings
from inspect_app.store.blobs import blobs
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.photos import Photo


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
    if held.holds(photo.sha256):
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


def upload_decide(op: Op) -> Outcome:
    """A reviewer's word on a photo that a revoked tablet sent: use it, or keep it aside for good."""
    if not inspections.OFFICE_ROLES & set(op.roles):
        raise NotAllowed("To decide on photos of a revoked tablet needs the role reviewer or administrator.")
    said = op.content
    upload = photo_store.upload_for_update(said["upload_id"])
    sender = people.device(upload.device_id) if upload else None
    if upload is None or sender is None or sender.village != op.device.village:
        raise NotFound("No photo waits under this id. Look in the list of tablets.")
    if upload.state != "open" or upload.off < upload.length or sender.revoked_at is None:
        raise IllegalTransition("This photo does not wait for a decision: somebody was quicker.")
    upload.state = "released" if said["decision"] == "release" else "kept"
    photo = photo_store.photo(upload.photo_id)
    record = store.inspection_in(op.device.village, photo.record_id) if photo else None
    if record is not None:
        new = {"decision": said["decision"], "reason": said["reason"], "sha256": upload.sha256}
        note(op, record, f"upload:{upload.photo_id}", "applied", new=new)
    return Outcome("applied", record)


def raw_note(op: Op) -> Outcome:
    """What a person says became of bytes of the last resort; the note before it stays in the log."""
    if not inspections.OFFICE_ROLES & set(op.roles):
        raise NotAllowed("To note what became of it needs the role reviewer or administrator.")
    item = sync.raw_item(op.content["item_id"])
    if item is None or item.village != op.device.village:
        raise NotFound("There is no such item in this village. Open the list again.")
    item.note, item.noted_by, item.noted_at = op.content["text"], op.person.id, op.now
    return Outcome("applied")


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
