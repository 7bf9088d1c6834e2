"""Numbers, days and times in the sentences of a finding.

The JavaScript twin is static/pwa/rules/wording.js; change both together.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from inspect_app.domain import calendar
from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, parse, value_of
from inspect_app.domain.operators import equals
from inspect_app.domain.quantities import exact_text, format_exact, from_json
from inspect_app.domain.values import Record, Value

NOT_ANSWERED = "–"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_LABELS = {"deg": "°", "°": "°", "degF": " °F", "degC": " °C", "pct": " %", "d": " days"}
_SIGNS = {">": ">", ">=": "≥", "<": "<", "<=": "≤", "==": "=", "!=": "≠"}
_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}


@lru_cache(maxsize=4096)
def _parts(template: str) -> tuple[str, ...]:
    """Words and names of a sentence by turns, the words first."""
    return tuple(_PLACEHOLDER.split(template))


class Wording:
    """Fills the sentences of one rule from one inspection's answers."""

    def __init__(self, rule: Mapping[str, Any], answers: Answers) -> None:
        self.rule = rule
        self.answers = answers

    def fill(self, template: str, scope: Scope, row: Record | None = None, value: str = "") -> str:
        """The template with every `{name}` replaced; what is not answered becomes a dash."""
        if "{" not in template:
            return template
        shown = list(_parts(template))
        for at in range(1, len(shown), 2):
            name = shown[at]
            if name == "row" and row is not None:
                shown[at] = str(row.row)
            elif name == "value" and value:
                shown[at] = value
            else:
                found = value_of(parse(name), scope)
                shown[at] = NOT_ANSWERED if found is None else self.show(found, self._kind(name, row))
        return "".join(shown)

    def show(self, value: Value, kind: str | None = None) -> str:
        """A value as a person reads it; `kind` is the type of the field or let it comes from."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Fraction):
            return self._number(value, kind)
        if isinstance(value, str):
            return value.replace("_", " ") if kind in ("choice", "choices") else value
        if isinstance(value, list):
            return ", ".join(self.show(item, kind) for item in value)
        return NOT_ANSWERED

    def exact(self, value: Value, kind: str | None) -> str:
        """The text of a classification: not rounded, `true` and `false` for yes and no."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, Fraction):
            return self._number(value, kind) if kind else exact_text(value)
        return value if isinstance(value, str) else self.show(value)

    def figure(self, figure: Mapping[str, Any], scope: Scope, row: Record | None) -> str | None:
        """`5.5 in ≤ 6 in`: value, the comparison that was true, limit; None if there is no value."""
        value, limit = self._sides(figure, scope)
        if value is None or limit is None:
            return None
        good = figure["good"]
        sign = _SIGNS[good if holds(good, value, limit) else _OPPOSITE[good]]
        label = label_of(figure.get("unit"))
        shown = [f"{self._number(number, figure.get('type'))}{label}" for number in (value, limit)]
        return f"{self._as_typed(figure.get('of', ()), value, scope, row)}{shown[0]} {sign} {shown[1]}"

    def margin(self, figure: Mapping[str, Any], scope: Scope) -> Fraction | None:
        """How far the figure's value lies from its limit, in the figure's unit; None if it has no value."""
        value, limit = self._sides(figure, scope)
        return None if value is None or limit is None else abs(value - limit)

    def _sides(self, figure: Mapping[str, Any], scope: Scope) -> tuple[Fraction | None, Fraction | None]:
        """Value and limit of a figure, as far as they are numbers."""
        value, limit = value_of(parse(figure["value"]), scope), value_of(parse(figure["limit"]), scope)
        return value if type(value) is Fraction else None, limit if type(limit) is Fraction else None

    def _as_typed(self, paths: list[str], value: Fraction, scope: Scope, row: Record | None) -> str:
        """`15.0 cm = ` where the value was typed in another unit than the field's, otherwise nothing."""
        for path in paths:
            found = value_of(parse(path), scope)
            if type(found) is not Fraction or not equals("==", found, value):
                continue
            spec, raw = self.answers.typed(_place_of(path, row))
            if not isinstance(raw, dict) or not spec or raw["unit"] == spec.get("unit"):
                return ""
            if self.answers.units.convert(value, raw["unit"], str(spec.get("unit"))) is None:
                return ""
            typed = raw["value"]
            number = None if isinstance(typed, str) else from_json(typed)
            text = format_exact(number) if number is not None else str(typed).strip()
            return f"{text}{label_of(raw['unit'])} = "
        return ""

    def _number(self, number: Fraction, kind: str | None) -> str:
        if kind == "date":
            return calendar.day_text(int(number))
        if kind == "clock":
            return calendar.clock_text(int(number))
        if kind == "time":
            zone = self.answers.get("timezone")
            try:
                return calendar.local_time_text(number, str(zone or calendar.DEFAULT_ZONE))
            except ValueError:
                return NOT_ANSWERED
        return format_exact(number)

    def _kind(self, path: str, row: Record | None) -> str | None:
        let_kind: str | None = self.rule.get("let_types", {}).get(path)
        if let_kind or path in self.rule.get("let", {}):
            return let_kind
        spec, _ = self.answers.typed(_place_of(path, row))
        return spec["type"] if spec else None


def _place_of(path: str, row: Record | None) -> str:
    """`lifts[1].depth` for `item.depth` in the second row."""
    return f"{row.path}{path.removeprefix('item')}" if row and path.startswith("item.") else path


def label_of(unit: str | None) -> str:
    return _LABELS.get(unit, f" {unit}") if unit else ""


def holds(sign: str, value: Fraction, limit: Fraction) -> bool:
    if sign in ("==", "!="):
        return (value == limit) is (sign == "==")
    if sign in ("<", ">="):
        return (value < limit) is (sign == "<")
    return (value > limit) is (sign == ">")
