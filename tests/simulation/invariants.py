"""What must hold when the dust has settled, whatever the seed did: invariants I1 to I13."""

import hashlib
import json
from collections import Counter, defaultdict

from sqlalchemy import func, select

from inspect_app.domain.merge import same_values
from inspect_app.services import documents, feed
from inspect_app.store import people
from inspect_app.store.base import db
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.inspections import Conflict, Inspection, InspectionHistory
from inspect_app.store.people import Device
from inspect_app.store.photos import Photo
from inspect_app.store.sync import ChangeClock, ChangeLog, OpAlias, OpLog, RawItem

# After one of these, an edit is a proposal, or comes too late, whatever its author had seen.
CLOSING = ("record.delete", "record.approve", "record.void")


class Violation(AssertionError):
    """An invariant does not hold: something was lost, doubled or silently overwritten."""

    def __init__(self, invariant, what):
        super().__init__(f"{invariant}: {what}")
        self.invariant = invariant


def must(invariant, holds, what):
    if not holds:
        raise Violation(invariant, what)


def check(world):
    with world.server.app.app_context():
        server = Facts()
        every_op_is_there_once(world, server)
        numbers_and_chains_are_whole(server)
        changes_have_no_hole(server)
        nothing_was_overwritten_unseen(world, server)
        conflicts_hold_what_waits(world, server)
        deletions_had_seen(world, server)
        photos_are_whole(world, server)
        custody_is_whole(world, server)
        replicas_are_the_server(world)
        db.session.rollback()


class Facts:
    """The tables of the server, read once."""

    def __init__(self):
        read = db.session.scalars
        self.log = read(select(OpLog).order_by(OpLog.chg)).all()
        self.by_id = {row.op_id: row for row in self.log}
        self.aliases = read(select(OpAlias)).all()
        self.raws = read(select(RawItem)).all()
        self.devices = {row.id: row for row in read(select(Device)).all()}
        self.conflicts = read(select(Conflict)).all()
        self.records = {row.id: row for row in read(select(Inspection)).all()}
        self.history = read(select(InspectionHistory)).all()
        self.photos = read(select(Photo)).all()
        self.custody = read(select(CustodyEvent)).all()
        self.changes = read(select(ChangeLog).order_by(ChangeLog.chg)).all()


def said(row):
    try:
        return json.loads(json.loads(row.body)["content"])
    except (ValueError, TypeError):
        return {}


def every_op_is_there_once(world, server):
    raw = {hashlib.sha256(row.body).hexdigest() for row in server.raws}
    there = Counter(row.claimed_op_id or row.op_id for row in server.log)
    for device in world.devices:
        for entry in device.disk.ops:
            count = there[entry.op_id] + (entry.hash in raw)
            must("I1", count >= 1, f"{entry.op_id} of {device.name} is not in the log")
            must("I1", count == 1, f"{entry.op_id} of {device.name} is in the log {count} times")
    for row in server.log:
        must("I2", row.op_id in world.authored, f"nobody made {row.op_id}")
    effects = Counter(row.op_id for row in server.history)
    for op_id, count in effects.items():
        must("I2", count == 1, f"{op_id} had its effect {count} times")
    for op_id in world.acknowledged:
        held = there[op_id] or world.authored[op_id].content.get("kind") == "poison"
        must("I6", held, f"{op_id} was confirmed and is gone")


def numbers_and_chains_are_whole(server):
    numbers = defaultdict(dict)
    for row in server.log:
        numbers[row.device_id][row.seq] = (json.loads(row.body)["prev"], row.body_sha256, row.chg)
    for row in server.aliases:
        numbers[row.device_id][row.seq] = (
            json.loads(row.body)["prev"],
            hashlib.sha256(row.body.encode()).hexdigest(),
            None,
        )
    for row in server.raws:
        numbers[row.device_id][int(row.headers["X-Op-Seq"])] = (None, row.headers["X-Op-Hash"], None)
    for device_id, device in server.devices.items():
        seqs = sorted(numbers[device_id])
        must("I3", seqs == list(range(1, device.last_seq + 1)), f"{device.name} has numbers {seqs}")
        before, last_chg = "", 0
        for seq in seqs:
            prev, own, chg = numbers[device_id][seq]
            must("I3", prev in (None, before), f"the chain of {device.name} breaks at {seq}")
            must("I3", chg is None or chg > last_chg, f"{device.name} {seq} came before {seq - 1}")
            before, last_chg = own, chg or last_chg
    head = ""
    for row in server.log:
        head = hashlib.sha256((head + row.body_sha256).encode()).hexdigest()
        must("I3", head == row.log_hash, f"the server's log is not whole at {row.chg}")


