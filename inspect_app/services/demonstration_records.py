"""The demonstration's synced records: each is a visit whose ops a tablet signed and sent through apply_op.

A record names a whole visit (demonstration/visits) and changes some of its fields. Values are written as
typed ("5.5 in"); the dictionary says which are measures. Nothing bypasses what a real tablet goes through.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from inspect_app.domain import inspections, night, rules
from inspect_app.domain.errors import Refused
from inspect_app.domain.ids import new_id
from inspect_app.domain.protocols import PhotoSlot, Protocol
from inspect_app.services import devices, documents, findings, ops, uploads
from inspect_app.services.demonstration_pictures import picture
from inspect_app.store import demonstration as data
from inspect_app.store import inspections as store
from inspect_app.store import villages
from inspect_app.store.people import Person

APP = "demonstration"
CLOCK_SLOW_MS = 4000
Values = dict[str, Any]


class Tablet:
    """An enrolled tablet of one inspector: numbers, chains and signs its ops as the real one does."""

    def __init__(self, person: Person, village: str, name: str, now: datetime) -> None:
        self.person_id, self.village = person.id, village
        self.key = ec.generate_private_key(ec.SECP256R1())
        numbers = self.key.public_key().public_numbers()
        jwk = {"kty": "EC", "crv": "P-256", "x": _coordinate(numbers.x), "y": _coordinate(numbers.y)}
        code = devices.make_code(village, person.id, None, now)
        self.device = devices.enrol(code, jwk, name, APP, now).device
        self.id, self.kid = self.device.id, self.device.kid
        self.seq, self.prev = 0, ""
        self.boot = new_id(now)

    def send(self, kind: str, record_id: str, at: datetime, now: datetime, **members: Any) -> str:
        """Make an op at a time of the visit and send it; returns its id. Refused if it is set aside."""
        op_id = new_id(at)
        content = {
            "schema": 1,
            "app": APP,
            "user_id": self.person_id,
            "kind": kind,
            "entity": "inspection",
            "record_id": record_id,
            **members,
            "wall": at.isoformat(timespec="milliseconds"),
            "boot": self.boot,
            "mono": at.timestamp() * 1000 % 10**9,
            "clock": {"offset_ms": CLOCK_SLOW_MS, "age_s": 600},
        }
        body = _json(
            {
                "v": 1,
                "device_id": self.id,
                "seq": self.seq + 1,
                "prev": self.prev,
                "op_id": op_id,
                "content": _json(content),
            }
        )
        r, s = decode_dss_signature(self.key.sign(body.encode(), ec.ECDSA(SHA256())))
        signature = b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()
        result = ops.apply_op(self.device, {"body": body, "sig": signature, "kid": self.kid}, now)
        if result["status"] not in ("applied", "noop", "conflict"):
            raise Refused(f"The demonstration's {kind} was not taken: {json.dumps(result)}")
        self.seq, self.prev = self.seq + 1, sha256(body.encode()).hexdigest()
        return op_id

    def send_photo(self, photo_id: str, jpeg: bytes, now: datetime) -> None:
        """Upload the bytes of a photo in one part."""
        digest = sha256(jpeg).hexdigest()
        upload = uploads.begin(self.id, photo_id, "original", digest, len(jpeg), now)
        if upload.off < len(jpeg):
            uploads.append(self.id, upload.id, upload.off, jpeg[upload.off :], None, now)


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
    ops: dict[str, str] = field(default_factory=dict)

    def send(self, kind: str, **members: Any) -> str:
        self.at += timedelta(seconds=50)
        return self.tablet.send(kind, self.id, self.at, self.now, **members)

    def set(self, group: str, values: Values) -> None:
        """Set a group on top of what this tablet last set."""
        self.ops[group] = self.send(
            "group.set", group=group, replaces=self.ops.get(group, ""), values=values, was={}
        )


def record(tablet: Tablet, entry: Mapping[str, Any], zone: ZoneInfo, today: date, now: datetime) -> Visit:
    """Record and hand in one visit of the demonstration."""
    day = today + timedelta(days=entry["days"])
    began = _instant(entry["at"], day, zone)
    form = villages.protocol(entry["visit"])
    assert form is not None
    sent = min(began + timedelta(hours=3), now)
    visit = Visit(tablet, new_id(began), entry, form, zone, day, began, sent)
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
    said = said_in(entry, form.kind, day, zone)
    for group, values in said.items():
        _say(visit, group, values)
    for number, slot in enumerate(slot for slot in form.photos if _is_taken(slot, said)):
        _photo(visit, slot, _reading(slot, said), number)
    submit(visit)
    return visit


def said_in(entry: Mapping[str, Any], kind: str, day: date, zone: ZoneInfo) -> dict[str, Values]:
    """The groups of a visit as they go over the wire: the visit's file with the entry's changes."""
    groups = villages.groups(kind)
    visit = deepcopy(data.visit(kind))
    where = {name: group for group, fields in groups.items() for name in fields}
    if entry.get("permit_no") and "permit_no" in where:
        visit["permit"]["permit_no"] = entry["permit_no"]
    for name, value in entry.get("set", {}).items():
        visit.setdefault(where[name], {})[name] = value
    return {
        group: {
            name: _typed(value, groups[group][name], day, zone)
            for name, value in values.items()
            if value is not None
        }
        for group, values in visit.items()
    }


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
    before = said_in(visit.entry, visit.form.kind, visit.day, visit.zone)[group]

    def changed(change: Values) -> Values:
        typed = {name: _typed(value, specs[name], visit.day, visit.zone) for name, value in change.items()}
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
        "from_library": False,
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


def _is_taken(slot: PhotoSlot, said: Mapping[str, Values]) -> bool:
    proved = slot.proves.partition(".")[0]
    return (
        slot.required
        and slot.shows not in ("outlet_after", "cap")
        and any(proved in one for one in said.values())
    )


def _reading(slot: PhotoSlot, said: Mapping[str, Values]) -> str:
    name, _, choice = slot.proves.partition(".")
    value = next(values[name] for values in said.values() if name in values)
    if isinstance(value, dict) and "unit" in value:
        return f"{value['value']} {value['unit']}"
    return choice[:1].upper() if choice else value if isinstance(value, str) and len(value) < 12 else ""


def _stored(visit: Visit) -> Any:
    record = store.inspection(visit.id)
    assert record is not None
    return record


def _typed(value: Any, spec: Mapping[str, Any], day: date, zone: ZoneInfo) -> Any:
    """A value of a file as it is typed on a tablet."""
    kind = spec["type"]
    if kind == "list":
        return [
            {name: _typed(cell, spec["of"][name], day, zone) for name, cell in row.items()} for row in value
        ]
    if kind == "measure":
        number, _, unit = str(value).rpartition(" ")
        return {"value": number, "unit": unit}
    if kind == "date" and value.startswith("@"):
        return (day + timedelta(days=int(value[1:]))).isoformat()
    if kind == "time":
        return _instant(value, day, zone).isoformat()
    return value


def _instant(text: str, day: date, zone: ZoneInfo) -> datetime:
    """`@10:05` on the record's day, `@-1 16:00` on the day before, in the village's time."""
    days, _, clock = text.removeprefix("@").rpartition(" ")
    hour, minute, second = (*map(int, clock.split(":")), 0)[:3]
    then = day + timedelta(days=int(days or 0))
    return datetime(then.year, then.month, then.day, hour, minute, second, tzinfo=zone)


def _coordinate(number: int) -> str:
    return b64encode(number.to_bytes(32, "big"), altchars=b"-_").decode().rstrip("=")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
