"""Every vector in tests/vectors judged by both languages."""

import json
from datetime import date
from pathlib import Path

import pytest

from inspect_app.domain import rules
from inspect_app.store import villages
from tests.rules_twins.twins import ask_javascript

VECTORS = Path(__file__).parents[1] / "vectors"


def pack_of(village, on):
    return villages.pack_of(village, date.fromisoformat(on))


def vectors():
    found = []
    for file in sorted(VECTORS.glob("*.json")):
        for vector in json.loads(file.read_text("utf-8")):
            found.append(pytest.param(vector, id=f"{file.stem}: {vector['name']}"))
    return found


def judge_here(vector):
    pack = pack_of(vector["village"], vector["on"])
    findings = rules.evaluate(
        pack,
        vector["kind"],
        vector["answers"],
        vector.get("context"),
        vector.get("settings"),
        vector["on"],
        beside=True,
    )
    return [finding.to_json() for finding in findings]


def judge_there(asked):
    packs = [pack_of(vector["village"], vector["on"]) for vector in asked]
    head = {"packs": {pack.hash: pack.data for pack in packs}}
    lines = [{**vector, "pack": pack.hash, "beside": True} for vector, pack in zip(asked, packs, strict=True)]
    return ask_javascript("run_vectors.mjs", [head, *lines])


@pytest.mark.parametrize("vector", vectors())
def test_a_vector_comes_out_as_written(vector):
    found = {finding["rule"]: finding for finding in judge_here(vector)}
    outcomes = {
        rule: found[rule]["outcome"] if rule in found else "not in force" for rule in vector["expect"]
    }
    assert outcomes == vector["expect"]
    if "boundary" in vector:  # the product's own vectors name every rule that lies on its limit
        on_limit = {rule for rule in vector["expect"] if found[rule]["boundary"]}
        assert on_limit == set(vector["boundary"])
    for rule, value in vector.get("expect_values", {}).items():
        assert found[rule]["value"] == value
    for rule, missing in vector.get("missing", {}).items():
        assert found[rule]["missing"] == sorted(missing)


def test_the_tablet_finds_in_every_vector_what_the_server_finds():
    asked = [param.values[0] for param in vectors()]
    assert judge_there(asked) == [judge_here(vector) for vector in asked]
