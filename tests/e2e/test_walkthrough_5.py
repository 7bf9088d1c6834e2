"""Walkthrough 5: dusk at an opening in the street, four barricades, no lights, the ground frozen."""

import pytest

from tests.e2e.office import Reviewer, record, server_findings, tablet_findings
from tests.e2e.variations import PHONE, TABLET, Variations

PLACE = "Example Street at MH-109"
# What the inspector reads as the minutes pass: sunset is at 16:57.
MINUTES = (("16:50", "warning"), ("17:30", "violation"), ("17:05", "violation"))
NORTH = "barricade_side-barricades_sides.north"
SIDES = {f"barricade_side-barricades_sides.{side}" for side in ("north", "east", "south", "west")}
# Judged by a setting, a clock or a village that this tablet does not have; tests/vectors hold them.
ELSEWHERE = ("half an hour", "Device clock", "Howards Grove")


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["390", "820"])
def test_an_opening_at_dusk_is_judged_by_the_minute_and_the_lights_correct_it(
    enrolled, office_app, page, walkthrough, size
):
    visit = walkthrough(5)
    tablet = enrolled("inspector-a", "barneveld", viewport=size)
    tablet.go_offline()
    inspector = tablet.inspector
    inspector.by_key = size is TABLET
    record_id = inspector.start(PLACE)
    inspector.fill_in(visit["answers"])
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert bad(seen) == {"BV-EXC-07"}
    assert "frozen" in inspector.text_of("BV-EXC-07")

    inspector.go_to("site_safety")
    for minute, outcome in MINUTES:
        inspector.answer("observed_at", f"2026-01-20T{minute}:00-06:00")
        assert inspector.outcome_of("BV-EXC-03") == outcome, minute
    assert inspector.take(NORTH) == SIDES
    inspector.sign("signature_inspector", "Inspector A")
    at_dark = inspector.findings()
    expected = visit["expect"] | {"BV-EXC-03": "violation"}
    assert {rule: at_dark.get(rule) for rule in expected} == expected
    inspector.submit()

    # The contractor lights four lamps; the same record says so at 17:48.
    inspector.go_to("site_safety")
    lit = walkthrough(5, "17:48, four lights lit, night from sunset")
    Variations(inspector, visit["answers"], "tap").type_over(lit["answers"])
    corrected = inspector.findings()
    assert {rule: corrected.get(rule) for rule in lit["expect"]} == lit["expect"]
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()
    found = server_findings(office_app, record_id)
    assert found == corrected == tablet_findings(office_app, record_id)
    reviewer = Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    reviewer.open(record(office_app, record_id)["number"])
    assert reviewer.findings() == found
    assert "BV-EXC-03" in reviewer.corrected()
    assert "One violation stands." in reviewer.gates()
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []


def test_each_variation_of_walkthrough_5_comes_out_as_written(enrolled, walkthrough, vectors):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    inspector = tablet.inspector
    inspector.start(PLACE)
    base = walkthrough(5)["answers"]
    without_fix = next(vector for vector in vectors(5) if vector["name"].startswith("GPS off"))
    inspector.fill_in(without_fix["answers"])
    variations = Variations(inspector, without_fix["answers"], "tap")
    variations.come_out_as_written(without_fix)
    told = [
        v
        for v in vectors(5)[8:]
        if v["name"] != without_fix["name"] and not any(w in v["name"] for w in ELSEWHERE)
    ]
    assert len(told) >= 8
    for vector in told:
        variations.come_out_as_written(vector)
    assert base["gps"]


def bad(findings: dict[str, str]) -> set[str]:
    """The rules that were broken, or that a body decides."""
    return {rule for rule, outcome in findings.items() if outcome in ("violation", "discretion")}
