"""What changed between two versions of the ordinance book, rule by rule, in the words of the book."""

import re
from datetime import date
from typing import Any

from flask import g, render_template, request, url_for

from inspect_app.domain import plain
from inspect_app.domain.pack_changes import Member, RuleChange, changes_between
from inspect_app.domain.plain_names import value_in_words
from inspect_app.office import book as pages
from inspect_app.office.book_words import limit_sentence
from inspect_app.office.filters import sentence
from inspect_app.services import book
from inspect_app.services.book import Version

bp = pages.bp

HOWS = {"changed": "Changed", "added": "New", "removed": "No longer in the book"}
COMPUTED = "How it is computed"
# Members in the language of the rules: that they changed is told, not what they say.
CODE = {"expr", "at_limit", "figure", "let", "let_types", "each", "value", "value_type", "function", "test"}
TECHNICAL = ("fields", "units", "language", "pack")
PLACES = {
    "fails": "outcome",
    "message": "sentence",
    "quote": "quotation",
    "lines": "lines",
    "body": "who decides",
    "kinds": "forms",
    "in_force_from": "in force since",
    "passes": "sentence on a pass",
    "unless": "not applicable when",
    "when": "applies when",
    "combine": "combines",
    "evidence": "photos that prove it",
    "reading": "how the clause was read",
    "carried_out_by": "carried out by",
    "cannot": "why it cannot be evaluated",
    "checks": "check",
    "notes": "note",
    "soften": "softened",
}
_SLUG = re.compile(r"[a-z][a-z0-9_]*")
_PART = re.compile(r"([A-Za-z_][\w-]*)(?:\[(\d+)\])?")


@bp.get("/book/changes")
def changes() -> Any:
    """What a later version says otherwise than an earlier one."""
    versions = book.versions(g.village.slug, pages.today())
    old, new = _two(versions)
    found = changes_between(old.pack, new.pack) if old and new else None
    return render_template(
        "book_changes.html",
        versions=[pages.version_words(one) for one in versions],
        old=pages.version_words(old) if old else None,
        new=pages.version_words(new) if new else None,
        backwards=bool(old and new and old.effective > new.effective),
        groups=[
            {"title": title, "how": how, "rules": [_rule(one, old, new) for one in found.of(how)]}
            for how, title in HOWS.items()
            if found and old and new and found.of(how)
        ],
        settings=[_setting(one) for one in found.settings] if found else [],
        others=[_member(one) for one in found.others if not one.place.startswith(TECHNICAL)] if found else [],
        same=found is not None and not found,
        book_href=url_for(".index"),
    )


def _two(versions: list[Version]) -> tuple[Version | None, Version | None]:
    """The versions asked for; without a question the one in force and the one before it."""
    asked = (request.args.get("old"), request.args.get("new"))
    if asked[0] or asked[1]:
        in_force = book.chosen(versions, None)
        old, new = (book.chosen(versions, name) if name else in_force for name in asked)
        return old, new
    if len(versions) < 2:
        return None, None
    at = next(at for at, one in enumerate(versions) if one.is_in_force)
    return (versions[at + 1], versions[at]) if at + 1 < len(versions) else (versions[at], versions[at - 1])


def _rule(change: RuleChange, old: Version, new: Version) -> dict[str, Any]:
    """One rule that is new, other or gone, with what the book says of it."""
    source = old if change.how == "removed" else new
    members = [_member(one) for one in change.members if not _is_code(one.place)]
    if any(_is_code(one.place) or _has_code(one.old) or _has_code(one.new) for one in change.members):
        members.append({"place": COMPUTED, "old": ["as before"], "new": ["otherwise"]})
    if change.how == "changed":
        before, after = _limits(change, old), _limits(change, new)
        if before != after:
            members.insert(0, {"place": "In plain words", "old": before, "new": after})
    return {
        "id": change.id,
        "title": change.rule["title"],
        "href": url_for(".rule", rule=change.id, pack=None if source.is_in_force else source.hash),
        "members": members,
        "limits": _limits(change, source) if change.how != "changed" else [],
    }


def _limits(change: RuleChange, version: Version) -> list[str]:
    """The limits of a rule in one version, a sentence each."""
    settings = version.pack.settings_on(pages.today().isoformat())
    said: list[str] = []
    for rule in version.pack.rules:
        if rule["id"] == change.id and (rule["kinds"] == change.rule["kinds"] or not said):
            limits = plain.limits_of(rule, version.pack.data["fields"], version.pack.units, settings)
            names = book.names(version.pack, pages.today())
            said = [limit_sentence(limit, rule, names) for limit in limits]
    return said


def _member(member: Member) -> dict[str, Any]:
    return {"place": _place(member.place), "old": _lines(member.old), "new": _lines(member.new)}


def _setting(member: Member) -> dict[str, Any]:
    since, _, name = member.place.partition(" ")
    place = f"{sentence(name)}, from {pages.day_words(date.fromisoformat(since))}"
    return {"place": place, "old": _lines(member.old), "new": _lines(member.new)}


def _is_code(place: str) -> bool:
    """Whether `checks[0].figure.limit` lies in a member that is written in the language of the rules."""
    return any(name in CODE for name, _ in _PART.findall(place))


def _has_code(value: Any) -> bool:
    """Whether a whole check or condition came or went."""
    return isinstance(value, dict) and not CODE.isdisjoint(value)


def _place(place: str) -> str:
    """`checks[0].figure.limit` as `Check 1, figure, limit`."""
    parts = []
    for name, index in _PART.findall(place):
        words = PLACES.get(name, name.replace("_", " "))
        parts.append(f"{words} {int(index) + 1}" if index else words)
    return sentence(", ".join(parts))


def _lines(value: Any) -> list[str]:
    """A value of a pack as lines of text; nothing for nothing."""
    if value is None or value in ("", []):
        return []
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, dict):
        told = {name: inner for name, inner in value.items() if name not in CODE}
        return [f"{_place(name)}: {'; '.join(_lines(inner)) or 'none'}" for name, inner in told.items()]
    if isinstance(value, list):
        lines = [line for inner in value for line in _lines(inner)]
        return [", ".join(lines)] if all(isinstance(inner, str) for inner in value) else lines
    return [value_in_words(str(value)) if _SLUG.fullmatch(str(value)) else str(value)]
