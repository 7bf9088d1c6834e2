"""The record page's middle: values beside their proof, the tap as drawn, and every value of the form."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flask import url_for
from markupsafe import Markup

from inspect_app.domain.protocols import Group, Section
from inspect_app.domain.quantities import format_exact, from_json
from inspect_app.office import drawings, earlier, record_drawings, shots, tap_drawings
from inspect_app.office.dossier import Dossier
from inspect_app.office.readings import Shown, is_answered, words
from inspect_app.services import findings
from inspect_app.store.forms import number_of
from inspect_app.store.photos import Photo

Body = Mapping[str, Any]
GRAVE = ("violation", "warning", "discretion")
DEFINITE = ("violation", "warning", "discretion", "pass", "information")


def column(dossier: Dossier) -> dict[str, Any]:
    """Everything `_record_values.html` draws."""
    proofs, others = [], []
    names = shots.names_of(dossier.case.photos, dossier.case.form)
    for photo in dossier.case.photos:
        name, label = dossier.proved(photo)
        if name and dossier.field(name) and is_answered(dossier.answers.get(name)):
            proofs.append(proof(dossier, photo, name, label, names[photo.id]))
        else:
            others.append(
                {
                    "label": names[photo.id],
                    "meta": shots.meta(photo),
                    "photo": shots.picture(photo, dossier.case.form, None),
                }
            )
    order = {body["rule"]: rank for rank, body in enumerate(dossier.case.findings)}
    proofs.sort(key=lambda item: min((order[found["rule"]] for found in item["findings"]), default=999))
    loud = [item for item in proofs if item["grave"]] or [item for item in proofs if item["measured"]][:3]
    return {
        "proofs": loud,
        "quiet_proofs": [item for item in proofs if item not in loud],
        "other_photos": others,
        "dial": dial(dossier, dossier.answers, dossier.case.findings),
        "plan": plan(dossier, dossier.answers, dossier.case.findings),
        "drawn": record_drawings.drawn(dossier),
        "sections": [found for section in _sections(dossier) if (found := _section(dossier, section))],
    }


def proof(dossier: Dossier, photo: Photo, name: str, label: str, photo_name: str = "") -> dict[str, Any]:
    """One photo with the value it proves and what the rules say about that value."""
    shown = dossier.shown(name)
    choice = str(photo.row.get("proves") or "").partition(".")[2]
    if choice:  # one of several that may be chosen: whether this one was
        chosen = dossier.answers.get(name)
        shown = Shown("Yes" if isinstance(chosen, list) and choice in chosen else "No")
    is_list = dossier.spec(name).get("type") == "list"
    if is_list:  # its rows stand below; beside the photo they would only repeat themselves
        shown = Shown(f"{label}: {shown.text}")
        label = photo_name or shots.name_of(photo, dossier.case.form)
    about = [
        {
            "rule": body["rule"],
            "outcome": body["outcome"],
            "text": f"{body['rule']}{f': {figure}' if (figure := body.get('figure')) else ''}",
        }
        for body in about_field(dossier.case.findings, name)
        if body["outcome"] in DEFINITE and photo.row.get("shows") in (body.get("evidence") or ())
    ]
    typed = f"Typed “{shown.typed}”. " if shown.typed else ""
    return {
        "label": label,
        "shown": shown,
        "aside": _aside(dossier, name),
        "bad": not is_list and any(item["outcome"] == "violation" for item in about),
        "measured": dossier.spec(name).get("type") in ("measure", "clock", "number"),
        "grave": any(item["outcome"] in GRAVE for item in about),
        "findings": about,
        "meta": typed + shots.meta(photo),
        "photo": shots.picture(photo, dossier.case.form, shown),
    }


def about_field(found: Any, name: str) -> list[Body]:
    """The findings that looked at a field: where a rule failed, only by the fields that made it fail."""
    touched = []
    for body in found:
        failed = [field for fault in body.get("failed") or () for field in fault.get("fields") or ()]
        paths = failed or body.get("reads") or []
        if any(path.partition("[")[0].partition(".")[0] == name for path in paths):
            touched.append(body)
    return touched


def _aside(dossier: Dossier, name: str) -> str:
    if name != "clock":
        return ""
    view = dossier.answers.get("view_direction")
    return f"looking {view}" if isinstance(view, str) and view else ""


def _worst(found: Any, *fields: str) -> str | None:
    """The gravest definite outcome of the findings that look at these fields."""
    for body in found:  # they stand by gravity
        if body["outcome"] in DEFINITE and any(body in about_field([body], field) for field in fields):
            return str(body["outcome"])
    return None


def _limit(found: Any, field: str) -> float | None:
    """The limit of the finding about a distance, from its figure: no ordinance stands in this program."""
    for body in about_field(found, field):
        compared = drawings.comparison(body.get("figure"))
        if compared and compared.unit == "in":
            return compared.limit
    return None


def dial(dossier: Dossier, answers: Mapping[str, Any], found: Any) -> Markup:
    """The clock dial of a tap, or nothing."""
    clock, view = answers.get("clock"), answers.get("view_direction")
    if not isinstance(clock, str):
        return Markup("")
    return tap_drawings.dial(clock, view if isinstance(view, str) else None, _worst(found, "clock"))


def plan(dossier: Dossier, answers: Mapping[str, Any], found: Any) -> Markup:
    """The main in plan with this tap's distances, or nothing."""
    places = {}
    for name in ("joint_distance_up", "joint_distance_down", "other_lateral_distance"):
        inches = _inches(dossier, answers.get(name))
        if inches is not None:
            shown = dossier.shown(name, answers)
            limit = _limit(found, name) or (_limit(found, "joint_distance_down") if "joint" in name else None)
            outcome = _outcome_of_distance(found, name, inches, limit)
            places[name] = tap_drawings.Distance(float(inches), shown.line, limit, outcome)
    if not places:
        return Markup("")
    opening = _inches(dossier, answers.get("opening_dia"))
    manhole, distance = answers.get("mh_ref"), dossier.shown("distance_mh", answers)
    where = (
        f"{manhole}, {distance.line}"
        if manhole and is_answered(answers.get("distance_mh"))
        else str(manhole or "")
    )
    return tap_drawings.plan(
        places.get("joint_distance_up"),
        places.get("joint_distance_down"),
        places.get("other_lateral_distance"),
        float(opening) if opening is not None else None,
        answers.get("basis") != "centre",
        where,
    )


