"""Limits and written cases in the words of the ordinance book."""

import re
from collections.abc import Mapping
from typing import Any

from inspect_app.domain.plain import Limit
from inspect_app.domain.plain_names import Names, opening, value_in_words, written_out
from inspect_app.domain.wording import label_of
from inspect_app.services import book

CLOCKS = ("timezone", "clock_offset_s")  # the same in nearly every case
_MOMENT = re.compile(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::(?!00)\d\d)?).*$")  # without seconds of 00
COMPARED = {
    ">": "more than",
    ">=": "at least",
    "<": "less than",
    "<=": "at most",
    "==": "exactly",
    "!=": "not",
}
MOMENTS = {
    ">": "after",
    ">=": "not before",
    "<": "before",
    "<=": "not after",
    "==": "the same as",
    "!=": "not",
}
IS = {
    "violation": "is a violation",
    "warning": "gives a warning",
    "discretion": "is for a decision",
    "not_evaluated": "cannot be judged",
    "information": "is noted",
    "pass": "passes",
}


def limit_words(limit: Limit, rule: Mapping[str, Any], names: Names) -> tuple[str, str, str, str]:
    """What is measured, the limit, the outcome on it and that in words; the last two may be empty."""
    compared = COMPARED[limit.good]
    if limit.field:
        moment = names.is_moment(limit.field, rule)
        compared = MOMENTS[limit.good] if moment else "the same as" if limit.good == "==" else compared
        asked = f"{compared} {names.within(limit.field, rule)}"
    else:
        by = [f"“{names.heading(name, rule)}”" for name in limit.by if name in names.labels]
        asked = f"{compared} {' or '.join(limit.limits)}" + (f", depending on {_and(by)}" if by else "")
    what = names.heading(limit.value, rule) if limit.value else "The value"
    if limit.good in ("==", "!=") or not limit.limits:
        return what, asked, "", ""
    exact = f"Exactly {limit.limits[0]}" if len(limit.limits) == 1 else "Exactly on the limit"
    return what, asked, limit.on, f"{exact} {IS[limit.on]}"


def limit_sentence(limit: Limit, rule: Mapping[str, Any], names: Names) -> str:
    """`Nearest joint: more than 6 in. Exactly 6 in is a violation.`"""
    what, asked, _, on = limit_words(limit, rule, names)
    return f"{what}: {asked}." + (f" {on}." if on else "")


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def case_words(case: book.Case, names: Names) -> dict[str, Any]:
    """A written case: its answers as people call them, and what must come of it."""
    return {
        "name": opening(written_out(case.name)),
        "answers": [
            (names.heading(name, {}), _answer(value))
            for name, value in case.answers.items()
            if name not in CLOCKS
        ],
        "outcome": case.outcome,
        "on_limit": case.on_limit,
        "value": value_in_words(case.value) if case.value else None,
    }


def _answer(value: Any) -> str:
    """An answer on one line; rows of a list one after the other."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return "; ".join(", ".join(_text(part) for part in row.values()) for row in value)
    return _text(value) or "–"


def _text(value: Any) -> str:
    """A plain value in words: a reading with its unit, `BOD5` for a choice."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        if value.keys() <= {"value", "unit"}:
            unit = value.get("unit")  # pH is no unit to a reader
            return f"{value['value']}{label_of(unit if unit != 'ph' else None).replace('_', ' ')}"
        return ", ".join(_text(one) for one in value.values())
    if isinstance(value, list):
        return ", ".join(_text(one) for one in value)
    return _MOMENT.sub(r"\1 \2", value_in_words(str(value)))
