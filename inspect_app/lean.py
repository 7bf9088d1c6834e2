"""Finds the short copies of the tablet's modules and style sheets: what goes over a poor line.

The build makes them (hatch_build.py), each with the hash of what it was made from. A file that was edited
since is sent as it is written: right, only longer.
"""

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path


def lean(path: Path, static: Path) -> bytes:
    """The bytes to send for a file of the app below the folder `static`."""
    written = path.read_bytes()
    copies, name = static / "lean", path.relative_to(static).as_posix()
    if _made_from(copies / "manifest.json").get(name) != sha256(written).hexdigest():
        return written
    return (copies / name).read_bytes()


def _made_from(manifest: Path) -> dict[str, str]:
    """File below static/ -> hash of what its copy was made from; empty in a tree that was never built."""
    return _read(manifest, manifest.stat().st_mtime_ns) if manifest.exists() else {}


@lru_cache(maxsize=4)
def _read(manifest: Path, _changed_ns: int) -> dict[str, str]:
    found: dict[str, str] = json.loads(manifest.read_text(encoding="utf-8"))["files"]
    return found
