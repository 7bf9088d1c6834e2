"""Bad input of every kind, as docs/sync.md says: kept or refused with its reason, and the queue behind moves.

A page with status 200 in the place of an answer is the tablet's to tell: tests/pwa/sync/push.test.js.
"""

import errno
import json
from dataclasses import replace

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection
from inspect_app.store.photos import Photo, Upload
from inspect_app.store.sync import OpLog, RawItem
from tests.api.tablet import sha256

MB = 1_000_000


@pytest.fixture
def record_id(tablet_a):
    record_id = tablet_a.begin()
    tablet_a.push()
    return record_id


def notes(rows):
    return [row["row"]["note"] for row in rows(Inspection)[0]["doc"]["lists"].get("notes", [])]


def test_ops_out_of_sequence_wait_and_are_taken_once_in_the_order_they_were_made(tablet_a, record_id, rows):
    for text in ("one", "two", "three"):
        tablet_a.note(record_id, text)
    one, two, three = tablet_a.queue
    answer = tablet_a.post_ops([three, one, two]).json
    assert [(result["status"], result.get("expect")) for result in answer["results"]] == [("gap", 2)]
    assert answer["accepted_through"] == 1
    assert [result["status"] for result in tablet_a.post_ops([one, three]).json["results"]] == [
        "applied",
        "gap",
    ]
    assert [result["status"] for result in tablet_a.push()] == ["applied"] * 3
    assert notes(rows) == ["one", "two", "three"]


def test_the_same_number_with_another_content_takes_no_place_and_the_next_goes_on(tablet_a, record_id, rows):
    tablet_a.note(record_id, "sent")
    tablet_a.push()
    content = tablet_a.content("device.note", None, text="rolled back", data=None)
    other = tablet_a.seal(content, seq=2, prev=sha256("elsewhere"))
    assert [result["status"] for result in tablet_a.post_ops([other]).json["results"]] == ["fork"]
    tablet_a.note(record_id, "behind it")
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
    assert notes(rows) == ["sent", "behind it"]


def test_a_broken_hash_chain_takes_no_place_and_the_next_goes_on(tablet_a, record_id, rows):
    content = tablet_a.content("device.note", None, text="of another chain", data=None)
    broken = tablet_a.seal(content, prev="0" * 64)
    assert [result["status"] for result in tablet_a.post_ops([broken]).json["results"]] == ["fork"]
    tablet_a.note(record_id, "behind it")
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
    assert len(rows(OpLog)) == 2


def with_wrong_signature(tablet, record_id):
    tablet.note(record_id, "forged")
    tablet.queue[-1] = {**tablet.queue[-1], "sig": tablet.sign("something else")}


def with_no_signature(tablet, record_id):
    tablet.note(record_id, "unsigned")
    tablet.queue[-1] = {**tablet.queue[-1], "sig": ""}


def with_another_key(tablet, record_id):
    tablet.note(record_id, "of nobody")
    tablet.queue[-1] = {**tablet.queue[-1], "kid": "no such key"}


def with_unknown_kind(tablet, record_id):
    tablet.op("record.teleport", record_id, to="the moon")


def with_newer_schema(tablet, record_id):
    content = tablet.content("list.add", record_id, list="notes", row_id="n", row={"note": "x"})
    tablet.add(tablet.seal(content | {"schema": 7}))


def with_unreadable_payload(tablet, _record_id):
    tablet.add(tablet.seal("\u0007 not json {"))


def with_payload_of_nothing(tablet, _record_id):
    tablet.add(tablet.seal("null"))


def with_unknown_record(tablet, _record_id):
    tablet.note("01a00000-0000-7000-8000-000000000000", "of nothing")


SET_ASIDE = {
    with_wrong_signature: "signature_wrong",
    with_no_signature: "signature_wrong",
    with_another_key: "signature_wrong",
    with_unknown_kind: "kind_unknown",
    with_newer_schema: "schema_unknown",
    with_unreadable_payload: "content_unreadable",
    with_payload_of_nothing: "content_unreadable",
    with_unknown_record: "record_unknown",
}


@pytest.mark.parametrize("bad", SET_ASIDE, ids=lambda bad: bad.__name__.removeprefix("with_"))
def test_it_is_set_aside_word_for_word_and_the_queue_behind_it_moves(tablet_a, record_id, rows, bad):
    bad(tablet_a, record_id)
    sent = tablet_a.queue[-1]
    tablet_a.note(record_id, "behind it")
    results = tablet_a.push()
    assert [(result["status"], result.get("reason")) for result in results] == [
        ("quarantined", SET_ASIDE[bad]),
        ("applied", None),
    ]
    assert tablet_a.queue == []
    kept = rows(OpLog, status="quarantined")[0]
    assert {"body": kept["body"], "sig": kept["sig"], "kid": kept["kid"]} == sent
    assert notes(rows) == ["behind it"]


