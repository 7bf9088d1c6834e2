"""The same and different things sent at the same moment, by threads on one database."""

import json
import threading
import time
from datetime import UTC, datetime

from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError

from inspect_app.services import ops
from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection
from inspect_app.store.people import Device
from inspect_app.store.sync import ChangeLog, OpLog

CREATE = (
    "village",
    "protocol",
    "protocol_version",
    "pack",
    "assignment_id",
    "parent_record",
    "place",
    "permit_no",
)


def together(app, *works):
    """Run all at once; gives their results, in order, and raises what any of them raised."""
    results, errors = [None] * len(works), []
    ready = threading.Barrier(len(works))

    def run(place, work):
        ready.wait()
        try:
            with app.app_context():
                results[place] = work()
                db.session.remove()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    return results


def sender(tablet, envelope):
    return lambda: ops.apply_op(db.session.get(Device, tablet.device_id), envelope, datetime.now(UTC))


def test_five_copies_of_one_op_at_once_are_one_row_with_one_answer(app, tablet_a, rows):
    tablet_a.begin()
    results = together(app, *[sender(tablet_a, tablet_a.queue[0])] * 5)
    assert [result["status"] for result in results] == ["applied"] * 5
    assert len({str(result) for result in results}) == 1
    assert len(rows(OpLog)) == len(rows(Inspection)) == 1


def test_tablets_side_by_side_get_gapless_numbers_and_no_number_twice(
    app, tablet_a, tablet_b, tablet_of, inspector_a
):
    tablets = [tablet_a, tablet_b, tablet_of(inspector_a), tablet_of(inspector_a)]
    for tablet in tablets:
        for _ in range(4):
            tablet.begin()

    def all_of(tablet):
        return lambda: [sender(tablet, envelope)() for envelope in tablet.queue]

    results = together(app, *map(all_of, tablets))
    assert {result["status"] for each in results for result in each} == {"applied"}
    numbers = sorted(result["number"] for each in results for result in each)
    assert numbers == [f"T-{n:04d}" for n in range(1, 17)]
    with app.app_context():
        chgs = db.session.scalars(select(ChangeLog.chg).order_by(ChangeLog.chg)).all()
    assert chgs == list(range(1, 17))


def test_two_first_edits_of_one_group_at_once_are_one_value_and_one_candidate(app, tablet_a, tablet_b, rows):
    record_id = tablet_a.begin()
    tablet_a.push()
    tablet_b.pull()
    tablet_a.set(record_id, "tap_geometry", {"clock": "11:00"})
    tablet_b.set(record_id, "tap_geometry", {"clock": "10:30"})
    results = together(app, sender(tablet_a, tablet_a.queue[0]), sender(tablet_b, tablet_b.queue[0]))
    assert sorted(result["status"] for result in results) == ["applied", "conflict"]
    assert rows(Inspection)[0]["rev"] == 3


def test_office_steps_at_once_are_numbered_one_after_the_other(app, tablet_a, reviewer_1, rows):
    from inspect_app.store.people import person

    ids = [tablet_a.begin() for _ in range(4)]
    tablet_a.push()

    def void(record_id):
        content = {"kind": "record.void", "record_id": record_id, "reason": "made by mistake"}
        return lambda: ops.office_op("barneveld", person(reviewer_1.id), content, datetime.now(UTC))

    together(app, *map(void, ids))
    device = rows(Device, is_server=True)
    assert len(device) == 1
    assert sorted(row["seq"] for row in rows(OpLog, device_id=device[0]["id"])) == [1, 2, 3, 4]


def test_a_withdrawn_assignment_stays_withdrawn_when_it_is_begun_at_once(app, tablet_a, rows, monkeypatch):
    from inspect_app.services import places, records
    from inspect_app.store.places import Assignment

    with app.app_context():
        visit = places.Visit("tap", "Lot 14", None, None)
        assignment_id = places.assign("barneveld", visit, None, datetime.now(UTC)).id
    tablet_a.begin(assignment_id=assignment_id)
    wait_after(monkeypatch, records, "note")

    def cancel():
        time.sleep(0.15)  # the record is begun, and not yet committed
        return places.cancel("barneveld", assignment_id, None).state

    together(app, sender(tablet_a, tablet_a.queue[0]), cancel)
    assert rows(Assignment)[0]["state"] == "cancelled"


