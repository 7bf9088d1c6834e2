"""The villages' packs: checked, cited word for word, and every rule tried from both sides."""

import json
import re
from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest
import yaml

from inspect_app.domain import packs, rules
from inspect_app.store import villages

SLUGS = ("barneveld", "howards_grove")
VECTORS = Path(__file__).parents[1] / "vectors"


def source_of(slug):
    return villages.pack_source(villages.village(slug).folder)


def pack_of(vector):
    return villages.pack_of(vector["village"], date.fromisoformat(vector["on"]))


def all_vectors():
    return [
        (file.stem, vector)
        for file in sorted(VECTORS.glob("*.json"))
        for vector in json.loads(file.read_text("utf-8"))
    ]


def in_one_line(text):
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_pack_passes_the_checker_and_keeps_its_name(slug):
    pack = packs.publish(source_of(slug))
    assert packs.read(pack.canonical, pack.hash).data == pack.data


@pytest.mark.parametrize("slug", SLUGS)
def test_quotations_are_the_ordinances_own_words(slug):
    ordinance = in_one_line(villages.village(slug).ordinance())
    for rule in source_of(slug)["rules"]:
        quote = rule["clause"]["quote"]
        if rule["id"].startswith(("ST-", "OS-")):
            assert quote == ""  # the State's text is not ours to quote: we do not hold it
        else:
            assert quote and in_one_line(quote) in ordinance, rule["id"]
            assert len(quote.split()) <= 15, rule["id"]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_lines_cited_hold_the_words_quoted(slug):
    lines = villages.village(slug).ordinance().splitlines()
    for rule in source_of(slug)["rules"]:
        if cited := rule["clause"]["lines"]:
            first, _, last = cited.partition("-")
            passage = in_one_line(" ".join(lines[int(first) - 1 : int(last or first)]))
            assert in_one_line(rule["clause"]["quote"]) in passage, rule["id"]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_names_a_body_of_its_village(slug):
    bodies = villages.village(slug).bodies
    assert {rule["body"] for rule in source_of(slug)["rules"]} <= bodies.keys()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_rule_that_says_should_says_who_confirms(slug):
    for rule in source_of(slug)["rules"]:
        if rule["modal"] == "should":
            assert "office confirms" in rule["reading"], rule["id"]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_has_vectors_that_pass_fail_and_lack_an_answer(slug):
    seen = defaultdict(set)
    for _, vector in all_vectors():
        for rule, outcome in vector["expect"].items():
            seen[rule].add(outcome)
    for rule in source_of(slug)["rules"]:
        if rule.get("status", "executable") != "executable":
            continue
        outcomes = seen[rule["id"]]
        assert "not_evaluated" in outcomes, f"{rule['id']}: nothing is missing in any vector"
        if "checks" not in rule and "value" in rule:
            assert "information" in outcomes, rule["id"]
            continue
        # An exception is never a pass: it is in effect, without effect, or over.
        assert outcomes & {"pass", "information"}, f"{rule['id']}: no vector passes"
        fails = {"violation", "warning", "discretion"}
        if rule["severity"] == "information":
            fails |= {"information"}
        assert outcomes & fails, f"{rule['id']}: no vector fails"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_limit_has_a_vector_that_lies_on_it(slug):
    on_limit = {rule for _, vector in all_vectors() for rule in vector.get("boundary", ())}
    for rule in source_of(slug)["rules"]:
        if any("at_limit" in check for check in rule.get("checks", ())):
            assert rule["id"] in on_limit, rule["id"]


def test_a_walkthrough_raises_no_violation_and_no_decision_beyond_its_own():
    for file, vector in all_vectors():
        if not file.startswith("walkthrough"):
            continue
        pack = pack_of(vector)
        for finding in rules.evaluate(
            pack, vector["kind"], vector["answers"], vector["context"], vector["settings"], vector["on"]
        ):
            if finding.outcome in ("violation", "discretion"):
                assert finding.rule in vector["expect"], f"{vector['name']}: {finding.rule} {finding.message}"


def test_the_notes_that_belong_to_a_result_are_shown():
    for _, vector in all_vectors():
        if "notes" not in vector:
            continue
        pack = pack_of(vector)
        found = {
            finding.rule: finding.notes
            for finding in rules.evaluate(
                pack,
                vector["kind"],
                vector["answers"],
                vector["context"],
                vector["settings"],
                vector["on"],
                beside=True,
            )
        }
        for rule, words in vector["notes"].items():
            assert any(words in note for note in found[rule]), f"{vector['name']}: {rule} {found[rule]}"


def test_the_same_tap_has_no_geometry_findings_in_howards_grove():
    vector = next(v for f, v in all_vectors() if f == "walkthrough2" and v["village"] == "howards_grove")
    pack = pack_of(vector)
    found = rules.evaluate(pack, "tap", vector["answers"], vector["context"], None, vector["on"])
    assert not [finding.rule for finding in found if finding.rule.startswith("BV-")]


def test_names_in_vectors_are_those_of_the_dictionary():
    known = villages.dictionary().flat()
    for _, vector in all_vectors():
        for origin in ("answers", "context", "settings"):
            for name in vector.get(origin, ()):
                assert known[name]["given_in"] == origin, f"{vector['name']}: {name}"


def test_rule_files_are_plain_data_without_dates_or_words_that_yaml_changes():
    for path in villages.OWN_VILLAGES.glob("*/rules/*.yaml"):
        for rule in yaml.safe_load(path.read_text("utf-8"))["rules"]:
            assert isinstance(rule["in_force_from"], str), rule["id"]
