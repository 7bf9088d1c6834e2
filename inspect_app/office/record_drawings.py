"""What the record page carries so that the tablet's own drawings can be shown there, read-only.

The drawings are the tablet's modules; nothing is drawn twice. Without JavaScript the values say the same.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from inspect_app.office.dossier import Dossier
from inspect_app.office.readings import is_answered
from inspect_app.services import findings

# Which answers make a drawing worth showing: the sections of the form name the drawing, these its readings.
SHOWN_WITH = {
    "excavation": ("barricades_type", "lights_type", "barricades_sides"),
    "lateral_profile": ("inverts",),
    "backfill": ("lifts",),
    "house": ("outlets",),
    "gas": ("gas",),
}
READINGS = (
    *("barricades_type", "barricades_count", "barricades_sides", "barricades_open_sides"),
    *("lights_type", "lights_count", "lights_lit", "lights_lit_sides", "lights_unlit_sides"),
    *("depth_max", "protective_system", "inverts", "cover_top", "segments", "lifts", "bedding_thickness"),
    *("locating_method", "outlets", "gas", "serves", "insulation", "location_type", "backfill_started"),
)
LISTS = ("cover_top", "gas", "lifts")
WORD = re.compile(r"[A-Za-z_]\w*")


def drawn(dossier: Dossier) -> dict[str, Any] | None:
    """The sections with a drawing, and the readings of them all; None where there is nothing to draw."""
    form = dossier.case.form
    pack = findings.pack_of(dossier.record)
    sections = [
        {"title": section.title, "name": section.drawing}
        for section in (form.sections if form else ())
        if any(is_answered(dossier.answers.get(name)) for name in SHOWN_WITH.get(section.drawing or "", ()))
    ]
    if not sections or pack is None:
        return None
    context = findings.context_of(dossier.record)
    return {
        "sections": sections,
        "readings": {
            "kind": dossier.record.protocol,
            "answers": {name: dossier.answers[name] for name in READINGS if name in dossier.answers},
            "findings": [_brief(body) for body in dossier.case.findings if _is_about(body)],
            "context": {"today": findings.day_of(dossier.record, context).isoformat()},
            "specs": {name: dossier.spec(name) for name in ("protective_system", "outlets")},
            "pack": _rules_of(pack.data, dossier.record.protocol),
        },
    }


def _brief(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a drawing reads of a finding."""
    return {name: body.get(name) for name in ("rule", "outcome", "figure", "reads", "missing", "failed")}


def _is_about(body: Mapping[str, Any]) -> bool:
    paths = [*(body.get("reads") or ()), *(body.get("missing") or ())]
    return any(path.partition("[")[0].partition(".")[0] in READINGS for path in paths)


def _rules_of(pack: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The part of the pack that judges single rows of the lists that are drawn, and what those rules read."""
    judging = [
        rule
        for rule in pack["rules"]
        if kind in rule["kinds"]
        and (
            rule.get("each") in LISTS
            or any(f"{name}." in check["expr"] for check in rule.get("checks", ()) for name in LISTS)
        )
    ]
    names = set(WORD.findall(json.dumps(judging)))
    fields = {
        name: spec
        for name, spec in pack["fields"].items()
        if name in names or name in READINGS or "default" in spec
    }
    return {**pack, "rules": judging, "fields": fields}
