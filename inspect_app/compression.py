"""Sends code, styles and JSON compressed: at a trench every kilobyte is waited for.

Pages of the office are left alone. They hold a form token beside text that somebody else may have written,
and a compressed length then tells about the token.
"""

import gzip
from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

import brotli

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
KEPT_FILES = 300  # the tablet app has about two hundred
OF_FILES = ("/static/", "/field/")  # what is the same for everybody, and changes with a release only


class Compressed:
    """The application behind it, with its answers compressed for whoever can read that."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self.app = app
        self.kept: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()
        self.lock = Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        coding = _coding(environ)
        if not coding or environ["REQUEST_METHOD"] == "HEAD":
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
        packed = self._packed(environ["PATH_INFO"], _value(headers, "etag"), coding, plain)
        start_response(status, _changed(headers, coding, len(packed)), exc_info)
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

    def _packed(self, path: str, tag: str, coding: str, plain: bytes) -> bytes:
        """The bytes compressed; those of a file are kept, under its tag, for the next tablet."""
        if not (tag and path.startswith(OF_FILES)):
            return gzip.compress(plain, 6, mtime=0) if coding == "gzip" else brotli.compress(plain, quality=5)
        key = (path, tag, coding)
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
                return self.kept[key]
        packed = gzip.compress(plain, 9, mtime=0) if coding == "gzip" else brotli.compress(plain, quality=11)
        with self.lock:
            self.kept[key] = packed
            while len(self.kept) > KEPT_FILES:
                self.kept.popitem(last=False)
        return packed


def _coding(environ: dict[str, Any]) -> str:
    """The best coding that the browser reads: Brotli where it comes by HTTPS or from the machine itself."""
    said = environ.get("HTTP_ACCEPT_ENCODING", "")
    names = {part.split(";")[0].strip() for part in said.split(",") if not part.rstrip().endswith("q=0")}
    return next((coding for coding in ("br", "gzip") if coding in names), "")


def _value(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


def _changed(headers: list[tuple[str, str]], coding: str, length: int) -> list[tuple[str, str]]:
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
    return [*changed, ("Content-Encoding", coding), ("Vary", vary)]
