"""Random answers to the fields that random expressions speak of, some of them missing or unreadable.

What no JSON writer writes but a wire can carry, a number beyond every double, stands in a document as a
marker and is put in by `line`.
"""

import json
import random
from collections.abc import Sequence
from typing import Any

UNITS = {
    "length": {
        "accept": ["in", "ft", "cm"],
        "factor": {"in": "1", "ft": "12", "cm": "50/127"},
    },
    "temperature": {"accept": ["degF", "degC"], "factor": {"degF": "1", "degC": "x * 9/5 + 32"}},
    "pressure": {
        "accept": ["psi", "ft_water"],
        "factor": {"psi": "1", "ft_water": "not converted: each belongs to a test of its own"},
    },
}
WORDS = ["clay", "pvc", "ductile_iron"]
SIDES = ["north", "east", "south", "west"]
COMMON_TEXTS = ["", "pipe", "Ä-12", "πω", "🚧 cone", "zz", "Z"]
# By halves of letters the cone comes before the last one, which is how the JavaScript referee orders texts.
TEXTS = [*COMMON_TEXTS, "Ｚ"]
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
    "pressure": {"type": "measure", "unit": "psi", "accept": "pressure"},
    "ratio": {"type": "number"},
    **{name: {"type": "integer"} for name in ("count_a", "count_b")},
    **{name: {"type": "bool3"} for name in ("yes_a", "yes_b", "yes_c")},
    "flag": {"type": "bool"},
    **{name: {"type": "date"} for name in ("day_a", "day_b")},
    **{name: {"type": "time"} for name in ("time_a", "time_b", "sunset_calc", "sunrise_calc")},
    **{name: {"type": "text"} for name in ("text_a", "text_b", "timezone", "lab_a")},
    "material": {"type": "choice", "choices": WORDS},
    "sides": {"type": "choices", "choices": SIDES},
    "turn": {"type": "clock"},
    "gps": {"type": "place"},
    "village_latitude": {"type": "number"},
    "village_longitude": {"type": "number"},
    # Worked out where they are not answered: of other answers, and of what itself needs what it gives.
    "worked_out": {"type": "number", "computed_from": "yes_a ? first(ratio, length_a / 2.0) : worked_out"},
    "worked_out_again": {"type": "number", "computed_from": "worked_out * 2.0 + worked_out_again"},
    "rows": {"type": "list", "of": _ROW},
    "more_rows": {"type": "list", "of": _ROW},
    "holidays": {"type": "list", "of": {"holiday": {"type": "date"}}},
    "night_definition": {"type": "choice", "choices": ["sunset", "half_hour", "civil"]},
    "series": {"type": "list", "of": {"time": {"type": "time"}, "reading": {"type": "number"}}},
    "rounding": {"type": "choice", "choices": ["half_up", "half_even"]},
    "office_open_saturday": {"type": "bool"},
    "last_day_rule": {"type": "choice", "choices": ["none", "wis_990_001_4"]},
}

DIGITS = "7" * 400
_MARKS = {"@1e400@": "1e400", "@-1e400@": "-1e400", "@400 digits@": DIGITS, "@1e-400@": "1e-400"}
_NO_NUMBERS = [
    *("1,5", "24.", "٣٫٥", "5'6\"", "NaN", "Infinity", "-inf", "1e5", "0x10", "5 7/2", "1/0", "−", " ", "½½"),
    *(True, [6], {"value": "6"}, DIGITS, "7" * 31, "0." + "1" * 31, *_MARKS),
]
_NO_DAYS = ["2026-02-30", "2026-2-3", "2026-13-01", "0000-01-01", "2026-06-18 ", "18.06.2026", 20260618]
_NO_TIMES = ["2026-03-08T02:30:00", "2026-02-30T10:00:00Z", "2026-03-08T24:00:00Z", "17:00", 1780000000]
_NO_CLOCKS = ["0:30", "13:00", "3:60", "3", "12", 3.5, "١:٣٠"]
_NO_LISTS = ["rows", {"0": {}}, 7, [], [[]], [None, {}]]
_ODD = [None, "", [], {}, "yes", 7, True, "1,5", {"value": "x", "unit": "in"}, -0.25, 1e21]


def line(document: Any) -> str:
    """A document as it comes over the wire, with the numbers that JSON writers refuse."""
    text = json.dumps(document)
    if '"@' in text:
        for mark, number in _MARKS.items():
            text = text.replace(f'"{mark}"', number)
    return text


