"""Three workers on the database of the test, and tablets enrolled there."""

from datetime import UTC, datetime

import pytest

from inspect_app.services import devices
from tests.api.tablet import Tablet
from tests.processes.workers import Workers
from tests.support.databases import close


@pytest.fixture
def workers(data, database_url):
    """gunicorn on the database of this test, not started yet."""
    workers = Workers(data, database_url if database_url.startswith("postgresql") else None)
    yield workers
    workers.kill()


@pytest.fixture
def make_tablets(app, inspector_a, inspector_b):
    """`make_tablets(number)`: so many enrolled tablets; no connection stays open behind them."""

    def make(number):
        made = []
        for n in range(number):
            member = (inspector_a, inspector_b)[n % 2]
            with app.app_context():
                code = devices.make_code(member.village, member.id, None, datetime.now(UTC))
            made.append(Tablet(app, code, f"Tablet {n}"))
        close(app)
        return made

    return make
