"""The demonstration's synced records: each is a visit whose ops a tablet signed and sent through apply_op.

Nothing bypasses what a real tablet goes through.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain import inspections, night, rules
from inspect_app.domain.ids import new_id
from inspect_app.domain.protocols import PhotoSlot, Protocol
from inspect_app.services import demonstration_visits as visits
from inspect_app.services import documents, findings
from inspect_app.services.demonstration_pictures import picture
from inspect_app.services.demonstration_tablet import CLOCK_SLOW_MS, Tablet
from inspect_app.services.demonstration_visits import Values
from inspect_app.store import inspections as store
from inspect_app.store import villages


@dataclass
class Visit:
    """One record on its way: what was said so far and the running time of the visit."""

    tablet: Tablet
    id: str
    entry: Mapping[str, Any]
    form: Protocol
    zone: ZoneInfo
    day: date
    at: datetime
    now: datetime
    step: timedelta
    ops: dict[str, str] = field(default_factory=dict)

    def send(self, kind: str, **members: Any) -> str:
        self.at += self.step
        return self.tablet.send(kind, self.id, self.at, self.now, **members)

    def set(self, group: str, values: Values) -> None:
        """Set a group on top of what this tablet last set."""
        self.ops[group] = self.send(
            "group.set", group=group, replaces=self.ops.get(group, ""), values=values, was={}
        )


def record(tablet: Tablet, entry: Mapping[str, Any], zone: ZoneInfo, today: date, now: datetime) -> Visit:
    """Record and hand in one visit of the demonstration."""
    day = today + timedelta(days=entry["days"])
    began = visits.instant(entry["at"], day, zone)
    form = villages.protocol(entry["visit"])
    assert form is not None
    said = visits.said_in(entry, form.kind, day, zone)
    shots = visits.shots(form, said)
    # The ops lie evenly between the arrival and the decision, the signature just after it.
    decided = datetime.fromisoformat(said["decision"]["decision_at"])
    step = max((decided - began) / (len(said) + 2 * len(shots) + 2), timedelta(seconds=10))
    sent = min(max(began + timedelta(hours=3), decided + timedelta(minutes=10)), now)
    visit = Visit(tablet, new_id(began), entry, form, zone, day, began, sent, step)
    visit.send(
        "record.create",
        village=tablet.village,
        protocol=form.kind,
        protocol_version=form.version,
        pack=villages.pack_of(tablet.village, day).hash,
        assignment_id=None,
        parent_record=None,
        place=entry["place"],
        permit_no=entry.get("permit_no") or None,
        prefill={},
    )
    for group, values in said.items():
        if group != "decision":
            _say(visit, group, values)
    for number, (slot, reading) in enumerate(shots):
        _photo(visit, slot, reading, number)
    _say(visit, "decision", said["decision"])
    submit(visit)
    return visit


def submit(visit: Visit) -> None:
    """Sign and hand in, with the findings that the tablet shows at this point."""
    mark = new_id(visit.at)
    visit.set("signatures", {"signature_inspector": mark})
    record = _stored(visit)
    revision = documents.pulled(record)["revision_hash"]
    row = {
        "signature_id": mark,
        "field": "signature_inspector",
        "role": visit.form.signatures[0].role,
        "name": visit.entry["name"],
        "typed": visit.entry["name"],
        "revision_hash": revision,
        "signed_at": visit.at.isoformat(),
    }
    visit.send("list.add", list="signature_marks", row_id=new_id(visit.at), row=row)
    pack = villages.pack_of(visit.tablet.village, visit.day)
    context = context_of(visit)
    told = findings.context_of(record) | context | {"record_state": "submitted"}
    answers = inspections.answers_of(documents.pulled(_stored(visit)))
    found = rules.evaluate(pack, visit.form.kind, answers, told, on=visit.day)
    visit.send(
        "record.submit",
        context=context,
        findings=[finding.to_json() for finding in found],
        pack=pack.hash,
        revision_hash=revision,
    )


def disagree(visit: Visit, other: Tablet) -> None:
    """Its inspector measures a group again; another tablet, which had not heard of it, does so too."""
    clash, group = visit.entry["conflict"], visit.entry["conflict"]["group"]
    seen, specs = visit.ops[group], villages.groups(visit.form.kind)[group]
    before = visits.said_in(visit.entry, visit.form.kind, visit.day, visit.zone)[group]

    def changed(change: Values) -> Values:
        typed = {
            name: visits.typed(value, specs[name], visit.day, visit.zone) for name, value in change.items()
        }
        return {**before, **typed}

    visit.set(group, changed(clash["first"]))
    later = visit.at + timedelta(minutes=20)
    other.send(
        "group.set",
        visit.id,
        later,
        max(visit.now, later),
        group=group,
        replaces=seen,
        values=changed(clash["second"]),
        was=before,
    )


def revision(visit: Visit) -> int:
    return int(_stored(visit).rev)


def context_of(visit: Visit) -> Values:
    """What the tablet works out by itself for the rules."""
    village = villages.village(visit.tablet.village)
    day = visit.day.isoformat()
    settings = villages.pack_of(village.slug, visit.day).settings_on(day)
    return {
        "today": day,
        "timezone": village.timezone,
        "clock_offset_s": -CLOCK_SLOW_MS // 1000,
        "person_role": "inspector",
        "agent_authorized": True,
        **night.sun_context(
            float(village.latitude),
            float(village.longitude),
            day,
            village.timezone,
            settings["night_definition"],
        ),
        **visit.entry.get("context", {}),
    }


def _say(visit: Visit, group: str, values: Values) -> None:
    """Set a group; its lists that only grow go row by row, custody events as the chain they are."""
    specs, kept = villages.groups(visit.form.kind)[group], {}
    for name, value in values.items():
        if name == "custody_events":
            _custody(visit, value)
        elif specs[name].get("append_only"):
            for row in value:
                visit.send("list.add", list=name, row_id=new_id(visit.at), row=row)
        else:
            kept[name] = value
    if kept:
        visit.set(group, kept)


def _custody(visit: Visit, events: list[Values]) -> None:
    prev = ""
    for event in events:
        text = _json({"sample_set": visit.entry["sample_set"], "prev": prev, **event})
        visit.send("custody.append", event=text)
        prev = sha256(text.encode()).hexdigest()


def _photo(visit: Visit, slot: PhotoSlot, reading: str, number: int) -> None:
    place = visit.entry["position"]
    photo_id, caption = new_id(visit.at), f"{visit.entry['place']}: {slot.label}"
    jpeg = picture(slot.shows, caption, reading)
    row = {
        "shows": slot.shows,
        "proves": slot.proves,
        "taken_at": (visit.at + timedelta(seconds=20)).isoformat(),
        "taken_place": {"lat": place[0] + number * 1e-5, "lon": place[1], "accuracy_m": 3 + number % 3},
        "from_library": "no",
    }
    if number != visit.entry.get("photo_missing"):
        visit.tablet.send_photo(photo_id, jpeg, visit.now)
    visit.send(
        "photo.attach",
        photo_id=photo_id,
        sha256=sha256(jpeg).hexdigest(),
        bytes=len(jpeg),
        mime="image/jpeg",
        row=row,
    )


def _stored(visit: Visit) -> Any:
    record = store.inspection(visit.id)
    assert record is not None
    return record


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
