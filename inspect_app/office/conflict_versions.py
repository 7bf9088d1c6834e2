"""The versions of a conflict side by side: values, notes, photos, drawings, what the rules say of each."""

from collections.abc import Mapping
from typing import Any

from inspect_app.office import shots
from inspect_app.office.dossier import Dossier
from inspect_app.office.readings import offset, words
from inspect_app.office.record_trail import clock_gap_ms
from inspect_app.office.record_values import dial, plan
from inspect_app.services import findings
from inspect_app.store import inspections as store
from inspect_app.store import queue
from inspect_app.store.inspections import Conflict

Body = Mapping[str, Any]
GRAVE = ("violation", "warning", "discretion")
LETTERS = "ABCDEFGHIJ"


def versions_of(dossier: Dossier, conflict: Conflict) -> list[dict[str, Any]]:
    """The version in force, then the waiting ones, each with its author, its clock and its findings."""
    name = conflict.what.partition(":")[2]
    entry = dossier.record.doc["groups"].get(name)
    changes = {change.op_id: change for change in store.history(dossier.record.id)}
    versions = []
    state = "in force" if conflict.state == "open" else "now"
    everything = [(entry, f"Version A, {state}")] if entry else []
    everything += [
        (candidate, f"Version {letter}, {'waiting' if conflict.state == 'open' else 'was waiting'}")
        for letter, candidate in zip(LETTERS[len(everything) :], conflict.candidates, strict=False)
    ]
    for version, title in everything:
        change = changes.get(version["op"])
        gap = clock_gap_ms(change) if change else None
        sent = f", sent {dossier.at(change.received_at)}, revision {change.rev}" if change else ""
        values = version["values"]
        instead = {name: values} if name else None
        versions.append(
            {
                "op": version["op"],
                "by": version["by"],
                "device": version.get("device"),
                "title": title,
                "meta": f"{dossier.who(version['by'])}{sent}",
                "clock": _clock(gap),
                "measured": _measured(dossier, change, gap),
                "values": values,
                "findings": findings.evaluate(dossier.record, instead=instead),
            }
        )
    return versions


def _clock(gap_ms: float | None) -> str:
    word = offset(gap_ms)
    if gap_ms is not None and abs(gap_ms) < 120_000:
        return word.capitalize()
    return (
        word.capitalize() if word in ("right", "not measured") else f"{word}. It plays no part in who wins."
    )


def _measured(dossier: Dossier, change: Any, gap_ms: float | None) -> dict[str, str]:
    """When it was measured, by the server's reckoning, and what the tablet's own clock said if it differs."""
    if change is None:
        return {"at": "", "by_tablet": ""}
    at = dossier.at(change.estimated_at or change.wall or change.received_at, seconds=True)
    is_off = gap_ms is not None and abs(gap_ms) >= 1000
    return {"at": at, "by_tablet": dossier.at(change.wall, seconds=True) if is_off else ""}


