"""Runs seeds one after the other on one application: making one costs more than running a seed."""

from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import select

from inspect_app.store.base import db
from inspect_app.store.sync import OpLog
from tests.simulation.clock import START, Clock, followed
from tests.simulation.crash import planted
from tests.simulation.device_js import JsDevice, Node
from tests.simulation.facts import Violation
from tests.simulation.releases import two_newer
from tests.simulation.server import Server
from tests.simulation.world import STEPS, World, reference
from tests.support.cheap import weak_passwords
from tests.support.databases import PostgresDatabases, SqliteDatabases
from tests.support.postgres import start_postgres


class Fleet:
    """The application, its clock and its crash points, for as many seeds as one likes."""

    def __init__(self, folder: Path, database="sqlite", engine="python", postgres=None):
        """`postgres`: a running server to use, where one is there already."""
        self.folder, self.engine, self.postgres = folder, engine, postgres
        self.database = "postgres" if postgres else database
        self.stack = ExitStack()

    def __enter__(self):
        templates, data = self.folder / "template", self.folder / "data"
        templates.mkdir()
        data.mkdir()
        if self.database == "postgres":
            running = self.postgres or start_postgres()
            if running is not self.postgres:
                self.stack.callback(running.stop)
            databases = PostgresDatabases(running, templates)
        else:
            databases = SqliteDatabases(templates)
        self.clock = Clock()
        self.stack.enter_context(followed(self.clock))
        self.stack.enter_context(weak_passwords())
        self.stack.enter_context(two_newer())
        self.server = Server(data, databases, self.clock)
        self.stack.callback(self.server.close)
        with self.server.app.app_context():
            self.stack.enter_context(planted(self))
        return self

    def __exit__(self, *problem):
        self.stack.close()

    def pass_by(self, point):
        self.server.crashes.pass_by(point)

    def run(self, seed, steps=None, counts=None):
        """What is wrong with a seed, as text; None when every invariant holds."""
        self.clock.now = START
        with tablets(self.engine, seed) as make:
            world = World(self.server, self.clock, seed, steps=steps or STEPS[self.engine], make=make)
            try:
                world.run()
            except Violation as problem:
                return str(problem)
            finally:
                if counts is not None:
                    counts.update(world.counts)
                    counts.update(world.network.counts)
                    counts.update({f"kill {p}": n for p, n in self.server.crashes.counts.items() if n})
        return None

    def fails(self, seed):
        """Whether a seed breaks an invariant, or the application under it."""
        try:
            return self.run(seed) is not None
        except Exception:
            self.server.settle()
            return True

    def story(self, seed):
        """All that the server made of a seed: op, status and change number of every op in the log."""
        assert self.run(seed) is None
        with self.server.app.app_context():
            rows = db.session.execute(select(OpLog.op_id, OpLog.status, OpLog.chg).order_by(OpLog.chg)).all()
            return [tuple(row) for row in rows]


@contextmanager
def tablets(engine, seed):
    """What makes the tablets of a seed: the reference client, or the product's own engine."""
    if engine == "python":
        yield reference
        return
    process = Node(seed)
    try:
        yield partial(JsDevice, process=process)
    finally:
        process.close()


def replay(seed, database="sqlite", steps=None, engine="python"):
    """The command that runs this seed again."""
    more = f" --steps {steps}" if steps else ""
    return f"python -m tests.simulation --seeds {seed} --engine {engine} --database {database}{more}"


def fast_folder():
    """Memory, where the system offers it as a folder: a simulated power cut needs no real disk."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
