"""People, their roles in villages, sign-in attempts, and the tablets enrolled to them: tables and queries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, Integer, String, and_, func, or_, select
from sqlalchemy.orm import Mapped, Session, joinedload, mapped_column, relationship

from inspect_app.store.base import UTC, Base, db

ROLES = ("inspector", "reviewer", "administrator", "reader")


class Person(Base):
    """Somebody who signs in. Never deleted: their name stands in records for years."""

    __tablename__ = "person"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    sign_in_name: Mapped[str] = mapped_column(String(80), unique=True)
    name: Mapped[str] = mapped_column(String(120))
    password_hash: Mapped[str] = mapped_column(String(255))
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(UTC)

    memberships: Mapped[list["Membership"]] = relationship(back_populates="person", lazy="selectin")


class Membership(Base):
    """One role of one person in one village; a person may hold several."""

    __tablename__ = "membership"

    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), primary_key=True)
    village: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(20), primary_key=True)

    person: Mapped[Person] = relationship(back_populates="memberships")


class SignInAttempt(Base):
    """One try to sign in or enrol, under a hashed name or an address; the throttle counts these."""

    __tablename__ = "sign_in_attempt"
    __table_args__ = (Index(None, "key", "at"),)

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    key: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UTC)
    succeeded: Mapped[bool] = mapped_column(default=False)


class Device(Base):
    """An enrolled tablet, or a village's own server device (`is_server`), with its public key.

    A device is never reused and never deleted: its ops name it for ever.
    """

    __tablename__ = "device"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    village: Mapped[str] = mapped_column(String(64), index=True)
    name: Mapped[str] = mapped_column(String(120))
    kid: Mapped[str] = mapped_column(String(64), index=True)
    public_key: Mapped[dict[str, Any]] = mapped_column(JSON)
    person_id: Mapped[str | None] = mapped_column(ForeignKey("person.id"))
    app: Mapped[str] = mapped_column(String(40), default="")
    enrolled_at: Mapped[datetime] = mapped_column(UTC)
    revoked_at: Mapped[datetime | None] = mapped_column(UTC)
    revoked_by: Mapped[str | None] = mapped_column(ForeignKey("person.id"))
    last_seq: Mapped[int] = mapped_column(BigInteger, default=0)
    last_hash: Mapped[str] = mapped_column(String(64), default="")
    last_seen_at: Mapped[datetime | None] = mapped_column(UTC)
    unsent_ops: Mapped[int] = mapped_column(default=0)
    unsent_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    is_server: Mapped[bool] = mapped_column(default=False)
    lost_ops: Mapped[int] = mapped_column(default=0, server_default="0")  # what a tablet says it lost ...
    lost_at: Mapped[datetime | None] = mapped_column(UTC)  # ... when the server was told

    person: Mapped[Person | None] = relationship(foreign_keys=[person_id])


class EnrolmentCode(Base):
    """A one-time code that lets one tablet enrol for one person in one village; only its hash is kept."""

    __tablename__ = "enrolment_code"

    code_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    village: Mapped[str] = mapped_column(String(64), index=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"))
    made_by: Mapped[str | None] = mapped_column(ForeignKey("person.id"))
    made_at: Mapped[datetime] = mapped_column(UTC)
    expires_at: Mapped[datetime] = mapped_column(UTC)
    used_at: Mapped[datetime | None] = mapped_column(UTC)
    device_id: Mapped[str | None] = mapped_column(ForeignKey("device.id"))

    person: Mapped[Person] = relationship(foreign_keys=[person_id])


class DeviceToken(Base):
    """A bearer token, kept as its hash: the device's own (`push upload`) or a person's on it (`pull`)."""

    __tablename__ = "device_token"

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    device_id: Mapped[str] = mapped_column(ForeignKey("device.id"), index=True)
    person_id: Mapped[str | None] = mapped_column(ForeignKey("person.id"), index=True)
    scope: Mapped[str] = mapped_column(String(40))
    issued_at: Mapped[datetime] = mapped_column(UTC)
    expires_at: Mapped[datetime] = mapped_column(UTC)


def person(person_id: str) -> Person | None:
    return db.session.get(Person, person_id)


def member(person_id: str) -> Person | None:
    """The person with all memberships, in one look."""
    return db.session.get(Person, person_id, options=[joinedload(Person.memberships)])


def person_by_name(sign_in_name: str) -> Person | None:
    """The person of this sign-in name, in whatever capitals it was typed."""
    return db.session.scalar(select(Person).where(Person.sign_in_name == sign_in_name.strip().lower()))


def people_of(village: str, role: str | None = None, only_active: bool = False) -> Sequence[Person]:
    """The people of a village by name, those who left included unless `only_active`."""
    member = select(Membership.person_id).where(Membership.village == village)
    if role:
        member = member.where(Membership.role == role)
    query = select(Person).where(Person.id.in_(member)).order_by(Person.name, Person.sign_in_name)
    if only_active:
        query = query.where(Person.active)
    return db.session.scalars(query).all()


def everybody() -> Sequence[Person]:
    return db.session.scalars(select(Person).order_by(Person.sign_in_name)).all()


def roles_of(someone: Person, village: str) -> tuple[str, ...]:
    """This person's roles in a village, in the order of ROLES; empty for an outsider."""
    held = {membership.role for membership in someone.memberships if membership.village == village}
    return tuple(role for role in ROLES if role in held)


