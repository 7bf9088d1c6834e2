"""Rows of docs/faults.md that no other test proves."""

from inspect_app.store.blobs import BlobStore
from inspect_app.store.photos import Photo
from tests.api import pictures
from tests.api.tablet import sha256


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
