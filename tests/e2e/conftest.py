"""What the walkthroughs share: the demonstration's server, an enrolled tablet, the vectors they type in."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspect_app.services import devices
from inspect_app.store import people
from tests.e2e.inspector import Inspector
from tests.support.databases import opened
from tests.support.steps import enrol

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


@pytest.fixture
def office_app(demo_server):
    """The application on the server's own database, to read what the office holds."""
    with opened(demo_server.data, demo_server.database_url) as app:
        yield app


@pytest.fixture
def enrolled(demo_server, office_app, make_tablet):
    """`enrolled("inspector-a", "barneveld")`: a tablet that this person enrolled and opened."""

    def make(sign_in_name: str, village: str, **options):
        with office_app.app_context():
            person = people.person_by_name(sign_in_name)
            code = devices.make_code(village, person.id, None, datetime.now(UTC))
        tablet = make_tablet(demo_server.url, sign_in_name, **options)
        enrol(tablet, code)
        tablet.page.locator("#ready[data-ready='yes']").wait_for()
        tablet.inspector = Inspector(tablet.page)
        return tablet

    return make


@pytest.fixture(scope="session")
def vectors():
    """`vectors(5)`: the base vector of a walkthrough and all its variations."""
    return lambda number: json.loads((VECTORS / f"walkthrough{number}.json").read_text())


@pytest.fixture(scope="session")
def walkthrough():
    """`walkthrough(1)`: the base vector of a walkthrough; `walkthrough(1, "name")`: one of its variations."""

    def read(number: int, name: str | None = None) -> dict:
        vectors = json.loads((VECTORS / f"walkthrough{number}.json").read_text())
        return next(vector for vector in vectors if name in (None, vector["name"]))

    return read
