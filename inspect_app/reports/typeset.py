"""Typesets a form by typst, in a process of its own: the server stays as small as it was before.

`python -m inspect_app.reports.typeset FORM` reads JSON and writes a PDF, or with `--png DPI` its first page
as a picture. What it writes depends on what it reads alone: no clock, no network, no fonts of the machine.
"""

import json
import subprocess
import sys
from importlib.resources import as_file, files

from inspect_app.domain.errors import Refused

TAKES_AT_MOST_S = 60


def typeset(form: str, data: bytes, *options: str) -> bytes:
    """The PDF of a form of `forms/` for data as JSON; raises Refused where it cannot be typeset."""
    command = [sys.executable, "-m", "inspect_app.reports.typeset", form, *options]
    try:
        done = subprocess.run(  # noqa: S603  (this very program, with a form of its own)
            command, input=data, capture_output=True, timeout=TAKES_AT_MOST_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refused("The form took too long to print. Try again when the server has less to do.") from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise Refused(f"The form could not be printed. Tell whoever keeps the server: {' '.join(last)[:300]}")
    return done.stdout


def main() -> None:
    """Typeset what comes in; the only place that imports typst."""
    import typst

    form, options = sys.argv[1], sys.argv[2:]
    data = sys.stdin.buffer.read().decode()
    at = json.loads(data)["timestamp"]  # of the record, not of this moment
    given = {"data": data}
    with as_file(files("inspect_app.reports") / "forms" / f"{form}.typ") as source:
        if options[:1] == ["--png"]:
            dpi = float(options[1])
            out = typst.compile(
                source, format="png", ppi=dpi, sys_inputs=given, ignore_system_fonts=True, timestamp=at
            )
        else:
            out = typst.compile(
                source,
                format="pdf",
                pdf_standards=["ua-1", "a-2a"],
                sys_inputs=given,
                ignore_system_fonts=True,
                timestamp=at,
            )
    # A picture of several pages is a list of them.
    sys.stdout.buffer.write(out[0] if isinstance(out, list) else out)


if __name__ == "__main__":
    main()
