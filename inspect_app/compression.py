"""Sends code, styles and JSON compressed: at a trench every kilobyte is waited for.

Pages of the office are left alone. They hold a form token beside text that somebody else may have written,
and a compressed length then tells about the token.
"""

import gzip
import os
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
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
HASTE = {"gzip": 6, "br": 5}  # for what is asked for once
CARE = {"gzip": 9, "br": 11}  # for what every tablet asks for
OF_FILES = ("/static/", "/field/")  # what is the same for everybody, and changes with a release only


class Compressed:
    """The application behind it, with its answers compressed for whoever can read that.

    Files are compressed once, as hard as it goes, which takes seconds for the whole tablet app: `kept` is the
    folder where they wait for the next tablet, the next process and the next start. It may be emptied.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], kept: Path) -> None:
        self.app = app
        self.kept = kept

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
        is_file = bool(_value(headers, "etag")) and environ["PATH_INFO"].startswith(OF_FILES)
        packed = self._of_file(coding, plain) if is_file else _packed(coding, plain, HASTE)
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

    def _of_file(self, coding: str, plain: bytes) -> bytes:
        """The bytes of a file compressed, found by what they are."""
        file = self.kept / f"{sha256(plain).hexdigest()}.{coding}"
        with suppress(OSError):
            return file.read_bytes()
        packed = _packed(coding, plain, CARE)
        beside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
        with suppress(OSError):  # a full disk costs time, not the answer
            self.kept.mkdir(parents=True, exist_ok=True)
            try:
                with beside.open("wb") as out:
                    out.write(packed)
                    out.flush()
                    os.fsync(out.fileno())  # half a file after a power cut would be served for ever
                beside.replace(file)
            finally:
                beside.unlink(missing_ok=True)
        return packed


def _packed(coding: str, plain: bytes, effort: dict[str, int]) -> bytes:
    if coding == "gzip":
        return gzip.compress(plain, effort["gzip"], mtime=0)
    return brotli.compress(plain, quality=effort["br"])


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
