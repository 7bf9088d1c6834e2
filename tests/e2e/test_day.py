"""The inspector's day around the form: first minutes, practice, what is to do, where, what is found again."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from inspect_app.services import maps
from inspect_app.store import inspections
from tests.support.archive import picture_archive


def test_a_practice_visit_is_done_whole_and_the_office_never_hears_of_it(enrolled, office_app):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    page.get_by_role("link", name="Practice").click()
    page.locator("[data-practise='tap']").click()
    page.wait_for_selector("[data-section]")
    record_id = inspector.record_id()
    assert record_id.startswith("practice-")
    expect(page.locator(".practice")).to_contain_text("Nothing of this is sent")

    inspector.go_to("tap_geometry")
    inspector.answer("joint_distance_down", {"value": "5.5", "unit": "in"})
    assert inspector.outcome_of("BV-TAP-04") in ("violation", "not_evaluated")
    inspector.take_photos()
    page.locator("nav.rail a[href$='/review']").click()
    page.locator("#submit").click()
    expect(page.locator("#submitted")).to_contain_text("goes nowhere")

    page.reload()  # it stays over a reload, and is still no part of what waits
    expect(page.locator(".practice")).to_be_visible()
    page.goto(f"{tablet.origin}/field/#/outbox")
    page.get_by_role("button", name="Send now").click()
    expect(page.locator(".hero .big")).to_have_text("Nothing waits. The office has everything.")
    with office_app.app_context():
        assert inspections.inspection(record_id) is None

    page.goto(f"{tablet.origin}/field/#/practice")
    page.locator("[data-discard]").click()
    expect(page.locator("main")).not_to_contain_text("Begun for practice")
    names = page.evaluate("async () => (await indexedDB.databases()).map(one => one.name)")
    assert "practice-outbox" in names and "outbox" in names  # a fresh, empty one beside the real one
    page.goto(f"{tablet.origin}/field/#/visit/{record_id}")
    expect(page.locator("main")).to_contain_text("This visit is not on this tablet.")


def test_on_an_address_without_protection_the_app_says_that_nothing_works_offline_and_why(
    demo_server, make_tablet
):
    elsewhere = demo_server.url.replace("127.0.0.1", "office.test")
    tablet = make_tablet(elsewhere, "plain", arguments=("--host-resolver-rules=MAP office.test 127.0.0.1",))
    page = tablet.open("/field/")
    told = page.locator("#ready[data-why='insecure']")
    expect(told).to_contain_text("Offline work is not possible here.")
    expect(told).to_contain_text("begin with https")
    expect(page.locator("#field-code")).to_have_count(0)


def test_where_the_certificate_is_not_trusted_the_app_says_so_and_works_online(enrolled):
    # Chromium gives this very problem on a page whose certificate warning was clicked away.
    tablet = enrolled("inspector-a", "barneveld")
    page = tablet.page
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((worker) => worker.unregister())")
    page.add_init_script("""
      navigator.serviceWorker.register = () => Promise.reject(new DOMException(
        "An SSL certificate error occurred when fetching the script.", "SecurityError"));
    """)
    page.goto("about:blank")
    page.goto(f"{tablet.origin}/field/#/")
    told = page.locator("#ready[data-why='certificate']")
    expect(told).to_contain_text("does not trust the certificate")
    expect(page.locator("[data-assignment]").first).to_be_visible()
    tablet.complaints.clear()


def test_the_first_minutes_can_be_left_and_taken_up_again(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page = tablet.page
    page.goto(f"{tablet.origin}/field/#/welcome")
    second = page.locator("ol.steps3 li.now")
    expect(second).to_contain_text("The camera may be used.")  # allowed before: it is not asked for again
    page.get_by_role("button", name="Next: put it on the home screen").click()
    expect(page.locator("#finish")).to_be_focused()
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#store-go, ol.steps3 li.now .ready").first).to_be_visible()
    page.reload()
    expect(second).to_contain_text("Keep what you record safe")
    page.get_by_role("link", name="Later").click()
    page.locator("[data-assignment]").first.wait_for()


def test_visits_and_assignments_are_found_offline_by_what_people_call_them(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page = tablet.page
    tablet.go_offline()
    page.locator("nav a[href='#/search']:visible").click()
    box = page.get_by_label("Search this tablet")
    rows = page.locator(".long > li")
    rows.first.wait_for()
    everything = rows.count()
    box.press_sequentially("mh112")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("MH-112 + 147.3 ft")
    box.fill("returned")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("L-0002")
    box.fill("no such place")
    expect(page.locator("#found")).to_contain_text("Nothing on this tablet has “no such place”.")
    box.fill("")
    expect(rows).to_have_count(everything)
    box.fill("mh-112")
    rows.first.get_by_role("button").click()
    page.wait_for_selector("[data-section]")


def test_the_nearest_visit_comes_first_once_somebody_asks_for_it(enrolled):
    tablet = enrolled("inspector-a", "barneveld", geolocation={"latitude": 43.0145, "longitude": -89.897})
    page = tablet.page
    first = page.locator("section[data-assignment] h2")
    expect(first).to_contain_text("Lot 14 Example Court")
    expect(page.locator("section[data-assignment] .when")).not_to_contain_text("ft")
    page.get_by_text("Nearest first").click()
    expect(first).to_contain_text("MH-108 + 62.0 ft")
    expect(page.locator("section[data-assignment] .when")).to_contain_text("20 ft")
    page.get_by_text("By time").click()
    expect(first).to_contain_text("Lot 14 Example Court")


@pytest.fixture
def with_graphics():
    """Arguments for a browser that draws with WebGL on the processor, where there is no graphics card."""
    return {"arguments": ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")}


def keep_map(page, origin):
    page.goto(f"{origin}/field/#/map")
    page.locator("#keep-map").click()
    page.locator("#map-kept").wait_for()


def test_the_map_is_kept_and_shows_the_assignments_after_a_cold_start_without_a_signal(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    keep_map(tablet.page, tablet.origin)
    page = tablet.reopen("/field/#/map", offline=True)
    plan = page.get_by_role("group", name="Plan of Village of Barneveld with 5 assignments.")
    page.locator("#map-kept").wait_for()
    if page.get_by_text("Plain drawing").count():
        page.get_by_text("Plain drawing").click()
    expect(plan.locator("[data-pin]")).to_have_count(5)
    expect(plan.locator("text", has_text="MH-112")).to_have_count(1)
    box = plan.bounding_box()
    before = plan.inner_html()
    plan.press("+")
    plan.press("ArrowLeft")
    assert plan.inner_html() != before
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 200, steps=4)
    page.mouse.up()
    page.goto(f"{tablet.origin}/field/#/")
    row = page.locator("li[data-assignment]", has_text="MH-112")
    row.get_by_role("link", name="Show MH-112 + 147.3 ft on the map").click()
    expect(page.locator("#chosen")).to_contain_text("MH-112 + 147.3 ft")
    page.locator("#chosen").get_by_role("button").click()
    page.wait_for_selector("[data-section]")


def test_a_map_whose_download_breaks_off_goes_on_and_says_how_far_it_is(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page = tablet.page
    left = []

    def broken(route):
        left.append(route.request.url)
        route.abort() if len(left) == 3 else route.continue_()

    tablet.context.route("**/api/v1/maps/**", broken)
    page.goto(f"{tablet.origin}/field/#/map")
    page.locator("#keep-map").click()
    expect(page.get_by_role("alert")).to_contain_text("What came is kept: press again", timeout=30_000)
    expect(page.locator("#map-k ~ p")).to_contain_text(" is here.")
    page.locator("#keep-map").click()
    page.locator("#map-kept").wait_for()
    assert len(left) == 5, "four layers, and one of them asked for twice"


def test_a_place_is_chosen_on_the_plan_and_says_that_it_was_set_by_hand(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    keep_map(tablet.page, tablet.origin)
    page, inspector = tablet.page, tablet.inspector
    tablet.go_offline()
    page.goto(f"{tablet.origin}/field/#/")
    inspector.start("MH-112")
    inspector.go_to("site_safety")
    place = page.locator("[data-field='gps']")
    place.get_by_role("button", name="Choose the place").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Structure").select_option("MH-110")
    expect(dialog.get_by_role("status")).to_contain_text("MH-110 43.01")
    chosen = dialog.get_by_role("status").inner_text()
    dialog.locator("svg.plan").press("ArrowUp")
    expect(dialog.get_by_role("status")).not_to_contain_text("MH-110")
    plan = dialog.locator("svg.plan")
    plan.click()
    expect(dialog.get_by_role("status")).to_contain_text("43.01")
    dialog.get_by_label("Structure").select_option("MH-110")
    dialog.get_by_role("button", name="Take this place").click()
    expect(place.locator(".read")).to_contain_text(chosen.split(" ", 1)[1])
    expect(place.locator(".read")).to_contain_text("set by hand")


def test_the_full_map_draws_a_basemap_and_the_layers_over_it_without_a_signal(
    enrolled, office_app, tmp_path, with_graphics
):
    archive = tmp_path / "basemap.pmtiles"
    archive.write_bytes(picture_archive((120, 170, 220)))
    with office_app.app_context():
        maps.add("barneveld", archive)
    tablet = enrolled("inspector-a", "barneveld", **with_graphics)
    keep_map(tablet.page, tablet.origin)
    page = tablet.reopen("/field/#/map", offline=True)
    if not page.evaluate("() => Boolean(document.createElement('canvas').getContext('webgl2'))"):
        pytest.skip("This browser draws no WebGL, not even on the processor.")
    expect(page.locator(".mapmark")).to_have_count(5)
    page.wait_for_timeout(500)  # tiles are painted a frame or two after they are there
    corner = Image.open(io.BytesIO(page.locator(".gl").screenshot())).convert("RGB").getpixel((20, 200))
    assert max(abs(is_ - was) for is_, was in zip(corner, (120, 170, 220), strict=True)) < 12
    page.get_by_role("button", name="Tap check, MH-112 + 147.3 ft", exact=True).click()
    expect(page.locator("#chosen")).to_contain_text("MH-112 + 147.3 ft")
    with office_app.app_context():
        maps.remove("barneveld", "basemap")
