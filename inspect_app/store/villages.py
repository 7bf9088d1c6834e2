"""Villages, their rule packs and the forms: read from YAML once, published, kept.

A village is a folder: village.yaml, rules/*.yaml, ordinance.txt, and in published/ the packs it had before.
Villages of the product are in inspect_app/villages; a deployment adds its own in the folder that
INSPECT_APP_VILLAGES names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from flask import current_app, has_app_context

from inspect_app.domain import checker, packs
from inspect_app.domain import protocols as forms
from inspect_app.domain.errors import NotFound
from inspect_app.domain.packs import Pack
from inspect_app.domain.protocols import Dictionary, Protocol
from inspect_app.domain.syntax import Call, Name, children, parse
from inspect_app.domain.types import TypeFault, of_field

PRODUCT = Path(__file__).parent.parent
OWN_VILLAGES = PRODUCT / "villages"
FORMS = PRODUCT / "protocols"
KINDS = ("lateral", "tap", "downspout", "manhole")

# What a named function asks for by itself, so that a pack carries it although no expression names it.
READ_BY_FUNCTION = {
    "is_night": ("night_definition", "sunset_calc", "sunrise_calc", "timezone"),
    "minutes_to_sunset": ("sunset_calc", "timezone"),
    "local_day": ("timezone",),
    "minute_of": ("timezone",),
    "business_day_after": ("holidays",),
    "last_day": ("last_day_rule", "holidays"),
}
_PACKED = ("type", "unit", "accept", "choices", "given_in", "default")


@dataclass(frozen=True, slots=True)
class Village:
    """The municipality: everything belongs to one. `slug` in code and data, `web_name` in addresses."""

    slug: str
    name: str
    short_name: str
    records_prefix: str
    latitude: float
    longitude: float
    timezone: str
    bodies: Mapping[str, str]
    starred: str
    folder: Path

    @property
    def web_name(self) -> str:
        return self.slug.replace("_", "-")

    def ordinance(self) -> str:
        """The ordinance's text as the village published it."""
        return (self.folder / "ordinance.txt").read_text(encoding="utf-8")


def villages(extra: Path | None = None) -> list[Village]:
    """All villages by name; `extra` is one more folder to look in, by default the configured one."""
    found = dict(_villages(OWN_VILLAGES))
    if folder := extra or _configured_folder():
        found |= _villages(folder)
    return sorted(found.values(), key=lambda place: place.name)


def village(slug: str, extra: Path | None = None) -> Village:
    """The village of a slug or of its name in addresses, or NotFound."""
    for place in villages(extra):
        if place.slug == slug.replace("-", "_"):
            return place
    raise NotFound(f"There is no village {slug} here. Check the address, or ask an administrator to add it.")


def pack_of(slug: str, on: date, extra: Path | None = None) -> Pack:
    """The pack in force in a village on a day: the latest effective by then, or NotFound."""
    place = village(slug, extra)
    in_force = [pack for pack in packs_of(slug, extra) if pack.data["effective"] <= on.isoformat()]
    if not in_force:
        raise NotFound(f"{place.name} has no rules in force on {on:%d %B %Y}. Its first ones are later.")
    return max(in_force, key=lambda pack: str(pack.data["effective"]))


def packs_of(slug: str, extra: Path | None = None) -> list[Pack]:
    """Every pack a village has published, earlier ones first as files, the present one last."""
    folder = village(slug, extra).folder
    earlier = [packs.read(path.read_bytes(), path.stem) for path in sorted(folder.glob("published/*.json"))]
    return [*earlier, _published(folder)]


@cache
def dictionary() -> Dictionary:
    return forms.read_dictionary(_yaml(FORMS / "fields.yaml"))


def groups(kind: str) -> dict[str, Mapping[str, Any]]:
    """Every group of a kind of inspection, with the specs of its fields."""
    return dictionary().groups(kind)


def protocols() -> list[Protocol]:
    """The newest version of every form, in the order of KINDS."""
    return [forms.read(source) for source in _sources()]


def protocol(kind: str, version: str | None = None) -> Protocol | None:
    """One form, or None if this server does not have it."""
    for form in protocols():
        if form.kind == kind and version in (None, form.version):
            return form
    return None


