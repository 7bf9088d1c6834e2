"""Who is asking: bearer tokens only. A cookie is never read here."""

from datetime import UTC, datetime
from functools import wraps

from flask import g, request

from inspect_app.domain.errors import SignInRefused
from inspect_app.services import devices

NEEDS = {"push": "deviceToken", "upload": "deviceToken", "pull": "personToken"}
MOST_UNSENT = 2**31 - 1


def bearer(scope):
    """A view for the holder of a token of this scope (push, upload, pull); they are in g.holder."""

    def decorate(view):
        @wraps(view)
        def guarded(*args, **kwargs):
            g.now = datetime.now(UTC)
            g.holder = devices.holder(_token(), scope, g.now)
            g.holder_id = g.holder.device.id
            _checked_in()
            return view(*args, **kwargs)

        documented = getattr(view, "_apidoc", {})
        manual = {**documented.get("manual_doc", {}), "security": [{NEEDS[scope]: []}]}
        vars(guarded)["_apidoc"] = {**documented, "manual_doc": manual}
        return guarded

    return decorate


def _token():
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise SignInRefused("This needs a token: Authorization: Bearer …", slug="token-missing")
    return token.strip()


def _checked_in():
    """Note what the tablet says it still holds: the only way to know what has not arrived."""
    ops, size = (_count(name) for name in ("X-Unsent-Ops", "X-Unsent-Bytes"))
    device = g.holder.device
    if ops is None and size is None:
        return
    if (ops, size) == (device.unsent_ops, device.unsent_bytes) and _is_recent(device.last_seen_at):
        return
    devices.seen(g.holder_id, g.now, ops, size)


def _is_recent(last_seen_at):
    return last_seen_at is not None and (g.now - last_seen_at).total_seconds() < 60


def _count(name):
    text = request.headers.get(name, "")
    return min(int(text), MOST_UNSENT) if text.isascii() and text.isdigit() and len(text) < 16 else None
