"""Blocks that several forms draw alike: a form names one with `include`, and has its groups and photos then.

A block is named with its version, as `open_excavation-1`: a form that was published keeps the block it was
published with, as it keeps its own version.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspect_app.domain.protocols import ProtocolRefused, Refusal

Source = Mapping[str, Any]
MEMBERS = ("groups", "photos")


def with_parts(source: Source, parts: Mapping[str, Source]) -> dict[str, Any]:
    """A form's plain data with every `include` replaced by what its block holds there.

    Raises ProtocolRefused with every include that cannot be followed.
    """
    refusals: list[Refusal] = []
    sections = [
        {**section, "groups": _joined(section["groups"], "groups", parts, refusals)}
        if "groups" in section
        else section
        for section in source["sections"]
    ]
    photos = _joined(source["photos"], "photos", parts, refusals)
    if refusals:
        raise ProtocolRefused(str(source["protocol"]), refusals)
    return {**source, "sections": sections, "photos": photos}


def _joined(entries: Any, member: str, parts: Mapping[str, Source], refusals: list[Refusal]) -> list[Any]:
    joined: list[Any] = []
    for entry in entries:
        if "include" not in entry:
            joined.append(entry)
            continue
        faults = list(_faults(entry, member, parts))
        refusals += faults
        if not faults:
            joined += parts[entry["include"]][member]
    return joined


def _faults(entry: Source, member: str, parts: Mapping[str, Source]) -> Iterator[Refusal]:
    name = str(entry["include"])
    if set(entry) != {"include"}:
        yield name, "an include says nothing else; what differs is a block of its own"
    part = parts.get(name)
    if part is None:
        yield name, f"no such block; there are {', '.join(sorted(parts)) or 'none'}"
        return
    if odd := sorted(set(part) - set(MEMBERS)):
        yield name, f"a block holds groups and photos, not {', '.join(odd)}"
    if not part.get(member):
        yield name, f"this block has no {member}"
    elif any("include" in inner for inner in part[member]):
        yield name, "a block includes no other block"
