"""Python and JavaScript give the same outcome, the same missing answers and the same reads."""

from collections import Counter

import pytest

from inspect_app.domain.quantities import Units
from tests.rules_twins.generator import UNITS, Generator
from tests.rules_twins.twins import answer_python, ask_javascript, questions

SEED = 20260604
COUNT = 5000


@pytest.fixture(scope="module")
def cases():
    generator = Generator(SEED)
    return [generator.case() for _ in range(COUNT)]


def outcome(answer):
    if "refused" in answer:
        return "refused"
    if answer["missing"]:
        return "unknown"
    return (
        "error" if answer["error"] else str(answer["value"]) if isinstance(answer["value"], bool) else "value"
    )


def test_both_languages_give_the_same_answer_to_five_thousand_random_questions(cases):
    units = Units(UNITS)
    there = ask_javascript("evaluate.mjs", questions(cases))
    here = [answer_python(case, units) for case in cases]
    different = [(case, mine, its) for case, mine, its in zip(cases, here, there, strict=True) if mine != its]
    assert different == []


def test_the_random_questions_reach_every_outcome_often(cases):
    units = Units(UNITS)
    seen = Counter(outcome(answer_python(case, units)) for case in cases)
    assert all(seen[word] > COUNT * 0.03 for word in ("True", "False", "value", "unknown", "error")), seen
    assert not seen["refused"]
