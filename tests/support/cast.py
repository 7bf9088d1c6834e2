"""The fixed cast of the tests: people of Barneveld, and an outsider with every role in the other village."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from inspect_app.domain.ids import new_id
from inspect_app.services import devices, passwords
from inspect_app.store import people
from inspect_app.store.base import transaction
from inspect_app.store.people import Membership, Person
from tests.support.databases import opened
from tests.support.server import LiveServer

PASSWORD = "a password of the tests 1857"
BEFORE = datetime(2026, 1, 2, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Member:
    """Somebody of the cast, as plain values that outlive every session of the database."""

    id: str
    sign_in_name: str
    name: str
    village: str
    roles: tuple[str, ...]
    password: str = PASSWORD


CAST = {
    "inspector_a": ("Inspector A", "barneveld", ("inspector",)),
    "inspector_b": ("Inspector B", "barneveld", ("inspector",)),
    "reviewer_1": ("Reviewer 1", "barneveld", ("reviewer",)),
    "administrator": ("Administrator", "barneveld", ("administrator",)),
    "reader": ("Reader", "barneveld", ("reader",)),
    "outsider": ("Outsider", "howards_grove", ("inspector", "reviewer", "administrator")),
}


@cache
def hashed() -> str:
    """The hash of the cast's password; made once, since it takes a tenth of a second on purpose."""
    return passwords.hashed(PASSWORD)


def hire(key: str) -> Member:
    """Put one of the cast into the database of the current application."""
    name, village, roles = CAST[key]
    member = Member(new_id(BEFORE), key.replace("_", "-"), name, village, roles)
    with transaction() as session:
        session.add(
            Person(
                id=member.id,
                sign_in_name=member.sign_in_name,
                name=name,
                password_hash=hashed(),
                active=True,
                created_at=BEFORE,
            )
        )
        session.flush()
        session.add_all(Membership(person_id=member.id, village=village, role=role) for role in roles)
    return member


def enrolment_code(server: LiveServer, sign_in_name: str, village: str) -> str:
    """A one-time code for a tablet of this person on a running server with its own SQLite file."""
    with opened(server.data, server.database_url) as app, app.app_context():
        person = people.person_by_name(sign_in_name)
        return devices.make_code(village, person.id, None, datetime.now(UTC))