def _outcome_of_distance(found: Any, name: str, inches: Fraction, limit: float | None) -> str | None:
    """One rule judges both joints by the nearer one: the farther one is drawn by its own distance."""
    outcome = _worst(found, name)
    if outcome == "violation" and limit is not None and float(inches) > 2 * limit:
        return "pass"
    return outcome


def _inches(dossier: Dossier, answer: Any) -> Fraction | None:
    if not isinstance(answer, dict):
        return None
    number = from_json(answer.get("value"))
    pack = findings.pack_of(dossier.record)
    unit = answer.get("unit")
    if number is None or pack is None or not isinstance(unit, str):
        return None
    return pack.units.convert(number, unit, "in", ["length"])


def _sections(dossier: Dossier) -> list[Section]:
    """The form's sections; groups that the form of this version does not have stand at the end."""
    form = dossier.case.form
    sections = [section for section in form.sections if section.groups] if form else []
    known = {group.name for section in sections for group in section.groups}
    strays = [name for name in dossier.doc["groups"] if name not in known and name != "signatures"]
    if strays:
        groups = tuple(Group(name, words(name), ()) for name in strays)
        sections.append(Section("other", "Not on this form", "fields", None, None, groups))
    return sections


def _section(dossier: Dossier, section: Section) -> dict[str, Any] | None:
    marked, before = _marked(dossier), earlier.by_field(dossier)
    groups = [found for group in section.groups if (found := _group(dossier, group, marked, before))]
    if not groups:
        return None
    values = [value for group in groups for value in group["fields"]]
    answered = sum(value["answered"] for value in values)
    grave = any(outcome in ("violation", "warning") for value in values for outcome in value["outcomes"])
    return {
        "title": section.title,
        "groups": groups,
        "answered": f"{answered} answered",
        "open": grave or len(values) <= 6,
    }


def _marked(dossier: Dossier) -> dict[str, str]:
    """Field -> the gravest outcome it caused.

    A rule that takes the nearer of two distances names both: only the one in its figure is marked.
    """
    marked: dict[str, str] = {}
    for body in reversed(dossier.case.findings):
        if body["outcome"] not in GRAVE:
            continue
        fields = {path.partition("[")[0] for fault in body.get("failed") or () for path in fault["fields"]}
        compared = drawings.comparison(body.get("figure"))
        exact = {name for name in fields if compared and _is(dossier.answers.get(name), compared.value)}
        types = {name: dossier.spec(name).get("type") for name in fields}
        measured = {name for name in fields if types[name] in ("measure", "clock", "number")}
        marked.update(dict.fromkeys(exact or measured or fields, body["outcome"]))
    return marked


def _is(answer: Any, value: float) -> bool:
    number = from_json(answer.get("value")) if isinstance(answer, dict) else None
    return number is not None and float(number) == value


def _group(
    dossier: Dossier, group: Group, marked: Mapping[str, str], before: Mapping[str, list[str]]
) -> dict[str, Any] | None:
    entry = dossier.doc["groups"].get(group.name)
    rows = []
    fields = {field.name: field.label for field in group.fields}
    extra = [name for name in (entry or {}).get("values", {}) if name not in fields]
    for name in [*fields, *extra]:
        answer = dossier.answers.get(name)
        if not is_answered(answer) and name not in (entry or {}).get("values", {}):
            continue
        rows.append(
            {
                "number": number_of(name),
                "label": fields.get(name) or words(name),
                "shown": dossier.shown(name),
                "before": before.get(name, ()),
                "answered": is_answered(answer),
                "outcomes": [outcome for outcome in [marked.get(name)] if outcome],
            }
        )
    if not rows:
        return None
    clash = next((one for one in dossier.case.conflicts if one.what == f"group:{group.name}"), None)
    return {
        "title": group.title,
        "fields": rows,
        "by": f"{dossier.who(entry['by'])}, {dossier.at(entry['at'])}" if entry else "",
        "in_conflict": url_for("conflicts.show", conflict_id=clash.id) if clash else None,
    }


def plain_number(answer: Any) -> str:
    """A measure's number without its unit, for a form: what was typed if it can be read, else nothing."""
    number = from_json(answer.get("value")) if isinstance(answer, dict) else None
    return format_exact(number) if number is not None else ""
