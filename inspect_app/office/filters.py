"""How pages write times, sizes and words: Jinja filters shared by every template.

Times are shown in the village's own zone; a filter without a village shows UTC and says so.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, current_app, g
from markupsafe import Markup

DASH = "—"


def set_up(app: Flask) -> None:
    filters: dict[str, Callable[..., Any]] = {
        "clock_time": clock_time,
        "day": day,
        "day_time": day_time,
        "ago": ago,
        "size": size,
        "sentence": sentence,
        "many": many,
        "unbroken": unbroken,
    }
    for name, function in filters.items():
        app.add_template_filter(function, name)
    app.add_template_global(tablet_icons)


def tablet_icons() -> Markup:
    """What is inside the sprite of the tablet's page: each icon is drawn once, for both."""
    return _icons_in(Path(current_app.static_folder or "") / "pwa" / "index.html")


@lru_cache(maxsize=1)
def _icons_in(page: Path) -> Markup:
    text = page.read_text(encoding="utf-8")
    inside = re.search(r'<svg class="sprite"[^>]*>(.*?)</svg>', text, re.DOTALL)
    return Markup(inside[1].strip() if inside else "")  # noqa: S704 - a file of the program's own


def zone() -> ZoneInfo:
    """The time zone of the village of this request."""
    village = g.get("village")
    return ZoneInfo(village.timezone if village else "UTC")


def clock_time(at: datetime | None) -> str:
    """`13:10`"""
    return at.astimezone(zone()).strftime("%H:%M") if at else DASH


def day(at: datetime | None) -> str:
    """`Thu 18 Jun 2026`"""
    return (
        f"{at.astimezone(zone()):%a} {at.astimezone(zone()).day} {at.astimezone(zone()):%b %Y}"
        if at
        else DASH
    )


def day_time(at: datetime | None) -> str:
    """`18 Jun 2026 13:10`, in the village's time."""
    if not at:
        return DASH
    local = at.astimezone(zone())
    return f"{local.day} {local:%b %Y %H:%M}"


def ago(at: datetime | None) -> str:
    """`4 minutes ago`; `never` for nothing."""
    if not at:
        return "never"
    passed = datetime.now(UTC) - at
    if passed < timedelta(minutes=1):
        return "just now"
    for unit, length in (
        ("day", timedelta(days=1)),
        ("hour", timedelta(hours=1)),
        ("minute", timedelta(minutes=1)),
    ):
        if passed >= length:
            return f"{many(int(passed / length), unit)} ago"
    return "just now"


def size(count: int) -> str:
    """Bytes for people: `3.2 MB`."""
    if count < 1000:
        return f"{count} bytes"
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"


def many(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 item`, `2 items`; `nouns` where the plural is another word."""
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or noun + 's'}"


def sentence(slug: str) -> str:
    """`not_a_dwelling` as `Not a dwelling`."""
    text = slug.replace("_", " ")
    return text[:1].upper() + text[1:]


def unbroken(text: str) -> Markup:
    """Text in which no name breaks at its hyphen: `Example Street at MH-109`."""
    parts = re.split(r"(\S*[^\W\d_]-\d\S*)", text)
    return Markup("").join(
        Markup('<span class="nb">{}</span>').format(part) if n % 2 else part for n, part in enumerate(parts)
    )


def plain(value: object) -> str:
    """A value as it was filled in: a reading with its unit, yes and no in words, lists with commas."""
    if isinstance(value, dict) and "value" in value:
        return f"{value['value']} {value.get('unit', '')}".strip()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(plain(one) for one in value)
    return str(value).replace("_", " ")
