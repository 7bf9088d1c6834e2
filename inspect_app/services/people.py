"""Who people are and what they may do: sign-in, passwords, roles.

The session of a signed-in person is kept by the office; the tokens of tablets are in services/devices.py.
"""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

import structlog
from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from inspect_app.domain.errors import NotAllowed, NotFound, Refused, SignInRefused
from inspect_app.domain.ids import new_id
from inspect_app.services import passwords, throttle
from inspect_app.store import people as store
from inspect_app.store.base import transaction
from inspect_app.store.people import ROLES, DeviceToken, Membership, Person

REFUSAL = "The sign-in name and the password do not fit together. Check both; capitals count in the password."

log = structlog.get_logger()


def authenticate(name: str, password: str, key: str, now: datetime) -> Person:
    """The person of this name and password; `key` is the address the try came from.

    Raises SignInRefused, in the same words and after the same work for an unknown name, and TooManyTries.
    """
    name = name.strip().lower()
    keys = {f"name:{sha256(name.encode()).hexdigest()}": throttle.NAME, f"address:{key}": throttle.ADDRESS}
    attempts = throttle.begin(keys, now)
    person = store.person_by_name(name)
    does_fit = passwords.fits(person.password_hash if person else passwords.hash_of_nobody(), password)
    if person is None or not does_fit or not person.active:
        raise SignInRefused(REFUSAL)
    with transaction() as session:
        throttle.succeed(session, attempts)
        if passwords.is_outdated(person.password_hash):
            session.execute(
                update(Person).where(Person.id == person.id).values(password_hash=passwords.hashed(password))
            )
    return person


def may(person: Person, village: str, role: str) -> bool:
    """Whether the person may act in this role there; reading is open to every member of the village."""
    roles = store.roles_of(person, village) if person.active else ()
    return bool(roles) if role == "reader" else role in roles


def require(person: Person, village: str, *roles: str) -> None:
    """Raise NotFound for an outsider of the village, NotAllowed for a member in none of these roles."""
    if not may(person, village, "reader"):
        raise NotFound("There is nothing at this address for you. Check the address, or ask the office.")
    if not any(may(person, village, role) for role in roles):
        wanted = " or ".join(roles)
        raise NotAllowed(f"This needs the role {wanted}. Ask the village's administrator.")


def add(
    village: str,
    sign_in_name: str,
    name: str,
    roles: Iterable[str],
    now: datetime,
    password: str | None = None,
    by: Person | None = None,
) -> tuple[Person, str]:
    """Make a person with roles in one village; returns them and the first password, made up if not given."""
    sign_in_name, name, wanted = sign_in_name.strip().lower(), " ".join(name.split()), _checked(roles)
    _check_sign_in_name(sign_in_name)
    if not name:
        why = "Type the name that records will show."
        raise Refused(why, errors={"name": [why]})
    password = password or passwords.made_up()
    passwords.check_new(password, sign_in_name)
    hashed = passwords.hashed(password)
    with transaction() as session:
        if store.person_by_name(sign_in_name):
            taken = f"The sign-in name {sign_in_name} is taken. Choose another."
            raise Refused(taken, errors={"sign_in_name": [taken]})
        person = Person(
            id=new_id(now),
            sign_in_name=sign_in_name,
            name=name,
            password_hash=hashed,
            active=True,
            created_at=now,
        )
        session.add(person)
        session.flush()
        session.add_all(Membership(person_id=person.id, village=village, role=role) for role in wanted)
    log.info("person_added", village=village, person=person.id, roles=wanted, by=by.id if by else None)
    return person, password


def join(village: str, sign_in_name: str, roles: Iterable[str]) -> Person:
    """Give a person who is known already, perhaps from another village, roles here."""
    person = store.person_by_name(sign_in_name)
    if person is None:
        raise NotFound(f"There is no person with the sign-in name {sign_in_name}.")
    wanted, held = _checked(roles), store.roles_of(person, village)
    with transaction() as session:
        session.add_all(
            Membership(person_id=person.id, village=village, role=role) for role in wanted if role not in held
        )
    return person


def set_roles(village: str, person_id: str, roles: Iterable[str], by: Person | None = None) -> None:
    """Give a person exactly these roles in one village; elsewhere nothing changes."""
    wanted = _checked(roles)
    with transaction() as session:
        person = _member(person_id, village)
        if "administrator" not in wanted:
            _keep_an_administrator(village, person)
        here = (Membership.person_id == person_id, Membership.village == village)
        session.execute(delete(Membership).where(*here))
        session.expire(person, ["memberships"])
        session.add_all(Membership(person_id=person_id, village=village, role=role) for role in wanted)
    log.info("roles_set", village=village, person=person_id, roles=wanted, by=by.id if by else None)


