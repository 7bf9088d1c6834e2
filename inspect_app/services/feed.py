"""The feed of changes a tablet pulls, and its first download."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

import structlog

from inspect_app.domain import inspections
from inspect_app.domain.errors import Refused
from inspect_app.services import documents, server_key
from inspect_app.services import sync as sync_service
from inspect_app.store import inspections as inspection_store
from inspect_app.store import people, places, sync
from inspect_app.store.inspections import Inspection
from inspect_app.store.people import Device, Person
from inspect_app.store.places import Assignment
from inspect_app.store.sync import ChangeLog

SNAPSHOT_PAGE = 200
HEAD_LETTERS = 16

log = structlog.get_logger()


class CursorUnknown(Refused):
    """The cursor is not one of this server's."""

    slug = "resnapshot"


@dataclass(frozen=True)
class Cursor:
    """Where a tablet stands in the feed, opaque to it, and the end of the log as the server then had it.

    The end is `up_to`, the number of the last change, and `head`, the first letters of the log's hash there.
    Both are sealed with the server's secret: only what this server once said can witness against its log.
    """

    epoch: str
    chg: int
    scope: str
    up_to: int = 0
    head: str = ""

    def text(self) -> str:
        says = [self.epoch, self.chg, self.scope, self.up_to, self.head]
        raw = json.dumps([*says, server_key.seal(json.dumps(says))], separators=(",", ":"))
        return urlsafe_b64encode(raw.encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor | None:
    """The cursor of this text; None for an empty one. Raises CursorUnknown.

    One that is not sealed with this server's secret, as those of the first release, witnesses nothing: its
    end of the log is left out.
    """
    if not text:
        return None
    try:
        epoch, chg, scope, *rest = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        whole = isinstance(epoch, str) and isinstance(scope, str) and type(chg) is int
    except (ValueError, TypeError):
        whole = False
    if not whole or not 0 <= chg < 2**62:
        raise CursorUnknown(
            "The cursor cannot be read. Start again without one.", errors={"cursor": ["unreadable"]}
        )
    if len(rest) == 3 and rest[2] == server_key.seal(json.dumps([epoch, chg, scope, *rest[:2]])):
        return Cursor(epoch, chg, scope, rest[0], rest[1])
    return Cursor(epoch, chg, scope)


def _is_behind(cursor: Cursor, up_to: int) -> bool:
    """Whether the log lacks what it held when the cursor was given out: the server was restored."""
    return cursor.up_to > up_to or cursor.head != sync.head_at(cursor.up_to)[:HEAD_LETTERS]


def _new_epoch(cursor: Cursor, up_to: int) -> str:
    """Name the log anew, as `db new-epoch` does: it was forgotten after a restore.

    Tablets then send again what is missing. Not from a push: a tablet that was rolled back looks the same.
    """
    log.error("log_went_back", held=cursor.up_to, holds=up_to, epoch=cursor.epoch)
    if sync_service.current_epoch() == cursor.epoch:  # else another request was quicker
        sync_service.change_epoch()
    return sync_service.current_epoch()


def changes(device: Device, person: Person, cursor_text: str, limit: int, now: datetime) -> dict[str, Any]:
    """One page of the feed for a person on a device: changed records and assignments as they are now."""
    epoch, village = sync_service.current_epoch(), device.village
    scope = scope_version(person, village)
    # The clock first: every number up to it is visible, so no row up to it can appear later.
    up_to, head = sync.clock()
    cursor = read_cursor(cursor_text) or Cursor(epoch, 0, scope)
    if cursor.epoch == epoch and cursor.chg > up_to and not cursor.up_to:
        log.error("cursor_ahead", cursor=cursor.chg, holds=up_to)
        raise CursorUnknown("The cursor is ahead of this server. Start again without one.")
    if cursor.epoch == epoch and cursor.up_to and _is_behind(cursor, up_to):
        epoch = _new_epoch(cursor, up_to)
    if cursor.epoch != epoch:
        cursor = Cursor(epoch, 0, scope)
    if cursor.scope != scope:
        start = Cursor(epoch, cursor.chg, scope)
        return _page(epoch, now, start, head, up_to, more=True, resync=[village])
    rows = sync.changes_after(village, cursor.chg, up_to, limit)
    reached = rows[-1].chg if len(rows) == limit else up_to
    page = _page(epoch, now, Cursor(epoch, reached, scope), head, up_to, more=len(rows) == limit)
    _fill(page, rows, reached, person, village)
    return page


def _page(
    epoch: str,
    now: datetime,
    cursor: Cursor,
    head: str,
    up_to: int,
    *,
    more: bool,
    resync: list[str] | None = None,
) -> dict[str, Any]:
    return {
        "epoch": epoch,
        "server_time": now.isoformat(),
        "cursor": replace(cursor, up_to=up_to, head=head[:HEAD_LETTERS]).text(),
        "more": more,
        "changes": [],
        "conflicts": [],
        "forget": [],
        "checkpoint": {"chg": up_to, "log_hash": head, "sig": server_key.sign(f"{up_to} {head}")},
        **({"resync": resync} if resync else {}),
    }


def _fill(
    page: dict[str, Any], rows: Sequence[ChangeLog], reached: int, person: Person, village: str
) -> None:
    record_ids = {row.record_id for row in rows if row.entity == "inspection" and row.record_id}
    assignment_ids = {row.record_id for row in rows if row.entity == "assignment" and row.record_id}
    assignments = [places.assignment(assignment_id, village) for assignment_id in sorted(assignment_ids)]
    for assignment in assignments:
        if assignment is None or assignment.chg > reached:
            continue  # it changed again: a later row brings it
        if assignment.person_id in (None, person.id):
            page["changes"].append(assignment_change(assignment))
            # A record may be older than the assignment that brings it into this person's hands.
            record_ids |= {id_ for id_ in (assignment.record_id, assignment.parent_record) if id_}
        else:
            page["forget"].append(assignment.id)
    records = [
        record
        for record in inspection_store.inspections_by_id(record_ids).values()
        if record.village == village and record.chg <= reached
    ]
    mine = own_assignments(person.id, village)
    wanted = [record for record in records if in_scope(record, person.id, mine)]
    page["forget"] += sorted(record.id for record in records if not in_scope(record, person.id, mine))
    page["changes"] += record_changes(wanted)
    page["changes"].sort(key=lambda change: change["chg"])
    page["conflicts"] = [
        documents.conflict(row) for record in wanted for row in inspection_store.conflicts_of(record.id)
    ]


def snapshot(device: Device, person: Person, after: str, now: datetime) -> dict[str, Any]:
    """One page of a first download, by id. The first page's `as_of` is the cursor to go on with."""
    epoch, village = sync_service.current_epoch(), device.village
    up_to, head = sync.clock()
    rows = inspection_store.page_of(village, after, SNAPSHOT_PAGE)
    mine = own_assignments(person.id, village)
    wanted = [record for record in rows if in_scope(record, person.id, mine)]
    page: dict[str, Any] = {
        "epoch": epoch,
        "server_time": now.isoformat(),
        "as_of": Cursor(epoch, up_to, scope_version(person, village), up_to, head[:HEAD_LETTERS]).text(),
        "changes": record_changes(wanted),
        "conflicts": [
            documents.conflict(row) for row in inspection_store.open_conflicts(record.id for record in wanted)
        ],
        "next": rows[-1].id if len(rows) == SNAPSHOT_PAGE else None,
    }
    if not after:
        page["changes"] += [assignment_change(row) for row in places.assignments_for(person.id, village)]
    return page


def scope_version(person: Person, village: str) -> str:
    """Changes when what this person may see changes: another person, another village, another role."""
    roles = ",".join(people.roles_of(person, village))
    return sha256(f"{person.id} {village} {roles}".encode()).hexdigest()[:12]


def own_assignments(person_id: str, village: str) -> set[str]:
    """Ids of records that this person's assignments name: begun by others, or to be inspected again."""
    rows = places.assignments_for(person_id, village)
    return {id_ for row in rows for id_ in (row.record_id, row.parent_record) if id_}


def in_scope(record: Inspection, person_id: str, of_assignments: set[str]) -> bool:
    """Whether a tablet holds this record: one's own, one's assignments', and all that is still open here.

    Two inspectors of a village go on with each other's open work; what is approved leaves the other's tablet.
    """
    return (
        record.inspector_id == person_id
        or record.id in of_assignments
        or record.state in inspections.OPEN_STATES
    )


def record_changes(records: Iterable[Inspection]) -> list[dict[str, Any]]:
    records = list(records)
    docs = documents.pulled_all(records)
    return [
        {
            "chg": record.chg,
            "entity": "inspection",
            "id": record.id,
            "rev": record.rev,
            "doc": docs[record.id],
            "deleted": record.deleted,
        }
        for record in records
    ]


def assignment_change(row: Assignment) -> dict[str, Any]:
    doc = {
        name: getattr(row, name)
        for name in (
            "id",
            "village",
            "protocol",
            "place",
            "permit_no",
            "person_id",
            "note",
            "prefill",
            "context",
            "latitude",
            "longitude",
            "state",
            "record_id",
            "parent_record",
        )
    }
    doc["due_at"] = row.due_at.isoformat() if row.due_at else None
    return {
        "chg": row.chg,
        "entity": "assignment",
        "id": row.id,
        "rev": row.chg,
        "doc": doc,
        "deleted": False,
    }
