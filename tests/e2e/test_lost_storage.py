"""A browser that removed the tablet's database: the tablet says so, and the office hears what was in it."""

from datetime import UTC, datetime

from inspect_app.services import devices
from inspect_app.store import people
from tests.e2e.loss import journal, logged, wait_for
from tests.e2e.office import Reviewer

TAP = "MH-112 + 147.3 ft"
# The second marker stands in another kind of storage, which a database that is lost leaves alone.
MARKED = """async () => {
  const root = await navigator.storage.getDirectory();
  try {
    const file = await (await root.getFileHandle('marker.json')).getFile();
    return JSON.parse(await file.text()).waiting;
  } catch (problem) { return `${problem}`; }  // just then it was written: one looks again
}"""
WIPE = """async () => {
  for (const { name } of await indexedDB.databases()) {
    const request = indexedDB.deleteDatabase(name);
    await new Promise((done) => { request.onsuccess = done; request.onblocked = done; });
  }
}"""


def test_the_office_sees_how_much_a_wiped_tablet_held_and_that_none_of_it_arrived(enrolled, office_app, page):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    tablet.inspector.start(TAP)
    tablet.inspector.go_to("main")
    tablet.inspector.answer("distance_mh", {"value": "147.3", "unit": "ft"})
    tablet.page.evaluate("location.hash = '#/outbox'")
    tablet.page.locator("#count-changes").wait_for()
    held = len(journal(tablet.page))
    tablet.page.reload()  # a start notes what is here
    assert wait_for(lambda: tablet.page.evaluate(MARKED) == held, 30, 0.2)
    tablet.page.goto(f"{tablet.origin}/field/manifest.webmanifest")
    tablet.page.evaluate(WIPE)

    tablet.page.goto(f"{tablet.origin}/field/")
    tablet.page.locator("#loss").wait_for()
    assert f"({held} not sent)" in tablet.page.locator("#loss").inner_text()
    tablet.go_online()
    with office_app.app_context():
        person = people.person_by_name("inspector-a")
        code = devices.make_code("barneveld", person.id, None, datetime.now(UTC))
    tablet.page.locator("#field-code").fill(code)
    tablet.page.locator("form button[type=submit]").click()
    tablet.page.locator("ol.steps3 li.now:nth-child(2)").wait_for()
    tablet.page.evaluate("location.hash = '#/outbox'")
    tablet.page.get_by_text("Nothing waits. The office has everything.").wait_for()
    assert len(logged(office_app, "applied")) <= 1, "only the note, under whatever name the tablet has now"

    Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    page.goto(f"{tablet.origin}/barneveld/tablets")
    page.get_by_text(f"it reported {held} unsent, 0 arrived").wait_for()
