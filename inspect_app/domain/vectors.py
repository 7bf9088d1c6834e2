"""Vectors: inspections with the findings they must give, as villages write them beside their rules.

A file is a JSON list of {"name", "village", "kind", "on", "answers", "context", "settings", "expect"} and,
where they matter, "boundary", "expect_values" and "missing". The form is fixed: files outlive the product.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspect_app.domain import calendar
from inspect_app.domain.findings import OUTCOMES
from inspect_app.domain.packs import Pack
from inspect_app.domain.rule_checks import KINDS

_MAPPINGS = ("answers", "context", "settings", "expect", "expect_values", "missing")


@dataclass(frozen=True)
class Vector:
    """One case. `boundary` None: not compared."""

    name: str
    village: str
    kind: str
    on: str
    expect: Mapping[str, str]
    answers: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    boundary: list[str] | None = None
    expect_values: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, list[str]] = field(default_factory=dict)

    def rules(self) -> set[str]:
        """Every rule of which it says something."""
        return {*self.expect, *self.expect_values, *self.missing, *(self.boundary or ())}


def read_vector(entry: Any) -> Vector:
    """One entry of a file; ValueError says what is wrong with it."""
    if not isinstance(entry, dict):
        raise ValueError("a vector is an object with name, village, kind, on, answers and expect")
    for name in ("name", "village", "kind", "on"):
        if not isinstance(entry.get(name), str) or not entry[name]:
            raise ValueError(f"{name}: a text is needed")
    for name in _MAPPINGS:
        if not isinstance(entry.get(name) or {}, dict):
            raise ValueError(f"{name}: an object is needed")
    if not entry.get("expect") and not entry.get("expect_values"):
        raise ValueError("expect: the outcome of at least one rule is needed")
    if calendar.day_number(entry["on"]) is None:
        raise ValueError(f"on: {entry['on']} is no day YYYY-MM-DD")
    if entry["kind"] not in KINDS:
        raise ValueError(f"kind: {entry['kind']} is not one of {', '.join(KINDS)}")
    for rule, outcome in (entry.get("expect") or {}).items():
        if outcome not in OUTCOMES:
            raise ValueError(f"expect: {outcome!r} of {rule} is not one of {', '.join(OUTCOMES)}")
    for rule, value in (entry.get("expect_values") or {}).items():
        if not isinstance(value, str):
            raise ValueError(f"expect_values: the value of {rule} is a text, numbers as exact decimal text")
    for rule, paths in (entry.get("missing") or {}).items():
        if not _is_list_of_texts(paths):
            raise ValueError(f"missing: {rule} needs a list of fields")
    boundary = entry.get("boundary")
    if boundary is not None and not _is_list_of_texts(boundary):
        raise ValueError("boundary: a list of rules is needed")
    return Vector(
        name=entry["name"],
        village=entry["village"].replace("-", "_"),
        kind=entry["kind"],
        on=entry["on"],
        boundary=boundary,
        **{name: entry.get(name) or {} for name in _MAPPINGS},
    )


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def counts(vectors: Iterable[Vector]) -> Counter[str]:
    """How many vectors say what comes of each rule."""
    return Counter(rule for vector in vectors for rule in {*vector.expect, *vector.expect_values})


def mismatches(vector: Vector, pack: Pack, findings: Iterable[Mapping[str, Any]]) -> list[str]:
    """What did not come out as written, one sentence each; none if the vector passes.

    Findings are in their JSON form. Every rule of `boundary` must lie on its limit; that another one does too
    is no mismatch, since a vector may name only those it is about.
    """
    found = {finding["rule"]: finding for finding in findings}
    said = []
    for rule in sorted(vector.rules() - found.keys()):
        said.append(f"{rule}: {_why_not_judged(rule, vector, pack)}")
    for rule, outcome in vector.expect.items():
        if rule in found and found[rule]["outcome"] != outcome:
            said.append(f"{rule}: expected {outcome}, found {found[rule]['outcome']}{_why(found[rule])}")
    for rule, value in vector.expect_values.items():
        if rule in found and found[rule]["value"] != value:
            said.append(f"{rule}: expected the value {value}, found {_shown(found[rule]['value'])}")
    for rule, paths in vector.missing.items():
        if rule in found and found[rule]["missing"] != sorted(paths):
            missing = ", ".join(found[rule]["missing"])
            said.append(f"{rule}: expected {', '.join(sorted(paths))} to be missing, found {_shown(missing)}")
    for rule in sorted(set(vector.boundary or ()) & found.keys()):
        if not found[rule]["boundary"]:
            said.append(f"{rule}: is not exactly on its limit")
    return said


def _shown(value: str | None) -> str:
    return value or "none"


def _why(finding: Mapping[str, Any]) -> str:
    if finding["missing"]:
        return f" (missing: {', '.join(finding['missing'])})"
    told = finding["figure"] or finding["reason"] or finding["message"]
    return f" ({told})" if told else ""


def _why_not_judged(rule: str, vector: Vector, pack: Pack) -> str:
    named = [one for one in pack.rules if one["id"] == rule]
    if not named:
        return f"there is no such rule in the pack of {pack.village}"
    if any(one.get("status", "executable") != "executable" for one in named):
        return f"is a {named[0]['status']} rule, which is never judged"
    if all(one["in_force_from"] > vector.on for one in named):
        return f"is in force from {named[0]['in_force_from']}, after {vector.on}"
    kinds = ", ".join(sorted({kind for one in named for kind in one["kinds"]}))
    return f"is not judged on a {vector.kind}: its kinds are {kinds}"
