"""Photos as records, and their bytes on the way here."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, String, Text, func, select, update
from sqlalchemy.orm import Mapped, mapped_column

from inspect_app.store.base import UTC, Base, db
from inspect_app.store.people import Device

HERE = ("stored", "durable")  # the states of photos whose bytes have arrived


class Photo(Base):
    """A photo an op promised: what it proves and where it was taken. Its bytes are a blob, named by hash."""

    __tablename__ = "photo"
    __table_args__ = (
        Index("ix_photo_record_id", "record_id"),
        Index("ix_photo_sha256", "sha256"),
        Index("ix_photo_village_state", "village", "state"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    record_id: Mapped[str] = mapped_column(ForeignKey("inspection.id"))
    op_id: Mapped[str] = mapped_column(String(36))
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    wall: Mapped[str | None] = mapped_column(String(40))  # the device's clock, as it was written
    sha256: Mapped[str] = mapped_column(String(64))
    bytes: Mapped[int] = mapped_column(BigInteger)
    mime: Mapped[str] = mapped_column(String(80))  # what the tablet said
    row: Mapped[dict[str, Any]] = mapped_column(JSON)
    state: Mapped[str] = mapped_column(String(8))  # missing, partial, stored, durable, bad
    stored_at: Mapped[datetime | None] = mapped_column(UTC)
    preview_sha256: Mapped[str | None] = mapped_column(String(64))
    content_type: Mapped[str | None] = mapped_column(String(40))  # what the bytes are
    width: Mapped[int | None] = mapped_column(Integer)
    height: Mapped[int | None] = mapped_column(Integer)
    problem: Mapped[str | None] = mapped_column(
        Text
    )  # why it cannot be shown; the bytes are kept all the same


class Upload(Base):
    """One tus upload of one photo or preview by one device."""

    __tablename__ = "upload"
    __table_args__ = (Index("ix_upload_photo_id_kind", "photo_id", "kind"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    device_id: Mapped[str] = mapped_column(ForeignKey("device.id"))
    photo_id: Mapped[str] = mapped_column(String(36))  # its op may arrive later than its bytes
    kind: Mapped[str] = mapped_column(String(8))  # original, preview
    sha256: Mapped[str] = mapped_column(String(64))
    length: Mapped[int] = mapped_column(BigInteger)
    off: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(String(10))  # open, done, bad, ended; of revoked: released, kept
    attempt: Mapped[int] = mapped_column(Integer)
    expires_at: Mapped[datetime] = mapped_column(UTC)


class UploadPart(Base):
    """One kept chunk; its hash is in the staged file's name: a kill can leave two files at one offset."""

    __tablename__ = "upload_part"

    upload_id: Mapped[str] = mapped_column(ForeignKey("upload.id"), primary_key=True)
    off: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    len: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))


def photo(photo_id: str) -> Photo | None:
    return db.session.get(Photo, photo_id)


def photos_of(record_ids: Iterable[str]) -> Sequence[Photo]:
    """The photos of some records, in the order in which they were taken."""
    return db.session.scalars(
        select(Photo).where(Photo.record_id.in_(list(record_ids))).order_by(Photo.id)
    ).all()


def photos_by_id(photo_ids: Iterable[str]) -> dict[str, Photo]:
    rows = db.session.scalars(select(Photo).where(Photo.id.in_(list(photo_ids))))
    return {row.id: row for row in rows}


def missing_count(record_id: str) -> int:
    """How many of a record's photos have not arrived whole."""
    return (
        db.session.scalar(
            select(func.count())
            .select_from(Photo)
            .where(Photo.record_id == record_id, Photo.state.not_in(HERE))
        )
        or 0
    )


def upload(upload_id: str) -> Upload | None:
    return db.session.get(Upload, upload_id)


def last_upload(device_id: str, photo_id: str, kind: str) -> Upload | None:
    """The newest attempt of a device to send this photo."""
    return db.session.scalar(
        select(Upload)
        .where(Upload.device_id == device_id, Upload.photo_id == photo_id, Upload.kind == kind)
        .order_by(Upload.attempt.desc())
        .limit(1)
    )


def uploads_of(photo_ids: Iterable[str]) -> Sequence[Upload]:
    return db.session.scalars(select(Upload).where(Upload.photo_id.in_(list(photo_ids)))).all()


def parts(upload_id: str) -> Sequence[UploadPart]:
    return db.session.scalars(
        select(UploadPart).where(UploadPart.upload_id == upload_id).order_by(UploadPart.off)
    ).all()


def move_offset(upload_id: str, at: int, by: int) -> bool:
    """Compare and set: false when another request has moved the offset meanwhile."""
    moved = db.session.execute(
        update(Upload)
        .where(Upload.id == upload_id, Upload.off == at, Upload.state == "open")
        .values(off=Upload.off + by)
        .returning(Upload.off)
        .execution_options(synchronize_session=False)
    )
    return moved.one_or_none() is not None


def expired_uploads(now: datetime) -> Sequence[Upload]:
    """Uploads that nobody went on with. One with all its bytes never expires: a revoked tablet's is kept."""
    return db.session.scalars(
        select(Upload).where(Upload.state == "open", Upload.off < Upload.length, Upload.expires_at < now)
    ).all()


def held_uploads(village: str) -> Sequence[Any]:
    """Whole originals of the village's revoked devices that nobody has decided on.

    Each with the device's name and, if its op was applied, the record it belongs to; by device and time.
    """
    return db.session.execute(
        select(Upload, Device.name, Photo.record_id)
        .join(Device, Device.id == Upload.device_id)
        .outerjoin(Photo, (Photo.id == Upload.photo_id) & (Photo.village == village))
        .where(
            Device.village == village,
            Device.revoked_at.is_not(None),
            Upload.kind == "original",
            Upload.state == "open",
            Upload.off == Upload.length,
        )
        .order_by(Device.name, Upload.photo_id, Upload.id)
    ).all()


def upload_for_update(upload_id: str) -> Upload | None:
    return db.session.get(Upload, upload_id, with_for_update={"key_share": True}, populate_existing=True)
