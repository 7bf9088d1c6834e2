"""A tap as the inspector saw it: the main in section with its clock position, and in plan with distances."""

import math
import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from inspect_app.office.drawings import TONES, mark, svg


def angle_of(clock: str | None) -> float | None:
    """Degrees clockwise from the crown for a pipe clock such as `4:30`; None where it cannot be read."""
    match = re.fullmatch(r"\s*(\d{1,2}):([0-5]\d)\s*", clock or "")
    if not match or not 0 <= int(match[1]) <= 12:
        return None
    return (int(match[1]) % 12) * 30 + int(match[2]) / 2


def from_crown(degrees: float) -> float:
    """The smaller angle from the crown, 0 to 180."""
    return min(degrees, 360 - degrees)


def dial(clock: str | None, view: str | None, outcome: str | None) -> Markup:
    """The main in section with the tap at its clock position; empty when the clock cannot be read.

    `view` is the direction looked in, `outcome` the finding about the clock position or None.
    """
    degrees = angle_of(clock)
    if degrees is None:
        return Markup("")
    tone = TONES.get(outcome or "", "open")
    off = from_crown(degrees)
    ticks, hours = [], []
    for step in range(24):
        turn = math.radians(step * 15)
        outer = 105 if step % 2 == 0 else 101
        ticks.append(
            f'<path class="d-thin" d="M{132 + 97 * math.sin(turn):.1f} {132 - 97 * math.cos(turn):.1f}'
            f'L{132 + outer * math.sin(turn):.1f} {132 - outer * math.cos(turn):.1f}"/>'
        )
    for hour in range(1, 13):
        turn = math.radians(hour * 30)
        major = hour % 3 == 0
        hours.append(
            f'<text class="{"tb" if major else "t2"}" x="{132 + 116 * math.sin(turn):.1f}" '
            f'y="{132 - 116 * math.cos(turn) + 5:.1f}" font-size="{16 if major else 14}" '
            f'text-anchor="middle">{hour}</text>'
        )
    turn = math.radians(degrees)
    x, y = 132 + 90 * math.sin(turn), 132 - 90 * math.cos(turn)
    half = math.radians(degrees if degrees <= 180 else degrees - 360)
    arc = (
        f'<path class="d-thin" d="M132 102A30 30 0 0 {1 if half > 0 else 0} '
        f'{132 + 30 * math.sin(half):.1f} {132 - 30 * math.cos(half):.1f}"/>'
        if off
        else ""
    )
    side = 1 if half >= 0 else -1
    label = f"{clock} looking {view}" if view else str(clock)
    where = "at the springline" if off == 90 else "in the upper half" if off < 90 else "in the lower half"
    return svg(
        f'<svg class="draw dial" viewBox="0 0 264 264" role="img" aria-label="'
        f'{escape(label)}, {off:g} degrees from the crown, {where}">'
        '<path class="d-hatch" d="M38 132A94 94 0 0 0 226 132z" opacity=".42"/>'
        '<circle class="d-ring" cx="132" cy="132" r="94"/><circle class="d-wall" cx="132" cy="132" r="89"/>'
        '<circle class="d-ring" cx="132" cy="132" r="84"/><path class="d-dash" d="M24 132H240"/>'
        + "".join(ticks + hours)
        + '<path class="d-wet" d="M70 188A83 83 0 0 0 194 188z" opacity=".9"/>'
        '<path class="d-thin" d="M132 132V50" stroke-dasharray="3 4"/>'
        f'{arc}<path class="d-{"bad" if tone == "bad" else "ok" if tone == "ok" else "line"}" '
        f'd="M132 132L{x:.1f} {y:.1f}"/><circle class="d-ink" cx="132" cy="132" r="3.5"/>'
        f"{mark(tone, x, y, 22)}"
        f'<text class="tb d-halo" x="{132 + side * 44}" y="104" font-size="16" text-anchor="middle">{off:g}°'
        "</text>"
        "</svg>"
    )


@dataclass(frozen=True)
class Distance:
    """One distance of the plan: inches to draw it, the words to print, the limit of its zone, the outcome."""

    inches: float
    text: str
    limit_in: float | None
    outcome: str | None


def _dimension(x1: float, x2: float, text: str, tone: str, row: int) -> str:
    y = 44 - 30 * row
    line = {"bad": "d-bad", "ok": "d-ok", "open": "d-thin"}[tone]
    words = {"bad": "t-bad", "ok": "t-ok", "open": "tb"}[tone]
    middle = min(max((x1 + x2) / 2, 24), 334)
    return (
        f'<path class="{line}" d="M{x1:.1f} {y}H{x2:.1f}M{x1:.1f} {y - 7}v14M{x2:.1f} {y - 7}v14"/>'
        f'<text class="{words} d-halo" x="{middle:.1f}" y="{y - 11}" font-size="15" text-anchor="middle">'
        f"{escape(text)}</text>"
        f'<path class="d-thin" d="M{x1:.1f} {y + 8}V92M{x2:.1f} {y + 8}V92" stroke-dasharray="3 3"/>'
    )


Row = tuple[float, float, str, str]


def _stacked(rows: list[Row]) -> list[tuple[Row, int]]:
    """Each dimension with its line above the pipe: the shorter ones below, none touching another."""
    placed: list[tuple[Row, int]] = []
    taken: list[tuple[float, float, int]] = []
    for row in sorted(rows, key=lambda row: row[1] - row[0]):
        half = max(row[1] - row[0], 8 * len(row[2])) / 2  # a text is about 8 wide a letter
        middle = (row[0] + row[1]) / 2
        start, end = middle - half, middle + half
        levels = {level for left, right, level in taken if end > left and start < right}
        level = min(set(range(len(rows))) - levels)
        placed.append((row, level))
        taken.append((start, end, level))
    return placed


