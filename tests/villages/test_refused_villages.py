"""A village's folder with a mistake: refused with file, rule and reason, at the check and at the start."""

import json
import re
import subprocess
import sys

import pytest

from inspect_app.domain.errors import PackRefused
from inspect_app.store import villages

RULES = "rules/sewers.yaml"
CLAUSE = {"section": "12-3", "quote": "within twelve inches of a joint of the main", "lines": "2"}
CHECK = {"expr": "open_now", "message": "It is not open."}


def refusal(oakfield):
    with pytest.raises(PackRefused) as refused:
        villages.check("oakfield", oakfield.parent)
    return str(refused.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"checks": [{**CHECK, "expr": "joint_distnace > 1.0"}]},
            "OF-TAP-01 checks[0].expr: unknown field joint_distnace",
        ),
        (
            {"checks": [{**CHECK, "expr": "basis == 'Edge'"}]},
            "OF-TAP-01 checks[0].expr: 'Edge' is not one of",
        ),
        (
            {"checks": [{**CHECK, "expr": "joint_distance_up > opening_depth"}]},
            "checks[0].expr: unknown field",
        ),
        ({"checks": [{**CHECK, "expr": "joint_distance_up > hold_temp"}]}, "OF-TAP-01 checks[0].expr: "),
        (
            {"checks": [{**CHECK, "expr": "open_now > 1.0"}]},
            "checks[0].expr: > between yes or no and a decimal",
        ),
        ({"checks": [{**CHECK, "expr": "open_now" + " " * 1993}]}, "expr: longer than 2000 characters"),
        ({"checks": [{**CHECK, "expr": "!" * 50 + "open_now"}]}, "checks[0].expr: more than 50 levels deep"),
        ({"clause": None}, "OF-TAP-01 clause: the section it rests on is needed"),
        ({"clause": {"section": "12-3"}}, "OF-TAP-01 clause.quote: the words it rests on are needed"),
        (
            {"clause": {**CLAUSE, "quote": "within ten inches"}},
            "OF-TAP-01 clause.quote: 'within ten inches' is not in ordinance.txt",
        ),
        ({"clause": {**CLAUSE, "lines": "3"}}, "OF-TAP-01 clause.lines: the words do not stand in lines 3"),
        ({"clause": {**CLAUSE, "lines": "two"}}, "OF-TAP-01 clause.lines: must be a line or two"),
        (
            {"body": "sewer_comission"},
            "OF-TAP-01 body: sewer_comission is not one of the bodies in village.yaml",
        ),
        ({"when": [{"expr": "false", "reason": "Never."}]}, "OF-TAP-01 when[0].expr: is false whatever"),
        ({"kinds": []}, "OF-TAP-01 kinds: at least one kind"),
        ({"id": "OF-TAP-09"}, "OF-TAP-09 vectors: no vector says what must come of it"),
        ({"let": ["nearest"]}, "OF-TAP-01 let: must be a mapping"),
        ({"checks": "open_now"}, "OF-TAP-01 checks: must be a list"),
        ({"passes": 7}, "OF-TAP-01 passes: must be a text in quotes"),
    ],
)
def test_a_mistake_in_a_rule_is_told_with_its_file(oakfield, rewrite, change, told):
    rewrite(RULES, **change)
    message = refusal(oakfield)
    assert f"\n  {RULES} OF-TAP-0" in message
    assert told in message


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"slug": "elsewhere"}, "slug: must be the folder's name, oakfield"),
        ({"name": None}, "name: is needed"),
        ({"bodies": {}}, "bodies: is needed"),
        ({"bodies": ["clerk"]}, "bodies: must be a mapping"),
        ({"latitude": "north"}, "latitude: must be a number from -90 to 90"),
        ({"longitude": 200}, "longitude: must be a number from -180 to 180"),
        ({"timezone": "America/Oakfield"}, "timezone: no time zone is named America/Oakfield"),
        ({"effective": "2026-02-30"}, "effective: a day YYYY-MM-DD in quotes is needed"),
        ({"adopts": ["county"]}, "adopts: there are no rules named county"),
        ({"mayor": "x"}, "mayor: is not a member of village.yaml"),
        (
            {"settings": [{"from": "2026-01-01", "values": {"night_definition": "Sunset"}}]},
            "settings[0].night_definition: 'Sunset' cannot be read as a text",
        ),
        (
            {"settings": [{"from": "2026-01-01", "values": {"nigth_definition": "sunset"}}]},
            "settings[0].nigth_definition: unknown setting",
        ),
        ({"settings": [{"from": "2026-02-30", "values": {}}]}, "settings[0]: needs from, a day in quotes"),
    ],
)
def test_a_mistake_in_village_yaml_is_told(oakfield, rewrite, change, told):
    rewrite(**change)
    with pytest.raises(PackRefused, match=r"  village\.yaml pack ") as refused:
        villages.check("oakfield", oakfield.parent)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rules: [", "cannot be read as YAML: while parsing"),
        ("rules: &all [*all]", "holds itself, or is nested more than 30 levels deep"),
        ("rules:\n  - &one {id: OF-TAP-09, let: {again: *one}}", "holds itself"),
        (
            "a: &a [x,x,x,x,x,x,x,x]\n"
            + "".join(
                f"{after}: &{after} [{', '.join([f'*{before}'] * 8)}]\n"
                for before, after in zip("abcdefgh", "bcdefghi", strict=True)
            ),
            "holds more than 300000 values",
        ),
        ("[]", "the file must hold one list of rules under rules:"),
        ("rules: {}", "the file must hold one list of rules under rules:"),
        ("rules: []\nmore: []", "the file must hold one list of rules under rules:"),
        ("rules: [7]", "the file must hold one list of rules under rules:"),
        ("\x00", "cannot be read as YAML"),
        ("# " + "x" * 10_000_000, "10000002 bytes are more than 2000000"),
    ],
)
def test_a_file_that_is_no_list_of_rules_is_told_by_name(oakfield, text, told):
    (oakfield / "rules" / "taps.yaml").write_text(text, "utf-8")
    villages.forget()
    message = refusal(oakfield)
    assert "  rules/taps.yaml pack" in message
    assert told in message


