"""Walkthrough 3: three outlets of one house in Howards Grove, each with its own dye, clock and later visits.

The notice, the Board's exception and the days that they start are typed as the form asks for them. What rests
on records of the office alone (reconsideration, abatement: HG-APL-01, HG-ENF-01, HG-ENF-03) is judged by the
vectors of this walkthrough (tests/vectors/walkthrough3.json), since no page of the office keeps notices yet.
"""

from datetime import UTC, datetime

import pytest

from tests.e2e.office import Reviewer, record, server_findings, stored_photos, tablet_findings
from tests.e2e.variations import PHONE, TABLET, Variations, on_the_day

HOWARDS_GROVE = {"latitude": 43.8341, "longitude": -87.8196, "accuracy": 4}


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["390", "820"])
def test_three_outlets_are_dyed_and_found_connected(enrolled, office_app, page, walkthrough, size):
    visit = walkthrough(3)
    tablet = enrolled("inspector-c", "howards_grove", geolocation=HOWARDS_GROVE, viewport=size)
    inspector = tablet.inspector
    inspector.by_key = size is TABLET
    tablet.go_offline()
    record_id = inspector.start("12 Example Lane")
    inspector.fill_in(visit["answers"])
    assert inspector.take_photos() == 2
    for slot in ("outlet_before-outlets", "dye_in_manhole-outlets"):
        inspector.take_another(slot)
        inspector.take_another(slot)
    inspector.sign("signature_inspector", "Inspector C")
    inspector.sign("signature_installer", "Owner")
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert [rule for rule, outcome in seen.items() if outcome in ("violation", "discretion")] == ["HG-STM-01"]
    assert "Notice pending" in inspector.text_of("HG-STM-01")
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    found = server_findings(office_app, record_id)
    assert found == seen == tablet_findings(office_app, record_id)
    photos = stored_photos(office_app, record_id)
    assert len(photos) == 6
    assert all(signed == lies_here for signed, lies_here in photos)
    reviewer = Reviewer(page, tablet.origin, "howards_grove", "reviewer-2")
    reviewer.open(record(office_app, record_id)["number"])
    assert reviewer.findings() == found
    assert "One violation stands. Return the record, or dispute it with a reason." in reviewer.gates()
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []


# What the clear-water rules read of a downspout visit.
READ = {
    *(
        "weather",
        "rain_24h",
        "ground",
        "notice_issued",
        "notice_kind",
        "notice_no",
        "notice_body",
        "notice_date",
    ),
    *("delivered_at", "delivery_method", "exceptions", "outlets"),
}
HAND_ON = ("id", "side", "type", "source_water")


