"""Runs the migrations on the application's own engine.

On SQLite a change of a table makes a new one, copies the rows and drops the old: with foreign keys on, the
drop would delete the rows of every child table that cascades. They are off while it runs and checked after.
"""

from importlib import import_module
from pkgutil import iter_modules

from alembic import context
from flask import current_app
from sqlalchemy import text

from inspect_app import store
from inspect_app.store.base import UTC, db

for module in iter_modules(store.__path__, "inspect_app.store."):
    import_module(module.name)  # each registers its tables


def render_item(kind, thing, _autogen_context):
    """Write our own types as what they are in the database, so that migrations import nothing of ours."""
    if kind == "type" and isinstance(thing, UTC):
        return "sa.DateTime(timezone=True)"
    return False


def run_migrations():
    """Upgrade or downgrade in one transaction, on both databases."""
    options = dict(current_app.extensions["migrate"].configure_args)
    with db.engine.connect().execution_options(write=True) as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if is_sqlite:
            # The pragma does nothing inside a transaction, so it goes straight to the driver, before BEGIN.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")
        try:
            context.configure(
                connection=connection,
                target_metadata=db.metadata,
                render_item=render_item,
                transactional_ddl=True,  # also on SQLite: the engine sends its own BEGIN
                **options,
            )
            with context.begin_transaction():
                context.run_migrations()
                if is_sqlite:
                    check_foreign_keys(connection)
        finally:
            if is_sqlite:
                connection.rollback()
                connection.connection.driver_connection.execute("PRAGMA foreign_keys=ON")


def check_foreign_keys(connection):
    """Refuse to finish when a row points at a row that is not there; the whole migration is taken back."""
    broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    if broken:
        tables = ", ".join(sorted({row[0] for row in broken}))
        raise RuntimeError(
            f"After the migration {len(broken)} rows point at rows that are missing (in {tables}). "
            "The migration was taken back and the data are as before. Report this."
        )


if context.is_offline_mode():
    raise RuntimeError("Migrations run on a live database, so that it can be checked afterwards.")
run_migrations()
