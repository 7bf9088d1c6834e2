"""What a village's pack is published from: its rules, those it adopts, its settings, the fields they read."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.functions import READ_BY_FUNCTION
from inspect_app.domain.syntax import parse
from inspect_app.domain.tree import Call, Name, children
from inspect_app.store import village_files
from inspect_app.store.forms import dictionary, protocols

_PACKED = ("type", "unit", "accept", "choices", "given_in", "default", "computed_from")
_PLACE = ("latitude", "longitude", "timezone")
_EXPRESSIONS = ("expr", "at_limit", "each", "limit", "value")
_SENTENCES = ("message", "passes", "note", "text", "reason")


def pack_source(folder: Path) -> dict[str, Any]:
    """The pack of a village's folder, unchecked: its rules, those it adopts, the fields they read."""
    source = village_files.read_village(folder)
    rules = [one.rule for one in village_files.read_rules(folder)]
    named = {name for entry in source["settings"] for name in entry["values"]}
    flat = dictionary().flat()
    # What conditions of forms and photos ask for too, such as `village == 'howards_grove'`: the office judges
    # them by the fields of the pack.
    told = {name for name, spec in flat.items() if spec["given_in"] == "context"}
    due = [slot.shown_when for form in protocols() for slot in form.photos if slot.shown_when]
    asked = {name for condition in due for name in _names_in(condition)}
    wanted = with_sources((names_read(rules) | named | told | asked | {"photos"}) & flat.keys())
    return {
        "pack": source["slug"],
        "village": source["slug"],
        "version": source["version"],
        "language": "cel-subset/1",
        "effective": source["effective"],
        "units": dictionary().units,
        "fields": {name: _packed(_with_village(flat[name], name, source["slug"])) for name in sorted(wanted)},
        "place": {name: source[name] for name in _PLACE},
        "settings": source["settings"],
        "rules": rules,
    }


def _with_village(spec: Mapping[str, Any], name: str, slug: str) -> Mapping[str, Any]:
    """The dictionary names the product's villages; the pack of any other knows itself too."""
    if name != "village" or slug in spec["choices"]:
        return spec
    return {**spec, "choices": [*spec["choices"], slug]}


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


def with_sources(names: Iterable[str]) -> set[str]:
    """These names, and those of all that the product works them out of."""
    flat = dictionary().flat()
    found: set[str] = set()
    waiting = [name for name in names if name in flat]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [inner for inner in _names_in(flat[name].get("computed_from")) if inner in flat]
    return found


def _expressions(part: Any) -> Iterable[str]:
    """Every expression of a rule, and what stands in braces in its sentences; nothing is checked yet."""
    if isinstance(part, list):
        for inner in part:
            yield from _expressions(inner)
    elif isinstance(part, dict):
        for key, inner in part.items():
            if key in _EXPRESSIONS and isinstance(inner, str):
                yield inner
            elif key in _SENTENCES and isinstance(inner, str):
                yield from (piece.partition("}")[0] for piece in inner.split("{")[1:])
            elif key == "let" and isinstance(inner, dict):
                yield from inner.values()
            elif key == "of" and isinstance(inner, list):
                yield from inner
            else:
                yield from _expressions(inner)


def _names_in(source: Any) -> frozenset[str]:
    return _names_of(source) if isinstance(source, str) else frozenset()


@lru_cache(maxsize=8192)
def _names_of(source: str) -> frozenset[str]:
    names: set[str] = set()
    try:
        open_nodes = [parse(source)]
    except ExpressionRefused:
        open_nodes = []  # the checker says where it stands and why
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Name):
            names.add(node.name)
        if isinstance(node, Call):
            names.update(READ_BY_FUNCTION.get(node.function, ()))
        open_nodes += children(node)
    return frozenset(names)
