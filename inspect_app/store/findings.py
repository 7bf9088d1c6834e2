"""Findings, rev by rev, what people decided about them, and the packs that made them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, ForeignKey, Index, Integer, String, Text, func, select
from sqlalchemy.orm import Mapped, mapped_column

from inspect_app.store.base import UTC, Base, db


class Finding(Base):
    """What one rule said about one revision, on the tablet or on the server."""

    __tablename__ = "finding"
    __table_args__ = (Index("ix_finding_record_id_source_rev", "record_id", "source", "rev"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    record_id: Mapped[str] = mapped_column(ForeignKey("inspection.id"))
    rev: Mapped[int] = mapped_column(Integer)
    source: Mapped[str] = mapped_column(String(8))  # tablet, server
    rule: Mapped[str] = mapped_column(String(40))
    outcome: Mapped[str] = mapped_column(String(20))
    boundary: Mapped[bool] = mapped_column(Boolean)
    value: Mapped[str | None] = mapped_column(Text)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    pack_hash: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(UTC)


class FindingDecision(Base):
    """A reviewer's word on a finding, with its reason."""

    __tablename__ = "finding_decision"
    __table_args__ = (Index("ix_finding_decision_record_id", "record_id"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    record_id: Mapped[str] = mapped_column(ForeignKey("inspection.id"))
    rule: Mapped[str] = mapped_column(String(40))
    decision: Mapped[str] = mapped_column(String(16))  # confirm, dispute
    reason: Mapped[str] = mapped_column(Text)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    at: Mapped[datetime] = mapped_column(UTC)
    op_id: Mapped[str] = mapped_column(String(36))


class PackRow(Base):
    """A published rule pack, word for word; a record is judged by its own for ever."""

    __tablename__ = "pack"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    village: Mapped[str] = mapped_column(String(64))
    canonical: Mapped[str] = mapped_column(Text)
    first_used_at: Mapped[datetime] = mapped_column(UTC)


def latest(record_id: str, source: str = "server") -> Sequence[Finding]:
    """The findings of the newest revision that was judged."""
    newest = (
        select(func.max(Finding.rev))
        .where(Finding.record_id == record_id, Finding.source == source)
        .scalar_subquery()
    )
    return db.session.scalars(
        select(Finding)
        .where(Finding.record_id == record_id, Finding.source == source, Finding.rev == newest)
        .order_by(Finding.id)
    ).all()


def of_every_revision(record_id: str, rules: Collection[str]) -> Sequence[Finding]:
    """What the server said of these rules, revision by revision."""
    return db.session.scalars(
        select(Finding)
        .where(Finding.record_id == record_id, Finding.source == "server", Finding.rule.in_(rules))
        .order_by(Finding.rev, Finding.id)
    ).all()


def rules_once_broken(record_id: str) -> set[str]:
    """The rules of which the server said at any revision that they were broken."""
    broken = select(Finding.rule).where(
        Finding.record_id == record_id, Finding.source == "server", Finding.outcome == "violation"
    )
    return set(db.session.scalars(broken.distinct()))


def decisions(record_id: str) -> Sequence[FindingDecision]:
    """All decisions on a record's findings, oldest first: the last one on a rule holds."""
    return db.session.scalars(
        select(FindingDecision).where(FindingDecision.record_id == record_id).order_by(FindingDecision.id)
    ).all()


def pack_row(pack_hash: str) -> PackRow | None:
    return db.session.get(PackRow, pack_hash)


def packs_of(village: str) -> Sequence[PackRow]:
    """Every pack kept of a village, in the order in which they were first used."""
    return db.session.scalars(
        select(PackRow).where(PackRow.village == village).order_by(PackRow.first_used_at, PackRow.hash)
    ).all()
