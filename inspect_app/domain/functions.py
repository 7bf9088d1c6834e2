"""The named functions of the rule language, by name and kinds of arguments.

To add one: write it here and in static/pwa/rules/functions.js, give its types in checker.py, add vectors. A
function gets `ask` first: `ask.name(...)` reads an answer, `ask.field(...)` a field of a row, None when not
answered. `first(a, b, ...)` is lazy and therefore stands in expression.py.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, cast

from inspect_app.domain import calendar
from inspect_app.domain.quantities import read_number, round_half_up
from inspect_app.domain.values import CannotCompute, Missing, Record, Value

HALF_HOUR = 30 * 60


class Ask(Protocol):
    def name(self, name: str, /) -> Value | None: ...

    def field(self, record: Record, field: str, /) -> Value | None: ...

    def path(self) -> str: ...

    def typed_unit(self) -> str | None: ...


def _least(ask: Ask, numbers: list[Value]) -> Value:
    return min(_numbers("min", numbers))


def _most(ask: Ask, numbers: list[Value]) -> Value:
    return max(_numbers("max", numbers))


def _sum(ask: Ask, numbers: list[Value]) -> Value:
    return sum(_numbers("sum", numbers), Fraction(0))


def _numbers(function: str, values: list[Value]) -> list[Fraction]:
    if not values or not all(type(value) is Fraction for value in values):
        raise CannotCompute(f"{function} needs a list of numbers that is not empty")
    return cast(list[Fraction], values)


def _slopes(ask: Ask, inverts: list[Value]) -> Value:
    """Fall in inches per foot between neighbouring stations, toward the main; both are in feet."""
    points = sorted(_rows_of(ask, inverts, "station", "elevation"))
    if len(points) < 2:
        where = f"{_list_path(inverts)}[{len(points)}]"
        raise Missing(f"{where}.station", f"{where}.elevation")
    falls: list[Value] = []
    for (start, upper), (end, lower) in pairwise(points):
        if start == end:
            raise CannotCompute("two inverts at the same station")
        falls.append(12 * (upper - lower) / (end - start))
    return falls


def _largest_gap(ask: Ask, rows: list[Value], end: Fraction) -> Value:
    """The longest stretch without a station, from station 0 to the end."""
    stations = sorted([Fraction(0), end, *(station for (station,) in _rows_of(ask, rows, "station"))])
    return max(after - before for before, after in pairwise(stations))


def _rows_of(ask: Ask, rows: list[Value], *fields: str) -> list[tuple[Fraction, ...]]:
    missing: list[str] = []
    found: list[tuple[Fraction, ...]] = []
    for row in rows:
        if not isinstance(row, Record):
            raise CannotCompute("rows with stations are needed")
        numbers = []
        for field in fields:
            value = ask.field(row, field)
            if isinstance(value, Fraction):
                numbers.append(value)
            else:
                missing.append(f"{row.path}.{field}")
        found.append(tuple(numbers))
    if missing:
        raise Missing(*missing)
    return found


def _list_path(rows: list[Value]) -> str:
    first = rows[0] if rows else None
    return first.path.rpartition("[")[0] if isinstance(first, Record) else "inverts"


def _zone(ask: Ask) -> str:
    zone = ask.name("timezone")
    return zone if isinstance(zone, str) else calendar.DEFAULT_ZONE


def _local_day(ask: Ask, time: Fraction) -> Value:
    try:
        return Fraction(calendar.local_day(time, _zone(ask)))
    except ValueError as refusal:
        raise CannotCompute(str(refusal)) from None


def _minute_of(ask: Ask, time: Fraction) -> Value:
    try:
        return Fraction(calendar.minute_of_day(time, _zone(ask)))
    except ValueError as refusal:
        raise CannotCompute(str(refusal)) from None


def _business_day_after(ask: Ask, day: Fraction, count: Fraction) -> Value:
    holidays = _holidays(ask)
    if day.denominator != 1 or count.denominator != 1:
        raise CannotCompute("business_day_after needs whole days")
    try:
        return Fraction(calendar.business_day_after(int(day), int(count), holidays))
    except ValueError as refusal:
        raise CannotCompute(str(refusal)) from None


def _last_day(ask: Ask, day: Fraction, count: Fraction) -> Value:
    """The last day of a period of calendar days, moved off Sundays and holidays if the village says so."""
    rule = ask.name("last_day_rule")
    holidays = _holidays(ask)
    if rule is None:
        raise Missing("last_day_rule")
    if day.denominator != 1 or count.denominator != 1:
        raise CannotCompute("last_day needs whole days")
    end = int(day + count)
    return Fraction(calendar.next_secular_day(end, holidays) if rule == "wis_990_001_4" else end)


def _holidays(ask: Ask) -> set[int]:
    """A village that entered no holidays has none, so an empty list is not missing here."""
    rows = ask.name("holidays")
    holidays = set()
    for row in rows if isinstance(rows, list) else []:
        holiday = ask.field(row, "holiday") if isinstance(row, Record) else None
        if isinstance(holiday, Fraction):
            holidays.add(int(holiday))
    return holidays


def _low_of(ask: Ask, result: str) -> Value:
    """The least a laboratory result as reported can mean: `104` is 104, `<5` is 0, `>2420` is 2420."""
    number = read_number(result.lstrip("<>"))
    if number is None:
        raise Missing(ask.path())
    return Fraction(0) if result.startswith("<") else number


def _high_of(ask: Ask, result: str) -> Value:
    """The most a laboratory result as reported can mean; `>2420` has no most."""
    number = read_number(result.lstrip("<>"))
    if number is None or result.startswith(">"):
        raise Missing(ask.path())
    return number


def _typed_in(ask: Ask, number: Fraction, unit: str) -> Value:
    """Whether a measure was typed in this unit, where each method has its own, such as air and water."""
    return ask.typed_unit() == unit


def _is_night(ask: Ask, time: Fraction) -> Value:
    """Whether an instant lies in the night as the village defines it.

    sunset_calc and sunrise_calc are those of the instant's civil day; under the definition `civil` they are
    given as civil dusk and dawn. Either one alone can decide.
    """
    definition, sunset, sunrise = map(ask.name, ("night_definition", "sunset_calc", "sunrise_calc"))
    if definition is not None:
        shift = HALF_HOUR if definition == "half_hour" else 0
        if isinstance(sunset, Fraction) and time >= sunset + shift:
            return True
        if isinstance(sunrise, Fraction) and time < sunrise - shift:
            return True
    named = {"night_definition": definition, "sunset_calc": sunset, "sunrise_calc": sunrise}
    if missing := [name for name, value in named.items() if value is None]:
        raise Missing(*missing)
    return False


def _minutes_to_sunset(ask: Ask, time: Fraction) -> Value:
    """Minutes until sunset_calc, negative after it."""
    sunset = ask.name("sunset_calc")
    if not isinstance(sunset, Fraction):
        raise Missing("sunset_calc")
    return (sunset - time) / 60


Overload = tuple[tuple[str, ...], Callable[..., Value]]
METHODS_ONLY = frozenset({"startsWith", "endsWith", "contains"})
FUNCTIONS: dict[str, tuple[Overload, ...]] = {
    "size": (
        (("text",), lambda ask, text: Fraction(len(text))),
        (("list",), lambda ask, rows: Fraction(len(rows))),
    ),
    "startsWith": ((("text", "text"), lambda ask, text, part: text.startswith(part)),),
    "endsWith": ((("text", "text"), lambda ask, text, part: text.endswith(part)),),
    "contains": ((("text", "text"), lambda ask, text, part: part in text),),
    "double": ((("number",), lambda ask, number: number),),
    "ceil": ((("number",), lambda ask, number: Fraction(math.ceil(number))),),
    "floor": ((("number",), lambda ask, number: Fraction(math.floor(number))),),
    "round": ((("number",), lambda ask, number: Fraction(round_half_up(number))),),
    "min": ((("list",), _least),),
    "max": ((("list",), _most),),
    "sum": ((("list",), _sum),),
    "slopes": ((("list",), _slopes),),
    "largest_gap": ((("list", "number"), _largest_gap),),
    "local_day": ((("number",), _local_day),),
    "minute_of": ((("number",), _minute_of),),
    "business_day_after": ((("number", "number"), _business_day_after),),
    "last_day": ((("number", "number"), _last_day),),
    "low_of": ((("text",), _low_of),),
    "high_of": ((("text",), _high_of),),
    "typed_in": ((("number", "text"), _typed_in),),
    "is_night": ((("number",), _is_night),),
    "minutes_to_sunset": ((("number",), _minutes_to_sunset),),
}
