"""What must hold when the dust has settled, whatever the seed did: invariants I1 to I13."""

import hashlib
import json
from collections import Counter, defaultdict

from sqlalchemy import func, select

from inspect_app.services import documents, feed
from inspect_app.store import people
from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import ChangeClock
from tests.simulation.facts import Facts, must, named, said
from tests.simulation.overwriting import (
    conflicts_hold_what_waits,
    deleted_stays_deleted,
    deletions_had_seen,
    nothing_was_overwritten_unseen,
)

# Why an op of a sound release may be set aside. A record is unknown whose storage was rolled back since.
CAUSES = ("device_revoked", "record_unknown")


def check(world):
    with world.server.app.app_context():
        server = Facts()
        every_op_is_there_once(world, server)
        numbers_and_chains_are_whole(server)
        changes_have_no_hole(server)
        nothing_was_overwritten_unseen(world, server)
        conflicts_hold_what_waits(world, server)
        deletions_had_seen(world, server)
        deleted_stays_deleted(server)
        photos_are_whole(world, server)
        custody_is_whole(world, server)
        replicas_are_the_server(world)
        db.session.rollback()


def every_op_is_there_once(world, server):
    raw = {named(row.body) for row in server.raws}
    there = Counter(row.claimed_op_id or row.op_id for row in server.log)
    for device in world.devices:
        hashes = defaultdict(set)  # an op that was numbered anew stands here under both numbers
        for entry in device.disk.ops:
            hashes[entry.op_id].add(entry.hash)
        for entry in device.disk.ops:
            count = there[entry.op_id] + bool(hashes[entry.op_id] & raw)
            must("I1", count >= 1, f"{entry.op_id} of {device.name} is not in the log")
            must("I1", count == 1, f"{entry.op_id} of {device.name} is in the log {count} times")
    for row in server.log:
        must("I2", row.op_id in world.authored, f"nobody made {row.op_id}")
        content = world.authored[row.op_id].content
        if content["kind"] == "poison":
            must("I2", row.status == "quarantined", f"{row.op_id} is {row.status}, but {content['what']}")
        elif row.status == "quarantined":
            of_others = row.reason == "not_allowed" and row.kind == "conflict.resolve"
            # A restored server may hear how a conflict was settled before the tablet sends what opened it.
            before = row.reason == "conflict_unknown" and world.counts["restores"]
            must(
                "I1",
                row.reason in CAUSES or of_others or before,
                f"{row.op_id} was set aside as {row.reason}",
            )
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
        here = next(d for d in world.devices if d.name == device).disk.photos
        lost = photo.id not in here or here[photo.id].state == "damaged"
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


def none_is_freed(device):
    """Within the week after which a photo is durable, a tablet lets go of none."""
    for photo_id, photo in device.disk.photos.items():
        held = photo.data is not None or photo.state == "damaged"
        must("I12", held, f"{device.name} freed {photo_id} before any backup can have it")


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
