"""Bytes of photos, named by their SHA-256. Nothing here alters or deletes a kept blob."""

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from flask import current_app

BLOCK = 1024 * 1024


def blobs() -> "BlobStore":
    """The blobs of the running application."""
    return BlobStore(current_app.config["SETTINGS"].blobs)


def staging() -> Path:
    """The folder in which bytes wait until they are whole."""
    folder: Path = current_app.config["SETTINGS"].staging
    make_folder(folder)
    return folder


class WrongHash(ValueError):
    """The bytes are not those of the name they were given."""


class BlobStore:
    """A folder of blobs: sha256/ab/cd/<hash>. Durable when `put` returns: file and folder are synced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where the blob of this hash stands or would stand."""
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError("A blob's name is 64 lower-case hex digits.")
        return self.folder / "sha256" / sha256[:2] / sha256[2:4] / sha256

    def exists(self, sha256: str) -> bool:
        return self.path(sha256).is_file()

    def holds(self, sha256: str) -> bool:
        """Whether the blob is here to stay: another process may have renamed it without a sync yet."""
        if not self.exists(sha256):
            return False
        sync_folder(self.path(sha256).parent)
        return True

    def open(self, sha256: str) -> BinaryIO:
        """The blob's bytes; raises FileNotFoundError."""
        return self.path(sha256).open("rb")

    def put(self, source: bytes | Path, sha256: str) -> Path:
        """Keep bytes, or the bytes of a file, under their hash; raises WrongHash. Twice is harmless."""
        chunks: Iterable[bytes] = blocks(source) if isinstance(source, Path) else (source,)
        place = self.path(sha256)
        temporary = place.with_name(f".{sha256}.{secrets.token_hex(4)}")
        try:
            if write_durably(temporary, chunks) != sha256:
                raise WrongHash("The bytes do not have the hash they were sent under.")
            self.adopt(temporary, sha256)
        finally:
            temporary.unlink(missing_ok=True)
        return place

    def adopt(self, file: Path, sha256: str) -> Path:
        """Rename a synced file, whose hash the caller has checked, into its place: no second copy."""
        place = self.path(sha256)
        make_folder(place.parent)
        if place.exists():
            file.unlink(missing_ok=True)
        else:
            file.replace(place)
        sync_folder(place.parent)
        return place


def blocks(path: Path) -> Iterator[bytes]:
    """A file's bytes in pieces, so that no photo is held in memory whole."""
    with path.open("rb") as file:
        while piece := file.read(BLOCK):
            yield piece


def write_durably(path: Path, chunks: Iterable[bytes]) -> str:
    """Write and sync a new file; returns the hash of what was written. The folder is not synced yet."""
    make_folder(path.parent)
    made = hashlib.sha256()
    with path.open("xb") as file:
        for chunk in chunks:
            made.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return made.hexdigest()


def make_folder(folder: Path) -> None:
    """Make a folder that is still there after a power cut: each new one is synced into its parent."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
