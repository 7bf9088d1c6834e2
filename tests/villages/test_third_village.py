"""A village added as data alone: checked, published, listed, and judged by both engines."""

import json
from datetime import date

import pytest

from inspect_app.domain import rules
from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.store import villages
from tests.rules_twins.twins import ask_javascript

TAP = {
    "joint_distance_up": {"value": "12", "unit": "in"},
    "joint_distance_down": {"value": "40", "unit": "in"},
}


def test_the_village_is_checked_published_and_told_from_the_command_line(oakfield, run):
    checked = run("check", "--village", "oakfield")
    assert (checked.exit_code, checked.output.partition(":")[0]) == (0, "oakfield")
    published = run("publish", "--village", "oakfield")
    name = published.output.partition(",")[0]
    pack = villages.pack_of("oakfield", date(2026, 6, 18), oakfield.parent)
    assert (oakfield / "published" / f"{name}.json").read_bytes() == pack.canonical
    again = run("publish", "--village", "oakfield")
    assert "was published before and is unchanged" in again.output
    rows = {row["id"]: row for row in json.loads(run("list", "--village", "oakfield", "--json").output)}
    assert [name for name in rows if name.startswith("OF-")] == [
        "OF-TAP-01", "OF-NOT-01", "OF-FEE-01", "OF-REC-01",
    ]  # fmt: skip
    assert rows["OF-TAP-01"]["vectors"] == 4
    assert rows["OF-TAP-01"]["deciding_body"] == "Sewer Commission"
    assert rows["OF-TAP-01"]["quotation"] == "within twelve inches of a joint of the main"
    assert rows["OF-FEE-01"]["cannot"].startswith("The fee stands in no text")
    assert rows["OF-REC-01"]["carried_out_by"]["function"] == "inspect_app.services.ops.apply_op"
    assert rows["ST-01"]["vectors"] > 0  # the State's rules bring their vectors


@pytest.mark.parametrize("engine", ["python", "js"])
def test_its_vectors_come_out_in_both_engines(oakfield, run, engine):
    outcome = run("vectors", *oakfield.glob("vectors/*.json"), "--engine", engine)
    assert (outcome.exit_code, outcome.output) == (0, "7 passed, 0 failed\n")


def test_both_engines_find_the_same_in_a_visit(oakfield):
    pack = villages.pack_of("oakfield", date(2026, 6, 18), oakfield.parent)
    visit = {
        "kind": "tap",
        "answers": TAP,
        "context": {"village": "oakfield"},
        "settings": {},
        "on": "2026-06-18",
    }
    here = rules.evaluate(pack, "tap", TAP, visit["context"], on="2026-06-18")
    (there,) = ask_javascript("run_vectors.mjs", [{"packs": {"it": pack.data}}, {**visit, "pack": "it"}])
    assert [finding.to_json() for finding in here] == there
    found = {finding.rule: finding for finding in here}
    assert found["OF-TAP-01"].message == "The tap is 12 in from the joint. It must be more than 12 in."
    assert "OF-NOT-01" not in found  # office rules stay off the form


def test_conditions_of_forms_that_name_a_village_are_known_in_any_village(oakfield):
    pack = villages.pack_of("oakfield", date(2026, 6, 18), oakfield.parent)
    answers = Answers(pack.data["fields"], pack.units, {"village": "oakfield", "open_now": "yes"})
    for condition, holds in (
        ("village == 'howards_grove'", False),
        ("village == 'barneveld' || village == 'oakfield'", True),
        ("village != 'howards_grove'", True),
    ):
        assert evaluate(parse(condition), Scope(answers)).value is holds
    conditions = {
        text for form in villages.forms_for_tablets() for text in _conditions(form) if "village" in text
    }
    assert conditions
    for condition in conditions:
        assert "village" not in evaluate(parse(condition), Scope(answers)).missing


def _conditions(part):
    if isinstance(part, dict):
        for key, inner in part.items():
            if key in ("shown_when", "required") and isinstance(inner, str):
                yield inner
            yield from _conditions(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _conditions(inner)


def test_a_village_in_its_own_folder_leaves_the_packs_of_the_others_alone(oakfield):
    alone = villages.pack_of("barneveld", date(2026, 6, 18)).hash
    assert villages.pack_of("barneveld", date(2026, 6, 18), oakfield.parent).hash == alone


def test_answers_are_judged_from_standard_input_with_what_is_missing_and_read(oakfield, run):
    told = run("eval", "--village", "oakfield", "--kind", "tap", "--on", "2026-06-18", typed=json.dumps(TAP))
    assert told.exit_code == 0
    assert (
        "violation       OF-TAP-01  Tap not within twelve inches of a joint, exactly on its limit"
        in told.output
    )
    assert "12 in ≤ 12 in" in told.output
    assert "read: joint_distance_down, joint_distance_up, within_is_inclusive" in told.output
    given = {"answers": {**TAP, "joint_distance_up": None}, "settings": {"within_is_inclusive": False}}
    found = json.loads(
        run(
            "eval", "--village", "oakfield", "--kind", "tap", "--on", "2026-06-18", "--json",
            typed=json.dumps(given),
        ).output
    )  # fmt: skip
    assert (found[0]["outcome"], found[0]["missing"]) == ("not_evaluated", ["joint_distance_up"])
    assert {"OF-TAP-01", "OF-NOT-01"} <= {finding["rule"] for finding in found}  # office rules, since asked


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Standard input is no JSON"),
        ("[1]", "Standard input must be one JSON object"),
        ('{"answers": {}, "context": []}', "context must be an object"),
        ("[" * 100_000, "Standard input is no JSON"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_a_sentence(oakfield, run, typed, sentence):
    told = run("eval", "--village", "oakfield", "--kind", "tap", "--on", "2026-06-18", typed=typed)
    assert told.exit_code == 1
    assert sentence in told.output
    assert told.exception is None or isinstance(told.exception, SystemExit)


def test_a_misspelt_name_is_told_beside_the_findings(oakfield, run):
    told = run(
        "eval", "--village", "oakfield", "--kind", "tap", "--on", "2026-06-18", typed='{"joint_distnace": 7}'
    )
    assert told.exit_code == 0
    assert "note: answers has no field joint_distnace; it is not read" in told.output
