"""Paper: a blank form printed without a signal, and what was written on it copied in by its numbers."""

from tests.e2e.variations import PHONE


def test_a_form_is_printed_offline_and_copied_in_beside_its_numbers(enrolled, office_app):
    tablet = enrolled("inspector-a", "barneveld", viewport=PHONE)
    page, inspector = tablet.page, tablet.inspector
    tablet.go_offline()
    page.evaluate("location.hash = '#/settings'")
    page.get_by_role("link", name="Tap check").click()
    sheet = page.locator(".sheet")
    sheet.wait_for()
    numbered = sheet.locator(".ask1", has_text="Joint downstream")
    number = numbered.locator(".no").first.inner_text()
    assert number.isdigit()
    page.wait_for_function(
        "document.styleSheets.length && getComputedStyle(document.querySelector('.bx')).width !== 'auto'"
    )
    # 8 mm at 96 px to the inch.
    assert abs(sheet.locator(".bx").first.bounding_box()["width"] - 8 * 96 / 25.4) < 1
    assert sheet.get_by_text("Indemnity on file").count() == 0, "only Howards Grove asks for it"
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")

    page.evaluate("location.hash = '#/'")
    inspector.start("MH-112")
    assert number not in inspector.shown("joint_distance_down")
    inspector.go_to("site_safety")
    inspector.answer("transcribed_by", "Clerk")
    assert inspector.shown("joint_distance_down").startswith(number)
