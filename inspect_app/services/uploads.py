"""Bytes of photos on their way here: tus 1.0, in parts that are each on disk before their offset counts.

No lock, no process's memory: the offset moves by compare-and-set, and a part's file is named by its offset
and its hash. Wherever the server is killed, the tablet asks where to go on, and goes on.
"""

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from sqlalchemy import update

from inspect_app.domain.errors import NotFound, Refused
from inspect_app.services import pictures, receipts
from inspect_app.store import people, sync
from inspect_app.store import photos as store
from inspect_app.store.base import db, settings, transaction
from inspect_app.store.blobs import BlobStore, blobs, blocks, staging, sync_folder, write_durably
from inspect_app.store.photos import Photo, Upload, UploadPart

KINDS = ("original", "preview")
LIFE = timedelta(days=60)
TO_FINISH = ("open", "released")  # released: of a revoked tablet, and a reviewer wants it
CHECKSUMS = ("sha256", "sha1")

log = structlog.get_logger()


class OffsetDiffers(Refused):
    """The part does not begin where the upload stands; the tablet asks where that is, and goes on."""

    slug = "offset-differs"


class ChecksumDiffers(Refused):
    """The part is not what was sent; nothing of it is kept."""

    slug = "checksum-differs"


class TooLarge(Refused):
    """More bytes than the server takes for one photo."""

    slug = "too-large"


class Gone(Refused):
    """The upload was ended or has expired; the tablet makes a new one."""

    slug = "upload-gone"


@dataclass(frozen=True)
class Standing:
    """Where an upload stands, for the headers of an answer."""

    id: str
    off: int
    length: int
    state: str
    expires_at: datetime


def begin(device_id: str, photo_id: str, kind: str, sha256: str, length: int, now: datetime) -> Standing:
    """Make the upload of a photo, or find it again: the same request always gives the same one.

    Bytes that are here already need not be sent: the offset is then the length. After a failed attempt a new
    one is begun beside it. Raises TooLarge.
    """
    limit = settings().upload_limit_bytes
    if length > limit:
        raise TooLarge(
            f"The photo has {length} bytes; the most is {limit}. It stays on the tablet. Tell the office."
        )
    with transaction():
        last = store.last_upload(device_id, photo_id, kind)
        while (
            last is None or (last.sha256, last.length) != (sha256, length) or last.state in ("bad", "ended")
        ):
            attempt = last.attempt + 1 if last else 1
            sync.insert_if_new(  # the same request, sent again before its answer, makes no second one
                Upload,
                id=_name(device_id, photo_id, kind, attempt),
                device_id=device_id,
                photo_id=photo_id,
                kind=kind,
                sha256=sha256,
                length=length,
                off=0,
                state="open",
                attempt=attempt,
                expires_at=now + LIFE,
            )
            last = store.last_upload(device_id, photo_id, kind)
        if last.state == "open" and last.off < length and _is_here(sha256, length):
            last.off = length
        standing = _standing(last)
    return finish(standing, now)


def standing(device_id: str, upload_id: str, now: datetime) -> Standing:
    """Where an upload of this device stands; one that has all its bytes and no receipt is finished here.

    Raises NotFound, or Gone.
    """
    db.session.rollback()  # read what other processes have committed
    return finish(_standing(_own(device_id, upload_id, now)), now)


def append(
    device_id: str, upload_id: str, off: int, body: bytes, checksum: tuple[str, bytes] | None, now: datetime
) -> Standing:
    """Keep one part, then move the offset.

    Raises NotFound, Gone, OffsetDiffers, ChecksumDiffers (nothing is kept), Refused (more than the upload's
    length).
    """
    upload = _own(device_id, upload_id, now)
    if upload.off != off or upload.state != "open":
        raise OffsetDiffers(f"The upload stands at {upload.off}, not at {off}. Go on from there.")
    if off + len(body) > upload.length:
        raise Refused(f"The part goes beyond the upload's {upload.length} bytes. Send what is missing only.")
    part_hash = hashlib.sha256(body).hexdigest()
    if checksum and _digest(checksum[0], body, part_hash) != checksum[1]:
        raise ChecksumDiffers("The part's checksum does not fit: it was damaged on the way. Send it again.")
    if not body:
        return finish(_standing(upload), now)
    file = part_file(upload_id, off, part_hash)
    db.session.rollback()  # no database connection is held while the part is written and synced
    _keep_part(file, body)
    with transaction():
        if not store.move_offset(upload_id, off, len(body)):
            raise OffsetDiffers("Another request has moved the upload on. Ask where it stands.")
        db.session.add(UploadPart(upload_id=upload_id, off=off, len=len(body), sha256=part_hash))
        moved = db.session.get(Upload, upload_id, populate_existing=True)
        assert moved is not None
        moved.expires_at = now + LIFE
        db.session.execute(
            update(Photo).where(Photo.id == moved.photo_id, Photo.state == "missing").values(state="partial")
        )
        after = _standing(moved)
    return finish(after, now)


