"""Enrolment of a tablet, its tokens, and the clock."""

from datetime import UTC, datetime

from flask import current_app, request
from marshmallow import fields, validate

from inspect_app.api.documents import Blueprint, Strict, also, at_most, plain, words
from inspect_app.services import devices, keys, sync
from inspect_app.store import people

bp = Blueprint("api_devices", "devices", description="Enrolment, tokens, and the clock")
SMALL = 16 * 1024


class Jwk(Strict):
    """The public part of an ECDSA P-256 key. A browser's export has more members; they are left aside."""

    kty = fields.String(required=True, validate=validate.Length(max=10))
    crv = fields.String(required=True, validate=validate.Length(max=10))
    x = fields.String(required=True, validate=validate.Length(max=100))
    y = fields.String(required=True, validate=validate.Length(max=100))
    ext = fields.Raw()
    key_ops = fields.Raw()
    alg = fields.Raw()
    use = fields.Raw()
    kid = fields.Raw()


class Enrol(Strict):
    code = words(40, 1, required=True)
    public_key = fields.Nested(Jwk, required=True)
    name = words(200, required=True)
    app = words(80, load_default="")


class PersonOut(Strict):
    id = fields.String(required=True)
    name = fields.String(required=True)
    roles = fields.List(fields.String(), required=True)


class Enrolled(Strict):
    device_id = fields.String(required=True)
    kid = fields.String(required=True)
    epoch = fields.String(required=True)
    village = fields.String(required=True)
    person = fields.Nested(PersonOut, required=True)
    person_token = fields.String(required=True)


class Proof(Strict):
    device_id = plain(36, 1, required=True)
    nonce = plain(300, 1, required=True)
    sig = plain(200, 1, required=True)


class DeviceToken(Strict):
    token = fields.String(required=True)
    expires_at = fields.String(required=True)
    server_time = fields.String(required=True)
    scope = fields.String(required=True)


class PersonProof(Proof):
    sign_in_name = words(80, 1, required=True)
    password = words(300, 1, required=True)


class PersonToken(Strict):
    person_token = fields.String(required=True)
    expires_at = fields.String(required=True)
    person = fields.Nested(PersonOut, required=True)


class Time(Strict):
    server_time = fields.String(required=True)
    nonce = fields.String(required=True)


@bp.post("/devices")
@at_most(SMALL)
@bp.arguments(Enrol)
@bp.response(201, Enrolled)
@bp.doc(**also(400, 401, 413, 415, 422, 429), security=[])
def enrol(said):
    """Enrol a tablet with a one-time code."""
    now = datetime.now(UTC)
    key = {name: said["public_key"][name] for name in ("kty", "crv", "x", "y")}
    epoch = sync.current_epoch()
    made = devices.enrol(said["code"], key, said["name"], said["app"], now, request.remote_addr or "")
    return {
        "device_id": made.device.id,
        "kid": made.device.kid,
        "epoch": epoch,
        "village": made.device.village,
        "person": person_out(made.person, made.device.village),
        "person_token": made.person_token,
    }


@bp.get("/time")
@bp.response(200, Time)
@bp.doc(security=[])
def time():
    """The server's clock, and a text to sign within five minutes."""
    now = datetime.now(UTC)
    return {"server_time": now.isoformat(), "nonce": keys.make_nonce(_secret(), now)}


@bp.post("/auth/device")
@at_most(SMALL)
@bp.arguments(Proof)
@bp.response(200, DeviceToken)
@bp.doc(**also(400, 401, 413, 415, 422), security=[])
def auth_device(said):
    """A token for sending, for a device that signs a nonce with its key. A revoked one gets it too."""
    now = datetime.now(UTC)
    device = devices.prove(said["device_id"], said["nonce"], said["sig"], _secret(), now)
    made = devices.token_for(device, now)
    return {
        "token": made.token,
        "expires_at": made.expires_at.isoformat(),
        "server_time": now.isoformat(),
        "scope": made.scope,
    }


@bp.post("/auth/person")
@at_most(SMALL)
@bp.arguments(PersonProof)
@bp.response(200, PersonToken)
@bp.doc(**also(400, 401, 403, 413, 415, 422, 429), security=[])
def auth_person(said):
    """A token for reading, for a person who signs in on an enrolled device."""
    now = datetime.now(UTC)
    device = devices.prove(said["device_id"], said["nonce"], said["sig"], _secret(), now)
    village = device.village
    made, person = devices.person_token_for(
        device, said["sign_in_name"], said["password"], request.remote_addr or "", now
    )
    return {
        "person_token": made.token,
        "expires_at": made.expires_at.isoformat(),
        "person": person_out(person, village),
    }


def person_out(person, village):
    """A person as a tablet knows them."""
    return {"id": person.id, "name": person.name, "roles": list(people.roles_of(person, village))}


def _secret():
    return current_app.config["SETTINGS"].secret_key
