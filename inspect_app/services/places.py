"""Assignments: who is to inspect what, where, by when; and a village's list of permitted tappers.

Every change of an assignment enters the change feed in the same transaction, so tablets hear of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import structlog
from sqlalchemy import delete
from sqlalchemy.orm import Session

from inspect_app.domain.errors import IllegalTransition, NotFound, Refused
from inspect_app.domain.ids import new_id
from inspect_app.services import ops, people
from inspect_app.store import people as store_people
from inspect_app.store import places as store
from inspect_app.store.base import transaction
from inspect_app.store.people import Person
from inspect_app.store.places import Assignment, TapPermission

LONGEST_PLACE = 200
LONGEST_NOTE = 2000

log = structlog.get_logger()


@dataclass(frozen=True)
class Visit:
    """What an assignment asks for, as the office fills it in."""

    protocol: str
    place: str
    person_id: str | None
    due_at: datetime | None
    permit_no: str = ""
    note: str = ""
    prefill: dict[str, dict[str, Any]] = field(default_factory=dict)
    context: dict[str, Any] = field(default_factory=dict)
    latitude: float | None = None
    longitude: float | None = None
    parent_record: str | None = None


def assign(village: str, visit: Visit, by: Person | None, now: datetime) -> Assignment:
    """Ask for an inspection."""
    _check(village, visit)
    by_id = by.id if by else None
    with transaction() as session:
        assignment = Assignment(id=new_id(now), village=village, state="open", record_id=None, chg=0)
        _fill(assignment, visit)
        session.add(assignment)
        _announce(session, assignment)
    log.info("assigned", village=village, assignment=assignment.id, by=by_id)
    return assignment


def change(village: str, assignment_id: str, visit: Visit, by: Person | None) -> Assignment:
    """Change what is asked for. Once begun, kind and parent stay as they are; after that nothing changes."""
    _check(village, visit)
    by_id = by.id if by else None
    with transaction() as session:
        assignment = _of_village(assignment_id, village)
        if assignment.state not in ("open", "begun"):
            raise IllegalTransition(
                f"This assignment is {assignment.state}, so it cannot change. Make a new one."
            )
        if assignment.state == "begun" and visit.protocol != assignment.protocol:
            why = "The inspection has begun, so its kind stays. Cancel it and make a new one."
            raise Refused(why, errors={"protocol": [why]})
        _fill(assignment, visit)
        _announce(session, assignment)
    log.info("assignment_changed", village=village, assignment=assignment_id, by=by_id)
    return assignment


def cancel(village: str, assignment_id: str, by: Person | None) -> Assignment:
    """Withdraw an assignment. A record that was begun from it stays; cancelling twice is harmless."""
    by_id = by.id if by else None
    with transaction() as session:
        assignment = _of_village(assignment_id, village)
        if assignment.state == "done":
            raise IllegalTransition("This assignment is done, so it cannot be cancelled.")
        if assignment.state != "cancelled":
            assignment.state = "cancelled"
            _announce(session, assignment)
    log.info("assignment_cancelled", village=village, assignment=assignment_id, by=by_id)
    return assignment


def permit_tapper(village: str, tapper: str, first: date, last: date | None, now: datetime) -> TapPermission:
    """Put somebody on the list of those who may tap mains, from the first day to the last, both included."""
    with transaction() as session:
        permission = TapPermission(
            id=new_id(now), village=village, tapper=tapper, valid_from=first, valid_until=last
        )
        session.add(permission)
    return permission


def replace_tappers(village: str, entries: Iterable[tuple[str, date, date | None]], now: datetime) -> None:
    """Replace a village's whole list."""
    with transaction() as session:
        session.execute(delete(TapPermission).where(TapPermission.village == village))
        session.add_all(
            TapPermission(id=new_id(now), village=village, tapper=tapper, valid_from=first, valid_until=last)
            for tapper, first, last in entries
        )


def _check(village: str, visit: Visit) -> None:
    errors: dict[str, list[str]] = {}
    if not visit.place.strip():
        errors["place"] = ["The place is empty. Type the address or the manhole."]
    elif len(visit.place) > LONGEST_PLACE:
        errors["place"] = [f"The place is longer than {LONGEST_PLACE} characters. Shorten it."]
    if len(visit.note) > LONGEST_NOTE:
        errors["note"] = [f"The note is longer than {LONGEST_NOTE} characters. Shorten it."]
    if visit.person_id:
        person = store_people.person(visit.person_id)
        if person is None or not people.may(person, village, "inspector"):
            errors["person_id"] = ["Choose an active inspector of this village."]
    if (visit.latitude is None) != (visit.longitude is None):
        errors["latitude"] = ["A position needs both latitude and longitude."]
    elif visit.latitude is not None and visit.longitude is not None:
        if not -90 <= visit.latitude <= 90:
            errors["latitude"] = ["A latitude lies between −90 and 90."]
        if not -180 <= visit.longitude <= 180:
            errors["longitude"] = ["A longitude lies between −180 and 180."]
    if errors:
        first = next(iter(errors.values()))[0]
        raise Refused(first, errors=errors)


def _fill(assignment: Assignment, visit: Visit) -> None:
    assignment.protocol = visit.protocol
    assignment.place = " ".join(visit.place.split())
    assignment.person_id = visit.person_id
    assignment.due_at = visit.due_at
    assignment.permit_no = visit.permit_no.strip()
    assignment.note = visit.note.strip()
    assignment.prefill = visit.prefill
    assignment.context = visit.context
    assignment.latitude, assignment.longitude = visit.latitude, visit.longitude
    assignment.parent_record = visit.parent_record


def _announce(session: Session, assignment: Assignment) -> None:
    session.flush()
    assignment.chg = ops.bump_change(session, "assignment", assignment.id, assignment.village)


def _of_village(assignment_id: str, village: str) -> Assignment:
    assignment = store.for_update(assignment_id, village)
    if assignment is None:
        raise NotFound("There is no such assignment in this village.")
    return assignment
