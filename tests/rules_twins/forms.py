"""Random answers to all the fields of a village's pack, close to the limits that its rules compare with."""

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from inspect_app.domain.packs import Pack
from inspect_app.domain.quantities import exact_text
from inspect_app.store.villages import names_read

TODAY = date(2026, 6, 18)
_NUMBER = re.compile(r"(?<![\w.'])[0-9]+(?:\.[0-9]+)?(?![\w.'])")
_WORD = re.compile(r"'([^']*)'")
_UNREADABLE = [
    *(None, "", [], {}, "1,5", 7, True, "Yes", "@1e400@", "2026-02-30", [None], [[]], {"value": "24."}),
    *({"value": "NaN", "unit": "in"}, {"value": "6", "unit": "parsec"}, {"value": ["6"], "unit": "in"}),
]


class Forms:
    """Makes inspections of one village; its life is one seed."""

    def __init__(self, seed: int, pack: Pack) -> None:
        self.random = random.Random(seed)
        self.pack = pack
        settings = pack.settings_on(None)
        self.fields = {name: spec for name, spec in pack.data["fields"].items() if name not in settings}
        self.limits: dict[str, set[str]] = defaultdict(set)  # field -> numbers of the rules that read it
        self.words: dict[str, set[str]] = defaultdict(set)
        for rule in pack.rules:
            text = " ".join(_sources(rule))
            for name in names_read([rule]) | set(re.findall(r"\.(\w+)", text)):
                self.limits[name] |= set(_NUMBER.findall(text))
                self.words[name] |= set(_WORD.findall(text))

    def pick(self, items: Sequence[Any]) -> Any:
        return items[int(self.random.random() * len(items))]

    def answers(self) -> dict[str, Any]:
        """Answers and context. Of one form almost all is answered, of another half; a few cannot be read."""
        missing = self.pick([0.02, 0.1, 0.5])
        chance = self.random.random
        return {name: self.answer(name, spec) for name, spec in self.fields.items() if chance() > missing}

    def settings(self) -> dict[str, Any]:
        """Now and then a setting of another village, so that every branch of a rule is walked."""
        others = {}
        for name in self.pack.settings_on(None):
            if self.random.random() < 0.05:
                others[name] = self.answer(name, self.pack.data["fields"][name])
        return others

    def answer(self, name: str, spec: dict[str, Any]) -> Any:
        if self.random.random() < 0.03:
            return self.pick(_UNREADABLE)
        match spec["type"]:
            case "measure":
                return self.measure(name, spec)
            case "number":
                return self.number(name)
            case "integer":
                return int(self.random.random() * 6) if self.random.random() < 0.5 else self.whole(name)
            case "bool3":
                return self.pick(["yes", "no", "yes", "no", "not_checked"])
            case "bool":
                return self.random.random() < 0.5
            case "choice":
                word = self.pick(spec["choices"])
                return word if self.random.random() > 0.02 else word.title()
            case "choices":
                most = min(3, len(spec["choices"]))
                return self.random.sample(spec["choices"], self.random.randint(1, most))
            case "date":
                return str(self.day(name))
            case "time":
                minute = self.pick(["00", "15", "42"])
                return f"{self.day(name)}T{self.random.randint(0, 23):02d}:{minute}:00-05:00"
            case "clock":
                return f"{self.random.randint(1, 12)}:{self.pick(['00', '30', '01'])}"
            case "place":
                return {"lat": 43.0155, "lon": -89.8954, "accuracy_m": self.pick([3, 5, 5.5])}
            case "list":
                return [self.row(spec["of"]) for _ in range(self.random.randint(0, 3))]
        return self.text(name)

    def row(self, of: dict[str, Any]) -> dict[str, Any]:
        return {name: self.answer(name, inner) for name, inner in of.items() if self.random.random() > 0.05}

    def measure(self, name: str, spec: dict[str, Any]) -> Any:
        """On a limit, beside it, or the limit in another unit of the row."""
        accept = spec["accept"] if isinstance(spec["accept"], list) else [spec["accept"]]
        units = [unit for row in accept for unit in self.pack.data["units"][row]["accept"]]
        unit = self.pick(units) if spec["unit"] == "by_param" else spec["unit"]
        value = self.number(name)
        if self.random.random() < 0.3:
            other = self.pick(units)
            converted = self.pack.units.convert(Fraction(value), unit, other, accept)
            if converted is not None and "/" not in exact_text(converted):
                return {"value": exact_text(converted), "unit": other}
            unit = other
        return {"value": value, "unit": unit}

    def number(self, name: str) -> str:
        limits = sorted(self.limits[name])
        if not limits or self.random.random() < 0.2:
            return str(self.pick([0, 1, 5.5, 0.25, 40, 300, 12000]))
        limit = Fraction(self.pick(limits))
        step = self.pick([0, 0, Fraction(1, 100), Fraction(-1, 100), 1, -1, limit])
        return exact_text(limit + step)

    def whole(self, name: str) -> int:
        limits = [int(limit) for limit in sorted(self.limits[name]) if "." not in limit]
        return self.pick(limits) + self.pick([-1, 0, 1]) if limits else int(self.random.random() * 100)

    def day(self, name: str) -> date:
        """A day as far from the others as a rule counts, or one more or less."""
        spans = [int(limit) for limit in sorted(self.limits[name]) if "." not in limit and int(limit) < 1500]
        if not spans or self.random.random() < 0.3:
            return TODAY + timedelta(days=self.random.randint(-3, 3))
        return TODAY + timedelta(days=self.pick([-1, 1]) * self.pick(spans) + self.pick([-1, 0, 0, 1]))

    def text(self, name: str) -> str:
        if name == "timezone":
            return "America/Chicago"
        return self.pick([*sorted(self.words[name]), "A-1", "104", "<5", ">2420", "07:00", "Ä 🚧", "\u00a0"])


def _sources(part: Any) -> list[str]:
    """Every text of a rule that may be an expression."""
    if isinstance(part, str):
        return [part]
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return [text for piece in inner for text in _sources(piece)]