def test_a_pack_that_is_too_large_altogether_is_refused(oakfield, rewrite):
    rewrite(RULES, reading="x" * 2_000_000)
    assert re.search(r"bytes are more than 2000000", refusal(oakfield))


def test_a_village_without_the_text_it_quotes_is_refused(oakfield):
    (oakfield / "ordinance.txt").unlink()
    assert "village.yaml pack ordinance.txt: is needed: the village's rules quote it" in refusal(oakfield)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Expecting property name"),
        ("{}", "a JSON list of vectors is needed"),
        ("[7]", "a vector is an object"),
        ('[{"name": "x"}]', "village: a text is needed"),
    ],
)
def test_a_vector_file_that_cannot_be_read_is_told_by_name(oakfield, text, told):
    (oakfield / "vectors" / "more.json").write_text(text)
    villages.forget()
    message = refusal(oakfield)
    assert "  vectors/more.json pack" in message
    assert told in message


def test_vectors_may_stand_in_another_folder(oakfield, run, tmp_path):
    moved = tmp_path / "cases"
    (oakfield / "vectors").rename(moved)
    villages.forget()
    missing = run("check", "--village", "oakfield")
    assert missing.exit_code == 1
    assert "rules/sewers.yaml OF-TAP-01 vectors: no vector says what must come of it" in missing.output
    assert run("check", "--village", "oakfield", "--vectors", moved).exit_code == 0


def test_the_check_names_every_village_and_exits_1_if_one_is_wrong(oakfield, rewrite, run):
    rewrite(RULES, body="nobody")
    checked = run("check")
    assert checked.exit_code == 1
    assert re.search(r"barneveld: \d+ rules, version \S+, [0-9a-f]{64}", checked.output)
    assert f"{RULES} OF-TAP-01 body: nobody is not one of the bodies" in checked.output


