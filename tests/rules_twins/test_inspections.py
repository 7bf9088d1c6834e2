"""Whole random inspections of both villages: tablet and server find the same, to the last word."""

import dataclasses
import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from inspect_app.domain import rules
from inspect_app.store import villages
from inspect_app.store.villages import KINDS
from tests.rules_twins.documents import line
from tests.rules_twins.forms import TODAY, Forms
from tests.rules_twins.shrink import simpler_answers, smallest
from tests.rules_twins.twins import RULES_JS, compact, javascript_working

SEED = int(os.environ.get("TWINS_SEED", "20260606"))
FORMS_OF_A_KIND = 150
VILLAGES = ("barneveld", "howards_grove")
OFFICE = "office"
FLOWS = [(village, kind) for village in VILLAGES for kind in (*KINDS, OFFICE)]


@dataclass
class Visit:
    """One inspection to judge; of the kind `office` also with the rules that rest on records beside it."""

    village: str
    kind: str
    answers: dict[str, Any]
    settings: dict[str, Any]

    def asked(self) -> str:
        beside = self.kind == OFFICE
        return line({**dataclasses.asdict(self), "pack": self.village, "on": str(TODAY), "beside": beside})


def pack_of(village):
    return villages.pack_of(village, TODAY)


def visits(village: str, kind: str, count: int, seed: int = SEED) -> list[Visit]:
    forms = Forms(seed, pack_of(village))
    return [Visit(village, kind, forms.answers(), forms.settings()) for _ in range(count)]


def judged_here(asked: str) -> list[dict[str, Any]]:
    visit = json.loads(asked)
    found = rules.evaluate(
        pack_of(visit["village"]),
        visit["kind"],
        visit["answers"],
        None,
        visit["settings"],
        visit["on"],
        beside=visit["beside"],
    )
    return [finding.to_json() for finding in found]


def differing(asked: list[str], folder=RULES_JS) -> list[tuple[str, Any, Any]]:
    """(inspection, Python's findings, the tablet's) where one of the findings is not the same."""
    head = json.dumps({"packs": {village: pack_of(village).data for village in VILLAGES}})
    with javascript_working("run_vectors.mjs", [head, *asked], folder) as answers:
        here = [judged_here(text) for text in asked]
        there = map(json.loads, answers())
        return [found for found in zip(asked, here, there, strict=True) if found[1] != found[2]]


def told(asked: str) -> str:
    """The smallest inspection on which the two still differ, and the findings that do."""

    def simpler(visit):
        for answers in simpler_answers(visit.answers):
            yield dataclasses.replace(visit, answers=answers)
        for settings in simpler_answers(visit.settings):
            yield dataclasses.replace(visit, settings=settings)

    def differ(tries):
        different = {text for text, *_ in differing([visit.asked() for visit in tries])}
        return [visit.asked() in different for visit in tries]

    given = json.loads(asked)
    visit = Visit(**{field.name: given[field.name] for field in dataclasses.fields(Visit)})
    visit = smallest(visit, simpler, differ)
    ((_, here, there),) = differing([visit.asked()])
    pairs = [f"\n  {compact(a)}\n  {compact(b)}" for a, b in zip(here, there, strict=False) if a != b]
    return f"seed {SEED}, shrunk: {visit.asked()}\nPython, then JavaScript:{''.join(pairs)}"


@pytest.mark.parametrize(("village", "kind"), FLOWS)
def test_the_tablet_finds_what_the_server_finds(village, kind):
    asked = [visit.asked() for visit in visits(village, kind, FORMS_OF_A_KIND)]
    different = differing(asked)
    assert not different, f"{len(different)} inspections differ; {told(different[0][0])}"


@pytest.mark.parametrize("village", VILLAGES)
def test_the_random_inspections_reach_what_a_rule_can_say(village):
    seen = Counter()
    for kind in (*KINDS, OFFICE):
        for visit in visits(village, kind, 30):
            for finding in judged_here(visit.asked()):
                seen[finding["outcome"]] += 1
                seen["at the limit"] += finding["boundary"]
                seen["with a figure"] += finding["figure"] is not None
    assert all(seen[word] > 20 for word in (*rules.OUTCOMES, "at the limit", "with a figure")), seen
