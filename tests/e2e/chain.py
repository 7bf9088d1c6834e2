"""The chain of custody on its own screen of the tablet: entries are only added, one after the other."""

from tests.e2e.inspector import Inspector


def open_chain(inspector: Inspector) -> None:
    """Go from the form to the chain."""
    inspector.go_to("custody")
    inspector.page.get_by_role("link", name="Open the chain of custody").click()
    inspector.page.locator("section.editor").wait_for()


def write_entry(inspector: Inspector, action: str, signed_by: str | None = None, **answers: str) -> None:
    """Write one entry and keep it; `answers` by field: texts as typed, choices by their slug.

    With `signed_by` it is kept by that signature, drawn by hand.
    """
    page = inspector.page
    editor = page.locator("section.editor")
    entries = page.locator("ol.chain li")
    before = entries.count()
    page.locator(f"label:has([id='field-action-{action}'])").click()
    for name, value in answers.items():
        choice = page.locator(f"label:has([id='field-{name}-{value}'])")
        if choice.count():
            choice.click()
        else:
            page.locator(f"[id='field-{name}']").fill(value)
    if signed_by:
        inspector.draw_signature(editor, signed_by)
    editor.get_by_role("button", name="Keep this entry").click()
    entries.nth(before).wait_for()


def chain_shown(inspector: Inspector) -> list[str]:
    """The entries as the screen lists them."""
    return inspector.page.locator("ol.chain li").all_inner_texts()
