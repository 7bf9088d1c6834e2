"""Desks: a browser of the office, signed in as one of the cast, which sends forms with their token."""

import re

import pytest

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
