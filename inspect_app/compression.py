"""Sends code, styles and JSON compressed: at a trench every kilobyte is waited for.

Pages of the office are left alone. They hold a form token beside text that somebody else may have written,
and a compressed length then tells about the token.
"""

import gzip
from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

KINDS = {
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "application/problem+json",
    "image/svg+xml",
}
LEAST_BYTES = 600
MOST_BYTES = 8 * 1024 * 1024
KEPT_FILES = 300  # the tablet app has about a hundred


class Compressed:
    """The application behind it, with its answers compressed for whoever can read that."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self.app = app
        self.kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self.lock = Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if "gzip" not in environ.get("HTTP_ACCEPT_ENCODING", "") or environ["REQUEST_METHOD"] == "HEAD":
            return self.app(environ, start_response)
        if "HTTP_IF_NONE_MATCH" in environ:
            # The tag went out marked weak, below; what compares it knows it without the mark.
            environ["HTTP_IF_NONE_MATCH"] = environ["HTTP_IF_NONE_MATCH"].replace("W/", "")
        begun: list[Any] = []

        def begin(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[..., Any]:
            begun[:] = [status, headers, exc_info]
            return lambda _data: None

        body = self.app(environ, begin)
        status, headers, exc_info = begun  # Flask and WhiteNoise begin before they hand over the body
        if not self._is_wanted(status, headers):
            start_response(status, headers, exc_info)
            return body
        try:
            plain = b"".join(body)
        finally:
            if hasattr(body, "close"):
                body.close()
        packed = self._packed(environ["PATH_INFO"], _value(headers, "etag"), plain)
        start_response(status, _changed(headers, len(packed)), exc_info)
        return [packed]

    @staticmethod
    def _is_wanted(status: str, headers: list[tuple[str, str]]) -> bool:
        kind = _value(headers, "content-type").split(";")[0].strip().lower()
        length = _value(headers, "content-length")
        return (
            kind in KINDS
            and not status.startswith("206")
            and length.isdigit()
            and LEAST_BYTES <= int(length) <= MOST_BYTES
            and not _value(headers, "content-encoding")
        )

    def _packed(self, path: str, tag: str, plain: bytes) -> bytes:
        """The bytes compressed; those of a file are kept, under its tag, for the next tablet."""
        key = (path, tag)
        is_file = bool(tag) and path.startswith("/static/")
        if is_file:
            with self.lock:
                if key in self.kept:
                    self.kept.move_to_end(key)
                    return self.kept[key]
        packed = gzip.compress(plain, 9 if is_file else 6, mtime=0)
        if is_file:
            with self.lock:
                self.kept[key] = packed
                while len(self.kept) > KEPT_FILES:
                    self.kept.popitem(last=False)
        return packed


def _value(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


def _changed(headers: list[tuple[str, str]], length: int) -> list[tuple[str, str]]:
    """The headers of the compressed answer; its tag is weak, for the bytes differ from the plain ones."""
    changed = []
    for name, value in headers:
        match name.lower():
            case "content-length":
                changed.append((name, str(length)))
            case "etag" if not value.startswith("W/"):
                changed.append((name, f"W/{value}"))
            case "vary" | "accept-ranges":
                continue
            case _:
                changed.append((name, value))
    vary = ", ".join(filter(None, (_value(headers, "vary"), "Accept-Encoding")))
    return [*changed, ("Content-Encoding", "gzip"), ("Vary", vary)]
