"""The reference tablet's journal and screen: numbers and signs ops, and lays them over what was pulled."""

import json
from base64 import b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from tests.simulation.disk import Disk, DiskFull, Entry, Made, key_of, sha256
from tests.simulation.releases import NEWEST, as_written


class TabletKilled(BaseException):
    """The browser ended here: a flat battery, or the system that needs its memory."""


class Journal:
    """The disk of one tablet, and what its ops make of the records on the screen."""

    def __init__(self, name, random, clock):
        self.name, self.random, self.clock = name, random, clock
        self.disk = Disk(key_of(random))
        self.wrong_by_s = 0
        self.app = "2.0"
        self.schema = NEWEST
        self.may_be_killed = False
        self.is_full = False
        self.made = []  # ops since somebody last asked

    def danger(self):
        """A moment in which the browser may end."""
        if self.may_be_killed and self.random.random() < 0.02:
            raise TabletKilled(self.name)

    def fresh(self):
        """The ops made since this was last asked."""
        made, self.made = self.made, []
        return made

    # ------------------------------------------------------------ writing

    def new_id(self):
        milliseconds = int(self.clock.now.timestamp() * 1000)
        value = (milliseconds << 80) | (7 << 76) | (self.random.getrandbits(12) << 64) | (2 << 62)
        text = f"{value | self.random.getrandbits(62):032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def sign(self, text):
        r, s = decode_dss_signature(self.disk.key.sign(text.encode(), ec.ECDSA(SHA256())))
        return b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()

    def write(self, kind, record_id, on_screen=None, **own):
        """Put an op into the journal: number, hash and op in one transaction. Returns its id."""
        wall = self.clock.now.timestamp() + self.wrong_by_s
        content = {
            "schema": self.schema,
            "app": self.app,
            "user_id": self.disk.person["id"],
            "kind": kind,
            "entity": "inspection",
            "record_id": record_id,
            **own,
            "wall": type(self.clock.now).fromtimestamp(wall, self.clock.now.tzinfo).isoformat(),
            "boot": "b",
            "mono": self.clock.now.timestamp() * 1000,
            "clock": {"offset_ms": None, "age_s": None},
        }
        if self.is_full:
            raise DiskFull(self.name)
        op_id = self.seal(self.new_id(), json.dumps(as_written(content, self.schema)))
        self.made.append(Made(op_id, content, on_screen or {}))
        self.danger()
        return op_id

    def seal(self, op_id, content, **faults):
        """Number and sign a content as the next op. `faults`: `drop` names members of the body that a broken
        release leaves out, `signs` another text that it signs."""
        disk = self.disk
        says = {
            "v": 1,
            "device_id": disk.device_id,
            "seq": disk.seq + 1,
            "prev": disk.head,
            "op_id": op_id,
            "content": content,
        }
        body = json.dumps({name: value for name, value in says.items() if name not in faults.get("drop", ())})
        envelope = {"body": body, "sig": self.sign(faults.get("signs", body)), "kid": disk.kid}
        disk.seq, disk.head = disk.seq + 1, sha256(body)
        disk.ops.append(Entry(disk.device_id, disk.seq, op_id, content, envelope, disk.head, None, faults))
        return op_id

    def seal_again(self, entry):
        """Give an op a new number behind the last; its id and content stay."""
        self.disk.ops.remove(entry)
        self.seal(entry.op_id, entry.content, **entry.faults)

    # ------------------------------------------------------------ the screen

    def overlaid(self, entry):
        """Whether an op still lies over what was pulled: until the cursor has passed its change."""
        chg = (entry.result or {}).get("chg")
        return entry.result is None or (chg is not None and chg > self.disk.seen)

    def shown(self, record_id, group):
        """What the screen shows of a group: the op and its values."""
        for entry in reversed(self.disk.ops):
            said = entry.said
            if said.get("record_id") == record_id and said.get("group") == group and self.overlaid(entry):
                return entry.op_id, said["values"]
        there = self.disk.records.get(record_id, {}).get("doc", {}).get("groups", {}).get(group)
        return (there["op"], there["values"]) if there else ("", {})

    def hides(self, record_id):
        """Whether an own op lies over a value of somebody else that it does not replace: unseen here."""
        pulled = self.disk.records.get(record_id, {}).get("doc", {}).get("groups", {})
        known = {name: set() for name in pulled}
        for entry in self.disk.ops:
            said = entry.said
            if said.get("record_id") == record_id and said.get("group") in known and self.overlaid(entry):
                known[said["group"]] |= {entry.op_id, said["replaces"]}
        return any(names and pulled[name]["op"] not in names for name, names in known.items())

    def known_records(self):
        """Records on the screen: the pulled ones and one's own new ones, without the deleted."""
        gone, own = set(), {}
        for entry in self.disk.ops:
            if entry.said.get("kind") == "record.create":
                own[entry.op_id] = entry.said["record_id"]
            if entry.said.get("kind") == "record.delete" and self.overlaid(entry):
                gone.add(entry.said["record_id"])
        pulled = [key for key, row in self.disk.records.items() if not row["deleted"]]
        return [key for key in dict.fromkeys([*pulled, *own.values()]) if key not in gone]

    def open_conflicts(self):
        return [one for one in self.disk.conflicts.values() if one["state"] == "open"]

    def unsent(self):
        disk = self.disk
        mine = (e for e in disk.ops if e.device_id == disk.device_id and e.seq > disk.acknowledged)
        return sorted(mine, key=lambda entry: entry.seq)

    def idle(self):
        """Nothing waits any more."""
        return not self.unsent() and not [p for p in self.disk.photos.values() if p.state == "waiting"]
