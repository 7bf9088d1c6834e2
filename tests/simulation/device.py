"""The reference tablet: what `docs/sync.md` asks of a client, in Python, on a disk that outlives a kill.

Everything on `disk` outlives it; everything else is gone. A step that changes the disk is one transaction.
"""

import copy
import hashlib
import json
from base64 import b64encode, urlsafe_b64encode
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from tests.simulation.network import Unreachable

FINAL = frozenset({"applied", "noop", "conflict", "quarantined", "raw"})
MOST_OPS = 8
TRIES_ALONE = 2


class TabletKilled(BaseException):
    """The browser ended here: a flat battery, or the system that needs its memory."""


class Paused(Exception):
    """Something a person must do first: `needs` is sign_in, enrol_again or revoked."""

    def __init__(self, needs):
        super().__init__(needs)
        self.needs = needs


@dataclass
class Entry:
    """One op of the journal, under the number of one enrolment."""

    device_id: str
    seq: int
    op_id: str
    content: str
    envelope: dict
    hash: str
    result: dict | None = None


@dataclass
class Picture:
    """A photo as the tablet keeps it; `data` goes when the server has said durable."""

    data: bytes | None
    sha256: str
    record_id: str
    state: str = "waiting"  # waiting, stored, freed, refused
    url: str = ""


@dataclass
class Disk:
    """What outlives a kill."""

    key: ec.EllipticCurvePrivateKey
    device_id: str = ""
    kid: str = ""
    epoch: str = ""
    person: dict = field(default_factory=dict)
    person_token: str = ""
    seq: int = 0
    head: str = ""
    acknowledged: int = 0
    ops: list[Entry] = field(default_factory=list)
    photos: dict[str, Picture] = field(default_factory=dict)
    records: dict = field(default_factory=dict)
    conflicts: dict = field(default_factory=dict)
    cursor: str = ""
    seen: int = 0
    needs: str = ""

    def __deepcopy__(self, memo):
        """A key is no more copied than the phone it is in."""
        twin = copy.copy(self)
        for name in ("person", "ops", "photos", "records", "conflicts"):
            setattr(twin, name, copy.deepcopy(getattr(self, name), memo))
        return twin


def sha256(text):
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


class Device:
    """One tablet of one inspector."""

    def __init__(self, name, person, network, random, clock):
        self.name, self.sign_in_name = name, person
        self.network, self.random, self.clock = network, random, clock
        self.disk = Disk(_key(random))
        self.token = None
        self.wrong_by_s = 0
        self.may_be_killed = False
        self.revoked = False

    # ------------------------------------------------------------ its own life

    def danger(self):
        """A moment in which the browser may end."""
        if self.may_be_killed and self.random.random() < 0.02:
            raise TabletKilled(self.name)

    def restart(self):
        """The browser starts again: what was only in memory is gone."""
        self.token = None

    def new_id(self):
        milliseconds = int(self.clock.now.timestamp() * 1000)
        value = (milliseconds << 80) | (7 << 76) | (self.random.getrandbits(12) << 64) | (2 << 62)
        text = f"{value | self.random.getrandbits(62):032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def sign(self, text):
        r, s = decode_dss_signature(self.disk.key.sign(text.encode(), ec.ECDSA(SHA256())))
        return b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()

    # ------------------------------------------------------------ the journal

    def write(self, kind, record_id, **own):
        """Put an op into the journal: number, hash and op in one transaction. Returns its id."""
        wall = self.clock.now.timestamp() + self.wrong_by_s
        content = {
            "schema": 1,
            "app": "simulation",
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
        return self.seal(self.new_id(), json.dumps(content))

    def seal(self, op_id, content, drop=()):
        """Number and sign a content as the next op. `drop`: members that a broken release leaves out."""
        disk = self.disk
        says = {
            "v": 1,
            "device_id": disk.device_id,
            "seq": disk.seq + 1,
            "prev": disk.head,
            "op_id": op_id,
            "content": content,
        }
        body = json.dumps({name: value for name, value in says.items() if name not in drop})
        envelope = {"body": body, "sig": self.sign(body), "kid": disk.kid}
        disk.seq, disk.head = disk.seq + 1, sha256(body)
        disk.ops.append(Entry(disk.device_id, disk.seq, op_id, content, envelope, disk.head))
        return op_id

    def overlaid(self, entry):
        """Whether an op still lies over what was pulled: until the cursor has passed its change."""
        chg = (entry.result or {}).get("chg")
        return entry.result is None or (chg is not None and chg > self.disk.seen)

    def shown(self, record_id, group):
        """What the screen shows of a group: the op and its values."""
        for entry in reversed(self.disk.ops):
            said = _read(entry.content)
            if said.get("record_id") == record_id and said.get("group") == group and self.overlaid(entry):
                return entry.op_id, said["values"]
        there = self.disk.records.get(record_id, {}).get("doc", {}).get("groups", {}).get(group)
        return (there["op"], there["values"]) if there else ("", {})

    def known_records(self):
        """Records on the screen: the pulled ones and one's own new ones, without the deleted."""
        gone, own = set(), {}
        for entry in self.disk.ops:
            said = _read(entry.content)
            if said.get("kind") == "record.create":
                own[entry.op_id] = said["record_id"]
            if said.get("kind") == "record.delete" and self.overlaid(entry):
                gone.add(said["record_id"])
        pulled = [key for key, row in self.disk.records.items() if not row["deleted"]]
        return [key for key in dict.fromkeys([*pulled, *own.values()]) if key not in gone]

    def unsent(self):
        disk = self.disk
        mine = (e for e in disk.ops if e.device_id == disk.device_id and e.seq > disk.acknowledged)
        return sorted(mine, key=lambda entry: entry.seq)

    def idle(self):
        """Nothing waits any more."""
        return not self.unsent() and not [p for p in self.disk.photos.values() if p.state == "waiting"]

    # ------------------------------------------------------------ its calls

    def enrol(self, code):
        """Enrol with a code of the office. What was not confirmed under the old number gets a new one."""
        disk = self.disk
        said = {"code": code, "public_key": _jwk(disk.key), "name": self.name, "app": "simulation"}
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
            self.seal(entry.op_id, entry.content)
            disk.ops.remove(entry)

    def sign_in(self, password):
        proof = self._proof()
        said = {**proof, "sign_in_name": self.sign_in_name, "password": password}
        answer = self.network.call("POST", "/api/v1/auth/person", json=said)
        if answer.status == 200:
            self.disk.person_token = answer.said["person_token"]
            self.disk.needs = ""

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


def _read(content):
    """The content of an op; nothing of one that a broken release wrote."""
    try:
        said = json.loads(content)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _key(random):
    return ec.derive_private_key(random.getrandbits(250) + 1, ec.SECP256R1())


def _jwk(key):
    numbers = key.public_key().public_numbers()
    x, y = (urlsafe_b64encode(n.to_bytes(32, "big")).decode().rstrip("=") for n in (numbers.x, numbers.y))
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y}
