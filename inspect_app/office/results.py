"""Results of laboratories in words: as they were reported, as they are read, and what they replaced."""

from collections.abc import Mapping
from typing import Any

from flask import url_for

from inspect_app.domain.lab_results import LIST
from inspect_app.office.dossier import Dossier
from inspect_app.office.filters import zone
from inspect_app.office.readings import instant, moment
from inspect_app.store import inspections
from inspect_app.store.inspections import Inspection
from inspect_app.store.laboratory import LabRow

ANALYTES = {
    "bod5": "BOD, 5 days",
    "cbod5": "Carbonaceous BOD, 5 days",
    "bod7": "BOD, 7 days",
    "cod": "COD",
    "tss": "Suspended solids",
    "tds": "Dissolved solids",
    "ssc": "Suspended sediment",
    "tkn": "Kjeldahl nitrogen",
    "ammonia_n": "Ammonia as N",
    "organic_n": "Organic nitrogen",
    "oil_grease_hem": "Oil and grease (HEM)",
    "ph": "pH",
    "chromium_vi": "Chromium VI",
}
UNITS = {"mg/l": "mg/L", "ug/l": "µg/L", "su": ""}
KINDS = {
    "duplicate": "field duplicate",
    "field_blank": "field blank",
    "equipment_blank": "equipment blank",
    "temp_blank": "temperature blank",
}


def analyte(slug: str) -> str:
    return ANALYTES.get(slug) or slug.replace("_", " ").capitalize()


def result(values: Mapping[str, Any]) -> str:
    """`<5 mg/L U`: the result as rules read it, with unit and qualifier."""
    parts = (values.get("lab_result"), UNITS.get(str(values.get("unit")), ""), values.get("qualifier"))
    return " ".join(str(part) for part in parts if part)


def shown_row(row: LabRow, records: Mapping[str, Inspection]) -> dict[str, Any]:
    """A row of a report for a page: as it stood, as it was read, and what is to be said of it."""
    cells, values = row.cells, row.values
    said = " ".join(part for part in (row.said, cells.get("unit", ""), cells.get("qualifier", "")) if part)
    read = result(values)
    record = records.get(row.record_id or "")
    return {
        "id": row.id,
        "line": row.line,
        "sample_id": cells.get("sample_id") or "none",
        "coc_no": cells.get("coc_no") or "none",
        "analyte": analyte(values["analyte"]) if values.get("analyte") else cells.get("analyte") or "none",
        "said": said or "nothing",
        "read": read if read and _plain(read) != _plain(said) else "",
        "collected": cells.get("collected_at", ""),
        "reasons": row.reasons,
        "remarks": row.remarks,
        "note": row.note,
        "record": {"number": record.number, "href": url_for("record.show", record_id=record.id)}
        if record
        else None,
        "cells": [(name, text) for name, text in cells.items() if text],
    }


def column(dossier: Dossier) -> dict[str, Any]:
    """What a laboratory reported about this record's samples, with every version that was replaced."""
    entries = dossier.doc["lists"].get(LIST) or ()
    if not entries:
        return {"results": []}
    before = _replaced(dossier)
    return {
        "results": [
            {
                "sample_id": entry["row"].get("sample_id", ""),
                "analyte": analyte(str(entry["row"].get("analyte", ""))),
                "result": result(entry["row"]),
                "said": entry["said"] if _plain(entry["said"]) != _plain(entry["row"]["lab_result"]) else "",
                "kind": KINDS.get(str(entry["row"].get("qc_type")), ""),
                "times": _times(entry["row"]),
                "method": " ".join(
                    str(entry["row"][name])
                    for name in ("lab_method", "method_edition", "lab_name")
                    if entry["row"].get(name)
                ),
                "before": before.get(entry["id"], []),
            }
            for entry in sorted(entries, key=lambda entry: (entry["row"].get("sample_id", ""), entry["id"]))
        ]
    }


def _replaced(dossier: Dossier) -> dict[str, list[str]]:
    """The versions that later reports replaced, by row, newest first: `412 mg/L until 20 Apr 2026 10:00`."""
    found: dict[str, list[str]] = {}
    for change in inspections.history(dossier.record.id):
        if change.what != f"list:{LIST}" or not change.old:
            continue
        for entry in change.old:
            text = f"{result(entry['row'])} until {dossier.at(change.received_at)}"
            found.setdefault(entry["id"], []).insert(0, text)
    return found


def _times(row: Mapping[str, Any]) -> str:
    named = (("collected_at", "collected"), ("received_at", "received"), ("analyzed_at", "analyzed"))
    said = [f"{word} {moment(found, zone())}" for name, word in named if (found := instant(row.get(name)))]
    return ", ".join(said).capitalize()


def _plain(text: str) -> str:
    return "".join(text.lower().split())
