"""Walkthrough 6: two inspectors change one record offline; both versions are kept, a person settles it."""

import pytest

from tests.e2e.inspector import Inspector
from tests.e2e.loss import choose_photos, pictures
from tests.e2e.office import Reviewer, record, stored_photos
from tests.support.axe import show_whole, violations

TAP = "MH-112 + 147.3 ft"
BASE = {
    "barricades_count": "2",
    "clock": "11:00",
    "joint_distance_down": {"value": "7.0", "unit": "in"},
    "frost_depth": {"value": "0", "unit": "in"},
}
WANTED = {
    "location_type", "purpose", "opened_at", "open_now", "observed_at", "stays_open_overnight",
    "barricades_type", "barricades_sides", "lights_type", "frost_method", "clock", "view_direction",
    "joint_distance_up", "joint_distance_down", "basis", "opening_dia", "none_exposed",
    "other_lateral_distance",
}  # fmt: skip
# Inspector B's tablet is 47 minutes slow: clocks never pick a winner.
SLOW_CLOCK = """(() => {
  const True = Date;
  const slow = 47 * 60_000;
  globalThis.Date = class extends True {
    constructor(...parts) { if (parts.length) super(...parts); else super(True.now() - slow); }
    static now() { return True.now() - slow; }
  };
})()"""


@pytest.fixture
def two_tablets(enrolled, office_app, walkthrough, tmp_path):
    """Both tablets hold one record of revision 7's values: Inspector A began it, B goes on with it."""
    answers = walkthrough(2)["answers"]
    a = enrolled("inspector-a", "barneveld")
    record_id = a.inspector.start(TAP)
    a.inspector.fill_in({name: answers[name] for name in WANTED} | BASE)
    (tmp_path / "base").mkdir()
    choose_photos(a.inspector, pictures(tmp_path / "base", 3, width=320))
    a.inspector.wait_until_sent()
    b = enrolled("inspector-b", "barneveld", bypass_csp=True)  # for axe alone
    b.context.add_init_script(SLOW_CLOCK)
    with b.page.expect_response("**/api/v1/reference"):  # by then the clocks were compared
        b.page.reload()
    b.page.locator(f"[data-visit='{record_id}'] a").wait_for()
    a.go_offline()
    b.go_offline()
    return a, b, record_id


def _open(tablet, record_id: str, section: str) -> Inspector:
    inspector = Inspector(tablet.page)
    tablet.page.evaluate(
        "([id, section]) => { location.hash = `#/visit/${id}/${section}`; }", [record_id, section]
    )
    tablet.page.locator(f"[data-section='{section}']").wait_for()
    return inspector


def _note(inspector: Inspector, text: str) -> None:
    inspector.go_to("decision")
    kept = inspector.page.locator("[data-field='notes'] li[data-row]")
    before = kept.count()
    inspector.page.locator(f"[id='field-notes-{before + 1}-note']").fill(text)
    inspector.page.locator("[data-field='notes']").get_by_role("button", name="Keep").click()
    kept.nth(before).wait_for()


