"""Walkthrough 3, first visit: three outlets of one house in Howards Grove, each with its own dye."""

from tests.e2e.office import Reviewer, record, server_findings, stored_photos, tablet_findings

HOWARDS_GROVE = {"latitude": 43.8341, "longitude": -87.8196, "accuracy": 4}


def test_three_outlets_are_dyed_and_found_connected(enrolled, office_app, page, walkthrough):
    visit = walkthrough(3)
    tablet = enrolled("inspector-c", "howards_grove", geolocation=HOWARDS_GROVE)
    inspector = tablet.inspector
    tablet.go_offline()
    record_id = inspector.start("12 Example Lane")
    inspector.fill_in(visit["answers"])
    assert inspector.take_photos() == 2
    for slot in ("outlet_before-outlets", "dye_in_manhole-outlets"):
        inspector.take_another(slot)
        inspector.take_another(slot)
    inspector.sign("signature_inspector", "Inspector C")
    inspector.sign("signature_installer", "Owner")
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert [rule for rule, outcome in seen.items() if outcome in ("violation", "discretion")] == ["HG-STM-01"]
    assert "Notice pending" in inspector.text_of("HG-STM-01")
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    found = server_findings(office_app, record_id)
    assert found == seen == tablet_findings(office_app, record_id)
    photos = stored_photos(office_app, record_id)
    assert len(photos) == 6
    assert all(signed == lies_here for signed, lies_here in photos)
    reviewer = Reviewer(page, tablet.origin, "howards_grove", "reviewer-2")
    reviewer.open(record(office_app, record_id)["number"])
    assert reviewer.findings() == found
    assert "One violation stands. Return the record, or dispute it with a reason." in reviewer.gates()
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []
