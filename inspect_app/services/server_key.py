"""The server's own device in each village: office ops are numbered and signed like a tablet's.

The key is derived from the installation's secret: all processes have the same one, and none is stored.
"""

import hmac
import uuid
from base64 import b64encode, urlsafe_b64encode
from datetime import datetime
from functools import lru_cache
from hashlib import sha256, sha512

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from sqlalchemy.orm import Session

from inspect_app.services.keys import thumbprint
from inspect_app.store import sync
from inspect_app.store.base import settings
from inspect_app.store.people import Device

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
NAMESPACE = uuid.UUID("6f0d3d5e-6d8e-5a51-9d0c-1c1b3c2f9a7e")


def sign(text: str) -> str:
    """The server's signature over a text, in the form of a tablet's: base64 of r and s, 32 bytes each."""
    r, s = decode_dss_signature(_key(_secret()).sign(text.encode(), ec.ECDSA(SHA256())))
    return b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()


def seal(text: str) -> str:
    """A short mark that only this installation can make for a text: 22 letters of an HMAC-SHA-256."""
    key = hmac.new(_secret().encode(), b"seal of cursors", sha256).digest()
    return urlsafe_b64encode(hmac.new(key, text.encode(), sha256).digest()[:16]).decode().rstrip("=")


def public_key() -> dict[str, str]:
    """The public key as a JWK: a reader of the log checks office ops and checkpoints with it."""
    numbers = _key(_secret()).public_key().public_numbers()
    x, y = (
        urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")
        for number in (numbers.x, numbers.y)
    )
    return {"crv": "P-256", "kty": "EC", "x": x, "y": y}


def device_id(session: Session, village: str, now: datetime) -> str:
    """The id of the village's server device under the present key; made when it is first needed.

    Another secret is another key, and so another device: a device is never given a new key.
    """
    key = public_key()
    kid = thumbprint(key)
    made = str(uuid.uuid5(NAMESPACE, f"{village} {kid}"))
    if session.get(Device, made) is None:
        sync.insert_if_new(
            Device,
            id=made,
            village=village,
            name="Office",
            kid=kid,
            public_key=key,
            person_id=None,
            app="office",
            enrolled_at=now,
            last_seq=0,
            last_hash="",
            unsent_ops=0,
            unsent_bytes=0,
            is_server=True,
        )
    return made


def _secret() -> str:
    return str(settings().secret_key)


@lru_cache(maxsize=4)
def _key(secret: str) -> ec.EllipticCurvePrivateKey:
    wide = hmac.new(secret.encode(), b"server device key", sha512).digest()
    return ec.derive_private_key(int.from_bytes(wide, "big") % (ORDER - 1) + 1, ec.SECP256R1())
