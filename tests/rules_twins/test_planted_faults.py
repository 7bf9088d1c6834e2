"""The comparison of the twins would notice a slip: each of these, planted in the tablet's copy, is caught."""

import random
import shutil
from datetime import date

import pytest

from inspect_app.domain import rules
from inspect_app.domain.quantities import Units
from inspect_app.store import villages
from tests.rules_twins.forms import random_form
from tests.rules_twins.generator import UNITS, Generator
from tests.rules_twins.test_twins import SEED
from tests.rules_twins.twins import RULES_JS, answer_python, ask_javascript, questions

COUNT = 1200
SLIPS = [
    ("operators.js", 'if (sign === "<") return order < 0;', 'if (sign === "<") return order <= 0;'),
    ("expression.js", 'const decides = node.sign === "||";', 'const decides = node.sign === "&&";'),
    ("values.js", "new Missing([...first.paths, ...second.paths])", "first"),
    ("expression.js", "kept.length === 1", "kept.length >= 1"),
    (
        "expression.js",
        "      failure = worse(failure, failureOf(thrown));\n      continue;",
        "      throw thrown;",
    ),
    ("expression.js", "if (!(value instanceof Row)) reads.add(path);", ""),
    ("expression.js", "unknown ??= thrown;", "unknown = thrown;"),
    ("fraction.js", "this.negated().floor()", "this.negated().floor() - 1n"),
    ("fraction.js", "(2n * magnitude(this.top) + this.bottom)", "(2n * magnitude(this.top))"),
    ("fraction.js", "return this.top < 0n ? -doubled : doubled;", "return doubled;"),
    ("quantities.js", ".plus(start[1]).minus(end[1])", ".plus(start[1])"),
    ("answers.js", 'raw === "yes" || raw === "no"', 'raw === "yes" || raw === "not_checked"'),
    ("answers.js", "if (!Array.isArray(raw) || !raw.length) return undefined;", ""),
    ("calendar.js", "60 * (Number(found[1]) % 12)", "60 * Number(found[1])"),
    ("calendar.js", "weekday(day) < 5n", "weekday(day) < 6n"),
    ("functions.js", "time.compare(sunset.plus(shift)) >= 0", "time.compare(sunset.plus(shift)) > 0"),
    ("functions.js", "[...text].length", "text.length"),
]


RULE_SLIPS = [
    ("one_rule.js", "if (isDecided(failed)) failed.outcome = entry.to;", ""),
    ("one_rule.js", "this.finding.boundary = true;", ""),
    ("one_rule.js", "if (result.value === false) return this.notApplicable(entry.reason);", ""),
    ("one_rule.js", "OUTCOMES.indexOf(other.outcome) <", "OUTCOMES.indexOf(other.outcome) <="),
    ("wording.js", 'order > 0 === (sign === ">")', 'order >= 0 === (sign === ">")'),
    ("rules.js", "[settings ?? {}, settingsOn(pack, day), context ?? {}, answers]", "[answers]"),
]
FORMS = 60


@pytest.fixture(scope="module")
def cases():
    generator = Generator(SEED)
    return [generator.case() for _ in range(COUNT)]


@pytest.fixture(scope="module")
def right(cases):
    units = Units(UNITS)
    return [answer_python(case, units) for case in cases]


def with_slip(folder, file, written, slip):
    """A copy of the tablet's rules with one slip in it."""
    shutil.copytree(RULES_JS, folder)
    text = (folder / file).read_text("utf-8")
    assert written in text, f"{file} no longer says {written}"
    (folder / file).write_text(text.replace(written, slip, 1), "utf-8")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    return folder


def name_of(slip):
    return f"{slip[0]}: {slip[1][:40]}"


@pytest.mark.parametrize("slip", SLIPS, ids=name_of)
def test_a_planted_slip_is_caught(slip, cases, right, tmp_path):
    folder = with_slip(tmp_path / "rules", *slip)
    try:
        wrong = ask_javascript("evaluate.mjs", questions(cases), folder)
    except AssertionError:
        return  # it does not even run: noticed
    assert wrong != right


@pytest.fixture(scope="module")
def judged():
    """Random inspections of both villages, and what Python finds in them."""
    chance = random.Random(SEED)
    packs = {slug: villages.pack_of(slug, date(2026, 6, 18)) for slug in ("barneveld", "howards_grove")}
    asked, findings = [{"packs": {slug: pack.data for slug, pack in packs.items()}}], []
    for slug, pack in packs.items():
        for kind in ("lateral", "tap", "manhole"):
            for _ in range(FORMS):
                answers = random_form(chance, pack)
                asked.append({"pack": slug, "kind": kind, "answers": answers, "on": "2026-06-18"})
                found = rules.evaluate(pack, kind, answers, on="2026-06-18")
                findings.append([finding.to_json() for finding in found])
    return asked, findings


@pytest.mark.parametrize("slip", RULE_SLIPS, ids=name_of)
def test_a_slip_planted_in_the_judging_is_caught(slip, judged, tmp_path):
    asked, findings = judged
    assert ask_javascript("run_vectors.mjs", asked, with_slip(tmp_path / "rules", *slip)) != findings
