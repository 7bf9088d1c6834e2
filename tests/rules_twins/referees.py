"""Two other engines for the same language: Google's CEL runtime in Python, a CEL library in JavaScript.

Both count in binary fractions, and an unknown answer is an error to them.
"""

import json
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.quantities import Units
from inspect_app.domain.values import Record
from tests.rules_twins.documents import FIELDS, UNITS
from tests.rules_twins.generator import Case
from tests.rules_twins.twins import javascript_working
from tests.support.availability import unavailable

WHOLE = {"integer", "date", "clock"}
_TYPES = {
    **dict.fromkeys(("measure", "number", "time"), "double"),
    **dict.fromkeys(("bool3", "bool"), "bool"),
    **dict.fromkeys(WHOLE, "int"),
    **dict.fromkeys(("text", "choice"), "string"),
    "choices": "list<string>",
    "place": "map<string, double>",
    "list": "list<map<string, dyn>>",
}


def google_cel():
    try:
        from cel_expr_python import cel
    except ImportError:
        unavailable("Google's CEL runtime has no package for this machine.")
    return cel


def google_environment(cel):
    """Every field of the random documents, declared to Google's runtime."""
    kinds = cel.Type
    known = {
        "double": kinds.DOUBLE,
        "bool": kinds.BOOL,
        "int": kinds.INT,
        "string": kinds.STRING,
        "list<string>": kinds.List(kinds.STRING),
        "map<string, double>": kinds.Map(kinds.STRING, kinds.DOUBLE),
        "list<map<string, dyn>>": kinds.List(kinds.Map(kinds.STRING, kinds.DYN)),
    }
    return cel.NewEnv(variables={name: known[_TYPES[spec["type"]]] for name, spec in FIELDS.items()})


def data_of(case: Case) -> dict[str, Any]:
    """The answers of a case as the referees take them: doubles and whole numbers apart, rows as maps."""
    answers = Answers(FIELDS, Units(UNITS), case.given)
    known = {name: answers.get(name) for name in FIELDS}
    return {name: _as_cel(value, FIELDS[name]) for name, value in known.items() if value is not None}


def _as_cel(value: Any, spec: dict[str, Any]) -> Any:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, Record):
        of = spec.get("of") or {}
        return {
            name: _as_cel(inner, of.get(name, {"type": "number"})) for name, inner in value.fields.items()
        }
    if isinstance(value, list):
        return [_as_cel(item, spec) for item in value]
    return int(value) if spec["type"] in WHOLE else float(value)


def ask_google(environment, case: Case) -> bool | None:
    """True, false, or None for everything that is no yes or no, such as a missing answer."""
    found = environment.compile(case.expr).eval(data=data_of(case)).plain_value()
    return found if isinstance(found, bool) else None


def ask_library(cases: list[Case]) -> list[bool | None]:
    """The same of the JavaScript library."""
    head = {name: _TYPES[spec["type"]] for name, spec in FIELDS.items()}
    asked = [{"expr": case.expr, "data": _tagged(data_of(case))} for case in cases]
    with javascript_working("referee.mjs", map(json.dumps, [head, *asked])) as answers:
        return [json.loads(text) for text in answers()]


def _tagged(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tagged(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return ["list", [_tagged(item) for item in value]]
    return ["int", str(value)] if type(value) is int else value
