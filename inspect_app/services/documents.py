"""A record as tablets pull it: groups and lists from its document, photos and custody from their tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from inspect_app.domain import custody, inspections
from inspect_app.store import custody as custody_store
from inspect_app.store import photos as photo_store
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.inspections import Conflict, Inspection
from inspect_app.store.photos import Photo


def pulled(record: Inspection) -> dict[str, Any]:
    """The document of one record."""
    return pulled_all([record])[record.id]


def pulled_all(records: Iterable[Inspection]) -> dict[str, dict[str, Any]]:
    """The documents of some records by id: three queries, however many they are."""
    records = list(records)
    ids = [record.id for record in records]
    photos: dict[str, list[Photo]] = {}
    for photo in photo_store.photos_of(ids):
        photos.setdefault(photo.record_id, []).append(photo)
    events: dict[str, list[CustodyEvent]] = {}
    for event in custody_store.events_of(ids):
        events.setdefault(event.record_id, []).append(event)
    return {
        record.id: _doc(record, photos.get(record.id, []), events.get(record.id, [])) for record in records
    }


def _doc(record: Inspection, photos: Sequence[Photo], events: Sequence[CustodyEvent]) -> dict[str, Any]:
    groups = {
        name: {member: entry[member] for member in ("op", "values", "by", "at")}
        for name, entry in record.doc["groups"].items()
    }
    doc = {
        "groups": groups,
        "lists": {name: list(rows) for name, rows in record.doc["lists"].items()},
        "photos": [
            {
                "photo_id": photo.id,
                "sha256": photo.sha256,
                "bytes": photo.bytes,
                "mime": photo.mime,
                "row": photo.row,
                "state": photo.state,
                "op": photo.op_id,
                "by": photo.person_id,
                "at": photo.wall,
            }
            for photo in photos
        ],
        "custody": [
            {
                "op": event.op_id,
                "event": event.event,
                "hash": event.event_hash,
                "fork": event.fork,
                "says": custody.read_event(event.event).says,
                "by": event.person_id,
                "at": event.wall,
            }
            for event in events
        ],
        "submitted": record.doc["submitted"],
        "state": record.state,
        "number": record.number,
        "village": record.village,
        "protocol": record.protocol,
        "protocol_version": record.protocol_version,
        "pack": record.pack_hash,
        "place": record.place,
        "permit_no": record.permit_no,
        "assignment_id": record.assignment_id,
        "inspector_id": record.inspector_id,
        "parent_record": record.parent_record,
        "returned": record.doc.get("returned"),
    }
    doc["revision_hash"] = revision_hash(doc)
    doc["signatures"] = _signatures(doc)
    return doc


def revision_hash(doc: dict[str, Any]) -> str:
    """What a signature on this document, as it stands, would be bound to."""
    return inspections.revision_hash(doc["groups"], (photo["sha256"] for photo in doc["photos"]))


def _signatures(doc: dict[str, Any]) -> list[dict[str, Any]]:
    """Each signature with whether the record is still what was signed; an older one stays, marked."""
    return [
        {
            "signature_id": mark["row"].get("signature_id"),
            "field": mark["row"].get("field"),
            "role": mark["row"].get("role"),
            "name": mark["row"].get("name"),
            "signed_at": mark["row"].get("signed_at"),
            "typed": "typed" in mark["row"],
            "pin": mark["row"].get("pin"),
            "witness": mark["row"].get("witness"),
            "by": mark["by"],
            "holds": mark["row"].get("revision_hash") == doc["revision_hash"] or _is_answer(doc, mark["row"]),
        }
        for mark in doc["lists"].get("signature_marks", ())
    ]


def _is_answer(doc: dict[str, Any], mark: dict[str, Any]) -> bool:
    """Whether a form asked for this signature among its answers: it covers those, not the whole record."""
    field = mark.get("field")
    return isinstance(field, str) and any(
        name != "signatures" and group["values"].get(field) == mark.get("signature_id")
        for name, group in doc["groups"].items()
    )


def conflict(row: Conflict) -> dict[str, Any]:
    """A conflict as tablets pull it."""
    return {
        "id": row.id,
        "record_id": row.record_id,
        "what": row.what,
        "kind": row.kind,
        "base": row.base,
        "current_op": row.current_op,
        "candidates": row.candidates,
        "state": row.state,
        "resolved_op": row.resolved_op,
    }
