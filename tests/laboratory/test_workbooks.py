"""A laboratory's XLSX: cells as they were typed, no formula worked out, nothing too large unpacked."""

import zipfile
from datetime import datetime
from io import BytesIO

import pytest
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from inspect_app.domain.errors import Refused
from inspect_app.services import lab_workbook
from tests.laboratory import visit

# A sheet knows no zones: its times are the village's.
COLLECTED, RECEIVED, SET_UP = (datetime(2026, 4, *at) for at in ((15, 8), (16, 9, 30), (16, 15)))  # noqa: DTZ001
HEADER = visit.HEADER.split(",")


def book(*rows, epoch=None):
    made = Workbook()
    if epoch:
        made.epoch = epoch
    for row in (HEADER, *rows):
        made.active.append(row)
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def row(result):
    times = [COLLECTED, RECEIVED, SET_UP]
    return [
        visit.COC,
        "HG-260415-CM03-C1",
        *times,
        "wastewater",
        "composite",
        24,
        "BOD5",
        result,
        "mg/L",
        None,
    ]


def test_numbers_texts_and_times_of_a_sheet_are_entered_as_those_of_a_csv(lab_desk, visited):
    rows = lab_desk.read(book(row(412)), name="report.xlsx")
    assert rows[2]["state"] == "ready", rows
    assert rows[2]["values"]["collected_at"] == "2026-04-15T08:00:00-05:00"
    assert lab_desk.enter() == {"applied": 1}
    assert lab_desk.findings(visited)["HG-PRH-17"]["outcome"] == "warning"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (412, "412"),
        (412.0, "412"),
        (0.1, "0.1"),
        (1.4e-05, "0.000014"),
        ("33.0", "33.0"),
        ("<5", "<5"),
        ("0012", "0012"),
    ],
)
def test_a_cell_has_its_shortest_digits_and_a_text_every_letter(cell, text):
    assert lab_workbook.as_csv(book(row(cell))).decode().splitlines()[1].split(",")[9] == text


def test_a_sheet_that_counts_from_1904_has_the_same_days(lab_desk, visited):
    rows = lab_desk.read(book(row(412), epoch=CALENDAR_MAC_1904))
    assert rows[2]["values"]["collected_at"] == "2026-04-15T08:00:00-05:00"


def test_a_formula_is_no_reading(lab_desk, visited):
    rows = lab_desk.read(book(row("=400+12"), row(395)))
    assert [found["state"] for found in rows.values()] == ["tray", "ready"]
    assert "=400+12" in rows[2]["reasons"][0]


def bomb(size):
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr("xl/worksheets/sheet1.xml", b"0" * size)
    return out.getvalue()


def wide():
    made = Workbook()
    made.active.append([f"c{n}" for n in range(400)])
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def with_entities():
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(book(row(1)))) as good, zipfile.ZipFile(out, "w") as made:
        for name in good.namelist():
            data = good.read(name)
            if name == "xl/worksheets/sheet1.xml":
                data = b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + data.partition(b"?>")[2]
            made.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PK\x03\x04", "cut off or broken"),
        (book(row(1))[:-40], "cut off or broken"),
        (bomb(50_000_000), "unpacks to far more"),
        (bomb(10), "cannot be read"),
        (wide(), "400 columns"),
        (with_entities(), "cannot be read"),
    ],
    ids=["four bytes", "cut off", "a bomb", "no sheet", "too wide", "entities"],
)
def test_a_workbook_that_is_none_is_refused_with_what_to_do(content, sentence):
    with pytest.raises(Refused, match=sentence):
        lab_workbook.as_csv(content)


def test_another_zip_is_no_workbook():
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("photo.jpg", b"x")
    with pytest.raises(Refused, match="no workbook"):
        lab_workbook.as_csv(out.getvalue())
