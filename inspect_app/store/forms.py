"""The forms and the field dictionary: read from YAML once, checked, and made ready for the tablet."""

from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from inspect_app.domain import carrying, checker
from inspect_app.domain import protocols as forms
from inspect_app.domain.form_parts import with_parts
from inspect_app.domain.protocols import Dictionary, Protocol, ProtocolRefused
from inspect_app.domain.types import TypeFault, of_field
from inspect_app.store import plain_yaml

FORMS = Path(__file__).parent.parent / "protocols"
# Earlier versions, as they were published: a version that comes after them moves its forerunner here.
ARCHIVE = FORMS / "archive"  # <kind>-<version>.yaml
PARTS = FORMS / "parts"  # blocks that several forms draw, each as <name>-<version>.yaml, never changed
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
    for path, source in _archive().items():
        form = _checked(source)
        newest = next((new for new in _read() if new.kind == form.kind), None)
        if path.stem != f"{form.kind}-{form.version}" or newest is None or newest.version == form.version:
            why = "its name must be <kind>-<version>.yaml, of a version before the present one"
            raise ProtocolRefused(form.kind, [(path.name, why)])
        found.append(form)
    return tuple(found)


@cache
def _archive() -> dict[Path, dict[str, Any]]:
    """The files of the earlier versions, with what they include."""
    paths = sorted(ARCHIVE.glob("*.yaml")) if ARCHIVE.is_dir() else ()
    return {path: with_parts(read_yaml(path), _parts()) for path in paths}


@cache
def forms_for_tablets() -> list[dict[str, Any]]:
    """Every form as the tablet draws it: each field's spec from the dictionary merged in."""
    return [_form(source, dictionary()) for source in _sources()]


def earlier_forms_for_tablets(wanted: Set[tuple[str, str]]) -> list[dict[str, Any]]:
    """Of these kinds and versions the earlier ones, as the tablet draws them: for records begun on them."""
    _archived()  # refuses what is not what it says
    sources = _archive().values()
    return [
        _form(source, dictionary()) for source in sources if (source["protocol"], source["version"]) in wanted
    ]


@cache
def _sources() -> list[dict[str, Any]]:
    """The checked files of the forms; ProtocolRefused if one names what is not there."""
    sources = [with_parts(read_yaml(FORMS / f"{kind}.yaml"), _parts()) for kind in KINDS]
    for source in sources:
        _checked(source)
    return sources


@cache
def _parts() -> dict[str, Any]:
    return {path.stem: read_yaml(path) for path in sorted(PARTS.glob("*.yaml"))}


def _checked(source: Mapping[str, Any]) -> Protocol:
    form = forms.read(source)
    forms.check(form, dictionary(), _type_check())
    carrying.check(form)
    if without := [field.name for _, field in form.fields() if field.name not in numbers()]:
        why = "has no number: give it one in numbers.yaml that was never used"
        raise ProtocolRefused(form.kind, [(name, why) for name in without])
    return form


@cache
def numbers() -> dict[str, int]:
    """The number of each field, the same on every form and in every version, on paper and on screens."""
    found: dict[str, int] = read_yaml(FORMS / "numbers.yaml")
    return found


def number_of(name: str, column: str | None = None) -> str:
    """The number of a field, or of a column of a list: 403, and 403b for its second column."""
    number = str(numbers().get(name, ""))
    if column is None or not number:
        return number
    columns = list(_flat()[name]["of"])
    return f"{number}{ascii_lowercase[columns.index(column)]}"


@cache
def _flat() -> dict[str, dict[str, Any]]:
    return dictionary().flat()


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
                        _numbered(_merged(field, known[group["group"]][field["field"]], offered))
                        for field in group["fields"]
                    ],
                }
                for group in section.get("groups", ())
            ],
        }
        for section in source["sections"]
    ]
    return {**source, "sections": sections}


def _numbered(field: dict[str, Any]) -> dict[str, Any]:
    """A field as drawn with its number and, in rows, those of its columns."""
    name = field["field"]
    numbered = {**field, "no": number_of(name)}
    if "row" in field:
        numbered["row"] = [{**column, "no": number_of(name, column["field"])} for column in field["row"]]
    return numbered


def _merged(field: Mapping[str, Any], spec: Mapping[str, Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """A field as drawn: its words from the protocol, its nature from the dictionary."""
    merged = {**field, "type": spec["type"]}
    for name in ("unit", "append_only", "computed", "why", "read_by", "scan"):
        if spec.get(name):
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
