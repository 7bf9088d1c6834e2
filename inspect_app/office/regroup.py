"""A whole group typed again in the office: its fields as a form, and the form read back as a group's values.

What cannot be typed here (positions, lists, signatures) is taken over from the version in force.
"""

from collections.abc import Mapping
from typing import Any

from inspect_app.domain.calendar import clock_minutes
from inspect_app.domain.protocols import Field
from inspect_app.domain.quantities import why_unreadable
from inspect_app.office.dossier import Dossier
from inspect_app.office.readings import is_answered, unit_name
from inspect_app.store.inspections import Conflict

KEPT = ("place", "list", "choices", "photo", "signature")
YES_NO = [("yes", "Yes"), ("no", "No"), ("not_checked", "Not checked")]


def fields(
    dossier: Dossier, conflict: Conflict, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The group's fields to draw, filled with what was typed or else with the version in force."""
    standing = _standing(dossier, conflict)
    return [
        _field(dossier, field, standing.get(field.name), typed, wrong) for field in _fields(dossier, conflict)
    ]


def read(
    dossier: Dossier, conflict: Conflict, typed: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of the group as typed, and what cannot be read by field. Empty fields are not answered."""
    standing = _standing(dossier, conflict)
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for field in _fields(dossier, conflict):
        spec = dossier.spec(field.name)
        kind = spec.get("type", "text")
        if kind in KEPT:
            if is_answered(standing.get(field.name)):
                values[field.name] = standing[field.name]
            continue
        text = typed.get(f"f-{field.name}", "").strip()[:500]
        if not text:
            continue
        if kind == "measure":
            complaint = why_unreadable(text)
            unit = typed.get(f"u-{field.name}", "")
            if unit not in {name for name, _ in _units(spec)}:
                complaint = "Choose one of the units."
            values[field.name] = {"value": text, "unit": unit}
        else:
            complaint = _complaint(kind, text)
            values[field.name] = text
        if complaint:
            wrong[field.name] = complaint
    return values, wrong


def _complaint(kind: str, text: str) -> str | None:
    if kind in ("number", "integer"):
        return why_unreadable(text)
    if kind == "clock" and clock_minutes(text) is None:
        return f"{text[:24]} is not a clock position. Type it as 10:30."
    return None


def _standing(dossier: Dossier, conflict: Conflict) -> Mapping[str, Any]:
    name = conflict.what.partition(":")[2]
    entry = dossier.record.doc["groups"].get(name)
    return entry["values"] if entry else {}


def _fields(dossier: Dossier, conflict: Conflict) -> tuple[Field, ...]:
    group = dossier.group(conflict.what.partition(":")[2])
    return group.fields if group else ()


def _field(
    dossier: Dossier, field: Field, answer: Any, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> dict[str, Any]:
    spec = dossier.spec(field.name)
    kind = spec.get("type", "text")
    shown: dict[str, Any] = {
        "name": field.name,
        "label": field.label,
        "kind": "text",
        "wrong": wrong.get(field.name),
    }
    if kind in KEPT:
        return shown | {"kind": "kept"}
    if kind == "measure":
        held = answer if isinstance(answer, dict) else {}
        return shown | {
            "kind": "measure",
            "value": typed.get(f"f-{field.name}", str(held.get("value") or "")),
            "unit": typed.get(f"u-{field.name}", str(held.get("unit") or spec.get("unit") or "")),
            "units": _units(spec),
        }
    value = typed.get(f"f-{field.name}", "" if answer is None else str(answer))
    if kind in ("choice", "bool3"):
        labels = list((spec.get("choices") or {}).items())
        return shown | {"kind": "choice", "value": value, "options": YES_NO if kind == "bool3" else labels}
    return shown | {"value": value}


def _units(spec: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The units a measure may be typed in."""
    return [(unit, unit_name(unit)) for unit in spec.get("units") or [str(spec.get("unit") or "")]]
