"""What every table shares: the declarative base, times with their zone, and the one way to write."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC as UTC_ZONE
from datetime import datetime
from typing import Any

import structlog
from flask import Flask, current_app
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import DateTime, MetaData, event
from sqlalchemy.engine import Dialect, Engine
from sqlalchemy.exc import DBAPIError, OperationalError
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


def is_unreachable(error: BaseException) -> bool:
    """Whether the database was busy or went away: nothing is wrong with what was asked, it is tried again.

    A driver has no class for it: a connection that ends is whatever error it met then.
    """
    return isinstance(error, OperationalError) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )


def set_up_sessions(app: Flask) -> None:
    """Let an answer stand, once it is made, also where the database ends before the session is put away.

    Called after `db.init_app`, for the last one registered is the first to be called: what the session's own
    removal raises would become the server's bare page of an error, in the place of an answer that was true.
    """

    @app.teardown_appcontext
    def _put_away(_error: BaseException | None) -> None:
        try:
            db.session.remove()
        except DBAPIError:
            structlog.get_logger().warning("database_gone_after_the_answer", exc_info=True)
            db.session().invalidate()


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
