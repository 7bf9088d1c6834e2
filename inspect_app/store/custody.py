"""Custody events of samples, as they were signed; a chain by hash, kept whole even where it forks."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Boolean, ForeignKey, Index, Select, String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from inspect_app.store.base import UTC, Base, db
from inspect_app.store.sync import OpLog


class CustodyEvent(Base):
    """One event of a sample set; `event` is the exact text whose hash the next event names."""

    __tablename__ = "custody_event"
    __table_args__ = (
        Index("ix_custody_event_record_id", "record_id"),
        Index("ix_custody_event_village_sample_set", "village", "sample_set"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    record_id: Mapped[str] = mapped_column(ForeignKey("inspection.id"))
    sample_set: Mapped[str] = mapped_column(String(80))
    event: Mapped[str] = mapped_column(Text)
    event_hash: Mapped[str] = mapped_column(String(64))
    prev_hash: Mapped[str] = mapped_column(String(64))
    op_id: Mapped[str] = mapped_column(String(36))
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    wall: Mapped[str | None] = mapped_column(String(40))  # the device's clock, as it was written
    fork: Mapped[bool] = mapped_column(Boolean, default=False)
    received_at: Mapped[datetime] = mapped_column(UTC)


def events_of(record_ids: Iterable[str]) -> Sequence[CustodyEvent]:
    """The events of some records, in the order of their arrival."""
    return db.session.scalars(_arrived().where(CustodyEvent.record_id.in_(list(record_ids)))).all()


def events_of_set(village: str, sample_set: str) -> Sequence[CustodyEvent]:
    """The events of a sample set, in the order of their arrival."""
    of_set = (CustodyEvent.village == village, CustodyEvent.sample_set == sample_set)
    return db.session.scalars(_arrived().where(*of_set)).all()


def _arrived() -> Select[CustodyEvent]:
    """By their place in the log: a tablet sends a whole hand-over at once, and its clock is no order."""
    return (
        select(CustodyEvent)
        .join(OpLog, OpLog.op_id == CustodyEvent.op_id)
        .order_by(OpLog.chg, CustodyEvent.id)
    )


def forked_sets(record_id: str) -> list[str]:
    """The sample sets of a record in whose chain two events follow one, and no third names both."""
    return list(
        db.session.scalars(
            select(CustodyEvent.sample_set)
            .where(CustodyEvent.record_id == record_id, CustodyEvent.fork)
            .distinct()
            .order_by(CustodyEvent.sample_set)
        )
    )
