"""Typesets a form by typst, in a process of its own: the server stays as small as it was before."""

import subprocess
import sys
from importlib.resources import as_file, files

from inspect_app.domain.errors import Refused

TAKES_AT_MOST_S = 60


def typeset(form: str, data: bytes, *options: str) -> bytes:
    """The PDF of a form of `forms/` for data as JSON; raises Refused where it cannot be typeset.

    The options are those of typesetter.py.
    """
    ours = files("inspect_app.reports")
    with as_file(ours / "typesetter.py") as program, as_file(ours / "forms" / f"{form}.typ") as source:
        command = [sys.executable, "-I", str(program), str(source), *options]
        try:
            done = subprocess.run(  # noqa: S603  (our own program, with a form of ours)
                command, input=data, capture_output=True, timeout=TAKES_AT_MOST_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise Refused(
                "The form took too long to print. Try again when the server has less to do."
            ) from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise Refused(f"The form could not be printed. Tell whoever keeps the server: {' '.join(last)[:300]}")
    return done.stdout
