"""What the server says it holds of a photo, and how a photo's record learns that its bytes are here."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from inspect_app.services import pictures
from inspect_app.services.evidence import found_here
from inspect_app.store import inspections, sync
from inspect_app.store import photos as store
from inspect_app.store.base import db, settings, transaction
from inspect_app.store.blobs import blobs
from inspect_app.store.photos import HERE, Photo, Upload

# The tablet frees its original when the server says durable: by then the backup has it too.
DURABLE_AFTER = timedelta(days=7)


def status(village: str, photo_ids: Iterable[str], device_id: str, now: datetime) -> list[dict[str, object]]:
    """What the server holds of each photo: missing, partial, stored, durable or bad.

    Of a photo whose op was set aside or has not come, the device's own uploads are told.
    """
    wanted = list(dict.fromkeys(photo_ids))
    photos = {key: row for key, row in store.photos_by_id(wanted).items() if row.village == village}
    _find_stray(list(photos.values()), now)
    uploads: dict[str, Upload] = {}
    for upload in store.uploads_of(wanted):
        newest = uploads.get(upload.photo_id)
        is_own = upload.device_id == device_id and upload.kind == "original"
        if is_own and (newest is None or upload.attempt > newest.attempt):
            uploads[upload.photo_id] = upload
    return [
        {"photo_id": photo_id, **_state(photos.get(photo_id), uploads.get(photo_id), now)}
        for photo_id in wanted
    ]


def _state(photo: Photo | None, upload: Upload | None, now: datetime) -> dict[str, object]:
    if photo and photo.state in HERE:
        is_durable = photo.stored_at is not None and now - photo.stored_at >= DURABLE_AFTER
        return {"state": "durable" if is_durable else "stored", "sha256": photo.sha256}
    if photo and upload is None:
        return {"state": photo.state, "sha256": photo.sha256}
    if upload is None:
        return {"state": "missing"}
    if upload.state == "done":
        return {"state": "stored", "sha256": upload.sha256}
    if upload.state == "bad":
        return {"state": "bad", "sha256": upload.sha256}
    return {
        "state": "partial" if upload.off and upload.state != "ended" else "missing",
        "sha256": upload.sha256,
    }


def _find_stray(photos: list[Photo], now: datetime) -> None:
    """Note photos whose bytes arrived in the very moment in which their op was applied."""
    held = blobs()
    stray = [
        photo.id for photo in photos if photo.state in ("missing", "partial") and held.holds(photo.sha256)
    ]
    for photo_id in stray:
        sha256 = next(photo.sha256 for photo in photos if photo.id == photo_id)
        picture = pictures.examine(held.path(sha256), settings().pixel_limit)
        with transaction():
            tell_photo(photo_id, "original", sha256, picture, now)


def tell_photo(
    photo_id: str, kind: str, sha256: str, picture: pictures.Picture | None, now: datetime
) -> None:
    """Note the receipt on the photo's record, if its op has come: it may also come later."""
    photo = db.session.get(Photo, photo_id, with_for_update={"key_share": True}, populate_existing=True)
    if photo is None:
        return
    if kind == "preview":
        if picture is None or photo.preview_sha256:
            return
        photo.preview_sha256 = sha256
    elif picture is None:
        photo.state = photo.state if photo.state in HERE else "bad"
    elif photo.sha256 == sha256 and photo.state not in HERE:
        found_here(photo, picture, now)
    else:
        return
    _announce(photo)


def _announce(photo: Photo) -> None:
    """Let the feed bring the record again: its photo has arrived."""
    record = inspections.for_update(photo.record_id)
    if record:
        record.chg = sync.tick("inspection", record.id, record.village)
