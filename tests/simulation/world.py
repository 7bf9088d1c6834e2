"""One run: a seed decides who does what next, what the line does to it, and who is killed."""

import copy
import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from inspect_app.domain import custody
from inspect_app.domain.errors import TradeError
from inspect_app.store import inspections as store
from inspect_app.store.base import db
from tests.simulation.device import Device, Disk, Paused, Picture, TabletKilled, _read, sha256
from tests.simulation.engine import Engine
from tests.simulation.invariants import Violation, check
from tests.simulation.network import Network, Odds, Unreachable
from tests.simulation.server import PASSWORD

STEPS = 70
ROUNDS = 25  # without faults, within which every queue is empty
GROUPS = {
    "structure": lambda random: {"manhole_id": f"M-{random.randrange(4)}"},
    "weather": lambda random: {"weather": random.choice(["dry", "drizzle", "rain", "snow"])},
    "dimensions": lambda random: {
        "rim_to_invert": {"value": random.choice(["8", "8.0", "8 1/2", "9"]), "unit": "ft"},
        "flow_state": random.choice(["free", "surcharged"]),
    },
}
POISON = ("unknown kind", "newer schema", "no JSON", "no op id", "stray field", "no such record")


@dataclass
class Authored:
    """What an inspector did, and what their screen showed when they did it."""

    op_id: str
    device: str
    content: dict
    saw: dict = field(default_factory=dict)  # group -> values on the screen


