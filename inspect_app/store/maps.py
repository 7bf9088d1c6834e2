"""The map files of villages in the data folder: maps/<village>/<layer>.geojson and basemap.pmtiles."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from flask import current_app

from inspect_app.store.blobs import make_folder, sync_folder, write_durably

BASEMAP = "basemap"
PIECE_BYTES = 1024 * 1024  # what a tablet fetches at a time: a broken line costs no more than this


@dataclass(frozen=True, slots=True)
class MapFile:
    """One file as tablets are told of it: they check each piece, and know the whole, by their hashes."""

    name: str
    path: Path
    size: int
    sha256: str
    pieces: tuple[str, ...]


def file_name(layer: str) -> str:
    return f"{layer}.pmtiles" if layer == BASEMAP else f"{layer}.geojson"


def path_of(village: str, layer: str) -> Path:
    """Where a layer stands or would stand."""
    folder: Path = current_app.config["SETTINGS"].data / "maps" / village
    return folder / file_name(layer)


def find(village: str, layer: str) -> MapFile | None:
    """A layer of a village, if it has it."""
    path = path_of(village, layer)
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return _described(path, layer, status.st_mtime_ns, status.st_size)


def keep(village: str, layer: str, source: bytes | Path) -> MapFile:
    """Put a layer in the place of the one before: whole, or not at all."""
    path = path_of(village, layer)
    make_folder(path.parent)
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    if isinstance(source, Path):
        with source.open("rb") as file:
            write_durably(fresh, iter(lambda: file.read(PIECE_BYTES), b""))
    else:
        write_durably(fresh, [source])
    fresh.replace(path)
    sync_folder(path.parent)
    found = find(village, layer)
    assert found is not None
    return found


def remove(village: str, layer: str) -> bool:
    """Take a layer away; False where there was none."""
    path = path_of(village, layer)
    there = path.exists()
    path.unlink(missing_ok=True)
    return there


@lru_cache(maxsize=64)
def _described(path: Path, layer: str, _changed_ns: int, size: int) -> MapFile:
    whole, pieces = hashlib.sha256(), []
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            whole.update(piece)
            pieces.append(hashlib.sha256(piece).hexdigest())
    return MapFile(layer, path, size, whole.hexdigest(), tuple(pieces))
