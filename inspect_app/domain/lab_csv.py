"""A laboratory's CSV as rows of cells: any of the encodings and separators that spreadsheets write.

The bytes are kept as they came by whoever calls; here nothing of a cell is changed but its letters' encoding.
"""

import codecs
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

from inspect_app.domain import lab_words
from inspect_app.domain.errors import Refused

MOST_COLUMNS = 300
MOST_ROWS = 200_000
SEPARATORS = ",;\t|"
TOO_MANY = "_cells"  # among a row's cells: how many there are, where the first line names fewer
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class Sheet:
    """The rows of a file: `columns` from our name to the header it was found under."""

    text: str
    encoding: str
    separator: str
    headers: tuple[str, ...]
    columns: dict[str, str]

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Each row with the line it begins on, by our names of the columns; empty lines are left out.

        Raises Refused where a line cannot be read: a quotation mark without an end takes in all the rest.
        """
        reader = _reader(self.text, self.separator)
        next(reader, None)
        place = {name: self.headers.index(header) for name, header in self.columns.items()}
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise Refused(f"From line {line} on the file cannot be read as CSV: {error}.") from None
            if any(cell.strip() for cell in cells):
                named = {name: cells[at] for name, at in place.items() if at < len(cells)}
                if len(cells) > len(self.headers):
                    named[TOO_MANY] = str(len(cells))
                yield line, named


def read_sheet(content: bytes) -> Sheet:
    """Read a file's header; raises Refused where it is no table of results, with what to do.

    Its encoding is that of its byte order mark, else UTF-8, else Windows-1252, as spreadsheets write Latin-1.
    """
    if not content.strip():
        raise Refused("The file is empty. Save the laboratory's report again, and choose that file.")
    if content.startswith((b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0")):
        raise Refused(
            "This is no CSV file. In the spreadsheet choose Save as, CSV UTF-8, and choose that file."
        )
    text, encoding = _decoded(content)
    if "\x00" in text:
        raise Refused("This is no CSV file: it holds bytes that no text has.")
    first = text.lstrip("\ufeff\r\n").split("\n", 1)[0]
    separator = max(SEPARATORS, key=first.count)
    try:
        headers = tuple(header.strip() for header in next(_reader(text, separator), []))
    except csv.Error as error:
        raise Refused(f"The file's first line cannot be read as CSV: {error}.") from None
    if len(headers) > MOST_COLUMNS:
        raise Refused(
            f"The file has {len(headers):,} columns; a laboratory's report has fewer than {MOST_COLUMNS}."
        )
    columns: dict[str, str] = {}
    for header in headers:
        name = lab_words.column_of(header)
        if name and name not in columns:
            columns[name] = header
    absent = [name for name in lab_words.NEEDED if name not in columns]
    if absent:
        raise Refused(
            f"The file's first line names no {', '.join(absent)}. "
            "Download the template, and have the laboratory use its first line."
        )
    return Sheet(text, encoding, separator, headers, columns)


def _decoded(content: bytes) -> tuple[str, str]:
    for mark, encoding in MARKS:
        if content.startswith(mark):
            try:
                return content.decode(encoding), encoding
            except UnicodeDecodeError:
                raise Refused(
                    "The file begins as Unicode and goes on as something else. Save it again."
                ) from None
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace"), "windows-1252"


def _reader(text: str, separator: str) -> Any:
    return csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