class World:
    """All that happens in one seed."""

    def __init__(self, server, clock, seed, odds=None, steps=STEPS, engine=Engine):
        self.server, self.clock, self.steps, self.seed = server, clock, steps, seed
        self.random = Random(seed)
        self.counts = Counter()
        self.authored: dict[str, Authored] = {}
        self.acknowledged: set[str] = set()
        self.photos: dict[str, tuple[str, bytes]] = {}  # photo -> device, bytes
        self.freed_early: list[str] = []
        server.begin(Random(f"{seed} server"))
        self.network = Network(server, self.random, odds or Odds())
        people = ["inspector-a", "inspector-b", self.random.choice(["inspector-a", "inspector-b"])]
        self.devices = [
            Device(f"tablet-{number}", person, self.network, self.random, clock)
            for number, person in enumerate(people, 1)
        ]
        self.engines = {device.name: engine(device) for device in self.devices}
        self.snapshots: dict[str, Disk] = {}
        self.read_conflicts: list[tuple[str, list[str]]] = []  # what the reviewer has open on the desk

    # ------------------------------------------------------------ the run

    def run(self):
        """Raises Violation when an invariant breaks."""
        for device in self.devices:
            self.enrol(device)
            device.may_be_killed = True
        for _ in range(self.steps):
            self.clock.forward(self.random.choice([1, 5, 60, 600, 1800]))
            self.step()
        self.quiesce()
        check(self)
        return self

    def step(self):
        device = self.random.choice(self.devices)
        chance = self.random.random()
        if chance < 0.56:
            self.guarded(device, lambda: self.work(device))
        elif chance < 0.80:
            self.sync(device)
        elif chance < 0.90:
            self.office()
        else:
            self.misfortune(device)

    def guarded(self, device, act):
        """Whatever is done on a tablet may be cut off by its end."""
        try:
            act()
        except TabletKilled:
            self.counts["tablets killed"] += 1
            device.restart()

    # ------------------------------------------------------------ inspectors

    def work(self, device):
        if not device.disk.device_id or device.disk.needs == "enrol_again":
            return
        records = device.known_records()
        chance = self.random.random()
        if not records or (chance < 0.12 and len(records) < 2):
            self.begin_record(device)
        elif chance < 0.58:
            self.measure(device, self.random.choice(records))
        elif chance < 0.65:
            row = {"note": f"note {self.random.randrange(1000)}"}
            self.author(
                device,
                "list.add",
                self.random.choice(records),
                list="notes",
                row_id=device.new_id(),
                row=row,
            )
        elif chance < 0.74:
            self.photograph(device, self.random.choice(records))
        elif chance < 0.82:
            self.custody(device, self.random.choice(records))
        elif chance < 0.87:
            self.submit(device, self.random.choice(records))
        elif chance < 0.91:
            self.delete(device, self.random.choice(records))
        elif chance < 0.96:
            self.settle(device)
        else:
            self.poison(device, self.random.choice(records))

    def author(self, device, kind, record_id, saw=None, **own):
        op_id = device.write(kind, record_id, **own)
        content = _read(device.disk.ops[-1].content)
        self.authored[op_id] = Authored(op_id, device.name, content, copy.deepcopy(saw or {}))
        self.counts["ops"] += 1
        device.danger()
        return op_id

    def begin_record(self, device):
        self.author(
            device,
            "record.create",
            device.new_id(),
            village="barneveld",
            protocol="manhole",
            protocol_version="1",
            pack=self.server.pack,
            assignment_id=None,
            parent_record=None,
            place="Lot 14 Example Court",
            permit_no=None,
            prefill={},
        )

    def measure(self, device, record_id):
        group = self.random.choice(["weather", "weather", *GROUPS])
        replaces, values = device.shown(record_id, group)
        self.author(
            device,
            "group.set",
            record_id,
            saw={group: values},
            group=group,
            replaces=replaces,
            values=GROUPS[group](self.random),
            was=values,
        )

    def photograph(self, device, record_id):
        data = self.random.randbytes(self.random.choice((40, 500, 1500)))
        photo_id = device.new_id()
        row = {
            "shows": "overview",
            "proves": "",
            "taken_at": self.clock.now.isoformat(),
            "from_library": "no",
        }
        device.disk.photos[photo_id] = Picture(data, sha256(data), record_id)
        self.photos[photo_id] = (device.name, data)
        self.author(
            device,
            "photo.attach",
            record_id,
            photo_id=photo_id,
            sha256=sha256(data),
            bytes=len(data),
            mime="image/jpeg",
            row=row,
        )

    def custody(self, device, record_id):
        there = device.disk.records.get(record_id, {}).get("doc", {}).get("custody", [])
        own = [_read(e.content) for e in device.disk.ops if device.overlaid(e)]
        texts = [entry["event"] for entry in there] + [
            said["event"]
            for said in own
            if said.get("kind") == "custody.append" and said.get("record_id") == record_id
        ]
        event = {
            "sample_set": record_id,
            "prev": sha256(texts[-1]) if texts else "",
            "event_no": len(texts) + 1,
            "action": self.random.choice(["collect", "seal", "hand_over"]),
            "at_device": self.clock.now.isoformat(),
            "by": device.name,
            "mark": self.random.getrandbits(30),
        }
        self.author(device, "custody.append", record_id, event=json.dumps(event))

    def submit(self, device, record_id):
        context = {"today": self.clock.now.date().isoformat(), "timezone": "America/Chicago"}
        self.author(
            device,
            "record.submit",
            record_id,
            context=context,
            findings=[],
            pack=self.server.pack,
            revision_hash="0" * 64,
        )

    def delete(self, device, record_id):
        seen = {group: device.shown(record_id, group)[1] for group in GROUPS}
        rev = device.disk.records.get(record_id, {}).get("rev", 0)
        self.author(device, "record.delete", record_id, saw=seen, reason="begun by mistake", rev=rev)

    def settle(self, device):
        open_ones = [one for one in device.disk.conflicts.values() if one["state"] == "open"]
        if not open_ones:
            return
        conflict = self.random.choice(open_ones)
        saw = [conflict["current_op"], *(c["op"] for c in conflict["candidates"])]
        self.author(
            device,
            "conflict.resolve",
            conflict["record_id"],
            **self.choice(conflict),
            saw=[s for s in saw if s],
        )

    def choice(self, conflict):
        group = conflict["what"].removeprefix("group:")
        take = self.random.choice(["current", "candidate", "value"] if group in GROUPS else ["current"])
        value = GROUPS[group](self.random) if take == "value" else None
        if take == "candidate":
            value = self.random.choice(conflict["candidates"])["op"]
        return {"conflict_id": conflict["id"], "take": take, "value": value, "reason": "measured again"}

    def poison(self, device, record_id):
        """What a broken or newer release may send; the queue behind it must move."""
        what = self.random.choice(POISON)
        self.counts["poison"] += 1
        if what == "no such record":
            self.author(device, "group.set", device.new_id(), group="weather", replaces="", values={}, was={})
            return
        op_id = device.new_id()
        content = {
            "schema": 1,
            "user_id": device.disk.person["id"],
            "kind": "group.set",
            "record_id": record_id,
        }
        content |= {
            "entity": "inspection",
            "group": "weather",
            "replaces": "",
            "values": {},
            "app": "simulation",
        }
        content |= {"unknown kind": {"kind": "record.fold"}, "newer schema": {"schema": 99}}.get(what, {})
        if what == "stray field":
            content["values"] = {"manhole_id": "M-1"}
        text = "{" if what == "no JSON" else json.dumps(content)
        device.seal(op_id, text, drop=("op_id",) if what == "no op id" else ())
        self.authored[op_id] = Authored(op_id, device.name, {"kind": "poison"})

    # ------------------------------------------------------------ lines and offices

    def sync(self, device):
        self.counts["syncs"] += 1
        try:
            if not device.disk.device_id or device.disk.needs == "enrol_again":
                self.enrol(device)
            elif device.disk.needs == "sign_in":
                device.sign_in(PASSWORD)
            self.engines[device.name].run()
        except Unreachable:
            device.disk.needs = "" if device.disk.needs == "sign_in" else device.disk.needs
        except Paused as paused:
            # A tablet taken out of use reads nothing more; what it holds is still sent.
            device.disk.needs = "" if device.revoked else paused.needs
        except TabletKilled:
            self.counts["tablets killed"] += 1
            device.restart()
        finally:
            self.note_acknowledged(device)

    def note_acknowledged(self, device):
        """What a tablet was told is kept must be kept, whatever is killed next."""
        for entry in device.disk.ops:
            if entry.result:
                self.acknowledged.add(entry.op_id)

    def enrol(self, device):
        code = self.server.code(device.sign_in_name)
        for _ in range(ROUNDS):
            try:
                device.enrol(code)
                return
            except (Unreachable, TabletKilled):
                device.restart()

    def office(self):
        """The reviewer reads, waits, and acts on what was read."""
        with self.server.app.app_context():
            records = db.session.scalars(store.select(store.Inspection).order_by(store.Inspection.id)).all()
            states = [(row.id, row.state) for row in records]
            rows = db.session.scalars(store.select(store.Conflict).order_by(store.Conflict.id)).all()
            open_ones = [
                {
                    "id": row.id,
                    "record_id": row.record_id,
                    "what": row.what,
                    "current_op": row.current_op,
                    "candidates": copy.deepcopy(row.candidates),
                }
                for row in rows
                if row.state == "open"
            ]
            db.session.rollback()
        if open_ones and self.random.random() < 0.6:
            self.read_conflicts.append(self.random.choice(open_ones))
        if self.read_conflicts and self.random.random() < 0.3:
            conflict = self.read_conflicts.pop(0)
            saw = [conflict["current_op"], *(c["op"] for c in conflict["candidates"])]
            self.decide(
                "conflict.resolve", conflict["record_id"], **self.choice(conflict), saw=[s for s in saw if s]
            )
        if states:
            record_id, _ = self.random.choice(states)
            kind = self.random.choice(["record.review", "record.return", "record.approve", "record.void"])
            self.decide(kind, record_id, **({} if kind == "record.review" else {"reason": "as read"}))

    def decide(self, kind, record_id, **own):
        if kind == "record.approve":
            own.pop("reason", None)
        try:
            result = self.server.office(kind, record_id, **own)
        except TradeError:
            return
        self.counts["office steps"] += 1
        self.authored[result["op_id"]] = Authored(result["op_id"], "office", {"kind": kind})

    # ------------------------------------------------------------ misfortunes

    def misfortune(self, device):
        what = self.random.choice(
            ["clock", "snapshot", "rollback", "rollback", "backup", "restore", "revoke", "late", "enrol"]
        )
        if what == "clock":
            device.wrong_by_s += self.random.choice([-86400, -3600, 120, 86400])
        elif what == "snapshot" and device.disk.device_id:
            self.snapshots[device.name] = copy.deepcopy(device.disk)
        elif what == "rollback" and device.name in self.snapshots:
            self.roll_back(device)
        elif what == "backup" and self.server.can_restore:
            self.server.back_up()
        elif what == "restore" and self.server.backup and not self.counts["restores"]:
            self.restore()
        elif what == "revoke" and not self.counts["revoked"] and self.random.random() < 0.3:
            if device.disk.device_id and not device.disk.needs:
                self.server.revoke(device.disk.device_id)
                device.revoked = True
                self.counts["revoked"] += 1
        elif what == "late":
            self.network.deliver_late()
        elif what == "enrol" and not device.revoked:
            self.enrol(device)  # somebody enters a new code although the old enrolment still holds

    def roll_back(self, device):
        """The tablet's storage is an earlier day's: what came since is lost, and its numbers do not fit."""
        if device.revoked or self.counts["restores"]:
            return
        self.counts["storage rolled back"] += 1
        device.disk = copy.deepcopy(self.snapshots[device.name])
        device.restart()

    def restore(self):
        """An older server: what it lacks, tablets still hold, if their own storage was not rolled back."""
        if self.counts["storage rolled back"] or self.counts["revoked"]:
            return
        self.counts["restores"] += 1
        self.network.late.clear()
        self.server.restore()
        self.read_conflicts.clear()

    # ------------------------------------------------------------ the end

    def quiesce(self):
        """Faults end; within some rounds nothing waits. Then a week passes, and photos may be freed."""
        self.network.calm()
        for device in self.devices:
            device.may_be_killed = False
        for _ in range(ROUNDS):
            self.clock.forward(60)
            for device in self.devices:
                self.sync(device)
            if all(device.idle() and not device.disk.needs for device in self.devices):
                break
        else:
            waiting = {device.name: [len(device.unsent()), device.disk.needs] for device in self.devices}
            raise Violation("I11", f"after {ROUNDS} rounds without faults something still waits: {waiting}")
        self.clock.forward(8 * 86400)
        for _ in range(2):
            for device in self.devices:
                self.sync(device)


def events_of(world):
    """Every custody event that was written, by its hash."""
    found = {}
    for one in world.authored.values():
        if one.content.get("kind") == "custody.append":
            found[custody.read_event(one.content["event"]).hash] = one
    return found
