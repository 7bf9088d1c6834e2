"""The change counter: gapless, in the order in which changes become visible, with writers side by side."""

import random
import threading
import time
from datetime import UTC, datetime

from sqlalchemy import select

from inspect_app.store import sync
from inspect_app.store.base import db, transaction
from inspect_app.store.sync import ChangeLog
from tests.support.databases import close

WRITERS, EACH = 8, 150  # 1,200 transactions
PAGE = 40


def test_a_polling_reader_misses_none_of_1200_transactions_of_8_writers(app):
    done = threading.Event()
    seen, missed = [], []

    def write(name):
        work_ms = random.Random(name)  # each transaction takes its own time, so that many overlap
        with app.app_context():
            for number in range(EACH):
                try:
                    with transaction():
                        db.session.execute(select(1))
                        time.sleep(work_ms.uniform(0, 0.004))
                        sync.tick("assignment", f"{name}-{number}", "barneveld")
                        if number % 5 == 4:
                            raise RuntimeError("rolled back")
                except RuntimeError:
                    pass
            db.session.remove()

    def read():
        cursor = 0
        with app.app_context():
            while True:
                last_round = done.is_set()
                db.session.rollback()
                for row in sync.changes_after("barneveld", cursor, sync.clock()[0], PAGE):
                    if row.chg != cursor + 1:
                        missed.append((cursor, row.chg))
                    cursor = row.chg
                    seen.append(cursor)
                if last_round and cursor == sync.clock()[0]:
                    break
            db.session.remove()

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(WRITERS)]
    reader.start()
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    done.set()
    reader.join()
    kept = WRITERS * (EACH - EACH // 5)
    assert missed == []
    assert seen == list(range(1, kept + 1))
    with app.app_context():
        assert len(db.session.scalars(select(ChangeLog)).all()) == kept
        assert sync.clock()[0] == kept
    close(app)


def test_numbers_of_two_villages_and_prefixes_do_not_mix(app_context):
    with transaction():
        given = [
            sync.next_number(village, prefix)
            for village, prefix in (
                ("barneveld", "L"),
                ("barneveld", "L"),
                ("barneveld", "T"),
                ("other", "L"),
            )
        ]
    assert given == [1, 2, 1, 1]


def test_the_epoch_is_kept_unless_it_is_changed_on_purpose(app_context):
    with transaction():
        sync.set_epoch("e-1", keep=True)
        sync.set_epoch("e-2", keep=True)
    assert sync.epoch() == "e-1"
    with transaction():
        sync.set_epoch("e-3", keep=False)
    assert sync.epoch() == "e-3"


def test_instants_come_back_with_their_zone(app_context):
    moment = datetime(2026, 5, 14, 10, 20, 30, 123456, tzinfo=UTC)
    with transaction():
        sync.insert_if_new(
            sync.OpAlias, device_id=_device(moment), seq=1, op_id="o-1", body="{}", sig="", received_at=moment
        )
    kept = db.session.get(sync.OpAlias, ("d-1", 1))
    assert kept.received_at == moment
    assert kept.received_at.tzinfo is not None


def _device(now):
    from inspect_app.store.people import Device

    db.session.add(Device(id="d-1", village="barneveld", name="x", kid="k", public_key={}, enrolled_at=now))
    db.session.flush()
    return "d-1"
