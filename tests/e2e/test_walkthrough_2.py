"""Walkthrough 2: a tap 5.5 in from a joint at 4 o'clock: judged at the opening, returned by the office."""

from tests.e2e.office import Reviewer, record, server_findings, stored_photos, tablet_findings

PLACE = "MH-112 + 147.3 ft"
REASON = "Repair the old opening and tap again, 40 in from the joint. Call before you cover it."


def test_a_tap_too_near_a_joint_is_refused_and_returned(enrolled, office_app, page, walkthrough):
    visit = walkthrough(2)
    tablet = enrolled("inspector-a", "barneveld")
    inspector = tablet.inspector
    tablet.go_offline()
    record_id = inspector.start(PLACE)
    inspector.fill_in(visit["answers"])
    assert inspector.take_photos() == 10
    inspector.sign("signature_inspector", "Inspector A")
    inspector.sign("signature_installer", "Plumber 2")
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    assert bad(seen) == {"BV-TAP-03", "BV-TAP-04"}
    joint, around = inspector.text_of("BV-TAP-04"), inspector.text_of("BV-TAP-03")
    assert "5.5 in ≤ 6 in" in joint
    assert "not within six inches (15 cm) of the joint" in joint
    assert "120° > 90°" in around
    assert "tapped on the top half" in around
    for text in (joint, around):
        assert "270-22* B" in text
        assert "a “should”: the office confirms" in text
    inspector.submit()

    tablet.go_online()
    inspector.wait_until_sent()

    found = server_findings(office_app, record_id)
    assert found == seen == tablet_findings(office_app, record_id)
    photos = stored_photos(office_app, record_id)
    assert len(photos) == 10
    assert all(signed == lies_here for signed, lies_here in photos)

    held = record(office_app, record_id)
    reviewer = Reviewer(page, tablet.origin, "barneveld", "reviewer-1")
    reviewer.open(held["number"])
    assert reviewer.findings() == found
    reviewer.take()
    assert "Two violations stand. Return the record, or dispute them with a reason." in reviewer.gates()
    assert page.get_by_role("button", name="Approve").get_attribute("aria-disabled") == "true"
    status, said = reviewer.ask_approval(record(office_app, record_id)["rev"])
    assert status == 409
    assert "Two violations stand." in said
    assert record(office_app, record_id)["state"] == "in_review"
    for rule in ("BV-TAP-04", "BV-TAP-03"):
        reviewer.confirm(rule)
    reviewer.send_back(REASON)
    assert record(office_app, record_id)["state"] == "returned"

    # Opening the app again asks the office at once; left open, it asks by itself after a while.
    tablet.page.goto(f"{tablet.origin}/field/#/")
    tablet.page.reload()
    row = tablet.page.locator(f"[data-visit='{record_id}']")
    tablet.page.locator(f"[data-visit='{record_id}'][data-state='returned']").wait_for()
    assert "Returned for correction" in row.inner_text()
    row.get_by_role("link").click()
    assert REASON in tablet.page.locator("#returned").inner_text()
    assert [said for said in tablet.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []


def test_each_variation_shows_its_finding_on_the_tap_screen(enrolled, office_app, walkthrough):
    tablet = enrolled("inspector-a", "barneveld")
    inspector = tablet.inspector
    tablet.go_offline()
    record_id = inspector.start(PLACE)
    answers = walkthrough(2)["answers"]
    geometry = ("clock", "view_direction", "joint_distance_up", "joint_distance_down", "basis", "opening_dia")
    lateral = ("none_exposed", "other_lateral_distance")
    inspector.fill_in({name: answers[name] for name in geometry + lateral})
    inspector.go_to("tap_geometry")

    for typed, unit, outcome, says in (
        ("6.0", "in", "violation", ("at the limit", "6 in ≤ 6 in")),
        ("6.01", "in", "pass", ("6.01 in > 6 in",)),
        ("15.24", "cm", "violation", ("at the limit", "15.24 cm = 6 in ≤ 6 in")),
        ("15.25", "cm", "pass", ("15.25 cm",)),
        ("15.0", "cm", "violation", ("metric figure is rounded",)),
        ("5 1/2", "in", "violation", ("5.5 in ≤ 6 in",)),
    ):
        inspector.change_measure("joint_distance_down", typed, unit)
        assert inspector.outcome_of("BV-TAP-04") == outcome, typed
        assert [words for words in says if words not in inspector.text_of("BV-TAP-04")] == [], typed
    for typed, outcome, says in (("3:00", "warning", "at the limit"), ("2:59", "pass", "one clock step")):
        inspector.change_clock("clock", typed)
        assert inspector.outcome_of("BV-TAP-03") == outcome, typed
        assert says in inspector.text_of("BV-TAP-03"), typed
    inspector.change_measure("other_lateral_distance", "24.0")
    assert inspector.outcome_of("BV-TAP-05") == "violation"

    seen = inspector.findings()
    inspector.submit()
    tablet.go_online()
    inspector.wait_until_sent()
    assert server_findings(office_app, record_id) == seen


def bad(findings: dict[str, str]) -> set[str]:
    """The rules that were broken, or that a body decides."""
    return {rule for rule, outcome in findings.items() if outcome in ("violation", "discretion")}
