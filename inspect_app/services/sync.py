"""Pushing: a batch of ops, the last resort for what no batch takes, and the name of the log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from inspect_app.domain.envelopes import Unreadable, read_body
from inspect_app.domain.errors import IllegalTransition, Refused
from inspect_app.domain.ids import new_id
from inspect_app.services import ops
from inspect_app.store import people, sync
from inspect_app.store.base import db, transaction
from inspect_app.store.people import Device, Person
from inspect_app.store.sync import RawItem

FINAL = ("applied", "noop", "conflict", "quarantined")


class EpochDiffers(IllegalTransition):
    """The tablet last spoke with another log: this server was restored. It asks what is known here."""

    slug = "epoch"


class UnreadableBatch(Refused):
    """An op of the batch has no number to keep it under; nothing of the batch was applied."""

    slug = "unreadable-op"


def current_epoch() -> str:
    """The name of this server's log, made when it is first asked for."""
    name = sync.epoch()
    if name is None:
        with transaction():
            sync.set_epoch(sync.new_epoch_name(), keep=True)
        name = sync.epoch()
    assert name is not None
    return name


def change_epoch() -> str:
    """Give the log a new name: to be done after a restore, so that tablets send again what it lacks."""
    name = sync.new_epoch_name()
    with transaction():
        sync.set_epoch(name, keep=False)
    return name


def push(
    device: Device, epoch: str, envelopes: Sequence[Mapping[str, str]], now: datetime
) -> tuple[list[dict[str, Any]], int]:
    """Apply a batch in its order: a result for each op, and the last number that was accepted.

    Stops at the first op that does not follow (gap, fork): what comes after it cannot follow either. Raises
    Refused when an op cannot be numbered, before anything is applied, and EpochDiffers.
    """
    if epoch != current_epoch():
        raise EpochDiffers(
            "This server was restored from a copy. Ask what it has, and send again what it lacks."
        )
    device_id = device.id
    faults: dict[str, list[str]] = {}
    for place, envelope in enumerate(envelopes):
        try:
            body = read_body(envelope["body"])
            if body.device_id != device_id:
                faults[f"ops.{place}.body"] = ["The op is numbered for another device."]
        except Unreadable as problem:
            faults[f"ops.{place}.body"] = [str(problem)]
    if faults:
        raise UnreadableBatch(
            "An op cannot be read. Send the others without it, and it alone to /ops/raw.", errors=faults
        )
    results = []
    for envelope in envelopes:
        result = ops.apply_from(device_id, envelope, now)
        results.append(result)
        if result["status"] not in FINAL:
            break
    locked = db.session.get(Device, device_id)
    assert locked is not None
    return results, locked.last_seq


def push_carried(
    device: Device, envelopes: Sequence[Mapping[str, str]], now: datetime
) -> list[dict[str, Any]]:
    """Apply ops of other tablets of the village, brought by this one from a file: a result for each.

    Each is verified with its own device's key and takes its own place in that device's log, so that one that
    was sent already only gets its stored result. One that does not follow stops those behind it only. Raises
    UnreadableBatch for an op that cannot be numbered or whose device is none of the village's tablets, before
    anything is applied.
    """
    carrier, village = device.id, device.village
    owners: list[str] = []
    faults: dict[str, list[str]] = {}
    for place, envelope in enumerate(envelopes):
        try:
            owner = people.device(read_body(envelope["body"]).device_id)
            if owner is None or owner.village != village or owner.is_server:
                raise Unreadable("There is no tablet of this id in this village.")
            owners.append(owner.id)
        except Unreadable as problem:
            faults[f"ops.{place}.body"] = [str(problem)]
    if faults:
        raise UnreadableBatch("An op cannot be taken in. Send the others without it.", errors=faults)
    return [
        ops.apply_carried(owner, envelope, carrier, now)
        for owner, envelope in zip(owners, envelopes, strict=True)
    ]


def have(op_ids: Sequence[str]) -> list[str]:
    """Which of these ops the server holds, in the order asked."""
    known = sync.known_ops(op_ids)
    return [op_id for op_id in op_ids if op_id in known]


def keep_raw(
    device: Device,
    body: bytes,
    headers: Mapping[str, str],
    now: datetime,
    place: tuple[int, str] | None = None,
) -> str:
    """Keep any bytes, for a person to read; the same bytes twice are kept once. Returns their hash.

    `place` is the number and the hash of the op in the device's chain, if it is one: when it is the next, the
    ops behind it follow on, and the tablet need not enrol anew for them.
    """
    digest = sha256(body).hexdigest()
    device_id, village = device.id, device.village
    with transaction() as session:
        locked = session.get(Device, device_id, with_for_update={"key_share": True}, populate_existing=True)
        there = session.query(RawItem.id).filter_by(device_id=device_id, sha256=digest).first()
        if there is None:
            session.add(
                RawItem(
                    id=new_id(now),
                    device_id=device_id,
                    village=village,
                    sha256=digest,
                    body=body,
                    headers=dict(headers),
                    received_at=now,
                )
            )
        if place is not None:
            seq, op_hash = place
            if locked is not None and seq == locked.last_seq + 1:
                locked.last_seq, locked.last_hash = seq, op_hash
    return digest


def note_raw(village: str, item_id: str, text: str, by: Person, now: datetime) -> None:
    """Note what became of bytes of the last resort. Raises NotFound, NotAllowed, Refused."""
    content = {"kind": "raw.note", "record_id": None, "item_id": item_id, "text": " ".join(text.split())}
    ops.office_op(village, by, content, now)