def test_the_same_raw_bytes_at_once_are_kept_once(app, tablet_a, rows):
    from inspect_app.services import sync
    from inspect_app.store.sync import RawItem

    def keep():
        return sync.keep_raw(db.session.get(Device, tablet_a.device_id), b"bytes", {}, datetime.now(UTC))

    together(app, *[keep] * 5)
    assert len(rows(RawItem)) == 1


def test_an_upload_made_twice_at_once_is_one(app, tablet_a, rows):
    from inspect_app.services import uploads
    from inspect_app.store.photos import Upload

    def begin():
        return uploads.begin(tablet_a.device_id, "p-1", "original", "0" * 64, 10, datetime.now(UTC)).id

    assert len(set(together(app, *[begin] * 5))) == 1
    assert len(rows(Upload)) == 1


def wait_after(monkeypatch, module, name):
    """Hold every caller of a function for a moment, so that two that may overlap do."""
    plain = getattr(module, name)

    def slow(*args, **kwargs):
        result = plain(*args, **kwargs)
        time.sleep(0.3)
        return result

    monkeypatch.setattr(module, name, slow)


def test_an_op_that_finds_the_database_busy_is_sent_again_and_not_set_aside(app, tablet_a, rows):
    tablet_a.begin()
    with app.app_context():
        engine = db.engine
    faults = ["deadlock detected"]

    def busy_once(_connection, _cursor, statement, *_rest):
        if faults and statement.startswith("INSERT INTO inspection "):
            raise OperationalError(statement, None, Exception(faults.pop()))

    event.listen(engine, "before_cursor_execute", busy_once)
    answer = tablet_a.post_ops(tablet_a.queue)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert answer.json["type"] == "/problems/busy"
    assert rows(OpLog) == []
    assert tablet_a.post_ops(tablet_a.queue).json["results"][0]["status"] == "applied"
    event.remove(engine, "before_cursor_execute", busy_once)


def test_one_op_of_two_devices_at_once_is_one_row_and_two_answers(
    app, tablet_a, tablet_of, inspector_a, rows, monkeypatch
):
    from inspect_app.services import op_log
    from inspect_app.store.sync import OpAlias

    other = tablet_of(inspector_a)
    tablet_a.begin()
    content = json.loads(tablet_a.queue[0]["body"])
    other.add(other.seal(content["content"], op_id=content["op_id"]))
    wait_after(monkeypatch, op_log, "known")  # both have looked, and neither has written
    results = together(app, sender(tablet_a, tablet_a.queue[0]), sender(other, other.queue[0]))
    assert [result["status"] for result in results] == ["applied", "applied"]
    assert results[0] == results[1]
    assert (len(rows(OpLog)), len(rows(OpAlias)), len(rows(Inspection))) == (1, 1, 1)


def test_one_record_of_two_ops_at_once_is_made_once_and_the_other_is_kept(
    app, tablet_a, tablet_b, rows, monkeypatch
):
    from inspect_app.services import op_log

    record_id = tablet_a.begin()
    made = json.loads(json.loads(tablet_a.queue[0]["body"])["content"])
    tablet_b.op(**{name: made[name] for name in ("kind", "record_id", *CREATE)})
    wait_after(monkeypatch, op_log, "known")
    results = together(app, sender(tablet_a, tablet_a.queue[0]), sender(tablet_b, tablet_b.queue[0]))
    assert sorted((result["status"], result.get("reason")) for result in results) == [
        ("applied", None),
        ("quarantined", "record_exists"),
    ]
    assert [row["id"] for row in rows(Inspection)] == [record_id]
