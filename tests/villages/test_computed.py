"""What the product works out where nothing is given: the day, the place, the sun, the laboratory's receipt.

The table of sunrises and sunsets stands in tests/vectors/night.json, for both languages.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from inspect_app.domain import rules
from inspect_app.store import villages

CHICAGO = ZoneInfo("America/Chicago")
OPENING = {"location_type": "street", "open_now": "yes", "stays_open_overnight": "yes", "lights_type": "none"}


def judged(village, rule, answers, context=None, on="2026-06-18", kind="tap", settings=None):
    pack = villages.pack_of(village, date.fromisoformat(on))
    found = rules.evaluate(pack, kind, answers, context, settings, on, beside=True)
    return next(finding for finding in found if finding.rule == rule)


@pytest.mark.parametrize(
    ("village", "rule", "day", "sunset"),
    [
        ("barneveld", "BV-EXC-03", "2026-01-20", "16:57"),
        ("barneveld", "BV-EXC-03", "2026-03-08", "18:58"),
        ("barneveld", "BV-EXC-03", "2026-06-21", "20:42"),
        ("barneveld", "BV-EXC-03", "2026-11-01", "16:51"),
        ("barneveld", "BV-EXC-03", "2026-12-21", "16:28"),
        ("howards_grove", "HG-EXC-01", "2026-01-20", "16:46"),
        ("howards_grove", "HG-EXC-01", "2026-06-21", "20:37"),
    ],
)
def test_close_to_sunset_the_finding_says_so(village, rule, day, sunset):
    at = datetime.fromisoformat(f"{day}T{sunset}").replace(tzinfo=CHICAGO)
    for minutes, is_close in ((-10, False), (0, True), (10, False)):
        seen = (at + timedelta(minutes=minutes)).isoformat()
        finding = judged(village, rule, {**OPENING, "observed_at": seen}, on=day)
        assert any(note.startswith("At sunset") for note in finding.notes) is is_close


def test_a_sunset_that_is_given_is_used_as_given():
    answers = {**OPENING, "observed_at": "2026-06-18T12:00:00-05:00"}
    given = {"sunset_calc": "2026-06-18T11:00:00-05:00", "sunrise_calc": "2026-06-18T05:00:00-05:00"}
    assert judged("barneveld", "BV-EXC-03", answers).outcome == "warning"
    finding = judged("barneveld", "BV-EXC-03", answers, given)
    assert finding.outcome == "violation"
    assert "Sunset was at 11:00." in (finding.message or "")
    assert "gps.lat" not in finding.reads


def test_the_position_of_the_visit_goes_before_that_of_the_context_and_of_the_village():
    answers = {**OPENING, "observed_at": "2026-01-20T17:20:00-06:00"}
    west = {"lat": 43.0, "lon": -104.0, "accuracy_m": 4}
    assert judged("barneveld", "BV-EXC-03", answers, on="2026-01-20").outcome == "violation"
    finding = judged("barneveld", "BV-EXC-03", {**answers, "gps": west}, on="2026-01-20")
    assert finding.outcome == "warning"
    assert {"gps.lat", "gps.lon"} <= set(finding.reads)
    context = {"village_latitude": 43.0, "village_longitude": -104.0}
    finding = judged("barneveld", "BV-EXC-03", answers, context, on="2026-01-20")
    assert finding.outcome == "warning"
    assert {"village_latitude", "village_longitude"} <= set(finding.reads)


def test_the_day_judged_by_is_today_unless_another_is_told():
    notice = {"notice_issued": "yes", "notice_date": "2026-04-10", "notice_kind": "clear_water"}
    outlets = [{"id": "D1", "source_water": "roof", "result": "connected", "connected_when": "existing"}]
    answers = {**notice, "outlets": outlets}
    for on, context, outcome in (
        ("2026-06-09", {}, "pass"),
        ("2026-06-10", {}, "violation"),
        ("2026-06-10", {"today": "2026-06-09"}, "pass"),
    ):
        finding = judged("howards_grove", "HG-DSP-02", answers, context, on, "downspout")
        assert finding.outcome == outcome, (on, context, finding)


def test_what_the_laboratory_received_is_read_from_the_custody_events():
    events = [
        {"action": "seal", "seal_no": "7"},
        {
            "action": "lab_receipt",
            "at_device": "2026-06-19T08:00:00-05:00",
            "temp": {"value": "7", "unit": "degC"},
            "ice_present": "yes",
            "seal_no": "7",
            "seal_state": "intact",
        },
    ]
    answers = {"custody_events": events, "end": "2026-06-18T08:00:00-05:00", "nothing_sampled": "no"}
    finding = judged("howards_grove", "HG-SMP-04", answers, kind="manhole")
    assert (finding.outcome, finding.figure) == ("warning", "7 °C > 6 °C")
    assert "custody_events[1].temp" in finding.reads


def test_a_strength_comes_from_the_one_valid_composite():
    row = {"analyte": "bod5", "sample_type": "composite", "lab_result": "250.1", "unit": "mg/l"}
    answers = {"user_kind": "commercial", "stream_sources": ["sanitary"], "lab_results": [row]}
    other = {**row, "analyte": "tss", "lab_result": "200"}
    for rows, outcome in (
        ([row, other], "discretion"),
        ([{**row, "lab_result": "250"}, other], "information"),
        ([{**row, "sample_type": "grab"}, other], "not_evaluated"),
        ([row, row, other], "not_evaluated"),
        ([{**row, "lab_result": "<300"}, other], "not_evaluated"),
    ):
        finding = judged("barneveld", "BV-BIL-01", {**answers, "lab_results": rows}, kind="office")
        assert finding.outcome == outcome, (rows, finding)
    broken = [{"action": "lab_receipt", "seal_state": "broken"}]
    finding = judged("barneveld", "BV-BIL-01", {**answers, "custody_events": broken}, kind="office")
    assert finding.outcome == "not_evaluated"


def test_work_that_was_stopped_is_told_even_if_nobody_gave_a_gas_reading():
    finding = judged("howards_grove", "HG-CMH-02", {"stop_work": "yes"}, kind="manhole")
    assert (finding.outcome, finding.message) == ("violation", "Work was stopped. Leave the cover.")


def test_an_exceeded_item_of_the_second_list_follows_from_the_readings():
    hot = [{"param": "temperature", "value": {"value": "151", "unit": "degF"}}]
    asked = {"committee_opinion": "none_yet"}
    finding = judged("howards_grove", "HG-PRH-06", {**asked, "readings": hot}, kind="office")
    assert finding.outcome == "discretion"
    cool = [{"param": "temperature", "value": {"value": "150", "unit": "degF"}}]
    finding = judged("howards_grove", "HG-PRH-06", {**asked, "readings": cool}, kind="office")
    assert (finding.outcome, finding.missing) == ("not_evaluated", ["c2_item_exceeded"])
