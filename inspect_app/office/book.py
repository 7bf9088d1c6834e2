"""The ordinance book: the rules by clause, a page for each, and what changed between versions."""

from collections.abc import Container, Mapping
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import g, render_template, request, url_for

from inspect_app.domain import plain
from inspect_app.domain.plain import Limit
from inspect_app.office.access import village_blueprint
from inspect_app.office.filters import plain as plain_text
from inspect_app.office.filters import sentence
from inspect_app.services import book
from inspect_app.services.book import Entry, Part, Version
from inspect_app.store import villages

Lets = Container[str]

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
COMPARED = {
    ">": "more than",
    ">=": "at least",
    "<": "less than",
    "<=": "at most",
    "==": "exactly",
    "!=": "not",
}
IS = {
    "violation": "is a violation",
    "warning": "gives a warning",
    "discretion": "is for a decision",
    "not_evaluated": "cannot be judged",
    "information": "is noted",
    "pass": "passes",
}
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
                "entries": [_entry(one, version) for one in section.entries],
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
    tried = book.cases(g.village.slug, entry) if version.is_in_force else []
    return render_template(
        "book_rule.html",
        rule=_entry(entry, version),
        version=version_words(version),
        book_href=_address(".index", version, _anchor=entry.id),
        in_force=None if version.is_in_force else url_for(".rule", rule=entry.id),
        cases=[_case(one) for one in tried[:MOST_CASES]],
        more_cases=max(0, len(tried) - MOST_CASES),
        judged=[_part(part, version, several=len(entry.parts) > 1) for part in entry.parts],
    )


def _lets(rule: Mapping[str, Any]) -> Lets:
    """The names that a rule gives itself: none of them is a field, even if a form has one of that name."""
    return rule.get("let", {})


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


def _entry(entry: Entry, version: Version) -> dict[str, Any]:
    """What the list and the head of a page show of a rule."""
    names = _kinds()
    rule, first = entry.rule, entry.first
    return {
        "id": entry.id,
        "title": rule["title"],
        "href": _address(".rule", version, rule=entry.id),
        "clause": entry.clause,
        "owner": OWNERS.get(entry.law, g.village.short_name),
        "kinds": [names.get(kind, sentence(kind)) for kind in entry.kinds],
        "body": _body(rule["body"]),
        "severity": rule["severity"],
        "modal": MODALS.get(rule["modal"], rule["modal"]),
        "modal_word": rule["modal"],
        "since": day_words(date.fromisoformat(rule["in_force_from"])),
        "status": first.status,
        "status_word": STATUSES.get(first.status, first.status),
        "limits": list(
            dict.fromkeys(
                _limit_words(limit, _lets(part.rule)) for part in entry.parts for limit in part.limits
            )
        ),
        "carried": rule.get("carried_out_by"),
        "cannot": rule.get("cannot"),
    }


def _part(part: Part, version: Version, several: bool) -> dict[str, Any]:
    """Everything a rule says, for the forms that it is judged on in this way."""
    rule, names, lets = part.rule, _kinds(), _lets(part.rule)
    return {
        "kinds": ", ".join(names.get(kind, sentence(kind)) for kind in rule["kinds"]) if several else None,
        "limits": [{"words": _limit_words(limit, lets), "examples": limit.examples} for limit in part.limits],
        "unless": [_said(one["reason"], lets) for one in (*rule.get("unless", ()), *rule.get("when", ()))],
        "each": _in_sentence(rule["each"]) if book.is_known(rule.get("each", "")) else rule.get("each"),
        "fails": _sentences(
            ((check.get("fails", rule["severity"]), check["message"]) for check in rule.get("checks", ())),
            lets,
        ),
        "passes": _said(rule["passes"], lets) if rule.get("passes") else None,
        "gives": "value" in rule,
        "combine": [
            {"id": other, "href": _address(".rule", version, rule=other)} for other in rule.get("combine", ())
        ],
        "soften": [(one["to"], _said(one["note"], lets)) for one in rule.get("soften", ())],
        "notes": [_said(one["text"], lets) for one in rule.get("notes", ())],
        "evidence": [_photo(shows) for shows in rule.get("evidence", ())],
        "reading": rule.get("reading"),
    }


def _case(case: book.Case) -> dict[str, Any]:
    """A written case: its answers as people call them, and what must come of it."""
    return {
        "name": case.name[:1].upper() + case.name[1:],
        "answers": [(book.name_of(name), _answer(value)) for name, value in case.answers.items()],
        "outcome": case.outcome,
        "on_limit": case.on_limit,
        "value": case.value,
    }


def _answer(value: Any) -> str:
    """An answer on one line; rows of a list one after the other."""
    if isinstance(value, list) and value and isinstance(value[0], dict) and "value" not in value[0]:
        return "; ".join(", ".join(plain_text(part) for part in row.values()) for row in value)
    return plain_text(value) or "–"


def _sentences(said: Any, lets: Lets) -> list[tuple[str, list[plain.Piece]]]:
    """Each outcome with its sentence once: several checks may say the same."""
    return [(outcome, _said(text, lets)) for outcome, text in dict.fromkeys(said)]


def _said(text: str, lets: Lets) -> list[plain.Piece]:
    """A sentence of the rule; where an inspection's own value will stand, what the form calls it."""
    return [
        plain.Piece(_in_sentence(piece.text, lets) if piece.is_name else piece.text, piece.is_name)
        for piece in plain.pieces_of(text)
    ]


def _limit_words(limit: Limit, lets: Lets) -> tuple[str, str, str, str]:
    """What is measured, the limit, the outcome on it and that in words; the last two may be empty."""
    compared = COMPARED[limit.good]
    if limit.field:
        compared = "the same as" if limit.good == "==" else compared
        asked = f"{compared} {_in_sentence(limit.field)}"
    else:
        by = [_in_sentence(name) for name in limit.by if book.is_known(name)]
        asked = f"{compared} {' or '.join(limit.limits)}" + (f", depending on {_and(by)}" if by else "")
    what = book.name_of(limit.value, lets) if limit.value else "the value"
    what = what if what[1:2].isupper() else what[:1].upper() + what[1:]
    if limit.good in ("==", "!=") or not limit.limits:
        return what, asked, "", ""
    exact = f"Exactly {limit.limits[0]}" if len(limit.limits) == 1 else "Exactly on the limit"
    return what, asked, limit.on, f"{exact} {IS[limit.on]}"


def limit_sentence(limit: Limit, lets: Lets) -> str:
    """`Nearest: more than 6 in. Exactly 6 in is a violation.`"""
    what, asked, _, on = _limit_words(limit, lets)
    return f"{what}: {asked}." + (f" {on}." if on else "")


def _in_sentence(path: str, lets: Lets = ()) -> str:
    """A field's or let's name inside a sentence: `joint upstream`, but `CO` and `pH` as they are."""
    name = book.name_of(path, lets)
    return name[:1].lower() + name[1:] if name[1:2].islower() or name[1:2] == " " else name


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _body(name: str) -> str:
    return str(g.village.bodies.get(name, sentence(name)))


def _photo(shows: str) -> str:
    labels: Mapping[str, str] = {
        slot.shows: slot.label for form in villages.protocols() for slot in form.photos
    }
    return labels.get(shows, sentence(shows))
