"""Faults planted in the reference tablet: each is a context in which one rule does not hold."""

import json

from tests.simulation.device import Device
from tests.simulation.disk import DiskFull
from tests.simulation.engine import Engine
from tests.simulation.journal import Journal
from tests.simulation.planting import planted


def no_trunk_rule():
    """An edit names what was pulled in under one's own unsent one, which the screen does not show."""
    real = Journal.shown

    def shown(device, record_id, group):
        op, values = real(device, record_id, group)
        there = device.disk.records.get(record_id, {}).get("doc", {}).get("groups", {}).get(group)
        own = [
            entry
            for entry in device.disk.ops
            if entry.said.get("record_id") == record_id and entry.said.get("group") == group
        ]
        known = {name for entry in own for name in (entry.op_id, entry.said["replaces"])}
        hidden = there and there["op"] not in known and any(map(device.overlaid, own))
        return (there["op"] if hidden else op), values

    return planted((Journal, "shown", shown))


def overlay_removed_at_acknowledgement():
    """An op leaves the screen when it is answered, before what it made has been pulled."""
    real = Journal.shown

    def shown(device, record_id, group):
        there = device.disk.records.get(record_id, {}).get("doc", {}).get("groups", {}).get(group)
        own = real(device, record_id, group)
        waiting = any(entry.op_id == own[0] and entry.result is None for entry in device.disk.ops)
        return own if waiting or not there else (own[0], there["values"])

    return planted((Journal, "shown", shown))


def forget_on_send():
    """The queue is emptied when it is sent, not when it is answered."""
    real = Engine.push

    def push(engine):
        disk = engine.disk
        if engine.device.unsent():
            waits = engine.device.unsent()
            try:
                real(engine)
            finally:
                disk.acknowledged = max(disk.acknowledged, waits[-1].seq) if waits else 0
            return
        real(engine)

    return planted((Engine, "push", push))


def cursor_before_data():
    """The cursor is on the disk before the rows it stands for."""

    def take(engine, page):
        engine.disk.cursor = page["cursor"]
        for _ in range(20):
            engine.device.danger()
        real(engine, page)

    real = Engine.take
    return planted((Engine, "take", take))


def frees_at_stored():
    """The original is deleted when the server has it, before any backup can."""
    real = Engine.send

    def send(engine, photo_id, photo):
        real(engine, photo_id, photo)
        if photo.state == "stored":
            photo.data, photo.state = None, "freed"

    return planted((Engine, "send", send))


def new_epoch_ignored():
    """The tablet takes the new name of the log and asks nothing."""

    def new_epoch(engine, epoch):
        engine.disk.epoch = epoch

    return planted((Engine, "new_epoch", new_epoch))


def former_enrolments_forgotten():
    """After a restore only the ops of the present enrolment are offered again."""
    real = Engine.new_epoch

    def new_epoch(engine, epoch):
        disk = engine.disk
        former = [entry for entry in disk.ops if entry.device_id != disk.device_id]
        disk.ops = [entry for entry in disk.ops if entry.device_id == disk.device_id]
        real(engine, epoch)
        disk.ops = former + disk.ops

    return planted((Engine, "new_epoch", new_epoch))


def update_rewrites_queue():
    """A new release writes what waits in its own format, under the old signatures."""
    real = Device.update

    def update(device, schema):
        for entry in device.unsent():
            body = json.loads(entry.envelope["body"])
            body["content"] = json.dumps({**json.loads(body["content"]), "app": f"{schema}.0"})
            entry.envelope = {**entry.envelope, "body": json.dumps(body)}
        real(device, schema)

    return planted((Device, "update", update))


def op_before_space():
    """A number is given before the disk has taken the op that has it."""
    real = Journal.write

    def write(journal, *args, **own):
        try:
            return real(journal, *args, **own)
        except DiskFull:
            journal.disk.seq += 1
            raise

    return planted((Journal, "write", write))
