"""One record as the office's pages read it: the review's case, with people, times and fields in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import g

from inspect_app.domain.inspections import answers_of
from inspect_app.domain.protocols import Field, Group
from inspect_app.office.readings import Shown, instant, moment, show, words
from inspect_app.services import documents, forms, review
from inspect_app.store import people
from inspect_app.store.photos import Photo


@dataclass(frozen=True)
class Dossier:
    """A case, its document as tablets pull it, and what turns ids and slugs into words."""

    case: review.Case
    doc: Mapping[str, Any]
    answers: Mapping[str, Any]
    specs: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str]
    zone: ZoneInfo

    @property
    def record(self) -> Any:
        return self.case.record

    def who(self, person_id: str | None) -> str:
        return self.names.get(person_id or "", "Somebody who left") if person_id else "The server"

    def at(self, when: datetime | str | None, seconds: bool = False) -> str:
        """An instant, or its ISO text, in the village's time."""
        found = when if isinstance(when, datetime) else instant(when)
        return moment(found, self.zone, seconds) if found else str(when or "")

    def spec(self, name: str) -> Mapping[str, Any]:
        """What a field is, with the form's own words for choices and columns."""
        return self.specs.get(name) or {}

    def field(self, name: str) -> Field | None:
        form = self.case.form
        return next((field for _, field in form.fields() if field.name == name), None) if form else None

    def group(self, name: str) -> Group | None:
        form = self.case.form
        groups = (group for section in form.sections for group in section.groups) if form else ()
        return next((group for group in groups if group.name == name), None)

    def shown(self, name: str, values: Mapping[str, Any] | None = None) -> Shown:
        """A field's answer in words, from these values or the record's own."""
        return show((self.answers if values is None else values).get(name), self.spec(name), self.zone)

    def proved(self, photo: Photo) -> tuple[str, str]:
        """The field a photo proves, and its label: `barricades_sides.north` is the field before the point."""
        name, _, choice = str(photo.row.get("proves") or "").partition(".")
        label = self.case.label(name) if name else ""
        return name, f"{label}: {words(choice).lower()}" if choice and label else label


def open_dossier(record_id: str) -> Dossier:
    """The dossier of a record of this request's village; raises NotFound."""
    case = review.case(g.village.slug, record_id)
    doc = documents.pulled(case.record)
    return Dossier(
        case=case,
        doc=doc,
        answers=answers_of(doc),
        specs=forms.specs_of(case.record.protocol, case.record.protocol_version),
        names=names_of(g.village.slug, _people_in(case)),
        zone=ZoneInfo(g.village.timezone),
    )


def names_of(village: str, others: Iterable[str]) -> dict[str, str]:
    """Names by id: everybody of the village, and those of other ids who are no longer in it."""
    found = {person.id: person.name for person in people.people_of(village)}
    for person_id in set(others) - set(found):
        person = people.person(person_id)
        if person:
            found[person_id] = person.name
    return found


def _people_in(case: review.Case) -> set[str]:
    record = case.record
    groups = {entry.get("by") for entry in record.doc["groups"].values()}
    rows = {row.get("by") for rows in record.doc["lists"].values() for row in rows}
    deciders = {decision.person_id for decision in case.decisions.values()}
    return {str(one) for one in groups | rows | deciders | {record.inspector_id, record.decided_by} if one}
