"""A village's folder: village.yaml, rules/*.yaml, ordinance.txt, vectors. Read with its faults told by file.

What may stand in the files is checked in domain/village_checks.py and domain/pack_checks.py.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from inspect_app.domain.errors import PackRefused
from inspect_app.domain.pack_shape import MOST_BYTES, overgrown
from inspect_app.domain.vectors import Vector, counts, read_vector
from inspect_app.domain.village_checks import village_faults
from inspect_app.store.forms import read_yaml

OWN_VILLAGES = Path(__file__).parent.parent / "villages"

# The wheel carries the vectors of the product's villages; in the source tree they are those of the tests.
_VECTORS = (Path(__file__).parent.parent / "vectors", Path(__file__).parents[2] / "tests" / "vectors")


@dataclass(frozen=True)
class Written:
    """A rule as it stands in a file; `adopted` from another folder of rules."""

    rule: dict[str, Any]
    file: str
    adopted: bool


def read_village(folder: Path) -> Mapping[str, Any]:
    """The members of village.yaml; PackRefused with every fault."""
    source = read_data(folder / "village.yaml", folder)
    if faults := village_faults(source, folder.name):
        raise PackRefused(faults, folder.name, {"pack": "village.yaml"})
    for name in source["adopts"]:
        if not _lender(folder, name).is_dir():
            fault = ("pack", "adopts", f"there are no rules named {name}")
            raise PackRefused([fault], folder.name, {"pack": "village.yaml"})
    found: Mapping[str, Any] = source
    return found


def read_rules(folder: Path) -> list[Written]:
    """The rules of a village and those it adopts, in the order of its files."""
    source = read_village(folder)
    found = list(_rules(folder, folder, adopted=False))
    for name in source["adopts"]:
        found += _rules(_lender(folder, name), folder, adopted=True)
    return found


def _rules(place: Path, folder: Path, adopted: bool) -> Iterable[Written]:
    for path in sorted((place / "rules").glob("*.yaml")):
        source = read_data(path, folder)
        file = _shown(path, folder)
        rules = source.get("rules") if isinstance(source, dict) and len(source) == 1 else None
        if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
            fault = ("pack", "rules", "the file must hold one list of rules under rules:")
            raise PackRefused([fault], folder.name, {"pack": file})
        yield from (Written(rule, file, adopted) for rule in rules)


def lenders(folder: Path) -> list[Path]:
    """The folders of rules that a village adopts."""
    return [_lender(folder, name) for name in read_village(folder)["adopts"]]


def _lender(folder: Path, name: str) -> Path:
    beside = folder.parent / name
    return beside if (beside / "rules").is_dir() else OWN_VILLAGES / name


def _shown(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder if path.is_relative_to(folder) else path.parents[2]))


def read_data(path: Path, folder: Path) -> Any:
    """The data of a YAML file; PackRefused if it is too large, no YAML, or holds itself."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        why: str | None = f"{size} bytes are more than {MOST_BYTES}"
    else:
        try:
            found = read_yaml(path)
            why = overgrown(found)
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            why = f"cannot be read as YAML: {' '.join(str(error).split())[:300]}"
    if why:
        raise PackRefused([("pack", "", why)], folder.name, {"pack": _shown(path, folder)})
    return found


def ordinance(folder: Path) -> str | None:
    """The ordinance's text as the village published it, or None where there is none."""
    path = folder / "ordinance.txt"
    return path.read_text(encoding="utf-8") if path.exists() else None


def vector_counts(folder: Path, slug: str, extra: Path | None = None) -> tuple[Counter[str], Counter[str]]:
    """How many vectors try each rule: those of the village, and those of all villages of the product.

    A village's vectors stand in its folder under vectors/, those of the product's villages together; `extra`
    is one more folder of them. PackRefused if a file is malformed.
    """
    every = vectors_for(folder, extra)
    return counts([one for one in every if one.village == slug]), counts(every)


def vectors_for(folder: Path, extra: Path | None = None) -> list[Vector]:
    """The vectors in a village's folder, those of `extra`, and those of the product's villages."""
    shared = next((place for place in _VECTORS if place.is_dir()), None)
    places = (folder / "vectors", extra, shared)
    return [one for place in places if place and place.is_dir() for one in _vectors(place)]


def has_vectors(folder: Path) -> bool:
    """Whether the vectors of this village are here; an installation may leave out those of the product."""
    return folder.parent != OWN_VILLAGES or any(place.is_dir() for place in _VECTORS)


@cache
def _vectors(place: Path) -> tuple[Vector, ...]:
    found = []
    for path in sorted(place.glob("*.json")):
        try:
            entries = json.loads(path.read_bytes())
            if not isinstance(entries, list):
                raise ValueError("a JSON list of vectors is needed")
            found += [read_vector(entry) for entry in entries]
        except (ValueError, RecursionError) as error:
            where = f"{place.name}/{path.name}"
            raise PackRefused([("pack", "", str(error))], place.parent.name, {"pack": where}) from None
    return tuple(found)


def forget() -> None:
    """Read the files again at the next question."""
    for kept in (_vectors, read_yaml):
        kept.cache_clear()
