"""What the visit before this one found, for the page of the record that looked again."""

from collections.abc import Mapping
from typing import Any

from flask import g, url_for

from inspect_app.office.dossier import Dossier
from inspect_app.store import findings, inspections

GRAVE = ("violation", "warning", "discretion")


def column(dossier: Dossier) -> dict[str, Any]:
    """`earlier`: the first visit with its findings, or None; it keeps them whatever is found now."""
    record = dossier.record
    parent = inspections.inspection_in(g.village.slug, record.parent_record) if record.parent_record else None
    if parent is None:
        return {"earlier": None}
    found = _grave(parent.id)
    return {
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
        }
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


def _word(parent: Any) -> str:
    return "Earlier visit" if parent.parent_record else "First visit"


def _grave(record_id: str) -> list[Mapping[str, Any]]:
    bodies = [row.body for row in findings.latest(record_id) or findings.latest(record_id, "tablet")]
    return sorted(
        (body for body in bodies if body["outcome"] in GRAVE), key=lambda body: GRAVE.index(body["outcome"])
    )
