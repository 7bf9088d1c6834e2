"""Walkthrough 4, the field's part: a control manhole is sampled, and the cooler handed to a courier."""

import hashlib
import json
from datetime import date

from inspect_app.domain import rules
from inspect_app.domain.custody import check, read_event
from inspect_app.store import custody
from inspect_app.store.villages import pack_of
from tests.e2e.chain import chain_shown, open_chain, write_entry
from tests.e2e.office import Reviewer, record, server_findings, stored_photos, tablet_findings

AT_THE_MANHOLE = {"latitude": 43.8322, "longitude": -87.8177, "accuracy": 3}
# The laboratory's and the office's part: nothing of it is asked in the field.
NOT_IN_THE_FIELD = {
    "custody_events",
    "lab_results",
    "workday_gallons",
    "system_gallons",
    "on_toxic_list",
    "significant_impact",
}
# What the form asks and the walkthrough does not tell: the sampler was the Village's, the method a known one.
NOT_IN_THE_WALKTHROUGH = {
    "discharger_facility": "no",
    "sampling_method": "Time-paced composite",
    "sampling_method_has_reference": "yes",
    "sampling_method_reference": "Standard Methods 1060",
}
SEEN_AT_ONCE = {
    "HG-CMH-02": "pass",
    "HG-SMP-02": "pass",
    "HG-SMP-08": "not_applicable",
    "HG-SMP-09": "pass",
    "HG-PRH-03": "warning",
    "HG-PRH-07": "pass",
    "HG-CAT-02": "information",
}


def test_a_manhole_is_sampled_and_the_samples_are_handed_over(enrolled, office_app, page, walkthrough):
    visit = walkthrough(4)
    answers = {name: value for name, value in visit["answers"].items() if name not in NOT_IN_THE_FIELD}
    answers |= NOT_IN_THE_WALKTHROUGH
    answers["site_rules_ack"] = "Sampler D"
    tablet = enrolled("sampler-d", "howards_grove", geolocation=AT_THE_MANHOLE)
    inspector = tablet.inspector
    tablet.go_offline()
    record_id = inspector.start("CM-03, Food Plant 1")
    inspector.fill_in(answers)

    open_chain(inspector)
    write_entry(inspector, "seal", from_role="Sampler D", seal_no="004512")
    write_entry(
        inspector, "relinquish", "Sampler D", from_role="Sampler D", to_role="Courier 1", seal_no="004512"
    )
    write_entry(inspector, "receive", "Courier 1", to_role="Courier 1", seal_no="004512", seal_state="intact")
    assert "Courier 1" in inspector.page.locator("#holder").inner_text()
    assert [text.split("\n")[1] for text in chain_shown(inspector)] == [
        "Seal: Sampler D",
        "Relinquish: Sampler D → Courier 1",
        "Receive: Courier 1",
    ]
    inspector.page.get_by_role("link", name="Back").last.click()
    inspector.page.locator("nav.rail").wait_for()

    taken = inspector.take_photos()
    inspector.sign("signature_inspector", "Sampler D")
    seen = inspector.findings()
    expected = outcomes_without_the_laboratory(visit, answers)
    assert seen == expected
    assert {rule: seen[rule] for rule in SEEN_AT_ONCE} == SEEN_AT_ONCE
    assert "Category B" in inspector.text_of("HG-CAT-02")
    assert inspector.page.locator(".opens [data-insisted]").count() == 0
    assert "22 min > 15 min" in inspector.text_of("HG-PRH-03")
    assert "pH 5.4 is lower than 5.5" in inspector.text_of("HG-PRH-03")
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    found = server_findings(office_app, record_id)
    assert found == seen == tablet_findings(office_app, record_id)
    photos = stored_photos(office_app, record_id)
    assert len(photos) == taken
    assert all(signed == lies_here for signed, lies_here in photos)
    events = stored_chain(office_app, record_id)
    assert [event.says["action"] for event in events] == ["seal", "relinquish", "receive"]
    assert {event.says["sample_set"] for event in events} == {"SE-26-011"}
    assert [event.says["signature"] and event.says["signature"]["name"] for event in events] == [
        None,
        "Sampler D",
        "Courier 1",
    ]
    assert len(events[0].says["containers_moved"]) == len(answers["containers"])

    reviewer = Reviewer(page, tablet.origin, "howards_grove", "reviewer-2")
    reviewer.open(record(office_app, record_id)["number"])
    assert reviewer.findings() == found
    shown = reviewer.custody()
    assert [hash_ for _, hash_ in shown] == [event.hash[:16] for event in events]
    for words, (text, _) in zip(("Seal, SE-26-011", "Relinquish", "Receive"), shown, strict=True):
        assert words in text
        assert "004512" in text
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []


def outcomes_without_the_laboratory(visit: dict, answers: dict) -> dict[str, str]:
    """What the rules say of the field's answers alone."""
    pack = pack_of(visit["village"], date.fromisoformat(visit["on"]))
    found = rules.evaluate(pack, visit["kind"], answers, visit["context"], on=visit["on"])
    return {finding.rule: finding.outcome for finding in found}


def stored_chain(app, record_id: str) -> list:
    """The chain as the office holds it: each event has the hash of its own bytes and names the one before."""
    with app.app_context():
        rows = custody.events_of([record_id])
        events = [read_event(row.event) for row in rows]
        assert [row.event_hash for row in rows] == [
            hashlib.sha256(row.event.encode()).hexdigest() for row in rows
        ]
    assert [event.prev for event in events] == ["", *(event.hash for event in events[:-1])]
    assert [json.loads(event.text)["event_no"] for event in events] == list(range(1, len(events) + 1))
    assert check(events) == []
    return events