def test_a_body_that_nobody_can_read_goes_the_last_way_and_the_queue_behind_it_moves(
    tablet_a, record_id, rows
):
    tablet_a.note(record_id, "will be broken")
    broken = {**tablet_a.queue.pop(), "body": "{broken"}
    tablet_a.head = sha256(broken["body"])
    tablet_a.note(record_id, "behind it")
    answer = tablet_a.post_ops([broken, *tablet_a.queue])
    assert (answer.status_code, list(answer.json["errors"])) == (400, ["ops.0.body"])
    place = {"X-Op-Seq": "2", "X-Op-Hash": sha256(broken["body"])}
    headers = {**tablet_a.as_device(), **place}
    assert (
        tablet_a.client.post("/api/v1/ops/raw", data=json.dumps(broken), headers=headers).status_code == 200
    )
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
    assert (notes(rows), len(rows(RawItem))) == (["behind it"], 1)


def test_a_batch_of_ten_thousand_is_refused_whole_and_passes_in_parts(tablet_a, record_id, rows):
    for number in range(150):
        tablet_a.note(record_id, f"note {number}")
    many = (tablet_a.queue * 67)[:10_000]
    assert tablet_a.post_ops(many).status_code == 413
    small = {"body": "{}", "sig": "", "kid": ""}
    assert tablet_a.post_ops([small] * 10_000).status_code in (413, 422)
    assert len(rows(OpLog)) == 1
    size = 10_000
    while tablet_a.queue:  # as a tablet does: halve what is refused
        answer = tablet_a.post_ops(tablet_a.queue[:size])
        if answer.status_code in (413, 422):
            size //= 2
            continue
        assert {result["status"] for result in answer.json["results"]} == {"applied"}
        del tablet_a.queue[:size]
    assert notes(rows) == [f"note {number}" for number in range(150)]


def test_a_photo_of_300_mb_is_refused_before_a_byte_of_it_and_the_next_is_stored(tablet_a, record_id, rows):
    huge, photo = "f" * 64, b"\xff\xd8 a photo of common size"
    tablet_a.op(
        "photo.attach",
        record_id,
        photo_id="p-300",
        sha256=huge,
        bytes=300 * MB,
        mime="image/jpeg",
        row={"shows": "overview"},
    )
    photo_id = tablet_a.attach(record_id, photo)
    assert [result["status"] for result in tablet_a.push()] == ["applied", "applied"]
    refused = tablet_a.create_upload("p-300", b"", digest=huge, length=300 * MB)
    assert (refused.status_code, refused.json["type"]) == (413, "/problems/too-large")
    assert str(300 * MB) in refused.json["detail"]
    tablet_a.upload(photo_id, photo)
    assert [tablet_a.photo_state(one) for one in ("p-300", photo_id)] == ["missing", "stored"]
    assert len(rows(Photo)) == 2  # the record says that a photo is missing: the office sees it
    assert len(rows(Upload)) == 1


def test_a_photo_that_grows_beyond_what_it_said_is_cut_off_at_its_end(app, tablet_a, record_id):
    app.config["SETTINGS"] = replace(app.config["SETTINGS"], upload_limit_bytes=1000)
    url = tablet_a.create_upload("p-1", b"0" * 900).headers["Location"]
    assert tablet_a.patch(url, 0, b"0" * 500).status_code == 204
    assert tablet_a.patch(url, 500, b"0" * 501).status_code == 422
    assert tablet_a.create_upload("p-2", b"0" * 1001).status_code == 413
    assert tablet_a.stands_at(url) == 500


def test_a_full_disk_is_told_as_such_and_everything_is_taken_once_there_is_room(
    tablet_a, record_id, rows, monkeypatch
):
    from inspect_app.services import uploads

    def no_room(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    photo = b"\xff\xd8 a photo"
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    url = tablet_a.create_upload(photo_id, photo).headers["Location"]
    with monkeypatch.context() as patched:
        patched.setattr(uploads, "write_durably", no_room)
        answer = tablet_a.patch(url, 0, photo)
        assert (answer.status_code, answer.json["type"]) == (507, "/problems/server-full")
        assert answer.headers["X-Sync"] == "1"
        assert int(answer.headers["Retry-After"]) > 0
    assert tablet_a.stands_at(url) == 0
    tablet_a.upload(photo_id, photo)
    assert tablet_a.photo_state(photo_id) == "stored"


@pytest.mark.parametrize(
    "words", ["database or disk is full", "could not extend file: No space left on device"]
)
def test_a_database_without_room_keeps_nothing_and_takes_it_later(app, tablet_a, record_id, rows, words):
    with app.app_context():
        engine = db.engine

    def no_room(_connection, _cursor, statement, *_rest):
        if statement.startswith("INSERT INTO op_log "):
            raise OperationalError(statement, None, Exception(words))

    tablet_a.note(record_id, "kept later")
    event.listen(engine, "before_cursor_execute", no_room)
    answer = tablet_a.post_ops(tablet_a.queue)
    event.remove(engine, "before_cursor_execute", no_room)
    assert (answer.status_code, answer.json["type"]) == (507, "/problems/server-full")
    assert notes(rows) == []
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
    assert notes(rows) == ["kept later"]
