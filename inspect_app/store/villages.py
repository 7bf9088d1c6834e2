"""Villages and their rule packs: read from YAML once, published, kept. The forms stand in forms.py.

A village is a folder: village.yaml, rules/*.yaml, ordinance.txt, vectors/, and in published/ the packs it
had before; village_files.py reads it. Villages of the product are in inspect_app/villages; a deployment adds
its own in the folder that INSPECT_APP_VILLAGES names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from flask import current_app, has_app_context

from inspect_app.domain import packs
from inspect_app.domain.errors import NotFound, PackRefused
from inspect_app.domain.packs import Pack
from inspect_app.domain.vectors import Vector
from inspect_app.domain.village_checks import MAY_BE_ABSENT, body_faults, quotation_faults, vector_faults
from inspect_app.store import village_files
from inspect_app.store.forms import (
    KINDS,
    dictionary,
    forms_for_tablets,
    groups,
    protocol,
    protocols,
)
from inspect_app.store.pack_sources import names_read, pack_source
from inspect_app.store.plain_yaml import collector_at_rest
from inspect_app.store.village_files import OWN_VILLAGES

__all__ = [
    "KINDS",
    "OWN_VILLAGES",
    "Village",
    "check",
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
    "publish",
    "vector_counts",
    "vectors_of",
    "village",
    "villages",
]


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
    stamp_previews: bool = False  # are record, clause, time and place burnt into previews of photos?
    shrink_photos_px: int = 0  # longer side that photos are made to before they are hashed; 0: as captured

    @property
    def web_name(self) -> str:
        return self.slug.replace("_", "-")

    def ordinance(self) -> str:
        """The ordinance's text as the village published it; empty where there is none."""
        return village_files.ordinance(self.folder) or ""


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
    present = _published(folder)
    return [*(pack for pack in earlier if pack.hash != present.hash), present]


def check(slug: str, extra: Path | None = None, vectors: Path | None = None) -> Pack:
    """The village's present pack; PackRefused with every fault, also what only its folder can show.

    Beside what publishing checks, every rule that is judged has a vector (`vectors` is one more folder of
    them), and no rule differs from a pack that was published for the same day.
    """
    place = village(slug, extra)
    present = packs_of(slug, extra)[-1]
    written = village_files.read_rules(place.folder)
    faults = []
    if village_files.has_vectors(place.folder) or vectors:
        own, all_of_them = village_files.vector_counts(place.folder, place.slug, vectors)
        faults += vector_faults([one.rule for one in written if not one.adopted], own)
        faults += vector_faults([one.rule for one in written if one.adopted], all_of_them)
    for pack in packs_of(slug, extra)[:-1]:
        if pack.data["effective"] == present.data["effective"]:
            reason = f"differs from the pack published for this day, {pack.hash}: give it a later day"
            faults.append(("pack", "effective", reason))
    if faults:
        raise PackRefused(faults, place.slug, _files(written))
    return present


def vector_counts(slug: str, extra: Path | None = None) -> Mapping[str, int]:
    """How many vectors try each rule of a village; of adopted rules those of every village count."""
    place = village(slug, extra)
    own, all_of_them = village_files.vector_counts(place.folder, place.slug)
    adopted = {one.rule.get("id") for one in village_files.read_rules(place.folder) if one.adopted}
    return {**own, **{rule: count for rule, count in all_of_them.items() if rule in adopted}}


def vectors_of(slug: str, rule: str, extra: Path | None = None) -> list[Vector]:
    """The vectors that try one rule of a village: its own, or of an adopted rule those of every village."""
    every = [one for one in village_files.vectors_for(village(slug, extra).folder) if rule in one.expect]
    return [one for one in every if one.village == slug] or every


def publish(slug: str, extra: Path | None = None) -> tuple[Pack, Path, bool]:
    """Keep the village's present pack as a file under its name; the last part says whether it is new.

    PackChanged if a file of this name holds something else: what was published is never overwritten.
    """
    pack = check(slug, extra)
    path = village(slug, extra).folder / "published" / f"{pack.hash}.json"
    path.parent.mkdir(exist_ok=True)
    try:
        with path.open("xb") as file:
            file.write(pack.canonical)
    except FileExistsError:
        packs.read(path.read_bytes(), pack.hash)
        return pack, path, False
    return pack, path, True


def forget() -> None:
    """Read the files again at the next question: after a village's folder changed on disk."""
    village_files.forget()
    for kept in (_villages, _published):
        kept.cache_clear()


def _configured_folder() -> Path | None:
    folder: Path | None = current_app.config["SETTINGS"].villages_dir if has_app_context() else None
    return folder


@cache
def _villages(folder: Path) -> dict[str, Village]:
    found = {}
    for path in sorted(folder.glob("*/village.yaml")):
        source = village_files.read_village(path.parent)
        names = Village.__dataclass_fields__.keys() - {"folder"} - MAY_BE_ABSENT
        found[source["slug"]] = Village(
            **{name: source[name] for name in (*names, *(MAY_BE_ABSENT & source.keys()))},
            folder=path.parent,
        )
    return found


@cache
def _published(folder: Path) -> Pack:
    with collector_at_rest():
        return _checked(folder)


def _checked(folder: Path) -> Pack:
    written = village_files.read_rules(folder)
    rules = [one.rule for one in written]
    try:
        pack = packs.publish(pack_source(folder))
    except PackRefused as refusal:
        raise PackRefused(refusal.faults, folder.name, _files(written)) from None
    own = [one.rule for one in written if not one.adopted]
    faults = body_faults(rules, village_files.read_village(folder)["bodies"])
    if faults := [*faults, *quotation_faults(own, village_files.ordinance(folder))]:
        raise PackRefused(faults, folder.name, _files(written))
    return pack


def _files(written: list[village_files.Written]) -> dict[str, str]:
    return {"pack": "village.yaml", **{str(one.rule.get("id")): one.file for one in written}}
