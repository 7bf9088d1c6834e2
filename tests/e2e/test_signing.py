"""Signing without drawing: by name and PIN for who is signed in, by name and witness for others."""

from playwright.sync_api import expect


def marks(page):
    """The kept signatures of the open inspection."""
    return page.evaluate(
        """async () => { const { openStore } = await import('/static/pwa/store/store.js');
        const view = await openStore({ app: 'test' }).inspections.inspection(location.hash.split('/')[2]);
        return view.doc.lists.signature_marks.map((mark) => mark.row); }"""
    )


def test_name_and_pin_sign_as_a_stroke_does_and_say_what_stands_behind_them(enrolled):
    tablet = enrolled("inspector-a", "barneveld")
    page = tablet.page
    tablet.inspector.start("MH-112")
    tablet.inspector.go_to("signatures")
    own = page.locator("[data-field='signature_inspector']")
    expect(own.get_by_label("Name of the person who signs")).to_have_value("Inspector A")
    own.get_by_role("button", name="Sign by typing name and PIN").click()
    own.get_by_label("PIN", exact=True).fill("12")
    own.locator("button.sign").click()
    expect(own.get_by_role("alert")).to_have_text("A PIN has 4 to 8 digits.")
    own.get_by_label("PIN", exact=True).fill("4711")
    own.get_by_label("The same PIN again").fill("4712")
    own.locator("button.sign").click()
    expect(own.get_by_role("alert")).to_contain_text("Type the same PIN twice")
    own.get_by_label("The same PIN again").fill("4711")
    own.locator("button.sign").click()
    own.locator(".signed").wait_for()

    other = page.locator("[data-field='signature_installer']")
    other.get_by_label("Name of the person who signs").fill("Crew lead 🚧")
    other.get_by_role("button", name="Sign by typing the name").click()
    expect(other).to_contain_text("Inspector A is named as the witness.")
    other.locator("button.sign").click()
    other.locator(".signed").wait_for()

    own.get_by_role("button", name="Sign again").click()
    own.get_by_role("button", name="Sign by typing name and PIN").click()
    own.get_by_label("PIN", exact=True).fill("9999")
    own.locator("button.sign").click()
    expect(own.get_by_role("alert")).to_contain_text("This is not your PIN. 4 tries left")

    first, second = marks(page)
    assert set(first["pin"]) == {"set_at"}
    assert (first["typed"], "witness" in first) == ("Inspector A", False)
    assert (second["typed"], second["witness"]) == ("Crew lead 🚧", "Inspector A")
    assert len(first["revision_hash"]) == len(second["revision_hash"]) == 64
    assert "4711" not in str(first)
