"""From answers as typed to the values a rule compares: exact numbers in the field's unit, days, texts.

Whatever cannot be read is not answered. Settings and context come the same way. The JavaScript twin is
static/pwa/rules/answers.js; change both together.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from inspect_app.domain import calendar
from inspect_app.domain.expression import evaluate, parse
from inspect_app.domain.quantities import Units, from_json
from inspect_app.domain.scope import Result, Scope
from inspect_app.domain.values import Record, Value

Spec = Mapping[str, Any]

# The unit in which a reading of each parameter is compared (fields of unit by_param).
UNIT_OF_PARAM = {"ph": "ph", "temperature": "degF", "chlorine": "mg/l", "chlorine_residual": "mg/l"}
_BLANK = " \t\r\n\u00a0"


class Answers:
    """One inspection's answers, context and settings by flat name; each is read when it is first asked."""

    def __init__(
        self,
        fields: Mapping[str, Spec],
        units: Units,
        given: Mapping[str, Any],
        otherwise: Mapping[str, Any] | None = None,
    ) -> None:
        """`otherwise` is what is known where nothing is given that can be read."""
        self.fields = fields
        self.units = units
        self.given = given
        self.otherwise = otherwise or {}
        self._read: dict[str, Value | None] = {}
        self._derived: dict[str, Result] = {}

    def get(self, name: str) -> Value | None:
        """The value under a name, or None if it is not answered."""
        if name in self._read:
            return self._read[name]
        spec, raw = self.fields.get(name), self.given.get(name)
        value = read_answer(spec, raw, self.units, name) if spec else None
        if value is None and spec and name in self.otherwise:
            value = read_answer(spec, self.otherwise[name], self.units, name)
        self._read[name] = value
        return value

    def derived(self, name: str) -> Result | None:
        """What `computed_from` of a field that is not answered gives; None where it has none.

        Within it the field's own name is not answered: so it says that the field itself is needed.
        """
        source = self.fields.get(name, {}).get("computed_from")
        if source is None:
            return None
        if name not in self._derived:
            self._derived[name] = Result(missing=frozenset([name]))  # holds while it is being computed
            self._derived[name] = evaluate(parse(source), Scope(self))
        return self._derived[name]

    def typed(self, path: str) -> tuple[Spec | None, Any]:
        """Field and raw answer under `name` or `list[0].name`; (None, None) if there is no such field."""
        name, _, inner = path.partition("[")
        spec, raw = self.fields.get(name), self.given.get(name)
        index, _, field = inner.partition("].")
        if not inner:
            return spec, raw
        row = raw[int(index)] if isinstance(raw, list) and int(index) < len(raw) else None
        return (spec or {}).get("of", {}).get(field), row.get(field) if isinstance(row, dict) else None

    def typed_unit(self, path: str) -> str | None:
        """The unit in which the measure under a path was typed."""
        _, raw = self.typed(path)
        return raw.get("unit") if isinstance(raw, dict) else None


def read_answer(spec: Spec, raw: Any, units: Units, path: str) -> Value | None:
    """The value of one answer by the type of its field, or None if it is not answered."""
    if raw is None:
        return None
    match spec["type"]:  # the most frequent types first
        case "choice":
            return raw if isinstance(raw, str) and raw in spec["choices"] else None
        case "measure":
            return _measure(raw, spec.get("unit"), spec.get("accept"), units)
        case "text" | "photo" | "signature":
            return raw if isinstance(raw, str) and raw.strip(_BLANK) else None
        case "time":
            return calendar.instant(raw) if isinstance(raw, str) else None
        case "number":
            return from_json(raw)
        case "integer":
            number = from_json(raw)
            return number if number is not None and number.denominator == 1 else None
        case "bool3":
            return raw == "yes" if raw in ("yes", "no") and isinstance(raw, str) else None
        case "bool":
            return raw if isinstance(raw, bool) else None
        case "choices":
            return _choices(raw, spec["choices"])
        case "date":
            return _whole(calendar.day_number(raw)) if isinstance(raw, str) else None
        case "clock":
            return _whole(calendar.clock_minutes(raw)) if isinstance(raw, str) else None
        case "place":
            return _place(raw, path)
        case "list":
            if not isinstance(raw, list) or not raw:
                return None
            return [_row(spec["of"], row, units, path, number) for number, row in enumerate(raw, 1)]
    return None


def _whole(number: int | None) -> Fraction | None:
    return None if number is None else Fraction(number)


def _measure(raw: Any, unit: Any, accept: Any, units: Units) -> Fraction | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("unit"), str) or not isinstance(unit, str):
        return None
    number = from_json(raw.get("value"))
    rows = accept if isinstance(accept, list) else [accept]
    return None if number is None else units.read(number, raw["unit"], unit, rows)


def _choices(raw: Any, choices: list[str]) -> Value | None:
    """One word that is not in the list makes the whole answer unreadable: half an answer could pass."""
    if not isinstance(raw, list) or not raw:
        return None
    return list(raw) if all(isinstance(word, str) and word in choices for word in raw) else None


def _place(raw: Any, path: str) -> Record | None:
    if not isinstance(raw, dict):
        return None
    lat, lon, accuracy = (from_json(raw.get(part)) for part in ("lat", "lon", "accuracy_m"))
    if lat is None or lon is None or _is_beyond(lat, 90) or _is_beyond(lon, 180):
        return None
    fields: dict[str, Value] = {"lat": lat, "lon": lon}
    if accuracy is not None:
        fields["accuracy_m"] = accuracy
    return Record(path, fields)


def _is_beyond(number: Fraction, limit: int) -> bool:
    return abs(number.numerator) > limit * number.denominator


def _row(of: Mapping[str, Spec], raw: Any, units: Units, path: str, number: int) -> Record:
    """A row keeps its place even if nothing in it can be read."""
    here = f"{path}[{number - 1}]"
    fields: dict[str, Value] = {}
    for name, answer in raw.items() if isinstance(raw, dict) else ():
        spec = of.get(name)
        if spec is None or answer is None:
            continue
        if spec.get("unit") == "by_param":
            spec = {**spec, "unit": UNIT_OF_PARAM.get(str(raw.get("param")))}
        value = read_answer(spec, answer, units, f"{here}.{name}")
        if value is not None:
            fields[name] = value
    return Record(here, fields, number)
