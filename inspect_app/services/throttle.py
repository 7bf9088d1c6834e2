"""Slows down guessing, in the database: right with any number of workers, and still there after a restart.

After a number of free tries each further one must wait longer, up to a quarter of an hour. A try is written
down as not succeeded before anything is checked, so that many at once cannot slip through together. A try
that is told to wait is not counted: an outsider cannot keep a person out for ever by trying on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, text, update
from sqlalchemy.orm import Session

from inspect_app.domain.errors import TooManyTries
from inspect_app.store import people as store
from inspect_app.store.base import transaction
from inspect_app.store.people import SignInAttempt

KEPT_FOR = timedelta(hours=48)
LONGEST_WAIT_S = 900


@dataclass(frozen=True)
class Limit:
    """How many tries are free, the wait after the next, which doubles each time, and what is remembered.

    `success_clears`: a try that fits makes the earlier failures count no longer. Not so for an address:
    whoever has one sign-in could otherwise go on guessing at others.
    """

    free: int
    first_wait_s: int
    memory: timedelta
    success_clears: bool


NAME = Limit(free=5, first_wait_s=5, memory=timedelta(hours=24), success_clears=True)
# A whole village hall may stand behind one address, so it is patient and forgets after an hour.
ADDRESS = Limit(free=20, first_wait_s=5, memory=timedelta(hours=1), success_clears=False)
CODE = Limit(free=10, first_wait_s=10, memory=timedelta(hours=1), success_clears=False)


def wait_s(failed: int, limit: Limit) -> int:
    """Seconds that must lie between the last failed try and the next one."""
    over = failed - limit.free
    return 0 if over < 0 else int(min(limit.first_wait_s * 2 ** min(over, 20), LONGEST_WAIT_S))


def begin(limits: Mapping[str, Limit], now: datetime) -> Sequence[int]:
    """Write a try down under each key, or raise TooManyTries; returns what `succeed` wants."""
    with transaction() as session:
        for key in sorted(limits):
            _one_at_a_time(session, key)
            limit = limits[key]
            failed, last = store.failures(session, key, now - limit.memory, limit.success_clears)
            wait = wait_s(failed, limit)
            left = wait - int((now - last).total_seconds()) if last else 0
            if left > 0:
                raise TooManyTries(
                    f"Too many tries did not fit. Wait {_words(left)} and try again.", retry_after=left
                )
        session.execute(delete(SignInAttempt).where(SignInAttempt.at < now - KEPT_FOR))
        attempts = [SignInAttempt(key=key, at=now, succeeded=False) for key in sorted(limits)]
        session.add_all(attempts)
        session.flush()
        return [attempt.id for attempt in attempts]


def succeed(session: Session, attempts: Sequence[int]) -> None:
    """The try fitted: it does not count as a failure, nor do those before it under the same name."""
    session.execute(update(SignInAttempt).where(SignInAttempt.id.in_(attempts)).values(succeeded=True))


def _one_at_a_time(session: Session, key: str) -> None:
    # SQLite writes one at a time anyway; on PostgreSQL two tries at once would not see each other's row.
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": key})


def _words(seconds: int) -> str:
    if seconds < 90:
        return f"{seconds} seconds" if seconds != 1 else "1 second"
    return f"{-(-seconds // 60)} minutes"
