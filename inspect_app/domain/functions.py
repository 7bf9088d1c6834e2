"""The named functions of the rule language, by name and kinds of arguments.

To add one: write it here and in static/pwa/rules/functions.js, give its types in function_types.py, add
vectors. A
function gets `ask` first: `ask.name(...)` reads an answer, `ask.field(...)` a field of a row, None when not
answered. `first(a, b, ...)` is lazy and therefore stands in expression.py.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import cast

from inspect_app.domain import day_functions as days
from inspect_app.domain import slug as slugs
from inspect_app.domain import sun_functions as sun
from inspect_app.domain.asking import Ask, or_cannot, whole_numbers
from inspect_app.domain.quantities import exact_text, read_number, round_half_up
from inspect_app.domain.values import CannotCompute, Missing, Record, Value

MOST_PLACES = 30

_SUN = (
    *("night_definition", "sunset_calc", "sunrise_calc", "timezone"),
    *("gps", "village_latitude", "village_longitude"),
)
# What a function asks for by itself, so that a pack carries it although no expression names it.
READ_BY_FUNCTION = {
    **dict.fromkeys(("is_night", "sunset_of", "minutes_to_sunset"), _SUN),
    "local_day": ("timezone",),
    "minute_of": ("timezone",),
    "business_day_after": ("holidays",),
    "last_day": ("last_day_rule", "holidays"),
    "last_filing_day": ("last_day_rule", "holidays", "office_open_saturday"),
    "cents": ("rounding",),
}


def _least(ask: Ask, numbers: list[Value]) -> Value:
    return min(_numbers("min", numbers))


def _most(ask: Ask, numbers: list[Value]) -> Value:
    return max(_numbers("max", numbers))


def _sum(ask: Ask, numbers: list[Value]) -> Value:
    return sum(_numbers("sum", numbers), Fraction(0))


def _numbers(function: str, values: list[Value]) -> list[Fraction]:
    if {type(value) for value in values} != {Fraction}:
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
            raise CannotCompute("a list of rows is needed")
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


def _slug(ask: Ask, series: list[Value], interval_min: Fraction, average: Fraction) -> Value:
    points = [(at, value) for at, value in _rows_of(ask, series, "time", "reading")]
    return or_cannot(slugs.slug, points, interval_min, average)


def _slug_gap(ask: Ask, series: list[Value], interval_min: Fraction) -> Value:
    return slugs.slug_gap([at for (at,) in _rows_of(ask, series, "time")], interval_min)


def _cents(ask: Ask, amount: Fraction) -> Value:
    """An amount to the cent; `rounding` says where a half cent goes: away from zero, or to the even cent."""
    mode = ask.name("rounding")
    if mode is None:
        raise Missing("rounding")
    cents = amount * 100
    return Fraction(round(cents) if mode == "half_even" else round_half_up(cents), 100)


def _text(ask: Ask, number: Fraction, places: Fraction = Fraction(0)) -> Value:
    """The exact decimal text of a number, with zeros up to so many decimals: money with 2 is `3127.50`."""
    (wanted,) = whole_numbers("text", places)
    if not 0 <= wanted <= MOST_PLACES:
        raise CannotCompute(f"text takes 0 to {MOST_PLACES} decimals")
    shown = exact_text(number)
    whole, _, decimals = shown.partition(".")
    return shown if "/" in shown or len(decimals) >= wanted else f"{whole}.{decimals.ljust(wanted, '0')}"


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
    "local_day": ((("number",), days.local_day),),
    "minute_of": ((("number",), days.minute_of),),
    "business_day_after": ((("number", "number"), days.business_day_after),),
    "last_day": ((("number", "number"), days.last_day),),
    "last_filing_day": ((("number", "number"), days.last_filing_day),),
    "months_after": ((("number", "number"), days.months_after),),
    "years_after": ((("number", "number"), days.years_after),),
    "year": ((("number",), days.year),),
    "month_day": ((("number",), days.month_day),),
    "slug": ((("list", "number", "number"), _slug),),
    "slug_gap": ((("list", "number"), _slug_gap),),
    "cents": ((("number",), _cents),),
    "text": ((("number",), _text), (("number", "number"), _text)),
    "low_of": ((("text",), _low_of),),
    "high_of": ((("text",), _high_of),),
    "typed_in": ((("number", "text"), _typed_in),),
    "is_night": ((("number",), sun.is_night),),
    "sunset_of": ((("number",), sun.sunset_of),),
    "minutes_to_sunset": ((("number",), sun.minutes_to_sunset),),
}
