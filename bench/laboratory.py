"""A laboratory's file of 50,000 results read and entered: budget 60 s, and memory that stays flat."""

import resource
import tempfile
import time
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from bench.report import Figure, alone
from inspect_app.services import devices, laboratory
from inspect_app.store.people import person
from tests.api.tablet import Tablet
from tests.support.cast import hire
from tests.support.databases import SqliteDatabases, opened

RECORDS, SAMPLES = 1_000, 5
ANALYTES = (
    "BOD5",
    "TSS",
    "TKN",
    "Total Phosphorus",
    "COD",
    "Copper",
    "Zinc",
    "Iron",
    "Chromium",
    "Ammonia-N",
)
FLAT_MB = 120
HEADER = (
    "coc_no,sample_id,collected_at,received_at,analyzed_at,sample_type,composite_hours,analyte,result,unit\n"
)
TIMES = "2026-04-15 08:00,2026-04-16 09:30,2026-04-16 15:00,composite,24"


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder:
        data = Path(folder) / "data"
        data.mkdir()
        url = SqliteDatabases(Path(folder)).fresh(data)
        with opened(data, url) as app:
            member = _visits(app)
            content = _report()
            before = _memory_mb()
            with app.app_context():
                by, now = person(member.id), datetime.now(UTC)
                began = time.perf_counter()
                file, _ = laboratory.keep(member.village, "report.csv", content, by, now)
                read = time.perf_counter() - began
                counts = laboratory.enter(member.village, file.id, by, now)
                whole = time.perf_counter() - began
            grown = _memory_mb() - before
    rows = content.count(b"\n") - 1
    if counts != {"applied": rows}:
        raise RuntimeError(f"Not every row was entered: {counts}")
    return [
        Figure(f"laboratory file of {rows:,} results for {RECORDS:,} records: read", read, "s"),
        Figure("  read and entered, every record judged again", whole, "s", 60),
        Figure("  the most memory, more than before", grown, "MB", FLAT_MB),
    ]


def _visits(app):
    """Hand in a sampling visit for each record, with its containers."""
    with app.app_context():
        member = hire("outsider")
        code = devices.make_code(member.village, member.id, None, datetime.now(UTC))
    tablet = Tablet(app, code, "Tablet")
    pack = tablet.reference()["pack"]
    for number in range(RECORDS):
        record_id = tablet.begin("manhole", "2", pack=pack)
        tablet.set(record_id, "custody_form", {"coc_no": f"COC-{number}"})
        rows = [
            {"sample_id": f"{number:04}-C{n}", "filled_at": "2026-04-15T08:00:00-05:00"}
            for n in range(SAMPLES)
        ]
        tablet.set(record_id, "containers", {"containers": rows})
        tablet.submit(record_id)
        if number % 20 == 19:
            tablet.push()
    return member


def _report() -> bytes:
    lines = (
        f"COC-{record},{record:04}-C{sample},{TIMES},{analyte},{record % 400 + 0.5},mg/L\n"
        for record, sample, analyte in product(range(RECORDS), range(SAMPLES), ANALYTES)
    )
    return (HEADER + "".join(lines)).encode()


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    alone(measure)
