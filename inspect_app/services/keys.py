"""Keys of devices: reading them, proving a signature, and the nonce that is signed to get a token."""

import hmac
import secrets
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from inspect_app.domain.errors import Refused, SignInRefused

NONCE_LIFE = timedelta(minutes=5)


def check_key(jwk: Mapping[str, Any]) -> dict[str, str]:
    """The public P-256 key of a JWK, reduced to what is needed; raises Refused for anything else."""
    why = "The key must be a public ECDSA key on the curve P-256, as a JWK with kty, crv, x and y."
    key = {name: jwk.get(name) for name in ("crv", "kty", "x", "y")}
    if key["kty"] != "EC" or key["crv"] != "P-256" or "d" in jwk:
        raise Refused(why, errors={"public_key": [why]})
    try:
        _public_key(key)
    except (ValueError, TypeError, AttributeError, BadBase64):
        raise Refused(why, errors={"public_key": [why]}) from None
    return {name: str(value) for name, value in key.items()}


def thumbprint(key: Mapping[str, str]) -> str:
    """The key's name: RFC 7638, SHA-256 over the required members in order, base64url."""
    text = ",".join(f'"{name}":"{key[name]}"' for name in ("crv", "kty", "x", "y"))
    return urlsafe_b64encode(sha256(f"{{{text}}}".encode()).digest()).decode().rstrip("=")


def verify(key: Mapping[str, Any], signature: str, text: str) -> bool:
    """Whether this is the key's signature over the UTF-8 bytes of the text: base64 of 64 raw bytes r, s."""
    try:
        raw = b64decode(signature, validate=True)
        if len(raw) != 64:
            return False
        # The browser gives r and s side by side; the library reads DER.
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        _public_key(key).verify(der, text.encode(), ec.ECDSA(SHA256()))
    except (InvalidSignature, BadBase64, ValueError, TypeError):
        return False
    return True


def make_nonce(secret: str, now: datetime) -> str:
    """A text to sign within five minutes; the server keeps nothing and knows it again by its HMAC."""
    text = f"{int(now.timestamp())}.{secrets.token_urlsafe(12)}"
    return f"{text}.{_mac(secret, text)}"


def check_nonce(nonce: str, secret: str, now: datetime) -> None:
    """Raise SignInRefused for a nonce that is not ours or too old."""
    text, _, mac = nonce.rpartition(".")
    ours = hmac.compare_digest(mac.encode(), _mac(secret, text).encode())
    made_s = text.partition(".")[0]
    age_s = int(now.timestamp()) - int(made_s) if ours and made_s.isdigit() else None
    if age_s is None or not 0 <= age_s <= NONCE_LIFE.total_seconds():
        raise SignInRefused("The nonce is older than five minutes. Fetch /api/v1/time and sign the new one.")


def _public_key(jwk: Mapping[str, Any]) -> ec.EllipticCurvePublicKey:
    x, y = (_coordinate(jwk[name]) for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def _coordinate(text: str) -> int:
    raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(raw) != 32:
        raise ValueError("A coordinate has 32 bytes.")
    return int.from_bytes(raw, "big")


def _mac(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), f"nonce:{text}".encode(), sha256).hexdigest()