def test_the_clock_of_the_notice_runs_by_days_over_three_visits(enrolled, office_app, walkthrough):
    tablet = enrolled("inspector-c", "howards_grove", geolocation=HOWARDS_GROVE)
    inspector, paper = tablet.inspector, tablet.page
    inspector.by_key = False
    tablet.go_offline()

    visit = walkthrough(3)
    on_the_day(paper, visit)
    first = inspector.start("12 Example Lane")
    inspector.fill_in(read(visit["answers"]))
    assert inspector.findings()["HG-STM-01"] == "violation"
    inspector.submit()

    # Day 60 and day 61, at the same house; the notice is of 10 April, the exception covers D3 alone.
    over = walkthrough(3, "Day 61 with all three: D2 over, D3 excepted")
    answers = read(over["answers"]) | {"exceptions_none": "no"}
    on_the_day(paper, {"on": "2026-06-09"}, "16:00")
    second = inspector.inspect_again()
    assert "First visit: violation" in inspector.shown("outlets", "downspout")
    outlets = [{name: row[name] for name in HAND_ON} for row in visit["answers"]["outlets"]]
    variations = Variations(inspector, {"outlets": outlets}, "downspout")
    at_four = with_outlet(
        answers, 1, dye_start_at="2026-06-09T16:00:00-05:00", dye_seen_at="2026-06-09T16:00:00-05:00"
    )
    seen = variations.findings({"answers": at_four})
    assert (seen["HG-DSP-02"], seen["HG-DSP-03"]) == ("pass", "discretion")
    assert "last day" in inspector.text_of("HG-DSP-02")

    on_the_day(paper, over)
    seen = variations.come_out_as_written(over | {"answers": answers})
    for changes, day, expected, says in VARIATIONS:
        on_the_day(paper, {"on": day})
        inspector.go_to("notice")
        seen = variations.findings({"answers": changed(answers, changes)})
        assert {rule: seen.get(rule) for rule in expected} == expected, changes
        assert says.lower() in inspector.text_of("HG-DSP-02").lower(), changes
    on_the_day(paper, over)
    variations.come_out_as_written(over | {"answers": answers})
    inspector.submit()

    # Day 73: D2 is off and verified, and stays overdue for the days before.
    off = walkthrough(3, "2026-06-22: D2 off, overdue from 06-10")
    on_the_day(paper, off)
    third = inspector.inspect_again()
    assert "Earlier visit: violation" in inspector.shown("outlets", "downspout")
    inspector.remove_row("outlets", 3)
    inspector.remove_row("outlets", 1)
    variations = Variations(inspector, {"outlets": [outlets[1]]}, "downspout")
    last = variations.come_out_as_written(off | {"answers": read(off["answers"])})
    inspector.submit()

    paper.clock.set_fixed_time(datetime.now(UTC))
    tablet.go_online()
    inspector.wait_until_sent()
    assert [record(office_app, one)["parent_record"] for one in (first, second, third)] == [
        None,
        first,
        second,
    ]
    for one in (first, second, third):
        assert server_findings(office_app, one) == tablet_findings(office_app, one)
    assert server_findings(office_app, third) == last
    assert server_findings(office_app, second)["HG-DSP-02"] == "violation", "it keeps what it found"


def read(answers: dict) -> dict:
    return {name: value for name, value in answers.items() if name in READ}


def with_outlet(answers: dict, at: int, **cells) -> dict:
    """The answers with some cells of one outlet changed; None takes a cell away."""
    rows = [dict(row) for row in answers["outlets"]]
    rows[at] = {name: value for name, value in (rows[at] | cells).items() if value is not None}
    return answers | {"outlets": rows}


def changed(answers: dict, changes: dict) -> dict:
    """The answers with one thing changed: a field, cells of the exception, or cells of outlet D2."""
    new = {**answers, **changes.get("fields", {})}
    new = {name: value for name, value in new.items() if value is not None}
    if "exception" in changes:
        new["exceptions"] = [new["exceptions"][0] | changes["exception"]]
    return with_outlet(new, 1, **changes["D2"]) if "D2" in changes else new


OFF = {
    "result": "not_connected",
    "dye_seen_at": None,
    "dye_start_at": "2026-06-09T23:20:00-05:00",
    "dye_watched_until": "2026-06-09T23:45:00-05:00",
    "disconnected_at": "2026-06-09T23:50:00-05:00",
    "disconnection_basis": "seen",
    "verified_at": "2026-06-09T23:50:00-05:00",
    "capped": "yes",
    "discharge_distance": {"value": "6", "unit": "ft"},
    "discharge_point": "lawn",
}
VARIATIONS = (
    (
        {"exception": {"body": "chief_operator"}},
        "2026-06-10",
        {"HG-DEF-09": "violation", "HG-DSP-02": "violation", "HG-DSP-03": "warning"},
        "D2 is still connected",
    ),
    (
        {"exception": {"exception_date": "2026-06-15", "effective": "2026-06-15"}},
        "2026-06-14",
        {"HG-DSP-02": "violation", "HG-DSP-03": "information"},
        "D2 is still connected",
    ),
    ({"fields": {"notice_date": None}}, "2026-06-10", {"HG-DSP-02": "not_evaluated"}, ""),
    ({"fields": {"notice_date": "2026-05-04"}}, "2026-07-03", {"HG-DSP-02": "pass"}, "last day"),
    (
        {"fields": {"notice_date": "2026-05-04"}},
        "2026-07-04",
        {"HG-DSP-02": "violation"},
        "2026-07-04 > 2026-07-03",
    ),
    ({"D2": OFF}, "2026-06-10", {"HG-DSP-02": "pass"}, ""),
)
