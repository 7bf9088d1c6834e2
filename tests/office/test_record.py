"""The record page: values beside their proof, what was typed, both findings, photos nobody else can fetch."""

import io
from zoneinfo import ZoneInfo

import pytest
from PIL import Image

from inspect_app.office import readings
from inspect_app.store import inspections, photos
from inspect_app.store.base import transaction
from tests.office.field_work import BAD_TAP, CLEAN, jpeg, m


def page_of(desk, member, record_id):
    return desk(member).get(f"/barneveld/records/{record_id}").text


def test_the_page_shows_findings_with_the_words_of_the_ordinance(tablet_a, desk, reviewer_1):
    page = page_of(desk, reviewer_1, tablet_a.tap(BAD_TAP))
    for words in ("5.5 in ≤ 6 in", "“not within six inches (15 cm) of the joint”", "270-22* B", "BV-TAP-04"):
        assert words in page
    assert 'lang="en"' in page
    assert "The ordinance says “should”" in page


def test_what_was_typed_stands_beside_the_plain_number(tablet_a, desk, reviewer_1):
    page = page_of(desk, reviewer_1, tablet_a.tap(BAD_TAP))
    assert "typed “5 1/2 in”" in page
    assert "<b>5.5</b> in" in page
    assert "<b>31.0</b> in" in page


def test_a_number_that_cannot_be_read_is_shown_and_said(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(CLEAN["tap_geometry"] | {"opening_dia": m("4,5")})
    assert "4,5 can be read two ways." in page_of(desk, reviewer_1, record_id)


def test_the_tap_is_drawn_as_the_inspector_saw_it(tablet_a, desk, reviewer_1):
    page = page_of(desk, reviewer_1, tablet_a.tap(BAD_TAP))
    assert "4:00 looking downstream, 120 degrees from the crown, in the lower half" in page
    assert "joint downstream 5.5 in" in page
    assert "style=" not in page


def test_the_position_has_its_accuracy(tablet_a, desk, reviewer_1):
    page = page_of(desk, reviewer_1, tablet_a.tap())
    assert "The circle is the accuracy, ±\u00a03\u00a0m." in page
    assert "43.015620 north, 89.895310 west, good to 3 m" in page


def test_the_history_has_both_clocks(tablet_b, app, desk, reviewer_1):
    record_id = tablet_b.tap(leave_out=("frost",))
    page = page_of(desk, reviewer_1, record_id)
    assert "47 min slow" in page
    assert "The tablet&#39;s clock was more than two minutes off." in page
    with app.app_context():
        change = inspections.history(record_id)[0]
        assert change.wall.startswith("2026-06-18T17:24")
        assert f"{change.estimated_at:%H:%M}" == "18:11"


def test_signatures_say_whether_they_still_hold(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(hand_in=False)
    signed = tablet_a.doc(record_id)["revision_hash"]
    row = {
        "signature_id": "s1",
        "field": "signature_inspector",
        "role": "Inspector",
        "name": "Inspector A",
        "typed": "Inspector A",
        "revision_hash": signed,
        "signed_at": "2026-06-18T13:30:00-05:00",
    }
    tablet_a.op("list.add", record_id, list="signature_marks", row_id="s1", row=row)
    tablet_a.hand_in(record_id)
    assert "holds for this revision." in page_of(desk, reviewer_1, record_id)
    tablet_a.set(record_id, "main", {"main_material": "clay", "main_diameter": m(8)})
    tablet_a.push()
    assert "Changed since: it does not cover this revision." in page_of(desk, reviewer_1, record_id)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ({"points": [], "png_sha256": "0" * 64}, "by hand"),
        ({"typed": "Installer"}, "by typed name"),
        ({"typed": "Installer", "witness": "Inspector A"}, "by typed name, witnessed by Inspector A"),
        (
            {"typed": "Inspector A", "pin": {"set_at": "2026-06-02T07:10:00-05:00"}},
            "by name and the PIN chosen on that tablet 2 Jun 2026 07:10",
        ),
    ],
)
def test_a_signature_says_how_it_was_given(tablet_a, desk, reviewer_1, way, said):
    record_id = tablet_a.tap(hand_in=False)
    row = {"signature_id": "s1", "field": "signature_installer", "role": "Installer", "name": "Installer"}
    row |= {"revision_hash": tablet_a.doc(record_id)["revision_hash"], **way}
    row["signed_at"] = "2026-06-18T13:30:00-05:00"
    tablet_a.op("list.add", record_id, list="signature_marks", row_id="s1", row=row)
    tablet_a.hand_in(record_id)
    assert f", {said}, holds for this revision." in page_of(desk, reviewer_1, record_id)


