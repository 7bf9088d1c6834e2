"""Sections with a drawing, filled so far that there is something to see."""

import json
from collections.abc import Iterator
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


def reading(value: str, unit: str) -> dict[str, str]:
    return {"value": value, "unit": unit}


def answers_of(walkthrough: int) -> dict:
    """The answers of a walkthrough's base vector."""
    return json.loads((VECTORS / f"walkthrough{walkthrough}.json").read_text())[0]["answers"]


def drawn_screens(inspector, person: str) -> Iterator[str]:
    """Begin this person's visits and fill what is drawn; yields the name of each screen while it is shown."""
    yield from {"inspector-a": _tap_and_lateral, "inspector-c": _house, "sampler-d": _gas}[person](inspector)


def _tap_and_lateral(inspector) -> Iterator[str]:
    inspector.start("MH-112")
    inspector.go_to("site_safety")
    inspector.answer("location_type", "street")
    inspector.answer("open_now", "yes")
    inspector.answer("stays_open_overnight", "yes")
    for side, presses in {"north": 1, "east": 2, "south": 1}.items():
        for _ in range(presses):
            inspector.page.locator(f"[data-side={side}]").click()
    for side, presses in {"north": 1, "east": 2}.items():
        for _ in range(presses):
            inspector.page.locator(f"[data-lamp={side}]").click()
    inspector.answer("depth_max", reading("5 1/2", "ft"))
    inspector.answer("protective_system", "slope")
    yield "drawn-excavation"
    inspector.go_to("tap_geometry")
    inspector.answer("clock", "4:00")
    inspector.answer("view_direction", "downstream")
    inspector.answer("joint_distance_up", reading("96", "in"))
    inspector.answer("joint_distance_down", reading("5 1/2", "in"))
    inspector.answer("basis", "edge")
    inspector.answer("opening_dia", reading("4 1/2", "in"))
    inspector.answer("none_exposed", "no")
    inspector.answer("other_lateral_distance", reading("31", "in"))
    yield "drawn-tap"
    answers = answers_of(1)
    inspector.page.goto(inspector.page.url.split("#")[0] + "#/")
    inspector.start("Lot 14")
    inspector.go_to("trench_and_timing")
    inspector.answer("backfill_started", "yes")
    inspector.answer("location_type", "street")
    inspector.go_to("pipe")
    inspector.answer("segments", answers["segments"])
    inspector.answer("locating_method", "tracer")
    inspector.go_to("slope_and_cover")
    stations = [("0", "1096.42"), ("30", "1096.20"), ("62.0", "1095.13")]
    rows = [{"station": reading(at, "ft"), "elevation": reading(level, "ft")} for at, level in stations]
    inspector.answer("inverts", rows)
    inspector.answer("serves", "sewer")
    inspector.answer("insulation", "none")
    covers = [*answers["cover_top"]]
    covers[1] = {**covers[1], "depth": reading("52", "in")}
    inspector.answer("cover_top", covers)
    yield "drawn-lateral_profile"
    inspector.go_to("backfill")
    lifts = [*answers["lifts"]]
    lifts[1] = {**lifts[1], "depth": reading("7", "in")}
    inspector.answer("lifts", lifts)
    inspector.page.locator("#lift-2").click()
    yield "drawn-backfill"


def _house(inspector) -> Iterator[str]:
    inspector.start("12 Example Lane")
    inspector.go_to("outlets")
    inspector.answer("outlets", answers_of(3)["outlets"])
    inspector.page.locator("[data-part=wall-S]:visible").click()
    yield "drawn-house"


def _gas(inspector) -> Iterator[str]:
    inspector.start("CM-03")
    inspector.go_to("gas")
    inspector.answer("gas", answers_of(4)["gas"])
    inspector.page.locator("#field-gas-3-depth").fill("6")
    inspector.page.locator("#field-gas-3-h2s").fill("9")
    yield "drawn-gas"
    inspector.page.locator("#field-gas-3-h2s").fill("12")
    inspector.page.get_by_role("alertdialog").wait_for()
    yield "drawn-stop-work"
