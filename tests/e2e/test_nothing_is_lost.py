"""Nothing is lost: servers and browsers killed, pages reloaded, tablets revoked, sign-ins over."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect
from sqlalchemy import select, update

from inspect_app.services import devices
from inspect_app.services.demonstration import PASSWORD
from inspect_app.store.base import db, transaction
from inspect_app.store.people import Device, DeviceToken
from tests.e2e.inspector import Inspector
from tests.e2e.loss import Hasty, bytes_held, choose_photos, journal, logged, pictures, send, wait_for
from tests.e2e.office import Reviewer, record, stored_photos

TAP = "MH-112 + 147.3 ft"
GEOMETRY = ("clock", "view_direction", "joint_distance_up", "joint_distance_down", "basis", "opening_dia")
SLOW_BYTES_A_SECOND = 1_500_000
KILLS = 4

# What the controls of a field say: texts typed, and the choices that are on.
SAYS = """(name) =>
  [...document.querySelector(`[data-field='${name}']`).querySelectorAll('input, textarea')]
  .filter((box) => box.type !== 'file')
  .map((box) => ['radio', 'checkbox'].includes(box.type) ? `${box.value}: ${box.checked}` : box.value)"""
IS_KEPT = "() => document.getElementById('kept').innerText.startsWith('Kept')"
IS_IN = "(name) => document.activeElement?.closest('[data-field]')?.dataset.field === name"


@pytest.fixture
def geometry(walkthrough):
    """The distances of walkthrough 2's tap."""
    answers = walkthrough(2)["answers"]
    return {name: answers[name] for name in GEOMETRY}


def test_a_server_killed_in_mid_upload_loses_and_doubles_nothing(
    enrolled, demo_server, office_app, geometry, tmp_path
):
    tablet = enrolled("inspector-a", "barneveld")
    inspector, page = tablet.inspector, tablet.page
    demo_server.kill()
    record_id = inspector.start(TAP)
    inspector.fill_in(geometry)
    originals = pictures(tmp_path, 4)
    choose_photos(inspector, originals)
    line = tablet.context.new_cdp_session(page)
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": SLOW_BYTES_A_SECOND},
    )
    made = journal(page)

    # Once while ops arrive, then each time that some more of the photos' bytes have.
    demo_server.start()
    send(page)
    assert wait_for(lambda: logged(office_app, "applied"))
    demo_server.kill()
    step = sum(path.stat().st_size for path in originals) // (KILLS + 1)
    for _ in range(KILLS):
        wanted = bytes_held(demo_server.data) + step
        demo_server.start()
        _send_until(page, lambda: bytes_held(demo_server.data) > wanted)  # noqa: B023
        demo_server.kill()
    assert len([pair for pair in stored_photos(office_app, record_id) if pair[0] == pair[1]]) < len(originals)
    demo_server.start()
    line.detach()
    send(page)
    inspector.wait_until_sent(120)

    assert logged(office_app, "applied", "noop") == journal(page)
    assert set(made) <= set(journal(page))
    assert logged(office_app, "quarantined", "conflict") == []
    photos = stored_photos(office_app, record_id)
    assert sorted(signed for signed, _ in photos) == sorted(originals.values())
    assert all(signed == lies_here for signed, lies_here in photos)


def _send_until(page, condition) -> None:
    for _ in range(20):
        send(page)
        if wait_for(condition, 3):
            return
    pytest.fail("No more arrived.")


def test_a_page_reloaded_at_any_field_comes_back_to_it_with_what_was_typed(enrolled, walkthrough):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    hasty, page = Hasty(tablet.page), tablet.page
    record_id = hasty.start(TAP)
    left = dict(walkthrough(2)["answers"])
    lost = []
    for section in hasty.sections():
        if section in ("photos", "signatures", "review"):
            continue
        hasty.go_to(section)
        while names := [name for name in hasty.asked() if name in left]:
            name = names[0]
            hasty.answer(name, left.pop(name))
            said = page.evaluate(SAYS, name)
            page.reload(wait_until="commit")
            lost += _missing_after_reload(page, record_id, section, name, said)
    assert lost == []
    assert left == {}

    # A row of a list that one only adds to, half written; then the same in a row of another form's list.
    hasty.go_to("decision")
    page.locator("[id='field-notes-1-note']").press_sequentially("Measured to the bell lip")
    said = page.evaluate(SAYS, "note")
    page.reload(wait_until="commit")
    assert _missing_after_reload(page, record_id, "decision", "note", said) == []
    page.evaluate("location.hash = '#/'")
    lateral = hasty.start("Lot 14 Example Court")
    hasty.go_to("slope_and_cover")
    page.locator("[data-field='cover_top']").get_by_role("button", name="Add").click()
    page.locator("[id='field-cover_top-1-depth']").press_sequentially("59 7/8")
    said = page.evaluate(SAYS, "depth")
    page.reload(wait_until="commit")
    assert _missing_after_reload(page, lateral, "slope_and_cover", "depth", said) == []


