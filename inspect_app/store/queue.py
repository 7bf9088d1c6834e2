"""The review queue: search, filters, saved views and their counts over a village's inspections.

Pages are cut by key, not by offset: page ten thousand costs what page one costs, and a record that arrives
meanwhile never makes a row appear twice. Every query works on SQLite and PostgreSQL.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, case, func, literal, or_, select, true, tuple_

from inspect_app.store.base import UTC, db
from inspect_app.store.inspections import Conflict, Inspection
from inspect_app.store.people import Device, Person
from inspect_app.store.photos import Photo
from inspect_app.store.sync import OpLog, RawItem

OUTCOMES = (
    "violation",
    "warning",
    "discretion",
    "not_evaluated",
    "information",
    "pass",
    "not_applicable",
)
WAITING = ("submitted", "in_review")
NOT_HERE = ("missing", "partial", "bad")
SORTS = ("worst", "newest", "oldest")
PAGE = 50

RANK = case({outcome: rank for rank, outcome in enumerate(OUTCOMES)}, value=Inspection.worst, else_=9)


@dataclass(frozen=True)
class View:
    """A saved question to the queue. `counted` is off where counting would mean reading the whole table."""

    label: str
    condition: Callable[[str], ColumnElement[bool]]
    counted: bool = True


def _in_conflict(village: str, amendment: bool) -> ColumnElement[bool]:
    kind = Conflict.kind == "amendment" if amendment else Conflict.kind != "amendment"
    open_ones = select(Conflict.record_id).where(Conflict.village == village, Conflict.state == "open", kind)
    return Inspection.id.in_(open_ones)


def _photo_missing(village: str) -> ColumnElement[bool]:
    return Inspection.id.in_(
        select(Photo.record_id).where(Photo.village == village, Photo.state.in_(NOT_HERE))
    )


def _waiting() -> ColumnElement[bool]:
    return Inspection.state.in_(WAITING)


VIEWS: dict[str, View] = {
    "review": View("To review", lambda _: _waiting()),
    "violations": View("With violations", lambda _: _waiting() & (Inspection.worst == "violation")),
    "conflict": View("In conflict", lambda village: _in_conflict(village, amendment=False)),
    "photos": View("Photos missing", lambda village: _waiting() & _photo_missing(village)),
    "decision": View(
        "For a committee or board",
        lambda _: _waiting() & (Inspection.counts["discretion"].as_integer() > 0),
    ),
    "amendments": View("Amendments proposed", lambda village: _in_conflict(village, amendment=True)),
    "returned": View("Returned", lambda _: Inspection.state == "returned"),
    "drafts": View("Still in the field", lambda _: Inspection.state == "draft"),
    "approved": View("Approved", lambda _: Inspection.state == "approved", counted=False),
    "all": View("All records", lambda _: true(), counted=False),
}


@dataclass(frozen=True)
class Filters:
    """What a person asked the queue for; instants bound the start of the visit, the end not included.

    All words of `text` must stand together in the number, the permit, the place or the inspector's name.
    """

    view: str = "review"
    text: str = ""
    state: str = ""
    protocol: str = ""
    outcome: str = ""
    inspector_id: str = ""
    since: datetime | None = None
    until: datetime | None = None
    sort: str = "worst"


@dataclass(frozen=True)
class Page:
    """One page of rows and the key of the next one, or None on the last."""

    rows: Sequence[Any]
    after: str | None


def _conditions(village: str, filters: Filters) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [
        Inspection.village == village,
        Inspection.deleted.is_(False),
        VIEWS[filters.view].condition(village),
    ]
    for column, wanted in (
        (Inspection.state, filters.state),
        (Inspection.protocol, filters.protocol),
        (Inspection.worst, filters.outcome),
        (Inspection.inspector_id, filters.inspector_id),
    ):
        if wanted:
            found.append(column == wanted)
    if filters.since:
        found.append(Inspection.begun_at >= filters.since)
    if filters.until:
        found.append(Inspection.begun_at < filters.until)
    words = filters.text.split()
    if words:
        by_name = select(Person.id).where(*(Person.name.icontains(word, autoescape=True) for word in words))
        columns = (Inspection.number, Inspection.permit_no, Inspection.place)
        found.append(
            or_(
                *(and_(*(column.icontains(word, autoescape=True) for word in words)) for column in columns),
                Inspection.inspector_id.in_(by_name),
            )
        )
    return found


def _order(sort: str) -> tuple[list[Any], bool]:
    """The columns that order a page, and whether they run downwards. All of them are never null."""
    if sort == "worst":
        return [RANK, Inspection.received_at, Inspection.id], False
    return [Inspection.received_at, Inspection.id], sort == "newest"


def _rows() -> Any:
    conflicts = (
        select(func.count())
        .select_from(Conflict)
        .where(Conflict.record_id == Inspection.id, Conflict.state == "open")
        .scalar_subquery()
    )
    missing = (
        select(func.count())
        .select_from(Photo)
        .where(Photo.record_id == Inspection.id, Photo.state.in_(NOT_HERE))
        .scalar_subquery()
    )
    return select(
        Inspection.id,
        Inspection.protocol,
        Inspection.protocol_version,
        Inspection.number,
        Inspection.place,
        Inspection.permit_no,
        Inspection.state,
        Inspection.inspector_id,
        Person.name.label("inspector"),
        Inspection.begun_at,
        Inspection.submitted_at,
        Inspection.received_at,
        Inspection.decided_at,
        Inspection.worst,
        Inspection.counts,
        RANK.label("rank"),
        conflicts.label("conflicts"),
        missing.label("photos_missing"),
    ).outerjoin(Person, Person.id == Inspection.inspector_id)


def page(village: str, filters: Filters, after: str | None = None, limit: int = PAGE) -> Page:
    """One page of a village's inspections; `after` is the key that the page before handed out."""
    columns, down = _order(filters.sort)
    query = _rows().where(*_conditions(village, filters))
    key = _read_key(after, filters.sort)
    if key is not None:
        here = tuple_(*columns)
        query = query.where(here < key if down else here > key)
    query = query.order_by(*(column.desc() if down else column for column in columns)).limit(limit + 1)
    rows = db.session.execute(query).all()
    more = len(rows) > limit
    return Page(rows[:limit], _key(rows[limit - 1], filters.sort) if more else None)