def changes_have_no_hole(server):
    numbers = [row.chg for row in server.changes]
    last = db.session.scalar(select(func.max(ChangeClock.v))) or 0
    must("I7", numbers == list(range(1, last + 1)), "change numbers have a hole")


def nothing_was_overwritten_unseen(world, server):
    """Replays the log by itself, without the server's own merge, from what each author's screen showed."""
    current = {}
    for row in server.log:
        content, author = said(row), world.authored.get(row.op_id)
        key = (content.get("record_id"), content.get("group"))
        if row.kind == "group.set" and row.status == "applied":
            there = current.get(key)
            if there and there[1] != author.device:
                seen = author.saw.get(content["group"], {})
                must(
                    "I5",
                    same_values(seen, there[2]) or same_values(content["values"], there[2]),
                    f"{row.op_id} replaced {there[0]}, which {author.device} had not seen",
                )
            current[key] = (row.op_id, author.device, content["values"], {row.op_id})
        elif row.kind == "group.set" and row.status == "noop":
            there = current.get(key)
            must("I5", there and same_values(there[2], content["values"]), f"{row.op_id} was no noop")
            there[3].add(row.op_id)
        elif row.kind == "group.set" and row.status == "conflict":
            not_about_nothing(server, row, content, current.get(key))
        elif row.kind == "conflict.resolve" and row.status == "applied":
            settled(server, current, row, content, author)
    for (record_id, group), (_, _, values, _) in current.items():
        there = server.records[record_id].doc["groups"][group]
        must(
            "I5",
            same_values(there["values"], values),
            f"{group} of {record_id} has another value than the log",
        )


def not_about_nothing(server, row, content, there):
    """Nobody is asked to settle a difference that is none, or to confirm what its author had seen."""
    if there is None:
        return
    must(
        "I5", not same_values(there[2], content["values"]), f"{row.op_id} says what was there, and conflicts"
    )
    record = server.records[content["record_id"]]
    was_closed = any(h.record_id == record.id and h.op_kind in CLOSING for h in server.history)
    if not was_closed:
        must("I5", content["replaces"] not in there[3], f"{row.op_id} names the current value, and conflicts")


def settled(server, current, row, content, author):
    conflict = next(one for one in server.conflicts if one.id == content["conflict_id"])
    unseen = [c["op"] for c in conflict.candidates if c["op"] not in content["saw"]]
    must(
        "I13",
        conflict.resolved_op != row.op_id or not unseen,
        f"{conflict.id} was settled without seeing {unseen}",
    )
    if not conflict.what.startswith("group:"):
        return
    key = (conflict.record_id, conflict.what.removeprefix("group:"))
    if content["take"] == "current":
        if key in current:
            current[key][3].add(row.op_id)
        return
    values = content["value"]
    if content["take"] == "candidate":
        values = next(c["values"] for c in conflict.candidates if c["op"] == content["value"])
    names = {row.op_id, content["value"]} if content["take"] == "candidate" else {row.op_id}
    current[key] = (row.op_id, author.device if author else "office", values, names)


def conflicts_hold_what_waits(world, server):
    held = {c["op"] for conflict in server.conflicts for c in conflict.candidates}
    followed = {said(row).get("replaces"): row.op_id for row in server.log if row.kind == "group.set"}
    for row in server.log:
        if row.kind == "group.set" and row.status == "conflict":
            content = said(row)
            later = followed.get(row.op_id)
            same = later and world.authored[later].device == world.authored[row.op_id].device
            must("I5", row.op_id in held or same, f"{row.op_id} {content['group']} is in no conflict")


