"""What the server takes in a second, and what a large pull costs it.

One process on SQLite applies ops against a bare loop of the same inserts and commits: budget, half as many.
On PostgreSQL three gunicorn workers take pushes of 100 ops of 50 tablets at once; told. A pull of 10,000
records is told, with how much the server grew by it: budget 40 MB, or its memory is not flat.
"""

import sqlite3
import statistics
import tempfile
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import insert, select, update

from bench.report import Figure, alone
from inspect_app.domain.ids import new_id
from inspect_app.services import devices, ops
from inspect_app.store.base import transaction
from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import ChangeClock, ChangeLog
from tests.api.tablet import Tablet
from tests.api.wire import WireClient
from tests.processes.workers import Workers
from tests.support.cast import hire
from tests.support.databases import PostgresDatabases, SqliteDatabases, close, make_app
from tests.support.postgres import DURABLE, NoPostgres, start_postgres
from tests.support.server import LiveServer

OPS = 1000
RECORDS = 10_000
TABLETS, BATCH = 50, 100
FLAT_MB = 40


@contextmanager
def application(databases_of, folder: Path):
    """The application on a fresh database, and `enrol(number)` for tablets of one inspector."""
    template, data = folder / "template", folder / "data"
    template.mkdir()
    data.mkdir()
    url = databases_of(template).fresh(data)
    app = make_app(data, url)
    with app.app_context():
        member = hire("inspector_a")

    def enrol(number):
        made = []
        for n in range(number):
            with app.app_context():
                code = devices.make_code(member.village, member.id, None, datetime.now(UTC))
            made.append(Tablet(app, code, f"Tablet {n}"))
        return made

    try:
        yield app, data, url, enrol
    finally:
        close(app)


def journal(tablet, number, pack, of_a_record=10):
    """Fill a tablet's queue: records with notes and a group."""
    while len(tablet.queue) < number:
        record_id = tablet.begin(pack=pack)
        tablet.set(record_id, "tap_geometry", {"clock": "11:00"})
        for n in range(of_a_record - 2):
            tablet.note(record_id, f"note {n}: the joint is dry")
    del tablet.queue[number:]


def applied_a_second(app, tablet) -> tuple[float, float]:
    """Ops a second, and the milliseconds of processor that one of them took."""
    with app.app_context():
        began, processor = time.perf_counter(), time.process_time()
        for envelope in tablet.queue:
            result = ops.apply_from(tablet.device_id, envelope, datetime.now(UTC))
            assert result["status"] == "applied", result
        spent = (time.process_time() - processor) * 1000 / len(tablet.queue)
        return len(tablet.queue) / (time.perf_counter() - began), spent


def bare_a_second(source: Path, folder: Path) -> float:
    """The rows that the ops left, written again by nothing but SQLite: one commit for those of each op."""
    reader = sqlite3.connect(source)
    tables = ("op_log", "change_log", "inspection_history")
    rows: dict[str, list] = {}
    names = {}
    for table in tables:
        found = reader.execute(f"SELECT * FROM {table}")
        names[table] = [column[0] for column in found.description]
        at = names[table].index("op_id")
        for row in found:
            rows.setdefault(row[at], []).append((table, row))
    docs = dict(reader.execute("SELECT id, doc FROM inspection"))
    reader.close()
    bare = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        bare.execute(f"PRAGMA {pragma}")
    for table in tables:
        bare.execute(f"CREATE TABLE {table} ({', '.join(names[table])}, PRIMARY KEY ({names[table][0]}))")
    bare.execute("CREATE TABLE inspection (id PRIMARY KEY, doc)")
    bare.execute("CREATE TABLE counters (k PRIMARY KEY, v)")
    bare.executemany("INSERT INTO counters VALUES (?, 0)", [("clock",), ("device",)])
    bare.executemany("INSERT INTO inspection VALUES (?, '')", [(key,) for key in docs])
    of_op = names["op_log"].index("record_id")
    began = time.perf_counter()
    for group in rows.values():
        bare.execute("BEGIN IMMEDIATE")
        for table, row in group:
            bare.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        record_id = next(row[of_op] for table, row in group if table == "op_log")
        bare.execute("UPDATE inspection SET doc = ? WHERE id = ?", (docs[record_id], record_id))
        bare.execute("UPDATE counters SET v = v + 1")
        bare.execute("COMMIT")
    took = time.perf_counter() - began
    bare.close()
    return len(rows) / took