def test_both_versions_are_kept_and_a_new_measurement_settles_it(two_tablets, office_app, page, tmp_path):
    a, b, record_id = two_tablets
    (tmp_path / "b").mkdir()
    first = pictures(tmp_path, 2, width=400)
    second = pictures(tmp_path / "b", 1, width=480)

    at_a = _open(a, record_id, "tap_geometry")
    at_a.change_measure("joint_distance_down", "5.5")
    _note(at_a, "measured to bell lip")
    choose_photos(at_a, first)
    at_a.sign("signature_inspector", "Inspector A")
    at_a.submit()

    at_b = _open(b, record_id, "tap_geometry")
    at_b.change_measure("joint_distance_down", "6.5")
    at_b.change_clock("clock", "10:30")
    at_b.go_to("site_safety")
    at_b.change_measure("barricades_count", "4")
    _note(at_b, "measured to gasket line")
    choose_photos(at_b, second)

    # A is first, whose version so stands; B's whole group waits beside it, and what only B changed is merged.
    a.go_online()
    at_a.wait_until_sent()
    after_a = record(office_app, record_id)["doc"]["groups"]
    assert after_a["tap_geometry"]["values"]["joint_distance_down"] == {"value": "5.5", "unit": "in"}
    b.go_online()
    at_b.wait_until_sent()
    held = record(office_app, record_id)
    groups, lists = held["doc"]["groups"], held["doc"]["lists"]
    assert groups["tap_geometry"] == after_a["tap_geometry"]
    assert groups["tap_geometry"]["values"]["clock"] == "11:00"
    assert groups["barricades"]["values"]["barricades_count"] == "4"
    assert groups["barricades"]["by"] != groups["tap_geometry"]["by"]
    assert {row["row"]["note"] for row in lists["notes"]} == {
        "measured to bell lip",
        "measured to gasket line",
    }
    photos = stored_photos(office_app, record_id)
    assert len(photos) == 6
    assert {sha for sha, _ in photos} >= {*first.values(), *second.values()}
    assert all(signed == lies_here for signed, lies_here in photos)

    # B is told at once, and sees both; nothing of B's was overwritten.
    notice = b.page.get_by_role("link", name="Compare").last
    notice.wait_for()
    b.page.locator(".net[data-state='needs_you']").wait_for()
    b.page.goto(f"{b.origin}/field/#/visit/{record_id}/tap_geometry")
    b.page.locator("[data-group='tap_geometry'] a", has_text="two versions").first.click()
    row = b.page.locator(".two-versions [data-field='joint_distance_down']")
    row.wait_for()
    assert "5.5" in row.inner_text() and "6.5" in row.inner_text()
    assert "10:30" in b.page.locator(".two-versions [data-field='clock']").inner_text()
    for theme, width in (("dark", 1280), ("sun", 820), ("light", 390)):
        b.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        show_whole(b.page, width)
        assert violations(b.page) == []

    # The office sees what the rules say of each, and cannot approve.
    reviewer = Reviewer(page, a.origin, "barneveld", "reviewer-1")
    reviewer.open(held["number"])
    reviewer.take()
    assert "Nothing is in conflict." not in reviewer.gates()
    status, said = reviewer.ask_approval(record(office_app, record_id)["rev"])
    assert status == 409
    assert "conflict" in said
    page.goto(f"{a.origin}/barneveld/conflicts")
    page.locator("main tr", has_text=held["number"]).get_by_role("link").first.click()
    table = page.locator("table.vs")
    judged = table.locator("tr", has_text="BV-TAP-04")
    assert "Violation" in judged.locator("td.A").inner_text()
    assert "Violation" not in judged.locator("td.B").inner_text()
    table.locator("td.A", has_text="measured to bell lip").wait_for()
    assert "47 min" in table.locator("tr", has_text="Tablet clock").inner_text()

    # Measured again, witnessed by both: the reviewer enters the whole group, with the reason.
    page.get_by_label("Measured again").check()
    page.locator("summary", has_text="Enter the group as measured again").click()
    page.locator("#f-joint_distance_down").fill("5.9")
    page.get_by_label("Reason, kept for ever").fill("re-measured at the bell lip, both inspectors present")
    page.get_by_role("button", name="Settle as revision").click()
    page.get_by_text("The conflict is settled. All versions stay in the history.").wait_for()
    assert reviewer.findings()["BV-TAP-04"] == "violation"
    assert "Nothing is in conflict." in reviewer.gates()
    settled = record(office_app, record_id)["doc"]["groups"]["tap_geometry"]["values"]
    assert (settled["joint_distance_down"], settled["clock"]) == ({"value": "5.9", "unit": "in"}, "11:00")

    for tablet in (a, b):
        tablet.page.evaluate("location.hash = '#/outbox'")
        tablet.page.get_by_role("button", name="Send now").click()
        inspector = _open(tablet, record_id, "tap_geometry")
        inspector.page.locator("[data-field='joint_distance_down']", has_text="5.9").or_(
            inspector.page.locator("[id='field-joint_distance_down']")
        ).first.wait_for()
        tablet.page.wait_for_function(
            "() => !document.querySelector(\"[data-group='tap_geometry'] a[href^='#/conflict/']\")"
        )
    assert [said for said in (*a.complaints, *b.complaints) if "ERR_INTERNET_DISCONNECTED" not in said] == []