def _missing_after_reload(page, record_id: str, section: str, name: str, said: list[str]) -> list[str]:
    """What is not as it was before the reload, in words."""
    page.locator(f"[data-section='{section}'] [data-field='{name}']").first.wait_for()
    wrong = []
    if f"#/visit/{record_id}/{section}" not in page.url:
        wrong.append(f"{name}: came back to {page.url}")
    try:
        page.wait_for_function(IS_IN, arg=name, timeout=5000)
    except PlaywrightTimeout:
        at = page.evaluate("document.activeElement?.id")
        wrong.append(f"{name}: the focus is in {at}")
    now = page.evaluate(SAYS, name)
    return [*wrong, *([] if now == said else [f"{name}: said {said}, says {now}"])]


def test_a_killed_browser_opens_again_offline_with_everything(enrolled, office_app, geometry, tmp_path):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    inspector = tablet.inspector
    record_id = inspector.start(TAP)
    inspector.fill_in(geometry)
    originals = pictures(tmp_path, 1, width=800)
    choose_photos(inspector, originals)
    hasty = Hasty(tablet.page)
    hasty.go_to("main")
    hasty.answer("distance_mh", {"value": "147.3", "unit": "ft"})
    tablet.page.wait_for_function(IS_KEPT)  # what the screen says is kept, is
    before = journal(tablet.page)
    tablet.kill()

    page = tablet.open("/field/", offline=True)
    page.locator("[id='field-distance_mh']").wait_for()
    assert f"#/visit/{record_id}/main" in page.url
    page.wait_for_function(IS_IN, arg="distance_mh")
    assert page.locator("[id='field-distance_mh']").input_value() == "147.3"
    assert set(before) <= set(journal(page))
    again = Inspector(page)
    again.go_to("photos")
    page.locator("[aria-labelledby='more-h'] img").wait_for()
    tablet.go_online()
    again.wait_until_sent()
    assert logged(office_app, "applied") == journal(page)
    assert stored_photos(office_app, record_id) == [(sha, sha) for sha in originals.values()]
    groups = record(office_app, record_id)["doc"]["groups"]
    assert groups["tap_geometry"]["values"] == geometry
    assert groups["position"]["values"]["distance_mh"] == {"value": "147.3", "unit": "ft"}


def test_what_a_revoked_tablet_recorded_is_set_aside_and_said(
    enrolled, office_app, demo_server, geometry, page
):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    record_id = tablet.inspector.start(TAP)
    tablet.inspector.fill_in(geometry)
    with office_app.app_context():
        device_id = db.session.scalar(select(Device.id).where(Device.name == "Tablet 1"))
        devices.revoke("barneveld", device_id, None, datetime.now(UTC))
    tablet.go_online()
    send(tablet.page)
    tablet.page.get_by_text("This tablet was taken out of use").first.wait_for()
    tablet.page.locator("[data-aside]").first.wait_for()
    # The last section became an op while the first ones were on their way.
    assert wait_for(lambda: logged(office_app, "quarantined") == journal(tablet.page) != [], 30, 0.2)
    aside = tablet.page.locator("[data-aside]")
    expect(aside).to_have_count(len(journal(tablet.page)))
    assert "device revoked" in aside.first.inner_text().lower()
    tablet.page.goto(f"{tablet.origin}/field/#/visit/{record_id}/tap_geometry")
    tablet.page.locator("[data-field='joint_distance_down']").get_by_text("5.5").first.wait_for()

    Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    page.goto(f"{tablet.origin}/barneveld/quarantine")
    entries = page.locator("main section.card")
    assert entries.count() == len(journal(tablet.page))
    assert "The tablet had been revoked." in entries.first.inner_text()
    # The office may take it over, oldest first.
    for _ in range(entries.count()):
        page.locator("main form").get_by_role("button", name="Apply it again").last.click()
    assert record(office_app, record_id)["doc"]["groups"]["tap_geometry"]["values"] == geometry


def test_a_sign_in_that_ended_stops_receiving_and_never_sending(enrolled, office_app, geometry):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    page = tablet.page
    record_id = tablet.inspector.start(TAP)
    tablet.inspector.fill_in(geometry)
    with office_app.app_context(), transaction() as session:
        over = datetime.now(UTC) - timedelta(minutes=1)
        session.execute(update(DeviceToken).where(DeviceToken.person_id.is_not(None)).values(expires_at=over))
    tablet.go_online()
    tablet.inspector.wait_until_sent()
    assert logged(office_app, "applied") == journal(page) != []
    assert record(office_app, record_id)["doc"]["groups"]["tap_geometry"]["values"] == geometry
    page.locator(".net", has_text="sign in again").wait_for()

    page.evaluate("location.hash = '#/settings'")
    page.locator("#si-name").fill("inspector-a")
    page.locator("#si-pass").fill("wrong")
    page.locator("form.editor button[type=submit]").click()
    page.locator("form.editor [role=alert]").wait_for()
    page.locator("#si-pass").fill(PASSWORD)
    page.locator("form.editor button[type=submit]").click()
    page.evaluate("location.hash = '#/'")
    number = record(office_app, record_id)["number"]
    page.locator(f"[data-visit='{record_id}']", has_text=number).wait_for()
