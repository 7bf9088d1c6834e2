"""The last column of the record page: what stands before an approval, facts, position, signatures."""

from collections.abc import Mapping
from typing import Any

from flask import g, url_for

from inspect_app.domain.containers import labelled
from inspect_app.office import drawings, shots
from inspect_app.office import record_trail as trail
from inspect_app.office.dossier import Dossier
from inspect_app.office.readings import instant, offset
from inspect_app.services import review
from inspect_app.store import inspections, people

GATE_OUTCOMES = {
    "violation": "violation",
    "conflict": "warning",
    "custody": "warning",
    "photo": "not_evaluated",
    "not_evaluated": "not_evaluated",
    "open_item": "warning",
    "state": "information",
    "inspector": "information",
    "unjudged": "violation",
}


def column(dossier: Dossier) -> dict[str, Any]:
    """Everything `_record_aside.html` draws."""
    changes = trail.history(dossier)
    return {
        "gates_title": "Before you approve" if "reviewer" in g.roles else "Before it is approved",
        "gates": gates(dossier),
        "facts": _facts(dossier),
        "position": _position(dossier),
        "signatures": _signatures(dossier),
        "custody": trail.custody(dossier),
        "printable": bool(labelled(dossier.answers)),
        "history": changes[: trail.SHORT_HISTORY],
        "history_more": changes[trail.SHORT_HISTORY :],
    }


def gates(dossier: Dossier) -> list[dict[str, str]]:
    """What stands in the way, then what does not: the same sentences the service refuses with."""
    case = dossier.case
    against = review.hindrances(case, g.person)
    if case.record.state in ("approved", "void"):
        against = [item for item in against if item[0] == "state"]
        if case.record.state == "approved":
            when = f"{dossier.who(case.record.decided_by)}, {dossier.at(case.record.decided_at)}"
            against = [
                (
                    "approved",
                    f"Approved by {when}, as revision {case.record.decided_rev}. It cannot be changed.",
                )
            ]
    shown = [
        {
            "outcome": "pass" if kind == "approved" else GATE_OUTCOMES.get(kind, "information"),
            "sentence": sentence,
        }
        for kind, sentence in against
    ]
    kinds = {kind for kind, _ in against}
    if case.record.state in ("submitted", "in_review"):
        if not case.missing and case.photos:
            count = len(case.photos)
            shown.append(
                {
                    "outcome": "pass",
                    "sentence": f"All {count} photos are here." if count > 1 else "The photo is here.",
                }
            )
        if "inspector" not in kinds and "reviewer" in g.roles:
            shown.append({"outcome": "pass", "sentence": "You are not its inspector."})
        if "violation" not in kinds:
            disputed = sum(
                case.is_disputed(body["rule"]) for body in case.findings if body["outcome"] == "violation"
            )
            sentence = f"No violation stands; {disputed} disputed." if disputed else "No violation."
            shown.append({"outcome": "pass", "sentence": sentence})
        if "conflict" not in kinds:
            shown.append({"outcome": "pass", "sentence": "Nothing is in conflict."})
    return shown


def _facts(dossier: Dossier) -> list[tuple[str, str, str | None]]:
    record = dossier.record
    changes = inspections.history(record.id)
    device = people.device(record.device_id)
    facts: list[tuple[str, str, str | None]] = [
        ("Inspector", dossier.who(record.inspector_id), None),
        ("Permit", record.permit_no or "none", None),
        ("Begun", trail.short(dossier, record.begun_at), None),
    ]
    if record.submitted_at:
        facts.append(("Submitted", trail.short(dossier, record.submitted_at), None))
        facts.append(("Submitted as", f"revision {record.submitted_rev}", None))
    facts += [
        ("Reached us", trail.short(dossier, record.received_at), None),
        ("Tablet", device.name if device else "not known", None),
        ("Tablet clock", _clock(changes, record.device_id), None),
        ("Form", f"version {record.protocol_version}", None),
        ("Rules", record.pack_hash[:6], None),
        ("Revision", str(record.rev), None),
    ]
    if record.parent_record:
        parent = inspections.inspection_in(g.village.slug, record.parent_record)
        if parent:
            facts.append(("Earlier visit", parent.number, url_for("record.show", record_id=parent.id)))
    for child in inspections.children_of(record.id):
        if child.village == g.village.slug:
            facts.append(("Visited again", child.number, url_for("record.show", record_id=child.id)))
    return facts


def _clock(changes: Any, device_id: str) -> str:
    """The offset of the tablet's clock at its last change: how far the estimate lies from what it wrote."""
    for change in reversed(changes):
        gap = trail.clock_gap_ms(change) if change.device_id == device_id else None
        if gap is not None:
            return offset(gap)
    return "not measured"


def _position(dossier: Dossier) -> dict[str, Any] | None:
    spots = []
    own = _spot(dossier.answers.get("gps"), "Place of the inspection")
    if own:
        spots.append(own)
    for photo in dossier.case.photos:
        spot = _spot(photo.row.get("taken_place"), shots.name_of(photo, dossier.case.form))
        if spot:
            spots.append(spot)
    if not spots:
        return None
    accuracy = spots[0].accuracy_m
    text = f"{spots[0].lat:.5f}, {spots[0].lon:.5f}. "
    good_to = f"The circle is the accuracy, ±\u00a0{accuracy:g}\u00a0m." if accuracy else None
    text += f"{good_to or 'The accuracy is not known.'} "
    text += "Blue dots are the places of the photos. North is up."
    return {"drawing": drawings.position(spots), "text": text}


def _spot(place: Any, name: str) -> drawings.Spot | None:
    if not isinstance(place, Mapping):
        return None
    lat, lon, accuracy = place.get("lat"), place.get("lon"), place.get("accuracy_m")
    if not all(isinstance(part, int | float) and not isinstance(part, bool) for part in (lat, lon)):
        return None
    if abs(float(lat)) > 90 or abs(float(lon)) > 180:  # type: ignore[arg-type]
        return None
    return drawings.Spot(
        float(lat),  # type: ignore[arg-type]
        float(lon),  # type: ignore[arg-type]
        float(accuracy) if isinstance(accuracy, int | float) else None,
        name,
    )


def _signatures(dossier: Dossier) -> list[dict[str, Any]]:
    form = dossier.case.form
    says = {slot.field: slot.says for slot in form.signatures} if form else {}
    roles = {slot.field: slot.role for slot in form.signatures} if form else {}
    return [
        {
            "name": mark["name"] or dossier.who(mark["by"]),
            "role": mark["role"] or roles.get(str(mark["field"]), ""),
            "says": says.get(str(mark["field"]), "Signed."),
            "changed": not mark["holds"],
            "status": f"Signed {dossier.at(mark['signed_at'])}, {_way_of(mark, dossier)}"
            + (
                ", holds for this revision."
                if mark["holds"]
                else ". Changed since: it does not cover this revision."
            ),
        }
        for mark in dossier.doc["signatures"]
    ]


def _way_of(mark: Mapping[str, Any], dossier: Dossier) -> str:
    """How it was signed, with what that is worth: a PIN is as old as the day on which it was chosen."""
    pin = mark.get("pin")
    if isinstance(pin, Mapping) and (chosen := instant(pin.get("set_at"))):
        return f"by name and the PIN chosen on that tablet {dossier.at(chosen)}"
    if not mark.get("typed"):
        return "by hand"
    return f"by typed name, witnessed by {mark['witness']}" if mark.get("witness") else "by typed name"
