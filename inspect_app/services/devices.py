"""Tablets: one-time enrolment codes, the proof of a device's key, its tokens, and taking it out of use.

Two credentials (sync.md 2.11): the device's own, good for sending what was captured, which needs no person
signed in; and a person's on that device, good for reading, which ends.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import structlog
from sqlalchemy import delete, update

from inspect_app.domain.errors import NotAllowed, NotFound, Refused, SignInRefused
from inspect_app.domain.ids import new_id
from inspect_app.services import keys, people, throttle
from inspect_app.store import people as store
from inspect_app.store.base import db, transaction
from inspect_app.store.people import Device, DeviceToken, EnrolmentCode, Person

CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford: none that look alike
CODE_LENGTH = 10
CODE_LIFE = timedelta(hours=24)
DEVICE_TOKEN_LIFE = timedelta(minutes=15)
PERSON_TOKEN_LIFE = timedelta(hours=12)  # from the last use ...
LONGEST_PERSON_TOKEN = timedelta(days=30)  # ... and never longer than this
DEVICE_SCOPE = "push upload"
PERSON_SCOPE = "pull"
REVOKED = "This tablet was taken out of use. Ask the office; what it holds can still be sent."

log = structlog.get_logger()


@dataclass(frozen=True)
class Enrolment:
    """What a tablet learns when it is enrolled; the token is shown this once."""

    device: Device
    person: Person
    person_token: str


@dataclass(frozen=True)
class Token:
    """A token as handed out; the server keeps its hash only."""

    token: str
    expires_at: datetime
    scope: str


@dataclass(frozen=True)
class Holder:
    """Whom a token stands for. A revoked device still has one: what it sends is kept, set aside."""

    device: Device
    person: Person | None
    scope: str


def make_code(village: str, person_id: str, by: Person | None, now: datetime) -> str:
    """A one-time code, good for 24 hours, that enrols one tablet for this person in this village."""
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    with transaction() as session:
        person = store.person(person_id)
        if person is None or not people.may(person, village, "inspector"):
            raise Refused(
                "A tablet is enrolled for an active inspector of this village. Choose another person.",
                errors={"person_id": ["Choose an active inspector."]},
            )
        session.add(
            EnrolmentCode(
                code_sha256=_hash(code),
                village=village,
                person_id=person_id,
                made_by=by.id if by else None,
                made_at=now,
                expires_at=now + CODE_LIFE,
            )
        )
    return code


def read_code(typed: str) -> str:
    """A code as typed, in any capitals and spacing, with O for 0 and I or L for 1."""
    kept = "".join(letter for letter in typed.upper() if letter.isalnum())
    return kept.translate(str.maketrans("OIL", "011"))


def enrol(
    code: str, jwk: Mapping[str, Any], name: str, app: str, now: datetime, address: str = ""
) -> Enrolment:
    """Exchange a code for a new device; the code is used up in the same transaction.

    The same code with the same key gives the same device again, as long as nothing has come from it: the
    answer was lost on the way. `jwk` is the public part of an ECDSA P-256 key. Raises SignInRefused for a
    code that is unknown, used or too old, Refused for a key that cannot be used, TooManyTries for guesses
    from one `address`.
    """
    key = keys.check_key(jwk)
    attempts = throttle.begin({f"code:{address}": throttle.CODE}, now)
    device_id, token = new_id(now), secrets.token_urlsafe(32)
    with transaction() as session:
        found = session.get(EnrolmentCode, _hash(read_code(code)), with_for_update={"key_share": True})
        if found is None:
            raise SignInRefused("This code is not known. Type it again, or ask the office for a new one.")
        device = _made_before(found, keys.thumbprint(key))
        if found.used_at is not None and device is None:
            raise SignInRefused("This code was used already. Ask the office for a new one.")
        if found.expires_at <= now:
            raise SignInRefused("This code is older than 24 hours. Ask the office for a new one.")
        if not people.may(found.person, found.village, "inspector"):
            raise SignInRefused("The person of this code may no longer inspect here. Ask the office.")
        if device is None:
            device = Device(
                id=device_id,
                village=found.village,
                name=(" ".join(name.split()) or "Tablet")[:120],
                kid=keys.thumbprint(key),
                public_key=key,
                person_id=found.person_id,
                app=app[:40],
                enrolled_at=now,
                last_seq=0,
                last_hash="",
                last_seen_at=now,
            )
            session.add(device)
            session.flush()
            found.used_at, found.device_id = now, device_id
        session.add(_person_token(token, device.id, found.person_id, now))
        throttle.succeed(session, attempts)
    log.info("device_enrolled", village=device.village, device=device.id, person=device.person_id)
    assert device.person is not None
    return Enrolment(device, device.person, token)


def _made_before(code: EnrolmentCode, kid: str) -> Device | None:
    """The device that this code made for this very key, if its tablet seems never to have heard of it."""
    device = db.session.get(Device, code.device_id) if code.device_id else None
    is_same = device is not None and device.kid == kid
    return device if device and is_same and device.last_seq == 0 and device.revoked_at is None else None


def prove(device_id: str, nonce: str, signature: str, secret: str, now: datetime) -> Device:
    """The device that signed this nonce with its key; a revoked one too, for what it captured is not lost."""
    keys.check_nonce(nonce, secret, now)
    device = store.device(device_id)
    if device is None or device.is_server or not keys.verify(device.public_key, signature, nonce):
        raise SignInRefused("The device is not known, or its key did not sign this. Enrol the tablet again.")
    return device


def token_for(device: Device, now: datetime) -> Token:
    """A token for sending, good for 15 minutes."""
    token, device_id, until = secrets.token_urlsafe(32), device.id, now + DEVICE_TOKEN_LIFE
    with transaction() as session:
        session.execute(delete(DeviceToken).where(DeviceToken.expires_at < now - LONGEST_PERSON_TOKEN))
        session.add(
            DeviceToken(
                token_sha256=_hash(token),
                device_id=device_id,
                person_id=None,
                scope=DEVICE_SCOPE,
                issued_at=now,
                expires_at=until,
            )
        )
    return Token(token, until, DEVICE_SCOPE)


def person_token_for(
    device: Device, sign_in_name: str, password: str, address: str, now: datetime
) -> tuple[Token, Person]:
    """Sign a person in on a device that proved itself; they must belong to the device's village."""
    device_id, village = device.id, device.village
    if device.revoked_at is not None:
        raise NotAllowed(REVOKED)
    person = people.authenticate(sign_in_name, password, address, now)
    if not people.may(person, village, "inspector"):
        raise NotAllowed(
            "This tablet belongs to a village in which you are not an inspector. Ask the office."
        )
    token, person_id = secrets.token_urlsafe(32), person.id
    with transaction() as session:
        session.add(_person_token(token, device_id, person_id, now))
    return Token(token, now + PERSON_TOKEN_LIFE, PERSON_SCOPE), person


