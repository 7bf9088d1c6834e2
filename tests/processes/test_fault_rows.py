"""Rows of docs/faults.md that no other test proves."""

import json
import re
from datetime import UTC, datetime, timedelta

from inspect_app.services import pictures as served
from inspect_app.store.blobs import BlobStore
from inspect_app.store.photos import Photo
from tests.api import pictures
from tests.api.tablet import sha256
from tests.support.tree import ROOT


def test_one_clash_among_thirty_edits_is_one_conflict_and_29_are_applied(make_tablets):
    mine, other = make_tablets(2)
    pack = mine.reference()["pack"]
    records = [mine.begin(pack=pack) for _ in range(30)]
    for record_id in records:
        mine.set(record_id, "tap_geometry", {"clock": "11:00"})
    mine.push()
    mine.pull()
    other.pull()
    other.set(records[7], "tap_geometry", {"clock": "10:30"})
    other.push()
    for record_id in records:
        mine.set(record_id, "tap_geometry", {"clock": "12:15"})
    statuses = [result["status"] for result in mine.push()]
    assert statuses == ["applied"] * 7 + ["conflict"] + ["applied"] * 22


def test_only_the_edit_that_the_other_had_not_seen_is_the_conflict(make_tablets):
    mine, other = make_tablets(2)
    record_id = mine.begin(pack=mine.reference()["pack"])
    mine.push()
    mine.pull()
    other.pull()
    other.set(record_id, "barricades", {"barricades_count": "2"})
    other.push()
    mine.set(record_id, "tap_geometry", {"clock": "11:00"})
    mine.set(record_id, "barricades", {"barricades_count": "3"})
    assert [result["status"] for result in mine.push()] == ["applied", "conflict"]


def test_other_bytes_under_the_id_of_a_photo_that_is_there_change_nothing_of_it(app, data, make_tablets):
    (tablet,) = make_tablets(1)
    record_id = tablet.begin(pack=tablet.reference()["pack"])
    first, second = pictures.jpeg("red"), pictures.jpeg("blue")
    photo_id = tablet.attach(record_id, first)
    tablet.push()
    tablet.upload(photo_id, first)
    tablet.attach(record_id, second, photo_id=photo_id)
    (result,) = tablet.push()
    assert (result["status"], result["reason"]) == ("quarantined", "photo_id_taken")
    tablet.upload(photo_id, second)
    with app.app_context():
        from inspect_app.store.base import db

        assert db.session.get(Photo, photo_id).sha256 == sha256(first)
        db.session.rollback()
    assert BlobStore(data / "blobs").path(sha256(first)).read_bytes() == first
    assert tablet.photo_state(photo_id) == "stored"


def test_a_hand_over_of_a_tablet_21_hours_fast_is_in_the_chain_as_written_and_flagged(app, make_tablets):
    (tablet,) = make_tablets(1)
    record_id = tablet.begin(protocol="manhole", pack=tablet.reference()["pack"])
    tablet.push()
    tablet.wall = datetime.now(UTC) + timedelta(hours=21)
    event = {"sample_set": "HG-1", "prev": "", "action": "seal", "at_device": tablet.wall.isoformat()}
    tablet.op("custody.append", record_id, event=json.dumps(event))
    assert [result["status"] for result in tablet.push()] == ["applied"]
    (entry,) = tablet.doc(record_id)["custody"]
    assert json.loads(entry["event"])["at_device"] == tablet.wall.isoformat()
    with app.app_context():
        from inspect_app.store import inspections
        from inspect_app.store.base import db

        assert "clock_ahead" in inspections.history(record_id)[-1].flags
        db.session.rollback()


def test_a_tablet_back_in_1970_keeps_its_order_and_is_flagged(app, make_tablets):
    (tablet,) = make_tablets(1)
    record_id = tablet.begin(pack=tablet.reference()["pack"])
    tablet.note(record_id, "before the battery went flat")
    tablet.wall = datetime(1970, 1, 1, tzinfo=UTC)
    tablet.note(record_id, "after it")
    assert [result["status"] for result in tablet.push()] == ["applied"] * 3
    notes = [row["row"]["note"] for row in tablet.doc(record_id)["lists"]["notes"]]
    assert notes == ["before the battery went flat", "after it"]
    with app.app_context():
        from inspect_app.store import inspections
        from inspect_app.store.base import db

        assert "clock_back" in inspections.history(record_id)[-1].flags
        db.session.rollback()


def test_the_tablet_offers_no_kind_of_picture_that_the_server_does_not_show():
    source = (ROOT / "inspect_app" / "static" / "pwa" / "fields" / "photo.js").read_text()
    offered = set(re.search(r'ACCEPT = "([^"]+)"', source)[1].split(","))
    assert offered == {"image/jpeg", "image/png"}
    assert offered <= set(served.FORMATS.values())
