"""Readings as typed, exact numbers, and units. Nothing here rounds before it compares.

The JavaScript twin is static/pwa/rules/quantities.js; change both together.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeGuard

MOST_DIGITS = 30  # on each side of the point: more is a slip of the hand, and keeps arithmetic cheap
MOST_KEPT = 80  # characters of a reading that is remembered: a form is read anew at every change
LARGEST_EXACT = 2**53  # beyond it JavaScript reads a JSON number as a double, so Python must too

_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
_BLANK = " \t\r\n\u00a0"
_NUMBER = re.compile(
    rf"(?P<minus>[-\u2212]?)(?:"
    rf"(?P<decimal>[0-9]{{1,{MOST_DIGITS}}}(?:\.[0-9]{{1,{MOST_DIGITS}}})?|\.[0-9]{{1,{MOST_DIGITS}}})"
    rf"|(?P<top>[0-9]{{1,4}})[/\u2044](?P<bottom>[0-9]{{1,4}})"
    rf"|(?P<whole>[0-9]{{1,{MOST_DIGITS}}})(?:[ \u00a0]+|-)"
    rf"(?P<over>[0-9]{{1,4}})[/\u2044](?P<under>[0-9]{{1,4}})"
    rf"|(?:(?P<before>[0-9]{{1,{MOST_DIGITS}}})[ \u00a0]*-?)?(?P<vulgar>[{''.join(_VULGAR)}])"
    rf")"
)
_JSON_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_FACTOR = re.compile(r"([0-9]+)(?:/([0-9]+))?")
_LINEAR = re.compile(r"x \* ([0-9]+)/([0-9]+) \+ ([0-9]+)")


def read_number(text: str) -> Fraction | None:
    """The exact number somebody typed, or None if it cannot be read without guessing.

    `5.5`, `.5`, `5 1/2`, `5-1/2`, `5½`, `-0.1` are read.
    `1,5`, `24.`, `5'6"` and digits other than 0 to 9 are not.
    """
    return _kept_number(text) if len(text) <= MOST_KEPT else _number(text)


def _number(text: str) -> Fraction | None:
    found = _NUMBER.fullmatch(text.strip(_BLANK))
    if found is None:
        return None
    number = _magnitude(found)
    return -number if number is not None and found["minus"] else number


_kept_number = lru_cache(maxsize=4096)(_number)


def _magnitude(found: re.Match[str]) -> Fraction | None:
    if found["decimal"]:
        whole, _, decimals = found["decimal"].partition(".")
        return Fraction(int(whole + decimals), 10 ** len(decimals))
    if found["top"]:
        return Fraction(int(found["top"]), int(found["bottom"])) if int(found["bottom"]) else None
    if found["vulgar"]:
        return int(found["before"] or 0) + Fraction(*_VULGAR[found["vulgar"]])
    over, under = int(found["over"]), int(found["under"])
    # 5 7/2 is more likely a slip than eight and a half.
    return int(found["whole"]) + Fraction(over, under) if over < under else None


def why_unreadable(text: str) -> str | None:
    """The sentence to show at the field, or None if the text is empty or can be read."""
    typed = text.strip(_BLANK)
    if not typed or read_number(typed) is not None:
        return None
    shown = typed if len(typed) <= 24 else typed[:24] + "…"
    if re.fullmatch(r"[0-9]{1,30},[0-9]{1,30}", typed):
        return f"{shown} can be read two ways. Type {typed.replace(',', '.')} or {typed.replace(',', '')}."
    if re.fullmatch(r"[0-9.,]*,[0-9.,]*", typed):
        return f"{shown} can be read two ways. Type it with one point and no comma."
    if re.search(f"[0-9]{{{MOST_DIGITS + 1},}}", typed):
        return f"{shown} is longer than {MOST_DIGITS} digits. Type the reading as the instrument shows it."
    if re.fullmatch(r"[0-9]{1,30}\.", typed):
        return f"{shown} ends with a point. Type {typed[:-1]} or {typed}0."
    if re.search(r"['\"′″’”]", typed):
        return f"{shown} holds two units. Type one number and choose its unit."
    if re.search(r"[0-9]/0+$", typed):
        return f"{shown} divides by nothing. Type a fraction such as 5 1/2."
    if re.search(r"[0-9][ -][0-9]+/[0-9]", typed):
        return f"{shown} has more than one whole in its fraction. Type it as 5 1/2 or 5.5."
    if re.search(r"[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]", typed):
        return f"{shown} is in digits this form does not read. Type it with 0 to 9 and a point."
    if re.search(r"[0-9]", typed) and re.search(r"[A-Za-z°%]", typed):
        return f"{shown} is more than a number. Type the number alone and choose its unit."
    return f"{shown} is not a number. Type it as 5.5 or 5 1/2."


def from_json(value: object) -> Fraction | None:
    """The exact number of an answer: text as typed, or a JSON number by its shortest decimal text."""
    if isinstance(value, str):
        return read_number(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_EXACT:
        return Fraction(value)
    if is_number(value):
        try:
            return _of_double(float(value))
        except OverflowError:
            return None
    return None


@lru_cache(maxsize=1024)
def _of_double(value: float) -> Fraction | None:
    found = _JSON_NUMBER.fullmatch(repr(value))
    if found is None:  # infinities
        return None
    minus, whole, decimals, power = found.groups()
    decimals = decimals or ""
    number = int(whole + decimals) * Fraction(10) ** (int(power or 0) - len(decimals))
    return -number if minus else number


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a JSON value is a number; in Python true and false would count as 1 and 0."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def round_half_up(number: Fraction) -> int:
    """The nearest whole number; a half goes away from zero."""
    doubled = (2 * abs(number.numerator) + number.denominator) // (2 * number.denominator)
    return doubled if number >= 0 else -doubled


def exact_text(number: Fraction) -> str:
    """The number without any rounding: decimal text where it ends, otherwise `17/3`."""
    places = _places(number)
    return f"{number.numerator}/{number.denominator}" if places is None else _decimal_text(number, places)


def format_exact(number: Fraction) -> str:
    """Decimal text for display: exact within six decimals, otherwise rounded half up to three."""
    return _formatted(*number.as_integer_ratio())


@lru_cache(maxsize=1024)
def _formatted(top: int, bottom: int) -> str:
    number = Fraction(top, bottom)
    places = _places(number)
    if places is not None and places <= 6:
        return _decimal_text(number, places)
    return _decimal_text(Fraction(round_half_up(number * 1000), 1000), 3)


def _places(number: Fraction) -> int | None:
    """How many decimals the number has, or None if they never end."""
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _decimal_text(number: Fraction, places: int) -> str:
    scaled = abs(number.numerator) * 10**places // number.denominator
    digits = str(scaled).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if number < 0 and scaled else text


_Line = tuple[Fraction, Fraction]  # scale and offset


class Units:
    """The table of units that belong together, with exact factors to the first of each row.

    The table is the one of the field dictionary: `{row: {"accept": [unit], "factor": {unit: text}}}`. A
    factor is `50/127`, `x * 9/5 + 32`, or words, which mean that the unit is accepted but never converted.
    """

    def __init__(self, table: Mapping[str, Mapping[str, Any]]) -> None:
        self.rows = {row: list(entry["accept"]) for row, entry in table.items()}
        self._taken_as_typed = {
            row
            for row, entry in table.items()
            if any("not converted" in text for text in entry["factor"].values())
        }
        self._factors = {
            row: {unit: _factor(text) for unit, text in entry["factor"].items()}
            for row, entry in table.items()
        }
        self._lines: dict[tuple[str, str, str], _Line] = {}

    def convert(
        self, number: Fraction, from_unit: str, to_unit: str, rows: Iterable[str] | None = None
    ) -> Fraction | None:
        """The same quantity in another unit, or None if the two do not convert into each other.

        `rows` limits the search to the rows a field accepts, since ppm stands in more than one.
        """
        names = self._factors if rows is None else rows
        for row in names:
            factors = self._factors.get(row, {})
            if from_unit in factors and to_unit in factors:
                if from_unit == to_unit:
                    return number
                start, end = factors[from_unit], factors[to_unit]
                if start and end:
                    scale, offset = self._line(row, from_unit, to_unit, start, end)
                    return number * scale + offset if offset else number * scale
        return None

    def _line(self, row: str, from_unit: str, to_unit: str, start: _Line, end: _Line) -> _Line:
        """Scale and offset from one unit of a row to another."""
        pair = row, from_unit, to_unit
        if pair not in self._lines:
            self._lines[pair] = start[0] / end[0], (start[1] - end[1]) / end[0]
        return self._lines[pair]

    def read(self, number: Fraction, typed_unit: str, unit: str, rows: Iterable[str]) -> Fraction | None:
        """The number a rule compares: converted, or as typed where the units of a row belong to methods.

        Pressure is such a row: air is tested in psi and water in feet of water, and the rule asks `typed_in`.
        """
        for row in rows:
            if row in self._taken_as_typed:
                units = self.rows[row]
                if typed_unit in units and unit in units:
                    return number
        return self.convert(number, typed_unit, unit, rows)


def _factor(text: str) -> _Line | None:
    """Scale and offset of a factor, or None for a unit that is not converted."""
    if plain := _FACTOR.fullmatch(text):
        return Fraction(int(plain[1]), int(plain[2] or 1)), Fraction(0)
    if linear := _LINEAR.fullmatch(text):
        return Fraction(int(linear[1]), int(linear[2])), Fraction(int(linear[3]))
    return None


def convert(number: Fraction, from_unit: str, to_unit: str, units: Units) -> Fraction | None:
    """The same quantity in another unit; see Units.convert."""
    return units.convert(number, from_unit, to_unit)
