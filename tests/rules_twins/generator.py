"""Random expressions and answers, the same for the same seed.

Expressions are mostly well typed, so that most reach a value; a few are not, because a twin must also fail
alike. With `standard` only what every CEL engine has is used, on numbers that binary fractions hold exactly.
"""

import random
from dataclasses import dataclass, field
from typing import Any

UNITS = {
    "length": {
        "accept": ["in", "ft", "cm"],
        "factor": {"in": "1", "ft": "12", "cm": "50/127"},
    },
    "temperature": {"accept": ["degF", "degC"], "factor": {"degF": "1", "degC": "x * 9/5 + 32"}},
}
WORDS = ["clay", "pvc", "ductile_iron"]
SIDES = ["north", "east", "south", "west"]
TEXTS = ["", "pipe", "Ä-12", "πω", "🚧 cone", "zz", "Z"]
_LENGTH = {"type": "measure", "unit": "in", "accept": "length"}
_ROW = {
    "depth": _LENGTH,
    "station": {"type": "measure", "unit": "ft", "accept": "length"},
    "elevation": {"type": "measure", "unit": "ft", "accept": "length"},
    "material": {"type": "choice", "choices": WORDS},
    "done": {"type": "bool3"},
    "count": {"type": "integer"},
    "day": {"type": "date"},
}
FIELDS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("length_a", "length_b", "length_c"), _LENGTH),
    "heat": {"type": "measure", "unit": "degF", "accept": "temperature"},
    "cold": {"type": "measure", "unit": "degC", "accept": "temperature"},
    "ratio": {"type": "number"},
    **{name: {"type": "integer"} for name in ("count_a", "count_b")},
    **{name: {"type": "bool3"} for name in ("yes_a", "yes_b", "yes_c")},
    **{name: {"type": "date"} for name in ("day_a", "day_b")},
    **{name: {"type": "time"} for name in ("time_a", "time_b", "sunset_calc", "sunrise_calc")},
    **{name: {"type": "text"} for name in ("text_a", "text_b", "timezone", "lab_a")},
    "material": {"type": "choice", "choices": WORDS},
    "sides": {"type": "choices", "choices": SIDES},
    "turn": {"type": "clock"},
    "gps": {"type": "place"},
    "rows": {"type": "list", "of": _ROW},
    "more_rows": {"type": "list", "of": _ROW},
    "holidays": {"type": "list", "of": {"holiday": {"type": "date"}}},
    "night_definition": {"type": "choice", "choices": ["sunset", "half_hour", "civil"]},
    "last_day_rule": {"type": "choice", "choices": ["none", "wis_990_001_4"]},
}
_NAMES = {
    "double": ["length_a", "length_b", "length_c", "heat", "cold", "ratio", "gps.lat", "gps.accuracy_m"],
    "int": ["count_a", "count_b", "turn"],
    "bool": ["yes_a", "yes_b", "yes_c"],
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
_COMPARE = ["<", "<=", ">", ">=", "==", "!="]


@dataclass
class Case:
    """One expression with its lets and the answers it is asked about."""

    expr: str
    lets: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)