def holder(token: str, scope: str, now: datetime) -> Holder:
    """Whom a bearer token stands for, if it is good for this scope (`push`, `upload` or `pull`).

    A person's token is prolonged by use. Raises SignInRefused (token unknown or over) and NotAllowed (it is
    not for this, or the device was revoked and wants to read).
    """
    kept = db.session.get(DeviceToken, _hash(token))
    if kept is None or kept.expires_at <= now:
        raise SignInRefused("The token is unknown or over. Get a new one; nothing on the tablet is lost.")
    device = store.device(kept.device_id)
    person = store.person(kept.person_id) if kept.person_id else None
    assert device is not None
    if scope not in kept.scope.split():
        raise NotAllowed(f"This token is not for {scope}.")
    if scope == PERSON_SCOPE:
        if device.revoked_at is not None:
            raise NotAllowed(
                "This tablet was taken out of use. Ask the office; what it holds can still be sent."
            )
        if person is None or not people.may(person, device.village, "inspector"):
            raise SignInRefused("You are no longer an inspector of this village. Ask the office.")
        _prolong(kept, now)
    return Holder(device, person, kept.scope)


def seen(
    device_id: str, now: datetime, unsent_ops: int | None = None, unsent_bytes: int | None = None
) -> None:
    """Note that a device checked in, and what it said it still holds."""
    values: dict[str, Any] = {"last_seen_at": now}
    if unsent_ops is not None:
        values["unsent_ops"] = max(0, unsent_ops)
    if unsent_bytes is not None:
        values["unsent_bytes"] = max(0, unsent_bytes)
    with transaction() as session:
        session.execute(update(Device).where(Device.id == device_id).values(**values))


def revoke(village: str, device_id: str, by: Person | None, now: datetime) -> Device:
    """Take a tablet out of use for good: it reads nothing more; what it still sends is set aside."""
    by_id = by.id if by else None
    with transaction() as session:
        device = session.get(Device, device_id)
        if device is None or device.village != village or device.is_server:
            raise NotFound("There is no such tablet in this village.")
        if device.revoked_at is None:
            device.revoked_at, device.revoked_by = now, by_id
            session.execute(
                delete(DeviceToken).where(
                    DeviceToken.device_id == device_id, DeviceToken.person_id.is_not(None)
                )
            )
    log.info("device_revoked", village=village, device=device_id, by=by_id)
    return device


def _person_token(token: str, device_id: str, person_id: str, now: datetime) -> DeviceToken:
    return DeviceToken(
        token_sha256=_hash(token),
        device_id=device_id,
        person_id=person_id,
        scope=PERSON_SCOPE,
        issued_at=now,
        expires_at=now + PERSON_TOKEN_LIFE,
    )


def _prolong(kept: DeviceToken, now: datetime) -> None:
    """Move the end of a person's token on, at most once an hour so that reading seldom writes."""
    until = min(now + PERSON_TOKEN_LIFE, kept.issued_at + LONGEST_PERSON_TOKEN)
    if until - kept.expires_at < timedelta(hours=1):
        return
    token_sha256 = kept.token_sha256
    with transaction() as session:
        session.execute(
            update(DeviceToken).where(DeviceToken.token_sha256 == token_sha256).values(expires_at=until)
        )


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
