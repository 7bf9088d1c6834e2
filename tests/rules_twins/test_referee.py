"""Two other CEL engines as referees: what we read as the language is what others read as the language.

They may differ where an expression divides, and where arithmetic comes to lie on the limit it is compared
with, since they count in binary fractions; nowhere else.
"""

from fractions import Fraction

import pytest

from inspect_app.domain import syntax
from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.operators import OPERATORS
from inspect_app.domain.quantities import Units
from tests.rules_twins.documents import FIELDS, UNITS
from tests.rules_twins.generator import Generator
from tests.rules_twins.referees import ask_google, ask_library, google_cel, google_environment

SEED = 20260605
COUNT = 5000
PARTS = 2
NEARLY = Fraction(1, 10**9)  # far more than the last bit of a double at these sizes


@pytest.fixture(scope="module")
def environment():
    return google_environment(google_cel())


def ours(case, read=parse):
    return evaluate(read(case.expr), Scope(Answers(FIELDS, Units(UNITS), case.given))).value


@pytest.fixture(scope="module", params=range(PARTS))
def cases(request):
    generator = Generator(SEED + request.param, standard=True)
    return [generator.case() for _ in range(COUNT)]


def test_google_agrees_on_standard_expressions(cases, environment):
    told = [(case, ours(case), ask_google(environment, case)) for case in cases]
    assert [found for found in told if found[1] is not found[2]] == []
    assert sum(found[1] is not None for found in told) > COUNT * 0.4


def test_the_library_agrees_on_standard_expressions(cases):
    told = zip(cases, map(ours, cases), ask_library(cases), strict=True)
    assert [found for found in told if found[1] is not found[2]] == []


@pytest.fixture(scope="module")
def decimal_cases():
    """Readings such as 8.3 in, which no binary fraction holds, and quotients."""
    generator = Generator(SEED + 100, standard=True, decimals=True)
    return [generator.case() for _ in range(COUNT)]


def may_differ(case, monkeypatch) -> bool:
    """Whether the case divides, or compares two numbers that are as good as equal."""
    if "/" in case.expr:
        return True
    close = []

    def watched(operate):
        def run(sign, left, right):
            if type(left) is Fraction and type(right) is Fraction:
                close.append(abs(left - right) < NEARLY)
            return operate(sign, left, right)

        return run

    with monkeypatch.context() as patched:
        for sign in ("<", "<=", ">", ">=", "==", "!="):
            patched.setitem(OPERATORS, sign, watched(OPERATORS[sign]))
        ours(case, syntax.parse.__wrapped__)
    return any(close) or " in [" in case.expr


def test_the_referees_differ_only_where_they_may(decimal_cases, environment, monkeypatch):
    library = ask_library(decimal_cases)
    different = 0
    for case, its in zip(decimal_cases, library, strict=True):
        mine, google = ours(case), ask_google(environment, case)
        if mine is not google or mine is not its:
            different += 1
            assert may_differ(case, monkeypatch), (case, mine, google, its)
    assert different < COUNT * 0.02


def test_numbers_are_exact_where_the_referees_round(environment):
    at_the_limit = "length_a - length_b / 2.0 > 6.0"
    given = {"length_a": {"value": "8.3", "unit": "in"}, "length_b": {"value": "4.6", "unit": "in"}}
    case = Generator(0).case()
    case.expr, case.given = at_the_limit, given
    assert ours(case) is False
    assert ask_google(environment, case) is True
    assert ask_library([case]) == [True]
