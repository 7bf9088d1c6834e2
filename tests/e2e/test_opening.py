"""A part of the app that does not come keeps nobody out for longer than it must."""

COUNT = "sessionStorage.setItem('loads', Number(sessionStorage.getItem('loads')) + 1)"
REMOVE = """async () => {
  for (const name of await caches.keys()) {
    await (await caches.open(name)).delete('/static/pwa/screens/inspection.js');
  }
}"""


def test_the_app_opens_once_again_by_itself_and_then_says_that_nothing_was_deleted(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page = tablet.page
    tablet.inspector.start("MH-112")
    tablet.go_offline()
    page.evaluate(REMOVE)
    page.add_init_script(COUNT)
    page.reload(wait_until="commit")
    page.get_by_text("Nothing was deleted.").wait_for()
    assert page.evaluate("sessionStorage.getItem('loads')") == "2"
