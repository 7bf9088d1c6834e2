"""What lies in staging: leftovers, which are swept, and revoked tablets' photos, on which a reviewer decides.

Photos of a revoked tablet arrive whole and go no further by themselves: whether they are used is the office's
decision, taken through the one door, so that it stands in the log with its reason.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import select, update

from inspect_app.domain.errors import NotFound
from inspect_app.services import ops, uploads
from inspect_app.store import photos as store
from inspect_app.store import sync
from inspect_app.store.base import db, transaction
from inspect_app.store.blobs import blocks, staging
from inspect_app.store.people import Person
from inspect_app.store.photos import Upload

STRAY_AFTER = timedelta(days=1)
WITH_PARTS = ("open", "released", "kept")  # their parts are needed still; those of "bad" ones are evidence

log = structlog.get_logger()


def sweep(now: datetime) -> dict[str, int]:
    """Remove what no upload will ask for again: files without a part's row after a day, expired uploads.

    Bytes of an upload that came out wrong are kept: they are evidence of what happened on the way. A photo
    that was released, and not put into place before the server was killed, is put there now.
    """
    for upload_id in db.session.scalars(select(Upload.id).where(Upload.state == "released")).all():
        uploads.finish_released(upload_id, now)
    expired = [upload.id for upload in store.expired_uploads(now)]
    with transaction():
        db.session.execute(update(Upload).where(Upload.id.in_(expired)).values(state="ended"))
    with_parts = set(db.session.scalars(select(Upload.id).where(Upload.state.in_(WITH_PARTS))))
    bad_ids = set(db.session.scalars(select(Upload.id).where(Upload.state == "bad")))
    removed = 0
    for folder in [folder for folder in staging().iterdir() if folder.is_dir()]:
        if folder.name not in bad_ids:
            removed += _sweep_folder(folder, folder.name in with_parts, now)
    return {"expired": len(expired), "files": removed}


def _sweep_folder(folder: Path, is_needed: bool, now: datetime) -> int:
    named: set[str] = set()
    if is_needed:
        named = {
            uploads.part_file(folder.name, part.off, part.sha256).name for part in store.parts(folder.name)
        }
    removed = 0
    for file in folder.iterdir():
        is_old = file.stat().st_mtime < (now - STRAY_AFTER).timestamp()
        if file.name not in named and is_old:
            file.unlink(missing_ok=True)
            removed += 1
    if not is_needed and not any(folder.iterdir()):
        with suppress(OSError):
            folder.rmdir()
    return removed


def sweep_daily(now: datetime) -> None:
    """`sweep`, with the first upload that is begun on a day: one process does it, and no timer is needed."""
    day = now.date().isoformat()
    if sync.fact("swept_on") == day:
        return
    with transaction():
        is_first = sync.set_fact("swept_on", day)
    if is_first:
        try:
            log.info("swept", **sweep(now))
        except OSError:  # the photo that is just begun is worth more than a tidy folder
            log.exception("sweep_failed")


def decide(village: str, upload_id: str, decision: str, reason: str, by: Person, now: datetime) -> None:
    """Release a revoked tablet's photo, so that it is stored as any other, or keep it aside for good.

    `decision` is release or keep. Raises NotFound, NotAllowed, Refused, IllegalTransition (decided already).
    """
    ops.office_op(
        village,
        by,
        {
            "kind": "upload.decide",
            "record_id": None,
            "upload_id": upload_id,
            "decision": decision,
            "reason": " ".join(reason.split()),
        },
        now,
    )
    if decision == "release":
        uploads.finish_released(upload_id, now)


def waiting(village: str) -> list[dict[str, Any]]:
    """Originals of the village's revoked tablets that are here whole and wait for a decision."""
    return [
        {"upload": upload, "tablet": name, "record_id": record_id}
        for upload, name, record_id in store.held_uploads(village)
    ]


def content(village: str, upload_id: str) -> Iterator[bytes]:
    """The bytes of a waiting photo, in pieces, to look at before deciding; raises NotFound."""
    if upload_id not in {row["upload"].id for row in waiting(village)}:
        raise NotFound("No photo waits under this id. Look in the list of tablets.")
    files = [uploads.part_file(upload_id, part.off, part.sha256) for part in store.parts(upload_id)]
    return (piece for file in files for piece in blocks(file))
