"""What a tablet must hold to work without a signal: forms, rule packs, people. By ETag."""

import hashlib
import json

from flask import Response, g, request
from marshmallow import fields

from inspect_app.api.access import bearer
from inspect_app.api.devices import PersonOut
from inspect_app.api.documents import Blueprint, Strict, also
from inspect_app.services import reference

bp = Blueprint("api_reference", "reference", description="Forms, rule packs, people")


class VillageOut(Strict):
    slug = fields.String(required=True)
    name = fields.String(required=True)
    short_name = fields.String(required=True)
    latitude = fields.Float(required=True, allow_nan=False)
    longitude = fields.Float(required=True, allow_nan=False)
    timezone = fields.String(required=True)
    bodies = fields.Dict(required=True)
    starred = fields.String(required=True)
    allow_unprotected_storage = fields.Boolean(required=True)
    stamp_previews = fields.Boolean(required=True)
    shrink_photos_px = fields.Integer(required=True)


class MapOut(Strict):
    name = fields.String(required=True)
    bytes = fields.Integer(required=True)
    sha256 = fields.String(required=True)
    piece_bytes = fields.Integer(required=True)
    pieces = fields.List(fields.String(), required=True, metadata={"description": "SHA-256 of each piece"})


class Named(Strict):
    id = fields.String(required=True)
    name = fields.String(required=True)


class Reference(Strict):
    village = fields.Nested(VillageOut, required=True)
    person = fields.Nested(PersonOut, required=True)
    protocols = fields.List(fields.Dict(), required=True)
    former_protocols = fields.List(fields.Dict(), required=True)
    packs = fields.Dict(required=True)
    pack = fields.String(required=True)
    translations = fields.Dict(
        required=True,
        metadata={"description": "By language, what is shown for each English text of forms and rules"},
    )
    maps = fields.List(fields.Nested(MapOut), required=True)
    tap_permissions = fields.List(fields.Dict(), required=True)
    people = fields.List(fields.Nested(Named), required=True)
    etag = fields.String(required=True)


@bp.get("/reference")
@bearer("pull")
@bp.response(200, Reference)
@bp.doc(
    parameters=[{"in": "header", "name": "If-None-Match", "required": False, "schema": {"type": "string"}}],
    responses={"304": {"description": "Nothing changed."}, **also(401, 403)["responses"]},
)
def whole():
    """Forms with each field's nature, packs by hash, the village, its people. 304 if nothing changed."""
    body = reference.whole(g.holder.device, g.holder.person, g.now)
    etag = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    if etag in request.if_none_match:
        answer = Response(status=304)
    else:
        answer = Response(json.dumps({**body, "etag": etag}, ensure_ascii=False), mimetype="application/json")
    answer.set_etag(etag)
    answer.headers["Cache-Control"] = "no-cache"
    return answer