def test_a_difference_between_tablet_and_server_is_said_aloud(tablet_a, desk, reviewer_1):
    spoil = {"BV-TAP-03": {"outcome": "pass", "figure": "89° ≤ 90°"}}
    record_id = tablet_a.tap(BAD_TAP, spoil=spoil)
    page = page_of(desk, reviewer_1, record_id)
    assert "The server and the tablet do not agree" in page
    assert "BV-TAP-03: the tablet says pass (89° ≤ 90°), the server says violation (120° &gt; 90°)." in page


def test_no_difference_no_note(tablet_a, desk, reviewer_1):
    assert "do not agree" not in page_of(desk, reviewer_1, tablet_a.tap(BAD_TAP))


def test_words_of_others_are_written_as_text(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(place="<img src=x onerror=alert(1)>", leave_out=("position",))
    tablet_a.set(record_id, "position", {"mh_ref": '"><script>alert(1)</script>'})
    tablet_a.push()
    page = page_of(desk, reviewer_1, record_id)
    assert "<img src=x" not in page
    assert "<script>alert" not in page


def test_who_does_not_review_sees_no_buttons(tablet_a, desk, inspector_b, reader):
    record_id = tablet_a.tap(BAD_TAP)
    for member in (inspector_b, reader):
        page = page_of(desk, member, record_id)
        assert "5.5 in ≤ 6 in" in page
        for word in ("Approve</button>", "Return the record</button>", "Dispute the finding</button>"):
            assert word not in page


def test_an_outsider_finds_no_record(tablet_a, desk, outsider):
    record_id = tablet_a.tap()
    assert desk(outsider).get(f"/barneveld/records/{record_id}").status_code == 404
    assert desk(outsider).get(f"/howards-grove/records/{record_id}").status_code == 404
    assert desk().get(f"/barneveld/records/{record_id}").status_code == 302


def test_an_unknown_record_is_not_found(desk, reviewer_1):
    assert desk(reviewer_1).get("/barneveld/records/none").status_code == 404


# ------------------------------------------------------------------------------------ photos


@pytest.fixture
def shot(tablet_a):
    """A record with one photo: its address, and the bytes as the tablet captured them."""
    record_id = tablet_a.begin("tap")
    tablet_a.seq_before = tablet_a.seq
    sha256 = tablet_a.shoot(record_id, "tape_at_joint", "joint_distance_down")
    raw = jpeg(f"tape_at_joint joint_distance_down {tablet_a.seq_before}")
    return record_id, sha256, raw


def test_the_original_is_an_attachment_untouched(shot, desk, reviewer_1):
    record_id, sha256, raw = shot
    answer = desk(reviewer_1).get(f"/barneveld/records/{record_id}/photos/{sha256}/original", buffered=True)
    assert answer.data == raw
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=T-0001-tape_at_joint-")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "private" in answer.headers["Cache-Control"]


def test_the_preview_is_derived_and_the_original_is_not_touched(app, data, shot, desk, reviewer_1):
    record_id, sha256, raw = shot
    answer = desk(reviewer_1).get(f"/barneveld/records/{record_id}/photos/{sha256}/preview", buffered=True)
    assert answer.mimetype == "image/jpeg"
    assert Image.open(io.BytesIO(answer.data)).size == (640, 480)
    kept = data / "blobs" / "sha256" / sha256[:2] / sha256[2:4] / sha256
    assert kept.read_bytes() == raw
    assert [path.name for path in (data / "derived").rglob("*.jpg")] == [f"{sha256}-1600.jpg"]
    again = desk(reviewer_1).get(f"/barneveld/records/{record_id}/photos/{sha256}/preview", buffered=True)
    assert again.data == answer.data


def test_a_photo_taken_sideways_is_shown_upright(tablet_a, desk, reviewer_1):
    record_id = tablet_a.begin("tap")
    exif = Image.Exif()
    exif[0x0112] = 6  # turn a quarter to the right
    kept = io.BytesIO()
    Image.new("RGB", (300, 200), (60, 125, 90)).save(kept, "JPEG", exif=exif)
    photo_id = tablet_a.attach(record_id, kept.getvalue())
    tablet_a.push()
    tablet_a.upload(photo_id, kept.getvalue())
    page = desk(reviewer_1).get(f"/barneveld/records/{record_id}").text
    address = page.split('src="')[1:]
    src = next(part.split('"')[0] for part in address if "/preview" in part)
    answer = desk(reviewer_1).get(src, buffered=True)
    assert Image.open(io.BytesIO(answer.data)).size == (200, 300)
    assert not Image.open(io.BytesIO(answer.data)).getexif()


def test_bytes_that_are_no_picture_are_kept_and_not_shown(tablet_a, desk, reviewer_1):
    record_id = tablet_a.begin("tap")
    raw = b"<html><script>alert(1)</script></html>"
    photo_id = tablet_a.attach(record_id, raw)
    tablet_a.push()
    tablet_a.upload(photo_id, raw)
    browser = desk(reviewer_1)
    page = browser.get(f"/barneveld/records/{record_id}").text
    assert "The bytes are not a picture." in page
    from tests.api.tablet import sha256

    address = f"/barneveld/records/{record_id}/photos/{sha256(raw)}"
    assert browser.get(f"{address}/preview", buffered=True).status_code == 404
    answer = browser.get(f"{address}/original", buffered=True)
    assert answer.data == raw
    assert answer.mimetype == "application/octet-stream"
    assert browser.get(address).status_code == 200


def test_a_photo_with_too_many_pixels_is_not_decoded(app, tablet_a, desk, reviewer_1):
    import dataclasses

    app.config["SETTINGS"] = dataclasses.replace(app.config["SETTINGS"], pixel_limit=1000)
    record_id = tablet_a.begin("tap")
    sha256 = tablet_a.shoot(record_id, "tape_at_joint", "joint_distance_down")
    with app.app_context(), transaction():
        photos.photos_of([record_id])[0].problem = None  # as if it had come before the limit was set
    answer = desk(reviewer_1).get(f"/barneveld/records/{record_id}/photos/{sha256}/preview", buffered=True)
    assert answer.status_code == 404
    assert "million pixels" in answer.text


def test_a_photo_that_is_not_here_says_so(tablet_a, desk, reviewer_1):
    record_id = tablet_a.begin("tap")
    sha256 = tablet_a.shoot(record_id, "clock_card", "clock", arrives=False)
    browser = desk(reviewer_1)
    assert "Promised, not here yet." in browser.get(f"/barneveld/records/{record_id}").text
    for kind in ("preview", "original"):
        answer = browser.get(f"/barneveld/records/{record_id}/photos/{sha256}/{kind}")
        assert answer.status_code == 404


def test_one_photo_is_turned_and_compared(tablet_a, desk, reviewer_1):
    record_id = tablet_a.begin("tap")
    one = tablet_a.shoot(record_id, "clock_card", "clock")
    other = tablet_a.shoot(record_id, "tape_at_joint", "joint_distance_down")
    browser = desk(reviewer_1)
    page = browser.get(f"/barneveld/records/{record_id}/photos/{one}?turn=90").text
    assert "turn-90" in page
    assert "turn=180" in page
    page = browser.get(f"/barneveld/records/{record_id}/photos/{one}?with={other}").text
    assert one in page
    assert page.count("SHA-256 ") == 2


@pytest.mark.parametrize("kind", ["", "/preview", "/original"])
def test_a_photo_is_found_only_in_its_record_and_village(shot, tablet_a, desk, reviewer_1, outsider, kind):
    record_id, sha256, _ = shot
    other = tablet_a.begin("tap")
    tablet_a.push()
    browser = desk(reviewer_1)
    assert browser.get(f"/barneveld/records/{other}/photos/{sha256}{kind}").status_code == 404
    assert browser.get(f"/barneveld/records/{record_id}/photos/{'0' * 64}{kind}").status_code == 404
    assert browser.get(f"/barneveld/records/{record_id}/photos/..{kind}").status_code == 404
    assert desk(outsider).get(f"/howards-grove/records/{record_id}/photos/{sha256}{kind}").status_code == 404
    assert desk(outsider).get(f"/barneveld/records/{record_id}/photos/{sha256}{kind}").status_code == 404
    assert desk().get(f"/barneveld/records/{record_id}/photos/{sha256}{kind}").status_code == 302


@pytest.mark.parametrize(
    ("more", "unit", "doubt"),
    [
        ({"accuracy_m": 2.5, "source": "gps", "fixes": 4}, "±\u00a02.5\u00a0m", ""),
        ({"source": "manual"}, "accuracy not known, set by hand", ""),
        ({"accuracy_m": 0.02, "source": "receiver"}, "±\u00a00.02\u00a0m, survey receiver", ""),
        ({"accuracy_m": 3, "simulated": True}, "±\u00a03\u00a0m", "another program made this position up"),
    ],
)
def test_a_position_says_where_it_comes_from(more, unit, doubt):
    shown = readings.show({"lat": 43.0155, "lon": -89.8954, **more}, {"type": "place"}, ZoneInfo("UTC"))
    assert (shown.text, shown.unit) == ("43.01550 N, 89.89540 W", unit)
    assert doubt in shown.doubt
    assert bool(doubt) == bool(shown.doubt)
