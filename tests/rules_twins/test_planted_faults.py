"""The comparison of the twins would notice a slip: each of these, planted in the tablet's copy, is caught."""

import shutil

import pytest

from inspect_app.domain.quantities import Units
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


@pytest.fixture(scope="module")
def cases():
    generator = Generator(SEED)
    return [generator.case() for _ in range(COUNT)]


@pytest.fixture(scope="module")
def right(cases):
    units = Units(UNITS)
    return [answer_python(case, units) for case in cases]


@pytest.mark.parametrize(
    ("file", "written", "slip"), SLIPS, ids=[f"{file}: {slip[:40]}" for file, _, slip in SLIPS]
)
def test_a_planted_slip_is_caught(file, written, slip, cases, right, tmp_path):
    folder = tmp_path / "rules"
    shutil.copytree(RULES_JS, folder)
    text = (folder / file).read_text("utf-8")
    assert text.count(written) >= 1, f"{file} no longer says {written}"
    (folder / file).write_text(text.replace(written, slip, 1), "utf-8")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    try:
        wrong = ask_javascript("evaluate.mjs", questions(cases), folder)
    except AssertionError:
        return  # it does not even run: noticed
    assert wrong != right
