"""One planted fault for each rule of the protocol: the invariants are worth what they catch.

Each is a context in which a rule does not hold, on the server or on the tablet. `test_mutants.py` asks that
the simulation finds a violation within some seeds.
"""

from contextlib import contextmanager
from dataclasses import replace

from inspect_app.domain import custody, merge
from inspect_app.services import evidence, feed, op_log, ops, receipts, sync, uploads
from inspect_app.store import photos
from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection
from tests.simulation.device import Device, _read
from tests.simulation.engine import Engine


@contextmanager
def planted(*changes):
    """Put each (owner, name, value) in place; the old ones come back."""
    old = [(owner, name, vars(owner)[name]) for owner, name, _ in changes]
    for owner, name, value in changes:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in old:
            setattr(owner, name, value)


# ------------------------------------------------------------ on the server


def no_dedupe():
    """A repeated op is taken as a new one, under the next number."""
    real = op_log.known

    def known(device, envelope, body, there, now):
        answer = real(device, envelope, body, None, now)
        return None if answer and answer["status"] not in ("gap", "fork") else answer

    return planted((op_log, "known", known))


def acknowledge_before_commit():
    """The answer goes out although the commit did not happen."""

    def commit_lost(session):
        if lost.pop("now", False):
            session.rollback()
            return
        session_commit(session)

    from sqlalchemy.orm import Session

    session_commit, lost = Session.commit, {}
    real = ops.apply_from
    count = [0]

    def apply_from(device_id, envelope, now):
        count[0] += 1
        if count[0] % 7 == 0:
            lost["now"] = True
        try:
            return real(device_id, envelope, now)
        finally:
            lost.clear()

    return planted((Session, "commit", commit_lost), (ops, "apply_from", apply_from))


def last_writer_wins():
    """Whatever comes last replaces what is there."""

    def set_group(group, change, entry, candidates, *, approved=False, deleted=False):
        return merge.Merged("applied", entry=merge.entry_of(change, change.values))

    return planted((merge, "set_group", set_group))


def trust_device_time():
    """The later wall clock wins, whoever saw what."""
    real = merge.set_group

    def set_group(group, change, entry, candidates, *, approved=False, deleted=False):
        if entry and not approved and not deleted and change.at > entry["at"]:
            return merge.Merged("applied", entry=merge.entry_of(change, change.values))
        return real(group, change, entry, candidates, approved=approved, deleted=deleted)

    return planted((merge, "set_group", set_group))


def delete_wins():
    return planted((merge, "delete", lambda changed_by_others, state: merge.Merged("applied")))


def no_sequence_check():
    """Gaps and forks are taken as they come."""
    real = op_log.known

    def known(device, envelope, body, there, now):
        answer = real(device, envelope, body, there, now)
        if answer and answer["status"] in ("gap", "fork"):
            device.last_seq = max(device.last_seq, body.seq)
            return None
        return answer

    return planted((op_log, "known", known))


def no_noop_rule():
    """Equal values conflict, or replace the op that is there without a second name for it."""
    return planted((merge, "same_values", lambda one, other, exactly=False: False))


def no_other_names():
    """An op that brought what was there is not remembered as another name of it."""
    return planted((merge, "named_also", lambda entry, op: entry))


def candidate_lost():
    """Only the newest candidate of a conflict is kept."""
    real = merge.parked
    return planted((merge, "parked", lambda change, candidates: real(change, [])))


def resolve_without_saw():
    """A conflict is closed whether or not all its candidates were seen."""
    return planted((merge, "unseen", lambda candidates, saw: []))


def no_epoch_check():
    """A restored server takes pushes as if nothing had happened, and hands out its old name."""
    return planted((sync, "change_epoch", lambda: None))


def no_alias():
    """An op sent again after a new enrolment leaves a hole in the new numbers."""
    real = op_log.known

    def known(device, envelope, body, there, now):
        last = device.last_seq, device.last_hash
        answer = real(device, envelope, body, there, now)
        for row in list(db.session.new):
            if isinstance(row, op_log.OpAlias):
                db.session.expunge(row)
                device.last_seq, device.last_hash = last
        return answer

    return planted((op_log, "known", known))


def quarantine_blocks():
    """An op that cannot be applied is answered with a failure instead of being kept."""
    real = ops._enter

    def enter(*args, **kwargs):
        result = real(*args, **kwargs)
        if result["status"] == "quarantined":
            raise ops.OperationalError("", {}, Exception())
        return result

    return planted((ops, "_enter", enter))


def raw_takes_no_place():
    """The last resort keeps the bytes and leaves the number open."""
    real = sync.keep_raw
    return planted((sync, "keep_raw", lambda d, b, h, now, place=None: real(d, b, h, now, None)))


def number_without_feed():
    """A photo arrives and no tablet hears of it."""
    return planted((receipts, "_announce", lambda photo: None))


def feed_skips():
    """A page of the feed ends one change later than what it holds."""
    real = feed.sync.changes_after

    def changes_after(village, after, up_to, limit):
        return real(village, after + (1 if after else 0), up_to, limit)

    return planted((feed.sync, "changes_after", changes_after))


def never_forget():
    """What leaves a person's hands stays on the tablet."""
    real = feed._fill

    def fill(page, *args):
        real(page, *args)
        page["forget"] = []

    return planted((feed, "_fill", fill))


