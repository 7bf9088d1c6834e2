"""The invented village on a server: its tablets get its pack, and its records are judged by it."""

import pytest

from inspect_app.services import findings as judged
from inspect_app.store import findings, inspections, villages
from tests.office.conftest import Desk
from tests.office.field_work import BAD_TAP, FieldTablet
from tests.support import cast
from tests.support.databases import close, make_app


@pytest.fixture
def served(oakfield, data, database_url, monkeypatch):
    """The application where the village is installed."""
    monkeypatch.setenv("INSPECT_APP_VILLAGES", str(oakfield.parent))
    monkeypatch.setitem(
        cast.CAST, "sewer_worker", ("Sewer worker", "oakfield", ("inspector", "reviewer", "administrator"))
    )
    app = make_app(data, database_url)
    yield app
    close(app)


def test_a_record_of_the_third_village_is_judged_by_its_own_rules(served):
    with served.app_context():
        worker = cast.hire("sewer_worker")
    tablet = FieldTablet(served, worker, "Tablet O")
    record_id = tablet.tap(BAD_TAP)
    with served.app_context():
        record = inspections.inspection(record_id)
        found = {finding.rule: finding for finding in findings.latest(record_id, "server")}
        assert judged.context_of(record)["village"] == "oakfield"
        assert record.counts["differ"] == []
    assert found["OF-TAP-01"].outcome == "violation"
    assert (
        found["OF-TAP-01"].body["message"] == "The tap is 5.5 in from the joint. It must be more than 12 in."
    )
    assert not [name for name in found if name.startswith(("BV-", "HG-", "OF-NOT"))]
    desk = Desk(served)
    assert desk.sign_in(worker.sign_in_name, worker.password).status_code == 302
    page = desk.get(f"/oakfield/records/{record_id}")
    assert page.status_code == 200
    assert "within twelve inches of a joint of the main" in page.text
    book = desk.get("/oakfield/book")
    assert book.status_code == 200
    assert "Tap not within twelve inches of a joint" in book.text


def test_a_tablet_of_the_third_village_holds_its_pack_and_the_forms(served):
    with served.app_context():
        worker = cast.hire("sewer_worker")
    tablet = FieldTablet(served, worker, "Tablet O")
    told = tablet.reference()
    pack = told["packs"][told["pack"]]
    assert told["village"]["slug"] == pack["village"] == "oakfield"
    assert "oakfield" in pack["fields"]["village"]["choices"]
    assert {form["protocol"] for form in told["protocols"]} == set(villages.KINDS)
