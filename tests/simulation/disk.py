"""What a reference tablet keeps: everything here outlives a kill, and nothing else does."""

import copy
import hashlib
import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec

from tests.simulation.releases import today


class DiskFull(Exception):
    """Nothing more can be written; what was there before still is."""


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
    faults: dict = field(default_factory=dict)  # what a broken release does whenever it numbers and signs

    def __post_init__(self):
        self.said = read(self.content)

    def __deepcopy__(self, memo):
        """All but the result never changes."""
        return copy.copy(self)


@dataclass
class Picture:
    """A photo as the tablet keeps it; `data` goes when the server has said durable."""

    data: bytes | None
    sha256: str
    record_id: str
    state: str = "waiting"  # waiting, stored, freed, refused, damaged


@dataclass
class Made:
    """One op as its author made it, and what the screen showed then: group -> values."""

    op_id: str
    content: dict
    saw: dict = field(default_factory=dict)


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


def read(content):
    """The content of an op; nothing of one that a broken release wrote."""
    try:
        said = json.loads(content)
    except ValueError:
        return {}
    return today(said) if isinstance(said, dict) else {}


def key_of(random):
    return ec.derive_private_key(random.getrandbits(250) + 1, ec.SECP256R1())


def jwk_of(key):
    numbers = key.public_key().public_numbers()
    x, y = (urlsafe_b64encode(n.to_bytes(32, "big")).decode().rstrip("=") for n in (numbers.x, numbers.y))
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y}
