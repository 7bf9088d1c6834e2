"""A village that is data alone, on a real tablet: judged offline by its own rule, and the office agrees."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspect_app.services import devices, places
from inspect_app.store import villages
from tests.e2e.inspector import Inspector
from tests.e2e.office import Reviewer, record, server_findings, tablet_findings
from tests.support import cast
from tests.support.databases import opened
from tests.support.server import LiveServer
from tests.support.steps import enrol

PLACE = "MH-7 + 12 ft"
OAKFIELD = Path(__file__).resolve().parents[1] / "villages" / "third" / "oakfield"
# Asked in every village; what is bound to one of the product's villages by a condition is not shown here.
TAP = {
    "clock": "11:00",
    "view_direction": "upstream",
    "joint_distance_up": {"value": "60", "unit": "in"},
    "joint_distance_down": {"value": "13.97", "unit": "cm"},
    "basis": "edge",
}


@pytest.fixture
def oakfield_server(tmp_path, data, database_url, monkeypatch):
    """`inspect-app serve` where the village lies in a folder of its own."""
    folder = tmp_path / "villages"
    shutil.copytree(OAKFIELD, folder / "oakfield")
    told = folder / "oakfield" / "village.yaml"
    # Chromium promises no storage to a browser without a window; the village may accept that.
    told.write_text(f"{told.read_text()}allow_unprotected_storage: true\n")
    monkeypatch.setenv("INSPECT_APP_VILLAGES", str(folder))
    server = LiveServer(data, database_url if database_url.startswith("postgresql") else None)
    server.start()
    yield server
    server.stop()
    villages.forget()


@pytest.fixture
def worker(oakfield_server, monkeypatch):
    """One person who does everything, with a tap to check and a code for a tablet."""
    roles = ("inspector", "reviewer", "administrator")
    monkeypatch.setitem(cast.CAST, "sewer_worker", ("Sewer worker", "oakfield", roles))
    with opened(oakfield_server.data, oakfield_server.database_url) as app:
        with app.app_context():
            member = cast.hire("sewer_worker")
            places.assign("oakfield", places.Visit("tap", PLACE, member.id, None), None, datetime.now(UTC))
            code = devices.make_code("oakfield", member.id, None, datetime.now(UTC))
        yield member, code, app


def test_a_tablet_of_an_added_village_judges_offline_by_its_rules_and_the_office_agrees(
    oakfield_server, worker, make_tablet, page
):
    member, code, app = worker
    tablet = make_tablet(oakfield_server.url, "oakfield", geolocation={"latitude": 43.7, "longitude": -88.5})
    enrol(tablet, code)
    tablet.page.locator("#ready[data-ready='yes']").wait_for()
    inspector = Inspector(tablet.page)
    tablet.go_offline()
    record_id = inspector.start(PLACE)
    inspector.fill_in(TAP)
    inspector.sign("signature_inspector", "Sewer worker")
    seen = inspector.findings()
    assert seen["OF-TAP-01"] == "violation"
    assert not [rule for rule in seen if rule.startswith(("BV-", "HG-"))]
    said = inspector.text_of("OF-TAP-01")
    assert "13.97 cm = 5.5 in ≤ 12 in" in said
    assert "within twelve inches of a joint of the main" in said
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    assert server_findings(app, record_id) == seen == tablet_findings(app, record_id)
    held = record(app, record_id)
    assert held["village"] == "oakfield"
    reviewer = Reviewer(page, tablet.origin, "oakfield", member.sign_in_name, member.password)
    reviewer.open(held["number"])
    assert reviewer.findings() == seen
    assert reviewer.shows("within twelve inches of a joint of the main")
