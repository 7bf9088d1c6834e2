"""What nobody can read as one number: a message at the field says what to type, and what was typed stays."""

from playwright.sync_api import expect

BOX = "#field-joint_distance_up"
SLIPS = {
    "1,5": "1,5 can be read two ways. Type 1.5 or 15.",
    "12.212,12": "Type it with one point and no comma.",
    "٣٫٥": "Type it with 0 to 9 and a point.",
    "24.": "Type 24 or 24.0.",
    "5'6\"": "Type one number and choose its unit.",
    "--": "Type it as 5.5 or 5 1/2.",
    "7" * 400: "Type the reading as the instrument shows it.",
}


def test_each_slip_is_said_at_the_field_and_stays_as_typed_over_a_reload(enrolled, office_app):
    tablet = enrolled("inspector-a", "barneveld")
    page, inspector = tablet.page, tablet.inspector
    inspector.start("MH-112")
    inspector.go_to("tap_geometry")
    field = page.locator("[data-field='joint_distance_up']")
    for typed, says in SLIPS.items():
        page.locator(BOX).fill(typed)
        page.locator(BOX).press("Tab")
        expect(page.locator(f"{BOX}-m")).to_contain_text(says)
        expect(page.locator(BOX)).to_have_value(typed)
        expect(page.locator(BOX)).to_have_attribute("aria-describedby", f"{BOX[1:]}-t {BOX[1:]}-m")
    page.locator("#kept", has_text="Kept on this tablet").wait_for()
    page.reload()
    expect(page.locator(BOX)).to_have_value("7" * 400)
    expect(field.locator(".as")).to_have_count(0)
    assert inspector.outcome_of("BV-TAP-04") == "not_evaluated"  # what cannot be read never passes

    page.locator(BOX).fill("7.10")
    page.locator(BOX).press("Tab")
    expect(page.locator(f"{BOX}-m")).to_have_count(0)
    expect(page.locator(BOX)).to_have_value("7.10")
    inspector.go_to("site_safety")
    name = page.locator("[data-field='transcribed_by'] input")
    name.fill("Crew 🚧 Żółwą ß 箸")
    name.press("Tab")
    page.locator("#kept", has_text="Kept on this tablet").wait_for()
    page.reload()
    expect(name).to_have_value("Crew 🚧 Żółwą ß 箸")
