"""Protocols: the versioned forms, and what may not be published as one.

The dictionary (protocols/fields.yaml, read at the edge) comes in as plain data. Rules do not belong here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_app.domain.errors import ExpressionRefused, TradeError
from inspect_app.domain.syntax import parse

Spec = Mapping[str, Any]
Refusal = tuple[str, str]
SECTION_KINDS = ("fields", "photos", "signatures", "custody")
TypeCheck = Callable[[str], str | None]


class ProtocolRefused(TradeError):
    """A protocol that names what is not there; `refusals` are (place, reason)."""

    slug = "protocol-refused"

    def __init__(self, protocol: str, refusals: list[Refusal]) -> None:
        lines = "; ".join(f"{place}: {reason}" for place, reason in refusals)
        super().__init__(
            f"Protocol {protocol} cannot be published: {lines}. Correct the file and publish again."
        )
        self.refusals = refusals


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form, or one column of a list."""

    name: str
    label: str
    hint: str | None = None
    shown_when: str | None = None
    required: bool | str = False
    choices: tuple[tuple[str, str], ...] = ()
    row: tuple["Field", ...] = ()
    row_title: str | None = None
    add: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that were measured together and are only ever replaced together."""

    name: str
    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    kind: str
    hint: str | None
    drawing: str | None
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class PhotoSlot:
    """A photo the form asks for; `proves` is a field, or a field and one of its choices."""

    shows: str
    label: str
    in_view: str
    proves: str
    required: bool
    shown_when: str | None = None
    many: bool = False


@dataclass(frozen=True, slots=True)
class SignatureSlot:
    field: str
    role: str
    says: str
    required: bool


@dataclass(frozen=True, slots=True)
class Protocol:
    """A form as published: an inspection keeps the version it was begun with."""

    kind: str
    version: str
    title: str
    prefix: str
    sections: tuple[Section, ...]
    photos: tuple[PhotoSlot, ...]
    signatures: tuple[SignatureSlot, ...]
    carries: tuple[str, ...] = ()  # what a later visit of the place begins with: `field` or `list.column`

    def fields(self) -> Iterator[tuple[Group, Field]]:
        for section in self.sections:
            for group in section.groups:
                for field in group.fields:
                    yield group, field


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Every field once: by group for each kind of record, and by flat name."""

    kinds: Mapping[str, Mapping[str, Any]]
    units: Mapping[str, Any]

    def groups(self, kind: str) -> dict[str, Mapping[str, Spec]]:
        """Groups of a kind and of the kinds it includes."""
        own = self.kinds[kind]
        groups: dict[str, Mapping[str, Spec]] = {}
        for lent in own.get("includes", ()):
            groups |= self.groups(lent)
        return groups | dict(own["groups"])

    def flat(self) -> dict[str, dict[str, Any]]:
        """Every field by its name, with its kind, group and origin (answers, context or settings)."""
        return {
            name: {**spec, "group": group, "given_in": kind["given_in"]}
            for kind in self.kinds.values()
            for group, fields in kind["groups"].items()
            for name, spec in fields.items()
        }


def read_dictionary(source: Mapping[str, Any]) -> Dictionary:
    """The dictionary from its file's plain data: the entries that hold groups are the kinds."""
    kinds = {name: part for name, part in source.items() if isinstance(part, Mapping) and "groups" in part}
    return Dictionary(kinds=kinds, units=source["units"])


def read(source: Mapping[str, Any]) -> Protocol:
    """A protocol from its file's plain data; `check` says whether it may be published."""
    return Protocol(
        kind=source["protocol"],
        version=source["version"],
        title=source["title"],
        prefix=source["prefix"],
        sections=tuple(_section(part) for part in source["sections"]),
        photos=tuple(PhotoSlot(**slot) for slot in source["photos"]),
        signatures=tuple(SignatureSlot(**slot) for slot in source["signatures"]),
        carries=tuple(source.get("carries", ())),
    )


