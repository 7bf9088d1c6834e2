"""Random expressions about random answers, the same for the same seed.

Expressions are mostly well typed, so that most reach a value; a few are not, because a twin must also fail
alike. With `standard` only what every CEL engine has is used, on numbers that binary fractions hold exactly;
with `decimals` beside it also on others, and with quotients.
"""

import random
from dataclasses import dataclass, field
from typing import Any

from tests.rules_twins.documents import SIDES, WORDS, Documents

_NAMES = {
    "double": [
        "length_a",
        "length_b",
        "length_c",
        "heat",
        "cold",
        "pressure",
        "ratio",
        "gps.lat",
        "gps.accuracy_m",
    ],
    "int": ["count_a", "count_b", "turn"],
    "bool": ["yes_a", "yes_b", "yes_c", "flag"],
    "date": ["day_a", "day_b"],
    "time": ["time_a", "time_b", "sunset_calc"],
    "text": ["text_a", "text_b", "material"],
}
_ROW_NAMES = {
    "double": ["depth", "station"],
    "int": ["count"],
    "bool": ["done"],
    "date": ["day"],
    "text": ["material"],
}
_DAY_FUNCTIONS = ["business_day_after", "last_day", "last_filing_day", "months_after", "years_after"]
_WORKED_OUT = ["worked_out", "worked_out_again"]
_COMPARE = ["<", "<=", ">", ">=", "==", "!="]


@dataclass
class Case:
    """One expression with its lets and the answers it is asked about."""

    expr: str
    lets: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)


