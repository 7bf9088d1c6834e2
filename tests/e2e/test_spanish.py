"""The tablet speaks Spanish beside English, and is switched without a signal in the middle of a form."""

import re

from playwright.sync_api import expect

from inspect_app.store import findings
from tests.e2e.office import server_findings, tablet_findings

PLACE = "MH-112"
ENGLISH_LEFT = """() => {
  const shown = (node) => node.checkVisibility({checkOpacity: false});
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const parent = walk.currentNode.parentElement;
    const isEnglish = /\\b(the|is|of|with|and|are|must|not|from|this)\\b/i.test(text);
    if (isEnglish && shown(parent) && !parent.closest('[lang=en]'))
      found.push(text);
  }
  return found;
}"""


def choose(page, language: str) -> None:
    """Choose a language in the settings, as a person does: by its own name."""
    page.locator("nav a[href='#/settings']:visible").first.click()
    page.locator(f"#set-language input[value='{language}']").check(force=True)
    page.locator(f"html[lang='{language}']").wait_for()


def test_a_form_is_switched_to_spanish_without_a_signal_and_what_was_typed_stays(
    enrolled, office_app, walkthrough
):
    visit = walkthrough(2)
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    tablet.go_offline()
    record_id = inspector.start(PLACE)
    inspector.go_to("tap_geometry")
    for name in [name for name in inspector.asked() if name in visit["answers"]]:
        inspector.answer(name, visit["answers"][name])
    box = page.locator("[data-field='joint_distance_down']")
    inspector.go_to("review")
    inspector.go_to("tap_geometry")
    before = shown_values(page)
    english = inspector.findings()
    figure = page.locator("[data-rule='BV-TAP-04'] .figure").first.inner_text()

    page.locator("header a[href='#/']").click()
    choose(page, "es")
    expect(page.locator("h1")).to_have_text("Ajustes")
    expect(page.locator("#set-language input:checked")).to_be_focused()
    page.locator("nav a[href='#/']:visible").first.click()
    page.locator(f"[data-visit='{record_id}'] a").click()
    inspector.go_to("tap_geometry")

    assert shown_values(page) == before
    expect(box).to_contain_text("Junta aguas abajo")
    card = page.locator("article[data-rule='BV-TAP-04']").first
    expect(card).to_contain_text("Infracción")
    expect(card).to_contain_text("Debe estar a más de 6 in.")
    expect(card.locator(".figure")).to_have_text(figure)
    expect(card.locator("blockquote span[lang='en']")).to_contain_text("within six inches (15 cm)")
    assert page.evaluate(ENGLISH_LEFT) == []
    inspector.go_to("review")
    assert inspector.findings() == english
    assert page.evaluate(ENGLISH_LEFT) == []

    # A cold start without a signal speaks Spanish too; then English again.
    page = tablet.reopen(offline=True)
    expect(page.locator("html[lang='es'] h1")).to_have_text("Repaso antes de entregar")
    page.locator("header a[href='#/']").click()
    choose(page, "en")
    expect(page.locator("h1")).to_have_text("Settings")
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []

    # What the rules said is kept as it was written, whatever was spoken.
    choose(page, "es")
    page.goto(f"{tablet.origin}/field/#/visit/{record_id}/review")
    page.get_by_role("button", name="Entregar", exact=True).click()
    page.locator("#submitted").wait_for()
    tablet.go_online()
    page.goto(f"{tablet.origin}/field/#/outbox")
    page.locator(".hero .big", has_text="Nada por enviar").wait_for()
    assert server_findings(office_app, record_id) == tablet_findings(office_app, record_id) == english
    said = kept_messages(office_app, record_id, "tablet")
    assert said == kept_messages(office_app, record_id, "server")
    assert "It must be more than 6 in." in said["BV-TAP-04"]


def shown_values(page) -> list[str]:
    """What stands in each box of the open section, or in its folded row."""
    return page.locator("[data-section] [data-field]").evaluate_all(
        """all => all.map((field) => [
          field.dataset.field,
          field.querySelector('.v')?.textContent.match(/[0-9][^ ]*/)?.[0],
          ...[...field.querySelectorAll('input')].map((i) => i.type === 'radio' ? i.checked : i.value),
        ].join(' '))"""
    )


def kept_messages(app, record_id: str, source: str) -> dict[str, str | None]:
    """The sentences of the findings kept of a record, by rule."""
    with app.app_context():
        return {row.rule: row.body["message"] for row in findings.latest(record_id, source)}


def test_a_reading_that_cannot_be_read_is_told_in_spanish_and_stays(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    choose(page, "es")
    page.locator("nav a[href='#/']:visible").first.click()
    inspector.start(PLACE)
    inspector.go_to("tap_geometry")
    box = page.locator("#field-joint_distance_down")
    box.fill("1,5")
    box.blur()
    expect(page.locator("[data-field='joint_distance_down'] .told")).to_have_text(
        re.compile("1,5 se puede leer de dos maneras. Escriba 1.5 o 15.")
    )
    expect(box).to_have_value("1,5")


def test_a_tablet_that_nobody_uses_yet_is_switched_by_the_other_languages_own_name(make_tablet, demo_server):
    tablet = make_tablet(demo_server.url, "new")
    page = tablet.open("/field/")
    page.locator("#field-code").fill("ABC")
    page.get_by_role("button", name="Español", exact=True).click()
    expect(page.locator("html[lang='es'] h1")).to_have_text("Prepare esta tableta")
    expect(page).to_have_title("Prepare esta tableta · Inspección de campo")
    expect(page.locator("#field-code")).to_have_value("ABC")
    page.locator("form button[type=submit]").click()
    expect(page.get_by_text("El código está incompleto.")).to_be_visible()
    page.get_by_role("button", name="English", exact=True).click()
    expect(page.locator("html[lang='en'] h1")).to_have_text("Make this tablet yours")


def test_a_tablet_set_to_spanish_begins_in_spanish(make_tablet, demo_server):
    tablet = make_tablet(demo_server.url, "new", locale="es-MX")
    page = tablet.open("/field/")
    expect(page.locator("html[lang='es'] h1")).to_have_text("Prepare esta tableta")
