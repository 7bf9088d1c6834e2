"""What is said and photographed on a visit of the demonstration, from its files to what goes over the wire.

A record names a whole visit (demonstration/visits) and changes some of its fields. Values are written as
typed ("5.5 in"); the dictionary says which are measures.
"""

from collections.abc import Mapping
from copy import deepcopy
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain.protocols import PhotoSlot, Protocol
from inspect_app.store import demonstration as data
from inspect_app.store import villages

Values = dict[str, Any]


def said_in(entry: Mapping[str, Any], kind: str, day: date, zone: ZoneInfo) -> dict[str, Values]:
    """The groups of a visit as they go over the wire: the visit's file with the entry's changes."""
    groups = villages.groups(kind)
    visit = deepcopy(data.visit(kind))
    where = {name: group for group, fields in groups.items() for name in fields}
    if entry.get("permit_no") and "permit_no" in where:
        visit["permit"]["permit_no"] = entry["permit_no"]
    latitude, longitude = entry["position"]
    visit["place"] = {"gps": {"lat": latitude, "lon": longitude, "accuracy_m": 3}}
    for name, value in entry.get("set", {}).items():
        visit.setdefault(where[name], {})[name] = value
    return {
        group: {
            name: typed(value, groups[group][name], day, zone)
            for name, value in values.items()
            if value is not None
        }
        for group, values in visit.items()
    }


def typed(value: Any, spec: Mapping[str, Any], day: date, zone: ZoneInfo) -> Any:
    """A value of a file as it is typed on a tablet."""
    kind = spec["type"]
    if kind == "list":
        return [
            {name: typed(cell, spec["of"][name], day, zone) for name, cell in row.items()} for row in value
        ]
    if kind == "measure":
        number, _, unit = str(value).rpartition(" ")
        return {"value": number, "unit": unit}
    if kind == "date" and value.startswith("@"):
        return (day + timedelta(days=int(value[1:]))).isoformat()
    if kind == "time":
        return instant(value, day, zone).isoformat()
    return value


def instant(text: str, day: date, zone: ZoneInfo) -> datetime:
    """`@10:05` on the record's day, `@-1 16:00` on the day before, in the village's time."""
    days, _, clock = text.removeprefix("@").rpartition(" ")
    hour, minute, second = (*map(int, clock.split(":")), 0)[:3]
    then = day + timedelta(days=int(days or 0))
    return datetime(then.year, then.month, then.day, hour, minute, second, tzinfo=zone)


def shots(form: Protocol, said: Mapping[str, Values]) -> list[tuple[PhotoSlot, str]]:
    """The photos of a visit: each required slot with the reading on it; of outlets, one of each."""
    values = {name: value for group in said.values() for name, value in group.items()}
    shots = []
    for slot in form.photos:
        name, _, choice = slot.proves.partition(".")
        if not slot.required or name not in values:
            continue
        if name == "outlets":
            shots += [(slot, reading) for reading in _outlets(slot, values[name])]
        else:
            shots.append((slot, choice[:1].upper() if choice else _reading(values[name])))
    return shots


def _outlets(slot: PhotoSlot, outlets: list[Values]) -> list[str]:
    if slot.shows == "outlet_before":
        return [outlet["id"] for outlet in outlets]
    if slot.shows == "dye_in_manhole":
        return [f"{outlet['id']} {outlet['dye_color']}" for outlet in outlets if outlet.get("dye_seen_at")]
    return [outlet["id"] for outlet in outlets if outlet.get("capped") == "yes"]


def _reading(value: Any) -> str:
    if isinstance(value, dict) and "unit" in value:
        return f"{value['value']} {value['unit']}"
    return value if isinstance(value, str) and len(value) < 12 else ""
