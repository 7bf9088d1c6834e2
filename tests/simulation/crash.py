"""Killing the server at a named point: the process is gone, what was committed and renamed stays.

Each point is a place in the code that a power cut can hit. A point that is armed raises when it is next
passed; nothing in the application catches that, as nothing survives a SIGKILL.
"""

from contextlib import contextmanager

from sqlalchemy.orm import Session

from inspect_app.services import op_log, ops, uploads
from inspect_app.store import photos, sync
from inspect_app.store.blobs import BlobStore

POINTS = (
    "before_begin",
    "after_dedupe",
    "after_merge",
    "after_clock",
    "before_commit",
    "after_commit_before_reply",
    "between_ops",
    "chunk_written",
    "chunk_renamed",
    "offset_moved",
    "compose_half",
    "blob_renamed",
)
OF_OPS, OF_PHOTOS = POINTS[:7], POINTS[7:]  # the points that a push passes, and those of a photo's part


class ServerKilled(BaseException):
    """The server's process ended here."""


class Crashes:
    """Which point is armed, and how many kills there were at each."""

    def __init__(self):
        self.armed = None
        self.counts = dict.fromkeys(POINTS, 0)

    def pass_by(self, point):
        if self.armed == point:
            self.armed = None
            self.counts[point] += 1
            raise ServerKilled(point)


@contextmanager
def planted(crashes):
    """Let the application pass the crash points while this is open."""
    undo = []

    def wrap(owner, name, before=None, after=None):
        inner = vars(owner)[name]

        def passing(*args, **kwargs):
            if before:
                crashes.pass_by(before)
            result = inner(*args, **kwargs)
            if after and not (after == "after_dedupe" and result is not None):
                crashes.pass_by(after)
            return result

        setattr(owner, name, passing)
        undo.append((owner, name, inner))

    def blocks_half_read(path):
        for number, block in enumerate(read_blocks(path)):
            if number == 0:
                crashes.pass_by("compose_half")
            yield block

    wrap(ops, "apply_from", before="before_begin", after="between_ops")
    wrap(op_log, "known", after="after_dedupe")
    wrap(ops, "_effect", after="after_merge")
    wrap(sync, "tick_op", after="after_clock")
    wrap(uploads, "write_durably", after="chunk_written")
    wrap(uploads, "_keep_part", after="chunk_renamed")
    wrap(photos, "move_offset", after="offset_moved")
    wrap(BlobStore, "adopt", after="blob_renamed")
    wrap(Session, "commit", before="before_commit", after="after_commit_before_reply")
    read_blocks = uploads.blocks
    uploads.blocks = blocks_half_read
    undo.append((uploads, "blocks", read_blocks))

    try:
        yield
    finally:
        for owner, name, inner in reversed(undo):
            setattr(owner, name, inner)
