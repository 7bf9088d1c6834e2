"""A whole day without a signal: many inspections and photos, a killed browser, two tabs, another tablet."""

from pathlib import Path

from tests.e2e.inspector import Inspector
from tests.e2e.loss import choose_photos, journal, logged, pictures, send, wait_for
from tests.e2e.office import record, stored_photos

INSPECTIONS = 10
PHOTOS_EACH = 3


def begin_unplanned(page, place: str) -> str:
    """Start a tap check that nobody assigned; returns the id of the visit."""
    page.evaluate("location.hash = '#/'")
    page.locator("#unplanned").click()
    page.locator("label:has(input[name='new-protocol'][value='tap'])").click()
    page.locator("#new-place").fill(place)
    page.locator("form.editor button[type=submit]").click()
    page.wait_for_selector("[data-section]")
    return Inspector(page).record_id()


def work(page, number: int, files: dict[Path, str]) -> str:
    """One inspection: a distance and photos."""
    record_id = begin_unplanned(page, f"MH-{200 + number}")
    inspector = Inspector(page)
    inspector.go_to("main")
    inspector.answer("distance_mh", {"value": f"{number}.5", "unit": "ft"})
    choose_photos(inspector, files)
    return record_id


def test_ten_inspections_and_thirty_photos_survive_the_death_of_the_browser_twice(
    enrolled, office_app, tmp_path
):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    made: dict[str, dict[Path, str]] = {}
    for number in range(INSPECTIONS):
        folder = tmp_path / f"visit-{number}"
        folder.mkdir()
        files = pictures(folder, PHOTOS_EACH, width=600 + 16 * number)
        made[work(tablet.page, number, files)] = files
    before = journal(tablet.page)
    assert len(before) >= INSPECTIONS * (1 + PHOTOS_EACH)
    tablet.kill()  # in the last form, a photo on the screen

    page = tablet.open("/field/", offline=True)
    page.locator("[data-section]").first.wait_for()
    assert set(before) <= set(journal(page))
    page.evaluate("location.hash = '#/outbox'")
    assert page.locator("#count-photos").inner_text() == str(INSPECTIONS * PHOTOS_EACH)
    tablet.go_online()
    send(page)
    assert wait_for(lambda: _arrived(office_app, made) > 3, 60, 0.1)
    tablet.kill()  # in the middle of sending

    page = tablet.open("/field/")
    Inspector(page).wait_until_sent(180)
    assert logged(office_app, "applied", "noop") == journal(page)
    for number, (record_id, files) in enumerate(made.items()):
        values = record(office_app, record_id)["doc"]["groups"]["position"]["values"]
        assert values["distance_mh"] == {"value": f"{number}.5", "unit": "ft"}
        photos = stored_photos(office_app, record_id)
        assert sorted(signed for signed, _ in photos) == sorted(files.values())
        assert all(signed == lies_here for signed, lies_here in photos)


def _arrived(app, record_ids) -> int:
    """How many photos of these records the office holds."""
    return sum(1 for record_id in record_ids for pair in stored_photos(app, record_id) if pair[0] == pair[1])


def test_two_tabs_record_and_send_and_nothing_is_sent_twice_or_left(enrolled, office_app, tmp_path):
    tablet = enrolled("inspector-a", "barneveld")
    tablet.go_offline()
    first, second = tablet.page, tablet.context.new_page()
    second.goto(f"{tablet.origin}/field/#/")
    second.locator("#unplanned").wait_for()
    records = [begin_unplanned(page, place) for page, place in ((first, "MH-1"), (second, "MH-2"))]
    inspectors = [Inspector(first), Inspector(second)]
    for inspector in inspectors:
        inspector.go_to("main")
    for turn in range(4):  # by turns, so that each finds numbers that the other has taken
        for inspector in inspectors:
            inspector.answer("distance_mh", {"value": f"{turn + 1}", "unit": "ft"})
            inspector.go_to("photos")
            inspector.go_to("main")
    choose_photos(inspectors[1], pictures(tmp_path, 3, width=500))
    for page in (first, second):
        page.evaluate("location.hash = '#/outbox'")
    made = journal(first)
    assert [seq for _, seq, _ in made] == list(range(1, len(made) + 1))
    pushes = []
    tablet.context.on(
        "request", lambda request: pushes.append(request.url) if request.url.endswith("/api/v1/ops") else None
    )
    tablet.go_online()
    for page in (first, second):
        page.get_by_role("button", name="Send now").click()
    for inspector in inspectors:
        inspector.wait_until_sent()
    assert logged(office_app, "applied") == journal(second) == made
    assert len([url for url in pushes if url.endswith("/api/v1/ops")]) == 1
    for record_id in records:
        values = record(office_app, record_id)["doc"]["groups"]["position"]["values"]
        assert values["distance_mh"] == {"value": "4", "unit": "ft"}
    assert len(stored_photos(office_app, records[1])) == 3


def test_what_one_tablet_cannot_send_another_one_does(enrolled, office_app, tmp_path):
    stuck = enrolled("inspector-a", "barneveld")
    stuck.go_offline()
    files = pictures(tmp_path, 2, width=500)
    record_id = work(stuck.page, 1, files)
    stuck.page.evaluate("location.hash = '#/outbox'")
    made = journal(stuck.page)
    with stuck.page.expect_download() as download:
        stuck.page.locator("#save-unsent").click()
    download.value.save_as(tmp_path / "unsent.zip")

    other = enrolled("inspector-b", "barneveld")
    other.go_offline()
    other.page.evaluate("location.hash = '#/outbox'")
    other.page.locator("#bring").set_input_files(tmp_path / "unsent.zip")
    other.page.locator("[data-carried='waits']").wait_for()
    assert other.page.locator(f"[data-visit='{record_id}']").count() == 0
    other.go_online()
    other.page.get_by_role("button", name="Send now").click()
    other.page.locator("[data-carried='done']").wait_for(timeout=60_000)
    assert logged(office_app, "applied") == made, "under the numbers of the tablet that made them"
    assert sorted(sha for sha, _ in stored_photos(office_app, record_id)) == sorted(files.values())

    # The first one finds a signal after all.
    stuck.go_online()
    send(stuck.page)
    stuck.inspector.wait_until_sent()
    assert logged(office_app, "applied") == made == journal(stuck.page)
    assert len(stored_photos(office_app, record_id)) == 2