def villages_of(someone: Person) -> tuple[str, ...]:
    return tuple(sorted({membership.village for membership in someone.memberships}))


def failures(session: Session, key: str, since: datetime, after_success: bool) -> tuple[int, datetime | None]:
    """How many tries under this key did not succeed since then, and when the newest was.

    With `after_success` only those after the last one that did succeed.
    """
    failed = select(func.count(), func.max(SignInAttempt.at)).where(
        SignInAttempt.key == key, SignInAttempt.at > since, SignInAttempt.succeeded.is_(False)
    )
    if after_success:
        passed = select(func.max(SignInAttempt.id)).where(SignInAttempt.key == key, SignInAttempt.succeeded)
        failed = failed.where(SignInAttempt.id > func.coalesce(passed.scalar_subquery(), 0))
    count, newest = session.execute(failed).one()
    return count, newest


def device(device_id: str) -> Device | None:
    return db.session.get(Device, device_id)


def devices_of(village: str) -> Sequence[Device]:
    """The tablets of a village: those in use first, then the revoked; never the server's own device."""
    return db.session.scalars(
        select(Device)
        .where(Device.village == village, Device.is_server.is_(False))
        .order_by(Device.revoked_at.is_not(None), Device.name, Device.enrolled_at)
    ).all()


def server_device(session: Session, village: str) -> Device | None:
    """The device under which the office's own ops of this village are numbered."""
    return session.scalar(select(Device).where(Device.village == village, Device.is_server))


def open_codes(village: str, now: datetime) -> Sequence[EnrolmentCode]:
    """Codes that were made and can still be used."""
    return db.session.scalars(
        select(EnrolmentCode)
        .where(
            EnrolmentCode.village == village, EnrolmentCode.used_at.is_(None), EnrolmentCode.expires_at > now
        )
        .order_by(EnrolmentCode.made_at.desc())
    ).all()


def silent_devices(village: str, since: datetime) -> int:
    """How many tablets in use have not checked in since then."""
    return (
        db.session.scalar(
            select(func.count())
            .select_from(Device)
            .where(
                Device.village == village,
                and_(Device.is_server.is_(False), Device.revoked_at.is_(None)),
                or_(Device.last_seen_at < since, Device.last_seen_at.is_(None)),
            )
        )
        or 0
    )


def unsent_items(village: str) -> int:
    """How many items the tablets of a village said they still hold."""
    total = select(func.coalesce(func.sum(Device.unsent_ops), 0)).where(
        Device.village == village, Device.revoked_at.is_(None)
    )
    return int(db.session.scalar(total) or 0)
