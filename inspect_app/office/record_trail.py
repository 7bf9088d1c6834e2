"""What happened to a record: history with device time and corrected time, and the custody of its samples."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from inspect_app.domain.custody import check, read_event
from inspect_app.office.dossier import Dossier
from inspect_app.office.readings import instant, offset, words
from inspect_app.store import custody as custody_store
from inspect_app.store import inspections, people

FLAGS = {
    "clock_off": "The tablet's clock was more than two minutes off.",
    "clock_unknown": "The tablet never compared its clock with the server.",
    "clock_unreadable": "The tablet's time cannot be read.",
    "clock_ahead": "The tablet's time lies in the future.",
    "clock_back": "The tablet's clock was set back.",
    "clock_jumped": "The tablet's clock was changed during work.",
    "after_approval": "Arrived after the approval.",
    "after_deletion": "Arrived after the deletion.",
    "custody_fork": "Two custody events follow the same one.",
    "unseen_candidate": "Another version came meanwhile: not settled.",
    "assignment_unknown": "Its assignment is not known here.",
    "second_of_assignment": "A second record of the same assignment.",
}
WITH_REASON = ("record.", "finding.", "upload.")
STEPS = {
    "record.create": "Begun",
    "record.submit": "Submitted",
    "record.review": "Taken into review",
    "record.return": "Returned for correction",
    "record.approve": "Approved",
    "record.reopen": "Opened again",
    "record.void": "Declared void",
    "record.delete": "Deleted in the field",
    "record.move_form": "Moved to another version of the form",
    "record.number": "Number corrected",
}
SHORT_HISTORY = 12


def clock_gap_ms(change: Any) -> float | None:
    """Milliseconds to add to the device's time of a change, or None where it was never compared."""
    wall = instant(change.wall)
    if wall is None or change.estimated_at is None:
        return None
    return (change.estimated_at - wall).total_seconds() * 1000


def custody(dossier: Dossier) -> list[dict[str, Any]]:
    """The chain of the record's samples in the order of arrival, each event with what does not fit."""
    rows = custody_store.events_of([dossier.record.id])
    chain = [read_event(row.event) for row in rows]
    remarks: dict[str, list[str]] = {}
    for remark in check(chain):
        if remark.kind != "fork":
            remarks.setdefault(remark.event, []).append(remark.text)
    shown = []
    for row, event in zip(rows, chain, strict=True):
        says = event.says
        seal = (
            f"Seal {says['seal_no']}, {words(str(says.get('seal_state') or 'state not given')).lower()}"
            if says.get("seal_no")
            else ""
        )
        shown.append(
            {
                "title": f"{words(event.action)}, {row.sample_set}",
                "at": dossier.at(says.get("at_device") or row.received_at),
                "who": " to ".join(str(says[name]) for name in ("from_role", "to_role") if says.get(name)),
                "detail": ". ".join(part for part in (seal, *remarks.get(row.event_hash, ())) if part),
                "fork": row.fork,
                "hash": row.event_hash[:16],
            }
        )
    return shown


def history(dossier: Dossier) -> list[dict[str, Any]]:
    """Newest first: who, the corrected time, what, and the device's own time where it differs."""
    shown = []
    changes = inspections.history(dossier.record.id)
    others = {change.person_id for change in changes if change.person_id} - set(dossier.names)
    names = dict(dossier.names)
    for person_id in others:
        person = people.person(person_id)
        if person:
            names[person_id] = person.name
    for change in reversed(changes):
        gap = clock_gap_ms(change)
        device_time = ""
        if change.wall and (gap is None or abs(gap) >= 1000):
            device_time = f"tablet {_time(dossier, change.wall)}, {offset(gap)}"
        new = change.new if isinstance(change.new, Mapping) else {}
        shown.append(
            {
                "rev": change.rev,
                "who": names.get(change.person_id or "", "Somebody who left"),
                "at": short(dossier, change.estimated_at or change.received_at),
                "what": _what(dossier, change),
                "reason": new.get("reason") if change.op_kind.startswith(WITH_REASON) else "",
                "device_time": device_time,
                "photo": _photo(dossier, change) if change.op_kind == "photo.attach" else "",
                "flags": []
                if change.op_kind in STEPS
                else [FLAGS[flag] for flag in change.flags or () if flag in FLAGS],
            }
        )
    return _together(shown)


def _together(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Photos that one person added one after the other stand as one line."""
    shown: list[dict[str, Any]] = []
    for change in changes:
        last = shown[-1] if shown else None
        if (
            last
            and change["photo"]
            and last["photo"]
            and last["who"] == change["who"]
            and not change["flags"]
        ):
            last["photos"].append(change["photo"])
            last["what"] = f"{len(last['photos'])} photos: {', '.join(reversed(last['photos']))}"
        else:
            shown.append(change | {"photos": [change["photo"]]})
    return shown


def short(dossier: Dossier, when: datetime) -> str:
    """`18 Jun 13:46`, with the year where it is not that of the visit."""
    here = when.astimezone(dossier.zone)
    same = here.year == dossier.record.begun_at.astimezone(dossier.zone).year
    return f"{here:%-d %b %H:%M}" if same else f"{here:%-d %b %Y %H:%M}"


def _time(dossier: Dossier, wall: str) -> str:
    found = instant(wall)
    return f"{found.astimezone(dossier.zone):%H:%M:%S}" if found else wall


def _what(dossier: Dossier, change: Any) -> str:
    kind, _, name = change.what.partition(":")
    if change.op_kind == "conflict.resolve":
        return f"Settled: {_title(dossier, name) if name else 'the record'}"
    if change.op_kind in STEPS:
        return STEPS[change.op_kind]
    if change.op_kind == "upload.decide":
        released = (change.new or {}).get("decision") == "release"
        return f"Photo of a tablet out of use {'released' if released else 'kept aside'}"
    if kind == "finding":
        decision = (change.new or {}).get("decision", "")
        return f"{'Confirmed' if decision == 'confirm' else 'Disputed'} {name}"
    ending = {"noop": ", the same values", "conflict": ", kept aside: it replaces something else"}.get(
        change.outcome, ""
    )
    if kind == "group":
        return f"{_title(dossier, name)}{ending}"
    if kind == "photo":
        return f"Photo: {_photo(dossier, change)}"
    if kind == "list" and name == "signature_marks":
        role = change.new.get("role") if isinstance(change.new, Mapping) else None
        return f"Signed: {str(role).lower()}" if role else "Signed"
    if kind == "list":
        return f"Added to {words(name).lower()}"
    if kind == "custody":
        return f"Custody of {name}"
    return words(change.op_kind.rpartition(".")[2])


def _photo(dossier: Dossier, change: Any) -> str:
    """The label of the slot that a photo in the history fills."""
    row = change.new if isinstance(change.new, Mapping) else {}
    shows, proves = str(row.get("shows") or "photo"), row.get("proves")
    slots = [slot for slot in dossier.case.form.photos if slot.shows == shows] if dossier.case.form else []
    exact = [slot.label for slot in slots if slot.proves == proves] or [slot.label for slot in slots]
    return (exact[0] if exact else words(shows)).lower()


def _title(dossier: Dossier, group: str) -> str:
    if group == "signatures":
        return "Signature"
    found = dossier.group(group)
    return found.title if found else words(group)
