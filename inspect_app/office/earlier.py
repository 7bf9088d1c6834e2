"""What was found before: by the visit that this one repeats, and by earlier revisions of this record."""

from collections.abc import Mapping
from typing import Any

from flask import g, url_for

from inspect_app.office.dossier import Dossier
from inspect_app.store import findings, inspections

GRAVE = ("violation", "warning", "discretion")


def column(dossier: Dossier) -> dict[str, Any]:
    """`earlier`: the first visit with its findings, or None; `corrected`: what was broken at first here."""
    record = dossier.record
    parent = inspections.inspection_in(g.village.slug, record.parent_record) if record.parent_record else None
    mended = corrected(dossier)
    if parent is None:
        return {"earlier": None, "corrected": mended}
    found = _grave(parent.id)
    return {
        "corrected": mended,
        "earlier": {
            "word": _word(parent),
            "number": parent.number,
            "href": url_for("record.show", record_id=parent.id),
            "at": dossier.at(parent.submitted_at or parent.begun_at),
            "findings": [
                {
                    "outcome": body["outcome"],
                    "rule": body["rule"],
                    "title": body["title"],
                    "figure": body.get("figure"),
                    "book": url_for("book.rule", rule=body["rule"], pack=parent.pack_hash),
                }
                for body in found
            ],
        },
    }


def by_field(dossier: Dossier) -> dict[str, list[str]]:
    """Field -> what the visit before found about it, as "First visit: 5.5 in ≤ 6 in, violation"."""
    record = dossier.record
    parent = inspections.inspection_in(g.village.slug, record.parent_record) if record.parent_record else None
    said: dict[str, list[str]] = {}
    for body in _grave(parent.id) if parent else ():
        text = ", ".join(filter(None, (body.get("figure"), body["outcome"])))
        fields = {path.partition("[")[0] for fault in body.get("failed") or () for path in fault["fields"]}
        for name in fields:
            said.setdefault(name, []).append(f"{_word(parent)}: {text}")
    return said


def corrected(dossier: Dossier) -> list[dict[str, Any]]:
    """Violations of earlier revisions that stand no more: each keeps its card, with when it was corrected."""
    record_id = dossier.record.id
    now = {body["rule"] for body in dossier.case.findings if body["outcome"] == "violation"}
    gone = findings.rules_once_broken(record_id) - now
    if not gone:
        return []
    last: dict[str, Any] = {}
    mended: dict[str, int] = {}
    for row in findings.of_every_revision(record_id, gone):
        if row.outcome == "violation":
            last[row.rule] = row
            mended.pop(row.rule, None)
        elif row.rule in last:
            mended.setdefault(row.rule, row.rev)
    times = {
        change.rev: change.estimated_at or change.received_at for change in inspections.history(record_id)
    }
    return [
        {
            "rule": rule,
            "at": dossier.at(times.get(mended[rule])),
            "figure": last[rule].body.get("figure"),
            "message": last[rule].body.get("message") or last[rule].body["title"],
            "book": url_for("book.rule", rule=rule, pack=last[rule].pack_hash),
        }
        for rule in sorted(mended)
    ]


def _word(parent: Any) -> str:
    return "Earlier visit" if parent.parent_record else "First visit"


def _grave(record_id: str) -> list[Mapping[str, Any]]:
    bodies = [row.body for row in findings.latest(record_id) or findings.latest(record_id, "tablet")]
    return sorted(
        (body for body in bodies if body["outcome"] in GRAVE), key=lambda body: GRAVE.index(body["outcome"])
    )
