"""Which samples a village's records hold: what a laboratory's rows are matched with, and nothing guessed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inspect_app.domain.containers import instant, labelled, sample_id
from inspect_app.domain.inspections import answers_of
from inspect_app.domain.lab_results import Row
from inspect_app.services.results import why_not
from inspect_app.store import laboratory as store


@dataclass(frozen=True)
class Sample:
    """One container of a record: under which form it went, and when it was filled."""

    record_id: str
    number: str
    state: str
    coc_no: str
    sample_id: str
    filled_at: datetime | None


class Samples:
    """All samples of a village by form and id; a form or an id that is met twice is found twice."""

    def __init__(self, found: list[Sample]) -> None:
        self._by_both: dict[tuple[str, str], list[Sample]] = {}
        self._by_id: dict[str, list[Sample]] = {}
        for sample in found:
            self._by_both.setdefault((sample.coc_no, sample.sample_id), []).append(sample)
            self._by_id.setdefault(sample.sample_id, []).append(sample)

    def named(self, number: str, sample_id: str) -> Sample | None:
        """The sample of a record's number, or None."""
        return next((found for found in self._by_id.get(sample_id, []) if found.number == number), None)

    def match(self, row: Row) -> Sample | None:
        """The sample of a row by form number and sample id together, never by its place in the file.

        A row without one is stopped with what is there instead, for a person to decide.
        """
        coc_no, sample_id = str(row.values.get("coc_no", "")), str(row.values.get("sample_id", ""))
        if not sample_id:
            return None  # the row was stopped when it was read
        found = self._by_both.get((coc_no, sample_id), [])
        if len({sample.record_id for sample in found}) > 1:
            numbers = ", ".join(sorted({sample.number for sample in found}))
            row.stop("tray", f"Form {coc_no} with sample {sample_id} stands on several records: {numbers}.")
            return None
        if found:
            row.values["result_source"] = "authority"  # the sample is one of ours
            _check(row, found)
            return found[0]
        others = self._by_id.get(sample_id, [])
        if others:
            forms = ", ".join(sorted({sample.coc_no or "none" for sample in others}))
            row.stop("tray", f"Sample {sample_id} went with form {forms}, not with {coc_no or 'none'}.")
        else:
            row.stop("tray", f"No record has a sample {sample_id} on form {coc_no}.")
        return None


def samples_of(village: str) -> Samples:
    """The samples of every record of a village that is not deleted."""
    found: list[Sample] = []
    for record_id, number, state, doc in store.sampled(village):
        found += samples_in(record_id, number, state, doc)
    return Samples(found)


def samples_in(record_id: str, number: str, state: str, doc: Mapping[str, Any]) -> list[Sample]:
    """The samples of one record's document."""
    answers = answers_of(doc)
    form = answers.get("coc_no")
    coc_no = form.strip() if isinstance(form, str) else ""
    return [
        Sample(record_id, number, state, coc_no, sample_id(row), instant(row.get("filled_at")))
        for row in labelled(answers)
    ]


def _check(row: Row, found: list[Sample]) -> None:
    """Stop a row that contradicts what was recorded at the sample, or whose record takes nothing now."""
    if against := why_not(found[0].number, found[0].state):
        row.stop("tray", against)
    if len(found) > 1:
        row.stop("tray", f"Record {found[0].number} has two containers with the id {found[0].sample_id}.")
    received = instant(row.values.get("received_at"))
    filled = found[0].filled_at
    if received and filled and received.replace(second=0) < filled.replace(second=0):
        row.stop(
            "refused",
            f"The laboratory received it at {received:%Y-%m-%d %H:%M}, before it was filled at "
            f"{filled.astimezone(received.tzinfo):%Y-%m-%d %H:%M} (record {found[0].number}).",
        )
