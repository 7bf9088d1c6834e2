"""What every table shares: the declarative base, times with their zone, and the one way to write."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC as UTC_ZONE
from datetime import datetime
from typing import Any

from flask import current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import DateTime, MetaData, event
from sqlalchemy.engine import Dialect, Engine
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.types import TypeDecorator

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Base of every table."""

    metadata = MetaData(naming_convention=NAMES)


db = SQLAlchemy(metadata=Base.metadata)


class UTC(TypeDecorator[datetime]):
    """An instant: stored as UTC, handed back aware. SQLite drops zones, so they are put back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"The time {value} has no zone: pass an aware datetime.")
        return value.astimezone(UTC_ZONE)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            return value.replace(tzinfo=UTC_ZONE)
        return value.astimezone(UTC_ZONE)


def settings() -> Any:
    """The running application's settings (config.Settings), for services, which know no web framework."""
    return current_app.config["SETTINGS"]


@contextmanager
def transaction() -> Iterator[Session]:
    """One write: commits at the end, rolls back on any exception.

    On SQLite the transaction begins IMMEDIATE: a transaction that reads first and writes later fails at once
    with "database is locked" when another writer came in between, whatever the busy timeout.
    """
    session = db.session()
    if session.in_transaction():
        session.rollback()
    session.connection(execution_options={"write": True})
    try:
        yield session
        session.commit()
    except BaseException:
        session.rollback()
        raise


def set_up_sqlite(engine: Engine) -> None:
    """Make SQLite durable and strict: what a tablet was told is kept must survive a power cut."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # BEGIN is sent below, so that a write can begin IMMEDIATE
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=15000", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Any) -> None:
        write = connection.get_execution_options().get("write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