def _zone(left: float, right: float, entered: bool) -> str:
    left, right = max(left, 0), min(right, 358)
    if right <= left:
        return ""
    shape = 'class="d-hatch" opacity=".5"' if entered else 'class="d-zone"'
    return (
        f'<rect {shape} x="{left:.1f}" y="66" width="{right - left:.1f}" height="94"/>'
        f'<path class="d-limit" d="M{left:.1f} 66v94M{right:.1f} 66v94"/>'
    )


def plan(
    upstream: Distance | None,
    downstream: Distance | None,
    lateral: Distance | None,
    opening_in: float | None,
    from_edge: bool,
    place: str,
) -> Markup:
    """The main from above, to scale, flow to the right: opening, joints, other lateral, their zones."""
    known = [item for item in (upstream, downstream, lateral) if item]
    if not known:
        return Markup("")
    opening = opening_in or 4.0
    reach = lateral.inches if lateral else upstream.inches if upstream else 30.0
    scale = min(4.2, max(2.0, 196 / (reach + opening / 2 + 5)))
    centre = 236.0
    edge = opening / 2 * scale if from_edge else 0.0
    zones, shapes, rows, far = [], [], [], []

    def joint(distance: Distance | None, side: int) -> None:
        if distance is None:
            return
        at = centre + side * (edge + distance.inches * scale)
        tone = TONES.get(distance.outcome or "", "open")
        if not 12 <= at <= 338:
            arrow = f"← joint {distance.text}" if side < 0 else f"joint {distance.text} →"
            far.append(
                f'<text class="t2 d-halo" x="{4 if side < 0 else 354}" y="58" font-size="15" '
                f'text-anchor="{"start" if side < 0 else "end"}">{escape(arrow)}</text>'
            )
            if side < 0:
                shapes.append('<path class="d-break" d="M22 84l-9 29 16 2 -9 29h12l9 -29 -16 -2 9 -29z"/>')
            return
        if distance.limit_in:
            reach_px = distance.limit_in * scale
            zones.append(_zone(at - reach_px, at + reach_px, tone == "bad"))
            # The other lateral's zone has its name on the first line, the opening its own on the second.
            x, y = (min(at, 120), 206) if side < 0 and lateral else (min(max(at, 40), 318), 180)
            words = "t-bad" if tone == "bad" else "t2"
            far.append(
                f'<text class="{words}" x="{max(x, 40):.1f}" y="{y}" font-size="15" text-anchor="middle">'
                f"{distance.limit_in:g} in zone</text>"
            )
        width = 5 * scale
        left = at if side > 0 else at - width
        shapes.append(f'<rect class="d-pipe" x="{left:.1f}" y="87" width="{width:.1f}" height="52"/>')
        rows.append((min(centre + side * edge, at), max(centre + side * edge, at), distance.text, tone))

    joint(upstream, -1)
    joint(downstream, 1)
    if lateral:
        tone = TONES.get(lateral.outcome or "", "open")
        at = centre - edge - lateral.inches * scale
        if at >= 20:
            width = 4 * scale
            if lateral.limit_in:
                reach_px = lateral.limit_in * scale
                zones.append(_zone(at - reach_px, at + reach_px, tone == "bad"))
                far.append(
                    f'<text class="t2" x="{at + 8:.1f}" y="180" font-size="15">'
                    f"{lateral.limit_in:g} in zone</text>"
                )
            shapes.append(
                f'<rect class="d-pipe" x="{at - width:.1f}" y="119" width="{width:.1f}" height="73"/>'
                f'<ellipse class="d-pipe" cx="{at - width / 2:.1f}" cy="119" '
                f'rx="{width / 2 + 3:.1f}" ry="8"/>'
            )
            rows.append((at, centre - edge, lateral.text, tone))
        else:
            name = escape(f"← lateral {lateral.text}")
            far.append(f'<text class="t2 d-halo" x="4" y="76" font-size="15">{name}</text>')
    overall = "open"
    tones = {TONES.get(item.outcome or "", "open") for item in known}
    overall = "bad" if "bad" in tones else "ok" if tones == {"ok"} else "open"
    placed = _stacked(rows)
    dimensions = "".join(_dimension(x1, x2, text, tone, row) for (x1, x2, text, tone), row in placed)
    lift = 30 * max((row for _, row in placed), default=0)
    above = lift and lift - 14  # the first line has room above it already
    words = [
        f"{name} {item.text}"
        for name, item in (
            ("joint upstream", upstream),
            ("joint downstream", downstream),
            ("other lateral", lateral),
        )
        if item
    ]
    size = f"opening {opening_in:g} in" if opening_in else "opening not measured"
    half = opening / 2 * scale
    return svg(
        f'<svg class="draw" viewBox="0 {-above} 358 {226 + above}" role="img" '
        f'aria-label="Main in plan, flow to the right: '
        f'{escape(", ".join(words))}, {size}">'
        + "".join(zones)
        + '<rect class="d-pipe" x="-4" y="92" width="366" height="42"/>'
        + "".join(shapes)
        + f'<rect class="d-pipe" x="{centre - half:.1f}" y="113" width="{2 * half:.1f}" height="51"/>'
        + mark(overall, centre, 113, 10)
        + dimensions
        + "".join(far)
        + f'<text class="t2" x="{centre}" y="203" font-size="15" text-anchor="middle">{size}</text>'
        '<path class="d-thin" d="M314 217h34m-8 -6l8 6 -8 6"/>'
        '<text class="t2" x="308" y="221" font-size="15" text-anchor="end">flow</text>'
        f'<text class="t2" x="4" y="221" font-size="15">{escape(place)}</text></svg>'
    )