def offset_before_part():
    """The offset moves although the part never reached the disk."""
    real = uploads._keep_part
    count = [0]

    def keep_part(file, body):
        count[0] += 1
        real(file, body if count[0] % 5 else body[:-1] + b"?")

    return planted((uploads, "_keep_part", keep_part), (uploads, "_assemble", _assemble_unchecked))


def _assemble_unchecked(upload_id, parts, wanted, held):
    """Puts parts together without looking at the hash of the whole."""
    data = b"".join(file.read_bytes() for file, _ in parts)
    place = held.path(wanted)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return True


def no_compare_and_set():
    """The offset moves by whoever comes, from wherever it stands."""

    def move_offset(upload_id, at, by):
        upload = db.session.get(photos.Upload, upload_id)
        upload.off = min(upload.off + by, upload.length)
        return True

    def append_anywhere(device_id, upload_id, off, body, checksum, now):
        upload = uploads._own(device_id, upload_id, now)
        return append(
            device_id, upload_id, upload.off if off else off, body[: upload.length - upload.off], None, now
        )

    append = uploads.append
    return planted((photos, "move_offset", move_offset), (uploads, "append", append_anywhere))


def custody_forks_unseen():
    return planted(
        (custody, "forks", lambda events: set()), (evidence.custody, "forks", lambda events: set())
    )


def edit_revives():
    """An edit that comes after a deletion brings the record back."""
    real = ops.EFFECTS["group.set"]

    def group_set(op):
        record = db.session.get(Inspection, op.content["record_id"])
        if record is not None:
            record.deleted = False
        return real(op)

    old = dict(ops.EFFECTS)

    @contextmanager
    def open_():
        ops.EFFECTS["group.set"] = group_set
        try:
            yield
        finally:
            ops.EFFECTS.update(old)

    return open_()


# ------------------------------------------------------------ on the tablet


def no_trunk_rule():
    """An edit names the newest op that was pulled, though the screen still shows one's own."""
    real = Device.shown

    def shown(device, record_id, group):
        op, values = real(device, record_id, group)
        there = device.disk.records.get(record_id, {}).get("doc", {}).get("groups", {}).get(group)
        return (there["op"] if there else op), values

    return planted((Device, "shown", shown))


def overlay_removed_at_acknowledgement():
    """An op leaves the screen when it is answered, before what it made has been pulled."""
    real = Device.shown

    def shown(device, record_id, group):
        there = device.disk.records.get(record_id, {}).get("doc", {}).get("groups", {}).get(group)
        own = real(device, record_id, group)
        waiting = any(entry.op_id == own[0] and entry.result is None for entry in device.disk.ops)
        return own if waiting or not there else (own[0], there["values"])

    return planted((Device, "shown", shown))


def forget_on_send():
    """The queue is emptied when it is sent, not when it is answered."""
    real = Engine.push

    def push(engine):
        disk = engine.disk
        if engine.device.unsent():
            waits = engine.device.unsent()
            try:
                real(engine)
            finally:
                disk.acknowledged = max(disk.acknowledged, waits[-1].seq) if waits else 0
            return
        real(engine)

    return planted((Engine, "push", push))


def cursor_before_data():
    """The cursor is on the disk before the rows it stands for."""

    def take(engine, page):
        engine.disk.cursor = page["cursor"]
        engine.device.danger()
        engine.device.danger()
        engine.device.danger()
        real(engine, page)

    real = Engine.take
    return planted((Engine, "take", take))


def frees_at_stored():
    """The original is deleted when the server has it, before any backup can."""
    real = Engine.send

    def send(engine, photo_id, photo):
        real(engine, photo_id, photo)
        if photo.state == "stored":
            photo.data, photo.state = None, "freed"

    return planted((Engine, "send", send))


def new_epoch_ignored():
    """The tablet takes the new name of the log and asks nothing."""

    def new_epoch(engine, epoch):
        engine.disk.epoch = epoch

    return planted((Engine, "new_epoch", new_epoch))


def former_enrolments_forgotten():
    """After a restore only the ops of the present enrolment are offered again."""
    real = Engine.new_epoch

    def new_epoch(engine, epoch):
        disk = engine.disk
        former = [entry for entry in disk.ops if entry.device_id != disk.device_id]
        disk.ops = [entry for entry in disk.ops if entry.device_id == disk.device_id]
        real(engine, epoch)
        disk.ops = former + disk.ops

    return planted((Engine, "new_epoch", new_epoch))


MUTANTS = {
    maker.__name__: maker
    for maker in (
        no_dedupe,
        acknowledge_before_commit,
        last_writer_wins,
        trust_device_time,
        delete_wins,
        no_sequence_check,
        no_noop_rule,
        no_other_names,
        candidate_lost,
        resolve_without_saw,
        no_epoch_check,
        no_alias,
        quarantine_blocks,
        raw_takes_no_place,
        number_without_feed,
        feed_skips,
        never_forget,
        offset_before_part,
        no_compare_and_set,
        custody_forks_unseen,
        edit_revives,
        no_trunk_rule,
        overlay_removed_at_acknowledgement,
        forget_on_send,
        cursor_before_data,
        frees_at_stored,
        new_epoch_ignored,
        former_enrolments_forgotten,
    )
}
__all__ = ["MUTANTS", "_read", "replace"]
