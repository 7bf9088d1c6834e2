"""The office's side of a walkthrough: what the server holds, and what a reviewer does with it."""

import hashlib
import re

from inspect_app.services.demonstration import PASSWORD
from inspect_app.store import findings, inspections, photos
from tests.support.pages import sign_in

RULE = re.compile(r"[A-Z]{2}-(?:[A-Z]{3}-)?\d{2}\b")
# The office's classes for the outcomes whose class is not their name.
TONES = {"open": "not_evaluated", "none": "not_applicable"}
# Findings stand as a card, as a line, or inside the folded lines of those that pass or do not apply.
SHOWN = """() => {
  const all = document.querySelectorAll("[aria-labelledby='fi'] :is(article, .lines > .line)");
  const tone = (one) => [...one.classList].find((name) => name.startsWith("is-")).slice(3);
  const folded = (one) => [...one.querySelectorAll("li")].map((line) => line.textContent);
  return [...all].map((one) => [tone(one), `${one.id} ${one.textContent}`, folded(one)]);
}"""


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
    """For each photo of the record: the hash that the tablet signed, the hash of the bytes that lie here."""
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

    def __init__(self, page, origin: str, village: str, name: str, password: str = PASSWORD):
        self.page = page
        self.origin = origin
        self.village = village.replace("_", "-")
        sign_in(page, origin, name, password)

    def open(self, number: str) -> None:
        """Find a record in the queue by its number and open it."""
        self.page.goto(f"{self.origin}/{self.village}/queue?q={number}")
        self.page.locator("main table").get_by_role("link", name=number).first.click()
        self.page.get_by_role("heading", level=1).wait_for()

    def shows(self, rule: str) -> bool:
        """Whether the record's page speaks of this rule."""
        return self.page.locator("main").get_by_text(rule, exact=False).count() > 0

    def findings(self) -> dict[str, str]:
        """Rule and outcome as the record's page lists them, those folded away among them."""
        found = {}
        for tone, text, folded in self.page.evaluate(SHOWN):
            for line in folded or [text]:
                named = RULE.search(line)
                assert named, f"No rule is named in {line!r}"
                found[named.group()] = TONES.get(tone, tone)
        return found

    def corrected(self) -> list[str]:
        """The rules whose violation was corrected, each with a card that says when."""
        return self.page.locator("[data-corrected]").evaluate_all(
            "all => all.map(one => one.dataset.corrected)"
        )

    def gates(self) -> str:
        """What the page says stands before an approval."""
        return self.page.locator("[aria-labelledby='gates']").inner_text()

    def ask_approval(self, rev: int) -> tuple[int, str]:
        """Ask for the approval that the page does not offer: status and text of the answer."""
        token = self.page.locator("input[name='csrf_token']").first.get_attribute("value")
        answer = self.page.request.post(
            f"{self.page.url.partition('#')[0]}/approve", form={"csrf_token": token, "rev": rev}
        )
        return answer.status, answer.text()

    def confirm(self, rule: str) -> None:
        self.page.locator(f"#rule-{rule}").get_by_role("button", name="Confirm").click()
        self.page.locator(f"#rule-{rule}").get_by_text("Confirmed by").wait_for()

    def send_back(self, reason: str) -> None:
        self.page.locator("summary", has_text="Return for correction").click()
        self.page.get_by_label("What is to be corrected").fill(reason)
        self.page.get_by_role("button", name="Return the record").click()
        self.page.get_by_text("Returned. The inspector reads your reason on the tablet.").wait_for()

    def custody(self) -> list[tuple[str, str]]:
        """The events of the chain in their order, each as its text and the beginning of its hash."""
        rows = self.page.locator("[aria-labelledby='chain'] li")
        return [(row.inner_text(), row.locator(".hash").inner_text()) for row in rows.all()]

    def take(self) -> None:
        self.page.get_by_role("button", name="Take into review").click()

    def approve(self) -> None:
        self.page.get_by_role("button", name="Approve").click()
