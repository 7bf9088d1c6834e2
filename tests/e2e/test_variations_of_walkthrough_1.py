"""Variations of walkthrough 1: change one thing at the trench, see one thing change, with the figure."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from tests.e2e.office import server_findings
from tests.e2e.variations import PHONE, TABLET

# What the varied rules read: the rest of the form stays empty, as at a trench where one has just begun.
NEEDED = {
    "work_type", "work_start", "last_work_on", "installer_license", "license_class", "license_expiry",
    "placement_done_at", "inspected_at", "backfill_started", "backfill_start_at", "exposed_len", "total_len",
    "station0_ref", "segments", "cleanouts_none", "cleanouts", "inverts", "serves", "cover_top", "insulation",
    "test_type",
}  # fmt: skip


@pytest.fixture
def at_the_trench(enrolled, walkthrough):
    """An inspector, offline, who has answered what the variations need."""
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    inspector = tablet.inspector
    inspector.tablet = tablet
    inspector.record = inspector.start("Lot 14 Example Court")
    answers = walkthrough(1)["answers"]
    inspector.fill_in({name: value for name, value in answers.items() if name in NEEDED})
    return inspector


def test_each_variation_shows_its_finding_beside_the_field(at_the_trench, office_app):
    """The narrow and the wide layout take turns, section by section."""
    inspector = at_the_trench
    inspector.page.set_viewport_size(PHONE)
    inspector.go_to("slope_and_cover")
    for typed, outcome, figure in (
        ("59.9", "violation", "59.9 in < 60 in"),
        ("60.0", "pass", "60 in ≥ 60 in"),
    ):
        inspector.change_cell("cover_top", 2, "depth", typed)
        assert inspector.outcome_of("ST-04") == outcome
        assert figure in inspector.text_of("ST-04")
    # 1096.42 less the drop of the run: 0.6459 ft over 62.0 ft is 1/8 in a foot, 0.645 ft is not.
    for drop, outcome in (("0.645", "violation"), ("0.6459", "pass")):
        inspector.change_cell("inverts", 2, "elevation", str(Decimal("1096.42") - Decimal(drop)))
        assert inspector.outcome_of("ST-01") == outcome

    a_list_is_worked_with_keys_alone(inspector.page)

    inspector.page.set_viewport_size(TABLET)
    inspector.go_to("pipe")
    for typed, outcome in (("5.1", "violation"), ("5.0", "pass")):
        inspector.change_cell("cleanouts", 1, "from_junction", typed)
        assert inspector.outcome_of("ST-10") == outcome
    inspector.answer("station0_ref", "five_ft_out")
    assert inspector.outcome_of("BV-DEF-02") == "warning"

    inspector.page.set_viewport_size(PHONE)
    inspector.go_to("trench_and_timing")
    for at, outcome in (("10:10", "violation"), ("10:20", "warning"), ("11:30", "pass")):
        inspector.answer("backfill_start_at", f"2026-05-14T{at}:00-05:00")
        assert inspector.outcome_of("BV-LAT-03") == outcome
    inspector.change_measure("exposed_len", "58.0")
    assert inspector.outcome_of("BV-LAT-03") == "violation"

    inspector.page.set_viewport_size(TABLET)
    inspector.go_to("permit_and_notice")
    inspector.answer("license_expiry", "2026-05-13")
    assert inspector.outcome_of("BV-LIC-01") == "violation"

    inspector.page.set_viewport_size(PHONE)
    inspector.go_to("test")
    inspector.answer("test_type", "none_yet")
    assert inspector.outcome_of("BV-LAT-04") == "warning"

    seen = inspector.findings()
    inspector.submit()
    inspector.tablet.go_online()
    inspector.wait_until_sent()
    assert server_findings(office_app, inspector.record) == seen


def a_list_is_worked_with_keys_alone(page) -> None:
    """Open and close a row, copy the last one and take the copy back, without a pointer."""
    covers = page.locator("[data-field='cover_top']:not([data-row])")
    row, rows = page.locator("#row-cover_top-1"), covers.locator("ol.records > li")
    row.press("Enter")
    expect(page.locator("#field-cover_top-1-station")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row).to_be_focused()
    covers.get_by_role("button", name="Copy cover 3").press("Enter")
    expect(rows).to_have_count(4)
    expect(page.locator("#field-cover_top-4-depth")).to_have_value("72")
    covers.get_by_role("button", name="Undo", exact=True).press("Enter")
    expect(rows).to_have_count(3)
    expect(covers.get_by_role("button", name="Add cover 4")).to_be_visible()
