"""Reports of laboratories: a file is kept as it came, read, looked at, and entered record by record.

Between reading and entering nothing is judged. A row that does not fit waits in the tray for a person; one
that is wrong in itself is refused with its reason; both stay, with the row as it stood in the file.
"""

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import insert

from inspect_app.domain import lab_csv, lab_results
from inspect_app.domain.errors import NotFound, Refused, TradeError
from inspect_app.domain.ids import new_id
from inspect_app.domain.lab_results import Row
from inspect_app.services import lab_workbook, ops
from inspect_app.services.samples import Samples, samples_of
from inspect_app.store import laboratory as store
from inspect_app.store import villages
from inspect_app.store.base import transaction
from inspect_app.store.blobs import blobs
from inspect_app.store.laboratory import LabFile, LabRow
from inspect_app.store.people import Person

MAPPING = "simple CSV, 1"
AT_ONCE = 500  # rows written in one statement
SHORTEST_REASON = 4

log = structlog.get_logger()


def keep(village: str, name: str, content: bytes, person: Person, now: datetime) -> tuple[LabFile, bool]:
    """Keep a file and read its rows; the file, and whether it was new. The same bytes are one file for ever.

    Raises Refused where the file is no table of results.
    """
    digest = hashlib.sha256(content).hexdigest()
    if known := store.file_of_hash(village, digest):
        return known, False
    is_workbook = lab_workbook.is_workbook(content)
    sheet = lab_csv.read_sheet(lab_workbook.as_csv(content) if is_workbook else content)
    blobs().put(content, digest)
    zone = ZoneInfo(villages.village(village).timezone)
    samples = samples_of(village)
    file = LabFile(
        id=new_id(now),
        village=village,
        name=name[:255] or "report.csv",
        sha256=digest,
        bytes=len(content),
        encoding="xlsx" if is_workbook else sheet.encoding,
        separator=sheet.separator,
        mapping=sheet.columns,
        mapping_version=MAPPING,
        person_id=person.id,
        at=now,
    )
    rows = _read(sheet, zone, samples, now)
    with transaction() as session:
        session.add(file)
        session.flush()
        while part := list(islice(rows, AT_ONCE)):
            session.execute(insert(LabRow), [{"village": village, "file_id": file.id, **row} for row in part])
    log.info("lab_file_kept", village=village, file=file.id, sha256=digest)
    return file, True


def _read(sheet: lab_csv.Sheet, zone: ZoneInfo, samples: Samples, now: datetime) -> Iterator[dict[str, Any]]:
    """Every row with what was read from it. The same thing twice in one file is used once, or by nobody."""
    seen: dict[str, tuple[int, dict[str, Any]]] = {}
    for number, (line, cells) in enumerate(sheet.rows(), 1):
        if number > lab_csv.MOST_ROWS:
            raise Refused(f"The file has more than {lab_csv.MOST_ROWS:,} rows. Import it in parts.")
        too_many = cells.pop(lab_csv.TOO_MANY, None)
        row = lab_results.read_row(cells, zone, now)
        if too_many:
            row.stop("tray", f"The row has {too_many} cells, and the first line names {len(sheet.headers)}.")
        sample = samples.match(row) if row.state in ("ready", "tray") else None
        if row.state == "ready":
            first = seen.setdefault(row.key, (line, row.values))
            if first[0] != line:
                same = first[1] == row.values
                row.stop(
                    "same" if same else "tray",
                    f"Line {first[0]} says {'the same' if same else 'something else about the same'}.",
                )
        yield {
            "line": line,
            "state": row.state,
            "reasons": row.reasons,
            "remarks": row.remarks,
            "cells": cells,
            "values": row.values,
            "said": row.said,
            "record_id": sample.record_id if sample else None,
        }


def enter(
    village: str,
    file_id: str,
    person: Person,
    now: datetime,
    go_on: Callable[[], bool] = lambda: True,
) -> dict[str, int]:
    """Enter the ready rows of a file, one op a record, as long as `go_on` says so; how many are what then.

    It may be called again at any time: what was entered is not entered twice.
    """
    file = file_of(village, file_id)
    for record_id in store.records_ready(file.id):
        if not go_on():
            break
        _enter_record(file, record_id, person, now)
    return store.counts(village).get(file.id, {})


