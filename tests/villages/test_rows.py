"""Every row of both ordinances is a rule: judged with vectors, carried out, or said to be neither."""

import ast
import importlib
import inspect
from collections import defaultdict
from pathlib import Path

import pytest

from inspect_app.store import villages
from inspect_app.store.pack_sources import with_sources
from tests.villages.rows import ROWS

ROOT = Path(__file__).parents[2]
SLUGS = sorted(ROWS)


def rules_of(slug):
    """The village's rules by id; one that stands once for each of two forms has two."""
    found = defaultdict(list)
    for rule in villages.pack_source(villages.village(slug).folder)["rules"]:
        found[rule["id"]].append(rule)
    return found


def status_of(rule):
    return rule.get("status", "executable")


def test_there_are_76_rows_of_barneveld_and_97_of_howards_grove():
    assert {slug: len(set(rows)) for slug, rows in ROWS.items()} == {"barneveld": 76, "howards_grove": 97}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_row_is_a_rule_and_every_rule_of_the_village_is_a_row(slug):
    own = {name for name in rules_of(slug) if not name.startswith(("ST-", "OS-"))}
    assert own == set(ROWS[slug])


@pytest.mark.parametrize("slug", SLUGS)
def test_no_rule_that_is_judged_is_without_a_vector(slug):
    counted = villages.vector_counts(slug)
    without = [
        name
        for name, rules in rules_of(slug).items()
        if "executable" in map(status_of, rules) and not counted.get(name)
    ]
    assert without == []


@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_service_carries_out_names_a_function_and_a_test_that_exist(slug):
    for name, rules in rules_of(slug).items():
        for rule in rules:
            if status_of(rule) == "workflow" or "carried_out_by" in rule:
                done = rule["carried_out_by"]
                assert callable(named_function(done["function"])), name
                assert done["test"].partition("::")[2] in names_of_tests(done["test"].partition("::")[0]), (
                    name
                )
                assert done["how"].endswith("."), name


def named_function(path):
    """The function or method of a dotted path; a class may stand before a method."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        holder = named_function(module)
        assert inspect.isclass(holder), path
        return getattr(holder, name)


def names_of_tests(file):
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("slug", SLUGS)
def test_what_cannot_be_evaluated_says_why(slug):
    for name, rules in rules_of(slug).items():
        for rule in rules:
            assert (status_of(rule) == "reference") is bool(rule.get("cannot", "").endswith(".")), name


@pytest.mark.parametrize("slug", SLUGS)
def test_a_rule_is_judged_on_every_form_that_collects_its_fields_or_where_the_office_asks(slug):
    derived = defaultdict(set)
    for kind in villages.KINDS:
        for fields in villages.groups(kind).values():
            for spec in fields.values():
                for name in spec.get("read_by") or ():
                    derived[name].add(kind)
    astray = {}
    for name, rules in rules_of(slug).items():
        kinds = {kind for rule in rules for kind in rule["kinds"]}
        if "office" not in kinds and not derived[name] <= kinds:
            astray[name] = sorted(derived[name] - kinds)
    assert astray == {}


def test_every_field_names_the_rules_that_read_it():
    flat = villages.dictionary().flat()
    for slug in SLUGS:
        for rule in villages.pack_source(villages.OWN_VILLAGES / slug)["rules"]:
            for name in with_sources(villages.names_read([rule])):
                assert rule["id"] in flat[name].get("read_by", ()), f"{name} does not name {rule['id']}"
