"""`make shots`: pictures of every page and screen at 390, 820 and 1280 px, in every display and language.

Contact sheets show all at a glance, and four pictures go into docs/pictures/ for the README. All run
on the demonstration; nothing is drawn by hand.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.contact_sheet import contact_sheets
from bench.places import ROOT, demonstration_server
from inspect_app.services.demonstration import PASSWORD
from tests.e2e.inspector import Inspector
from tests.support.browser import OPTIONS, Tablet, chromium
from tests.support.capture import capture_screens
from tests.support.cast import enrolment_code
from tests.support.databases import close, make_app
from tests.support.drawn import drawn_screens
from tests.support.pages import office_pages, sign_in
from tests.support.steps import HOME_SCREENS, VISITS, enrol, screens, speak

SHOTS = ROOT / "shots"
PICTURES = ROOT / "docs" / "pictures"
WIDTHS = {390: 844, 820: 1180, 1280: 900}


def main() -> None:
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir()
    PICTURES.mkdir(parents=True, exist_ok=True)
    with demonstration_server() as server, sync_playwright() as playwright:
        with chromium(playwright) as browser:
            for theme in ("light", "dark"):
                office(server, browser, theme)
        with tempfile.TemporaryDirectory(prefix="inspect-app-profile-") as folder:
            # First, and never online again: what it begins is not taken away from the tablets below.
            for_readme(server, playwright, Path(folder))
            capturing(server, playwright, Path(folder) / "capture")
            for name, (village, _) in VISITS.items():
                drawings(server, playwright, Path(folder) / f"drawn-{name}", (name, village))
            for name, (village, visits) in VISITS.items():
                tablet = Tablet(playwright, Path(folder) / name, server.url)
                page = enrol(tablet, enrolment_code(server, name, village), f"Tablet of {name}")
                in_both_languages(page, server.url, visits)
                tablet.close()
    pictures = sorted(SHOTS.glob("*.png"))
    sheets = contact_sheets(pictures, SHOTS / "sheets")
    sys.stdout.write(
        f"{len(pictures)} pictures in shots/, {len(sheets)} contact sheets in shots/sheets/, "
        f"{len(list(PICTURES.glob('*.png')))} in docs/pictures/\n"
    )


def in_both_languages(page, origin: str, visits: dict[str, str]) -> None:
    """Every screen of a tablet in English, and the same screens again in Spanish."""
    places = {}
    for screen in screens(page, origin, visits):
        shoot(page, f"tablet-{screen}")
        places[screen] = page.url
    speak(page, origin, "es")
    for screen, place in places.items():
        page.goto(place)
        page.locator("main h1").first.wait_for(state="attached")
        shoot(page, f"tablet-{screen}-es")


def shoot(page, name: str) -> None:
    """One picture for each width and, on a tablet, each display: the whole page, with its bar at the end."""
    if not name.startswith("tablet-"):
        _shoot(page, name)
        return
    for theme in ("light",) if name.endswith("-es") else ("dark", "sun", "light"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        _shoot(page, f"{name}-{theme}")


def _shoot(page, name: str) -> None:
    before = page.viewport_size
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        if name.startswith("tablet-"):
            whole = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": max(whole, height)})
        page.screenshot(path=SHOTS / f"{name}-{width}.png", full_page=True, animations="disabled")
    page.set_viewport_size(before)


def office(server, browser, theme: str) -> None:
    """Every page of the office as the reviewer and as the administrator see it."""
    context = browser.new_context(**OPTIONS)
    context.add_cookies([{"name": "inspect_app_theme", "value": theme, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/sign-in")
    shoot(page, f"office-sign_in-{theme}")
    seen = set()
    routes = make_app(server.data, f"sqlite:///{server.data / 'inspect.sqlite3'}")
    for person in ("reviewer-1", "admin-1", "reviewer-2"):
        sign_in(page, server.url, person, PASSWORD)
        for endpoint, path in office_pages(routes, page, server.url).items():
            if endpoint in seen:
                continue
            seen.add(endpoint)
            page.goto(server.url + path)
            shoot(page, f"office-{endpoint}-{theme}")
            if theme == "light" and endpoint == "queue.index":
                page.set_viewport_size({"width": 1280, "height": 800})
                page.screenshot(path=PICTURES / "queue.png", animations="disabled")
        context.clear_cookies(name="inspect_app")
    close(routes)
    context.close()


def drawings(server, playwright, profile: Path, inspector: tuple[str, str]) -> None:
    """The drawn inputs with readings in them, as a tablet without a signal shows them."""
    name, village = inspector
    tablet = Tablet(playwright, profile, server.url)
    page = enrol(tablet, enrolment_code(server, name, village), f"Tablet of {name}")
    tablet.go_offline()
    for screen in drawn_screens(Inspector(page), name):
        shoot(page, f"tablet-{screen}")
    tablet.close()


def capturing(server, playwright, profile: Path) -> None:
    """Camera, code, position and signature, as a tablet without a signal shows them."""
    tablet = Tablet(playwright, profile, server.url)
    page = enrol(tablet, enrolment_code(server, "inspector-a", "barneveld"), "Tablet at the trench")
    tablet.go_offline()
    for screen in capture_screens(page, server.url, "MH-112"):
        shoot(page, f"tablet-capture-{screen}")
    tablet.close()


def for_readme(server, playwright, folder: Path) -> None:
    """A form with a finding, what waits to be sent, and a form in the sun, on a tablet without a signal."""
    tablet = Tablet(playwright, folder / "readme", server.url)
    page = enrol(tablet, enrolment_code(server, "inspector-a", "barneveld"), "Tablet 1")
    tablet.go_offline()
    answers = json.loads((ROOT / "tests" / "vectors" / "walkthrough2.json").read_text())[0]["answers"]
    inspector = Inspector(page)
    record_id = inspector.start("MH-112")
    inspector.fill_in(answers)
    inspector.go_to("tap_geometry")
    page.screenshot(path=PICTURES / "form.png", animations="disabled")
    page.goto(f"{server.url}/field/#/outbox")
    page.locator(HOME_SCREENS["outbox"]).first.wait_for(state="attached")
    page.screenshot(path=PICTURES / "outbox.png", animations="disabled")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/field/#/visit/{record_id}/tap_geometry")
    page.locator("[data-section='tap_geometry']").wait_for()
    page.evaluate("() => { document.documentElement.dataset.theme = 'sun'; scrollTo(0, 0); }")
    page.screenshot(path=PICTURES / "sun.png", animations="disabled")
    tablet.close()


if __name__ == "__main__":
    main()