def deletions_had_seen(world, server):
    """A deletion that was applied had seen every value that others had put there."""
    current = {}
    for row in server.log:
        content, author = said(row), world.authored.get(row.op_id)
        if row.kind == "group.set" and row.status == "applied":
            current[content["record_id"], content["group"]] = (author.device, content["values"])
        if row.kind == "record.delete" and row.status == "applied":
            for (record_id, group), (device, values) in current.items():
                if record_id == content["record_id"] and device != author.device:
                    seen = author.saw.get(group, {})
                    must("I8", same_values(seen, values), f"{row.op_id} deleted {group} of {device} unseen")
    told = {said(row)["record_id"] for row in server.log if row.kind == "record.delete"}
    for record in server.records.values():
        must("I8", not record.deleted or record.id in told, f"{record.id} vanished without a deletion")


def photos_are_whole(world, server):
    blobs = world.server.folder / "blobs" / "sha256"
    files = {file.name: file for file in blobs.rglob("*") if file.is_file()} if blobs.exists() else {}
    revoked = {device.name for device in world.devices if device.revoked}
    kept = set()
    for photo in server.photos:
        device, data = world.photos[photo.id]
        wanted = hashlib.sha256(data).hexdigest()
        kept.add(wanted)
        must("I9", photo.sha256 == wanted, f"{photo.id} is promised under another hash")
        if device in revoked:
            continue
        lost = photo.id not in next(d for d in world.devices if d.name == device).disk.photos
        must("I9", lost or photo.state in ("stored", "durable"), f"{photo.id} of {device} is {photo.state}")
        if photo.state in ("stored", "durable"):
            must(
                "I9",
                wanted in files and files[wanted].read_bytes() == data,
                f"{photo.id} is not what was taken",
            )
    promised = {hashlib.sha256(data).hexdigest() for _, data in world.photos.values()}
    for name in files:
        must("I9", name in promised, f"the blob {name} is nobody's")
    for device in world.devices:
        for photo_id, photo in device.disk.photos.items():
            if photo.data is None:
                must(
                    "I12", photo.sha256 in files, f"{device.name} freed {photo_id}, which the server has not"
                )


def custody_is_whole(world, server):
    written = {}
    for row in server.log:
        if row.kind == "custody.append" and row.status == "applied":
            written[row.op_id] = said(row)["event"]
    there = {row.op_id: row for row in server.custody}
    must("I10", set(there) == set(written), "custody events and the log differ")
    followers = Counter((row.sample_set, row.prev_hash) for row in server.custody)
    for op_id, row in there.items():
        must("I10", row.event == written[op_id], f"{op_id} was altered")
        must(
            "I10",
            row.event_hash == hashlib.sha256(row.event.encode()).hexdigest(),
            f"{op_id} has another hash",
        )
        is_fork = followers[row.sample_set, row.prev_hash] > 1
        must("I10", row.fork == is_fork, f"{op_id} fork is {row.fork}, and {is_fork} by its followers")


def replicas_are_the_server(world):
    """Each tablet shows what is in its person's hands, as the server has it, and nothing else."""
    for device in world.devices:
        if device.revoked:
            continue
        person = people.person(world.server.people[device.sign_in_name])
        mine = feed.own_assignments(person.id, "barneveld")
        rows = [
            row for row in db.session.scalars(select(Inspection)).all() if feed.in_scope(row, person.id, mine)
        ]
        docs = documents.pulled_all(rows)
        here = device.disk.records
        wanted = {row.id for row in rows}
        must("I4", set(here) == wanted, f"{device.name} holds {set(here) ^ wanted} wrongly")
        for row in rows:
            same = as_told(docs[row.id]) == as_told(here[row.id]["doc"])
            must(
                "I4",
                same and here[row.id]["deleted"] == row.deleted,
                f"{device.name} shows {row.id} otherwise",
            )


def as_told(doc):
    """A document as the feed tells it: how far a photo has come is no change that tablets hear of."""
    told = json.loads(json.dumps(doc))
    for photo in told["photos"]:
        photo["state"] = "missing" if photo["state"] == "partial" else photo["state"]
    return told
