"""Drawings for the record page, made on the server: the readings as a picture, never a second store.

Each function takes plain numbers and words, and returns an SVG without inline style, so it passes the content
security policy and follows the theme through the classes of the style sheet. What a drawing shows stands in
words beside it or in its label; a value that cannot be read is left out, never guessed.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup, escape

FIGURE = re.compile(
    r"^\s*(?P<value>[\d.,/ ½¼¾⅛⅜⅝⅞-]+?)\s*(?P<unit>[^\d\s≤≥<>=]*)\s*(?:=\s*(?P<plain>[\d.]+)\s*\S+\s*)?"
    r"(?P<sign>≤|≥|<|>)\s*(?P<limit>[\d.]+)\s*(?P<limit_unit>\S*)\s*$"
)
TONES = {
    "violation": "bad",
    "warning": "bad",
    "discretion": "bad",
    "pass": "ok",
    "information": "ok",
}


@dataclass(frozen=True)
class Comparison:
    """A finding's figure taken apart: `5.5 in ≤ 6 in`."""

    value: float
    sign: str
    limit: float
    unit: str


def svg(text: str) -> Markup:
    """Text as markup: whoever calls this has passed every word through escape()."""
    return Markup(text)  # noqa: S704


def comparison(figure: str | None) -> Comparison | None:
    """The numbers of a figure, or None where it compares words or is empty."""
    match = FIGURE.match(figure or "")
    if not match:
        return None
    try:
        value = float(Fraction((match["plain"] or match["value"]).strip()))
        limit = float(match["limit"])
    except ValueError:
        return None
    return Comparison(value, match["sign"], limit, match["limit_unit"])


def ruler(figure: str | None, outcome: str) -> Markup:
    """A scale with the limit, the forbidden side hatched and the reading marked; empty without numbers."""
    found = comparison(figure)
    if found is None or found.limit <= 0:
        return Markup("")
    bad = outcome in ("violation", "warning", "discretion")
    below_is_bad = (found.sign in ("≤", "<")) == bad
    top = max(2 * found.limit, found.value * 1.15)

    def x(number: float) -> float:
        return round(8 + 284 * min(max(number, 0) / top, 1), 1)

    at_limit, at_value = x(found.limit), x(found.value)
    start, end = (8, at_limit) if below_is_bad else (at_limit, 292)
    ticks = "".join(
        f'<path class="d-thin" d="M{x(top * n / 12)} 30v{9 if n in (0, 12) else 5}"/>' for n in range(13)
    )
    fill = "d-badfill" if bad else "d-okfill"
    label = f"limit {found.limit:g}{'' if found.unit == '°' else ' '}{found.unit}".strip()
    anchor = "start" if at_limit < 60 else "end" if at_limit > 240 else "middle"
    return svg(
        '<svg class="draw ruler" viewBox="0 10 300 50" aria-hidden="true">'
        f'<rect class="d-hatch" x="{start}" y="23" width="{end - start:.1f}" height="14" opacity=".75"/>'
        f'<path class="d-line" d="M8 30H292"/>{ticks}'
        f'<path class="d-line" d="M{at_limit} 18v24" stroke-width="3"/>'
        f'<text class="tb" x="{at_limit}" y="58" font-size="16" text-anchor="{anchor}">{escape(label)}</text>'
        f'<path class="{fill} d-edge" d="M{at_value} 29l-8 -13h16z"/></svg>'
    )


def mark(tone: str, x: float, y: float, radius: float) -> str:
    """A filled disc with a cross, a tick or a question: the outcome by shape, not by colour alone."""
    arm = radius * 0.4
    d = 2 * arm
    glyph = {
        "bad": f"M{x - arm:.1f} {y - arm:.1f}l{d:.1f} {d:.1f}m0 {-d:.1f}l{-d:.1f} {d:.1f}",
        "ok": f"M{x - arm:.1f} {y:.1f}l{arm * 0.7:.1f} {arm * 0.8:.1f} {arm * 1.3:.1f} {-arm * 1.5:.1f}",
        "open": f"M{x:.1f} {y - arm:.1f}v{arm * 1.2:.1f}m0 {arm * 0.6:.1f}v1",
    }[tone]
    fill = {"bad": "d-badfill", "ok": "d-okfill", "open": "d-ink"}[tone]
    return (
        f'<circle class="{fill}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'
        f'<circle class="d-rim" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/><path class="d-glyph" d="{glyph}"/>'
    )


@dataclass(frozen=True)
class Spot:
    """A measured position: degrees north and east, accuracy in metres, what it is."""

    lat: float
    lon: float
    accuracy_m: float | None
    name: str


def position(spots: list[Spot]) -> Markup:
    """The first spot in the middle with its accuracy circle, the others about it, north up, to scale."""
    if not spots:
        return Markup("")
    here = spots[0]
    per_lon = 111_320 * math.cos(math.radians(here.lat))

    def metres(spot: Spot) -> tuple[float, float]:
        return (spot.lon - here.lon) * per_lon, (spot.lat - here.lat) * 110_574

    reach = max([here.accuracy_m or 0, 5.0, *(math.hypot(*metres(spot)) * 1.1 for spot in spots)])
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if s >= reach / 2), 5000)
    scale = 84 / reach
    grid = "".join(
        f'<path class="d-faint" d="M{n} 0V200M0 {n}H260"/>'
        for n in range(20, 260, max(20, round(step * scale)))
    )
    dots = "".join(
        f'<circle class="d-dot" cx="{130 + x * scale:.1f}" cy="{100 - y * scale:.1f}" r="4"/>'
        for x, y in (metres(spot) for spot in spots[1:])
    )
    circle = (
        f'<circle class="d-accuracy" cx="130" cy="100" r="{max(here.accuracy_m * scale, 6):.1f}"/>'
        if here.accuracy_m
        else ""
    )
    good_to = f", good to {here.accuracy_m:g} m" if here.accuracy_m else ", accuracy not known"
    return svg(
        f'<svg class="draw place" viewBox="0 0 260 200" role="img" aria-label="{escape(here.name)} at '
        f"{here.lat:.6f} north, {-here.lon:.6f} west{good_to}; {len(spots) - 1} photo positions about it"
        f'">{grid}{circle}{dots}<circle class="d-here" cx="130" cy="100" r="7"/>'
        '<path class="d-line" d="M238 34V12m-6 8l6 -8 6 8"/>'
        '<text class="tb" x="238" y="52" font-size="16" text-anchor="middle">N</text>'
        f'<path class="d-line" d="M10 186v-6h{step * scale:.1f}v6"/>'
        f'<text class="t2" x="{14 + step * scale:.1f}" y="188" font-size="16">{step} m</text></svg>'
    )
