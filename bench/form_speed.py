"""The form under the hand and a long list, in Chromium slowed four times, as a tablet is.

A whole lateral inspection (more than 120 fields, 40 photos) is opened; a key is pressed in the form of a tap
until the finding that it changes is painted; a list of 10,000 records is scrolled for some seconds.
Times are counted in the page, from the event to the moment after the frame that shows its effect.
"""

import base64
import io
import json
import statistics
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from bench.places import ROOT, demonstration_server
from bench.report import Figure, alone
from inspect_app.store import villages
from tests.support.browser import Tablet
from tests.support.cast import enrolment_code
from tests.support.steps import enrol

SLOWDOWN = 4
OPEN_MS, KEY_MS, FRAME_MS = 500, 50, 20  # 20 ms a frame are 50 frames a second
LEAST_FIELDS, PHOTOS, RECORDS = 120, 40, 10_000
IN_VIEW = (
    6  # photos that a tablet shows without scrolling; those further down are read as they come into view
)
TIMES, KEYS, SCROLL_S = 7, 15, 5

IN_PAGE = (ROOT / "bench" / "form_speed.mjs").read_text()


def run(page, name: str, given=None):
    """One of the functions of form_speed.mjs, in the page."""
    return page.evaluate(f"(given) => {IN_PAGE.strip()}.{name}(given)", given)


def measure() -> list[Figure]:
    with (
        demonstration_server() as server,
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory(prefix="inspect-app-profile-") as folder,
    ):
        tablet = Tablet(playwright, Path(folder), server.url)
        try:
            return measured(tablet, enrolment_code(server, "inspector-a", "barneveld"))
        finally:
            tablet.close()


def measured(tablet: Tablet, code: str) -> list[Figure]:
    page = enrol(tablet, code)
    tablet.go_offline()
    fields, lateral = whole("lateral", "walkthrough1.json", PHOTOS)
    if fields < LEAST_FIELDS:
        raise RuntimeError(f"The form has {fields} fields: measure a longer one.")
    record = run(page, "seed", lateral)
    tap = run(page, "seed", whole("tap", "walkthrough2.json", 0)[1])
    run(page, "many", RECORDS)
    page.goto(f"{tablet.origin}/field/#/outbox")
    page.reload()
    page.locator(".hero").wait_for()
    page.wait_for_timeout(3000)  # the screens are read ahead
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    return [*opening(page, record, fields), *typing(page, tap), *scrolling(page)]


def opening(page, record: str, fields: int) -> list[Figure]:
    times, pictures = [], []
    for _ in range(TIMES):
        times.append(run(page, "open", f"#/visit/{record}/permit_and_notice"))
        begun = run(page, "open", f"#/visit/{record}/photos")
        pictures.append(begun + run(page, "pictures", IN_VIEW))
        page.evaluate("() => { location.hash = '#/outbox'; }")
        page.locator(".hero").wait_for()
    return [
        Figure(
            f"form of {fields} fields with {PHOTOS} photos opened, at 4x",
            statistics.median(times),
            "ms",
            OPEN_MS,
        ),
        Figure(
            "its photos, the first of them on the screen, at 4x", statistics.median(pictures), "ms", OPEN_MS
        ),
    ]


def typing(page, record: str) -> list[Figure]:
    run(page, "open", f"#/visit/{record}/tap_geometry")
    run(page, "listen", "BV-TAP-04")
    folded = page.locator("[data-field='joint_distance_down'][data-folded]")
    if folded.count():
        folded.get_by_role("button").first.click()
    box = page.locator("[id='field-joint_distance_down']")
    box.fill("")
    for n in range(KEYS):
        box.press(str(1 + n % 9))
        page.wait_for_timeout(150)
        if n % 3 == 2:
            for _ in range(3):
                box.press("Backspace")
                page.wait_for_timeout(150)
    keys = sorted(page.evaluate("() => window.keys"))
    return [
        Figure("key press to painted finding, at 4x, median", statistics.median(keys), "ms", KEY_MS),
        Figure("the same, 19 keys of 20", keys[int(len(keys) * 0.95)], "ms"),
    ]


def scrolling(page) -> list[Figure]:
    opened = run(page, "search")
    found = statistics.median(run(page, "find", f"lot {n}7 approved") for n in range(TIMES))
    run(page, "find", "")
    page.wait_for_timeout(500)
    seen = run(page, "scroll", SCROLL_S)
    frames = sorted(seen["frames"])
    if seen["shown"] > 200 or seen["at"] < 1000:
        raise RuntimeError(
            f"The list did not scroll as it should: {seen['shown']} rows, {seen['at']} px down."
        )
    return [
        Figure(f"search of {RECORDS:,} records opened, at 4x", opened, "ms"),
        Figure("a search among them, key to painted list, at 4x", found, "ms"),
        Figure("scrolling them, a frame on average, at 4x", statistics.mean(frames), "ms", FRAME_MS),
        Figure("the same, 19 frames of 20", frames[int(len(frames) * 0.95)], "ms"),
    ]


def whole(kind: str, vector: str, photos: int) -> tuple[int, dict]:
    """How many fields the form has, and a whole inspection: values by group, a photo, and what it shows."""
    form = next(one for one in villages.forms_for_tablets() if one["protocol"] == kind)
    groups = [group for section in form["sections"] for group in section.get("groups", ())]
    group_of = {field["field"]: group["group"] for group in groups for field in group["fields"]}
    values: dict[str, dict] = {}
    answers = json.loads((ROOT / "tests" / "vectors" / vector).read_text())[0]["answers"]
    for name, value in answers.items():
        if name in group_of:
            values.setdefault(group_of[name], {})[name] = value
    picture = io.BytesIO()
    Image.effect_noise((1600, 1200), 60).convert("RGB").save(picture, "JPEG", quality=80)
    return len(group_of), {
        "kind": kind,
        "groups": values,
        "photo": base64.b64encode(picture.getvalue()).decode(),
        "photos": photos,
        "shows": [slot["shows"] for slot in form["photos"]],
    }


if __name__ == "__main__":
    alone(measure)
