"""Pushing ops: the batch, the last resort, and what is known."""

from flask import g, request
from marshmallow import fields, validate

from inspect_app.api.access import bearer
from inspect_app.api.documents import Blueprint, Strict, also, at_most, plain
from inspect_app.domain.errors import NotFound
from inspect_app.services import sync

bp = Blueprint("api_ops", "ops", description="Pushing what was done on a tablet")
BATCH_BYTES = 320 * 1024  # 256 KiB of ops, and what stands around them
RAW_BYTES = 1024 * 1024


class Envelope(Strict):
    body = fields.String(required=True, validate=validate.Length(min=1))
    sig = plain(200, required=True)
    kid = plain(64, required=True)


class Batch(Strict):
    batch = plain(80, required=True)
    device_id = fields.String(required=True, validate=validate.Length(1, 36))
    epoch = fields.String(required=True, validate=validate.Length(max=40))
    ops = fields.List(fields.Nested(Envelope), required=True, validate=validate.Length(1, 100))


class Result(Strict):
    """What became of one op. A repeated op gets the stored result."""

    op_id = fields.String(required=True)
    seq = fields.Integer(required=True)
    status = fields.String(
        required=True,
        validate=validate.OneOf(("applied", "noop", "conflict", "quarantined", "gap", "fork")),
    )
    chg = fields.Integer()
    rev = fields.Integer()
    record_id = fields.String()
    number = fields.String()
    reason = fields.String()
    conflicts = fields.List(fields.String())
    errors = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    expect = fields.Integer()


class BatchResult(Strict):
    batch = fields.String(required=True)
    epoch = fields.String(required=True)
    server_time = fields.String(required=True)
    accepted_through = fields.Integer(required=True)
    results = fields.List(fields.Nested(Result), required=True)


class Carried(Strict):
    ops = fields.List(fields.Nested(Envelope), required=True, validate=validate.Length(1, 100))


class CarriedResult(Strict):
    epoch = fields.String(required=True)
    server_time = fields.String(required=True)
    results = fields.List(fields.Nested(Result), required=True)


class Have(Strict):
    device_id = fields.String(required=True, validate=validate.Length(1, 36))
    ops = fields.List(plain(36, 1), required=True, validate=validate.Length(max=1000))


class Known(Strict):
    epoch = fields.String(required=True)
    known = fields.List(fields.String(), required=True)


class Kept(Strict):
    sha256 = fields.String(required=True)
    bytes = fields.Integer(required=True)


@bp.post("/ops")
@bearer("push")
@at_most(BATCH_BYTES)
@bp.arguments(Batch)
@bp.response(200, BatchResult)
@bp.doc(**also(400, 401, 403, 404, 409, 413, 415, 422))
def push(said):
    """Push at most 100 ops, in order; each is a transaction of its own and has its own result."""
    _own(said["device_id"])
    results, accepted = sync.push(g.holder.device, said["epoch"], said["ops"], g.now)
    return {
        "batch": said["batch"],
        "epoch": said["epoch"],
        "server_time": g.now.isoformat(),
        "accepted_through": accepted,
        "results": results,
    }


@bp.post("/ops/carried")
@bearer("push")
@at_most(BATCH_BYTES)
@bp.arguments(Carried)
@bp.response(200, CarriedResult)
@bp.doc(**also(400, 401, 403, 413, 415, 422))
def carried(said):
    """Push at most 100 ops of other tablets of the village, from a file; a result for each, in its order."""
    results = sync.push_carried(g.holder.device, said["ops"], g.now)
    return {"epoch": sync.current_epoch(), "server_time": g.now.isoformat(), "results": results}


@bp.post("/ops/have")
@bearer("push")
@at_most(64 * 1024)
@bp.arguments(Have)
@bp.response(200, Known)
@bp.doc(**also(400, 401, 403, 404, 413, 415, 422))
def have(said):
    """Which of these ops the server holds."""
    _own(said["device_id"])
    return {"epoch": sync.current_epoch(), "known": sync.have(said["ops"])}


@bp.post("/ops/raw")
@bearer("push")
@at_most(RAW_BYTES)
@bp.response(200, Kept)
@bp.doc(
    **also(401, 403, 413),
    parameters=[
        {"in": "header", "name": name, "required": False, "description": what, "schema": {"type": "string"}}
        for name, what in (
            ("X-Op-Seq", "The op's number."),
            ("X-Op-Hash", "SHA-256 of the op's body, in hex."),
        )
    ],
    requestBody={
        "required": False,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    },
)
def raw():
    """The last resort: any bytes up to 1 MiB are kept for a person to read.

    With X-Op-Seq and X-Op-Hash they take an op's place in the device's chain.
    """
    body = request.get_data()
    told = ("Content-Type", "X-Op-Seq", "X-Op-Hash")
    headers = {name: request.headers.get(name, "")[:200] for name in told}
    digest = sync.keep_raw(g.holder.device, body, headers, g.now, _place(headers))
    return {"sha256": digest, "bytes": len(body)}


def _place(headers):
    """Number and hash of the op in its device's chain; None for bytes that are no op."""
    seq, op_hash = headers["X-Op-Seq"], headers["X-Op-Hash"]
    is_number = seq.isascii() and seq.isdigit() and len(seq) < 16
    is_hash = len(op_hash) == 64 and set(op_hash) <= set("0123456789abcdef")
    return (int(seq), op_hash) if is_number and is_hash else None


def _own(device_id):
    if device_id != g.holder_id:
        raise NotFound("The token is of another device than the one named. Renew the token.")
