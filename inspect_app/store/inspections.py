"""Inspections, their history and their conflicts."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, ForeignKey, Index, Integer, String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from inspect_app.store.base import UTC, Base, db


class Inspection(Base):
    """One visit under one protocol version. `doc` holds groups and lists; photos and custody have tables."""

    __tablename__ = "inspection"
    __table_args__ = (
        Index("ix_inspection_village_state_submitted_at", "village", "state", "submitted_at"),
        Index("ix_inspection_village_number", "village", "number"),
        Index("ix_inspection_village_received_at_id", "village", "received_at", "id"),
        Index("ix_inspection_village_inspector_id", "village", "inspector_id"),
        Index("ix_inspection_assignment_id", "assignment_id"),
        Index("ix_inspection_parent_record", "parent_record"),
        Index("ix_inspection_chg", "chg"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    protocol: Mapped[str] = mapped_column(String(40))
    protocol_version: Mapped[str] = mapped_column(String(20))
    pack_hash: Mapped[str] = mapped_column(String(64))
    number: Mapped[str] = mapped_column(String(20))
    place: Mapped[str] = mapped_column(Text)
    permit_no: Mapped[str | None] = mapped_column(String(80))
    assignment_id: Mapped[str | None] = mapped_column(String(36))
    parent_record: Mapped[str | None] = mapped_column(String(36))
    inspector_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    device_id: Mapped[str] = mapped_column(ForeignKey("device.id"))
    state: Mapped[str] = mapped_column(String(16))
    rev: Mapped[int] = mapped_column(Integer)
    doc: Mapped[dict[str, Any]] = mapped_column(JSON)
    context: Mapped[dict[str, Any]] = mapped_column(JSON)
    deleted: Mapped[bool] = mapped_column(Boolean, default=False)
    chg: Mapped[int] = mapped_column(BigInteger, default=0)
    begun_at: Mapped[datetime] = mapped_column(UTC)
    submitted_at: Mapped[datetime | None] = mapped_column(UTC)
    submitted_rev: Mapped[int | None] = mapped_column(Integer)
    received_at: Mapped[datetime] = mapped_column(UTC)
    decided_at: Mapped[datetime | None] = mapped_column(UTC)
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("person.id"))
    decided_rev: Mapped[int | None] = mapped_column(Integer)  # the revision that was approved
    worst: Mapped[str | None] = mapped_column(String(20))
    counts: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class InspectionHistory(Base):
    """Every accepted change: what was there, what came, who, on which device, when. Never altered."""

    __tablename__ = "inspection_history"
    __table_args__ = (Index("ix_inspection_history_record_id_rev", "record_id", "rev"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    record_id: Mapped[str] = mapped_column(ForeignKey("inspection.id"))
    rev: Mapped[int] = mapped_column(Integer)
    op_id: Mapped[str] = mapped_column(String(36))
    op_kind: Mapped[str] = mapped_column(String(40))
    what: Mapped[str] = mapped_column(
        String(80)
    )  # group:tap_geometry, list:notes, photo, custody, record, state
    outcome: Mapped[str] = mapped_column(String(16))  # applied, noop, conflict
    old: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    new: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    person_id: Mapped[str | None] = mapped_column(String(36))
    device_id: Mapped[str] = mapped_column(String(36))
    wall: Mapped[str | None] = mapped_column(String(40))  # the device's clock, as it was written
    estimated_at: Mapped[datetime | None] = mapped_column(UTC)  # wall plus the measured offset
    received_at: Mapped[datetime] = mapped_column(UTC)
    flags: Mapped[list[str]] = mapped_column(
        JSON, default=list
    )  # clock_off, clock_jumped, after_approval ...


class Conflict(Base):
    """Two values for one thing; both are kept until a person has settled it."""

    __tablename__ = "conflict"
    __table_args__ = (
        Index("ix_conflict_record_id_state", "record_id", "state"),
        Index("ix_conflict_village_state", "village", "state"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    record_id: Mapped[str] = mapped_column(ForeignKey("inspection.id"))
    what: Mapped[str] = mapped_column(String(80))  # group:tap_geometry or record
    kind: Mapped[str] = mapped_column(String(24))  # group, edit_after_delete, delete_after_edit, amendment
    base: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    current_op: Mapped[str | None] = mapped_column(String(36))
    candidates: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    state: Mapped[str] = mapped_column(String(16))
    opened_chg: Mapped[int] = mapped_column(BigInteger)
    resolved_op: Mapped[str | None] = mapped_column(String(36))
    resolution: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


def inspection(record_id: str) -> Inspection | None:
    return db.session.get(Inspection, record_id)


def inspection_in(village: str, record_id: str) -> Inspection | None:
    """The record, or None when there is none of that id in this village."""
    found = db.session.get(Inspection, record_id)
    return found if found and found.village == village else None


def for_update(record_id: str) -> Inspection | None:
    """The record, locked until the commit: two tablets may write to one record at once."""
    return db.session.scalar(
        select(Inspection)
        .where(Inspection.id == record_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )


def inspections_by_id(record_ids: Iterable[str]) -> dict[str, Inspection]:
    rows = db.session.scalars(select(Inspection).where(Inspection.id.in_(list(record_ids))))
    return {row.id: row for row in rows}


def children_of(record_id: str) -> Sequence[Inspection]:
    return db.session.scalars(
        select(Inspection).where(Inspection.parent_record == record_id).order_by(Inspection.id)
    ).all()


def page_of(village: str, after: str, limit: int) -> Sequence[Inspection]:
    """The village's records in the order of their ids, those after `after`: the pages of a snapshot."""
    return db.session.scalars(
        select(Inspection)
        .where(Inspection.village == village, Inspection.id > after)
        .order_by(Inspection.id)
        .limit(limit)
    ).all()


def history(record_id: str) -> Sequence[InspectionHistory]:
    """All changes of a record, oldest first."""
    return db.session.scalars(
        select(InspectionHistory)
        .where(InspectionHistory.record_id == record_id)
        .order_by(InspectionHistory.id)
    ).all()


def changed_by_others(record_id: str, device_id: str, after_rev: int) -> bool:
    """Whether another device changed the record after a revision."""
    return (
        db.session.scalar(
            select(InspectionHistory.id)
            .where(
                InspectionHistory.record_id == record_id,
                InspectionHistory.device_id != device_id,
                InspectionHistory.rev > after_rev,
            )
            .limit(1)
        )
        is not None
    )


def conflict(conflict_id: str) -> Conflict | None:
    return db.session.get(Conflict, conflict_id)


def open_conflict(record_id: str, what: str) -> Conflict | None:
    return db.session.scalar(
        select(Conflict).where(
            Conflict.record_id == record_id, Conflict.what == what, Conflict.state == "open"
        )
    )


def conflicts_of(record_id: str) -> Sequence[Conflict]:
    """All conflicts of a record, open and settled, oldest first."""
    return db.session.scalars(
        select(Conflict).where(Conflict.record_id == record_id).order_by(Conflict.opened_chg)
    ).all()


def open_conflicts(record_ids: Iterable[str]) -> Sequence[Conflict]:
    return db.session.scalars(
        select(Conflict).where(Conflict.record_id.in_(list(record_ids)), Conflict.state == "open")
    ).all()