def test_the_server_does_not_start_with_rules_that_are_not_sound(oakfield, rewrite, tmp_path):
    rewrite(RULES, checks=[{**CHECK, "expr": "joint_distnace > 1.0"}])
    started = subprocess.run(
        [sys.executable, "-c", "from inspect_app.cli import main; main()", "serve"],
        env={
            "INSPECT_APP_DATA": str(tmp_path / "data"),
            "INSPECT_APP_VILLAGES": str(oakfield.parent),
            "PORT": "0",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert started.returncode == 1
    assert f"{RULES} OF-TAP-01 checks[0].expr: unknown field joint_distnace" in started.stderr
    assert "Traceback" not in started.stderr
    assert not list((tmp_path / "data").glob("*.sqlite*"))  # nothing was begun


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (7, "vector 1: a vector is an object"),
        ({"expect": {"OF-TAP-09": "pass"}}, "OF-TAP-09: there is no such rule in the pack of oakfield"),
        ({"expect": {"OF-FEE-01": "pass"}}, "OF-FEE-01: is a reference rule, which is never judged"),
        ({"expect": {"OF-TAP-01": "P"}}, "expect: 'P' of OF-TAP-01 is not one of violation"),
        (
            {"expect": {"OF-TAP-01": "pass"}, "kind": "lateral"},
            "OF-TAP-01: is not judged on a lateral: its kinds are tap",
        ),
        (
            {"expect": {"OF-TAP-01": "pass"}},
            "OF-TAP-01: expected pass, found not_evaluated (missing: joint_distance_down, joint_distance_up)",
        ),
        (
            {"expect": {"OF-NOT-01": "not_evaluated"}, "boundary": ["OF-NOT-01"]},
            "OF-NOT-01: is not exactly on its limit",
        ),
        (
            {"expect_values": {"OF-NOT-01": "2026-07-06"}},
            "OF-NOT-01: expected the value 2026-07-06, found none",
        ),
        ({"expect_values": {"OF-NOT-01": 7}}, "expect_values: the value of OF-NOT-01 is a text"),
        (
            {"expect": {"OF-NOT-01": "not_evaluated"}, "missing": {"OF-NOT-01": []}},
            "to be missing, found notice_date",
        ),
        ({"expect": {"OF-TAP-01": "pass"}, "village": "nowhere"}, "There is no village nowhere"),
        ({"expect": {"OF-TAP-01": "pass"}, "on": "2026-02-30"}, "on: 2026-02-30 is no day"),
        ({"expect": {"OF-TAP-01": "pass"}, "on": "2020-01-01"}, "has no rules in force on"),
        ({"expect": {}}, "expect: the outcome of at least one rule is needed"),
        ({"expect": {"OF-TAP-01": "pass"}, "answers": []}, None),
        ({"expect": {"OF-TAP-01": "pass"}, "answers": [7]}, "answers: an object is needed"),
    ],
)
@pytest.mark.parametrize("engine", ["python", "js"])
def test_a_vector_that_does_not_come_out_is_told_and_exits_1(oakfield, run, tmp_path, entry, told, engine):
    base = {"name": "case", "village": "oakfield", "kind": "tap", "on": "2026-06-18", "answers": {}}
    file = tmp_path / "case.json"
    file.write_text(json.dumps([{**base, **entry} if isinstance(entry, dict) else entry]))
    outcome = run("vectors", file, "--engine", engine)
    assert outcome.exit_code == 1
    assert outcome.output.endswith("0 passed, 1 failed\n")
    assert (told or "expected pass") in outcome.output


@pytest.mark.parametrize("text", ["", "{}", "[NaN]", "[" * 100_000, "\xff"])
def test_a_vector_file_that_is_malformed_counts_as_one_failure(run, oakfield, tmp_path, text):
    file = tmp_path / "case.json"
    file.write_text(text, "latin-1")
    outcome = run("vectors", file, tmp_path / "absent.json")
    assert outcome.exit_code == 1
    assert outcome.output.endswith("0 passed, 2 failed\n")
    assert f"{file}: " in outcome.output


def test_a_vector_may_name_only_some_of_the_rules_that_lie_on_their_limit(oakfield, run, tmp_path):
    on_limit = json.loads((oakfield / "vectors" / "sewers.json").read_text())[1]
    for boundary in ({}, {"boundary": ["OF-TAP-01"]}, {"boundary": []}):
        file = tmp_path / "case.json"
        file.write_text(json.dumps([{**{k: v for k, v in on_limit.items() if k != "boundary"}, **boundary}]))
        assert run("vectors", file).output.endswith("1 passed, 0 failed\n")


def test_the_faults_of_a_village_are_told_once_for_all_its_vectors(oakfield, rewrite, run):
    rewrite(RULES, body="nobody")
    outcome = run("vectors", *oakfield.glob("vectors/*.json"))
    assert outcome.exit_code == 1
    assert outcome.output.count("OF-TAP-01 body: nobody is not one of the bodies") == 1
    assert outcome.output.count("the rules of oakfield are not sound, as told above") == 6
    assert outcome.output.endswith("0 passed, 7 failed\n")
