"""The ordinance book: the rules by clause, a page for each, and what changed between versions."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import g, render_template, request, url_for

from inspect_app.domain import plain
from inspect_app.domain.plain_names import Names, Piece
from inspect_app.office.access import village_blueprint
from inspect_app.office.book_words import case_words, limit_words
from inspect_app.office.filters import sentence
from inspect_app.services import book
from inspect_app.services.book import Entry, Part, Version
from inspect_app.store import villages

bp = village_blueprint("book", __name__)

LAWS = {"village": "Village ordinance", "state": "State law", "federal": "Federal law"}
OWNERS = {"state": "Wisconsin", "federal": ""}  # before the number, as on the tablet; a village's by its name
STATUSES = {
    "executable": "Judged by the program",
    "workflow": "Carried out by the office",
    "reference": "For reference only",
}
MOST_CASES = 12  # enough to see each side of every limit
OFFICE_RECORDS = "Office records"
MODALS = {
    "shall": "“shall”: it is required",
    "should": "“should”: the office confirms a violation before it is used",
    "may": "“may”: it is allowed",
}


@bp.get("/book")
def index() -> Any:
    """The rules of one version by clause, searched and filtered."""
    versions = book.versions(g.village.slug, today())
    version = book.chosen(versions, request.args.get("pack"))
    names = book.names(version.pack, today())
    every = book.entries(version.pack, today())
    text = request.args.get("q", "").strip()[:100]
    kinds = _kinds()
    kind = request.args.get("kind", "") if request.args.get("kind") in kinds else ""
    status = request.args.get("status", "") if request.args.get("status") in STATUSES else ""
    found = book.search(every, text, kind, status)
    return render_template(
        "book.html",
        text=text,
        filtered=bool(text or kind or status),
        clear_href=_address(".index", version),
        version=version_words(version),
        versions=[version_words(one) for one in versions],
        selects=[
            {"label": "Form", "name": "kind", "value": kind, "options": {"": "All forms", **kinds}},
            {"label": "Status", "name": "status", "value": status, "options": {"": "Any status", **STATUSES}},
        ],
        total=len(every),
        count=len(found),
        sections=[
            {
                "number": section.number,
                "starred": section.starred,
                "law": LAWS[section.law],
                "heading": _headings(section.headings),
                "anchor": f"section-{at}",
                "entries": [_entry(one, version, names) for one in section.entries],
            }
            for at, section in enumerate(book.sections(found), 1)
        ],
        changes_href=url_for(".changes"),
    )


@bp.get("/book/<rule>")
def rule(rule: str) -> Any:
    """One rule: what it asks, where its limits lie, whose it is, and how an unclear clause was read."""
    versions = book.versions(g.village.slug, today())
    version = book.chosen(versions, request.args.get("pack"))
    entry = book.entry(version.pack, today(), rule)
    names = book.names(version.pack, today())
    tried = book.cases(g.village.slug, entry) if version.is_in_force else []
    return render_template(
        "book_rule.html",
        rule=_entry(entry, version, names),
        version=version_words(version),
        book_href=_address(".index", version, _anchor=entry.id),
        in_force=None if version.is_in_force else url_for(".rule", rule=entry.id),
        cases=[case_words(one, names) for one in tried[:MOST_CASES]],
        more_cases=max(0, len(tried) - MOST_CASES),
        judged=[_part(part, version, names, several=len(entry.parts) > 1) for part in entry.parts],
    )


def today() -> date:
    """The village's civil day."""
    return datetime.now(UTC).astimezone(ZoneInfo(g.village.timezone)).date()


def _kinds() -> dict[str, str]:
    return {form.kind: form.title for form in villages.protocols()} | {book.OFFICE: OFFICE_RECORDS}


def _headings(headings: tuple[str, ...]) -> str:
    """What a section is about; of many headings the first, for definitions have one each."""
    return ", ".join(headings) if len(headings) < 3 else f"{headings[0]} and {len(headings) - 1} more"


def _address(endpoint: str, version: Version, **more: Any) -> str:
    """A page of the book in this version; the one in force needs no name."""
    return url_for(endpoint, pack=None if version.is_in_force else version.hash, **more)


