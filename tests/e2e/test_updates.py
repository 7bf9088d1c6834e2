"""An update and a rollback of the app leave a full queue as it is."""

import os
import re
import shutil
from pathlib import Path

import pytest

import inspect_app
from tests.e2e.loss import choose_photos, journal, logged, pictures, send
from tests.e2e.office import record, stored_photos
from tests.support.server import LiveServer

TAP = "MH-112 + 147.3 ft"
GEOMETRY = ("clock", "view_direction", "joint_distance_up", "joint_distance_down", "basis", "opening_dia")
RELEASE = "document.documentElement.dataset.release"


@pytest.fixture
def geometry(walkthrough):
    """The distances of walkthrough 2's tap."""
    answers = walkthrough(2)["answers"]
    return {name: answers[name] for name in GEOMETRY}


@pytest.fixture
def demo_server(demonstration, tmp_path):
    """The server of this file runs a copy of the program, so that a new version can be put in its place."""
    server = LiveServer(*demonstration)
    server.program = _copied(tmp_path / "program")
    server.environment["PYTHONPATH"] = os.pathsep.join(
        [str(server.program), server.environment.get("PYTHONPATH", "")]
    ).rstrip(os.pathsep)
    server.start()
    yield server
    server.stop()


def _copied(folder: Path) -> Path:
    source = Path(inspect_app.__file__).parent
    shutil.copytree(source, folder / "inspect_app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(source.parent / "migrations", folder / "migrations")
    return folder


def test_an_update_waits_for_the_button_and_keeps_the_queue(enrolled, office_app, demo_server, geometry):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    # The line carries pages and no answers: the update arrives while the queue cannot go.
    tablet.context.route("**/api/v1/**", lambda route: route.abort())
    record_id = inspector.start(TAP)
    inspector.fill_in(geometry)
    made = journal(page)
    app = demo_server.program / "inspect_app" / "static" / "pwa" / "app.js"
    app.write_text(app.read_text() + "\ndocument.documentElement.dataset.release = 'next';\n")
    page.reload()
    page.get_by_text("An update is ready.").wait_for()
    page.get_by_text("Leave the form first: the update waits.").wait_for()
    page.reload()
    page.get_by_text("An update is ready.").wait_for()
    assert page.evaluate("document.documentElement.dataset.release") is None
    assert f"#/visit/{record_id}" in page.url
    assert journal(page) == made

    page.evaluate("location.hash = '#/'")
    page.get_by_role("button", name="Take the update now").wait_for()
    page.locator(f"[data-visit='{record_id}']").wait_for()  # by then what was typed last is an op too
    made = journal(page)
    page.get_by_role("button", name="Take the update now").click()
    page.wait_for_function("() => document.documentElement.dataset.release === 'next'")
    page.locator("main").first.wait_for()
    assert journal(page) == made
    tablet.context.unroute("**/api/v1/**")
    send(page)
    inspector.wait_until_sent()
    assert logged(office_app, "applied") == made
    assert record(office_app, record_id)["doc"]["groups"]["tap_geometry"]["values"] == geometry


def test_a_rollback_of_the_app_opens_and_sends_what_the_newer_one_kept(
    enrolled, office_app, demo_server, geometry, tmp_path
):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    tablet.context.route("**/api/v1/**", lambda route: route.abort())
    pwa = demo_server.program / "inspect_app" / "static" / "pwa"
    before = {path: path.read_text() for path in (pwa / "app.js", pwa / "store" / "database.js")}
    # The newer release keeps its copy of what the server sent in another shape, as releases do.
    (pwa / "app.js").write_text(before[pwa / "app.js"] + f"\n{RELEASE} = 'next';\n")
    newer = re.sub(
        r"(REPLICA_VERSION = )(\d+);",
        lambda found: f"{found[1]}{int(found[2]) + 1};",
        before[pwa / "store" / "database.js"],
    )
    assert newer != before[pwa / "store" / "database.js"]
    (pwa / "store" / "database.js").write_text(newer)
    page.reload()
    _take_update(page)
    page.wait_for_function(f"() => {RELEASE} === 'next'")
    # Its own copy is new, so what was pulled comes once more; then the line is gone again.
    tablet.context.unroute("**/api/v1/**")
    page.reload()
    page.locator("[data-assignment]", has_text=TAP).wait_for()
    page.locator("#ready[data-ready='yes']").wait_for()
    tablet.context.route("**/api/v1/**", lambda route: route.abort())
    record_id = inspector.start(TAP)
    inspector.fill_in(geometry)
    originals = pictures(tmp_path, 2, width=500)
    choose_photos(inspector, originals)
    page.evaluate("location.hash = '#/'")
    page.locator(f"[data-visit='{record_id}']").wait_for()  # by then the last section is an op too
    made = journal(page)
    assert len(made) > 3

    for path, text in before.items():
        path.write_text(text)
    page.reload()
    _take_update(page)
    page.wait_for_function(f"() => {RELEASE} === undefined")
    page.locator("main").first.wait_for()
    assert journal(page) == made
    page.locator(f"[data-visit='{record_id}']").wait_for()
    tablet.context.unroute("**/api/v1/**")
    send(page)
    inspector.wait_until_sent()
    assert logged(office_app, "applied") == made
    assert record(office_app, record_id)["doc"]["groups"]["tap_geometry"]["values"] == geometry
    assert sorted(sha for sha, _ in stored_photos(office_app, record_id)) == sorted(originals.values())


def _take_update(page) -> None:
    page.evaluate("location.hash = '#/'")
    page.get_by_role("button", name="Take the update now").click()
