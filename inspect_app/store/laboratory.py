"""Reports of laboratories: each file as it came, by its hash, and what became of every row of it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Integer, String, Text, cast, func, or_, select, update
from sqlalchemy.orm import Mapped, mapped_column

from inspect_app.store.base import UTC, Base, db
from inspect_app.store.inspections import Inspection


class LabFile(Base):
    """One file of a laboratory, kept for ever; its bytes are the blob of its hash."""

    __tablename__ = "lab_file"
    __table_args__ = (Index("ix_lab_file_village_sha256", "village", "sha256", unique=True),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(255))
    sha256: Mapped[str] = mapped_column(String(64))
    bytes: Mapped[int] = mapped_column(Integer)
    encoding: Mapped[str] = mapped_column(String(20))
    separator: Mapped[str] = mapped_column(String(1))
    mapping: Mapped[dict[str, str]] = mapped_column(JSON)  # our column -> the header it was read from
    mapping_version: Mapped[str] = mapped_column(String(40))
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    at: Mapped[datetime] = mapped_column(UTC)


class LabRow(Base):
    """One row of a file: as it stood, what was read from it, and what became of it."""

    __tablename__ = "lab_row"
    __table_args__ = (
        Index("ix_lab_row_file_id_state_line", "file_id", "state", "line"),
        Index("ix_lab_row_file_id_record_id", "file_id", "record_id"),
        Index("ix_lab_row_village_state", "village", "state"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    file_id: Mapped[str] = mapped_column(ForeignKey("lab_file.id"))
    line: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(12))  # ready, tray, refused, quality, same, applied, settled
    reasons: Mapped[list[str]] = mapped_column(JSON)
    remarks: Mapped[list[str]] = mapped_column(JSON)
    cells: Mapped[dict[str, str]] = mapped_column(JSON)  # the row's texts, by our names of the columns
    values: Mapped[dict[str, Any]] = mapped_column(JSON)
    said: Mapped[str] = mapped_column(Text)
    record_id: Mapped[str | None] = mapped_column(ForeignKey("inspection.id"))
    op_id: Mapped[str | None] = mapped_column(String(36))
    note: Mapped[str | None] = mapped_column(Text)
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("person.id"))
    decided_at: Mapped[datetime | None] = mapped_column(UTC)


def file_in(village: str, file_id: str) -> LabFile | None:
    found = db.session.get(LabFile, file_id)
    return found if found and found.village == village else None


def file_of_hash(village: str, sha256: str) -> LabFile | None:
    return db.session.scalar(select(LabFile).where(LabFile.village == village, LabFile.sha256 == sha256))


def files(village: str, limit: int = 100) -> Sequence[LabFile]:
    """The village's files, newest first."""
    return db.session.scalars(
        select(LabFile).where(LabFile.village == village).order_by(LabFile.at.desc(), LabFile.id).limit(limit)
    ).all()


def file_count(village: str) -> int:
    return db.session.scalar(select(func.count()).where(LabFile.village == village)) or 0


def counts(village: str) -> dict[str, dict[str, int]]:
    """How many rows of each file are in each state."""
    counted = db.session.execute(
        select(LabRow.file_id, LabRow.state, func.count())
        .where(LabRow.village == village)
        .group_by(LabRow.file_id, LabRow.state)
    )
    found: dict[str, dict[str, int]] = {}
    for file_id, state, count in counted:
        found.setdefault(file_id, {})[state] = count
    return found


def rows_of(file_id: str, *states: str, after: int = 0, limit: int = 100) -> Sequence[LabRow]:
    """Rows of a file in these states, in the order of the file, those after a line."""
    return db.session.scalars(
        select(LabRow)
        .where(LabRow.file_id == file_id, LabRow.state.in_(states), LabRow.line > after)
        .order_by(LabRow.line)
        .limit(limit)
    ).all()


def row_in(village: str, row_id: int) -> LabRow | None:
    found = db.session.get(LabRow, row_id)
    return found if found and found.village == village else None


def tray(village: str, limit: int = 200) -> Sequence[Any]:
    """(LabRow, LabFile) of the rows that wait for a person, oldest first."""
    return db.session.execute(
        select(LabRow, LabFile)
        .join(LabFile, LabFile.id == LabRow.file_id)
        .where(LabRow.village == village, LabRow.state == "tray")
        .order_by(LabFile.at, LabRow.line)
        .limit(limit)
    ).all()


def tray_count(village: str) -> int:
    return (
        db.session.scalar(select(func.count()).where(LabRow.village == village, LabRow.state == "tray")) or 0
    )


def records_ready(file_id: str) -> Sequence[str]:
    """Records for which rows of a file are ready, in the order of the file."""
    return [
        str(found.record_id)
        for found in db.session.execute(
            select(LabRow.record_id, func.min(LabRow.line).label("first"))
            .where(LabRow.file_id == file_id, LabRow.state == "ready", LabRow.record_id.is_not(None))
            .group_by(LabRow.record_id)
            .order_by("first")
        )
    ]


def rows_ready(file_id: str, record_id: str) -> Sequence[LabRow]:
    return db.session.scalars(
        select(LabRow)
        .where(LabRow.file_id == file_id, LabRow.record_id == record_id, LabRow.state == "ready")
        .order_by(LabRow.line)
    ).all()


def mark(ids: Sequence[int], state: str, **values: Any) -> None:
    """Put rows into a state."""
    db.session.execute(update(LabRow).where(LabRow.id.in_(ids)).values(state=state, **values))


def records_naming(village: str, quoted: Sequence[str], but: str) -> Sequence[Any]:
    """(number, doc) of other records in whose document one of these JSON texts stands as a sample id.

    The database looks through the texts of documents, so that none has to be read here but those that match.
    """
    if not quoted:
        return []
    text = cast(Inspection.doc, Text)
    named = [text.contains(f'"sample_id": {one}', autoescape=True) for one in quoted]
    return db.session.execute(
        select(Inspection.number, Inspection.doc).where(
            Inspection.village == village,
            Inspection.protocol == "manhole",
            Inspection.id != but,
            ~Inspection.deleted,
            or_(*named),
        )
    ).all()


def sampled(village: str) -> Iterator[Any]:
    """Id, number, state and document of every record with containers, a few at a time: they may be many."""
    return iter(
        db.session.execute(
            select(Inspection.id, Inspection.number, Inspection.state, Inspection.doc)
            .where(Inspection.village == village, Inspection.protocol == "manhole", ~Inspection.deleted)
            .order_by(Inspection.id)
            .execution_options(yield_per=200)
        )
    )