def version_words(version: Version) -> dict[str, Any]:
    """A version as pages name it."""
    return {
        "name": version.hash,
        "label": f"Version {version.pack.version} of {day_words(version.effective)}"
        + (", in force" if version.is_in_force else f" ({version.hash[:6]})"),
        "number": version.pack.version,
        "since": day_words(version.effective),
        "short": version.hash[:6],
        "is_in_force": version.is_in_force,
    }


def day_words(day: date) -> str:
    """`4 June 2001`"""
    return f"{day.day} {day:%B %Y}"


def _entry(entry: Entry, version: Version, names: Names) -> dict[str, Any]:
    """What the list and the head of a page show of a rule."""
    kinds = _kinds()
    rule, first = entry.rule, entry.first
    return {
        "id": entry.id,
        "title": rule["title"],
        "href": _address(".rule", version, rule=entry.id),
        "clause": entry.clause,
        "owner": OWNERS.get(entry.law, g.village.short_name),
        "kinds": [kinds.get(kind, sentence(kind)) for kind in entry.kinds],
        "body": _body(rule["body"]),
        "severity": rule["severity"],
        "modal": MODALS.get(rule["modal"], rule["modal"]),
        "modal_word": rule["modal"],
        "since": day_words(date.fromisoformat(rule["in_force_from"])),
        "status": first.status,
        "status_word": STATUSES.get(first.status, first.status),
        "limits": list(
            dict.fromkeys(
                limit_words(limit, part.rule, names) for part in entry.parts for limit in part.limits
            )
        ),
        "asks": _asks(entry, version, names),
        "carried": rule.get("carried_out_by"),
        "cannot": rule.get("cannot"),
    }


def _asks(entry: Entry, version: Version, names: Names) -> list[dict[str, Any]]:
    """What a rule without a limit asks, in one sentence for each of its forms, or the rules it combines."""
    asked: list[dict[str, Any]] = []
    for part in entry.parts:
        if part.limits:
            continue
        if part.rule.get("combine"):
            asked.append({"gravest": _combined(part, version)})
        elif found := plain.requirement_of(part.rule):
            asked.append({"outcome": found[0], "pieces": names.said(found[1], part.rule)})
    return [one for at, one in enumerate(asked) if one not in asked[:at]]


def _combined(part: Part, version: Version) -> list[dict[str, Any]]:
    return [
        {"id": other, "href": _address(".rule", version, rule=other)}
        for other in part.rule.get("combine", ())
    ]


def _part(part: Part, version: Version, names: Names, several: bool) -> dict[str, Any]:
    """Everything a rule says, for the forms that it is judged on in this way."""
    rule, kinds = part.rule, _kinds()

    def said(text: str) -> list[Piece]:
        return names.said(text, rule)

    # Several checks may say the same.
    fails = dict.fromkeys(
        (check.get("fails", rule["severity"]), check["message"]) for check in rule.get("checks", ())
    )
    return {
        "kinds": ", ".join(kinds.get(kind, sentence(kind)) for kind in rule["kinds"]) if several else None,
        "limits": [
            {"words": limit_words(limit, rule, names), "examples": limit.examples} for limit in part.limits
        ],
        "unless": [said(one["reason"]) for one in (*rule.get("unless", ()), *rule.get("when", ()))],
        "each": names.each(rule),
        "fails": [(outcome, said(text)) for outcome, text in fails],
        "passes": said(rule["passes"]) if rule.get("passes") else None,
        "gives": "value" in rule,
        "combine": _combined(part, version),
        "soften": [(one["to"], said(one["note"])) for one in rule.get("soften", ())],
        "notes": [said(one["text"]) for one in rule.get("notes", ())],
        "evidence": [_photo(shows) for shows in rule.get("evidence", ())],
        "reading": rule.get("reading"),
    }


def _body(name: str) -> str:
    return str(g.village.bodies.get(name, sentence(name)))


def _photo(shows: str) -> str:
    labels: Mapping[str, str] = {
        slot.shows: slot.label for form in villages.protocols() for slot in form.photos
    }
    return labels.get(shows, sentence(shows))
