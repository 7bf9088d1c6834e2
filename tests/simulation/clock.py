"""One clock for the whole simulation: it moves only when the world says so."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from inspect_app.api import access, devices

START = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Clock:
    """The server's time. Tablets have their own, which may be wrong by any amount."""

    def __init__(self):
        self.now = START

    def forward(self, seconds):
        self.now += timedelta(seconds=seconds)


@contextmanager
def followed(clock):
    """Let the application read this clock where it would read the machine's."""

    class Simulated(datetime):
        @classmethod
        def now(cls, tz=None):
            return clock.now.astimezone(tz) if tz else clock.now.replace(tzinfo=None)

    for module in (access, devices):
        module.datetime = Simulated
    try:
        yield
    finally:
        for module in (access, devices):
            module.datetime = datetime
