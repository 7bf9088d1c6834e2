"""Three gunicorn workers killed with SIGKILL at random, tablets at work over a bad line: nothing is lost.

One run each time; KILL_RUNS=10 with --database both makes twenty.
"""

import os
import sqlite3
import sys
import time
from random import Random

import pytest

from tests.processes.account import settle
from tests.processes.crew import BAD, Crew
from tests.support.chaos import ChaosProxy
from tests.support.databases import close

RUNS = int(os.environ.get("KILL_RUNS", "1"))
KILLS = 6
TABLETS = 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, RUNS + 1))
def test_workers_killed_at_random_lose_nothing_and_double_nothing(app, data, workers, make_tablets, seed):
    random = Random(seed)
    with ChaosProxy(workers.port, BAD, seed) as proxy:
        crew = Crew(make_tablets(TABLETS), proxy, seed)
        close(app)  # a database that is still open somewhere would not have to recover
        workers.start()
        crew.set_out()
        try:
            for number in range(KILLS):
                crew.wait_for(crew.told() + 8)
                time.sleep(random.uniform(0, 0.3))
                if number % 3 < 2:
                    workers.kill_worker(random)
                else:
                    workers.kill()
                    workers.start()
        finally:
            crew.over.set()
        crew.come_home()
        workers.kill()
    tell(seed, crew)
    settle(app, data, crew.hands)
    if app.config["SQLALCHEMY_DATABASE_URI"].startswith("sqlite"):
        whole = sqlite3.connect(data / "inspect.sqlite3")
        assert whole.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        whole.close()


def tell(seed, crew):
    """What was counted, for a reader of the soak's output (pytest -s)."""
    ops = sum(len(hand.made) for hand in crew.hands)
    photos = sum(len(hand.photos) for hand in crew.hands)
    faults = dict(sorted(crew.proxy.counts.items()))
    sys.stdout.write(
        f"seed {seed}: {KILLS} kills, {ops} ops, {photos} photos, {crew.broken} broken runs, {faults}\n"
    )
    assert photos
