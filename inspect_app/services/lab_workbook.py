"""A laboratory's XLSX as the CSV it would be: the first sheet's cells as texts, and no formula worked out.

openpyxl reads it through defusedxml, which refuses entities; the sizes inside are looked at before anything
is unpacked, since a few kilobytes can say gigabytes.
"""

import csv
import zipfile
from datetime import date, datetime, time
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any

from inspect_app.domain.errors import Refused
from inspect_app.domain.lab_csv import MOST_COLUMNS, MOST_ROWS

BEGINS = b"PK\x03\x04"
MOST_UNPACKED_BYTES = 300 * 1024 * 1024
MOST_PARTS = 2_000
MOST_TIMES = 200  # a part may unpack to so many times its size; sheets of numbers come to twenty


def is_workbook(content: bytes) -> bool:
    """Whether these bytes begin as a zip, as XLSX does."""
    return content.startswith(BEGINS)


def as_csv(content: bytes) -> bytes:
    """The first sheet as CSV in UTF-8; raises Refused where it is no workbook, too large, or too wide."""
    from openpyxl import load_workbook  # here: the server of a village that never meets one stays smaller

    _look_inside(content)
    try:
        book = load_workbook(BytesIO(content), read_only=True, data_only=False, keep_links=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what a file says of its own size is no reason to believe it
        out = StringIO(newline="")
        write = csv.writer(out).writerow
        for number, row in enumerate(sheet.iter_rows(), 1):
            if number > MOST_ROWS + 1:
                raise Refused(f"The sheet has more than {MOST_ROWS:,} rows. Import it in parts.")
            if len(row) > MOST_COLUMNS:
                raise Refused(
                    f"The sheet has {len(row):,} columns; "
                    f"a laboratory's report has fewer than {MOST_COLUMNS}."
                )
            write([_text(cell.value) for cell in row])
    except Refused:
        raise
    except Exception as problem:  # of a broken file the library raises whatever it stumbles over
        raise Refused(
            f"The workbook cannot be read ({type(problem).__name__}). Open it in a spreadsheet, save it "
            "as CSV UTF-8, and choose that file."
        ) from None
    return out.getvalue().encode()


def _look_inside(content: bytes) -> None:
    try:
        with zipfile.ZipFile(BytesIO(content)) as opened:
            parts = opened.infolist()
    except zipfile.BadZipFile:
        raise Refused("The file is cut off or broken. Save the laboratory's report again.") from None
    if not any(part.filename == "[Content_Types].xml" for part in parts):
        raise Refused("This is no workbook. Choose the laboratory's CSV or XLSX file.")
    unpacked = sum(part.file_size for part in parts)
    worst = max(part.file_size / max(part.compress_size, 1) for part in parts)
    if len(parts) > MOST_PARTS or unpacked > MOST_UNPACKED_BYTES or worst > MOST_TIMES:
        raise Refused(
            "The workbook unpacks to far more than a laboratory's report holds, so it was not opened."
        )


def _text(value: Any) -> str:
    """A cell as a person would type it: a number by its shortest digits, a time as 2026-04-15 08:00:00."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        exact = format(Decimal(repr(value)), "f")
        return exact.rstrip("0").rstrip(".") if "." in exact else exact
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d" if value.time() == time() else "%Y-%m-%d %H:%M:%S")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
