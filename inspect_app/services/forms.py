"""The form a record was begun with, and what it asked for: the photos that are due."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.inspections import answers_of
from inspect_app.domain.protocols import Field, PhotoSlot, Protocol
from inspect_app.services import findings
from inspect_app.store import villages
from inspect_app.store.inspections import Inspection
from inspect_app.store.photos import Photo

Spec = dict[str, Any]


@cache
def form_of(kind: str, version: str) -> Protocol | None:
    """The form of this kind and version, or None where it is not installed here; read once."""
    return villages.protocol(kind, version)


@cache
def specs_of(kind: str, version: str) -> Mapping[str, Spec]:
    """What each field of a form is: type, unit, units to type it in, choices with labels, columns `of`."""
    form = form_of(kind, version)
    known = villages.groups(kind) if form else {}
    return {
        field.name: _spec(field, known.get(group.name, {}).get(field.name, {}))
        for group, field in (form.fields() if form else ())
    }


def _spec(field: Field, known: Mapping[str, Any]) -> Spec:
    """The dictionary's entry with the form's words."""
    spec: Spec = {**known, "label": field.label}
    if field.choices:
        spec["choices"] = dict(field.choices)
    elif "choices" in spec:
        spec["choices"] = {slug: slug.replace("_", " ").capitalize() for slug in spec["choices"]}
    if "accept" in spec:
        rows = spec["accept"] if isinstance(spec["accept"], list) else [spec["accept"]]
        units = villages.dictionary().units
        spec["units"] = [unit for row in rows if row in units for unit in units[row]["accept"]]
    if field.row:
        spec["of"] = {
            column.name: _spec(column, known.get("of", {}).get(column.name, {})) for column in field.row
        }
    return spec


def blank_form(village: str, kind: str, today: date) -> dict[str, Any] | None:
    """The newest form of a kind with what this village may be asked; None where there is no such kind.

    A field that only another village is asked for is left out; what depends on answers stays.
    """
    form = next((one for one in villages.forms_for_tablets() if one["protocol"] == kind), None)
    if form is None:
        return None
    pack = villages.pack_of(village, today)
    scope = Scope(Answers(villages.dictionary().flat(), pack.units, {"village": village}))

    def may_be_asked(entry: Mapping[str, Any]) -> bool:
        condition = entry.get("shown_when")
        return not condition or evaluate(parse(condition), scope).value is not False

    sections = [
        {**section, "groups": [group for group in groups if group["fields"]]}
        for section in form["sections"]
        for groups in [
            [
                {**group, "fields": list(filter(may_be_asked, group["fields"]))}
                for group in section.get("groups", ())
            ]
        ]
    ]
    return {**form, "sections": sections, "photos": list(filter(may_be_asked, form["photos"]))}


def photos_not_taken(record: Inspection, form: Protocol, photos: Sequence[Photo]) -> list[PhotoSlot]:
    """The required slots of the form that were shown and that no photo fills."""
    required = [slot for slot in form.photos if slot.required and not _is_filled(slot, form, photos)]
    given = {**answers_of(record.doc), **findings.context_of(record)} if required else {}
    return [slot for slot in required if is_shown(slot.shown_when, record, given)]


def is_shown(condition: str | None, record: Inspection, given: Mapping[str, Any]) -> bool:
    """Whether a field or slot was on the form: its condition is absent or definitely true."""
    if condition is None:
        return True
    pack = findings.pack_of(record)
    if pack is None:
        return False
    day = findings.day_of(record, findings.context_of(record)).isoformat()
    answers = Answers(pack.data["fields"], pack.units, {**given, **pack.settings_on(day)})
    return evaluate(parse(condition), Scope(answers)).is_true


def _is_filled(slot: PhotoSlot, form: Protocol, photos: Sequence[Photo]) -> bool:
    """A photo fills the slot it names; where several slots show one thing, it must prove the same."""
    alone = sum(other.shows == slot.shows for other in form.photos) == 1
    return any(
        photo.row.get("shows") == slot.shows and (alone or photo.row.get("proves") == slot.proves)
        for photo in photos
    )
