"""Migrated databases for the tests: the migrations run once, each test gets its own copy."""

import shutil
import sqlite3
from contextlib import contextmanager
from pathlib import Path

from flask_migrate import upgrade

from inspect_app import create_app
from inspect_app.config import read_settings
from inspect_app.store.base import db
from tests.support.cheap import TEMPLATES
from tests.support.postgres import Postgres

KEY = "a-secret-of-the-tests-only-0123456789abcdef"


def make_app(data: Path, url: str):
    """The application on this folder and database, as a test sees it."""
    app = create_app(
        read_settings(data=data, database_url=url, secret_key=KEY, testing=True, log_level="ERROR")
    )
    app.jinja_env.bytecode_cache = TEMPLATES
    return app


@contextmanager
def opened(data: Path, url: str):
    """The application, whose connections are closed at the end."""
    app = make_app(data, url)
    try:
        yield app
    finally:
        close(app)


def close(app) -> None:
    """Close every connection, so that nothing is left open for the next test."""
    with app.app_context():
        db.session.remove()
        for engine in db.engines.values():
            engine.dispose()


def migrate(data: Path, url: str) -> None:
    """Bring the database to the newest migration."""
    with opened(data, url) as app, app.app_context():
        upgrade()


class SqliteDatabases:
    """One migrated file, copied for each test."""

    kind = "sqlite"

    def __init__(self, folder: Path):
        self.template = folder / "template.sqlite3"
        migrate(folder, f"sqlite:///{self.template}")
        connection = sqlite3.connect(self.template)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def fresh(self, data: Path) -> str:
        """The address of a fresh migrated database inside this data folder."""
        copy = data / "inspect.sqlite3"
        shutil.copyfile(self.template, copy)
        return f"sqlite:///{copy}"

    def drop(self, url: str) -> None:
        """The file goes with the test's folder."""


class PostgresDatabases:
    """One migrated database, which the server copies for each test."""

    kind = "postgres"

    def __init__(self, server: Postgres, folder: Path):
        self.server = server
        self.urls = {}
        template = server.make_database()
        migrate(folder, template.render_as_string(hide_password=False))
        self.template = template.database

    def fresh(self, data: Path) -> str:
        """The address of a fresh migrated database on the throw-away server."""
        url = self.server.make_database(self.template)
        address = url.render_as_string(hide_password=False)
        self.urls[address] = url
        return address

    def drop(self, url: str) -> None:
        self.server.drop_database(self.urls.pop(url))
