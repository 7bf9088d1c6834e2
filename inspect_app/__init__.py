"""The product's entry: create_app() reads top to bottom and shows every part."""

import json
from pathlib import Path
from typing import Any

from flask import Flask, Response
from flask_migrate import Migrate
from flask_wtf import CSRFProtect
from whitenoise import WhiteNoise

from inspect_app import health
from inspect_app.compression import Compressed
from inspect_app.config import BODY_LIMIT_BYTES, Settings, read_settings
from inspect_app.errors import set_up_errors
from inspect_app.logging import set_up_logging
from inspect_app.store.base import db, set_up_sessions, set_up_sqlite

HERE = Path(__file__).parent
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

# The reader of codes is compiled code, which only its own worker may run: no page allows it.
BARCODE_WORKER = "/static/barcode-worker.js"
WORKER_SECURITY_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def create_app(settings: Settings | None = None) -> Flask:
    """The whole product as one WSGI application."""
    settings = settings or read_settings()
    app = Flask(__name__)
    app.config.from_mapping(
        SETTINGS=settings,
        SECRET_KEY=settings.secret_key,
        TESTING=settings.testing,
        SQLALCHEMY_DATABASE_URI=settings.database_url,
        MAX_CONTENT_LENGTH=BODY_LIMIT_BYTES,
        SESSION_COOKIE_NAME="inspect_app",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        # A picture that answers late would bring back the session as it was when it was asked for: what the
        # page said in between would be lost, and somebody who signed out be signed in again.
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,
    )
    set_up_logging(app, settings.log_level)
    set_up_errors(app)
    check_vendor_files()

    db.init_app(app)
    set_up_sessions(app)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            set_up_sqlite(db.engine)
    Migrate(app, db, directory=str(migrations_dir()), render_as_batch=True, compare_type=True)
    csrf = CSRFProtect(app)

    from inspect_app import api, field, office

    app.register_blueprint(health.bp)
    app.register_blueprint(field.bp)
    app.register_blueprint(field.files_bp)
    office.set_up(app)
    api.set_up(app)
    for blueprint in api.blueprints():
        csrf.exempt(blueprint)  # the API knows no cookies: a bearer token cannot be sent by a foreign page

    app.after_request(add_headers)
    if not settings.testing:  # a test client reads files through Flask itself
        app.wsgi_app = StaticFiles(  # type: ignore[method-assign]
            app.wsgi_app,
            root=str(HERE / "static"),
            prefix="static/",
            max_age=0,
            add_headers_function=_static_headers,
        )
        app.wsgi_app = Compressed(  # type: ignore[method-assign]
            app.wsgi_app, settings.data / "derived" / "compressed"
        )
    return app


class StaticFiles(WhiteNoise):
    """Files straight from the disk, except those of which the tablet app gets short copies: see field.py."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        if not url.startswith(("/static/pwa/", "/static/vendor/idb/")):
            super().add_file_to_dictionary(url, path, stat_cache=stat_cache)


def add_headers(response: Response) -> Response:
    """Strict headers on every answer: no inline code, no foreign frames, no guessing of types."""
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.headers.setdefault("Permissions-Policy", "camera=(self), geolocation=(self), microphone=()")
    return response


def _static_headers(headers: Any, _path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    if url == BARCODE_WORKER:
        headers["Content-Security-Policy"] = WORKER_SECURITY_POLICY
    headers["Cache-Control"] = "no-cache"


def migrations_dir() -> Path:
    """The Alembic folder: inside the installed package, or at the repository's root."""
    carried = HERE / "_migrations"
    return carried if carried.exists() else HERE.parent / "migrations"


def check_vendor_files() -> None:
    """Refuse to start without the front-end packages: the tablet app would fail in the field, not here."""
    manifest = HERE / "static" / "vendor" / "manifest.json"
    missing = [str(manifest)] if not manifest.exists() else []
    if not missing:
        folder = manifest.parent
        missing = [name for name in json.loads(manifest.read_text()) if not (folder / name).exists()]
    if missing:
        raise RuntimeError(
            f"Front-end files are missing ({', '.join(missing[:3])}). "
            "Run 'pip install -e .' again to place them."
        )