def end(device_id: str, upload_id: str, now: datetime) -> None:
    """Stop an upload the tablet does not want any more. What is stored stays stored."""
    _own(device_id, upload_id, now)
    with transaction():
        db.session.execute(
            update(Upload).where(Upload.id == upload_id, Upload.state == "open").values(state="ended")
        )


def finish(at: Standing, now: datetime) -> Standing:
    """Complete an upload that has all its bytes: check the whole hash, move it into place, give the receipt.

    What a revoked device sends stays in staging until a reviewer has released it.
    """
    if at.state not in TO_FINISH or at.off < at.length:
        return at
    upload = db.session.get(Upload, at.id, populate_existing=True)
    assert upload is not None
    sender = people.device(upload.device_id)
    is_held = upload.state == "open" and (sender is None or sender.revoked_at is not None)
    if upload.state not in TO_FINISH or is_held:
        return _standing(upload)
    wanted, device_id = upload.sha256, upload.device_id
    photo_id, kind = upload.photo_id, upload.kind
    parts = [(part_file(at.id, part.off, part.sha256), part.sha256) for part in store.parts(at.id)]
    db.session.rollback()  # no database connection is held while the whole is put together
    state = "done" if blobs().holds(wanted) or _assemble(at.id, parts, wanted, blobs()) else "bad"
    picture = pictures.examine(blobs().path(wanted), _pixel_limit()) if state == "done" else None
    with transaction():
        closed = db.session.execute(
            update(Upload).where(Upload.id == at.id, Upload.state.in_(TO_FINISH)).values(state=state)
        )
        if closed.rowcount == 1:  # type: ignore[attr-defined]
            receipts.tell_photo(photo_id, kind, wanted, picture, now)
    if state == "bad":
        log.error("photo_differs", upload=at.id, photo=photo_id, device=device_id)
    else:
        _remove(at.id)
    return Standing(at.id, at.length, at.length, state, at.expires_at)


def finish_released(upload_id: str, now: datetime) -> Standing:
    """`finish` for what a reviewer has released; harmless when it is stored already."""
    upload = store.upload(upload_id)
    assert upload is not None
    return finish(_standing(upload), now)


def _own(device_id: str, upload_id: str, now: datetime) -> Upload:
    upload = store.upload(upload_id)
    if upload is None or upload.device_id != device_id:
        raise NotFound("There is no such upload. Make it again; nothing on the tablet is lost.")
    if upload.state == "ended" or (
        upload.state == "open" and upload.off < upload.length and upload.expires_at < now
    ):
        raise Gone("This upload was ended or has expired. Make it again; nothing on the tablet is lost.")
    return upload


def _standing(upload: Upload) -> Standing:
    return Standing(upload.id, upload.off, upload.length, upload.state, upload.expires_at)


def _name(device_id: str, photo_id: str, kind: str, attempt: int) -> str:
    return hashlib.sha256(f"{device_id} {photo_id} {kind} {attempt}".encode()).hexdigest()[:40]


def _is_here(sha256: str, length: int) -> bool:
    held = blobs()
    return held.exists(sha256) and held.path(sha256).stat().st_size == length


def _keep_part(file: Path, body: bytes) -> None:
    """Write a part under its final name: whole and synced, or not there."""
    if not file.exists():  # else the same bytes at the same place, of a request whose answer was lost
        temporary = file.with_name(f"{file.name}.{secrets.token_hex(4)}.tmp")
        write_durably(temporary, (body,))
        temporary.replace(file)
    sync_folder(file.parent)


def _assemble(upload_id: str, parts: list[tuple[Path, str]], wanted: str, held: BlobStore) -> bool:
    """Put the parts, each with its hash, together under the whole hash; false when they do not have it.

    One part, the whole photo, is renamed into place: it was hashed and synced when it came, so a photo that
    arrives whole is written once.
    """
    whole = _folder(upload_id) / f"whole.{secrets.token_hex(4)}.tmp"
    try:
        if len(parts) == 1:
            file, sha256 = parts[0]
            if sha256 == wanted:
                held.adopt(file, wanted)
            return sha256 == wanted
        pieces = (block for file, _ in parts for block in blocks(file))
        if write_durably(whole, pieces) == wanted:
            held.adopt(whole, wanted)
            return True
    except FileNotFoundError:
        pass  # another request was quicker: then the blob is there
    finally:
        whole.unlink(missing_ok=True)
    return held.holds(wanted)


def _digest(algorithm: str, body: bytes, sha256: str) -> bytes:
    return (
        bytes.fromhex(sha256) if algorithm == "sha256" else hashlib.sha1(body, usedforsecurity=False).digest()
    )


def _remove(upload_id: str) -> None:
    """Clear the staging of a finished upload; what a kill leaves behind, the sweep takes."""
    folder = _folder(upload_id)
    if folder.is_dir():
        for file in folder.iterdir():
            file.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()


def _folder(upload_id: str) -> Path:
    return staging() / upload_id


def part_file(upload_id: str, off: int, sha256: str) -> Path:
    """Where a part lies: a kill can leave two files at one offset, so its hash is in the name."""
    return _folder(upload_id) / f"{off}.{sha256}"


def _pixel_limit() -> int:
    return int(settings().pixel_limit)