def sqlite_figures() -> list[Figure]:
    with (
        tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder,
        application(SqliteDatabases, Path(folder)) as (app, data, _url, enrol),
    ):
        (tablet,) = enrol(1)
        journal(tablet, OPS, tablet.reference()["pack"])
        ours, spent = applied_a_second(app, tablet)
        close(app)
        bare = bare_a_second(data / "inspect.sqlite3", Path(folder))
    return [
        Figure("ops applied a second, one process on SQLite", ours, "/s"),
        Figure("  a bare loop of the same inserts and commits", bare, "/s"),
        Figure("  processor of one op", spent, "ms"),
        Figure("  bare / ours", bare / ours, "", 2),
    ]


def postgres_figures() -> list[Figure]:
    try:
        running = start_postgres(DURABLE)
    except NoPostgres:
        return []
    try:
        with (
            tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder,
            application(lambda template: PostgresDatabases(running, template), Path(folder)) as made,
        ):
            app, data, url, enrol = made
            tablets = enrol(TABLETS)
            pack = tablets[0].reference()["pack"]
            for tablet in tablets:
                journal(tablet, BATCH, pack)
            close(app)
            workers = Workers(data, url).start()
            try:
                times = pushed(tablets, workers.url)
            finally:
                workers.kill()
    finally:
        running.stop()
    ranked = sorted(times)
    name = f"a push of {BATCH} ops, {TABLETS} tablets at once, 3 workers on PostgreSQL"
    return [
        Figure(f"{name}, median", statistics.median(ranked), "s"),
        Figure("  the same, p95", ranked[int(len(ranked) * 0.95) - 1], "s"),
        Figure("  the same, ops a second in all", TABLETS * BATCH / ranked[-1], "/s"),
    ]


def pushed(tablets, url) -> list[float]:
    """How long each push took, all begun in one moment; the last one is the whole."""
    times, ready = [], threading.Barrier(len(tablets))
    for tablet in tablets:
        tablet.client = Patient(url)
        tablet.get_device_token()

    def push(tablet):
        ready.wait()
        began = time.perf_counter()
        results = tablet.push()
        times.append(time.perf_counter() - began)
        assert {result["status"] for result in results} == {"applied"}

    threads = [threading.Thread(target=push, args=(tablet,)) for tablet in tablets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times) == len(tablets), "A push failed."
    return times


class Patient(WireClient):
    """Waits as long as it takes: it is the time that is measured."""

    seconds = 300


def copied(app, number: int) -> None:
    """Copies of the one record that is there, as if as many ops had made them."""
    with app.app_context(), transaction() as session:
        row = dict(session.execute(select(Inspection.__table__)).mappings().one())
        line = dict(session.execute(select(ChangeLog.__table__)).mappings().one())
        records, lines = [], []
        for chg in range(2, number + 1):
            record_id = new_id(datetime.now(UTC))
            records.append({**row, "id": record_id, "number": f"T-{chg:05d}", "chg": chg})
            lines.append({**line, "record_id": record_id, "chg": chg})
        session.execute(insert(Inspection.__table__), records)
        session.execute(insert(ChangeLog.__table__), lines)
        session.execute(update(ChangeClock).values(v=number))


def pull_figures() -> list[Figure]:
    with (
        tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder,
        application(SqliteDatabases, Path(folder)) as (app, data, _url, enrol),
    ):
        (tablet,) = enrol(1)
        tablet.begin(pack=tablet.reference()["pack"])
        tablet.push()
        copied(app, RECORDS)
        close(app)
        server = LiveServer(data)
        server.environment["SECRET_KEY"] = app.config["SECRET_KEY"]
        server.start()
        try:
            tablet.client = Patient(server.url)
            tablet.reference()
            before = server.memory_bytes()
            began = time.perf_counter()
            tablet.pull()
            took = time.perf_counter() - began
            assert len(tablet.records) == RECORDS
            tablet.cursor = ""
            tablet.pull()
            grown = server.memory_bytes() - before
        finally:
            server.stop()
    return [
        Figure(f"a pull of {RECORDS:,} records, 500 a page", took, "s"),
        Figure("  the server's memory after two of them, more than before", grown / 2**20, "MB", FLAT_MB),
    ]


def measure() -> list[Figure]:
    return sqlite_figures() + postgres_figures() + pull_figures()


if __name__ == "__main__":
    alone(measure)
