"""The quota is reached while a photo is saved: text stays, the rest stays, and the app goes on."""

from tests.e2e.inspector import Inspector
from tests.e2e.loss import choose_photos, journal, logged, pictures
from tests.e2e.office import record, stored_photos

TAP = "MH-112 + 147.3 ft"
USAGE = "async () => (await navigator.storage.estimate()).usage"
MIB = 1024 * 1024


def test_a_photo_that_finds_no_room_is_refused_and_nothing_else_is_harmed(enrolled, office_app, tmp_path):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    tablet.go_offline()
    record_id = inspector.start(TAP)
    inspector.go_to("main")
    inspector.answer("distance_mh", {"value": "147.3", "unit": "ft"})
    files = pictures(tmp_path, 5, width=1600)
    first = dict(list(files.items())[:2])
    choose_photos(inspector, first)
    line = tablet.context.new_cdp_session(page)

    def room(extra: int | None) -> None:
        size = {} if extra is None else {"quotaSize": int(page.evaluate(USAGE)) + extra}
        line.send("Storage.overrideQuotaForOrigin", {"origin": tablet.origin, **size})

    room(MIB // 4)
    page.locator("#photo-other").set_input_files(list(files)[2])
    page.get_by_role("alert").filter(has_text="There is no room for this photo").first.wait_for()
    kept = page.locator("[aria-labelledby='more-h'] ul.slots > li")
    assert kept.count() == len(first)
    # Text is kept all the same, and survives a start; what was kept before can be seen.
    inspector.go_to("main")
    inspector.change_measure("distance_mh", "148")
    page.reload()
    page.locator("[data-section='main']").wait_for()
    assert (
        "148" in page.locator("[data-field='distance_mh']").inner_text()
        or page.locator("[id='field-distance_mh']").input_value() == "148"
    )
    again = Inspector(page)
    again.go_to("photos")
    page.locator("[aria-labelledby='more-h'] img").nth(len(first) - 1).wait_for()
    page.evaluate("location.hash = '#/outbox'")
    page.get_by_text("of the room for this app is used").wait_for()

    room(None)
    tablet.page.evaluate(f"location.hash = '#/visit/{record_id}/photos'")
    page.locator("[data-section='photos']").wait_for()
    choose_photos(again, dict(list(files.items())[2:3]))
    tablet.go_online()
    again.wait_until_sent(120)
    assert logged(office_app, "applied") == journal(page)
    assert sorted(sha for sha, _ in stored_photos(office_app, record_id)) == sorted(list(files.values())[:3])
    values = record(office_app, record_id)["doc"]["groups"]["position"]["values"]
    assert values["distance_mh"] == {"value": "148", "unit": "ft"}
