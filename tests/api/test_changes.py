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


def test_the_reference_says_in_spanish_what_forms_and_rules_say(app, tablet_a):
    body = tablet_a.reference()
    said = body["translations"]["es"]
    assert said["Joint upstream"] == "Junta aguas arriba"  # of the forms
    assert said["Slope of the building sewer"] == "Pendiente del drenaje del edificio"  # of the State
    assert said["Tap on the top half"] == "Toma en la mitad superior"  # of the village
    rule = next(one for one in body["packs"][body["pack"]]["rules"] if one["id"] == "BV-TAP-03")
    assert rule["title"] == "Tap on the top half"
    assert "Category B" not in said, "another village's"


def test_the_pack_of_an_open_record_stays_in_the_reference(app, tablet_a):
    record_id = tablet_a.begin()
    tablet_a.push()
    with app.app_context():
        pack = db.session.get(Inspection, record_id).pack_hash
    assert pack in tablet_a.reference()["packs"]


def test_the_earlier_form_of_an_open_record_stays_in_the_reference(app, tablet_a):
    assert tablet_a.reference()["former_protocols"] == []
    tablet_a.begin(version="1")
    tablet_a.push()
    reference = tablet_a.reference()
    assert [form["version"] for form in reference["protocols"] if form["protocol"] == "tap"] == ["2"]
    assert [(form["protocol"], form["version"]) for form in reference["former_protocols"]] == [("tap", "1")]


def put_back(app, to):
    """The server as a copy of the time of this change number had it; nobody gave the log a new name."""
    from sqlalchemy import delete, update

    from inspect_app.store import sync
    from inspect_app.store.base import db
    from inspect_app.store.people import Device
    from inspect_app.store.sync import ChangeClock, ChangeLog, OpLog

    with app.app_context():
        db.session.execute(delete(OpLog).where(OpLog.chg > to))
        db.session.execute(delete(ChangeLog).where(ChangeLog.chg > to))
        db.session.execute(update(ChangeClock).values(v=to, head=sync.head_at(to)))
        for device in db.session.query(Device).all():
            last = db.session.query(OpLog).filter_by(device_id=device.id).order_by(OpLog.seq.desc()).first()
            device.last_seq, device.last_hash = (last.seq, last.body_sha256) if last else (0, "")
        db.session.commit()


def say(tablet, text):
    return tablet.op("device.note", None, text=text, data=None)


@pytest.mark.parametrize("went_on", [False, True])
def test_a_restored_server_that_was_not_told_so_notices_it_at_the_next_pull(
    app, tablet_a, tablet_b, went_on, rows
):
    record_id = tablet_a.begin()
    tablet_a.push()
    say(tablet_a, "lost with the disk")
    kept = tablet_a.queue[0]
    tablet_a.push()
    epoch = tablet_a.pull()["epoch"]
    put_back(app, 1)
    if went_on:  # as far as before, with other changes: the number alone tells nothing
        say(tablet_b, "after the restore")
        tablet_b.push()
    page = tablet_a.pull()
    assert page["epoch"] != epoch
    assert record_id in tablet_a.records
    assert tablet_a.pull()["epoch"] == page["epoch"]
    answer = tablet_a.post_ops([kept])
    assert (answer.status_code, answer.json["epoch"]) == (409, page["epoch"])
    tablet_a.epoch = page["epoch"]
    assert tablet_a.post_ops([kept]).json["results"][0]["status"] == "applied"


def test_a_first_download_witnesses_too(app, tablet_a):
    tablet_a.begin()
    tablet_a.push()
    say(tablet_a, "lost with the disk")
    tablet_a.push()
    first = tablet_a.client.get("/api/v1/snapshot", headers=tablet_a.as_person()).json
    tablet_a.cursor = first["as_of"]
    put_back(app, 1)
    assert tablet_a.pull()["epoch"] != first["epoch"]


def test_nobody_can_make_up_a_cursor_that_renames_the_log(app, tablet_a):
    import json
    from base64 import urlsafe_b64decode, urlsafe_b64encode

    say(tablet_a, "x")
    tablet_a.push()
    epoch = tablet_a.pull()["epoch"]
    text = tablet_a.cursor
    says = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    for change in ({1: 99}, {3: 99}, {4: "0" * 16}, {1: 99, 3: 99, 5: "A" * 22}):
        other = [change.get(place, value) for place, value in enumerate(says)]
        made_up = urlsafe_b64encode(json.dumps(other).encode()).decode().rstrip("=")
        answer = tablet_a.client.get(f"/api/v1/changes?cursor={made_up}", headers=tablet_a.as_person())
        assert answer.status_code == (410 if 1 in change else 200), change
    assert tablet_a.pull()["epoch"] == epoch


def test_a_cursor_of_the_first_release_is_still_read(tablet_a):
    import json
    from base64 import urlsafe_b64decode, urlsafe_b64encode

    say(tablet_a, "x")
    tablet_a.push()
    tablet_a.pull()
    says = json.loads(urlsafe_b64decode(tablet_a.cursor + "=" * (-len(tablet_a.cursor) % 4)))
    tablet_a.cursor = urlsafe_b64encode(json.dumps(says[:3]).encode()).decode().rstrip("=")
    assert tablet_a.pull()["changes"] == []
