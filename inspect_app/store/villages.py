"""Villages and their rule packs: read from YAML once, published, kept. The forms stand in forms.py.

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

from flask import current_app, has_app_context

from inspect_app.domain import packs
from inspect_app.domain.errors import NotFound
from inspect_app.domain.functions import READ_BY_FUNCTION
from inspect_app.domain.packs import Pack
from inspect_app.domain.syntax import parse
from inspect_app.domain.tree import Call, Name, children
from inspect_app.store.forms import (
    KINDS,
    dictionary,
    forms_for_tablets,
    groups,
    protocol,
    protocols,
    read_yaml,
)

__all__ = [
    "KINDS",
    "Village",
    "dictionary",
    "forget",
    "forms_for_tablets",
    "groups",
    "names_read",
    "pack_of",
    "pack_source",
    "packs_of",
    "protocol",
    "protocols",
    "village",
    "villages",
]

OWN_VILLAGES = Path(__file__).parent.parent / "villages"

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
    allow_unprotected_storage: bool = False  # may a tablet record whose browser gave no promise to keep it?

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


def forget() -> None:
    """Read the files again at the next question: after a village's folder changed on disk."""
    for kept in (_villages, _published, read_yaml):
        kept.cache_clear()


def _configured_folder() -> Path | None:
    folder: Path | None = current_app.config["SETTINGS"].villages_dir if has_app_context() else None
    return folder


@cache
def _villages(folder: Path) -> dict[str, Village]:
    found = {}
    for path in sorted(folder.glob("*/village.yaml")):
        source = read_yaml(path)
        names = Village.__dataclass_fields__.keys() - {"folder", "allow_unprotected_storage"}
        found[source["slug"]] = Village(
            **{name: source[name] for name in names},
            folder=path.parent,
            allow_unprotected_storage=source.get("allow_unprotected_storage") is True,
        )
    return found


@cache
def _published(folder: Path) -> Pack:
    return packs.publish(pack_source(folder))


def pack_source(folder: Path) -> dict[str, Any]:
    """The pack of a village's folder, unchecked: its rules, those it adopts, the fields they read."""
    source = read_yaml(folder / "village.yaml")
    rules = list(_rules(folder))
    for adopted in source["adopts"]:
        lender = folder.parent / adopted
        rules += _rules(lender if lender.exists() else OWN_VILLAGES / adopted)
    named = {name for entry in source["settings"] for name in entry["values"]}
    flat = dictionary().flat()
    # What conditions of forms and photos ask for too, such as `village == 'howards_grove'`: the office judges
    # them by the fields of the pack.
    told = {name for name, spec in flat.items() if spec["given_in"] == "context"}
    due = [slot.shown_when for form in protocols() for slot in form.photos if slot.shown_when]
    asked = {name for condition in due for name in _names_in(condition)}
    wanted = sorted((names_read(rules) | named | told | asked | {"photos"}) & flat.keys())
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
        yield from read_yaml(path)["rules"]


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