@cache
def forms_for_tablets() -> list[dict[str, Any]]:
    """Every form as the tablet draws it: each field's spec from the dictionary merged in."""
    return [_form(source, dictionary()) for source in _sources()]


@cache
def _sources() -> list[dict[str, Any]]:
    """The checked files of the forms; ProtocolRefused if one names what is not there."""
    fields = dictionary()
    types = {name: of_field(spec) for name, spec in fields.flat().items()}

    def type_check(expression: str) -> str | None:
        try:
            checker.check(expression, checker.Names(types), "bool")
        except TypeFault as fault:
            return str(fault)
        return None

    sources = [_yaml(FORMS / f"{kind}.yaml") for kind in KINDS]
    for source in sources:
        forms.check(forms.read(source), fields, type_check)
    return sources


def forget() -> None:
    """Read the files again at the next question: after a village's folder changed on disk."""
    for kept in (_villages, _published, _yaml, _sources, dictionary, forms_for_tablets):
        kept.cache_clear()


def _configured_folder() -> Path | None:
    folder: Path | None = current_app.config["SETTINGS"].villages_dir if has_app_context() else None
    return folder


@cache
def _villages(folder: Path) -> dict[str, Village]:
    found = {}
    for path in sorted(folder.glob("*/village.yaml")):
        source = _yaml(path)
        names = Village.__dataclass_fields__.keys() - {"folder"}
        found[source["slug"]] = Village(**{name: source[name] for name in names}, folder=path.parent)
    return found


@cache
def _published(folder: Path) -> Pack:
    return packs.publish(pack_source(folder))


def pack_source(folder: Path) -> dict[str, Any]:
    """The pack of a village's folder, unchecked: its rules, those it adopts, the fields they read."""
    source = _yaml(folder / "village.yaml")
    rules = list(_rules(folder))
    for adopted in source["adopts"]:
        lender = folder.parent / adopted
        rules += _rules(lender if lender.exists() else OWN_VILLAGES / adopted)
    named = {name for entry in source["settings"] for name in entry["values"]}
    flat = dictionary().flat()
    wanted = sorted((names_read(rules) | named | {"photos", "today"}) & flat.keys())
    return {
        "pack": source["slug"],
        "village": source["slug"],
        "version": source["version"],
        "language": "cel-subset/1",
        "effective": source["effective"],
        "units": dictionary().units,
        "fields": {name: _packed(flat[name]) for name in wanted},
        "settings": source["settings"],
        "rules": rules,
    }


def _rules(folder: Path) -> Iterable[dict[str, Any]]:
    for path in sorted((folder / "rules").glob("*.yaml")):
        yield from _yaml(path)["rules"]


def _packed(spec: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: spec[name] for name in _PACKED if name in spec}
    if "of" in spec:
        kept["of"] = {name: _packed(inner) for name, inner in spec["of"].items()}
    return kept


def names_read(rules: list[dict[str, Any]]) -> set[str]:
    """Every name that rules read: fields, context, settings, and what named functions ask for."""
    names: set[str] = set()
    for source in _expressions(rules):
        names |= _names_in(source)
    return names


def _expressions(part: Any) -> Iterable[str]:
    """Every expression of a rule, and what stands in braces in its sentences."""
    if isinstance(part, list):
        for inner in part:
            yield from _expressions(inner)
    elif isinstance(part, dict):
        for key, inner in part.items():
            if key in ("expr", "at_limit", "each", "limit") or (key == "value" and isinstance(inner, str)):
                yield inner
            elif key == "let":
                yield from inner.values()
            elif key in ("message", "passes", "note", "text", "reason"):
                yield from (piece.partition("}")[0] for piece in inner.split("{")[1:])
            elif key == "of":
                yield from inner
            else:
                yield from _expressions(inner)


def _names_in(source: str) -> set[str]:
    names: set[str] = set()
    open_nodes = [parse(source)]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Name):
            names.add(node.name)
        if isinstance(node, Call):
            names.update(READ_BY_FUNCTION.get(node.function, ()))
        open_nodes += children(node)
    return names


def _form(source: Mapping[str, Any], fields: Dictionary) -> dict[str, Any]:
    known = fields.groups(source["protocol"])
    offered = _yaml(FORMS / "units.yaml")
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
def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
