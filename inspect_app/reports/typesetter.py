"""The process in which typst runs: `python -I typesetter.py FORM.typ` reads JSON and writes a PDF.

With `--png DPI` it writes the first page as a picture. What it writes depends on what it reads alone: no
clock, no network, no fonts of the machine. It imports nothing of ours: that would take longer than the form.
"""

import json
import sys

import typst


def main() -> None:
    """Typeset what comes in."""
    source, options = sys.argv[1], sys.argv[2:]
    data = sys.stdin.buffer.read().decode()
    at = json.loads(data)["timestamp"]  # of the record, not of this moment
    given = {"data": data}
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
