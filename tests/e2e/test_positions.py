"""Positions at the trench: averaged, refused when too vague, set by hand, made up by another program."""

import pytest
from playwright.sync_api import expect

BOX = "[data-field='gps']"
MADE_UP = """() => { navigator.geolocation.getCurrentPosition = (good) => good({
  mocked: true, timestamp: Date.now() + Math.random() * 1e6,
  coords: { latitude: 43.0155, longitude: -89.8954, accuracy: 3 } }); }"""


@pytest.fixture
def trench(enrolled):
    """`trench()`: a tablet at the first section of a tap check, where the position stands."""

    def make(**options):
        tablet = enrolled("inspector-a", "barneveld", **options)
        tablet.inspector.start("MH-112")
        tablet.inspector.go_to("site_safety")
        return tablet

    return make


def kept(tablet, wanted=lambda place: True):
    """What is on disk of the place of the open inspection, as soon as it is as wanted."""
    for _ in range(50):
        place = tablet.page.evaluate(
            """async () => { const id = location.hash.split('/')[2];
            const { openStore } = await import('/static/pwa/store/store.js');
            const { inspections } = openStore({ app: 'test' });
            const view = await inspections.inspection(id);
            return { ...view.doc.groups.place?.values, ...view.draft.place }.gps ?? null; }"""
        )
        if wanted(place):
            break
        tablet.page.wait_for_timeout(100)  # the disk follows the screen
    return place


def test_a_vague_fix_is_refused_with_what_to_do_and_a_pin_set_by_hand_says_so(trench):
    tablet = trench()
    page, place = tablet.page, tablet.page.locator(BOX)
    tablet.context.set_geolocation({"latitude": 43.0155, "longitude": -89.8954, "accuracy": 3000})
    place.locator("#field-gps").click()
    told = place.get_by_role("status")
    expect(told).to_have_text(
        "The position is good to 3,000 m only. Wait in the open, or set the pin by hand.", timeout=20_000
    )
    assert kept(tablet) is None

    place.get_by_label("Latitude").fill("43.0155")
    place.get_by_label("Longitude").fill("89.8954")  # the minus is forgotten
    place.get_by_label("Longitude").press("Tab")
    expect(told).to_contain_text("miles from")
    place.get_by_label("Longitude").fill("-89.8954")
    place.get_by_label("Longitude").press("Tab")
    expect(place.locator(".read")).to_have_text("43.01550, -89.89540 set by hand")
    expect(place.locator(".told")).to_have_count(0)
    page.locator("#kept", has_text="Kept on this tablet").wait_for()
    by_hand = {"lat": 43.0155, "lon": -89.8954, "source": "manual"}
    assert kept(tablet, by_hand.__eq__) == by_hand

    tablet.context.set_geolocation({"latitude": 43.0156, "longitude": -89.8955, "accuracy": 4})
    place.locator("#field-gps").click()
    expect(place.locator(".read")).to_contain_text("43.01560, -89.89550 good to 4 m", timeout=20_000)
    assert kept(tablet, lambda place: place["source"] == "gps")["accuracy_m"] == 4


def test_a_made_up_position_is_kept_and_marked_unless_a_survey_receiver_feeds_the_tablet(trench):
    tablet = trench()
    place = tablet.page.locator(BOX)
    tablet.page.evaluate(MADE_UP)
    place.locator("#field-gps").click()
    expect(place.get_by_role("status")).to_contain_text("another program made this position up")
    assert kept(tablet, bool)["simulated"] is True

    tablet.page.evaluate("localStorage.setItem('preferences', JSON.stringify({ receiver: 'outside' }))")
    tablet.page.reload()
    tablet.page.locator(BOX).wait_for()
    tablet.page.evaluate(MADE_UP)
    place.locator("#field-gps").click()
    expect(place.locator(".read")).to_contain_text("survey receiver")
    assert "simulated" not in kept(tablet, lambda place: place["source"] == "receiver")


def test_a_position_that_the_browser_refuses_is_told_and_the_rest_goes_on(trench):
    tablet = trench(permissions=["camera"])
    place = tablet.page.locator(BOX)
    place.locator("#field-gps").click()
    expect(place.get_by_role("status")).to_contain_text(
        "Allow it in the browser's settings, or set the pin by hand."
    )
    expect(place.get_by_label("Latitude")).to_be_visible()
