"""Desks: a browser of the office, signed in as one of the cast, which sends forms with their token."""

import re

import pytest

from tests.office.field_work import FieldTablet, let_tap

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Desk:
    """One person's browser. `post` sends the token of the session, as a form of the page would."""

    def __init__(self, app):
        self.client = app.test_client()
        self.token = ""

    def sign_in(self, name, password):
        self.learn_token()
        answer = self.post("/sign-in", name=name, password=password)
        self.learn_token()
        return answer

    def learn_token(self):
        """Read the token from a page; signing in makes a new one."""
        page = self.client.get("/account", follow_redirects=True).text
        self.token = TOKEN.search(page).group(1)

    def get(self, path, **more):
        return self.client.get(path, **more)

    def post(self, path, **fields):
        return self.client.post(path, data={"csrf_token": self.token, **fields})


@pytest.fixture
def desk(app):
    """Make a desk: `desk(reviewer_1)` is signed in, `desk()` is not."""

    def make(member=None):
        made = Desk(app)
        if member is None:
            made.learn_token()
        else:
            answer = made.sign_in(member.sign_in_name, member.password)
            assert answer.status_code == 302, answer.text
        return made

    return make


@pytest.fixture
def tablet_a(app, inspector_a):
    """Inspector A's tablet; the Committee lets Plumber 2 tap."""
    let_tap(app)
    return FieldTablet(app, inspector_a, "Tablet A")


@pytest.fixture
def tablet_b(app, inspector_b):
    """Inspector B's tablet, whose clock is 47 minutes slow."""
    return FieldTablet(app, inspector_b, "Tablet B", offset_ms=47 * 60_000)
