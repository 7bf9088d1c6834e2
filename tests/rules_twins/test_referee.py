"""Google's CEL runtime as referee: what we read as the language is what others read as the language."""

import pytest

from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.quantities import Units
from inspect_app.domain.values import Record
from tests.rules_twins.generator import FIELDS, UNITS, Generator
from tests.support.availability import unavailable

SEED = 20260605
COUNT = 2000
WHOLE = {"integer", "date", "clock"}


@pytest.fixture(scope="module")
def cel():
    try:
        from cel_expr_python import cel
    except ImportError:
        unavailable("Google's CEL runtime has no package for this machine.")
    return cel


@pytest.fixture(scope="module")
def environment(cel):
    kinds = cel.Type
    simple = {"measure": kinds.DOUBLE, "number": kinds.DOUBLE, "time": kinds.DOUBLE, "bool3": kinds.BOOL}
    simple |= {"integer": kinds.INT, "date": kinds.INT, "clock": kinds.INT}
    simple |= {"text": kinds.STRING, "choice": kinds.STRING, "choices": kinds.List(kinds.STRING)}
    simple |= {"place": kinds.Map(kinds.STRING, kinds.DOUBLE)}
    rows = kinds.List(kinds.Map(kinds.STRING, kinds.DYN))
    return cel.NewEnv(variables={name: simple.get(spec["type"], rows) for name, spec in FIELDS.items()})


def as_cel(value, spec):
    """Our value as the referee takes it: doubles and whole numbers apart, rows as maps."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, Record):
        of = spec.get("of") or {}
        return {name: as_cel(inner, of.get(name, {"type": "number"})) for name, inner in value.fields.items()}
    if isinstance(value, list):
        return [as_cel(item, spec) for item in value]
    return int(value) if spec["type"] in WHOLE else float(value)


def test_the_referee_agrees_on_two_thousand_standard_expressions(environment):
    generator = Generator(SEED, standard=True)
    units = Units(UNITS)
    different, decided = [], 0
    for _ in range(COUNT):
        case = generator.case()
        answers = Answers(FIELDS, units, case.given)
        ours = evaluate(parse(case.expr), Scope(answers))
        known = {name: answers.get(name) for name in FIELDS}
        data = {name: as_cel(value, FIELDS[name]) for name, value in known.items() if value is not None}
        theirs = environment.compile(case.expr).eval(data=data).plain_value()
        theirs = theirs if isinstance(theirs, bool) else None  # a missing answer is an error there
        decided += theirs is not None
        if ours.value != theirs:
            different.append((case, ours, theirs))
    assert different == []
    assert decided > COUNT * 0.4


def test_numbers_are_exact_where_the_referee_rounds(environment):
    at_the_limit = "length_a - length_b / 2.0 > 6.0"
    given = {"length_a": {"value": "8.3", "unit": "in"}, "length_b": {"value": "4.6", "unit": "in"}}
    ours = evaluate(parse(at_the_limit), Scope(Answers(FIELDS, Units(UNITS), given)))
    theirs = environment.compile(at_the_limit).eval(data={"length_a": 8.3, "length_b": 4.6})
    assert ours.value is False
    assert theirs.plain_value() is True