def _enter_record(file: LabFile, record_id: str, person: Person, now: datetime) -> None:
    rows = store.rows_ready(file.id, record_id)
    if not rows:
        return  # somebody else entered them meanwhile
    ids = [row.id for row in rows]
    content = {
        "kind": "lab.report",
        "record_id": record_id,
        "report": {
            "file": file.id,
            "name": file.name,
            "sha256": file.sha256,
            "mapping": file.mapping_version,
        },
        "rows": [
            {
                "key": Row(row.values, row.said).key,
                "row": row.values,
                "said": row.said,
                "line": row.line,
                **({"note": row.note} if row.note else {}),
            }
            for row in rows
        ],
    }
    try:
        result = ops.office_op(file.village, person, content, now)
    except TradeError as refusal:
        with transaction():
            store.mark(ids, "tray", reasons=[str(refusal)])
        return
    with transaction():
        if result["status"] == "noop":
            store.mark(ids, "same", reasons=["The record says the same already."])
        else:
            store.mark(ids, "applied", op_id=result["op_id"])


def look_again(village: str, now: datetime) -> int:
    """Match the tray's rows once more, as records stand now; how many became ready."""
    zone = ZoneInfo(villages.village(village).timezone)
    samples, ready = samples_of(village), 0
    with transaction():
        for found, _file in store.tray(village, limit=lab_csv.MOST_ROWS):
            row = lab_results.read_row(found.cells, zone, now)
            sample = samples.match(row) if row.state in ("ready", "tray") else None
            found.state, found.reasons, found.remarks, found.values = (
                row.state,
                row.reasons,
                row.remarks,
                row.values,
            )
            found.record_id = sample.record_id if sample else None
            ready += row.state == "ready"
    return ready


def assign(
    village: str, row_id: int, record_number: str, sample_id: str, reason: str, person: Person, now: datetime
) -> LabRow:
    """Say to which sample a row of the tray belongs; what the laboratory wrote stays beside it.

    Raises NotFound for an unknown row, Refused where the sample or the reason is missing.
    """
    _check_reason(reason)
    found = row_of(village, row_id)
    zone = ZoneInfo(villages.village(village).timezone)
    samples = samples_of(village)
    sample = samples.named(record_number.strip(), sample_id.strip())
    if sample is None:
        raise Refused(f"Record {record_number} has no sample {sample_id}. Read both off the record's page.")
    cells = {**found.cells, "coc_no": sample.coc_no, "sample_id": sample.sample_id}
    row = lab_results.read_row(cells, zone, now)
    samples.match(row)
    if row.state != "ready":
        raise Refused(" ".join(row.reasons))
    with transaction():
        found.state, found.reasons, found.values = "ready", [], row.values
        found.remarks = [
            *row.remarks,
            f"The report says {found.cells.get('sample_id') or 'no sample'} on form "
            f"{found.cells.get('coc_no') or 'none'}.",
        ]
        found.record_id = sample.record_id
        found.note, found.decided_by, found.decided_at = reason.strip(), person.id, now
    return found


def settle(village: str, row_id: int, reason: str, person: Person, now: datetime) -> None:
    """Leave a row of the tray unused, and say why; it is kept."""
    _check_reason(reason)
    with transaction():
        found = row_of(village, row_id)
        found.state, found.note, found.decided_by, found.decided_at = (
            "settled",
            reason.strip(),
            person.id,
            now,
        )


def file_of(village: str, file_id: str) -> LabFile:
    """The file of this village; raises NotFound."""
    found = store.file_in(village, file_id)
    if found is None:
        raise NotFound("There is no such report in this village. Open the list of reports again.")
    return found


def row_of(village: str, row_id: int) -> LabRow:
    """A row that waits in the tray; raises NotFound, and Refused where it does not wait any more."""
    found = store.row_in(village, row_id)
    if found is None:
        raise NotFound("There is no such row in this village. Open the tray again.")
    if found.state != "tray":
        raise Refused("This row does not wait any more: somebody decided it meanwhile. Open the tray again.")
    return found


def _check_reason(reason: str) -> None:
    if len(reason.strip()) < SHORTEST_REASON:
        raise Refused("Say why, in words that somebody understands in a year.")
