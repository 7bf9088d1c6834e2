"""What was set aside: read as it was sent, with the reason, and applied again once the cause is gone."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from inspect_app.domain.ids import new_id
from inspect_app.store import inspections, sync
from inspect_app.store.base import db, transaction
from tests.api.tablet import sha256


@pytest.fixture
def set_aside(app, tablet_a):
    """A note that came before its record, which the server put aside: (op id, record id)."""
    record_id = new_id(datetime.now(UTC))
    tablet_a.op("list.add", record_id, list="notes", row_id="n1", row={"note": "<b>cover is loose</b>"})
    result = tablet_a.push()[0]
    assert result["status"] == "quarantined"
    return result["op_id"], record_id


def create(tablet, record_id):
    tablet.op(
        "record.create",
        record_id,
        village="barneveld",
        protocol="tap",
        protocol_version="1",
        pack=tablet.reference()["pack"],
        assignment_id=None,
        parent_record=None,
        place="MH-112",
        permit_no=None,
        prefill={},
    )
    assert tablet.push()[0]["status"] == "applied"


def test_it_is_shown_as_it_was_sent_with_the_reason(set_aside, desk, reviewer_1):
    page = desk(reviewer_1).get("/barneveld/quarantine").text
    assert "1 entry is set aside" in page
    assert "Its record is not known here." in page
    assert "Tablet A" in page
    assert "Inspector A" in page
    assert "&lt;b&gt;cover is loose&lt;/b&gt;" in page
    assert "<b>cover is loose" not in page


def test_it_is_applied_once_the_cause_is_gone(app, set_aside, tablet_a, desk, reviewer_1):
    op_id, record_id = set_aside
    create(tablet_a, record_id)
    browser = desk(reviewer_1)
    assert browser.post(f"/barneveld/quarantine/{op_id}").status_code == 302
    with app.app_context():
        rows = inspections.inspection(record_id).doc["lists"]["notes"]
        assert [row["row"]["note"] for row in rows] == ["<b>cover is loose</b>"]
        assert rows[0]["by"] == tablet_a.person["id"]
        assert sync.op(op_id).status == "quarantined"
    page = browser.get("/barneveld/quarantine").text
    assert "Applied again as op" in page
    assert "Nothing is set aside" in page


def test_it_stays_while_the_cause_stands(app, set_aside, desk, reviewer_1):
    op_id, record_id = set_aside
    browser = desk(reviewer_1)
    assert browser.post(f"/barneveld/quarantine/{op_id}").status_code == 302
    page = browser.get("/barneveld/quarantine").text
    assert "It still cannot be applied." in page
    assert "Its record is not known here." in page
    with app.app_context():
        assert inspections.inspection(record_id) is None


def test_applying_it_twice_adds_nothing(app, set_aside, tablet_a, desk, reviewer_1):
    op_id, record_id = set_aside
    create(tablet_a, record_id)
    browser = desk(reviewer_1)
    for _ in range(2):
        browser.post(f"/barneveld/quarantine/{op_id}")
    with app.app_context():
        assert len(inspections.inspection(record_id).doc["lists"]["notes"]) == 1


def test_bytes_sent_in_the_last_resort_are_listed(app, tablet_a, desk, reviewer_1):
    with app.app_context(), transaction() as session:
        session.add(
            sync.RawItem(
                id=new_id(datetime.now(UTC)),
                device_id=tablet_a.device_id,
                village="barneveld",
                sha256="1" * 64,
                body=b"\xff\xfenot an op",
                headers={},
                received_at=datetime.now(UTC),
            )
        )
    page = desk(reviewer_1).get("/barneveld/quarantine").text
    assert "Bytes that a tablet could send in no other way" in page
    assert "not an op" in page


@pytest.fixture
def last_resort(app, tablet_a):
    """The address of an op that a tablet could get accepted in no other way, and its bytes."""
    tablet_a.note(new_id(datetime.now(UTC)), "<b>unlucky</b>")
    envelope = tablet_a.queue.pop()
    sent = json.dumps(envelope).encode()
    place = {"X-Op-Seq": "1", "X-Op-Hash": sha256(envelope["body"])}
    tablet_a.client.post("/api/v1/ops/raw", data=sent, headers={**tablet_a.as_device(), **place})
    with app.app_context():
        return f"/barneveld/quarantine/raw/{db.session.query(sync.RawItem).one().id}", sent


def test_it_is_shown_who_sent_it_and_saved_as_it_came(last_resort, desk, reviewer_1):
    address, sent = last_resort
    browser = desk(reviewer_1)
    page = browser.get("/barneveld/quarantine").text
    for words in (
        "Tablet A, in the place of entry 1",
        "Inspector A",
        "&lt;b&gt;unlucky&lt;/b&gt;",
        address,
    ):
        assert words in page
    saved = browser.get(address)
    assert (saved.data, saved.mimetype) == (sent, "application/octet-stream")
    assert saved.headers["Content-Disposition"].startswith("attachment")


def test_what_became_of_it_is_noted_and_then_it_is_dealt_with(app, last_resort, desk, reviewer_1):
    address, _sent = last_resort
    browser = desk(reviewer_1)
    browser.post(address, text="x")
    assert "Nothing was noted." in browser.get("/barneveld/quarantine").text
    browser.post(address, text="Entered by hand in  T-0044.")
    page = browser.get("/barneveld/quarantine").text
    assert "Reviewer 1, " in page
    assert "Entered by hand in T-0044." in page
    assert "Nothing is set aside" in page
    with app.app_context():
        assert [row.status for row in db.session.query(sync.OpLog).filter_by(kind="raw.note")] == ["applied"]


def test_only_the_office_of_the_village_reads_and_notes_it(last_resort, desk, inspector_a, reader, outsider):
    address, _sent = last_resort
    for member in (inspector_a, reader):
        assert desk(member).get(address).status_code == 403
        assert desk(member).post(address, text="mine").status_code == 403
    foreign = address.replace("barneveld", "howards-grove")
    assert desk(outsider).get(foreign).status_code == 404
    assert desk(outsider).post(foreign, text="mine now").status_code == 404


def test_what_another_tablet_brought_names_both(app, tablet_a, tablet_b, desk, reviewer_1):
    tablet_a.note(new_id(datetime.now(UTC)), "of no record")
    tablet_b.client.post("/api/v1/ops/carried", json={"ops": tablet_a.queue}, headers=tablet_b.as_device())
    page = desk(reviewer_1).get("/barneveld/quarantine").text
    assert "Tablet A, entry 1" in page
    assert "Brought by" in page
    assert "Tablet B" in page


def test_a_step_of_the_office_that_a_tablet_sent_cannot_be_applied_from_here(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(shots=[])
    tablet_a.op("record.approve", record_id)
    op_id = tablet_a.push()[0]["op_id"]
    browser = desk(reviewer_1)
    assert f"/barneveld/quarantine/{op_id}" not in browser.get("/barneveld/quarantine").text
    browser.post(f"/barneveld/quarantine/{op_id}")
    assert "Do in the office what it says." in browser.get("/barneveld/quarantine").text
    with app.app_context():
        assert inspections.inspection(record_id).state == "submitted"


def test_nothing_set_aside_says_so(desk, administrator):
    assert "Nothing is set aside." in desk(administrator).get("/barneveld/quarantine").text


def test_only_the_office_reads_and_applies(app, set_aside, desk, inspector_a, reader, outsider, reviewer_1):
    op_id, record_id = set_aside
    for member in (inspector_a, reader):
        assert desk(member).get("/barneveld/quarantine").status_code == 403
        assert desk(member).post(f"/barneveld/quarantine/{op_id}").status_code == 403
    assert desk(outsider).get("/barneveld/quarantine").status_code == 404
    assert "cover is loose" not in desk(outsider).get("/howards-grove/quarantine").text
    desk(outsider).post(f"/howards-grove/quarantine/{op_id}")
    assert desk().get("/barneveld/quarantine").location.startswith("/sign-in")
    assert desk(reviewer_1).client.post(f"/barneveld/quarantine/{op_id}").status_code == 400
    with app.app_context():
        assert inspections.inspection(record_id) is None


def test_what_is_applied_again_keeps_the_time_at_which_it_was_done(app, tablet_a, desk, reviewer_1):
    record_id = new_id(datetime.now(UTC))
    done_at = datetime(2026, 5, 14, 14, 12, tzinfo=UTC)
    tablet_a.wall = done_at
    tablet_a.op("list.add", record_id, list="notes", row_id="n1", row={"note": "cover is loose"})
    op_id = tablet_a.push()[0]["op_id"]
    tablet_a.wall = datetime.now(UTC)
    create(tablet_a, record_id)
    desk(reviewer_1).post(f"/barneveld/quarantine/{op_id}")
    with app.app_context():
        row = inspections.inspection(record_id).doc["lists"]["notes"][0]
        entry = next(one for one in inspections.history(record_id) if one.what == "list:notes")
    assert row["at"] == entry.wall
    assert timedelta() <= entry.estimated_at - done_at < timedelta(minutes=5)
    assert entry.flags == []
