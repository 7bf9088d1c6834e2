"""Random answers to the fields that a village's pack knows, near the limits its rules compare with."""

import random
import re
from typing import Any

from inspect_app.domain.packs import Pack

_LIMIT = re.compile(r"[0-9]+\.[0-9]+")


def random_form(chance: random.Random, pack: Pack) -> dict[str, Any]:
    """Answers and context; a tenth is missing, a few cannot be read, settings keep what is in force."""
    limits = sorted(set(_LIMIT.findall(str(pack.rules))))
    settings = pack.settings_on(None)
    fields = {name: spec for name, spec in pack.data["fields"].items() if name not in settings}
    return {name: _answer(chance, spec, limits) for name, spec in fields.items() if chance.random() > 0.1}


def _answer(chance: random.Random, spec: dict[str, Any], limits: list[str]) -> Any:
    if chance.random() < 0.03:
        return chance.choice([None, "", [], "1,5", 7, {"value": "24.", "unit": "in"}])
    match spec["type"]:
        case "measure":
            unit = chance.choice([spec["unit"], spec["unit"], "cm", "degC", "ft"])
            return {"value": _number(chance, limits), "unit": unit}
        case "number":
            return _number(chance, limits)
        case "integer":
            return chance.randint(0, 5)
        case "bool3":
            return chance.choice(["yes", "no", "not_checked"])
        case "bool":
            return chance.choice([True, False])
        case "choice":
            return chance.choice(spec["choices"])
        case "choices":
            return chance.sample(spec["choices"], chance.randint(1, min(3, len(spec["choices"]))))
        case "date":
            return f"2026-{chance.choice(['05', '06'])}-{chance.randint(1, 31):02d}"
        case "time":
            day, hour = chance.randint(16, 19), chance.randint(0, 23)
            return f"2026-06-{day}T{hour:02d}:{chance.choice(['00', '42'])}:00-05:00"
        case "clock":
            return f"{chance.randint(1, 12)}:{chance.choice(['00', '30'])}"
        case "place":
            return {"lat": 43.0155, "lon": -89.8954, "accuracy_m": chance.choice([3, 5, 5.5])}
        case "list":
            rows = range(chance.randint(0, 3))
            return [
                {name: _answer(chance, inner, limits) for name, inner in spec["of"].items()} for _ in rows
            ]
        case _:
            return chance.choice(["A-1", "104", "<5", "America/Chicago", "07:00"])


def _number(chance: random.Random, limits: list[str]) -> str:
    """A limit of some rule, or a little beside it."""
    limit = chance.choice([*limits, "6.0", "12.0"])
    return chance.choice([limit, f"{limit}1", str(chance.randint(0, 300)), "5 1/2", "0.1"])
