"""A rule in plain words, for the ordinance book: its limits, and what lies on either side of them.

Nothing is written by hand for one rule: all of it comes from the rule's own figures, checks and messages,
tried out at the limit. The tablet's twin is static/pwa/screens/plain.js; change both together.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.findings import RANK
from inspect_app.domain.quantities import Units, format_exact
from inspect_app.domain.tree import Choose, Name, Node, Select, children
from inspect_app.domain.values import Record, Value
from inspect_app.domain.wording import holds, label_of

_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)?")


@dataclass(frozen=True)
class Example:
    """A value beside or on a limit, with its unit, and what the rule says about it."""

    value: str
    outcome: str
    on_limit: bool


@dataclass(frozen=True)
class Limit:
    """What a figure of a rule compares with what; names are those of fields and lets."""

    value: str | None  # the name of what is compared; None if it is computed on the spot
    good: str  # the comparison that passes: > >= < <= == !=
    limits: tuple[str, ...]  # with units; several where it depends on `by`
    field: str | None  # the answer that is the limit, where it is no number
    by: tuple[str, ...]  # the names on which it depends which limit holds
    on: str  # the outcome exactly on the limit
    examples: tuple[Example, ...]  # below, on, above; none where the limit is not one number


def limits_of(
    rule: Mapping[str, Any], fields: Mapping[str, Any], units: Units, settings: Mapping[str, Any]
) -> list[Limit]:
    """The limits that a rule has under these settings, in the order of its checks.

    A check that no value of its figure could fail, because a setting switches it off, gives none, nor does
    one that gives the same outcome on both sides.
    """
    trial = _Trial(rule, Answers(fields, units, settings))
    together: dict[tuple[str, str, str | None], list[Mapping[str, Any]]] = {}
    for check in rule.get("checks", ()):
        if figure := check.get("figure"):
            key = (figure["value"], figure["limit"], figure.get("unit"))
            together.setdefault(key, []).append(check)
    return [limit for checks in together.values() if (limit := trial.limit(checks)) is not None]


def requirement_of(rule: Mapping[str, Any]) -> tuple[str, str] | None:
    """The outcome and the sentence that say what a rule without a limit is about; None if it has none."""
    checks = rule.get("checks", ())
    if rule.get("passes"):
        return ("information" if "value" in rule and not checks else "pass"), str(rule["passes"])
    telling = [check for check in checks if "{value}" in check["message"]] or checks[:1]
    return (str(telling[0].get("fails", rule["severity"])), str(telling[0]["message"])) if telling else None


class _Trial:
    """One rule, tried out with values beside its limits; of the answers only settings are known."""

    def __init__(self, rule: Mapping[str, Any], answers: Answers) -> None:
        self.rule = rule
        self.answers = answers
        self.lets = {name: parse(source) for name, source in rule.get("let", {}).items()}

    def limit(self, checks: Sequence[Mapping[str, Any]]) -> Limit | None:
        """The limit that these checks share, or None if it cannot be told or cannot be failed."""
        figure = checks[0]["figure"]
        numbers, by = self._numbers(parse(figure["limit"]))
        path = self._path(figure)
        shown = tuple(dict.fromkeys(self._text(number, figure) for number in numbers))
        if len(shown) == 1:
            return self._one(checks, path, numbers[0])
        name = figure["limit"] if figure["limit"] in self.answers.fields else None
        if not shown and name is None:
            return None
        on = "pass" if "=" in figure["good"] and figure["good"] != "!=" else self._fails(checks[0])
        return Limit(path, figure["good"], shown, name, tuple(by), on, ())

    def _path(self, figure: Mapping[str, Any]) -> str | None:
        """The name of what is compared: for a let that one field gives, the field, which people know."""
        path, given = figure["value"], figure.get("of", ())
        if path in self.lets and len(given) == 1 and not given[0].startswith("item."):
            return str(given[0])
        return path if _PATH.fullmatch(path) else None

    def _one(self, checks: Sequence[Mapping[str, Any]], path: str | None, number: Fraction) -> Limit | None:
        figure = checks[0]["figure"]
        step = Fraction(1) if _is_counted(figure) else _step(number)
        # Nothing that is measured is less than nothing, unless the rule itself asks whether it is.
        down = number > 0 or number < 0 or figure["good"] in (">", ">=")
        near = [value for value in (number - step, number, number + step) if value >= number or down]
        biting = [
            check for check in checks if any(self._passes(check, figure, value) is False for value in near)
        ]
        if not biting:
            return None
        examples = [
            Example(self._text(value, figure), self._outcome(figure, value), value == number)
            for value in near
        ]
        if len({example.outcome for example in examples}) == 1:
            return None  # it divides values, not outcomes
        on = next(example.outcome for example in examples if example.on_limit)
        limit = self._text(number, figure)
        return Limit(path, biting[0]["figure"]["good"], (limit,), None, (), on, tuple(examples))

    def _outcome(self, figure: Mapping[str, Any], value: Fraction) -> str:
        failed = [
            self._fails(check) for check in self.rule["checks"] if self._passes(check, figure, value) is False
        ]
        return min(failed, key=lambda outcome: RANK[outcome], default="pass")

    def _passes(self, check: Mapping[str, Any], figure: Mapping[str, Any], value: Fraction) -> bool | None:
        """Whether a check holds with this value, None if that hangs on something else."""
        scope = self._scope(figure["value"], value)
        result = evaluate(parse(check["expr"]), scope).value
        if isinstance(result, bool):
            return result
        own = check.get("figure")
        if own is None or own["value"] != figure["value"]:
            return None
        limit = evaluate(parse(own["limit"]), scope).value
        return holds(own["good"], value, limit) if isinstance(limit, Fraction) else None

    def _scope(self, path: str | None = None, value: Value = "") -> Scope:
        bound: dict[str, Value] = {}
        if path is not None and path.startswith("item."):
            bound["item"] = Record("item", {path.removeprefix("item."): value}, 1)
        elif path is not None:
            bound[path] = value
        return Scope(self.answers, self.lets, bound)

    def _fails(self, check: Mapping[str, Any]) -> str:
        return str(check.get("fails", self.rule["severity"]))

    def _numbers(self, tree: Node) -> tuple[list[Fraction], list[str]]:
        """The numbers that a limit can be, and the names on which the choice between them depends."""
        number = evaluate(tree, self._scope()).value
        if isinstance(number, Fraction):
            return [number], []
        if isinstance(tree, Name) and tree.name in self.lets:
            return self._numbers(self.lets[tree.name])
        if isinstance(tree, Choose):
            first, by_first = self._numbers(tree.then)
            second, by_second = self._numbers(tree.otherwise)
            if first and second:
                by = [*_names(tree.condition), *by_first, *by_second]
                return first + second, list(dict.fromkeys(by))
        return [], []

    def _text(self, number: Fraction, figure: Mapping[str, Any]) -> str:
        shown = format_exact(number)
        return f"${shown}" if figure.get("unit") == "usd" else f"{shown}{label_of(figure.get('unit'))}"


def _names(tree: Node) -> list[str]:
    if isinstance(tree, Name):
        return [tree.name]
    if isinstance(tree, Select):
        return [tree.field]
    return [name for child in children(tree) for name in _names(child)]


def _is_counted(figure: Mapping[str, Any]) -> bool:
    """Days and things go up by one; what is measured goes up by less."""
    unit = figure.get("unit")
    return unit == "d" or (unit is None and "." not in figure["limit"])


def _step(number: Fraction) -> Fraction:
    """A tenth of the last decimal of a limit: 6 in has 5.9 in beside it, 0.25 in has 0.249 in."""
    step = Fraction(1, 10)
    while (number * step.denominator / 10).denominator != 1 and step.denominator < 10**6:
        step /= 10
    return step
