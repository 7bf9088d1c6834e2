"""The ordinance book on a tablet without a signal: found, read, and back to where one came from."""

import pytest


@pytest.fixture
def offline(enrolled):
    """Inspector A's tablet, which has lost its signal."""
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    return tablet


@pytest.mark.slow
def test_a_rule_is_found_as_one_types_and_the_search_is_still_there_afterwards(offline):
    page = offline.page
    page.goto(f"{offline.origin}/field/#/")
    page.get_by_role("navigation").get_by_role("link", name="Book").first.click()
    page.get_by_label("Search by id").press_sequentially("six inches joint")
    page.get_by_text("1 rule found").wait_for()
    page.get_by_role("link", name="Tap not within six inches of a joint").click()
    page.get_by_text("“not within six inches (15 cm) of the joint”").wait_for()
    assert "Exactly 6 in is a violation." in page.locator("main").inner_text()
    page.get_by_role("link", name="Back to Ordinance book").click()
    assert page.get_by_label("Search by id").input_value() == "six inches joint"
    page.get_by_label("Search by id").fill("zeppelin")
    page.get_by_role("button", name="Show the whole book").click()
    assert page.locator(".lawlist a").count() > 20


@pytest.mark.slow
def test_a_finding_leads_to_its_rule_and_back_to_itself(offline):
    page, inspector = offline.page, offline.inspector
    inspector.start("MH-112 + 147.3 ft")
    inspector.go_to("review")
    page.locator("summary", has_text="Tap geometry").click()
    finding = page.locator("#rule-BV-TAP-04")
    finding.click()
    page.get_by_role("heading", name="Tap not within six inches of a joint").wait_for()
    page.get_by_role("link", name="Back to the inspection").click()
    finding.wait_for()
    page.wait_for_function("() => document.activeElement?.id === 'rule-BV-TAP-04'")
    assert "/review" in page.url


@pytest.mark.slow
def test_a_rule_that_this_tablet_does_not_have_leads_to_the_book(offline):
    page = offline.page
    page.goto(f"{offline.origin}/field/#/book/BV-TAP-99")
    page.get_by_text("have none of this name").wait_for()
    page.locator("main").get_by_role("link", name="Show the whole book").click()
    page.locator(".lawlist").first.wait_for()
