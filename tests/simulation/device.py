"""The reference tablet: what `docs/sync.md` asks of a client, in Python, on a disk that outlives a kill."""

import copy
import json

from tests.simulation.disk import DiskFull, Made, Picture, jwk_of, sha256
from tests.simulation.groups import GROUPS
from tests.simulation.journal import Journal, TabletKilled
from tests.simulation.network import Unreachable

__all__ = ["Device", "Paused", "TabletKilled"]


class Paused(Exception):
    """Something a person must do first: `needs` is sign_in, enrol_again or revoked."""

    def __init__(self, needs):
        super().__init__(needs)
        self.needs = needs


class Device(Journal):
    """One tablet of one inspector."""

    def __init__(self, name, person, network, random, clock, engine):
        super().__init__(name, random, clock)
        self.sign_in_name, self.network = person, network
        self.token = None
        self.revoked = False
        self.meanwhile = lambda: None  # what its inspector does while it sends and receives
        self.engine = engine(self)

    @property
    def works(self):
        """Whether an inspector can record on it."""
        return bool(self.disk.device_id) and self.disk.needs != "enrol_again"

    @property
    def needs(self):
        return self.disk.needs

    @property
    def device_id(self):
        return self.disk.device_id

    def acknowledged(self):
        """The ops whose final answer it holds."""
        return {entry.op_id for entry in self.disk.ops if entry.result}

    def read_out(self):
        """Everything on its disk, for the invariants."""

    # ------------------------------------------------------------ what its inspector does

    def begin(self, pack):
        self.write(
            "record.create",
            self.new_id(),
            village="barneveld",
            protocol="manhole",
            protocol_version="1",
            pack=pack,
            assignment_id=None,
            parent_record=None,
            place="Lot 14 Example Court",
            permit_no=None,
            prefill={},
        )

    def measure(self, record_id, group, values):
        replaces, shown = self.shown(record_id, group)
        saw = {group: copy.deepcopy(shown)}
        self.write("group.set", record_id, saw, group=group, replaces=replaces, values=values, was=shown)

    def note(self, record_id, text):
        self.write("list.add", record_id, list="notes", row_id=self.new_id(), row={"note": text})

    def photograph(self, record_id, data):
        if self.is_full:
            raise DiskFull(self.name)
        photo_id, taken_at = self.new_id(), self.clock.now.isoformat()
        row = {"shows": "overview", "proves": "", "taken_at": taken_at, "from_library": "no"}
        self.disk.photos[photo_id] = Picture(data, sha256(data), record_id)
        self.write(
            "photo.attach",
            record_id,
            photo_id=photo_id,
            sha256=sha256(data),
            bytes=len(data),
            mime="image/jpeg",
            row=row,
        )

    def hand_over(self, record_id, event):
        there = self.disk.records.get(record_id, {}).get("doc", {}).get("custody", [])
        texts = [entry["event"] for entry in there]
        for entry in self.disk.ops:
            said = entry.said
            if said.get("kind") == "custody.append" and said.get("record_id") == record_id:
                texts += [said["event"]] if self.overlaid(entry) else []
        linked = {
            **event,
            "sample_set": record_id,
            "prev": sha256(texts[-1]) if texts else "",
            "event_no": len(texts) + 1,
            "at_device": self.clock.now.isoformat(),
        }
        self.write("custody.append", record_id, event=json.dumps(linked))

    def submit(self, record_id, context, pack):
        own = {"context": context, "findings": [], "pack": pack, "revision_hash": "0" * 64}
        self.write("record.submit", record_id, **own)

    def discard(self, record_id):
        saw = {group: copy.deepcopy(self.shown(record_id, group)[1]) for group in GROUPS}
        rev = 0 if self.hides(record_id) else self.disk.records.get(record_id, {}).get("rev", 0)
        self.write("record.delete", record_id, saw, reason="begun by mistake", rev=rev, epoch=self.disk.epoch)

    def settle(self, conflict, choice):
        saw = [conflict["current_op"], *(c["op"] for c in conflict["candidates"])]
        self.write("conflict.resolve", conflict["record_id"], **choice, saw=[s for s in saw if s])

    def poison(self, record_id, what):
        """What a broken or newer release may send; the queue behind it must move."""
        content = {
            "schema": 99 if what == "newer schema" else self.schema,
            "app": self.app,
            "user_id": self.disk.person["id"],
            "kind": "record.fold" if what == "unknown kind" else "group.set",
            "record_id": self.new_id() if what == "no such record" else record_id,
            "entity": "inspection",
            "group": "weather",
            "replaces": "",
            "values": {"manhole_id": "M-1"} if what == "stray field" else {},
        }
        text = "{" if what == "no JSON" else json.dumps(content)
        faults = {"no op id": {"drop": ("op_id",)}, "wrong signature": {"signs": "another text"}}
        op_id = self.seal(self.new_id(), text, **faults.get(what, {}))
        self.made.append(Made(op_id, {"kind": "poison", "what": what}))

    # ------------------------------------------------------------ what befalls it

    def restart(self):
        """The browser starts again: what was only in memory is gone."""
        self.token = None

    def update(self, schema):
        """Another release starts, which writes ops in the format of its schema; what waits stays as it is."""
        self.schema, self.app = schema, f"{schema}.0"
        self.restart()

    def copied(self):
        """A copy of its storage, as a backup of the phone makes it."""
        return copy.deepcopy(self.disk)

    def put_back(self, disk):
        self.disk = copy.deepcopy(disk)
        self.restart()

    def damage_photo(self):
        """A byte of a photo that waits changes on the tablet's own disk. Returns whether there was one."""
        waiting = [photo for photo in self.disk.photos.values() if photo.state == "waiting" and photo.data]
        if waiting:
            photo = self.random.choice(waiting)
            photo.data = bytes([photo.data[0] ^ 1]) + photo.data[1:]
        return bool(waiting)

    # ------------------------------------------------------------ its calls

    def sync(self, password, code):
        """What its person does when it asks, then one pass as far as line and person let it."""
        disk = self.disk
        try:
            if not self.works:
                self.enrol(code())
            elif disk.needs == "sign_in":
                self.sign_in(password)
            self.engine.run()
        except Unreachable:
            disk.needs = "" if disk.needs == "sign_in" else disk.needs
        except Paused as paused:
            # A tablet taken out of use reads nothing more; what it holds is still sent.
            disk.needs = "" if self.revoked else paused.needs

    def enrol(self, code):
        """Enrol with a code of the office. What was not confirmed under the old number gets a new one."""
        disk = self.disk
        said = {"code": code, "public_key": jwk_of(disk.key), "name": self.name, "app": self.app}
        answer = self.network.call("POST", "/api/v1/devices", json=said)
        if answer.status != 201:
            raise Unreachable(f"enrolment answered {answer.status}")
        self.danger()
        left = self.unsent() if disk.device_id else []
        made = answer.said
        disk.device_id, disk.kid, disk.person = made["device_id"], made["kid"], made["person"]
        disk.person_token, disk.seq, disk.head, disk.acknowledged = made["person_token"], 0, "", 0
        disk.needs = ""
        # The epoch stays what it was: a change of it is noticed at the next push, which asks about every op.
        disk.epoch = disk.epoch or made["epoch"]
        self.token = None
        for entry in left:
            self.seal_again(entry)

    def sign_in(self, password):
        proof = self._proof()
        said = {**proof, "sign_in_name": self.sign_in_name, "password": password}
        answer = self.network.call("POST", "/api/v1/auth/person", json=said)
        if answer.status == 200:
            self.disk.person_token = answer.said["person_token"]
            self.disk.needs = ""
        elif answer.status == 401:
            # Perhaps not the password: a server restored to before this tablet was enrolled knows no device.
            answer = self.network.call("POST", "/api/v1/auth/device", json=self._proof())
            if answer.status == 401:
                raise Paused("enrol_again")

    def _proof(self):
        nonce = self.network.call("GET", "/api/v1/time").said["nonce"]
        return {"device_id": self.disk.device_id, "nonce": nonce, "sig": self.sign(nonce)}

    def as_device(self, method, path, **options):
        """A call with the device's token; one that has ended is renewed once."""
        for _attempt in (1, 2):
            if self.token is None:
                answer = self.network.call("POST", "/api/v1/auth/device", json=self._proof())
                if answer.status != 200:
                    raise Paused("enrol_again")
                self.token = answer.said["token"]
            headers = {**options.get("headers", {}), "Authorization": f"Bearer {self.token}"}
            headers["X-Unsent-Ops"] = str(len(self.unsent()))
            answer = self.network.call(method, path, **{**options, "headers": headers})
            if answer.status != 401:
                return answer
            self.token = None
        raise Unreachable("the token is refused")

    def as_person(self, path, **query):
        headers = {"Authorization": f"Bearer {self.disk.person_token}"}
        answer = self.network.call("GET", path, query_string=query, headers=headers)
        if answer.status == 401:
            raise Paused("sign_in")
        if answer.status == 403:
            raise Paused("revoked")
        return answer
