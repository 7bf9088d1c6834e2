"""What changed between two published packs of a village: rules, settings and the rest, member by member."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_app.domain.packs import Pack


@dataclass(frozen=True)
class Member:
    """A place such as `checks[0].message`, what stood there and what stands there now; None is nothing."""

    place: str
    old: Any
    new: Any


@dataclass(frozen=True)
class RuleChange:
    """A rule that was `added`, `removed` or `changed`; `rule` is the newer text of it, else the older."""

    rule: Mapping[str, Any]
    how: str
    members: tuple[Member, ...] = ()

    @property
    def id(self) -> str:
        return str(self.rule["id"])


@dataclass(frozen=True)
class Changes:
    """Everything that differs; `settings` have places such as `2026-01-01 night_definition`."""

    rules: tuple[RuleChange, ...]
    settings: tuple[Member, ...]
    others: tuple[Member, ...]

    def __bool__(self) -> bool:
        return bool(self.rules or self.settings or self.others)

    def of(self, how: str) -> list[RuleChange]:
        """The rules that were added, removed or changed."""
        return [change for change in self.rules if change.how == how]


def changes_between(old: Pack, new: Pack) -> Changes:
    """The differences from one pack to another, rules in the order of their ids."""
    rules: list[RuleChange] = []
    for name in sorted({rule["id"] for pack in (old, new) for rule in pack.rules}):
        rules += _of_one_id(_named(old, name), _named(new, name))
    rest = [{key: pack.data[key] for key in pack.data.keys() - {"rules", "settings"}} for pack in (old, new)]
    return Changes(
        tuple(rules),
        tuple(_members("", _settings(old), _settings(new))),
        tuple(_members("", *rest)),
    )


def _named(pack: Pack, name: str) -> list[dict[str, Any]]:
    return [rule for rule in pack.rules if rule["id"] == name]


def _of_one_id(olds: list[dict[str, Any]], news: list[dict[str, Any]]) -> Iterable[RuleChange]:
    """An id may stand once for each of several forms: those of the same forms are the same rule."""
    pairs = []
    for rule in list(news):
        same = [other for other in olds if other["kinds"] == rule["kinds"]]
        if same:
            pairs.append((same[0], rule))
            olds.remove(same[0])
            news.remove(rule)
    pairs += zip(olds, news, strict=False)
    for before, after in pairs:
        if members := tuple(_members("", before, after)):
            yield RuleChange(after, "changed", members)
    yield from (RuleChange(rule, "removed") for rule in olds[len(news) :])
    yield from (RuleChange(rule, "added") for rule in news[len(olds) :])


def _settings(pack: Pack) -> dict[str, Any]:
    entries = pack.data["settings"]
    return {f"{entry['from']} {name}": value for entry in entries for name, value in entry["values"].items()}


def _members(place: str, old: Any, new: Any) -> Iterable[Member]:
    """Down to the members that differ; a list of plain values counts as one."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in sorted(old.keys() | new.keys()):
            yield from _members(f"{place}.{name}".lstrip("."), old.get(name), new.get(name))
    elif _has_entries(old) and _has_entries(new):
        for index in range(max(len(old), len(new))):
            pair = [part[index] if index < len(part) else None for part in (old, new)]
            yield from _members(f"{place}[{index}]", *pair)
    elif old != new or type(old) is not type(new):
        yield Member(place, old, new)


def _has_entries(part: Any) -> bool:
    return isinstance(part, list) and bool(part) and all(isinstance(entry, Mapping) for entry in part)
