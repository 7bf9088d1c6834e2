"""The forms and the field dictionary: read from YAML once, checked, and made ready for the tablet."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from inspect_app.domain import checker
from inspect_app.domain import protocols as forms
from inspect_app.domain.protocols import Dictionary, Protocol, ProtocolRefused
from inspect_app.domain.types import TypeFault, of_field
from inspect_app.store import plain_yaml

FORMS = Path(__file__).parent.parent / "protocols"
# Earlier versions, as they were published: a version that comes after them moves its forerunner here.
ARCHIVE = FORMS / "archive"  # <kind>-<version>.yaml
KINDS = ("lateral", "tap", "downspout", "manhole")


@cache
def dictionary() -> Dictionary:
    return forms.read_dictionary(read_yaml(FORMS / "fields.yaml"))


def groups(kind: str) -> dict[str, Mapping[str, Any]]:
    """Every group of a kind of inspection, with the specs of its fields."""
    return dictionary().groups(kind)


def protocols() -> list[Protocol]:
    """The newest version of every form, in the order of KINDS."""
    return list(_read())


@cache
def _read() -> tuple[Protocol, ...]:
    return tuple(forms.read(source) for source in _sources())


def protocol(kind: str, version: str | None = None) -> Protocol | None:
    """One form, the newest unless a version is named, or None if this server never had it.

    Every version is kept: a record stays with the one it was begun with, and a tablet that was away for weeks
    sends what was filled in on an old one.
    """
    for form in (*_read(), *_archived()):
        if form.kind == kind and version in (None, form.version):
            return form
    return None


@cache
def _archived() -> tuple[Protocol, ...]:
    """The earlier versions; ProtocolRefused if one is not what its file's name says, or cannot be judged."""
    found = []
    for path in sorted(ARCHIVE.glob("*.yaml")) if ARCHIVE.is_dir() else ():
        form = _checked(read_yaml(path))
        newest = next((new for new in _read() if new.kind == form.kind), None)
        if path.stem != f"{form.kind}-{form.version}" or newest is None or newest.version == form.version:
            why = "its name must be <kind>-<version>.yaml, of a version before the present one"
            raise ProtocolRefused(form.kind, [(path.name, why)])
        found.append(form)
    return tuple(found)


@cache
def forms_for_tablets() -> list[dict[str, Any]]:
    """Every form as the tablet draws it: each field's spec from the dictionary merged in."""
    return [_form(source, dictionary()) for source in _sources()]


@cache
def _sources() -> list[dict[str, Any]]:
    """The checked files of the forms; ProtocolRefused if one names what is not there."""
    sources = [read_yaml(FORMS / f"{kind}.yaml") for kind in KINDS]
    for source in sources:
        _checked(source)
    return sources


def _checked(source: Mapping[str, Any]) -> Protocol:
    form = forms.read(source)
    forms.check(form, dictionary(), _type_check())
    return form


@cache
def _type_check() -> forms.TypeCheck:
    """What is wrong with an expression as a yes-or-no question about the dictionary's fields, or None."""
    types = {name: of_field(spec) for name, spec in dictionary().flat().items()}

    def type_check(expression: str) -> str | None:
        try:
            checker.check(expression, checker.Names(types), "bool")
        except TypeFault as fault:
            return str(fault)
        return None

    return type_check


def _form(source: Mapping[str, Any], fields: Dictionary) -> dict[str, Any]:
    known = fields.groups(source["protocol"])
    offered = read_yaml(FORMS / "units.yaml")
    sections = [
        {
            **section,
            "groups": [
                {
                    **group,
                    "fields": [
                        _merged(field, known[group["group"]][field["field"]], offered)
                        for field in group["fields"]
                    ],
                }
                for group in section.get("groups", ())
            ],
        }
        for section in source["sections"]
    ]
    return {**source, "sections": sections}


def _merged(field: Mapping[str, Any], spec: Mapping[str, Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """A field as drawn: its words from the protocol, its nature from the dictionary."""
    merged = {**field, "type": spec["type"]}
    for name in ("unit", "append_only", "computed"):
        if name in spec:
            merged[name] = spec[name]
    if "unit" in spec:
        merged["units"] = offered[spec["unit"]]
    if "choices" in spec:
        merged["choice_labels"] = field.get("choices") or {slug: _label(slug) for slug in spec["choices"]}
        merged["choices"] = list(merged["choice_labels"])  # in the order to draw; JSON may sort the labels
    if "of" in spec:
        merged["row"] = [_merged(column, spec["of"][column["field"]], offered) for column in field["row"]]
    return merged


def _label(slug: str) -> str:
    return slug.replace("_", " ").capitalize()


@cache
def read_yaml(path: Path) -> Any:
    """The plain data of a file of the product, kept; whoever gets it must not change it."""
    return plain_yaml.read(path.read_text(encoding="utf-8"))
