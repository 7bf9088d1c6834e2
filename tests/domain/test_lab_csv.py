"""A laboratory's CSV is read as it was saved, by whatever program; what is none is refused in words."""

import pytest

from inspect_app.domain import lab_csv
from inspect_app.domain.errors import Refused

HEADER = "coc_no,sample_id,analyte,result,unit,collected_at,lab_comment"
LINE = "COC-1,0012,BOD5,412,mg/L,2026-04-15 08:00,Prüfung µ"


def rows_of(content):
    return list(lab_csv.read_sheet(content).rows())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_letters_come_out_right_in_every_encoding_that_spreadsheets_write(encoding):
    ((line, cells),) = rows_of(f"{HEADER}\r\n{LINE}\r\n".encode(encoding))
    assert line == 2
    assert cells["sample_id"] == "0012"
    assert cells["lab_comment"] == "Prüfung µ"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_that_of_the_first_line(separator):
    text = f"{HEADER}\n{LINE}\n".replace(",", separator)
    ((_, cells),) = rows_of(text.encode())
    assert (cells["coc_no"], cells["result"]) == ("COC-1", "412")


def test_quotes_lines_and_empty_lines_are_read_as_csv_has_them():
    text = f'{HEADER}\n\nCOC-1,"a ""b"" c",BOD5,"1\n2",mg/L,x,\n,,,,,,\nCOC-1,z,TSS,5,mg/L,x\n'
    first, second = rows_of(text.encode())
    assert first[0] == 3
    assert (first[1]["sample_id"], first[1]["result"]) == ('a "b" c', "1\n2")
    assert second[0] == 6
    assert "lab_comment" not in second[1]


def test_columns_are_found_in_any_order_and_under_the_names_that_laboratories_use():
    sheet = lab_csv.read_sheet(b"Units,Result,Parameter,Client Sample ID,COC,Date Collected,Analyst\n")
    assert sheet.columns == {
        "unit": "Units",
        "result": "Result",
        "analyte": "Parameter",
        "sample_id": "Client Sample ID",
        "coc_no": "COC",
        "collected_at": "Date Collected",
    }


def test_a_formula_stays_a_text():
    ((_, cells),) = rows_of(f'{HEADER}\nCOC-1,"=HYPERLINK(""http://x"")",BOD5,1,mg/L,x,\n'.encode())
    assert cells["sample_id"] == '=HYPERLINK("http://x")'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"PK\x03\x04zip", "CSV UTF-8"),
        (b"%PDF-1.7", "CSV UTF-8"),
        (b"sample_id,result\nS,1\n", "coc_no, analyte, unit, collected_at"),
        (b"a\x00b,c\n", "no CSV"),
        (b"\xff\xfea\x00b", "Unicode"),
        (f'{HEADER}\nCOC-1,"open,BOD5,1,mg/L,x,\n'.encode(), "line 2"),
        (("c," * 2_000_000).encode(), "columns"),
    ],
)
def test_what_is_no_report_is_refused_with_what_to_do(content, sentence):
    with pytest.raises(Refused, match=sentence):
        rows_of(content)
