"""The server of a simulation: the real application, which can be killed, backed up and restored."""

import secrets
import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

from sqlalchemy import delete

from inspect_app.domain import ids
from inspect_app.services import devices, ops, passwords
from inspect_app.services import sync as pushing
from inspect_app.store import people, villages
from inspect_app.store.base import db, transaction
from inspect_app.store.people import DeviceToken, Membership, Person
from tests.simulation.clock import START
from tests.simulation.crash import Crashes, ServerKilled
from tests.support.databases import close, make_app

VILLAGE = "barneveld"
PASSWORD = "a password of the simulation"
PEOPLE = {
    "inspector-a": ("inspector",),
    "inspector-b": ("inspector",),
    "reviewer-1": ("reviewer",),
}


class Server:
    """One application whose database file is swapped for a fresh one at each seed."""

    def __init__(self, folder: Path, databases, clock):
        self.folder, self.databases, self.clock = folder, databases, clock
        self.crashes = Crashes()
        self.url = databases.fresh(folder)
        self.app = make_app(folder, self.url)
        with self.app.app_context():
            self.pack = villages.pack_of(VILLAGE, START.date()).hash
        self.backup = None

    @property
    def can_restore(self):
        return self.databases.kind == "sqlite"

    def begin(self, random):
        """An empty server with its people; their ids and all that follows come from the seed."""
        ids.secrets = SimpleNamespace(randbits=random.getrandbits)  # a seed gives the same ids again
        self.crashes = Crashes()
        self.backup = None
        self.settle()
        for place in ("blobs", "staging", "backup"):
            shutil.rmtree(self.folder / place, ignore_errors=True)
        if self.databases.kind == "sqlite":
            for file in self.folder.glob("inspect.sqlite3*"):
                file.unlink()
            self.databases.fresh(self.folder)
        else:
            self.empty()
        self.people = {}
        with self.app.app_context():
            for name, roles in PEOPLE.items():
                self.people[name] = ids.new_id(START)
                with transaction() as session:
                    session.add(
                        Person(
                            id=self.people[name],
                            sign_in_name=name,
                            name=name.replace("-", " ").title(),
                            password_hash=passwords.hashed(PASSWORD),
                            active=True,
                            created_at=START,
                        )
                    )
                    session.flush()
                    for role in roles:
                        session.add(Membership(person_id=self.people[name], village=VILLAGE, role=role))

    def empty(self):
        """Empty every table, where a fresh copy of the whole database takes seconds."""
        with self.app.app_context(), transaction() as session:
            for table in reversed(db.metadata.sorted_tables):
                session.execute(delete(table))

    def request(self, method, path, **options):
        """One request through the whole application; raises ServerKilled at an armed point."""
        try:
            return self.app.test_client().open(path, method=method, **options)
        except ServerKilled:
            self.settle()
            raise

    def settle(self):
        """What the system does for a process that ended: it closes its connections; nothing is committed."""
        self.crashes.armed = None
        with self.app.app_context():
            db.session.remove()
            for engine in db.engines.values():
                engine.dispose()

    def close(self):
        ids.secrets = secrets
        close(self.app)

    # ------------------------------------------------------------ what people in the office do

    def code(self, person):
        with self.app.app_context():
            return devices.make_code(VILLAGE, self.people[person], None, self.clock.now)

    def office(self, kind, record_id, **own):
        """One step of the reviewer, through the one door."""
        with self.app.app_context():
            reviewer = people.person(self.people["reviewer-1"])
            content = {"kind": kind, "record_id": record_id, **own}
            return ops.office_op(VILLAGE, reviewer, content, self.clock.now)

    def revoke(self, device_id):
        with self.app.app_context():
            devices.revoke(VILLAGE, device_id, None, self.clock.now)

    def forget_tokens(self):
        """Every token is void: each tablet meets a 401 in the middle of what it does."""
        with self.app.app_context(), transaction() as session:
            session.execute(delete(DeviceToken).where(DeviceToken.person_id.is_(None)))

    # ------------------------------------------------------------ backup and restore

    def back_up(self):
        """A copy as a good backup makes it: the database before the photos, so that none is lacking."""
        copy = self.folder / "backup"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        self.settle()
        source = sqlite3.connect(self.folder / "inspect.sqlite3")
        target = sqlite3.connect(copy / "inspect.sqlite3")
        source.backup(target)
        source.close()
        target.close()
        if (self.folder / "blobs").is_dir():
            shutil.copytree(self.folder / "blobs", copy / "blobs")
        self.backup = copy

    def restore(self):
        """The disk is gone; what the backup holds comes back, under a new epoch as the handbook says."""
        self.settle()
        for file in self.folder.glob("inspect.sqlite3*"):
            file.unlink()
        for place in ("blobs", "staging"):
            shutil.rmtree(self.folder / place, ignore_errors=True)
        shutil.copyfile(self.backup / "inspect.sqlite3", self.folder / "inspect.sqlite3")
        if (self.backup / "blobs").is_dir():
            shutil.copytree(self.backup / "blobs", self.folder / "blobs")
        with self.app.app_context():
            pushing.change_epoch()
