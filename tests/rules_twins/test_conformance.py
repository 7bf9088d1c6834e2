"""The conformance tests of CEL, as far as they stay inside cel-subset/1, in both languages.

They come with a package of test data. Inside the subset is what we parse and whose functions and values we
have.
"""

import json
import re
from fractions import Fraction

import pytest

from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.functions import FUNCTIONS
from inspect_app.domain.quantities import Units
from inspect_app.domain.syntax import parse
from inspect_app.domain.tree import Call, Macro, Name, children
from tests.rules_twins.documents import UNITS
from tests.rules_twins.twins import answer_in_python, differing, javascript_working
from tests.support.availability import unavailable
from tests.support.tree import ROOT

FIELD_OF = {"boolValue": "bool", "int64Value": "number", "doubleValue": "number", "stringValue": "text"}
LEAST = 280

# Where cel-subset/1 differs on purpose: numbers are exact and divide by zero to an error, yes and no have no
# order, and a text does not become a number.
DIFFERENT = re.compile(
    r".*_nan|(not_)?(lt|gt|lte|gte)_bool_.*|bool_lt_right_true|int64_overflow_.*|int64_min_negate.*|int_range"
    r"|string_(zero|neg_zero|zero_dec|no_dec|pos|neg|exp_(pos|neg)_(pos|neg))"
)


def value_of(written):
    """Our value of a value of the tests; KeyError for a kind of value that we do not have."""
    (kind, inner), *more = written.items()
    if more or kind not in {*FIELD_OF, "listValue"}:
        raise KeyError(kind)
    if kind == "listValue":
        return [value_of(item) for item in inner.get("values", ())]
    if kind in ("boolValue", "stringValue"):
        return inner
    number = Fraction(str(inner))  # ValueError for infinities and NaN
    return f"{number.numerator}/{number.denominator}"


def names_and_functions(source):
    """The names that an expression takes from outside, and the functions that it calls."""
    names, bound, functions = set(), set(), set()
    open_nodes = [parse(source)]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Name):
            names.add(node.name)
        elif isinstance(node, Macro):
            bound.add(node.name)
        elif isinstance(node, Call):
            functions.add(node.function)
        open_nodes += children(node)
    return names - bound, functions


def inside(test):
    """(name, question, expected value or None for an error) of a test; None if it is outside the subset."""
    try:
        names, functions = names_and_functions(test["expr"])
        bindings = test.get("bindings", {})
        if functions - FUNCTIONS.keys() or names - bindings.keys() or "container" in test:
            return None
        fields, given = {}, {}
        for name, binding in bindings.items():
            ((kind, inner),) = binding["value"].items()
            fields[name], given[name] = {"type": FIELD_OF[kind]}, inner
        expected = None if "evalError" in test else value_of(test["value"])
    except (ExpressionRefused, KeyError, ValueError):
        return None
    asked = {"expr": test["expr"], "lets": {}, "given": given, "fields": fields}
    return f"{test['suite']}/{test['name']}", asked, expected


@pytest.fixture(scope="module")
def tests():
    if not (ROOT / "node_modules" / "@bufbuild" / "cel-spec").exists():
        unavailable("The package with the conformance tests is not there: run npm ci.")
    with javascript_working("conformance.mjs", []) as lines:
        found = [inside(json.loads(text)) for text in lines()]
    return [test for test in found if test is not None]


def test_python_conforms_except_where_it_differs_on_purpose(tests):
    assert len(tests) >= LEAST
    wrong = []
    for name, asked, expected in tests:
        found = answer_in_python(json.dumps(asked), Units(UNITS))
        if (found["value"] != expected) is not bool(DIFFERENT.fullmatch(name.rpartition("/")[2])):
            wrong.append((name, asked["expr"], expected, found))
    assert wrong == []


def test_javascript_gives_the_same_in_every_conformance_test(tests):
    asked = [json.dumps(asked) for _, asked, _ in tests]
    assert differing(asked) == []
