"""A sampler's visit that was handed in, and a desk that reads reports of laboratories."""

from datetime import UTC, datetime

import pytest

from inspect_app.services import devices, laboratory
from inspect_app.store import findings, inspections
from inspect_app.store import laboratory as store
from inspect_app.store.people import person
from tests.laboratory import visit


class Desk:
    """What the office does with reports, by the services its pages use."""

    def __init__(self, app, member):
        self.app, self.member = app, member

    def read(self, content, name="report.csv", now=visit.REPORTED):
        """Keep a file; {line: row} as plain values."""
        with self.app.app_context():
            file, is_new = laboratory.keep(self.member.village, name, content, person(self.member.id), now)
            self.file_id, self.is_new = file.id, is_new
        return self.rows()

    def rows(self):
        with self.app.app_context():
            found = store.rows_of(
                self.file_id,
                "ready",
                "tray",
                "refused",
                "quality",
                "same",
                "applied",
                "settled",
                limit=10_000,
            )
            return {
                row.line: {
                    name: getattr(row, name)
                    for name in (
                        "id",
                        "state",
                        "reasons",
                        "remarks",
                        "values",
                        "said",
                        "record_id",
                        "note",
                        "cells",
                    )
                }
                for row in found
            }

    def enter(self, now=visit.REPORTED):
        with self.app.app_context():
            return laboratory.enter(self.member.village, self.file_id, person(self.member.id), now)

    def do(self, function, *args, now=visit.REPORTED):
        with self.app.app_context():
            return function(self.member.village, *args, person(self.member.id), now)

    def record(self, record_id):
        with self.app.app_context():
            found = inspections.inspection(record_id)
            return {"state": found.state, "rev": found.rev, "doc": found.doc, "number": found.number}

    def findings(self, record_id):
        """{rule: body} of the server's newest findings."""
        with self.app.app_context():
            return {finding.rule: finding.body for finding in findings.latest(record_id, "server")}


@pytest.fixture
def lab_desk(app, outsider):
    """The office of Howards Grove; `outsider` is its person of every role."""
    return Desk(app, outsider)


@pytest.fixture
def code(app, outsider):
    with app.app_context():
        return devices.make_code(outsider.village, outsider.id, None, datetime.now(UTC))


@pytest.fixture
def visited(app, code):
    """The record of walkthrough 4, handed in: its id."""
    return visit.hand_in(app, code, visit.case("Walkthrough 4"))[1]
