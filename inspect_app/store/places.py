"""Assignments (who is to inspect what, where, by when) and the list of permitted tappers: tables, queries."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Date, ForeignKey, Index, String, Text, func, or_, select
from sqlalchemy.orm import Mapped, mapped_column, relationship

from inspect_app.store.base import UTC, Base, db
from inspect_app.store.people import Person

STATES = ("open", "begun", "done", "cancelled")


class Assignment(Base):
    """The request to inspect. `prefill` is {group: {field: value}}; `context` feeds rules and is not edited
    on the tablet; `record_id` is set when a tablet begins it. No foreign key to the record: a tablet's record
    and the office's assignment live by different clocks."""

    __tablename__ = "assignment"
    __table_args__ = (Index(None, "village", "state", "due_at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    protocol: Mapped[str] = mapped_column(String(40))
    place: Mapped[str] = mapped_column(String(200))
    permit_no: Mapped[str] = mapped_column(String(60), default="")
    person_id: Mapped[str | None] = mapped_column(ForeignKey("person.id"), index=True)
    due_at: Mapped[datetime | None] = mapped_column(UTC)
    note: Mapped[str] = mapped_column(Text, default="")
    prefill: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    context: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    latitude: Mapped[float | None]
    longitude: Mapped[float | None]
    state: Mapped[str] = mapped_column(String(12), default="open")
    record_id: Mapped[str | None] = mapped_column(String(36), index=True)
    parent_record: Mapped[str | None] = mapped_column(String(36))
    chg: Mapped[int] = mapped_column(BigInteger, default=0)

    person: Mapped[Person | None] = relationship()


class TapPermission(Base):
    """One entry of a village's list of people who may tap mains; both days are civil days and included."""

    __tablename__ = "tap_permission"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64), index=True)
    tapper: Mapped[str] = mapped_column(String(120))
    valid_from: Mapped[date] = mapped_column(Date)
    valid_until: Mapped[date | None] = mapped_column(Date)


def assignment(assignment_id: str, village: str) -> Assignment | None:
    """The assignment, only if it belongs to this village."""
    found = db.session.get(Assignment, assignment_id)
    return found if found is not None and found.village == village else None


def for_update(assignment_id: str, village: str) -> Assignment | None:
    """The assignment, locked until the commit: two tablets may begin it at once, or the office cancel it."""
    return db.session.scalar(
        select(Assignment)
        .where(Assignment.id == assignment_id, Assignment.village == village)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )


def assignments_for(person_id: str, village: str) -> Sequence[Assignment]:
    """What a person's tablet holds: their own open and begun assignments, and those given to nobody yet."""
    return db.session.scalars(
        select(Assignment)
        .where(
            Assignment.village == village,
            Assignment.state.in_(("open", "begun")),
            or_(Assignment.person_id == person_id, Assignment.person_id.is_(None)),
        )
        .order_by(Assignment.due_at.is_(None), Assignment.due_at, Assignment.id)
    ).all()


def assignments_of(
    village: str, states: Sequence[str], search: str = "", limit: int = 25, offset: int = 0
) -> tuple[Sequence[Assignment], int]:
    """One page of a village's assignments, soonest first, and how many there are in all."""
    query = select(Assignment).where(Assignment.village == village, Assignment.state.in_(states))
    if search:
        query = query.where(
            or_(
                Assignment.place.icontains(search, autoescape=True),
                Assignment.permit_no.icontains(search, autoescape=True),
            )
        )
    total = db.session.scalar(select(func.count()).select_from(query.subquery())) or 0
    ordered = query.order_by(Assignment.due_at.is_(None), Assignment.due_at, Assignment.id)
    return db.session.scalars(ordered.limit(limit).offset(offset)).all(), total


def any_at(village: str, place: str, protocol: str) -> bool:
    """Whether this village has ever assigned such an inspection at this place."""
    query = select(Assignment.id).where(
        Assignment.village == village, Assignment.place == place, Assignment.protocol == protocol
    )
    return db.session.scalar(query.limit(1)) is not None


def tap_permissions(village: str) -> Sequence[TapPermission]:
    return db.session.scalars(
        select(TapPermission).where(TapPermission.village == village).order_by(TapPermission.tapper)
    ).all()
