"""A laboratory's row is read exactly or waits for a person; nothing is rounded, converted or guessed."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from inspect_app.domain import lab_results, lab_words

ZONE = ZoneInfo("America/Chicago")
NOW = datetime(2026, 4, 20, 15, tzinfo=UTC)
ROW = {
    "coc_no": "COC-26-011",
    "sample_id": "HG-260415-CM03-C1",
    "analyte": "BOD5",
    "result": "412",
    "unit": "mg/L",
    "collected_at": "2026-04-15 08:00",
}


def read(**cells):
    return lab_results.read_row({**ROW, **cells}, ZONE, NOW)


@pytest.mark.parametrize(
    ("reported", "result", "qualifier"),
    [
        ("250.1", "250.1", None),
        ("250.10", "250.10", None),
        ("0", "0", None),
        (".5", ".5", None),
        ("<5", "<5", None),
        ("< 5", "<5", None),
        (">2420", ">2420", None),
        ("5 U", "<5", "U"),
        ("5U", "<5", "U"),
        ("0.02 J", "0.02", "J"),
        ("0.02 UJ", "<0.02", "UJ"),
        ("TNTC", "TNTC", None),
        ("1.4E-3", "0.0014", None),
        ("1.40e2", "140", None),
        ("2E+3", "2000", None),
    ],
)
def test_a_result_keeps_its_digits_its_bound_and_its_letter(reported, result, qualifier):
    row = read(result=reported)
    assert row.state == "ready", row.reasons
    assert row.values["lab_result"] == result
    assert row.values.get("qualifier") == qualifier
    assert row.said == reported


@pytest.mark.parametrize(
    "reported", ["", "abc", "1,200", "412,5", "-3", "R", "412 R", "≈5", "5-6", "1e400", "="]
)
def test_any_other_result_waits_for_a_person(reported):
    row = read(result=reported)
    assert row.state == "tray"
    assert row.reasons


@pytest.mark.parametrize(
    ("cells", "result"),
    [
        ({"rl": "2"}, "<2"),
        ({"mdl": "0.4"}, "<0.4"),
        ({"rl": "2", "mdl": "0.4"}, "<2"),
        ({}, "ND"),
        ({"rl": "n/a"}, "ND"),
    ],
)
def test_not_detected_is_below_the_limit_of_the_report_and_never_zero(cells, result):
    row = read(result="ND", **cells)
    assert row.values["lab_result"] == result
    assert row.values["detect_flag"] == "not_detected"


def test_a_flag_of_not_detected_makes_a_number_a_bound():
    assert read(result="5", detect_flag="N").values["lab_result"] == "<5"
    assert read(result=">5", detect_flag="N").state == "tray"


@pytest.mark.parametrize(
    ("written", "unit"),
    [("mg/L", "mg/l"), ("MG/L", "mg/l"), ("ug/L", "ug/l"), ("µg/L", "ug/l"), ("μg/L", "ug/l")],
)
def test_a_unit_is_named_and_the_number_stays_as_reported(written, unit):
    row = read(result="1400", unit=written)
    assert (row.values["lab_result"], row.values["unit"]) == ("1400", unit)


@pytest.mark.parametrize("unit", ["", "ng/L", "mg/kg", "%", "ppm", "su"])
def test_an_unknown_unit_waits_for_a_person(unit):
    assert read(unit=unit).state == "tray"


def test_ph_has_a_unit_of_its_own():
    assert read(analyte="pH", result="5.4", unit="S.U.").values["unit"] == "su"
    assert read(analyte="pH", result="5.4", unit="mg/L").state == "tray"


def test_ids_are_texts_with_every_zero():
    row = read(sample_id="0012", lab_sample_id="00002408")
    assert (row.values["sample_id"], row.values["lab_sample_id"]) == ("0012", "00002408")


def test_an_analyte_and_its_cas_number_must_agree():
    assert read(analyte="Copper, total", cas="7440-50-8").values["analyte"] == "copper"
    assert read(analyte="Zinc", cas="7440-50-8").state == "tray"
    assert read(analyte="Molybdenum").state == "tray"


@pytest.mark.parametrize("kind", ["MB", "LCS", "Method Blank", "matrix spike"])
def test_the_laboratorys_own_quality_control_is_kept_and_never_used(kind):
    assert read(qc_type=kind).state == "quality"


@pytest.mark.parametrize(
    ("kind", "known"), [("", "normal"), ("FD", "duplicate"), ("Field blank", "field_blank")]
)
def test_samples_of_the_field_are_known_by_their_kind(kind, known):
    row = read(qc_type=kind)
    assert (row.state, row.values["qc_type"]) == ("ready", known)


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-04-15 08:00", "2026-04-15T08:00:00-05:00"),
        ("2026-04-15T08:00:00-05:00", "2026-04-15T08:00:00-05:00"),
        ("2026-04-15T13:00:00Z", "2026-04-15T08:00:00-05:00"),
        ("4/15/2026 8:00 AM", "2026-04-15T08:00:00-05:00"),
        ("04/15/2026 12:30 PM", "2026-04-15T12:30:00-05:00"),
        ("04/15/2026 12:30 AM", "2026-04-15T00:30:00-05:00"),
        ("2026-01-15 08:00", "2026-01-15T08:00:00-06:00"),
    ],
)
def test_a_time_is_the_villages_unless_it_says_its_offset(written, instant):
    assert read(collected_at=written).values["collected_at"] == instant


@pytest.mark.parametrize(
    "written",
    [
        "",
        "yesterday",
        "31/12/2026 08:00",
        "2026-02-30 08:00",
        "2026-04-15 25:00",
        "2026-03-08 02:30",
        "2025-11-02 01:30",
    ],
)
def test_a_time_that_is_none_or_is_two_waits_for_a_person(written):
    row = read(collected_at=written)
    assert row.state == "tray"
    assert "collected_at" not in row.values


def test_a_day_alone_counts_for_the_order_and_is_given_to_no_rule():
    row = read(analyzed_at="2026-04-16")
    assert row.state == "ready"
    assert "analyzed_at" not in row.values
    assert row.remarks
    assert read(analyzed_at="2026-04-14").state == "refused"
    assert read(analyzed_at="2026-04-15").state == "ready"


@pytest.mark.parametrize(
    ("times", "state"),
    [
        ({"received_at": "2026-04-15 08:00"}, "ready"),
        ({"received_at": "2026-04-15 07:59"}, "refused"),
        ({"received_at": "2026-04-15 00:30", "collected_at": "2026-04-15 02:00"}, "refused"),
        ({"received_at": "2026-04-16 09:30", "analyzed_at": "2026-04-16 09:29:59"}, "refused"),
        ({"analyzed_at": "2026-04-17 10:00", "reported_at": "2026-04-17"}, "ready"),
        ({"analyzed_at": "2026-04-17 10:00", "reported_at": "2026-04-16"}, "refused"),
        ({"received_at": "2026-04-20 10:15"}, "ready"),
        ({"received_at": "2026-04-20 10:16"}, "refused"),
    ],
)
def test_collected_received_analyzed_reported_come_in_this_order_and_not_from_the_future(times, state):
    assert read(**times).state == state


def test_every_other_name_leads_to_a_column_of_the_template():
    assert set(lab_words.OTHER_NAMES.values()) <= set(lab_words.COLUMNS)
    assert set(lab_words.NEEDED) <= set(lab_words.COLUMNS)
    assert all(lab_words.plain(word) == word for word in (*lab_words.ANALYTES, *lab_words.OTHER_NAMES))
    assert lab_words.column_of("Client Sample ID") == "sample_id"
    assert lab_words.column_of("Sampler's mood") is None
