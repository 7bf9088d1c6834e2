"""The office's side of a walkthrough: what the server holds, and what a reviewer does with it."""

import hashlib

from inspect_app.services.demonstration import PASSWORD
from inspect_app.store import findings, inspections, photos
from tests.support.pages import sign_in


def server_findings(app, record_id: str) -> dict[str, str]:
    """Rule and outcome as the server itself judged the record's newest revision."""
    with app.app_context():
        return {row.rule: row.outcome for row in findings.latest(record_id, "server")}


def tablet_findings(app, record_id: str) -> dict[str, str]:
    """Rule and outcome as the tablet sent them with the submission."""
    with app.app_context():
        return {row.rule: row.outcome for row in findings.latest(record_id, "tablet")}


def record(app, record_id: str):
    """The record's columns as a plain dictionary."""
    with app.app_context():
        row = inspections.inspection(record_id)
        return {column.name: getattr(row, column.name) for column in row.__table__.columns}


def stored_photos(app, record_id: str) -> list[tuple[str, str]]:
    """For each photo of the record, the hash that the tablet signed and the hash of the bytes that lie here."""
    blobs = app.config["SETTINGS"].blobs
    with app.app_context():
        rows = [(row.sha256, row.state) for row in photos.photos_of([record_id])]
    pairs = []
    for sha256, state in rows:
        lies_here = [path for path in blobs.rglob(sha256) if path.is_file()]
        content = lies_here[0].read_bytes() if lies_here else b""
        pairs.append((sha256, hashlib.sha256(content).hexdigest() if lies_here else state))
    return pairs


class Reviewer:
    """A reviewer at a desk, signed in."""

    def __init__(self, page, origin: str, village: str, name: str):
        self.page = page
        self.origin = origin
        self.village = village.replace("_", "-")
        sign_in(page, origin, name, PASSWORD)

    def open(self, number: str) -> None:
        """Find a record in the queue by its number and open it."""
        self.page.goto(f"{self.origin}/{self.village}/queue?q={number}")
        self.page.locator("main table").get_by_role("link", name=number).first.click()
        self.page.get_by_role("heading", level=1).wait_for()

    def shows(self, rule: str) -> bool:
        """Whether the record's page speaks of this rule."""
        return self.page.locator("main").get_by_text(rule, exact=False).count() > 0

    def take(self) -> None:
        self.page.get_by_role("button", name="Take into review").click()

    def approve(self) -> None:
        self.page.get_by_role("button", name="Approve").click()
