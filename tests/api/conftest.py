"""Tablets of the cast, enrolled through the API like any other."""

from datetime import UTC, datetime

import pytest

from inspect_app.services import devices
from inspect_app.store.people import person
from tests.api.tablet import Tablet


@pytest.fixture
def tablet_of(app):
    """`tablet_of(member)`: one more tablet of a member of the cast."""

    def make(member, name="Tablet"):
        with app.app_context():
            code = devices.make_code(member.village, member.id, None, datetime.now(UTC))
        return Tablet(app, code, name)

    return make


@pytest.fixture
def tablet_a(tablet_of, inspector_a):
    return tablet_of(inspector_a, "Tablet of A")


@pytest.fixture
def tablet_b(tablet_of, inspector_b):
    return tablet_of(inspector_b, "Tablet of B")


@pytest.fixture
def outside(tablet_of, outsider):
    """A tablet of the other village."""
    return tablet_of(outsider, "Tablet of the outsider")


@pytest.fixture
def office(app):
    """`office(member, kind, record_id, ...)`: one step of the office; gives the result."""
    from inspect_app.services.ops import office_op

    def step(member, kind, record_id, **own):
        with app.app_context():
            content = {"kind": kind, "record_id": record_id, **own}
            return office_op(member.village, person(member.id), content, datetime.now(UTC))

    return step


@pytest.fixture
def rows(app):
    """`rows(Model, name=value)`: what the database holds now, as plain dictionaries."""
    from sqlalchemy import inspect, select

    from inspect_app.store.base import db

    def find(model, **wanted):
        with app.app_context():
            found = db.session.scalars(select(model).filter_by(**wanted)).all()
            return [{c.key: getattr(row, c.key) for c in inspect(model).mapper.column_attrs} for row in found]

    return find
