"""What a device's clock is worth: an estimate beside what it said, and flags. Nothing is ever rewritten."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

TOLERANCE = timedelta(seconds=120)
# An estimate beyond these is none, and next to the calendar's ends no other zone can show it.
EARLIEST_YEAR, LATEST_YEAR = 1900, 9000


@dataclass(frozen=True)
class DeviceTime:
    """`wall` as the device wrote it, the instant it was by our reckoning, and what is odd about it."""

    wall: str | None
    estimated_at: datetime | None
    flags: tuple[str, ...]


def read(content: Mapping[str, Any], before: Mapping[str, Any] | None, now: datetime) -> DeviceTime:
    """The time of an op; `before` is the content of the device's op before it, if it is known.

    Flags: clock_unreadable, clock_unknown (no server was ever asked), clock_off (more than two minutes),
    clock_ahead (in the future even so), clock_back (before the op before it), clock_jumped (wall and running
    time differ within one start of the app).
    """
    wall = _instant(content.get("wall"))
    if wall is None:
        text = content.get("wall")
        return DeviceTime(text[:40] if isinstance(text, str) else None, None, ("clock_unreadable",))
    flags = []
    estimated: datetime | None = None
    offset = _offset(content)
    if offset is None:
        flags.append("clock_unknown")
    else:
        estimated = _shifted(wall, offset)
        if estimated is None:
            flags.append("clock_unknown")
        if abs(offset) > TOLERANCE:
            flags.append("clock_off")
    if (estimated or wall) > now + TOLERANCE:
        flags.append("clock_ahead")
    earlier = _instant(before.get("wall")) if before else None
    if before and earlier:
        if wall < earlier:
            flags.append("clock_back")
        ran = _running_ms(content, before)
        if ran is not None and abs((wall - earlier) - ran) > TOLERANCE:
            flags.append("clock_jumped")
    return DeviceTime(str(content["wall"])[:40], estimated, tuple(flags))


def _instant(text: Any) -> datetime | None:
    if not isinstance(text, str):
        return None
    try:
        instant = datetime.fromisoformat(text)
        return instant.astimezone(UTC) if instant.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _offset(content: Mapping[str, Any]) -> timedelta | None:
    """What the server's clock said less what the device's said, when they were last compared."""
    clock = content.get("clock")
    offset_ms = clock.get("offset_ms") if isinstance(clock, Mapping) else None
    if not isinstance(offset_ms, int | float) or isinstance(offset_ms, bool) or abs(offset_ms) > 10**14:
        return None
    return timedelta(milliseconds=offset_ms)


def _shifted(instant: datetime, by: timedelta) -> datetime | None:
    try:
        shifted = instant + by
    except OverflowError:
        return None
    return shifted if EARLIEST_YEAR <= shifted.year <= LATEST_YEAR else None


def _running_ms(content: Mapping[str, Any], before: Mapping[str, Any]) -> timedelta | None:
    """How long the app ran between two ops of one start, by the clock that only rises."""
    if not content.get("boot") or content.get("boot") != before.get("boot"):
        return None
    one, other = before.get("mono"), content.get("mono")
    if not all(isinstance(mono, int | float) and abs(mono) < 10**14 for mono in (one, other)):
        return None
    return timedelta(milliseconds=other - one)  # type: ignore[operator]