class Generator:
    """Makes cases; its life is one seed."""

    def __init__(self, seed: int, standard: bool = False, decimals: bool = False) -> None:
        self.random = random.Random(seed)
        self.standard = standard
        self.decimals = decimals
        self.documents = Documents(self.random, standard, decimals)
        self.lets: dict[str, str] = {}  # name -> kind
        self.rows: list[str] = []  # names bound by a macro

    def case(self) -> Case:
        self.lets = {}
        sources = {}
        if not self.standard and self.chance(0.3):
            for name in ("let_a", "let_b"):
                kind = self.pick(["double", "bool", "date"])
                sources[name] = self.make(kind, 2)
                self.lets[name] = kind
        # A yes or no hides most of what was computed; a number or a text shows it.
        kind = "bool" if self.standard or self.chance(0.7) else self.pick(["double", "int", "text", "date"])
        return Case(self.make(kind, 4), sources, self.documents.answers())

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, items: list[Any]) -> Any:
        return items[int(self.random.random() * len(items))]

    def make(self, kind: str, depth: int) -> str:
        if not self.standard and self.chance(0.01):
            kind = self.pick(["double", "int", "bool", "text", "date", "time"])  # ill typed
        if not self.standard and self.chance(0.02) and depth:
            return f"first({self.make(kind, depth - 1)}, {self.make(kind, depth - 1)})"
        return getattr(self, f"make_{kind}")(depth)

    def leaf(self, kind: str, literal: str) -> str:
        names = [name for name, of in self.lets.items() if of == kind]
        if self.rows and kind in _ROW_NAMES and self.chance(0.6):
            return f"{self.pick(self.rows)}.{self.pick(_ROW_NAMES[kind])}"
        if names and self.chance(0.3):
            return self.pick(names)
        return literal if self.chance(0.35) else self.pick(_NAMES[kind])

    def make_bool(self, depth: int) -> str:
        if not depth or self.chance(0.08):
            return self.leaf("bool", self.pick(["true", "false"]))
        return self.pick(
            [self.logic, self.logic, self.compare, self.compare, self.among, self.macro, self.other_bool]
        )(depth - 1)

    def logic(self, depth: int) -> str:
        left, right = self.make("bool", depth), self.make("bool", depth)
        way = self.random.random()
        if way < 0.35:
            return f"({left} && {right})"
        if way < 0.7:
            return f"({left} || {right})"
        return f"!({left})" if way < 0.85 else f"({left} ? {right} : {self.make('bool', depth)})"

    def compare(self, depth: int) -> str:
        kind = self.pick(["double", "double", "int", "int", "date", "date", "text", "time"])
        return f"({self.make(kind, depth)} {self.pick(_COMPARE)} {self.make(kind, depth)})"

    def among(self, depth: int) -> str:
        if self.chance(0.3):
            return f"'{self.pick(SIDES)}' in sides"
        kind = self.pick(["double", "int", "text"])
        items = ", ".join(self.make(kind, depth) for _ in range(self.random.randint(1, 3)))
        return f"{self.make(kind, depth)} in [{items}]"

    def macro(self, depth: int) -> str:
        word = self.pick(["all", "exists", "exists_one"])
        return f"{self.list_of_rows(depth)}.{word}({self.over_rows(depth, 'bool')})"

    def list_of_rows(self, depth: int) -> str:
        rows = self.pick(["rows", "more_rows"])
        return f"{rows}.filter({self.over_rows(depth, 'bool')})" if depth > 1 and self.chance(0.2) else rows

    def over_rows(self, depth: int, kind: str) -> str:
        name = f"r{len(self.rows)}"
        self.rows.append(name)
        body = self.make(kind, max(depth - 1, 0))
        self.rows.pop()
        return f"{name}, {body}"

    def other_bool(self, depth: int) -> str:
        way = self.random.random()
        if way < 0.3 or self.standard:
            method = self.pick(["startsWith", "endsWith", "contains"])
            return f"{self.make('text', depth)}.{method}({self.make('text', depth)})"
        if way < 0.6:
            return f"is_night({self.make('time', depth)})"
        if way < 0.7:
            return (
                f"typed_in({self.pick(['length_a', 'heat', 'pressure'])}, '{self.pick(['in', 'cm', 'psi'])}')"
            )
        if way < 0.75:
            return (
                f"slug_gap({self.pick(['series', 'series', 'rows'])}, {self.pick(['5.0', '20.0', 'ratio'])})"
            )
        if way < 0.8:
            return f"slopes(rows).all(s, s >= {self.make('double', depth)})"
        return f"({self.pick(['low_of', 'high_of'])}(lab_a) <= {self.make('double', depth)})"

    def make_double(self, depth: int) -> str:
        literal = self.pick(["0.0", "0.5", "6.0", "9.25", "-1.5", "24.0", "100.0", "2.5"])
        if not depth or self.chance(0.3):
            return self.leaf("double", literal)
        left, right = self.make("double", depth - 1), self.make("double", depth - 1)
        way = self.random.random()
        if self.decimals and way > 0.9:
            return f"({left} / {right})"
        if way < 0.5 or self.standard:
            return (
                f"({left} {self.pick(['+', '-', '*'])} {right})"
                if way < 0.9
                else f"double({self.make('int', 1)})"
            )
        if way < 0.65:
            return f"({left} / {right})"
        if way < 0.75:
            return f"{self.pick(['min', 'max', 'sum'])}([{left}, {right}])"
        if way < 0.8:
            numbers = f"{self.list_of_rows(1)}.map({self.over_rows(2, 'double')})"
            return f"{self.pick(['min', 'max', 'sum'])}({numbers})"
        if way < 0.9:
            return f"{self.pick(['ceil', 'floor', 'round', 'cents'])}({self.pick([left, literal])})"
        if way < 0.94:
            return f"largest_gap(rows, {right})"
        if way < 0.97:
            time = self.make("time", 1)
            return self.pick([f"minutes_to_sunset({time})", *_WORKED_OUT])
        return f"-({left})"

    def make_int(self, depth: int) -> str:
        if not depth or self.chance(0.4):
            return self.leaf("int", self.pick(["0", "1", "3", "60", "-2"]))
        way = self.random.random()
        if way < 0.5:
            sign = self.pick(["+", "-", "*"])
            return f"({self.make('int', depth - 1)} {sign} {self.make('int', depth - 1)})"
        if way < 0.75:
            return f"size({self.pick(['rows', 'sides', 'text_a', self.make('text', 1)])})"
        if way < 0.9 or self.standard:
            return f"({self.make('date', depth - 1)} - {self.make('date', depth - 1)})"
        if way < 0.95:
            return f"{self.pick(['year', 'month_day'])}({self.make('date', depth - 1)})"
        return f"minute_of({self.make('time', depth - 1)})"

    def make_date(self, depth: int) -> str:
        if not depth or self.chance(0.5) or self.standard:
            return self.pick([*_NAMES["date"], *(f"{row}.day" for row in self.rows)])
        way = self.random.random()
        if way < 0.4:
            return f"({self.make('date', depth - 1)} {self.pick(['+', '-'])} {self.make('int', 0)})"
        if way < 0.6:
            return f"local_day({self.make('time', depth - 1)})"
        word = self.pick(_DAY_FUNCTIONS)
        return f"{word}({self.make('date', depth - 1)}, {self.make('int', 0)})"

    def make_time(self, depth: int) -> str:
        name = self.pick(_NAMES["time"])
        if depth and not self.standard and self.chance(0.1):
            return f"sunset_of({name})"
        return f"({name} {self.pick(['+', '-'])} {self.make('double', depth - 1)})" if depth > 1 else name

    def make_text(self, depth: int) -> str:
        literal = f"'{self.pick(self.documents.texts + WORDS)}'"
        if depth and self.chance(0.15):
            return f"({self.make('text', depth - 1)} + {self.make('text', depth - 1)})"
        if depth and not self.standard and self.chance(0.15):
            number, places = self.make("double", depth - 1), self.pick(["", "", ", 2", ", 7", ", count_a"])
            if self.chance(0.2):
                return (
                    f"slug(series, {self.pick(['5.0', '2.5', number])}, {self.pick(['1.0', '0.5', number])})"
                )
            return f"text({number}{places})"
        return self.leaf("text", literal)
