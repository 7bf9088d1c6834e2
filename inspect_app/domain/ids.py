"""Identifiers: UUIDv7 text, made where the thing is made (RFC 9562)."""

import secrets
import uuid
from datetime import datetime


def new_id(now: datetime) -> str:
    """A fresh UUIDv7: 48 bits of milliseconds, then random bits, so that ids made later sort later."""
    milliseconds = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    value = milliseconds << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=value))
