"""The first column of the record page: findings to decide, quiet lines, where tablet and server differ."""

from collections.abc import Mapping
from typing import Any

from flask import g, url_for

from inspect_app.office import drawings, shots
from inspect_app.office.dossier import Dossier
from inspect_app.services import book, review
from inspect_app.services.findings import evaluate

Body = Mapping[str, Any]
CARDS = ("violation", "warning", "discretion")
DECISION_WORDS = {"confirm": "Confirmed", "dispute": "Disputed"}


def column(dossier: Dossier) -> dict[str, Any]:
    """Everything `_record_findings.html` draws."""
    found = dossier.case.findings
    by_outcome: dict[str, list[Body]] = {}
    for body in found:
        by_outcome.setdefault(body["outcome"], []).append(body)
    against = _other_versions(dossier)
    tablet = {body["rule"]: body for body in dossier.case.from_tablet}
    differ = set(dossier.record.counts.get("differ") or ())
    readings = book.readings(dossier.record.pack_hash, dossier.record.protocol)
    cards = [
        _card(
            dossier,
            body,
            against.get(body["rule"]),
            tablet.get(body["rule"]) if body["rule"] in differ else None,
        )
        | {"reading": readings.get(body["rule"]), "book": _in_book(dossier, body)}
        for outcome in CARDS
        for body in by_outcome.get(outcome, ())
    ]
    passes = by_outcome.get("pass", [])
    return {
        "cards": cards,
        "lines": [
            {
                "outcome": "not_evaluated",
                "title": "Not evaluated",
                "meta": _lacks(dossier, body),
                "rule": body["rule"],
                "book": _in_book(dossier, body),
            }
            for body in by_outcome.get("not_evaluated", ())
        ]
        + [
            {
                "outcome": "information",
                "title": body.get("message") or body.get("value") or body["title"],
                "meta": body["title"],
                "rule": body["rule"],
                "book": _in_book(dossier, body),
            }
            for body in by_outcome.get("information", ())
        ],
        "passes": [{**body, "book": _in_book(dossier, body)} for body in passes],
        "passes_short": _short([body["rule"] for body in passes]),
        "not_applicable": [
            {
                "rule": body["rule"],
                "message": body.get("reason") or body["title"],
                "book": _in_book(dossier, body),
            }
            for body in by_outcome.get("not_applicable", ())
        ],
        "starred": any(
            body["clause"].get("starred") for outcome in CARDS for body in by_outcome.get(outcome, ())
        ),
        "differences": differences(dossier),
    }


def differences(dossier: Dossier) -> list[str]:
    """One sentence for each rule on which the tablet and the server do not say the same."""
    ours = {body["rule"]: body for body in dossier.case.findings}
    theirs = {body["rule"]: body for body in dossier.case.from_tablet}
    sentences = []
    for rule in dossier.record.counts.get("differ") or ():
        sentences.append(
            f"{rule}: the tablet says {_says(theirs.get(rule))}, the server says {_says(ours.get(rule))}."
        )
    return sentences


def _says(body: Body | None) -> str:
    if body is None:
        return "nothing"
    limit = " at the limit" if body.get("boundary") else ""
    detail = body.get("figure") or body.get("value")
    return f"{body['outcome'].replace('_', ' ')}{limit}{f' ({detail})' if detail else ''}"


def _other_versions(dossier: Dossier) -> dict[str, str]:
    """What each rule would say if a waiting version stood: rule -> words, where it is not the same."""
    ours = {body["rule"]: body for body in dossier.case.findings}
    other: dict[str, str] = {}
    for conflict in dossier.case.conflicts:
        kind, _, group = conflict.what.partition(":")
        if kind != "group":
            continue
        for candidate in conflict.candidates:
            for body in evaluate(dossier.record, instead={group: candidate["values"]}):
                mine = ours.get(body["rule"])
                if mine and (mine["outcome"], mine.get("figure")) != (body["outcome"], body.get("figure")):
                    other[body["rule"]] = _says(body)
    return other


def _card(dossier: Dossier, body: Body, other: str | None, tablet: Body | None) -> dict[str, Any]:
    case, rule = dossier.case, body["rule"]
    decision = case.decisions.get(rule)
    decidable = body["outcome"] in review.DECIDED and _may_decide(dossier)
    return {
        "rule": rule,
        "outcome": body["outcome"],
        "boundary": body.get("boundary"),
        "figure": body.get("figure"),
        "message": body.get("message") or body.get("reason") or body["title"],
        "ruler": drawings.ruler(body.get("figure"), body["outcome"]),
        "notes": body.get("notes") or [],
        "clause": body.get("clause"),
        "modal": _modal(body),
        "in_conflict": other,
        "tablet": _says(tablet) if tablet else None,
        "proofs": _proofs(dossier, body),
        "decision": {
            "word": DECISION_WORDS[decision.decision],
            "by": dossier.who(decision.person_id),
            "at": dossier.at(decision.at),
            "reason": decision.reason,
        }
        if decision
        else None,
        "confirmed": decision is not None and decision.decision == "confirm",
        "disputed": decision is not None and decision.decision == "dispute",
        "action": url_for("record.decide", record_id=case.record.id, rule=rule) if decidable else None,
    }


def _may_decide(dossier: Dossier) -> bool:
    record = dossier.record
    return (
        "reviewer" in g.roles
        and record.state in ("submitted", "in_review")
        and record.inspector_id != g.person.id
    )


def _modal(body: Body) -> str | None:
    name = (body.get("body") or "").replace("_", " ")
    if body["outcome"] == "discretion":
        return f"The {name.title()} decides." if name else "A body decides."
    if body.get("modal") == "should":
        return "The ordinance says “should”: your confirmation counts."
    return None


def _proofs(dossier: Dossier, body: Body) -> list[dict[str, str]]:
    """The photos that show what the rule names as its evidence."""
    wanted = set(body.get("evidence") or ())
    names = shots.names_of(dossier.case.photos, dossier.case.form)
    return [
        {
            "label": names[photo.id],
            "href": url_for("photos.show", record_id=photo.record_id, sha256=photo.sha256),
        }
        for photo in dossier.case.photos
        if photo.row.get("shows") in wanted and photo.state in shots.HERE
    ]


def _in_book(dossier: Dossier, body: Body) -> str:
    """The page of its rule, in the version that the record is judged by."""
    return url_for("book.rule", rule=body["rule"], pack=dossier.record.pack_hash)


def _lacks(dossier: Dossier, body: Body) -> str:
    lacks = ", ".join(dossier.case.label(path) for path in body.get("missing") or ())
    why = body.get("message") or (f"needs {lacks}" if lacks else body.get("reason") or body["title"])
    return f"{body['title']}: {why}"


def _short(rules: list[str]) -> str:
    """`BV-TAP-01, 02, 05; OS-01 …`: ids in groups, cut after a line or two."""
    groups: dict[str, list[str]] = {}
    for rule in rules:
        stem, _, number = rule.rpartition("-")
        groups.setdefault(stem, []).append(number)
    text = "; ".join(f"{stem}-{', '.join(numbers)}" for stem, numbers in groups.items())
    return text if len(text) <= 110 else text[:110].rsplit(",", 1)[0].rsplit(";", 1)[0] + " …"