def _key(row: Row[Any], sort: str) -> str:
    rank = f"{row.rank}~" if sort == "worst" else ""
    return f"{rank}{row.received_at.isoformat()}~{row.id}"


def _read_key(text: str | None, sort: str) -> Any:
    """The key as a row value, or None where the text is not one: the first page then answers."""
    parts = (text or "").split("~")
    if len(parts) != (3 if sort == "worst" else 2):
        return None
    try:
        values = [literal(datetime.fromisoformat(parts[-2]), UTC), literal(parts[-1])]
        if sort == "worst":
            values.insert(0, literal(int(parts[0])))
    except ValueError:
        return None
    return tuple_(*values)


def counts(village: str) -> dict[str, int]:
    """How many inspections each counted view holds, in one statement."""
    columns = [
        select(func.count())
        .select_from(Inspection)
        .where(Inspection.village == village, Inspection.deleted.is_(False), view.condition(village))
        .scalar_subquery()
        .label(name)
        for name, view in VIEWS.items()
        if view.counted
    ]
    return dict(db.session.execute(select(*columns)).one()._mapping)


def place_in_queue(village: str, record_id: str, filters: Filters) -> int | None:
    """How many inspections come before this one, counted from 1, or None if the view does not hold it."""
    columns, down = _order(filters.sort)
    conditions = _conditions(village, filters)
    own = select(*columns).where(*conditions, Inspection.id == record_id)
    row = db.session.execute(own).one_or_none()
    if row is None:
        return None
    types = [UTC if isinstance(value, datetime) else None for value in row]
    key = tuple_(*(literal(value, kind) for value, kind in zip(row, types, strict=True)))
    here = tuple_(*columns)
    before = select(func.count()).select_from(Inspection)
    before = before.where(*conditions, here >= key if down else here <= key)
    return int(db.session.scalar(before) or 0)


def quarantined(village: str, limit: int = 200) -> Sequence[Any]:
    """Ops of the village's tablets that were set aside, newest first, with the tablet and its author."""
    query = (
        select(OpLog, Device.name.label("device"), Person.name.label("person"))
        .join(Device, Device.id == OpLog.device_id)
        .outerjoin(Person, Person.id == OpLog.user_id)
        .where(OpLog.village == village, OpLog.status == "quarantined")
        .order_by(OpLog.chg.desc())  # a batch arrives in one moment, its entries in their order
        .limit(limit)
    )
    return db.session.execute(query).all()


def quarantine_count(village: str) -> int:
    query = (
        select(func.count()).select_from(OpLog).where(OpLog.village == village, OpLog.status == "quarantined")
    )
    return int(db.session.scalar(query) or 0)


def raw_items(village: str, limit: int = 50) -> Sequence[Any]:
    """Bytes that tablets could send in no other way, newest first."""
    query = (
        select(RawItem, Device.name.label("device"), Person.name.label("person"))
        .join(Device, Device.id == RawItem.device_id)
        .outerjoin(Person, Person.id == Device.person_id)
        .where(RawItem.village == village)
        .order_by(RawItem.received_at.desc())
        .limit(limit)
    )
    return db.session.execute(query).all()


def open_conflicts(village: str, limit: int = 200) -> Sequence[Any]:
    """A village's open conflicts with their records, oldest first."""
    query = (
        select(Conflict, Inspection)
        .join(Inspection, Inspection.id == Conflict.record_id)
        .where(Conflict.village == village, Conflict.state == "open")
        .order_by(Conflict.opened_chg)
        .limit(limit)
    )
    return db.session.execute(query).all()
