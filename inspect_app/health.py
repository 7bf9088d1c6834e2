"""Whether the process runs (/healthz) and whether it can do its work (/readyz)."""

import shutil

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Blueprint, current_app, jsonify
from sqlalchemy import text

from inspect_app.store.base import db

bp = Blueprint("health", __name__)
LEAST_FREE_BYTES = 200 * 1024 * 1024


@bp.get("/healthz")
def healthz():
    """The process answers."""
    return jsonify(status="ok")


@bp.get("/readyz")
def readyz():
    """Database reachable and migrated, photo folder writable, disk not full; 503 names what is not."""
    checks = {"database": _database(), "migrations": _migrations(), "photos": _photos(), "disk": _disk()}
    ready = all(word == "ok" for word in checks.values())
    return jsonify(status="ok" if ready else "not ready", checks=checks), 200 if ready else 503


def _database():
    try:
        db.session.execute(text("SELECT 1"))
    except Exception as error:  # any failure to reach it is the answer to this question
        return f"not reachable: {type(error).__name__}"
    return "ok"


def _migrations():
    try:
        with db.engine.connect() as connection:
            at = MigrationContext.configure(connection).get_current_heads()
    except Exception as error:
        return f"not readable: {type(error).__name__}"
    head = ScriptDirectory(current_app.extensions["migrate"].directory).get_heads()
    return "ok" if set(at) == set(head) else "behind: run inspect-app db upgrade"


def _photos():
    folder = current_app.config["SETTINGS"].blobs
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.write_bytes(b"ok")
        probe.unlink()
    except OSError as error:
        return f"not writable: {error.strerror}"
    return "ok"


def _disk():
    free = shutil.disk_usage(current_app.config["SETTINGS"].data).free
    return "ok" if free > LEAST_FREE_BYTES else f"only {free // 1024 // 1024} MB free"
