"""The named functions about days, periods and instants.

The JavaScript twin is static/pwa/rules/day_functions.js; change both together.
"""

from fractions import Fraction

from inspect_app.domain import calendar
from inspect_app.domain.asking import Ask, or_cannot, whole_numbers
from inspect_app.domain.values import Missing, Record, Value


def _zone(ask: Ask) -> str:
    zone = ask.name("timezone")
    return zone if isinstance(zone, str) else calendar.DEFAULT_ZONE


def local_day(ask: Ask, time: Fraction) -> Value:
    return Fraction(or_cannot(calendar.local_day, time, _zone(ask)))


def minute_of(ask: Ask, time: Fraction) -> Value:
    return Fraction(or_cannot(calendar.minute_of_day, time, _zone(ask)))


def business_day_after(ask: Ask, day: Fraction, count: Fraction) -> Value:
    holidays = _holidays(ask)
    whole_day, whole_count = whole_numbers("business_day_after", day, count)
    return Fraction(or_cannot(calendar.business_day_after, whole_day, whole_count, holidays))


def last_day(ask: Ask, day: Fraction, count: Fraction) -> Value:
    """The last day of a period of calendar days, moved off Sundays and holidays if the village says so."""
    return _rolled(ask, day, count)


def last_filing_day(ask: Ask, day: Fraction, count: Fraction) -> Value:
    """The same for what is paid to or filed with an office: a Saturday on which it is closed moves too."""
    return _rolled(ask, day, count, "office_open_saturday")


def _rolled(ask: Ask, day: Fraction, count: Fraction, *saturday: str) -> Value:
    rule, *is_open = (ask.name(name) for name in ("last_day_rule", *saturday))
    holidays = _holidays(ask)
    named = {"last_day_rule": rule, **dict(zip(saturday, is_open, strict=True))}
    if missing := [name for name, value in named.items() if value is None]:
        raise Missing(*missing)
    end = sum(whole_numbers("last_day", day, count))
    if rule == "wis_990_001_4":
        end = calendar.next_secular_day(end, holidays, False not in is_open)
    return Fraction(end)


def months_after(ask: Ask, day: Fraction, count: Fraction) -> Value:
    return Fraction(or_cannot(calendar.months_after, *whole_numbers("months_after", day, count)))


def years_after(ask: Ask, day: Fraction, count: Fraction) -> Value:
    return Fraction(or_cannot(calendar.months_after, *whole_numbers("years_after", day, 12 * count)))


def year(ask: Ask, day: Fraction) -> Value:
    year, _, _ = or_cannot(calendar.parts_of, *whole_numbers("year", day))
    return Fraction(year)


def month_day(ask: Ask, day: Fraction) -> Value:
    """Month and day in one number: 1001 is the first of October of any year."""
    _, month, of_month = or_cannot(calendar.parts_of, *whole_numbers("month_day", day))
    return Fraction(100 * month + of_month)


def _holidays(ask: Ask) -> set[int]:
    """A village that entered no holidays has none, so an empty list is not missing here."""
    rows = ask.name("holidays")
    holidays = set()
    for row in rows if isinstance(rows, list) else []:
        holiday = ask.field(row, "holiday") if isinstance(row, Record) else None
        if isinstance(holiday, Fraction):
            holidays.add(int(holiday))
    return holidays
