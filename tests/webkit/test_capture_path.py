"""The capture path in WebKitGTK, the engine of iPads: no background sync, and photos kept in the database."""

from datetime import UTC, datetime

import pytest

from inspect_app.services import devices
from inspect_app.store import inspections, people, photos
from inspect_app.store.blobs import blobs
from tests.api import pictures
from tests.support.availability import unavailable
from tests.support.databases import opened
from tests.webkit.driver import missing, wait_for, webkit

pytestmark = [pytest.mark.webkit, pytest.mark.slow]
READING = "field-joint_distance_up"
LACKS = """return ['sync' in (window.ServiceWorkerRegistration?.prototype ?? {}),
  'createWritable' in (window.FileSystemFileHandle?.prototype ?? {})]"""
SHOT = "[data-slot='tape_at_joint-joint_distance_down']"


@pytest.fixture
def window(tmp_path):
    """A window of WebKitGTK; without it a skip that says why, and on CI a failure."""
    if reason := missing():
        unavailable(reason)
    with webkit(tmp_path) as one:
        yield one
        one.close()


def test_a_reading_and_a_photo_survive_a_reload_and_reach_the_office_byte_for_byte(
    window, demo_server, tmp_path
):
    picture = tmp_path / "tape.jpg"
    picture.write_bytes(pictures.jpeg("red", (640, 480)))
    with opened(demo_server.data, demo_server.database_url) as app, app.app_context():
        code = devices.make_code(
            "barneveld", people.person_by_name("inspector-a").id, None, datetime.now(UTC)
        )
    window.go(f"{demo_server.url}/field/#enrol={code}")
    window.type("#field-name", "Tablet W")
    window.press("form button[type=submit]")
    window.element("ol.steps3 li.now:nth-child(2)", 30)
    assert window.run(LACKS) == [False, False]

    window.go(f"{demo_server.url}/field/#/")
    window.run(
        "[...document.querySelectorAll('[data-assignment]')].find((a) => a.textContent.includes('MH-112'))"
        ".querySelector('button').click()"
    )
    wait_for(lambda: window.run("return location.hash.startsWith('#/visit/')"), "no visit was opened")
    record_id = window.run("return location.hash").split("/")[2]
    visit = f"{demo_server.url}/field/#/visit/{record_id}"
    window.go(f"{visit}/tap_geometry")
    window.type(f"#{READING}", "5 1/2")
    assert "5.5 in" in window.text("[data-field='joint_distance_up'] .as")
    window.type("#field-clock", "4:00")
    window.element("[data-section] [data-rule='BV-TAP-03'][data-outcome='violation']")

    window.go(f"{visit}/photos")
    window.type(f"{SHOT} input[type=file]", str(picture))
    window.element(f"{SHOT} img", 20)

    window.reload()
    window.element(f"{SHOT} img", 20)
    window.go(f"{visit}/tap_geometry")
    wait_for(
        lambda: (
            "5 1/2"
            in window.run(
                "return document.querySelector('main').innerText + "
                f"(document.getElementById('{READING}')?.value ?? '')"
            )
        ),
        "the reading is gone",
    )

    window.go(f"{demo_server.url}/field/#/outbox")
    wait_for(lambda: "The office has everything" in window.text("main"), "not sent", 30)
    with opened(demo_server.data, demo_server.database_url) as app, app.app_context():
        record = inspections.inspection_in("barneveld", record_id)
        values = record.doc["groups"]["tap_geometry"]["values"]
        assert values["joint_distance_up"] == {"value": "5 1/2", "unit": "in"}
        (photo,) = photos.photos_of([record_id])
        assert blobs().path(photo.sha256).read_bytes() == picture.read_bytes()