class Documents:
    """Makes answers; its life is one seed.

    `standard`: readable, and such as binary fractions hold exactly; with `decimals` also others.
    """

    def __init__(self, chance: random.Random, standard: bool = False, decimals: bool = False) -> None:
        self.random = chance
        self.standard = standard
        self.texts = COMMON_TEXTS if standard else TEXTS
        self.typed = _DECIMAL if decimals else _EVEN if standard else _TYPED

    def pick(self, items: Sequence[Any]) -> Any:
        return items[int(self.random.random() * len(items))]

    def answers(self) -> dict[str, Any]:
        """One form, an eighth of it not answered and some of it unreadable."""
        chance = self.random.random
        return {name: self.answer(name, spec) for name, spec in FIELDS.items() if chance() >= 0.12}

    def answer(self, name: str, spec: dict[str, Any]) -> Any:
        if not self.standard and self.random.random() < 0.06:
            return self.pick(_ODD) if self.random.random() < 0.4 else self.unreadable(spec)
        return _READABLE.get(spec["type"], Documents.text)(self, name, spec)

    def unreadable(self, spec: dict[str, Any]) -> Any:
        """Nearly an answer: the wrong case, a day that does not exist, a unit that does not belong."""
        match spec["type"]:
            case "measure":
                if self.random.random() < 0.3:
                    return {"value": "6", "unit": self.pick(["IN", "degF", "", None, "parsec"])}
                return {"value": self.pick(_NO_NUMBERS), "unit": spec["unit"]}
            case "number" | "integer":
                return self.pick([*_NO_NUMBERS, 2.5, "1/2"])
            case "bool3" | "bool":
                return self.pick(["Yes", "YES", "true", 1, 0, "no ", ["yes"]])
            case "choice":
                return self.pick(
                    [self.pick(spec["choices"]).upper(), "none of these", [spec["choices"][0]], 0]
                )
            case "choices":
                return self.pick([["North"], ["north", "up"], "north", [["north"]], ["north", None]])
            case "date":
                return self.pick(_NO_DAYS)
            case "time":
                return self.pick(_NO_TIMES)
            case "clock":
                return self.pick(_NO_CLOCKS)
            case "place":
                return self.pick(
                    [{"lat": 91, "lon": 0}, {"lat": "@1e400@", "lon": 0}, {"lat": 43.2}, [43, -89]]
                )
            case "list":
                return self.pick(_NO_LISTS)
        return self.pick([7, ["text"], "\u00a0 ", {"text": ""}])

    def measure(self, name: str, spec: dict[str, Any]) -> Any:
        units = UNITS[spec["accept"]]["accept"]
        return {"value": self.pick(self.typed), "unit": units[0] if self.standard else self.pick(units)}

    def number(self, name: str, spec: dict[str, Any]) -> Any:
        if name == "reading":
            return self.pick(["0", 1, 1, "6.5", 40])
        return self.pick([0.5, "2.25", 6, "-3"] if self.standard else [0.1, 1e-7, "2.25", 6, 12345678.125])

    def integer(self, name: str, spec: dict[str, Any]) -> Any:
        return self.pick([0, 1, 3, "60", 7])

    def bool3(self, name: str, spec: dict[str, Any]) -> Any:
        return self.pick(["yes", "no"] if self.standard else ["yes", "no", "not_checked"])

    def flag(self, name: str, spec: dict[str, Any]) -> Any:
        return self.random.random() < 0.5

    def date(self, name: str, spec: dict[str, Any]) -> Any:
        return self.pick(["2026-03-01", "2026-02-28", "2026-02-27", "2026-03-03", "2024-02-29"])

    def time(self, name: str, spec: dict[str, Any]) -> Any:
        if name == "time":  # of a series
            return f"2026-06-18T10:{self.pick(range(0, 60, 5)):02d}:00-05:00"
        day, time = self.pick(["01-20", "03-08", "11-01"]), self.pick(["00:30", "06:59", "17:00"])
        return f"2026-{day}T{time}:{self.pick(['00', '30.5'])}-06:00"

    def choice(self, name: str, spec: dict[str, Any]) -> Any:
        return self.pick(spec["choices"])

    def choices(self, name: str, spec: dict[str, Any]) -> Any:
        return self.random.sample(spec["choices"], self.random.randint(1, len(spec["choices"])))

    def clock(self, name: str, spec: dict[str, Any]) -> Any:
        return self.pick(["12:00", "3:00", "9:00", "1:30", "0:10", "13:00"])

    def place(self, name: str, spec: dict[str, Any]) -> Any:
        return {"lat": 43.25, "lon": -89.5, "accuracy_m": self.pick([3, 4.5, None])}

    def rows(self, name: str, spec: dict[str, Any]) -> Any:
        chance = self.random.random
        rows = [
            {column: self.answer(column, inner) for column, inner in spec["of"].items() if chance() >= 0.1}
            for _ in range(int(chance() * 5))
        ]
        return [*rows, "not a row"] if not self.standard and chance() < 0.05 else rows

    def text(self, name: str, spec: dict[str, Any]) -> Any:
        if name == "timezone":
            return self.pick(["America/Chicago", "UTC", "Pacific/Kiritimati", "Nowhere/Land"])
        return (
            self.pick(["104", "<5", "> 2420", "ND", "5 J"]) if name == "lab_a" else self.pick(self.texts[1:])
        )


_EVEN = ["0", "5 1/2", "6", "9.25", "24", "-1.5", "100", "5½", "12"]
_DECIMAL = [*_EVEN, "8.3", "4.6", "2.3", "0.1", "0.2", "0.3", "6.1"]
_TYPED = [*_EVEN, "15.24", 8.3, 0.1, "-.5", "⅔"]
_READABLE = {
    "measure": Documents.measure,
    "number": Documents.number,
    "integer": Documents.integer,
    "bool3": Documents.bool3,
    "bool": Documents.flag,
    "date": Documents.date,
    "time": Documents.time,
    "choice": Documents.choice,
    "choices": Documents.choices,
    "clock": Documents.clock,
    "place": Documents.place,
    "list": Documents.rows,
}
