"""Civil days, instants, business days. A day is a whole number since 1970-01-01, an instant exact seconds.

The JavaScript twin is static/pwa/rules/calendar.js; change both together.
"""

import re
from calendar import monthrange
from collections.abc import Collection
from datetime import MAXYEAR, UTC, date, datetime
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

DEFAULT_ZONE = "America/Chicago"
EPOCH = date(1970, 1, 1).toordinal()
MOST_BUSINESS_DAYS = 1000
MOST_KEPT = 40  # characters: more than the longest instant has

FIRST_DAY_BEYOND = "2200-01-01"  # of the calendar: no inspection is judged on it
# Outside these the two languages' time-zone tables need not agree, and no inspection happened.
_FIRST_INSTANT = int(datetime(1900, 1, 1, tzinfo=UTC).timestamp())
_LAST_INSTANT = int(datetime(2200, 1, 1, tzinfo=UTC).timestamp())

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?"
    r"(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_CLOCK = re.compile(r"([0-9]{1,2}):([0-5][0-9])")


def day_number(text: str) -> int | None:
    """The day of `YYYY-MM-DD`, or None for a day that does not exist, such as 2026-02-30."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text).toordinal() - EPOCH
    except ValueError:
        return None


def day_text(day: int) -> str:
    """`YYYY-MM-DD` of a day number; outside the years 1 to 9999 the number itself."""
    try:
        return date.fromordinal(day + EPOCH).isoformat()
    except (ValueError, OverflowError):
        return str(day)


def instant(text: str) -> Fraction | None:
    """Seconds since 1970 UTC of an ISO 8601 instant, or None; without an offset it is no instant."""
    return _kept_instant(text) if len(text) <= MOST_KEPT else None


@lru_cache(maxsize=1024)
def _kept_instant(text: str) -> Fraction | None:
    found = _INSTANT.fullmatch(text)
    day = day_number(found[1]) if found else None
    if found is None or day is None:
        return None
    seconds = Fraction(day * 86400 + int(found[2]) * 3600 + int(found[3]) * 60 + int(found[4] or 0))
    if found[5]:
        seconds += Fraction(int(found[5]), 10 ** len(found[5]))
    if found[6]:
        offset = int(found[7]) * 3600 + int(found[8]) * 60
        seconds -= offset if found[6] == "+" else -offset
    return seconds


def clock_minutes(text: str) -> int | None:
    """Minutes clockwise from the crown of a clock position `h:mm`; 12:00 is 0."""
    found = _CLOCK.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= 12:
        return None
    return 60 * (int(found[1]) % 12) + int(found[2])


def clock_text(minutes: int) -> str:
    """`h:mm` of minutes clockwise from the crown."""
    hour, minute = divmod(minutes % 720, 60)
    return f"{hour or 12}:{minute:02d}"


def local(seconds: Fraction, zone: str) -> datetime:
    """Local time of an instant; ValueError for an unknown zone or a year outside 1900 to 2199."""
    whole = seconds.numerator // seconds.denominator
    if not _FIRST_INSTANT <= whole < _LAST_INSTANT:
        raise ValueError("a time outside the calendar")
    return _moment(whole, zone)


@lru_cache(maxsize=1024)
def _moment(whole: int, zone: str) -> datetime:
    place = _zone(zone)
    if place is None:
        raise ValueError(f"no time zone is named {zone}")
    return datetime.fromtimestamp(whole, place)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def local_day(seconds: Fraction, zone: str) -> int:
    """The civil day of an instant in a time zone."""
    return local(seconds, zone).toordinal() - EPOCH


def minute_of_day(seconds: Fraction, zone: str) -> int:
    """Minutes of the local clock since midnight."""
    moment = local(seconds, zone)
    return moment.hour * 60 + moment.minute


def local_time_text(seconds: Fraction, zone: str) -> str:
    """`HH:MM` of an instant in a time zone."""
    moment = local(seconds, zone)
    return f"{moment.hour:02d}:{moment.minute:02d}"


def next_secular_day(day: int, holidays: Collection[int], open_on_saturday: bool = True) -> int:
    """The day itself, or the next one that is neither a Sunday, a holiday nor a Saturday that is closed."""
    first_closed = 6 if open_on_saturday else 5  # Monday is 0
    while (day + 3) % 7 >= first_closed or day in holidays:
        day += 1
    return day


def parts_of(day: int) -> tuple[int, int, int]:
    """Year, month and day of a day number; ValueError outside the years 1 to 9999."""
    try:
        found = date.fromordinal(day + EPOCH)
    except (ValueError, OverflowError):
        raise ValueError("a day outside the calendar") from None
    return found.year, found.month, found.day


def months_after(day: int, count: int) -> int:
    """The same day of the month `count` months later, or the last day of a shorter month."""
    year, month, of_month = parts_of(day)
    years, month = divmod(month - 1 + count, 12)
    if not 1 <= year + years <= MAXYEAR:
        raise ValueError("a day outside the calendar")
    last = monthrange(year + years, month + 1)[1]
    return date(year + years, month + 1, min(of_month, last)).toordinal() - EPOCH


def business_day_after(day: int, count: int, holidays: Collection[int]) -> int:
    """The `count`-th day after a day that is no Saturday, Sunday or holiday; ValueError if out of range."""
    if not 0 <= count <= MOST_BUSINESS_DAYS:
        raise ValueError("a count of business days out of range")
    while count:
        day += 1
        if (day + 3) % 7 < 5 and day not in holidays:  # day 0 was a Thursday
            count -= 1
    return day
