"""The demonstration: people, assignments and synced records of both villages, made by the product's own ways.

People are made by services/people.py, assignments by services/places.py, records by ops that an enrolled
tablet signed; nothing is written into tables behind their back.
"""

import csv
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain.errors import Refused
from inspect_app.services import demonstration_records as records
from inspect_app.services import devices, laboratory, maps, people, places, review
from inspect_app.services.demonstration_tablet import Tablet
from inspect_app.services.demonstration_visits import instant
from inspect_app.store import demonstration as store
from inspect_app.store import people as store_people
from inspect_app.store import places as store_places
from inspect_app.store import villages
from inspect_app.store.base import transaction

ENROLLED_BEFORE = timedelta(days=30)
PASSWORD = "trench-and-ladder"  # noqa: S105  (printed at every start: it guards nothing)


def is_loaded() -> bool:
    return store.is_loaded()


def load(now: datetime) -> None:
    """Load everything once. Stopped half-way, the next call goes on where it stopped."""
    if store.is_loaded():
        return
    for data in store.villages():
        _load_village(data, now)
    with transaction() as session:
        store.mark_loaded(session, now)


def guide(origin: str) -> str:
    """Who can sign in, and what to try first."""
    lines = [f"Sign-ins, each with the password {PASSWORD}"]
    for data in store.villages():
        name = villages.village(data["village"]).name
        names = ", ".join(person["sign_in_name"] for person in data["people"])
        lines.append(f"  {name}: {names}")
    lines += [
        "",
        "Try",
        f"  1. Review: sign in at {origin}/ as reviewer-1 and open the first record of the queue.",
        "  2. Enrol a tablet: sign in as admin-1, choose Tablets, make a code for Inspector A,",
        f"     open {origin}/field/ in another window and type the code.",
        "  3. Inspect: go offline there, open an assignment, record it, go online: it arrives in the queue.",
    ]
    return "\n".join(lines)


def _load_village(data: dict[str, Any], now: datetime) -> None:
    slug = data["village"]
    zone = ZoneInfo(villages.village(slug).timezone)
    for person in data["people"]:
        known = store_people.person_by_name(person["sign_in_name"])
        if known is None:
            people.add(slug, person["sign_in_name"], person["name"], person["roles"], now, PASSWORD)
        elif slug not in store_people.villages_of(known):
            raise Refused(
                f"Somebody else has the sign-in name {person['sign_in_name']} here. "
                "Load the demonstration into an empty data folder: set INSPECT_APP_DATA."
            )
    places.replace_tappers(
        slug,
        [
            (entry["tapper"], date.fromisoformat(entry["from"]), _day(entry["until"]))
            for entry in data["tap_permissions"]
        ],
        now,
    )
    today = now.astimezone(zone).date()
    for entry in data["assignments"]:
        _assign(slug, entry, today, zone, now)
    for layer in store.map_layers(slug):
        maps.add(slug, layer)
    _records(slug, data["records"], today, zone, now)
    _reports(slug, data.get("reports", ()), zone, now)


def _assign(slug: str, entry: dict[str, Any], today: date, zone: ZoneInfo, now: datetime) -> None:
    if store_places.any_at(slug, entry["place"], entry["protocol"]):
        return
    person = store_people.person_by_name(entry["person"]) if entry["person"] else None
    due = datetime.combine(today + timedelta(days=entry["days"]), datetime.min.time(), zone)
    hour, minute = map(int, entry["at"].split(":"))
    visit = places.Visit(
        protocol=entry["protocol"],
        place=entry["place"],
        person_id=person.id if person else None,
        due_at=due.replace(hour=hour, minute=minute).astimezone(UTC),
        permit_no=entry["permit_no"],
        note=entry["note"],
        prefill=entry.get("prefill", {}),
        context=entry.get("context", {}),
        latitude=entry["latitude"],
        longitude=entry["longitude"],
    )
    places.assign(slug, visit, None, now)


def _records(slug: str, entries: list[dict[str, Any]], today: date, zone: ZoneInfo, now: datetime) -> None:
    """Record what is not there yet, oldest first, each by the tablet of its inspector."""
    tablets: dict[str, Tablet] = {}

    def tablet_of(name: str) -> Tablet:
        if name not in tablets:
            person = store_people.person_by_name(name)
            assert person is not None
            # Enrolled before its first visit; its last check-in is that of its last op.
            tablets[name] = Tablet(person, slug, f"Tablet of {person.name}", now - ENROLLED_BEFORE)
        return tablets[name]

    for entry in sorted(entries, key=lambda entry: (entry["days"], entry["at"])):
        if store.is_recorded(slug, entry["place"], entry["visit"]):
            continue
        person = store_people.person_by_name(entry["person"])
        assert person is not None
        visit = records.record(tablet_of(entry["person"]), {**entry, "name": person.name}, zone, today, now)
        devices.seen(visit.tablet.id, visit.now, 0, 0)
        if "conflict" in entry:
            records.disagree(visit, tablet_of(entry["conflict"]["person"]))
        if "then" in entry:
            _review(slug, visit, entry["then"], now)


def _review(slug: str, visit: records.Visit, step: dict[str, str], now: datetime) -> None:
    """What the office did the morning after."""
    at = min(visit.now + timedelta(hours=18), now)
    reviewer = store_people.person_by_name(step.get("approve") or step["return"])
    assert reviewer is not None
    if "approve" in step:
        review.approve(slug, visit.id, records.revision(visit), reviewer, at)
    else:
        review.send_back(slug, visit.id, step["reason"], reviewer, at)


def _reports(slug: str, entries: list[dict[str, Any]], zone: ZoneInfo, now: datetime) -> None:
    """Bring and enter what the laboratory sent; the same bytes are brought once, however often this runs."""
    for entry in entries:
        record = store.recorded(slug, entry["place"], entry["visit"])
        person = store_people.person_by_name(entry["person"])
        assert record is not None
        assert person is not None
        day = record.begun_at.astimezone(zone).date()

        def cell(text: Any, day: date = day) -> str:
            is_time = isinstance(text, str) and text.startswith("@")
            return instant(text, day, zone).strftime("%Y-%m-%d %H:%M") if is_time else str(text)

        out = StringIO(newline="")
        csv.writer(out).writerows([entry["header"], *([cell(text) for text in row] for row in entry["rows"])])
        brought = min(instant(entry["brought"], day, zone).astimezone(UTC), now)
        file, _ = laboratory.keep(slug, entry["name"], out.getvalue().encode(), person, brought)
        laboratory.enter(slug, file.id, person, brought)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
