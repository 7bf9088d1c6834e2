"""Faults planted in the server: each is a context in which one rule of the protocol does not hold."""

from contextlib import contextmanager
from dataclasses import replace

from sqlalchemy.orm import Session

from inspect_app.domain import custody, envelopes, merge
from inspect_app.services import evidence, feed, op_log, ops, receipts, sync, uploads
from inspect_app.store import photos
from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection
from tests.simulation.planting import planted


def no_dedupe():
    """A repeated op is taken as a new one, under the next number."""
    real = op_log.known

    def known(device, envelope, body, held, now):
        answer = real(device, envelope, body, replace(held, of_id=None), now)
        return None if answer and answer["status"] not in ("gap", "fork") else answer

    return planted((op_log, "known", known))


def acknowledge_before_commit():
    """The answer goes out although the commit did not happen."""

    def commit_lost(session):
        if lost.pop("now", False):
            session.rollback()
            return
        session_commit(session)

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

    def known(device, envelope, body, held, now):
        answer = real(device, envelope, body, held, now)
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

    def known(device, envelope, body, held, now):
        last = device.last_seq, device.last_hash
        answer = real(device, envelope, body, held, now)
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


def whole_unchecked():
    """A photo is taken as it came, though its bytes had changed on the tablet."""
    return planted((uploads, "_assemble", _assemble_unchecked))


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
    return planted(
        (photos, "move_offset", move_offset),
        (uploads, "append", append_anywhere),
        (
            uploads,
            "_assemble",
            _assemble_unchecked,
        ),  # else the hash of the whole finds it, and it is sent again
    )


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


def signature_unchecked():
    return planted((ops, "verify", lambda key, signature, text: True))


def old_formats_unread():
    """An op of an older release is read as if it were of today."""
    return planted((envelopes, "UPGRADES", {step: lambda content: content for step in envelopes.UPGRADES}))
