"""Walkthrough 2: a tap 5.5 in from a joint at 4 o'clock: judged at the opening, returned by the office."""

import pytest

from tests.e2e.office import Reviewer, record, server_findings, stored_photos, tablet_findings
from tests.e2e.variations import PHONE, TABLET, Variations

PLACE = "MH-112 + 147.3 ft"
# What the geometry's rules read, with what carries over to the next visit.
ON_THE_TAP = {
    "clock", "view_direction", "joint_distance_up", "joint_distance_down", "basis", "opening_dia",
    "none_exposed", "other_lateral_distance", "exposed_length", "tapper", "main_material", "main_diameter",
}  # fmt: skip
TOLD = (
    *("6.0 in from the joint", "6.01 in", "15.24 cm", "15.25 cm", "15.0 cm", "8.0 in from the centre"),
    *("3:00 is", "2:59", "Other lateral at 24.0 in", "Clock not answered", "Typed 5 1/2", "Typed 5-1/2"),
)
REASON = "Repair the old opening and tap again, 40 in from the joint. Call before you cover it."


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["390", "820"])
def test_a_tap_too_near_a_joint_is_refused_and_returned(enrolled, office_app, page, walkthrough, size):
    visit = walkthrough(2)
    tablet = enrolled("inspector-a", "barneveld", viewport=size)
    inspector = tablet.inspector
    inspector.by_key = size is TABLET
    tablet.go_offline()
    record_id = inspector.start(PLACE)
    inspector.fill_in(visit["answers"])
    assert inspector.take_photos() == 10
    inspector.sign("signature_inspector", "Inspector A")
    inspector.sign("signature_installer", "Plumber 2")
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert bad(seen) == {"BV-TAP-03", "BV-TAP-04"}
    joint, around = inspector.text_of("BV-TAP-04"), inspector.text_of("BV-TAP-03")
    assert "5.5 in ≤ 6 in" in joint
    assert "not within six inches (15 cm) of the joint" in joint
    assert "120° > 90°" in around
    assert "tapped on the top half" in around
    for text in (joint, around):
        assert "270-22* B" in text
        assert "a “should”: the office confirms" in text
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    found = server_findings(office_app, record_id)
    assert found == seen == tablet_findings(office_app, record_id)
    photos = stored_photos(office_app, record_id)
    assert len(photos) == 10
    assert all(signed == lies_here for signed, lies_here in photos)

    held = record(office_app, record_id)
    reviewer = Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    reviewer.open(held["number"])
    assert reviewer.findings() == found
    reviewer.take()
    assert "Two violations stand. Return the record, or dispute them with a reason." in reviewer.gates()
    assert page.get_by_role("button", name="Approve").get_attribute("aria-disabled") == "true"
    status, said = reviewer.ask_approval(record(office_app, record_id)["rev"])
    assert status == 409
    assert "Two violations stand." in said
    assert record(office_app, record_id)["state"] == "in_review"
    for rule in ("BV-TAP-04", "BV-TAP-03"):
        reviewer.confirm(rule)
    reviewer.send_back(REASON)
    assert record(office_app, record_id)["state"] == "returned"

    # Opening the app again asks the office at once; left open, it asks by itself after a while.
    tablet.page.goto(f"{tablet.origin}/field/#/")
    tablet.page.reload()
    row = tablet.page.locator(f"[data-visit='{record_id}']")
    tablet.page.locator(f"[data-visit='{record_id}'][data-state='returned']").wait_for()
    assert "Returned for correction" in row.inner_text()
    row.get_by_role("link").click()
    assert REASON in tablet.page.locator("#returned").inner_text()
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []


def test_variations_come_out_as_written_and_the_place_is_inspected_again(
    enrolled, office_app, page, walkthrough, vectors
):
    tablet = enrolled("inspector-a", "barneveld")
    inspector = tablet.inspector
    tablet.go_offline()
    first = inspector.start(PLACE)
    answers = {name: value for name, value in walkthrough(2)["answers"].items() if name in ON_THE_TAP}
    inspector.fill_in(answers)
    variations = Variations(inspector, answers, "tap")
    told = [vector for vector in vectors(2) if vector["name"].startswith(TOLD)]
    assert len(told) == len(TOLD)
    for vector in told:
        mine = {name: value for name, value in vector["answers"].items() if name in ON_THE_TAP}
        expect = {rule: vector["expect"][rule] for rule in ("BV-TAP-03", "BV-TAP-04", "BV-TAP-05")}
        variations.come_out_as_written({**vector, "answers": mine, "expect": expect})
    variations.type_over(answers)
    assert "5.5 in ≤ 6 in" in inspector.text_of("BV-TAP-04")
    inspector.submit()

    # Four days later, at the same place: who, where and which permit come along, no reading does.
    second = inspector.inspect_again()
    assert "From the earlier visit" in inspector.shown("tapper")
    assert "From the earlier visit" in inspector.shown("main_diameter")
    assert inspector.shown_value("joint_distance_down") == ""
    assert "First visit: 5.5 in ≤ 6 in, violation" in inspector.shown("joint_distance_down")
    assert "First visit: 120° > 90°, violation" in inspector.shown("clock")
    again = walkthrough(2, "Re-inspection: tap moved, lateral not part of the visit")
    inspector.by_key = False
    inspector.fill_in(again["answers"])
    assert inspector.take_photos() == 10
    inspector.sign("signature_inspector", "Inspector A")
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in again["expect"]} == again["expect"]
    assert bad(seen) == set()
    assert "First visit" in inspector.page.locator("nav[aria-labelledby='rv-a']").inner_text()
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()
    assert record(office_app, second)["parent_record"] == first
    assert server_findings(office_app, second) == seen
    kept = server_findings(office_app, first)
    assert {rule: kept[rule] for rule in ("BV-TAP-03", "BV-TAP-04")} == dict.fromkeys(
        ("BV-TAP-03", "BV-TAP-04"), "violation"
    )
    reviewer = Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    reviewer.open(record(office_app, second)["number"])
    assert record(office_app, first)["number"] in page.locator("[aria-labelledby='before']").inner_text()
    reviewer.take()
    reviewer.approve()
    page.get_by_text("Approved. The record cannot be changed any more.").wait_for()
    assert record(office_app, second)["state"] == "approved"


def bad(findings: dict[str, str]) -> set[str]:
    """The rules that were broken, or that a body decides."""
    return {rule for rule, outcome in findings.items() if outcome in ("violation", "discretion")}
