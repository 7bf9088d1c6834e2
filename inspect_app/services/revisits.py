"""Inspecting a place again: a child record, which begins with who, where and which permit; no reading."""

from inspect_app.domain import carrying
from inspect_app.domain.errors import IllegalTransition, NotFound
from inspect_app.services.places import LONGEST_PLACE, Visit
from inspect_app.store import forms, inspections, places

HANDED_IN = ("submitted", "in_review", "returned", "approved")


def next_visit(village: str, record_id: str) -> Visit:
    """What an assignment for the next visit of this record's place begins with.

    Raises NotFound, or IllegalTransition for a record that was never handed in or is void: nothing was
    found there that could be looked at again.
    """
    record = inspections.inspection_in(village, record_id)
    if record is None:
        raise NotFound("There is no such record here. Search the queue.")
    if record.state not in HANDED_IN or record.deleted:
        raise IllegalTransition("Only a record that was handed in can be inspected again.")
    form = forms.protocol(record.protocol)
    before = places.assignment(record.assignment_id, village) if record.assignment_id else None
    return Visit(
        protocol=record.protocol,
        place=record.place[:LONGEST_PLACE],
        person_id=record.inspector_id,
        due_at=None,
        permit_no=record.permit_no or "",
        prefill=carrying.carried(form, record.doc["groups"]) if form else {},
        context=dict(before.context) if before else {},
        latitude=before.latitude if before else None,
        longitude=before.longitude if before else None,
        parent_record=record.id,
    )
