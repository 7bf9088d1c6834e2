"""A tablet of the demonstration: enrolled with a code, it numbers, chains and signs ops like a real one."""

import json
from base64 import b64encode
from datetime import datetime
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from inspect_app.domain.errors import Refused
from inspect_app.domain.ids import new_id
from inspect_app.services import devices, ops, uploads
from inspect_app.store.people import Person

APP = "demonstration"
CLOCK_SLOW_MS = 4000


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


def _coordinate(number: int) -> str:
    return b64encode(number.to_bytes(32, "big"), altchars=b"-_").decode().rstrip("=")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
