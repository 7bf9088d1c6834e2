"""Paper: a blank form printed without a signal, and what was written on it copied in by its numbers."""

from tests.e2e.variations import PHONE


def test_a_form_is_printed_offline_and_copied_in_beside_its_numbers(enrolled, office_app):
    tablet = enrolled("inspector-a", "barneveld", viewport=PHONE)
    page, inspector = tablet.page, tablet.inspector
    tablet.go_offline()
    page.evaluate("location.hash = '#/settings'")
    page.locator("a[href='#/blank/tap']").click()
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


# A tablet on which the office's next form has arrived: version 3 of the tap check, beside version 2.
NEWER = """async () => {
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  for (const { name } of await indexedDB.databases()) {
    if (!name.includes('replica-')) continue;
    const db = await done(indexedDB.open(name));
    const store = db.transaction('reference', 'readwrite').objectStore('reference');
    const reference = await done(store.get('reference'));
    const form = await done(store.get('protocol:tap:2'));
    if (reference) {
      await done(store.put({ ...form, version: '3', title: 'Tap check of tomorrow' }, 'protocol:tap:3'));
      const newest = (one) => (one.protocol === 'tap' ? { ...one, version: '3' } : one);
      await done(store.put({ ...reference, protocols: reference.protocols.map(newest) }, 'reference'));
    }
    db.close();
  }
}"""


def test_a_form_says_why_it_asks_and_a_draft_goes_on_with_a_newer_one(enrolled, office_app):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    tablet.go_offline()
    inspector.start("MH-112")
    inspector.answer("arrived_at", "2026-06-18T12:40:00-05:00")
    inspector.go_to("tap_geometry")
    assert "Why" not in inspector.shown("joint_distance_down")
    page.locator(".gh", has_text="Around and along the main").get_by_role("button").click()
    said = inspector.shown("joint_distance_down")
    assert "Why: nearest joint downstream" in said
    assert "BV-TAP-04" in said
    assert "HG-" not in said, "only rules of this village"

    page.evaluate(NEWER)
    page.reload()
    page.locator("nav.rail a").first.wait_for()
    inspector.go_to("review")
    assert "was begun on version 2" in page.locator("[data-newer]").inner_text()
    page.get_by_role("button", name="Go on with version 3").click()
    page.locator("[data-newer]").wait_for(state="detached")
    assert page.get_by_text("Tap check of tomorrow").count()
    assert "12:40" in inspector.shown("arrived_at"), "what was typed stays"