class Generator:
    """Makes cases; its life is one seed."""

    def __init__(self, seed: int, standard: bool = False) -> None:
        self.random = random.Random(seed)
        self.standard = standard
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
        return Case(self.make(kind, 4), sources, self.answers())

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, items: list[Any]) -> Any:
        return self.random.choice(items)

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
            return f"typed_in({self.pick(['length_a', 'heat'])}, '{self.pick(['in', 'cm', 'degC'])}')"
        if way < 0.8:
            return f"slopes(rows).all(s, s >= {self.make('double', depth)})"
        return f"({self.pick(['low_of', 'high_of'])}(lab_a) <= {self.make('double', depth)})"

    def make_double(self, depth: int) -> str:
        literal = self.pick(["0.0", "0.5", "6.0", "9.25", "-1.5", "24.0", "100.0", "2.5"])
        if not depth or self.chance(0.3):
            return self.leaf("double", literal)
        left, right = self.make("double", depth - 1), self.make("double", depth - 1)
        way = self.random.random()
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
            return f"{self.pick(['ceil', 'floor', 'round'])}({self.pick([left, literal])})"
        if way < 0.94:
            return f"largest_gap(rows, {right})"
        if way < 0.97:
            return f"minutes_to_sunset({self.make('time', 1)})"
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
        return f"minute_of({self.make('time', depth - 1)})"

    def make_date(self, depth: int) -> str:
        if not depth or self.chance(0.5) or self.standard:
            return self.pick([*_NAMES["date"], *(f"{row}.day" for row in self.rows)])
        way = self.random.random()
        if way < 0.4:
            return f"({self.make('date', depth - 1)} {self.pick(['+', '-'])} {self.make('int', 0)})"
        if way < 0.6:
            return f"local_day({self.make('time', depth - 1)})"
        word = self.pick(["business_day_after", "last_day"])
        return f"{word}({self.make('date', depth - 1)}, {self.make('int', 0)})"

    def make_time(self, depth: int) -> str:
        name = self.pick(_NAMES["time"])
        return f"({name} {self.pick(['+', '-'])} {self.make('double', depth - 1)})" if depth > 1 else name

    def make_text(self, depth: int) -> str:
        literal = f"'{self.pick(TEXTS + WORDS)}'"
        if depth and self.chance(0.15):
            return f"({self.make('text', depth - 1)} + {self.make('text', depth - 1)})"
        return self.leaf("text", literal)

    def answers(self) -> dict[str, Any]:
        """One form, an eighth of it not answered and some of it unreadable."""
        given = {name: self.answer(name, spec) for name, spec in FIELDS.items()}
        return {name: value for name, value in given.items() if not self.chance(0.12)}

    def answer(self, name: str, spec: dict[str, Any]) -> Any:
        if not self.standard and self.chance(0.05):
            return self.pick(
                [None, "", [], {}, "yes", 7, True, "1,5", {"value": "x", "unit": "in"}, -0.25, 1e21]
            )
        numbers = ["0", "5 1/2", "6", "9.25", "24", "-1.5", "100", "5½", "12"]
        match spec["type"]:
            case "measure":
                units = UNITS[spec["accept"]]["accept"]
                unit = self.pick(units[:1] if self.standard else units)
                return {
                    "value": self.pick(numbers if self.standard else [*numbers, "15.24", 8.3, 0.1]),
                    "unit": unit,
                }
            case "number":
                return self.pick(
                    [0.5, "2.25", 6, "-3"] if self.standard else [0.1, 1e-7, "2.25", 6, 12345678.125]
                )
            case "integer":
                return self.pick([0, 1, 3, "60", 7])
            case "bool3":
                return self.pick(["yes", "no", "not_checked"] if not self.standard else ["yes", "no"])
            case "date":
                return self.pick(["2026-03-01", "2026-02-28", "2026-02-27", "2026-03-03", "2026-02-30"])
            case "time":
                day, time = self.pick(["01-20", "03-08", "11-01"]), self.pick(["00:30", "06:59", "17:00"])
                return f"2026-{day}T{time}:{self.pick(['00', '30.5'])}-06:00"
            case "choice" | "choices":
                words = spec["choices"]
                few = self.random.sample(words, self.random.randint(1, len(words)))
                return self.pick(words) if spec["type"] == "choice" else few
            case "clock":
                return self.pick(["12:00", "3:00", "9:00", "1:30", "0:10", "13:00"])
            case "place":
                return {"lat": 43.25, "lon": -89.5, "accuracy_m": self.pick([3, 4.5, None])}
            case "list":
                rows = [self.row(spec["of"]) for _ in range(self.random.randint(0, 4))]
                return [*rows, "not a row"] if not self.standard and self.chance(0.05) else rows
        if name == "timezone":
            return self.pick(["America/Chicago", "UTC", "Pacific/Kiritimati", "Nowhere/Land"])
        return self.pick(["104", "<5", "> 2420", "ND", "5 J"]) if name == "lab_a" else self.pick(TEXTS[1:])

    def row(self, of: dict[str, Any]) -> dict[str, Any]:
        return {name: self.answer(name, spec) for name, spec in of.items() if not self.chance(0.1)}
