"""What a record says of its samples that cannot all be true: it stands before an approval until it is mended.

Nothing is refused for it when it comes: each tablet wrote what it saw, and either may be right.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain.custody import GIVES, TAKES
from inspect_app.domain.inspections import answers_of
from inspect_app.services import documents
from inspect_app.store import laboratory as store
from inspect_app.store import villages
from inspect_app.store.inspections import Inspection

Values = Mapping[str, Any]
SKEW = timedelta(minutes=2)  # two clocks may differ by so much, and nobody is to be bothered


def contradictions(record: Inspection) -> list[str]:
    """Sentences, each with what to do; empty where everything fits, and for a record without samples."""
    if not record.doc["groups"].get("containers"):
        return []
    answers = answers_of(documents.pulled(record))
    containers = [row for row in answers.get("containers") or () if row.get("sample_id")]
    zone = ZoneInfo(villages.village(record.village).timezone)
    return [
        *_twice(record, containers),
        *_left_out(answers, containers),
        *_too_early(answers, containers, zone),
    ]


def _twice(record: Inspection, containers: list[Values]) -> Iterator[str]:
    """One label on two samples, of this record or of another."""
    ids = [str(row["sample_id"]) for row in containers]
    for sample_id in sorted({one for one in ids if ids.count(one) > 1}):
        yield f"Two containers have the label {sample_id}. Return the record, and have one of them corrected."
    others = store.records_naming(record.village, [json.dumps(one) for one in set(ids)], record.id)
    for number, doc in others:
        rows = answers_of(doc).get("containers")
        also = {str(row.get("sample_id")) for row in rows} if isinstance(rows, list) else set()
        for sample_id in sorted(also & set(ids)):
            yield f"Label {sample_id} is on a sample of record {number} too. Find out which one it was."


def _left_out(answers: Values, containers: list[Values]) -> Iterator[str]:
    """A container that a hand-over leaves out: it has no holder any more, unless its form was split."""
    # A blank for the cooler's temperature goes where the cooler goes.
    bottles = {str(row["sample_id"]) for row in containers if row.get("analyte_group") != "temp_blank"}
    for number, event in enumerate(answers.get("custody_events") or (), 1):
        moved = event.get("containers_moved")
        if event.get("action") not in (*GIVES, *TAKES) or not isinstance(moved, list) or not moved:
            continue
        named = {str(row.get("sample_id")) for row in moved if isinstance(row, Mapping)}
        if missing := sorted(bottles - named):
            yield (
                f"Entry {number} of the custody leaves out {', '.join(missing)}. "
                "Split the form, or have an entry added that says where it is."
            )


def _too_early(answers: Values, containers: list[Values], zone: ZoneInfo) -> Iterator[str]:
    """Whatever happened to a sample before it was taken, to the minute."""
    filled = {str(row["sample_id"]): _instant(row.get("filled_at")) for row in containers}
    for number, event in enumerate(answers.get("custody_events") or (), 1):
        at = _instant(event.get("at_device"))
        moved = event.get("containers_moved")
        for row in moved if isinstance(moved, list) else ():
            sample_id = str(row.get("sample_id")) if isinstance(row, Mapping) else ""
            taken = filled.get(sample_id)
            if at and taken and at + SKEW < taken:
                yield (
                    f"Entry {number} of the custody was at {_clock(at, zone)}, before {sample_id} was filled "
                    f"at {_clock(taken, zone)}. Correct the time that is wrong."
                )
    for row in answers.get("lab_results") or ():
        at, taken = _instant(row.get("received_at")), filled.get(str(row.get("sample_id")))
        if at and taken and at + SKEW < taken:
            yield (
                f"The laboratory received {row['sample_id']} at {_clock(at, zone)}, before it was filled at "
                f"{_clock(taken, zone)}. Correct the time that is wrong."
            )


def _clock(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}"


def _instant(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None
