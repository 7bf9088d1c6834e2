"""Python and JavaScript give the same outcome, the same missing answers and the same reads.

50,000 times in every run, 200,000 times in each round of `make soak`.
"""

import json
import os
from collections import Counter

import pytest

from inspect_app.domain.quantities import Units
from inspect_app.domain.syntax import parse
from tests.rules_twins.documents import UNITS
from tests.rules_twins.generator import Case, Generator
from tests.rules_twins.shrink import simpler_cases, smallest, written
from tests.rules_twins.twins import answer_in_python, differing, question

SEED = int(os.environ.get("TWINS_SEED", "20260604"))  # `make soak` asks other questions in each round
OF_A_PART = 10_000
PARTS = int(os.environ.get("TWINS_PARTS", "5"))  # so that the workers of a parallel run share them


def questions_of(seed: int, count: int) -> list[str]:
    generator = Generator(seed)
    return [question(generator.case()) for _ in range(count)]


def told(seed: int, found: tuple[str, str, str]) -> str:
    """The seed, and the smallest case on which the twins still differ."""

    def differ(cases: list[Case]) -> list[bool]:
        asked = [question(case) for case in cases]
        different = {text for text, *_ in differing(asked)}
        return [text in different for text in asked]

    case = smallest(Case(**json.loads(found[0])), simpler_cases, differ)
    (_, here, there), *_ = differing([question(case)]) or [found]
    return f"Seed {seed}, shrunk:\n  {question(case)}\n  Python:     {here}\n  JavaScript: {there}"


@pytest.mark.parametrize("part", range(PARTS))
def test_both_languages_give_the_same_answer_to_ten_thousand_random_questions(part):
    seed = SEED + part
    different = differing(questions_of(seed, OF_A_PART))
    assert not different, f"{len(different)} differ. {told(seed, different[0])}"


def outcome(answer):
    if "refused" in answer:
        return "refused"
    if answer["missing"]:
        return "unknown"
    return (
        "error" if answer["error"] else str(answer["value"]) if isinstance(answer["value"], bool) else "value"
    )


def test_the_random_questions_reach_every_outcome_often():
    units, count = Units(UNITS), 3000
    seen = Counter(outcome(answer_in_python(asked, units)) for asked in questions_of(SEED, count))
    assert all(seen[word] > count * 0.03 for word in ("True", "False", "value", "unknown", "error")), seen
    assert not seen["refused"]


def test_a_tree_is_written_as_it_was_read():
    generator = Generator(SEED)
    for _ in range(300):
        tree = parse(generator.case().expr)
        assert parse(written(tree)) == tree