def set_active(village: str, person_id: str, active: bool, by: Person | None = None) -> None:
    """Let a person in again, or keep them out: sessions and tokens end, records keep their name."""
    with transaction() as session:
        person = _member(person_id, village)
        _own_village_only(person, by)
        if not active:
            if by is not None and person.id == by.id:
                raise Refused("You cannot deactivate yourself. Ask another administrator.")
            _keep_an_administrator(village, person)
            _end_person_tokens(session, person_id)
        person.active = active
    log.info("person_active", village=village, person=person_id, active=active, by=by.id if by else None)


def reset_password(village: str, person_id: str, by: Person | None, password: str | None = None) -> str:
    """Give a person a new first password, made up if not given, and return it; their sessions end."""
    person = _member(person_id, village)
    _own_village_only(person, by)
    password = password or passwords.made_up()
    set_password(person, password)
    return password


def set_password(person: Person, password: str) -> None:
    """Replace the password; every session and tablet sign-in made with the old one ends."""
    person_id = person.id
    passwords.check_new(password, person.sign_in_name)
    hashed = passwords.hashed(password)
    with transaction() as session:
        session.execute(update(Person).where(Person.id == person_id).values(password_hash=hashed))
        _end_person_tokens(session, person_id)
    log.info("password_set", person=person_id)


def change_password(person: Person, current: str, new: str, key: str, now: datetime) -> None:
    """Change one's own password, proving the current one; guesses here count like guesses at sign-in."""
    try:
        authenticate(person.sign_in_name, current, key, now)
    except SignInRefused:
        wrong = "This is not your current password. Capitals count."
        raise Refused(wrong, errors={"current": [wrong]}) from None
    try:
        set_password(person, new)
    except Refused as refusal:
        raise Refused(str(refusal), errors={"new": [str(refusal)]}) from None


def session_id(person: Person) -> str:
    """What a session keeps: id and a mark of the password, so that a new password ends old sessions."""
    return f"{person.id}.{sha256(person.password_hash.encode()).hexdigest()[:16]}"


def of_session(kept: str) -> Person | None:
    """The active person of a kept session id, or None if the password changed since."""
    person = store.person(kept.partition(".")[0])
    return person if person and person.active and session_id(person) == kept else None


def _checked(roles: Iterable[str]) -> list[str]:
    wanted = sorted(set(roles), key=lambda role: ROLES.index(role) if role in ROLES else -1)
    unknown = [role for role in wanted if role not in ROLES]
    if unknown or not wanted:
        why = f"There is no role {unknown[0]}." if unknown else "No role is chosen."
        why = f"{why} Choose from {', '.join(ROLES)}."
        raise Refused(why, errors={"roles": [why]})
    return wanted


def _check_sign_in_name(name: str) -> None:
    plain = name.replace("-", "").replace(".", "").replace("_", "").replace("@", "")
    if not (plain.isascii() and plain.isalnum() and len(name) <= 80):
        why = "A sign-in name has letters a to z, digits, and the signs . - _ @ only."
        raise Refused(why, errors={"sign_in_name": [why]})


def _member(person_id: str, village: str) -> Person:
    person = store.person(person_id)
    if person is None or not store.roles_of(person, village):
        raise NotFound("There is no such person in this village.")
    return person


def _own_village_only(person: Person, by: Person | None) -> None:
    """A person of two villages is not one administrator's to lock out or to take over."""
    if by is None:
        return
    for village in store.villages_of(person):
        if "administrator" not in store.roles_of(by, village):
            raise NotAllowed(
                f"{person.name} also works for another village. Take away the roles here, "
                "or ask who runs this installation."
            )


def _keep_an_administrator(village: str, person: Person) -> None:
    others = [other for other in store.people_of(village, "administrator", True) if other.id != person.id]
    if "administrator" in store.roles_of(person, village) and not others:
        why = f"{person.name} is the only administrator here. Make another administrator first."
        raise Refused(why, errors={"roles": [why]})


def _end_person_tokens(session: Session, person_id: str) -> None:
    session.execute(delete(DeviceToken).where(DeviceToken.person_id == person_id))
