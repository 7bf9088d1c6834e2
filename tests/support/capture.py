"""What a tablet shows while something is captured, and what it says when that fails."""

from collections.abc import Iterator

from tests.support.steps import begin

REFUSE = """() => {
  navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no', 'NotAllowedError'); }; }"""


def capture_screens(page, origin: str, place: str) -> Iterator[str]:
    """Go through them in a visit to a tap that is begun at this place; yields the name of each."""
    visit = f"{origin}/field/#/visit/{begin(page, origin, place)}"

    def go(section: str) -> None:
        page.goto(f"{visit}/{section}")
        page.locator(f"[data-section='{section}']").wait_for()

    go("site_safety")
    spot = page.locator("[data-field='gps']")
    page.locator("#field-gps").click()
    spot.locator(".read").wait_for()
    yield "position"
    spot.locator(".spot > .btn:not([id])").click()
    page.locator("dialog.choosing svg.plan").wait_for()
    page.locator("dialog.choosing svg.plan").click()
    yield "place-on-the-plan"
    page.keyboard.press("Escape")
    page.locator("dialog.choosing").wait_for(state="detached")
    spot.locator("summary").click()
    page.locator("#field-gps-lon").fill("89.8954")
    page.locator("#field-gps-lon").press("Tab")
    spot.locator("[role=status]").wait_for()
    yield "position-by-hand"
    page.locator("label:has([id='field-open_now-yes'])").click()
    page.locator("label:has([id='field-location_type-street'])").click()
    page.locator(".code button").first.click()
    page.locator("[data-scan] video").wait_for()
    yield "code"
    page.locator("#scan-close").click()
    go("photos")
    page.locator(".slot.now .btnrow button").click()
    page.locator("[data-camera] .btn.go:not([disabled])").wait_for()
    yield "camera"
    page.locator("#camera-close").click()
    page.evaluate(REFUSE)
    page.locator(".slot.now .btnrow button").click()
    page.locator("[data-camera] [role=alert]").wait_for()
    yield "camera-refused"
    page.locator("#camera-close").click()
    page.locator(".slot.now [role=alert]").wait_for()
    yield "photo-refused"
    go("signatures")
    own, other = (page.locator(f"[data-field='signature_{who}']") for who in ("inspector", "installer"))
    own.locator("button.quiet").click()
    page.locator("#field-signature_inspector-pin").wait_for()
    other.locator("button.quiet").click()
    own.locator("button.sign").click()
    own.locator("[role=alert]").wait_for()
    yield "signing-by-typing"
