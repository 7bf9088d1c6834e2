"""Eight writers and a reader at once: the reader's cursor passes no change that comes to light later."""

import threading
from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import OperationalError

from inspect_app.services import ops
from inspect_app.store import sync
from inspect_app.store.base import db

WRITERS = 8
EACH = 150


@pytest.mark.slow
def test_a_polling_reader_skips_no_row_of_1200_transactions(app, make_tablets):
    tablets = make_tablets(WRITERS)
    pack = tablets[0].reference()["pack"]
    for tablet in tablets:
        for _ in range(EACH // 5):
            record_id = tablet.begin(pack=pack)
            for number in range(4):
                tablet.note(record_id, f"note {number}")
    problems, seen, polls = [], [], 0
    done = threading.Event()

    def write(tablet):
        try:
            with app.app_context():
                queue = list(tablet.queue)
                while queue:
                    try:
                        result = ops.apply_from(tablet.device_id, queue[0], datetime.now(UTC))
                    except OperationalError:  # SQLite makes nobody wait in a line: its turn did not come
                        continue
                    assert result["status"] == "applied"
                    del queue[0]
                db.session.remove()
        except BaseException as problem:
            problems.append(problem)

    writers = [threading.Thread(target=write, args=(tablet,)) for tablet in tablets]

    def read():
        nonlocal polls
        with app.app_context():
            while True:
                last = done.is_set()
                db.session.rollback()
                upto, _ = sync.clock()
                rows = sync.changes_after("barneveld", seen[-1] if seen else 0, upto, 1000)
                seen.extend(row.chg for row in rows)
                polls += 1
                if last:
                    return db.session.remove()

    reader = threading.Thread(target=read)
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert problems == []
    assert seen == list(range(1, WRITERS * EACH + 1))
    assert polls > 20