def rows(dossier: Dossier, conflict: Conflict, versions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each field of the group that any version answers."""
    base = before(dossier, conflict)[0]
    group = dossier.group(conflict.what.partition(":")[2])
    labels = {field.name: field.label for field in group.fields} if group else {}
    named = [name for version in versions for name in version["values"]] + list(base)
    order = [name for name in labels if name in named] + [
        name for name in dict.fromkeys(named) if name not in labels
    ]
    rows = []
    for name in order:
        cells = [dossier.shown(name, version["values"]) for version in versions]
        was = dossier.shown(name, base)
        lines = {cell.line for cell in cells}
        rows.append(
            {
                "label": labels.get(name, words(name)),
                "before": was.line if base else "",
                "cells": [{"shown": cell, "differs": cell.line != was.line} for cell in cells],
                "changed": len(lines) > 1,
            }
        )
    return rows


def before(dossier: Dossier, conflict: Conflict) -> tuple[Mapping[str, Any], int | None]:
    """What the waiting version's author saw, and its revision: by the op it replaces, else by their word."""
    replaced = {candidate.get("replaces") for candidate in conflict.candidates}
    for change in store.history(dossier.record.id):
        if change.op_id in replaced and isinstance(change.new, dict):
            return change.new, change.rev
    return (conflict.base if isinstance(conflict.base, dict) else {}), None


def notes(dossier: Dossier, versions: list[dict[str, Any]]) -> list[list[str]]:
    """What each author noted on the record; notes are kept all, whichever version stands."""
    rows = dossier.doc["lists"].get("notes") or ()
    texts = [
        [str(row["row"].get("note") or "") for row in rows if row.get("by") == version["by"]]
        for version in versions
    ]
    return texts if any(texts) else []


def photos(dossier: Dossier, versions: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The photos each author took that prove a value of the group; first those of values that differ."""
    values = [version["values"] for version in versions]
    fields = {name for one in values for name in one}
    differ = {name for name in fields if len({repr(one.get(name)) for one in values}) > 1}
    authors = {photo["photo_id"]: photo.get("by") for photo in dossier.doc["photos"]}
    columns: list[list[dict[str, Any]]] = []
    for version in versions:
        column = []
        proofs = [(*dossier.proved(photo), photo) for photo in dossier.case.photos]
        for name, label, photo in sorted(proofs, key=lambda proof: proof[0] not in differ):
            if name in fields and authors.get(photo.id) == version["by"]:
                shown = dossier.shown(name, version["values"])
                column.append(
                    {
                        "label": label,
                        "photo": shots.picture(photo, dossier.case.form, shown),
                        "meta": shots.meta(photo),
                    }
                )
        columns.append(column)
    return columns if any(columns) else []


def drawn(dossier: Dossier, version: dict[str, Any]) -> Any:
    """A tap's plan and dial as this version says; empty for any other group."""
    answers = {**dossier.answers, **version["values"]}
    if not {"clock", "joint_distance_down", "joint_distance_up"} & set(version["values"]):
        return ""
    return plan(dossier, answers, version["findings"]) + dial(dossier, answers, version["findings"])


def finding_rows(judged: list[list[Body]]) -> list[dict[str, Any]]:
    """The rules on which the versions differ, and those that any version breaks."""
    rows = []
    for bodies in zip(*judged, strict=False) if judged and all(judged) else ():
        outcomes = {(body["outcome"], body.get("figure")) for body in bodies}
        if len(outcomes) > 1 or any(body["outcome"] == "violation" for body in bodies):
            rows.append({"title": bodies[0]["title"], "rule": bodies[0]["rule"], "cells": bodies})
    return rows


def choices(dossier: Dossier, conflict: Conflict, versions: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What a reviewer may decide: keep, take one of the waiting, or measured again."""
    if conflict.what == "record":
        return [
            {"value": "current", "title": "Keep the record", "meta": "The deletion is not carried out"},
            *(
                {
                    "value": one["op"],
                    "title": "Delete the record",
                    "meta": f"As {dossier.who(one['by'])} asked",
                }
                for one in conflict.candidates
            ),
        ]
    choices = []
    for version in versions:
        in_force = version["op"] not in {one["op"] for one in conflict.candidates}
        letter = version["title"].partition(",")[0].replace("V", "v", 1)
        worst = next((body for body in _by_gravity(version["findings"]) if body["outcome"] in GRAVE), None)
        says = f"{worst['outcome']} {worst['rule']}" if worst else "no objection"
        choices.append(
            {
                "value": "current" if in_force else version["op"],
                "title": f"{'Keep' if in_force else 'Take'} {letter}",
                "meta": f"{dossier.who(version['by'])}; {says}",
            }
        )
    choices.append({"value": "value", "title": "Measured again", "meta": "Enter a new whole group below"})
    return choices


def _by_gravity(bodies: list[Body]) -> list[Body]:
    order = {outcome: rank for rank, outcome in enumerate(queue.OUTCOMES)}
    return sorted(
        (body for body in bodies if body["outcome"] not in ("not_applicable", "information")),
        key=lambda body: order.get(body["outcome"], 9),
    )
