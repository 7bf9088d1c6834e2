"""Answers as a person reads them: as typed, the plain number beside it, choices in words, local times."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain.quantities import format_exact, from_json, why_unreadable

PLAIN = re.compile(r"-?\d*\.?\d+")
UNITS = {
    "degF": "°F",
    "degC": "°C",
    "pct": "%",
    "mg/l": "mg/L",
    "ug/l": "µg/L",
    "ft_water": "ft of water",
    "ph": "pH",
    "usd": "USD",
    "ml": "mL",
    "l": "L",
}
YES_NO = {"yes": "Yes", "no": "No", "not_checked": "Not checked", True: "Yes", False: "No"}
NOT_ANSWERED: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True)
class Shown:
    """One answer for the page: its text, its unit, what was typed where that differs, and any doubt."""

    text: str
    unit: str = ""
    typed: str = ""
    doubt: str = ""
    rows: list[list[tuple[str, "Shown"]]] = field(default_factory=list)

    @property
    def line(self) -> str:
        return f"{self.text} {self.unit}".strip()


def words(slug: str) -> str:
    """A slug without a label of its own: `type_iii` reads `Type iii`."""
    return slug.replace("_", " ").strip().capitalize()


def is_answered(answer: Any) -> bool:
    if isinstance(answer, dict) and "value" in answer:
        return answer["value"] not in NOT_ANSWERED
    return answer not in NOT_ANSWERED


def show(answer: Any, spec: Mapping[str, Any], zone: ZoneInfo) -> Shown:
    """An answer in words by its field's specification; text that cannot be read is shown as it stands."""
    if not is_answered(answer):
        return Shown("Not answered")
    kind = spec.get("type", "text")
    if kind == "measure" and isinstance(answer, dict):
        return _measure(str(answer.get("value", "")), str(answer.get("unit") or ""))
    if kind in ("number", "integer"):
        return _measure(str(answer), "")
    if kind in ("bool3", "bool"):
        return Shown(YES_NO.get(answer, str(answer)) if isinstance(answer, str | bool) else str(answer))
    if kind == "choice":
        return Shown(_choice(spec, answer))
    if kind == "choices" and isinstance(answer, list):
        return Shown(", ".join(_choice(spec, item) for item in answer))
    if kind == "date":
        return Shown(_day(str(answer)))
    if kind == "time":
        return _time(str(answer), zone)
    if kind == "place" and isinstance(answer, dict):
        return _place(answer)
    if kind in ("photo", "signature"):
        return Shown("Taken" if kind == "photo" else "Signed")
    if kind == "list" and isinstance(answer, list):
        return _list(answer, spec.get("of") or {}, zone)
    return Shown(str(answer))


def unit_name(unit: str) -> str:
    return UNITS.get(unit, unit)


def local(instant: datetime | None, zone: ZoneInfo) -> datetime | None:
    return instant.astimezone(zone) if instant else None


def moment(instant: datetime | None, zone: ZoneInfo, seconds: bool = False) -> str:
    """`18 Jun 2026 13:10` in the village's time."""
    here = local(instant, zone)
    return f"{here:%-d %b %Y %H:%M{':%S' if seconds else ''}}" if here else ""


def instant(text: Any) -> datetime | None:
    """An ISO 8601 instant with its offset, or None; a time without a zone says nothing."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    # Next to the calendar's ends no other zone can show it: such a text is shown as it stands.
    return found if found.tzinfo and 1 < found.year < 9999 else None


def offset(milliseconds: Any) -> str:
    """How far a tablet's clock was off: `4 s slow`. A positive offset is what must be added to it."""
    if not isinstance(milliseconds, int | float) or isinstance(milliseconds, bool):
        return "not measured"
    gap = timedelta(milliseconds=abs(milliseconds))
    if gap < timedelta(seconds=1):
        return "right"
    way = "slow" if milliseconds > 0 else "fast"
    if gap < timedelta(minutes=2):
        return f"{round(gap.total_seconds())} s {way}"
    if gap < timedelta(hours=2):
        return f"{round(gap.total_seconds() / 60)} min {way}"
    return f"{gap.total_seconds() / 3600:.1f} h {way}"


def ago(gap: timedelta) -> str:
    """`18 h`, `2 d`: how long something waits."""
    hours = gap.total_seconds() / 3600
    if hours < 1:
        return f"{max(round(hours * 60), 0)} min"
    return f"{round(hours)} h" if hours < 36 else f"{round(hours / 24)} d"


def _measure(typed: str, unit: str) -> Shown:
    number = from_json(typed)
    name = unit_name(unit)
    if number is None:
        return Shown(typed, name, doubt=why_unreadable(typed) or "This cannot be read as a number.")
    if PLAIN.fullmatch(typed.strip()):
        return Shown(typed.strip(), name)  # 7.10 keeps its zero: it says how well it was measured
    return Shown(format_exact(number), name, typed=f"{typed.strip()} {name}".strip())


def _choice(spec: Mapping[str, Any], slug: Any) -> str:
    labels = spec.get("choices")
    label = (
        labels.get(slug) if isinstance(labels, Mapping) and isinstance(slug, str) else None
    )  # the dictionary's own are a bare list
    return str(label or words(str(slug)))


def _day(text: str) -> str:
    try:
        return f"{date.fromisoformat(text):%a %-d %b %Y}"
    except ValueError:
        return text


def _time(text: str, zone: ZoneInfo) -> Shown:
    found = instant(text)
    return Shown(moment(found, zone)) if found else Shown(text, doubt="This is not a time with its zone.")


def _place(answer: Mapping[str, Any]) -> Shown:
    lat, lon, accuracy = answer.get("lat"), answer.get("lon"), answer.get("accuracy_m")
    if not isinstance(lat, int | float) or not isinstance(lon, int | float):
        return Shown(str(dict(answer)), doubt="This is not a position.")
    where = f"{abs(lat):.5f} {'N' if lat >= 0 else 'S'}, {abs(lon):.5f} {'E' if lon >= 0 else 'W'}"
    good_to = f"±\u00a0{accuracy:g}\u00a0m" if isinstance(accuracy, int | float) else "accuracy not known"
    how = {"manual": "set by hand", "receiver": "survey receiver"}.get(str(answer.get("source")))
    doubt = "The tablet said that another program made this position up." if answer.get("simulated") else ""
    return Shown(where, f"{good_to}, {how}" if how else good_to, doubt=doubt)


def _list(rows: list[Any], of: Mapping[str, Any], zone: ZoneInfo) -> Shown:
    shown = [
        [
            (str((of.get(name) or {}).get("label") or words(name)), show(value, of.get(name) or {}, zone))
            for name, value in row.items()
            if is_answered(value)
        ]
        for row in rows
        if isinstance(row, dict)
    ]
    return Shown(f"{len(rows)} recorded", rows=shown)