def _section(part: Mapping[str, Any]) -> Section:
    groups = tuple(
        Group(group["group"], group["title"], tuple(map(_field, group["fields"])))
        for group in part.get("groups", ())
    )
    kind = part.get("kind", "fields")
    return Section(part["id"], part["title"], kind, part.get("hint"), part.get("drawing"), groups)


def _field(part: Mapping[str, Any]) -> Field:
    return Field(
        name=part["field"],
        label=part["label"],
        hint=part.get("hint"),
        shown_when=part.get("shown_when"),
        required=part.get("required", False),
        choices=tuple(part.get("choices", {}).items()),
        row=tuple(map(_field, part.get("row", ()))),
        row_title=part.get("row_title"),
        add=part.get("add"),
    )


def check(protocol: Protocol, dictionary: Dictionary, type_check: TypeCheck) -> None:
    """Refuse a form that cannot be drawn or judged.

    type_check takes an expression and returns what is wrong with it as a yes-or-no question, or None. Raises
    ProtocolRefused with every fault found, not only the first.
    """
    refusals = list(_faults(protocol, dictionary, type_check))
    if refusals:
        raise ProtocolRefused(protocol.kind, refusals)


def _faults(protocol: Protocol, dictionary: Dictionary, type_check: TypeCheck) -> Iterator[Refusal]:
    known = dictionary.groups(protocol.kind)
    specs = {name: spec for fields in known.values() for name, spec in fields.items()}
    seen: set[str] = set()
    for section in protocol.sections:
        if section.kind not in SECTION_KINDS:
            yield section.id, f"no such kind of section: {section.kind}"
        for group in section.groups:
            if group.name in seen:
                yield group.name, "stands in two places; a group is measured and drawn once"
            seen.add(group.name)
            if group.name not in known:
                yield group.name, "no such group in this kind of record"
                continue
            drawn: set[str] = set()
            for field in group.fields:
                if field.name in drawn:
                    yield field.name, "drawn twice"
                drawn.add(field.name)
                if field.name not in known[group.name]:
                    yield field.name, f"not a field of group {group.name}"
                    continue
                yield from _field_faults(field, known[group.name][field.name], field.name, type_check)
    for slot in protocol.photos:
        yield from _slot_faults(slot, specs, type_check)
    for signature in protocol.signatures:
        if specs.get(signature.field, {}).get("type") != "signature":
            yield signature.field, "not a signature"


def _field_faults(field: Field, spec: Spec, place: str, type_check: TypeCheck) -> Iterator[Refusal]:
    for expression in (field.shown_when, field.required):
        if isinstance(expression, str):
            yield from _expression_faults(place, expression, type_check)
    if field.choices and sorted(slug for slug, _ in field.choices) != sorted(spec.get("choices", ())):
        yield place, "its labels are not exactly the choices of the dictionary"
    rows = spec.get("of", {})
    if bool(rows) != bool(field.row):
        yield place, "a list needs the columns of its rows, and only a list has them"
        return
    for column in field.row:
        if column.name not in rows:
            yield f"{place}.{column.name}", "no such column"
            continue
        yield from _field_faults(column, rows[column.name], f"{place}.{column.name}", type_check)


def _slot_faults(slot: PhotoSlot, specs: Mapping[str, Spec], type_check: TypeCheck) -> Iterator[Refusal]:
    if slot.shows not in specs["photos"]["of"]["shows"]["choices"]:
        yield slot.shows, "not a thing a photo can show"
    name, _, choice = slot.proves.partition(".")
    if name not in specs or (choice and choice not in specs[name].get("choices", ())):
        yield slot.proves, "a photo cannot prove what is not a field"
    if slot.shown_when:
        yield from _expression_faults(slot.label, slot.shown_when, type_check)


def _expression_faults(place: str, expression: str, type_check: TypeCheck) -> Iterator[Refusal]:
    try:
        parse(expression)
    except ExpressionRefused as refusal:
        yield place, f"{expression}: {refusal}"
        return
    if fault := type_check(expression):
        yield place, f"{expression}: {fault}"
