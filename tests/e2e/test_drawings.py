"""Every drawing writes and shows the same readings as the fields: by pointer, by keys, and in words."""

import re

import pytest
from playwright.sync_api import expect

from inspect_app.services.demonstration import PASSWORD
from tests.support.axe import AXE, show_whole, violations
from tests.support.browser import OPTIONS, TABLET
from tests.support.drawn import drawn_screens
from tests.support.pages import sign_in

pytestmark = pytest.mark.slow


def drawing(page, name: str):
    return page.locator(f"[data-drawing='{name}']")


def checked(page, field: str) -> list[str]:
    """The options of a field that are ticked."""
    boxes = page.locator(f"[data-field='{field}'] input:checked")
    return boxes.evaluate_all("all => all.map(box => box.value)")


def feet(value: str) -> dict:
    return {"value": value, "unit": "ft"}


def inches(value: str) -> dict:
    return {"value": value, "unit": "in"}


def begin_open_street(inspector, section: str) -> None:
    inspector.go_to(section)
    inspector.answer("location_type", "street")
    inspector.answer("open_now", "yes")


def drag(page, start, end) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def touch_drag(page, start, end, steps: int = 8) -> None:
    """One finger from here to there, as the screen reports it."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for step in range(steps + 1):
        x, y = (start[n] + (end[n] - start[n]) * step / steps for n in (0, 1))
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()


def middle(place) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_tap_and_the_excavation_are_drawn_by_hand(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    inspector.start("MH-112")
    excavation_by_pointer_and_keys(page, inspector)
    dial_by_pointer_and_keys(page, inspector)
    plan_opens_its_fields(page, inspector)
    assert tablet.complaints == []


def excavation_by_pointer_and_keys(page, inspector) -> None:
    begin_open_street(inspector, "site_safety")
    dig = drawing(page, "excavation")
    north, east = dig.locator("[data-side=north]"), dig.locator("[data-side=east]")
    assert "not checked" in north.inner_text().lower()
    north.click()
    east.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(east).to_contain_text("None")
    lamp = dig.locator("[data-lamp=north]")
    lamp.click()
    dig.locator("[data-lamp=east]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    # One press writes several fields; one undo takes it back.
    page.get_by_role("button", name="Undo: East").click()
    expect(dig.locator("[data-lamp=east]")).to_contain_text("Lit")
    dig.locator("[data-lamp=east]").click()
    inspector.answer("barricades_type", "type_iii")
    inspector.answer("lights_type", "type_a")
    assert checked(page, "barricades_sides") == ["north"]
    assert checked(page, "barricades_open_sides") == ["east"]
    assert checked(page, "lights_lit_sides") == ["north"]
    assert checked(page, "lights_unlit_sides") == ["east"]
    assert checked(page, "lights_lit") == ["no"]
    assert page.locator("#field-lights_count").input_value() == "2"
    # The other way: the field is ticked, the drawing follows.
    page.locator("label:has(#field-barricades_sides-south)").click()
    expect(dig.locator("[data-side=south]")).to_contain_text("Barricade")
    inspector.answer("depth_max", feet("5 1/2"))
    inspector.answer("protective_system", "slope")
    expect(dig.locator("figcaption")).to_have_text(
        re.compile(
            r"^Opening from above, north up\. North: barricade, light lit\. "
            r"East: no barricade, light not lit\. South: barricade, no light\. "
            r"West: not checked, no light\. Deepest point 5\.5 ft\. Cave-in protection: sloped\. "
            r"(Sunset \d\d:\d\d, in (\d+ h )?\d+ min|Night\. (Since|Until) \d\d:\d\d)\.$"
        )
    )


def dial_by_pointer_and_keys(page, inspector) -> None:
    inspector.go_to("tap_geometry")
    dial = page.locator("#dial")
    dial.scroll_into_view_if_needed()
    box = dial.bounding_box()
    at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    reach = box["width"] * 0.34
    page.mouse.click(at[0] + reach * 0.87, at[1] + reach * 0.5)
    clock = page.locator("#field-clock")
    assert clock.input_value() == "4:00"
    expect(dial).to_have_attribute(
        "aria-valuetext", "4 o'clock, 120 degrees from the crown, in the lower half: violation"
    )
    drag(page, (at[0] + reach * 0.87, at[1] + reach * 0.5), (at[0] - reach * 0.7, at[1] - reach * 0.7))
    assert clock.input_value() == "10:30"
    # A finger on the disc turns the hand and does not scroll the page.
    before = page.evaluate("scrollY")
    touch_drag(page, (at[0] - reach * 0.7, at[1] - reach * 0.7), (at[0] - reach, at[1]))
    assert clock.input_value() == "9:00"
    assert page.evaluate("scrollY") == before
    touch_drag(page, (at[0] - reach, at[1]), (at[0] - reach * 0.7, at[1] - reach * 0.7))
    # Outside the disc it scrolls, and the hand stays.
    corner = (box["x"] + 6, box["y"] + box["height"] - 6)
    touch_drag(page, corner, (corner[0], corner[1] - 200))
    page.wait_for_function("(before) => scrollY > before", arg=before)
    assert clock.input_value() == "10:30"
    dial.focus()
    for key, then in (
        ("ArrowRight", "11:00"),
        ("PageUp", "12:00"),
        ("ArrowLeft", "11:30"),
        ("Home", "12:00"),
    ):
        page.keyboard.press(key)
        assert clock.input_value() == then
    assert dial.get_attribute("aria-valuetext").startswith(
        "12 o'clock, 0 degrees from the crown, in the upper half"
    )
    page.get_by_role("button", name="+30 min").click()
    assert clock.input_value() == "12:30"


def plan_opens_its_fields(page, inspector) -> None:
    inspector.answer("basis", "edge")
    inspector.answer("joint_distance_down", inches("5 1/2"))
    inspector.answer("joint_distance_up", inches("96"))
    inspector.answer("none_exposed", "no")
    inspector.answer("other_lateral_distance", inches("31"))
    plan = drawing(page, "plan")
    plan.get_by_role("button", name="Downstream joint 5.5 in: change it").locator("text").click()
    expect(page.locator("#field-joint_distance_down")).to_be_focused()
    plan.get_by_role("button", name="Upstream joint 96 in: change it").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#field-joint_distance_up")).to_be_focused()
    expect(plan.locator("figcaption")).to_have_text(
        "Plan of the main to scale. The downstream joint is 5.5 in away, inside the 6 inch zone. "
        "The upstream joint is 96 in away, outside the 6 inch zone. "
        "The other lateral is 31 in away, outside the 24 inch zone."
    )


def test_the_profile_and_the_backfill_are_drawn_by_hand(enrolled, walkthrough):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    inspector.start("Lot 14")
    answers = walkthrough(1)["answers"]
    inspector.go_to("trench_and_timing")
    inspector.answer("backfill_started", "yes")
    inspector.answer("location_type", "street")
    inspector.go_to("pipe")
    inspector.answer("segments", answers["segments"])
    profile_by_pointer_and_keys(page, inspector, answers)
    backfill_by_pointer_and_keys(page, inspector, answers)
    assert tablet.complaints == []


def profile_by_pointer_and_keys(page, inspector, answers) -> None:
    inspector.go_to("slope_and_cover")
    stations = [("0", "1096.42"), ("30", "1096.20"), ("62.0", "1095.13")]
    inspector.answer("inverts", [{"station": feet(at), "elevation": feet(level)} for at, level in stations])
    inspector.answer("serves", "sewer")
    inspector.answer("insulation", "none")
    covers = [*answers["cover_top"]]
    covers[1] = {**covers[1], "depth": inches("52")}
    inspector.answer("cover_top", covers)
    profile = drawing(page, "profile")
    expect(profile.locator("figcaption")).to_have_text(
        "Profile of the lateral, from the wall to the main. Invert 1 at station 0 ft, elevation 1096.42 ft. "
        "Invert 2 at station 30 ft, elevation 1096.2 ft. Invert 3 at station 62 ft, elevation 1095.13 ft. "
        "Run 1 falls 0.088 in/ft, too flat. Run 2 falls 0.401 in/ft. dashed: the least slope, 0.125 in/ft. "
        "Cover 1 at station 5 ft, 70 in, pass. Cover 2 at station 30 ft, 52 in, violation. "
        "Cover 3 at station 62 ft, 72 in, pass."
    )
    shown = profile.locator(".wide-only")
    expect(shown.get_by_text("least 60 in")).to_be_visible()
    shown.get_by_role("button", name="Invert 2 at station 30 ft, elevation 1096.2 ft").click()
    expect(page.locator("#field-inverts-2-elevation")).to_be_focused()
    shown.get_by_role("button", name="Cover 2 at station 30 ft, 52 in, violation").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    depth = page.locator("#field-cover_top-2-depth")
    expect(depth).to_be_focused()
    depth.fill("60")
    expect(shown.get_by_role("button", name="Cover 2 at station 30 ft, 60 in, pass")).to_be_visible()
    expect(shown.get_by_text("least 60 in")).to_have_count(0)


def backfill_by_pointer_and_keys(page, inspector, answers) -> None:
    inspector.go_to("backfill")
    lifts = [*answers["lifts"]]
    lifts[1] = {**lifts[1], "depth": inches("7")}
    inspector.answer("lifts", lifts)
    page.locator("#lift-2").click()
    expect(page.locator("#field-lifts-2-depth")).to_be_visible()
    lines = page.locator(".stackfig [data-limit]")
    assert lines.all_text_contents() == ["6 in", "9 in"]
    page.locator("#lift-2").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#field-lifts-3-depth")).to_be_visible()
    assert lines.all_text_contents() == ["9 in"]
    page.keyboard.press("ArrowDown")
    assert page.locator("#lift-2").get_attribute("aria-label") == "Lift 2, 7 in, violation"
    expect(page.locator(".stackfig figcaption")).to_contain_text(
        "6 in pipe zone, 7 in pipe zone, violation, 8 in above"
    )


def test_the_house_is_drawn_by_hand(enrolled, walkthrough):
    tablet = enrolled("inspector-c", "howards_grove")
    page, inspector = tablet.page, tablet.inspector
    inspector.start("12 Example Lane")
    inspector.go_to("outlets")
    inspector.answer("outlets", walkthrough(3)["answers"]["outlets"])
    house = drawing(page, "house")
    expect(house.locator("figcaption")).to_contain_text(
        "D1, north-east corner, to the sanitary sewer, directly, red dye, seen, Connected, violation."
    )
    expect(house.locator("figcaption")).to_contain_text("D3, rear, not placed")
    # Pointer: a press on a wall adds, a drag moves.
    plan = house.locator(".wide-only")
    plan.locator("[data-part=wall-S]").click()
    side = page.locator("#field-outlets-4-side")
    assert side.input_value() == "S"
    assert page.locator("#field-outlets-4-id").input_value() == "D4"
    drag(page, middle(plan.locator("[data-part=outlet-4]")), middle(plan.locator("[data-part=wall-E]")))
    assert side.input_value() == "E"
    # Keys: round the house, and from wall to list; buttons do the same.
    outlet = plan.locator("[data-part=outlet-4]")
    outlet.focus()
    page.keyboard.press("ArrowRight")
    assert side.input_value() == "SE"
    house.get_by_role("button", name="Move D4: east wall").click()
    assert side.input_value() == "E"
    plan.locator("[data-part=wall-W]").focus()
    page.keyboard.press("Enter")
    assert page.locator("#field-outlets-5-side").input_value() == "W"
    # A finger moves an outlet and not the page; beside it, it scrolls the page and moves nothing.
    plan.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    touch_drag(page, middle(plan.locator("[data-part=outlet-4]")), middle(plan.locator("[data-part=wall-S]")))
    expect(page.get_by_role("button", name=re.compile("^D4, south wall")).first).to_be_attached()
    assert page.evaluate("scrollY") == before
    inside = middle(plan)
    touch_drag(page, inside, (inside[0], inside[1] - 200))
    page.wait_for_function("(before) => scrollY > before", arg=before)
    # The list is the same data: what is typed there is drawn.
    page.locator("#field-outlets-5-side").fill("north, by the porch")
    expect(plan.get_by_role("button", name=re.compile("^D5, north wall"))).to_be_visible()
    plan.get_by_role("button", name=re.compile("^D1, north-east corner")).click()
    expect(page.locator("#field-outlets-1-side")).to_be_visible()
    assert tablet.complaints == []


def test_the_air_is_drawn_by_depth_and_stops_the_work(enrolled, walkthrough):
    tablet = enrolled("sampler-d", "howards_grove")
    page, inspector = tablet.page, tablet.inspector
    inspector.start("CM-03")
    inspector.go_to("gas")
    inspector.answer("gas", walkthrough(4)["answers"]["gas"])
    shaft = drawing(page, "gas")
    heads = shaft.locator("thead th").all_inner_texts()
    assert [" ".join(head.split()) for head in heads] == [
        "Depth",
        "Oxygen 19.5 to 23.5 %",
        "LEL stop at 10 %",
        "H2S stop at 10 ppm",
        "CO stop at 35 ppm",
    ]
    # Pointer and keys lead into the reading being written.
    shaft.locator("[data-cell=depth]").click()
    expect(page.locator("#field-gas-3-depth")).to_be_focused()
    page.keyboard.type("6")
    shaft.locator("[data-cell=h2s]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#field-gas-3-h2s")).to_be_focused()
    page.keyboard.type("12")
    expect(shaft.locator("td.past")).to_have_count(1)
    expect(shaft.locator("caption")).to_contain_text(
        "At 6 ft: Oxygen –; LEL –; H2S 12, past the stop line; CO –. At 8 ft: Oxygen 20.7"
    )
    stop = page.get_by_role("alertdialog", name="Stop. Leave the cover.")
    stop.wait_for()
    assert "H2S 12 ppm ≥ 10 ppm at 6 ft" in stop.inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(stop.get_by_role("button")).to_be_focused()
    stop.get_by_role("button", name="Everyone is out").click()
    expect(stop).to_have_count(0)
    assert tablet.complaints == []


DRAWN_IN_THE_OFFICE = {
    "reviewer-1": ("barneveld", {"excavation", "lateral_profile", "backfill"}),
    "reviewer-2": ("howards-grove", {"house", "gas"}),
}


@pytest.mark.parametrize("reviewer", list(DRAWN_IN_THE_OFFICE))
def test_the_office_shows_the_same_drawings_and_takes_no_input_there(browser, demo_server, reviewer):
    village, names = DRAWN_IN_THE_OFFICE[reviewer]
    context = browser.new_context(**OPTIONS)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    sign_in(page, demo_server.url, reviewer, PASSWORD)
    page.goto(f"{demo_server.url}/{village}/queue")
    links = page.locator("td a[href*='/records/'], th a[href*='/records/']").evaluate_all(
        "all => [...new Set(all.map(link => link.getAttribute('href')))]"
    )
    told = {}
    for link in links:
        page.goto(demo_server.url + link)
        for place in page.locator("[data-drawn]").all():
            figure = place.locator("[data-drawing]")
            figure.wait_for()
            words = figure.locator("figcaption, caption").text_content().replace("\u00a0", " ")
            told[place.get_attribute("data-drawn")] = words
            assert figure.locator("button, [role=button], [role=slider]").count() == 0
            assert "The values stand below" in place.inner_text()
    assert set(told) >= names
    for name, begins in {
        "excavation": "Opening from above, north up. North: barricade",
        "lateral_profile": "Profile of the lateral, from the wall to the main. Invert 1 at station 0 ft",
        "backfill": "Stack of lifts from the pipe up: 6 in pipe zone",
        "house": "Plan of the house, north up. D1, north-east corner, to the sanitary sewer",
        "gas": "Gas by depth below the rim. Oxygen: 19.5 to 23.5 %. LEL: stop at 10 %.",
    }.items():
        if name in names:
            assert told[name].startswith(begins)
    assert complaints == []
    context.close()


PEOPLE = {"inspector-a": "barneveld", "inspector-c": "howards_grove", "sampler-d": "howards_grove"}
CLIPPED = """() => [document.documentElement, ...document.querySelectorAll("[data-drawing] *")]
  .filter((one) => one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 1)
  .filter((one) => !one.closest("svg, .scroll"))
  .map((one) => `${one.tagName} ${one.className}: ${one.scrollWidth} of ${one.clientWidth}`)"""


@pytest.mark.parametrize("person", list(PEOPLE))
def test_no_drawing_breaks_a_rule_of_accessibility(enrolled, person):
    tablet = enrolled(person, PEOPLE[person])
    page, wrong = tablet.page, []
    for screen in drawn_screens(tablet.inspector, person):
        for theme, width in (("light", 390), ("dark", 820), ("sun", 820)):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            show_whole(page, width)
            # Run by the debugger, not by the page: the policy of the page stays as it is.
            page.evaluate(AXE.read_text())
            wrong += [f"{screen} in {theme} at {width} px: {sentence}" for sentence in violations(page)]
        page.set_viewport_size(TABLET)
    assert wrong == []
    assert tablet.complaints == []


@pytest.mark.parametrize("person", list(PEOPLE))
def test_at_twice_the_size_of_text_no_drawing_is_clipped(enrolled, person):
    tablet = enrolled(person, PEOPLE[person], arguments=("--blink-settings=defaultFontSize=32",))
    page, wrong = tablet.page, []
    wide = {"width": 1640, "height": 1180}  # as many letters in a line as a tablet has at the usual size
    page.set_viewport_size(wide)
    for screen in drawn_screens(tablet.inspector, person):
        for width in (390, 820):
            page.set_viewport_size({"width": width, "height": 1180})
            wrong += [f"{screen} at {width} px: {sentence}" for sentence in page.evaluate(CLIPPED)]
        page.set_viewport_size(wide)
    assert wrong == []
