"""What forms, rules and the tablet's parts say in other languages: data beside what it translates.

`es.yaml` in inspect_app/protocols (in sentences/ for what the tablet's parts say), in a folder of rules that
villages adopt, and in a village's own folder each give Spanish by English text:
{"Joint upstream": "Junta aguas arriba"}. Forms and packs stay as they are, so no version and no hash changes
with a translation, and every version of a form that says the same is translated at once. Where the English
changes its translation is missing, and English is shown.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspect_app.domain import shown_texts
from inspect_app.domain.errors import PackRefused
from inspect_app.store import village_files, villages
from inspect_app.store.forms import FORMS, forms_for_tablets
from inspect_app.store.villages import Village

LANGUAGES = ("es",)


def translations(place: Village) -> dict[str, dict[str, str]]:
    """By language, what a village's tablets say for each English text; the village's own words count most."""
    return {language: _spoken(place.folder, language) for language in LANGUAGES}


def missing(place: Village, language: str) -> list[str]:
    """The texts of a village's rules and bodies, adopted ones too, that are not said in a language yet."""
    said = _spoken(place.folder, language)
    rules = villages.packs_of(place.slug, place.folder.parent)[-1].rules
    texts = dict.fromkeys(text for rule in rules for text in shown_texts.of_rule(rule))
    return [text for text in (*texts, *place.bodies.values()) if text not in said]


def _spoken(village: Path, language: str) -> dict[str, str]:
    said: dict[str, str] = {}
    for folder in (FORMS / "sentences", FORMS, *village_files.lenders(village), village):
        said |= _read(folder / f"{language}.yaml", village)
    # A sentence of a rule names a choice by its slug in words, which is seldom its label: "cut in wye".
    for slug, label in _choices(forms_for_tablets()):
        if label in said:
            said.setdefault(slug.replace("_", " ").capitalize(), said[label])
    return said


def _choices(node: Any) -> Iterator[tuple[str, str]]:
    """Every choice of the forms with its label."""
    if isinstance(node, Mapping):
        yield from node.get("choice_labels", {}).items()
    if isinstance(node, Mapping | list):
        for inner in node.values() if isinstance(node, Mapping) else node:
            yield from _choices(inner)


def _read(path: Path, folder: Path) -> dict[str, str]:
    """The texts of one file, none where there is no file; PackRefused if it holds anything else."""
    found = village_files.read_data(path, folder) if path.exists() else {}
    if not isinstance(found, dict):
        fault = ("pack", "", "the file must hold one translation for each English text")
        raise PackRefused([fault], folder.name, {"pack": path.name})
    faults = [
        ("pack", str(english), "both sides must be text: put them in quotes")
        for english, own in found.items()
        if not isinstance(english, str) or not isinstance(own, str)
    ]
    if faults:
        raise PackRefused(faults, folder.name, {"pack": path.name})
    return {english: own for english, own in found.items() if own.strip()}  # a line may wait for its words
