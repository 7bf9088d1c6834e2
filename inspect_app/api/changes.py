"""Pulling: the feed of changes, and the first download."""

from flask import g
from marshmallow import fields, validate

from inspect_app.api.access import bearer
from inspect_app.api.documents import Blueprint, Strict, also, plain
from inspect_app.services import feed

bp = Blueprint("api_changes", "changes", description="Pulling what changed")


class ChangesQuery(Strict):
    cursor = fields.String(load_default="", validate=validate.Length(max=400))
    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))


class SnapshotQuery(Strict):
    page = plain(36, load_default="")


class Change(Strict):
    """One thing as it is now. A record is taken when `rev` or `chg` is larger than what the tablet has."""

    chg = fields.Integer(required=True)
    entity = fields.String(required=True, validate=validate.OneOf(("inspection", "assignment")))
    id = fields.String(required=True)
    rev = fields.Integer(required=True)
    doc = fields.Dict(required=True)
    deleted = fields.Boolean(required=True)


class Checkpoint(Strict):
    """The head of the server's log, signed: each tablet that keeps it can witness that none is rewritten."""

    chg = fields.Integer(required=True)
    log_hash = fields.String(required=True)
    sig = fields.String(required=True)


class Page(Strict):
    epoch = fields.String(required=True)
    server_time = fields.String(required=True)
    cursor = fields.String(required=True)
    more = fields.Boolean(required=True)
    changes = fields.List(fields.Nested(Change), required=True)
    conflicts = fields.List(fields.Dict(), required=True)
    forget = fields.List(fields.String(), required=True)
    checkpoint = fields.Nested(Checkpoint, required=True)
    resync = fields.List(fields.String())


class SnapshotPage(Strict):
    epoch = fields.String(required=True)
    server_time = fields.String(required=True)
    as_of = fields.String(required=True)
    changes = fields.List(fields.Nested(Change), required=True)
    conflicts = fields.List(fields.Dict(), required=True)
    next = fields.String(required=True, allow_none=True)


@bp.get("/changes")
@bearer("pull")
@bp.arguments(ChangesQuery, location="query")
@bp.response(200, Page)
@bp.doc(**also(401, 403, 410, 422))
def changes(asked):
    """What changed after a cursor; without one, from the beginning."""
    return feed.changes(g.holder.device, g.holder.person, asked["cursor"], asked["limit"], g.now)


@bp.get("/snapshot")
@bearer("pull")
@bp.arguments(SnapshotQuery, location="query")
@bp.response(200, SnapshotPage)
@bp.doc(**also(401, 403, 422))
def snapshot(asked):
    """All that is in this person's hands, by id; the feed then goes on from the first page's `as_of`."""
    return feed.snapshot(g.holder.device, g.holder.person, asked["page"], g.now)
