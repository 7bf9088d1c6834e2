"""What a record says of its samples that cannot all be true: it stands before an approval until it is mended.

Nothing is refused for it when it comes: each tablet wrote what it saw, and either may be right.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain.containers import instant, labelled, rows_of, sample_id
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
    containers = labelled(answers)
    zone = ZoneInfo(villages.village(record.village).timezone)
    return [
        *_twice(record, containers),
        *_left_out(answers, containers),
        *_too_early(answers, containers, zone),
    ]


def _twice(record: Inspection, containers: list[Values]) -> Iterator[str]:
    """One label on two samples, of this record or of another."""
    ids = [sample_id(row) for row in containers]
    for label in sorted({one for one in ids if ids.count(one) > 1}):
        yield f"Two containers have the label {label}. Return the record, and have one of them corrected."
    others = store.records_naming(record.village, [json.dumps(one) for one in set(ids)], record.id)
    for number, doc in others:
        also = {sample_id(row) for row in labelled(answers_of(doc))}
        for label in sorted(also & set(ids)):
            yield f"Label {label} is on a sample of record {number} too. Find out which one it was."


def _left_out(answers: Values, containers: list[Values]) -> Iterator[str]:
    """A container that a hand-over leaves out: it has no holder any more, unless its form was split."""
    # A blank for the cooler's temperature goes where the cooler goes.
    bottles = {sample_id(row) for row in containers if row.get("analyte_group") != "temp_blank"}
    for number, event in enumerate(rows_of(answers, "custody_events"), 1):
        named = {sample_id(row) for row in rows_of(event, "containers_moved")}
        missing = sorted(bottles - named)
        if event.get("action") in (*GIVES, *TAKES) and named and missing:
            yield (
                f"Entry {number} of the custody leaves out {', '.join(missing)}. "
                "Split the form, or have an entry added that says where it is."
            )


def _too_early(answers: Values, containers: list[Values], zone: ZoneInfo) -> Iterator[str]:
    """Whatever happened to a sample before it was taken, to the minute."""
    filled = {sample_id(row): instant(row.get("filled_at")) for row in containers}

    def early(at: datetime | None, label: str, what: str) -> Iterator[str]:
        taken = filled.get(label)
        if at and taken and at + SKEW < taken:
            yield (
                f"{what} {at.astimezone(zone):%Y-%m-%d %H:%M}, before {label} was filled at "
                f"{taken.astimezone(zone):%Y-%m-%d %H:%M}. Correct the time that is wrong."
            )

    for number, event in enumerate(rows_of(answers, "custody_events"), 1):
        for row in rows_of(event, "containers_moved"):
            at = instant(event.get("at_device"))
            yield from early(at, sample_id(row), f"Entry {number} of the custody was at")
    for row in rows_of(answers, "lab_results"):
        label = sample_id(row)
        yield from early(instant(row.get("received_at")), label, f"The laboratory received {label} at")
