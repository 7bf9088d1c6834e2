"""An evidence package of 1,000 photos checked, beside a bare SHA-256 over the same files."""

import hashlib
import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bench.report import Figure, alone
from inspect_app.reports import checker, evidence
from inspect_app.store import inspections
from inspect_app.store.blobs import BlobStore
from tests.office.field_work import FieldTablet
from tests.support.cast import hire
from tests.support.databases import SqliteDatabases, opened

PHOTOS, PHOTO_BYTES, TOGETHER, TRIES = 1_000, 400_000, 50, 3


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder:
        data = Path(folder) / "data"
        data.mkdir()
        url = SqliteDatabases(Path(folder)).fresh(data)
        package = Path(folder) / "package.zip"
        with opened(data, url) as app:
            files, written_s = _package(app, package)
        bare, whole = [], []
        for _ in range(TRIES):
            began = time.perf_counter()
            for file in files:
                with file.open("rb") as read:
                    hashlib.file_digest(read, "sha256")
            bare.append(time.perf_counter() - began)
            began = time.perf_counter()
            with package.open("rb") as read:
                wrong = checker.check(read).wrong
            whole.append(time.perf_counter() - began)
            if wrong:
                raise RuntimeError(wrong[0])
        size = package.stat().st_size / 1e6
    name = f"evidence package of {PHOTOS:,} photos, {size:,.0f} MB"
    return [
        Figure(f"{name}: written", written_s, "s"),
        Figure("  checked", median(whole), "s"),
        Figure("  checked / bare SHA-256 of the photos", median(whole) / median(bare), "", 2),
    ]


def _package(app, package: Path) -> tuple[list[Path], float]:
    """Write the package of a visit with so many photos; the photos' own files, and how long it took."""
    with app.app_context():
        member = hire("inspector_a")
    tablet = FieldTablet(app, member)
    record_id = tablet.begin("manhole")
    blobs = BlobStore(app.config["SETTINGS"].blobs)
    files = []
    for number in range(1, PHOTOS + 1):
        raw = b"\xff\xd8\xff\xe0" + os.urandom(PHOTO_BYTES)
        digest = hashlib.sha256(raw).hexdigest()
        row = {"shows": "sampler_display", "proves": "", "taken_at": tablet.wall.isoformat()}
        tablet.op(
            "photo.attach",
            record_id,
            photo_id=f"photo-{number}",
            sha256=digest,
            bytes=len(raw),
            mime="image/jpeg",
            row=row,
        )
        files.append(blobs.put(raw, digest))
        if number % TOGETHER == 0:
            tablet.push()
    began = time.perf_counter()
    with app.app_context(), package.open("wb") as out:
        evidence.write(inspections.inspection(record_id), out, datetime.now(UTC))
    return files, time.perf_counter() - began


if __name__ == "__main__":
    alone(measure)
