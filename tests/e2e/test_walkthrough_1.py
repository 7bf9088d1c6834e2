"""Walkthrough 1: a clean lateral in Barneveld, from the tablet's enrolment to the office's approval."""

import pytest

from tests.e2e.inspector import Inspector
from tests.e2e.office import Reviewer, record, server_findings, stored_photos, tablet_findings
from tests.e2e.variations import PHONE, TABLET


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["390", "820"])
def test_a_clean_lateral_is_recorded_without_a_signal_and_approved(
    enrolled, office_app, page, walkthrough, size
):
    visit = walkthrough(1)
    tablet = enrolled("inspector-a", "barneveld", viewport=size)

    # The browser is closed and opened again with no network from its first moment.
    page_at_trench = tablet.reopen("/field/#/", offline=True)
    inspector = Inspector(page_at_trench)
    inspector.by_key = size is TABLET
    record_id = inspector.start("Lot 14 Example Court")
    inspector.fill_in(visit["answers"])
    assert inspector.take_photos() == 9
    inspector.sign("signature_inspector", "Inspector A")
    inspector.sign("signature_installer", "Plumber 1")
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert [rule for rule, outcome in seen.items() if outcome in ("violation", "discretion")] == []
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    found = server_findings(office_app, record_id)
    assert {rule: found.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert found == tablet_findings(office_app, record_id)
    photos = stored_photos(office_app, record_id)
    assert len(photos) == 9
    assert all(signed == lies_here for signed, lies_here in photos)

    number = record(office_app, record_id)["number"]
    reviewer = Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    reviewer.open(number)
    assert [rule for rule in visit["expect"] if not reviewer.shows(rule)] == []
    reviewer.take()
    reviewer.approve()
    assert record(office_app, record_id)["state"] == "approved"
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []
