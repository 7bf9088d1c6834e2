"""Every colour can be read on what it stands on, in all displays: computed from tokens.css as WCAG says."""

import re

import pytest

from tests.support.tree import ROOT

CSS = (ROOT / "inspect_app" / "static" / "pwa" / "tokens.css").read_text(encoding="utf-8")
GROUNDS = ("ground", "paper", "sunken")
OUTCOMES = ("pass", "violation", "warning", "information", "discretion", "open", "none")
BLOCKS = {
    "light": r":root \{(.*?)\n\}",
    "dark": r'\[data-theme="dark"\] \{(.*?)\n\}',
    "sun": r'\[data-theme="sun"\] \{(.*?)\n\}',
}
TEXT, OUTCOME_ON_PAPER, PRESSED, IN_SUN = 4.5, 7, 3, 10


def tokens(css: str) -> dict[str, dict[str, str]]:
    """The colours of each display by name; what a display does not name is as in light."""
    found = {}
    for display, block in BLOCKS.items():
        matched = re.search(block, css, re.DOTALL)
        assert matched, f"tokens.css has no block for {display}"
        found[display] = found.get("light", {}) | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", matched[1]))
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pairs(display: str):
    """(foreground, background, least contrast) of everything that stands on something."""
    text = IN_SUN if display == "sun" else TEXT
    outcome = IN_SUN if display == "sun" else OUTCOME_ON_PAPER
    for ground in GROUNDS:
        for name in ("ink", "ink-2", "link"):
            yield name, ground, text
        for name in ("edge", "focus", "act"):
            yield name, ground, PRESSED
    for name in OUTCOMES:
        yield name, "paper", outcome
        yield name, "ground", text
        yield name, f"{name}-tint", text
        yield "ink", f"{name}-tint", text
        yield "ink-2", f"{name}-tint", text
        yield "edge", f"{name}-tint", PRESSED
        yield "paper", name, text  # the word on a stop-work button, the glyph in a filled shape
    for brand in ("brand", "brand-2"):
        yield "on-brand", brand, text
        yield "on-brand-2", brand, text
    yield "on-act", "act", text
    yield "focus", "focus-gap", PRESSED
    # Drawings: figures on materials, and the edges by which a thing is told from its ground.
    for material in ("pipe", "soil", "stone", "water"):
        yield "ink", material, text
        yield "ink-2", material, text
    for edge in ("pipe-edge", "soil-edge"):
        yield edge, "paper", PRESSED
    yield "pipe-edge", "pipe", PRESSED
    yield "soil-edge", "soil", PRESSED


def too_faint(css: str, display: str) -> list[str]:
    colours = tokens(css)[display]
    measured = [
        (one, other, contrast(colours[one], colours[other]), least) for one, other, least in pairs(display)
    ]
    return [f"{one} on {other}: {n:.2f}, not {least}" for one, other, n, least in measured if n < least]


@pytest.mark.parametrize("display", ["light", "dark", "sun"])
def test_every_colour_is_readable_on_what_it_stands_on(display):
    assert too_faint(CSS, display) == []


def test_the_contrasts_are_those_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#10201b", "#ffffff") == pytest.approx(16.9, abs=0.05)  # ink on paper in ui.md's table


@pytest.mark.parametrize(
    ("display", "name", "colour"),
    [
        ("light", "ink-2", "#888888"),
        ("light", "violation", "#c8141e"),
        ("dark", "edge", "#4a5953"),
        ("sun", "link", "#0b4a8f"),
    ],
)
def test_a_colour_that_is_too_faint_is_found(display, name, colour):
    block = re.search(BLOCKS[display], CSS, re.DOTALL)
    faint = re.sub(rf"--{name}: #[0-9a-f]{{6}};", f"--{name}: {colour};", block[0], count=1)
    assert any(line.startswith(f"{name} ") for line in too_faint(CSS.replace(block[0], faint), display))


def test_no_other_style_sheet_names_a_colour():
    named = []
    for path in sorted((ROOT / "inspect_app" / "static").glob("**/*.css")):
        # paper.css is for printed sheets alone: black on white, whatever the display.
        if path.name in ("tokens.css", "paper.css") or {"vendor", "lean"} & set(path.parts):
            continue
        css = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        named += [
            f"{path.name}: {found}"
            for found in re.findall(r"[:\s](#[0-9a-fA-F]{3,8}\b|rgba?\([^v)]*\)|hsla?\()", css)
        ]
    assert named == []
