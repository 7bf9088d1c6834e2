"""What all endpoints share: the OpenAPI document, reading a body strictly, problem+json, and X-Sync."""

import json
import re
from functools import wraps
from http import HTTPStatus
from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from flask import request
from flask_smorest import Api
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from inspect_app.domain.errors import Refused

PREFIX = "/api/v1"
PROBLEM = "application/problem+json"
SECURITY = {
    "deviceToken": {"type": "http", "scheme": "bearer", "description": "Of a device: push and upload."},
    "personToken": {"type": "http", "scheme": "bearer", "description": "Of a person on a device: pull."},
}


class Strict(Schema):
    """A body in which an unknown member is an error: a misspelt one would else be lost in silence."""

    class Meta:
        unknown = RAISE


class Fits:
    """A whole text fits a pattern. (A pattern's own `$` would let a line end through.)"""

    def __init__(self, pattern, error):
        self.whole, self.error = re.compile(pattern), error

    def __call__(self, text):
        if not self.whole.fullmatch(text):
            raise ValidationError(self.error)


def plain(most, least=0, **options):
    """A field of printable ASCII, as ids, keys and signatures are."""
    return fields.String(
        validate=[validate.Length(least, most), Fits("[\\x20-\\x7e]*", "Plain ASCII only.")],
        metadata={"pattern": "^[\\x20-\\x7e]*$"},
        **options,
    )


def words(most, least=0, **options):
    """A field of text that every database can keep: no NUL, no half characters."""
    return fields.String(
        validate=[
            validate.Length(least, most),
            Fits("[^\\x00\\ud800-\\udfff]*", "A character that is none."),
        ],
        metadata={"pattern": "^[^\\x00]*$"},
        **options,
    )


class Problem(Schema):
    """RFC 9457."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    errors = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    epoch = fields.String()


class Document(Api):
    """The API of this application and its OpenAPI 3.1 document."""

    ERROR_SCHEMA = Problem

    def __init__(self, app):
        app.config.update(
            API_TITLE="Inspect: tablets and programs",
            API_VERSION="1",
            OPENAPI_VERSION="3.1.0",
            OPENAPI_URL_PREFIX=PREFIX,
            OPENAPI_JSON_PATH="openapi.json",
        )
        plugin = MarshmallowPlugin(schema_name_resolver=_name)
        super().__init__(app, spec_kwargs={"marshmallow_plugin": plugin})
        for name, scheme in SECURITY.items():
            self.spec.components.security_scheme(name, scheme)
        app.after_request(_mark)

    def _register_error_handlers(self):
        """Errors are answered in one place for the whole application (errors.py)."""

    def _register_responses(self):
        for status in HTTPStatus:
            described: dict[str, Any] = {"description": status.phrase}
            if status >= 400:
                described["content"] = {PROBLEM: {"schema": Problem}}
            self.spec.components.response(status.name, described, lazy=True)
        self.spec.components.response(
            "DEFAULT_ERROR",
            {
                "description": "What happened, why, and what to do next.",
                "content": {PROBLEM: {"schema": Problem}},
            },
            lazy=True,
        )


def _name(schema):
    named = schema if isinstance(schema, type) else type(schema)
    return named.__name__


def _mark(response):
    """A tablet takes an answer without X-Sync for that of a captive portal."""
    if request.path.startswith("/api/"):
        response.headers["X-Sync"] = "1"
        response.headers.setdefault("Cache-Control", "no-store")
        if response.status_code == HTTPStatus.UNAUTHORIZED:
            response.headers["WWW-Authenticate"] = "Bearer"
    return response


class Parser(FlaskParser):
    """Reads JSON as JSON: no NaN, no endless nesting; what is wrong is told by path."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"json": None, "query": None}  # as the schema says: an error

    def load_json(self, req, schema):
        if req.mimetype != "application/json":
            raise UnsupportedMediaType
        try:
            return json.loads(req.get_data(cache=True), parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise BadRequest from None

    def handle_error(self, error, req, schema, *, error_status_code, error_headers):
        messages = error.messages
        inner = (
            next(iter(messages.values())) if isinstance(messages, dict) and len(messages) == 1 else messages
        )
        raise Refused(
            "The request does not have the form this endpoint takes. `errors` says where.",
            errors=_by_path(inner),
            slug="invalid",
        )


def _no_constant(name):
    raise ValueError(f"{name} is not JSON.")


def _by_path(messages, path=""):
    """marshmallow's nested messages as path -> messages."""
    if not isinstance(messages, dict):
        return {path or "body": [str(message) for message in messages]}
    found: dict[str, list[str]] = {}
    for name, inner in messages.items():
        step = "" if name == "_schema" else str(name)
        found |= _by_path(inner, ".".join(part for part in (path, step) if part))
    return found


class Blueprint(SmorestBlueprint):
    """A blueprint whose bodies are read by the strict parser."""

    ARGUMENTS_PARSER = Parser()


def at_most(most_bytes):
    """A view that reads no body larger than this; a longer one is a 413 before it is in memory."""

    def decorate(view):
        @wraps(view)
        def limited(*args, **kwargs):
            request.max_content_length = most_bytes
            return view(*args, **kwargs)

        return limited

    return decorate


def also(*statuses):
    """The documentation of further problems an operation answers with."""
    return {
        "responses": {
            str(int(status)): {
                "description": HTTPStatus(status).phrase if status != 460 else "Checksum differs",
                "content": {PROBLEM: {"schema": Problem}},
            }
            for status in statuses
        }
    }
