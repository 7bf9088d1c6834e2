"""The comparison of the twins notices a slip: each of these, planted in a copy of one twin, is caught."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache

import pytest

from inspect_app.domain.quantities import Units
from tests.rules_twins.documents import UNITS
from tests.rules_twins.planted import IN_EXPRESSIONS, IN_JUDGING
from tests.rules_twins.test_inspections import VILLAGES, judged_here, pack_of, visits
from tests.rules_twins.test_twins import OF_A_PART, SEED, questions_of
from tests.rules_twins.twins import HEAD, HERE, RULES_JS, answer_in_python, compact, javascript_working
from tests.support.tree import ROOT

COUNTS = (1500, OF_A_PART)  # most slips show at once; all of them in one part of the random suite
FORMS = 25


@cache
def asked(count):
    """The first questions of the random suite, and what is right."""
    units, questions = Units(UNITS), questions_of(SEED, count)
    return [HEAD, *questions], [compact(answer_in_python(text, units)) for text in questions]


def is_caught(answers):
    """Whether the answers to more and more questions come to differ from what is right."""
    return any(answers(lines) != right for lines, right in map(asked, COUNTS))


@pytest.fixture(scope="module")
def visited():
    """Random inspections of both villages, and what is found in them."""
    chosen = [
        visit.asked()
        for village in VILLAGES
        for kind in ("lateral", "tap", "manhole")
        for visit in visits(village, kind, FORMS)
    ]
    head = json.dumps({"packs": {village: pack_of(village).data for village in VILLAGES}})
    return [head, *chosen], [compact(judged_here(text)) for text in chosen]


def with_slip(source, copy, slip):
    """A copy of one twin with one slip in it."""
    file, written, instead = slip
    shutil.copytree(source, copy, dirs_exist_ok=True)
    text = (copy / file).read_text("utf-8")
    assert written in text, f"{file} no longer says {written}"
    (copy / file).write_text(text.replace(written, instead, 1), "utf-8")
    return copy


def javascript_with(slip, tmp_path, script, lines):
    copy = with_slip(RULES_JS, tmp_path / "rules", slip)
    (copy / "package.json").write_text('{"type": "module"}', "utf-8")
    with javascript_working(script, lines, copy) as answers:
        return answers()


def python_with(slip, tmp_path, what, lines):
    with_slip(ROOT / "inspect_app" / "domain", tmp_path / "inspect_app" / "domain", slip)
    (tmp_path / "inspect_app" / "__init__.py").write_text("", "utf-8")
    done = subprocess.run(
        [sys.executable, str(HERE / "ask_python.py"), what],
        input="\n".join(lines),
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not done.returncode, done.stderr
    return done.stdout.splitlines()


def faults(of, language):
    found = [fault for fault in of if getattr(fault, language)]
    return [pytest.param(getattr(fault, language), id=fault.what) for fault in found]


def test_thirteen_faults_are_planted_in_either_language():
    for language in ("python", "javascript"):
        assert len(faults(IN_EXPRESSIONS, language)) >= 13


def test_without_a_slip_nothing_is_caught(visited, tmp_path):
    none = ("__init__.py", "", "")
    lines, right = asked(COUNTS[0])
    assert python_with(none, tmp_path / "a", "evaluate", lines) == right
    assert python_with(none, tmp_path / "b", "judge", visited[0]) == visited[1]
    with javascript_working("evaluate.mjs", lines) as answers:
        assert answers() == right


@pytest.mark.parametrize("slip", faults(IN_EXPRESSIONS, "javascript"))
def test_a_slip_in_the_tablets_expressions_is_caught(slip, tmp_path):
    assert is_caught(lambda lines: javascript_with(slip, tmp_path, "evaluate.mjs", lines))


@pytest.mark.parametrize("slip", faults(IN_EXPRESSIONS, "python"))
def test_a_slip_in_the_servers_expressions_is_caught(slip, tmp_path):
    assert is_caught(lambda lines: python_with(slip, tmp_path, "evaluate", lines))


@pytest.mark.parametrize("slip", faults(IN_JUDGING, "javascript"))
def test_a_slip_in_the_tablets_judging_is_caught(slip, visited, tmp_path):
    there = javascript_with(slip, tmp_path, "run_vectors.mjs", visited[0])
    assert [json.loads(text) for text in there] != [json.loads(text) for text in visited[1]]


@pytest.mark.parametrize("slip", faults(IN_JUDGING, "python"))
def test_a_slip_in_the_servers_judging_is_caught(slip, visited, tmp_path):
    assert python_with(slip, tmp_path, "judge", visited[0]) != visited[1]
