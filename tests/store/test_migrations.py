"""The migrations and the models agree, on both databases, and no migration loses a row."""

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask_migrate import downgrade, upgrade
from sqlalchemy import inspect, text

from inspect_app.store.base import db


@pytest.fixture
def empty_app(app):
    """The application on a database without a table."""
    with app.app_context():
        db.session.remove()
        downgrade(revision="base")
        yield app


def tables():
    return set(inspect(db.engine).get_table_names())


def test_an_upgrade_from_nothing_equals_the_models(empty_app):
    assert tables() == {"alembic_version"}
    upgrade()
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, db.metadata) == []
    assert tables() == set(db.metadata.tables) | {"alembic_version"}


def test_an_upgrade_twice_changes_nothing(app_context):
    upgrade()
    upgrade()
    assert tables() == set(db.metadata.tables) | {"alembic_version"}


def test_no_evidence_is_deleted_by_cascade():
    cascading = [
        f"{table.name}.{key.parent.name}"
        for table in db.metadata.tables.values()
        for key in table.foreign_keys
        if key.ondelete
    ]
    assert cascading == []


def test_a_migration_that_leaves_rows_without_their_parent_is_taken_back(empty_app, databases, caplog):
    if databases.kind != "sqlite":
        return  # PostgreSQL checks foreign keys itself, at each statement
    with db.engine.connect().execution_options(write=True) as connection:
        connection.execute(text("CREATE TABLE parent (id INTEGER PRIMARY KEY)"))
        connection.execute(
            text("CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id REFERENCES parent (id))")
        )
        connection.commit()
        connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute(text("INSERT INTO child VALUES (1, 99)"))
        connection.commit()
        connection.connection.driver_connection.execute("PRAGMA foreign_keys=ON")
    with pytest.raises(SystemExit):
        upgrade()
    assert "point at rows that are missing" in caplog.text
    assert "inspection" not in tables()


def test_every_migration_can_be_named_and_follows_one_line(app_context):
    migrate = app_context.extensions["migrate"]
    heads = command.ScriptDirectory.from_config(migrate.migrate.get_config()).get_heads()
    assert len(heads) == 1
