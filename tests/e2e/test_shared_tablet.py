"""One tablet, several people: what one left is sent under their name, and shown to nobody but them."""

import pytest
from sqlalchemy import select

from inspect_app.services.demonstration import PASSWORD
from inspect_app.store import people
from inspect_app.store.base import db
from inspect_app.store.sync import OpLog
from tests.e2e.inspector import Inspector
from tests.e2e.loss import choose_photos, journal, logged, pictures, send, wait_for
from tests.e2e.office import record, stored_photos
from tests.support import axe

TAP = "MH-112 + 147.3 ft"
GEOMETRY = ("clock", "view_direction", "joint_distance_up", "joint_distance_down", "basis", "opening_dia")


@pytest.fixture
def geometry(walkthrough):
    answers = walkthrough(2)["answers"]
    return {name: answers[name] for name in GEOMETRY}


def sign_out(page) -> None:
    page.evaluate("location.hash = '#/settings'")
    page.locator("#leave").click()
    page.locator("#sign-out").click()
    page.get_by_role("heading", name="Who works with this tablet?").wait_for()


def sign_in(page, name: str) -> None:
    page.locator("#si-name").fill(name)
    page.locator("#si-pass").fill(PASSWORD)
    page.locator("form.editor button[type=submit]").click()


def authors(app) -> dict[str, str]:
    """Record id and sign-in name of the author of every op of a tablet in the office's log."""
    with app.app_context():
        rows = db.session.execute(select(OpLog.record_id, OpLog.user_id)).all()
        return {record_id: people.person(user_id).sign_in_name for record_id, user_id in rows if user_id}


def test_the_next_person_sees_nothing_and_the_author_finds_everything(
    enrolled, office_app, geometry, tmp_path
):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    sign_out(page)
    sign_in(page, "inspector-a")  # with the password once: from now on A comes back without a signal
    page.locator("[data-assignment]", has_text=TAP).wait_for()
    tablet.ready_offline()

    tablet.go_offline()
    record_id = inspector.start(TAP)
    inspector.fill_in(geometry)
    originals = pictures(tmp_path, 2, width=500)
    choose_photos(inspector, originals)
    sign_out(page)
    made = journal(page)
    # Nobody is signed in: an address of A's work leads to the sign-in, with or without a reload.
    for _ in range(2):
        page.goto(f"{tablet.origin}/field/#/visit/{record_id}/tap_geometry")
        page.get_by_role("heading", name="Who works with this tablet?").wait_for()
        assert page.locator("[data-field='joint_distance_down']").count() == 0
        page.reload()
    page.locator("#others").wait_for()
    assert logged(office_app, "applied") == []

    tablet.go_online()
    # Nothing is received: the open records of the village would come to B that way.
    tablet.context.route("**/api/v1/changes**", lambda route: route.abort())
    sign_in(page, "inspector-b")
    page.get_by_text("Nothing is checked yet").or_(page.locator("#ready")).first.wait_for()
    assert page.locator("[data-visit]").count() == 0
    assert page.evaluate("location.hash") in ("", "#/")
    page.goto(f"{tablet.origin}/field/#/visit/{record_id}/tap_geometry")
    page.get_by_text("This visit is not on this tablet").wait_for()
    page.evaluate("location.hash = '#/outbox'")
    page.get_by_text("Inspector B").first.wait_for()
    assert page.locator("#count-changes, #count-photos, [data-photo]").count() == 0
    send(page)
    assert wait_for(lambda: logged(office_app, "applied") == made, 30, 0.2)
    assert authors(office_app)[record_id] == "inspector-a"
    assert wait_for(lambda: len(stored_photos(office_app, record_id)) == 2, 30, 0.2)
    tablet.context.unroute("**/api/v1/changes**")

    tablet.go_offline()
    sign_out(page)
    sign_in(page, "inspector-a")
    row = page.locator(f"[data-visit='{record_id}'] a")
    row.wait_for()
    row.click()
    page.locator("nav.rail a[href$='/tap_geometry']").wait_for()
    again = Inspector(page)
    again.go_to("tap_geometry")
    page.locator("[data-field='joint_distance_down']").get_by_text("5.5").first.wait_for()
    again.go_to("photos")
    page.locator("[aria-labelledby='more-h'] img").nth(1).wait_for()
    tablet.go_online()
    again.wait_until_sent()
    assert record(office_app, record_id)["doc"]["groups"]["tap_geometry"]["values"] == geometry
    assert sorted(sha for sha, _ in stored_photos(office_app, record_id)) == sorted(originals.values())


def test_outbox_and_changing_hands_can_be_used_by_everybody(enrolled, tmp_path):
    tablet = enrolled("inspector-a", "barneveld", bypass_csp=True)
    page = tablet.page
    tablet.go_offline()
    tablet.inspector.start(TAP)
    choose_photos(tablet.inspector, pictures(tmp_path, 2, width=300))
    found = []

    def look(what: str) -> None:
        for theme in ("light", "sun", "dark"):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            for width in (390, 1280):
                axe.show_whole(page, width)
                found.extend(f"{what}, {theme}, {width}: {one}" for one in axe.violations(page))
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (what, width)

    page.evaluate("location.hash = '#/outbox'")
    page.locator("details.each summary").click()
    page.locator("[data-photo]").nth(1).wait_for()
    look("outbox")
    page.evaluate("location.hash = '#/settings'")
    page.locator("#leave").click()
    look("settings")
    page.locator("#sign-out").click()
    page.locator("#others").wait_for()
    look("people")
    assert found == []
