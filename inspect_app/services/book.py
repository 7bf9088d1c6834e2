"""The ordinance book: the rules of a village's packs as people read them, by clause, and how to find one.

What a rule's limits are in plain words is worked out in domain/plain.py; what changed between two packs in
domain/pack_changes.py.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any

from inspect_app.domain import plain
from inspect_app.domain.errors import NotFound
from inspect_app.domain.packs import Pack
from inspect_app.domain.plain import Limit
from inspect_app.domain.plain_names import Names
from inspect_app.services.findings import read_pack
from inspect_app.store import findings, villages

OFFICE = "office"
_STATE_LAW = re.compile(r"^(SPS|NR|DNR|Wis)\b")
_FEDERAL_LAW = re.compile(r"\bCFR\b")


@dataclass(frozen=True)
class Version:
    """One published pack of a village."""

    pack: Pack
    is_in_force: bool

    @property
    def hash(self) -> str:
        return self.pack.hash

    @property
    def effective(self) -> date:
        return date.fromisoformat(str(self.pack.data["effective"]))


@dataclass(frozen=True)
class Part:
    """A rule as its forms are judged by it; an id has two where forms hold one fact in different fields."""

    rule: Mapping[str, Any]
    limits: tuple[Limit, ...]

    @property
    def status(self) -> str:
        return str(self.rule.get("status", "executable"))


@dataclass(frozen=True)
class Entry:
    """Everything that the book says under one id."""

    id: str
    parts: tuple[Part, ...]

    @property
    def first(self) -> Part:
        return self.parts[0]

    @property
    def rule(self) -> Mapping[str, Any]:
        return self.first.rule

    @property
    def clause(self) -> Mapping[str, Any]:
        clause: Mapping[str, Any] = self.rule["clause"]
        return clause

    @property
    def kinds(self) -> list[str]:
        """The forms it is judged on, each once."""
        return list(dict.fromkeys(kind for part in self.parts for kind in part.rule["kinds"]))

    @property
    def law(self) -> str:
        """Whose law it is: village, state or federal."""
        section = str(self.clause["section"])
        if _FEDERAL_LAW.search(section):
            return "federal"
        return "state" if _STATE_LAW.match(section) else "village"


@dataclass(frozen=True)
class Case:
    """A written case that a rule is tried with: its name, the answers it reads, what must come of it."""

    name: str
    answers: Mapping[str, Any]
    outcome: str
    on_limit: bool
    value: str | None


@dataclass(frozen=True)
class Section:
    """A section of the law as printed, with the rules that rest on it."""

    number: str
    starred: bool
    law: str
    headings: tuple[str, ...]
    entries: tuple[Entry, ...]


def versions(slug: str, today: date) -> list[Version]:
    """Every pack this village has published or is judged by, the latest first; one of them in force today."""
    known = {pack.hash: pack for pack in villages.packs_of(slug)}
    for row in findings.packs_of(slug):
        known.setdefault(row.hash, read_pack(row.canonical, row.hash))
    in_force = villages.pack_of(slug, today).hash
    found = [Version(pack, pack.hash == in_force) for pack in known.values()]
    # Of two with the same day the one in force comes first; the rest keep a fixed order.
    return sorted(found, key=lambda one: (one.effective, one.is_in_force, one.hash), reverse=True)


def chosen(offered: Sequence[Version], name: str | None) -> Version:
    """The version of this name, by default the one in force; NotFound for one the village never had."""
    for version in offered:
        if version.hash == name or (not name and version.is_in_force):
            return version
    raise NotFound("The village has no rules of this name. Open the book and choose a version from its list.")


@lru_cache(maxsize=16)
def _entries(pack_hash: str, canonical: str, day: str) -> tuple[Entry, ...]:
    pack = read_pack(canonical, pack_hash)
    settings = pack.settings_on(day)
    together: dict[str, list[Part]] = {}
    for rule in pack.rules:
        limits = plain.limits_of(rule, pack.data["fields"], pack.units, settings)
        together.setdefault(rule["id"], []).append(Part(rule, tuple(limits)))
    found = [Entry(name, tuple(parts)) for name, parts in together.items()]
    return tuple(sorted(found, key=_order))


def entries(pack: Pack, day: date) -> tuple[Entry, ...]:
    """The rules of a pack under the settings of a day, in the order of the law: village, state, federal."""
    return _entries(pack.hash, pack.canonical.decode(), day.isoformat())


def entry(pack: Pack, day: date, rule: str) -> Entry:
    """What the book says under an id; NotFound if this version has no such rule."""
    for one in entries(pack, day):
        if one.id == rule:
            return one
    raise NotFound(
        f"This version of the book has no rule {rule[:40]}. Search the book, or choose another version."
    )


def search(among: Iterable[Entry], text: str, kind: str = "", status: str = "") -> list[Entry]:
    """The entries that have every word in id, title, quotation or clause, and that concern this form."""
    words = text.casefold().replace("*", "").split()
    return [
        one
        for one in among
        if (not kind or kind in one.kinds)
        and (not status or any(part.status == status for part in one.parts))
        and all(word in _haystack(one) for word in words)
    ]


def sections(found: Iterable[Entry]) -> list[Section]:
    """Entries in their order, gathered by section."""
    together: dict[tuple[str, str], list[Entry]] = {}
    for one in found:
        together.setdefault((one.law, str(one.clause["section"])), []).append(one)
    return [
        Section(
            number,
            any(one.clause.get("starred") for one in inside),
            law,
            tuple(
                dict.fromkeys(
                    str(one.clause.get("heading") or "") for one in inside if one.clause.get("heading")
                )
            ),
            tuple(inside),
        )
        for (law, number), inside in together.items()
    ]


def cases(slug: str, one: Entry) -> list[Case]:
    """The vectors of a rule, those first that are about little else; none where an installation has none."""
    read = villages.names_read([dict(part.rule) for part in one.parts])
    found = villages.vectors_of(slug, one.id)
    found.sort(key=lambda vector: (not vector.name.startswith(one.id), len(vector.expect)))
    return [
        Case(
            vector.name.removeprefix(f"{one.id}: "),
            {name: value for name, value in {**vector.context, **vector.answers}.items() if name in read},
            vector.expect[one.id],
            one.id in (vector.boundary or ()),
            vector.expect_values.get(one.id),
        )
        for vector in found
    ]


def readings(pack_hash: str, kind: str) -> dict[str, str]:
    """How unclear clauses were read, by rule, for one form under the pack of this name."""
    row = findings.pack_row(pack_hash)
    rules = read_pack(row.canonical, pack_hash).rules if row else []
    return {one["id"]: one["reading"] for one in rules if one.get("reading") and kind in one["kinds"]}


@cache
def labels() -> dict[str, str]:
    """What the forms call each field, and each column as `lifts.depth` and `item.depth`; the first counts."""
    named: dict[str, str] = {}
    for form in villages.protocols():
        for _, field in form.fields():
            named.setdefault(field.name, field.label)
            for column in field.row:
                named.setdefault(f"item.{column.name}", column.label)
                named.setdefault(f"{field.name}.{column.name}", column.label)
    return named


def names(pack: Pack, day: date) -> Names:
    """What the names of a pack mean to a reader under the settings of a day."""
    return Names(labels(), pack.data["fields"], pack.units, pack.settings_on(day.isoformat()))


def _haystack(one: Entry) -> str:
    clause = one.clause
    parts = [one.id, clause["section"], clause.get("letter"), clause.get("heading"), clause.get("quote")]
    parts += [part.rule["title"] for part in one.parts]
    return " ".join(str(part) for part in parts if part).casefold()


def _order(one: Entry) -> tuple[Any, ...]:
    law = ("village", "state", "federal").index(one.law)
    clause = one.clause
    return (
        law,
        _natural(str(clause["section"])),
        _natural(str(clause.get("letter") or "")),
        _natural(one.id),
    )


def _natural(text: str) -> list[tuple[int, int, str]]:
    """A key that puts 270-9 before 270-18, and C(2) before C(10)."""
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part)
        for part in re.split(r"(\d+)", text.replace(" ", ""))
        if part
    ]
