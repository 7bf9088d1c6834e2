"""Photos at the trench: what is refused and why, sides in a row, a camera that fails, a reload under it."""

import base64
import io
from datetime import datetime
from itertools import pairwise

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.api import pictures

FIRST = "main_cleaned-main_material"
SIDES = [f"barricade_side-barricades_sides.{side}" for side in ("north", "east", "south", "west")]
DENY = """(name) => {
  navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no', name); }; }"""


@pytest.fixture
def trench(enrolled):
    """A tablet at the photos of a tap check with an open trench in the street."""
    tablet = enrolled("inspector-a", "barneveld")
    tablet.inspector.start("MH-112")
    tablet.inspector.go_to("photos")
    return tablet


@pytest.fixture
def open_trench(trench):
    """The same with an excavation that needs its four sides shown."""
    trench.inspector.go_to("site_safety")
    trench.inspector.answer("location_type", "street")
    trench.inspector.answer("open_now", "yes")
    trench.inspector.go_to("photos")
    return trench


def slot(page, key):
    return page.locator(f"[data-slot='{key}']")


def test_each_file_that_is_no_photo_for_the_office_says_what_to_do_and_the_next_one_is_taken(
    trench, tmp_path
):
    page = trench.page
    bad = {
        "phone.jpg": (pictures.heic(), "HEIC, whatever its name says"),
        "stamp.jpg": (pictures.jpeg(size=(40, 40)), "40 × 40 pixels"),
        "film.jpg": (pictures.jpeg(size=(640, 480)) + b"\0" * (30 * 1024 * 1024), "30 MB; the most is 25 MB"),
        "letter.jpg": (b"%PDF-1.7 " + b"x" * 500, "not a JPEG or PNG"),
    }
    for name, (content, says) in bad.items():
        (tmp_path / name).write_bytes(content)
        slot(page, FIRST).locator("input[type=file]").set_input_files(tmp_path / name)
        expect(slot(page, FIRST).get_by_role("alert")).to_contain_text(says)
        expect(slot(page, FIRST).locator("img")).to_have_count(0)
    (tmp_path / "good.jpg").write_bytes(pictures.jpeg(size=(640, 480)))
    slot(page, FIRST).locator("input[type=file]").set_input_files(tmp_path / "good.jpg")
    expect(slot(page, FIRST).locator("img")).to_have_count(1)
    expect(page.locator("main [role=alert]")).to_have_count(0)


def test_four_sides_are_taken_without_leaving_the_camera_and_a_reload_comes_back_to_the_one_at_hand(
    open_trench,
):
    page = open_trench.page
    slot(page, SIDES[0]).get_by_role("button", name="Take photo").click()
    camera = page.locator("[data-camera]")
    expect(camera.locator(".over")).to_contain_text("MH-112")
    for key, following in pairwise(SIDES[:3]):
        expect(camera).to_have_attribute("data-camera", key)
        page.get_by_role("button", name="Take the picture").click()
        expect(camera).to_have_attribute("data-camera", following)
        expect(slot(page, key).locator("img")).to_have_count(1)

    page.reload()  # as when a weak tablet closes the page under the camera
    expect(page.get_by_role("status").filter(has_text="The camera was open for “South”")).to_be_visible()
    expect(page.locator(".slot.now")).to_have_attribute("data-slot", SIDES[2])
    page.locator(".slot.now").get_by_role("button", name="Take photo").click()
    for key in SIDES[2:]:
        expect(camera).to_have_attribute("data-camera", key)
        page.get_by_role("button", name="Take the picture").click()
    expect(camera).to_have_count(0)
    for key in SIDES:
        expect(slot(page, key).locator("img")).to_have_count(1)


def test_a_photo_taken_again_is_shown_and_the_earlier_one_is_kept(trench):
    page = trench.page
    for name in ("Take photo", "Take another"):
        slot(page, FIRST).get_by_role("button", name=name).click()
        page.get_by_role("button", name="Take the picture").click()
        slot(page, FIRST).locator("img").wait_for()
        expect(page.locator("[data-camera]")).to_have_count(0)
    expect(slot(page, FIRST)).to_contain_text("1 earlier photo kept, too.")
    # When and where are fields of what is recorded: the fake camera's picture says neither.
    rows = page.evaluate(
        """async () => { const { openStore } = await import('/static/pwa/store/store.js');
        const view = await openStore({ app: 'test' }).inspections.inspection(location.hash.split('/')[2]);
        return view.doc.photos.map((photo) => photo.row); }"""
    )
    assert [(row["taken_place"]["lat"], row["from_library"]) for row in rows] == [(43.0155, "no")] * 2
    assert all(datetime.fromisoformat(row["taken_at"]).utcoffset() for row in rows)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("NotAllowedError", "does not let this app use the camera"),
        ("NotReadableError", "Another app has the camera"),
    ],
)
def test_a_camera_that_is_refused_or_in_use_says_so_and_a_file_does_instead(trench, tmp_path, name, says):
    page = trench.page
    page.evaluate(DENY, name)
    slot(page, FIRST).get_by_role("button", name="Take photo").click()
    expect(page.locator("[data-camera]").get_by_role("alert")).to_contain_text(says)
    page.get_by_role("button", name="Close the camera").click()
    expect(slot(page, FIRST).get_by_role("alert")).to_contain_text(says)

    slot(page, FIRST).get_by_role("button", name="Take photo").click()
    (tmp_path / "good.jpg").write_bytes(pictures.jpeg(size=(640, 480)))
    page.locator("#camera-file").set_input_files(tmp_path / "good.jpg")
    expect(slot(page, FIRST).locator("img")).to_have_count(1)
    expect(page.locator("main [role=alert]")).to_have_count(0)


PREVIEW = """async ([photo, longest, lines]) => {
  const { makePreview, smaller } = await import('/static/pwa/store/preview.js');
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0)).buffer;
  const made = longest ? await smaller(bytes, 'image/jpeg', { longest, quality: 0.9 })
    : await makePreview(bytes, 'image/jpeg', lines);
  return btoa(Array.from(new Uint8Array(made), (byte) => String.fromCharCode(byte)).join('')); }"""


def made_by(page, photo: bytes, longest: int = 0, lines: tuple[str, ...] = ()) -> Image.Image:
    """What the tablet makes of a photo: its preview, or the photo at so many pixels at most."""
    answer = page.evaluate(PREVIEW, [base64.b64encode(photo).decode(), longest, list(lines)])
    return Image.open(io.BytesIO(base64.b64decode(answer)))


def test_a_photo_taken_sideways_is_upright_in_what_is_made_of_it_and_stamped_only_where_asked(
    live_server, page
):
    image = Image.new("RGB", (1600, 1200), "white")
    image.paste("red", (0, 0, 1600, 200))  # on top as the pixels lie; to the right once it is upright
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif, quality=95)
    page.goto(f"{live_server.url}/sign-in")
    for made, size in (
        (made_by(page, out.getvalue()), (900, 1200)),
        (made_by(page, out.getvalue(), longest=800), (600, 800)),
    ):
        assert made.size == size
        red, green, _ = made.getpixel((size[0] - 20, size[1] // 2))
        assert red > 200 > 60 > green
        assert min(made.getpixel((20, size[1] - 12))) > 200
    stamped = made_by(page, out.getvalue(), lines=("T-117, Lot 9", "2026-06-18 13:10"))
    assert max(stamped.getpixel((20, 1200 - 3))) < 120
