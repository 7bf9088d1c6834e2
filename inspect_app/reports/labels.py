"""Labels of a visit's containers, each with the sample id as text and as a QR code that says exactly that."""

import json
from typing import Any

import segno

from inspect_app.domain.containers import labelled, sample_id
from inspect_app.domain.errors import Refused
from inspect_app.domain.inspections import answers_of
from inspect_app.reports.custody_form import Words, taken_as
from inspect_app.reports.typeset import typeset
from inspect_app.services import documents
from inspect_app.store import people, villages
from inspect_app.store.inspections import Inspection


def labels_pdf(record: Inspection, roll: bool) -> bytes:
    """A sheet of thirty on US letter, or with `roll` one label a page; raises Refused without containers."""
    return typeset("labels", json.dumps(labels_data(record, roll), ensure_ascii=False).encode())


def code(label: str) -> str:
    """A QR code of exactly this text, as an SVG; a quarter of it may be wet or torn."""
    return segno.make(label, error="q", micro=False, mode="byte").svg_inline(scale=4, border=2)


def labels_data(record: Inspection, roll: bool) -> dict[str, Any]:
    """What stands on each label, as texts; raises Refused where the record holds no container."""
    answers = answers_of(documents.pulled(record))
    containers = labelled(answers)
    if not containers:
        raise Refused(
            f"Record {record.number} has no container with a sample id, so there is no label to print."
        )
    village = villages.village(record.village)
    words = Words(record)
    sampler = people.person(record.inspector_id)
    changed = record.submitted_at or record.begun_at
    return {
        "timestamp": int(changed.timestamp()),
        "village": village.name,
        "record": record.number,
        "roll": roll,
        "labels": [
            {
                "id": sample_id(row),
                "qr": code(sample_id(row)),
                "filled": words.said("containers", "filled_at", row.get("filled_at"))[:16],
                "zone": f"{changed.astimezone(words.zone):%Z}",
                "point": str(answers.get("point_id") or answers.get("manhole_id") or record.place),
                "taken": taken_as(row, answers),
                "analysis": words.said("containers", "analyte_group", row.get("analyte_group")),
                "preservative": ""
                if row.get("preservative") == "none"
                else words.said("containers", "preservative", row.get("preservative")).lower(),
                "collector": sampler.name if sampler else "",
                "seal": str(row.get("seal_no") or ""),
            }
            for row in containers
        ],
    }
