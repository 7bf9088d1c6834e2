"""Pulling: every change is delivered, in pages of any size, to those whose business it is."""

from datetime import UTC, datetime

import pytest

from inspect_app.services import people, places
from inspect_app.store.base import db, transaction
from inspect_app.store.inspections import Inspection

GEOMETRY = {"clock": "11:00", "basis": "edge"}


@pytest.mark.parametrize("limit", [1, 2, 500])
def test_pages_of_any_size_give_the_same_records(tablet_a, tablet_b, limit):
    ids = [tablet_a.begin() for _ in range(3)]
    for record_id in ids:
        tablet_a.set(record_id, "tap_geometry", GEOMETRY)
        tablet_a.note(record_id, "a note")
    tablet_a.push()
    tablet_b.pull(limit)
    assert sorted(tablet_b.records) == sorted(ids)
    assert {change["rev"] for change in tablet_b.records.values()} == {3}
    tablet_a.set(
        ids[0],
        "tap_geometry",
        GEOMETRY | {"clock": "1:00"},
        replaces=tablet_a.current[ids[0], "tap_geometry"],
    )
    tablet_a.push()
    page = tablet_b.pull(limit)
    assert tablet_b.records[ids[0]]["rev"] == 4
    assert page["more"] is False
    assert page["checkpoint"]["chg"] >= tablet_b.records[ids[0]]["chg"]


def test_a_cursor_at_the_end_brings_nothing_and_stays(tablet_a):
    tablet_a.begin()
    tablet_a.sync()
    before = tablet_a.cursor
    assert tablet_a.pull()["changes"] == []
    assert tablet_a.cursor == before


def test_a_first_download_by_pages_equals_the_feed(tablet_a, tablet_b):
    ids = sorted(tablet_a.begin() for _ in range(3))
    tablet_a.push()
    page = tablet_b.client.get("/api/v1/snapshot", headers=tablet_b.as_person()).json
    assert sorted(change["id"] for change in page["changes"]) == ids
    assert page["next"] is None
    tablet_b.cursor = page["as_of"]
    assert tablet_b.pull()["changes"] == []


def test_an_approved_record_of_a_colleague_leaves_the_tablet(app, tablet_a, tablet_b, reviewer_1, office):
    record_id = tablet_a.begin()
    tablet_a.push()
    tablet_b.pull()
    assert record_id in tablet_b.records
    office(reviewer_1, "record.void", record_id, reason="made by mistake")
    tablet_b.pull()
    tablet_a.pull()
    assert record_id not in tablet_b.records
    assert tablet_a.records[record_id]["doc"]["state"] == "void"


def test_an_assignment_brings_the_record_it_is_about(
    app, tablet_a, tablet_b, inspector_b, reviewer_1, office
):
    record_id = tablet_a.begin()
    tablet_a.push()
    office(reviewer_1, "record.void", record_id, reason="made by mistake")
    tablet_b.pull()
    assert record_id not in tablet_b.records
    with app.app_context():
        places.assign(
            "barneveld",
            places.Visit("tap", "Example Court", inspector_b.id, None, parent_record=record_id),
            None,
            datetime.now(UTC),
        )
    tablet_b.pull()
    assert record_id in tablet_b.records
    tablet_a.pull()
    assert tablet_a.assignments == {}


def test_a_changed_role_starts_the_tablets_copy_anew(app, tablet_a, inspector_a):
    tablet_a.begin()
    tablet_a.sync()
    with app.app_context():
        people.set_roles("barneveld", inspector_a.id, ["inspector", "reviewer"])
    answer = tablet_a.client.get(
        "/api/v1/changes", query_string={"cursor": tablet_a.cursor}, headers=tablet_a.as_person()
    )
    assert answer.json["resync"] == ["barneveld"]
    tablet_a.pull()
    assert len(tablet_a.records) == 1


def test_a_rolled_back_change_gives_its_number_back(app, tablet_a):
    from inspect_app.services.ops import bump_change

    tablet_a.begin()
    tablet_a.push()
    with app.app_context(), pytest.raises(RuntimeError), transaction() as session:
        bump_change(session, "assignment", "a-1", "barneveld")
        raise RuntimeError("the rest failed")
    tablet_a.begin()
    assert tablet_a.push()[0]["chg"] == 2


def test_the_reference_holds_what_a_tablet_needs_and_is_not_sent_twice(app, tablet_a):
    answer = tablet_a.client.get("/api/v1/reference", headers=tablet_a.as_person())
    body = answer.json
    assert answer.headers["Cache-Control"] == "no-cache"
    assert {form["protocol"] for form in body["protocols"]} == {"lateral", "tap", "downspout", "manhole"}
    assert body["pack"] in body["packs"]
    assert body["packs"][body["pack"]]["village"] == body["village"]["slug"] == "barneveld"
    assert body["person"] == tablet_a.person
    again = tablet_a.client.get(
        "/api/v1/reference", headers={**tablet_a.as_person(), "If-None-Match": answer.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == answer.headers["ETag"]


def test_the_pack_of_an_open_record_stays_in_the_reference(app, tablet_a):
    record_id = tablet_a.begin()
    tablet_a.push()
    with app.app_context():
        pack = db.session.get(Inspection, record_id).pack_hash
    assert pack in tablet_a.reference()["packs"]
