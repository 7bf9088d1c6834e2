"""Codes on labels: read by the camera, kept as printed, or typed where nothing can read them."""

import base64

import pytest
from playwright.sync_api import expect

from tests.support.codes import code39_png

# The picture of a label stands before the camera: a canvas of it is the stream.
SHOW = """async (picture) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width; canvas.height = image.height;
  const draw = () => canvas.getContext('2d').drawImage(image, 0, 0);
  draw();
  setInterval(draw, 50);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
}"""


@pytest.fixture
def trench(enrolled):
    """A tablet at the ticket of the utilities' locating, which is printed with bars."""
    tablet = enrolled("inspector-a", "barneveld")
    tablet.inspector.start("MH-112")
    tablet.inspector.go_to("site_safety")
    tablet.inspector.answer("location_type", "street")
    tablet.inspector.answer("open_now", "yes")
    tablet.page.evaluate("delete window.BarcodeDetector")
    return tablet


def test_a_code_is_read_with_its_leading_zeros_and_without_a_connection_it_is_typed(trench):
    page = trench.page
    ticket = page.locator("[data-field='locate_ticket']")
    page.evaluate(SHOW, base64.b64encode(code39_png("00002408")).decode())
    ticket.get_by_role("button", name="Read the code").click()
    expect(page.locator("#field-locate_ticket")).to_have_value("00002408", timeout=30_000)
    expect(page.locator("[data-scan]")).to_have_count(0)
    policy = page.request.get(f"{trench.origin}/static/barcode-worker.js").headers["content-security-policy"]
    assert "'wasm-unsafe-eval'" in policy
    assert "wasm" not in page.request.get(f"{trench.origin}/field/").headers["content-security-policy"]

    trench.go_offline()
    page.reload()
    ticket.wait_for()
    if ticket.get_attribute("data-folded") is not None:
        ticket.get_by_role("button").first.click()
    page.evaluate("delete window.BarcodeDetector")
    ticket.get_by_role("button", name="Read the code").click()
    expect(page.locator("[data-scan]").get_by_role("alert")).to_contain_text(
        "Type what stands under the bars"
    )
    page.get_by_role("button", name="Type it instead").click()
    expect(page.locator("#field-locate_ticket")).to_be_focused()
    page.locator("#field-locate_ticket").fill("012345 ")
    page.locator("#kept", has_text="Kept on this tablet").wait_for()
    expect(page.locator("#field-locate_ticket")).to_have_value("012345 ")
