"""An inspection as a document: its states and who may move them, its answers, the hash that is signed."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Any

from inspect_app.domain.errors import IllegalTransition, NotAllowed

STATES = ("draft", "submitted", "in_review", "returned", "approved", "void")
OPEN_STATES = ("draft", "submitted", "in_review", "returned")
OFFICE_ROLES = frozenset({"reviewer", "administrator"})

# op kind -> (from these states, to this state, roles that may)
MOVES: dict[str, tuple[frozenset[str], str, frozenset[str]]] = {
    "record.submit": (
        frozenset({"draft", "submitted", "in_review", "returned"}),
        "submitted",
        frozenset({"inspector", "reviewer", "administrator"}),
    ),
    "record.review": (frozenset({"submitted"}), "in_review", OFFICE_ROLES),
    "record.return": (frozenset({"submitted", "in_review"}), "returned", OFFICE_ROLES),
    "record.approve": (frozenset({"submitted", "in_review"}), "approved", OFFICE_ROLES),
    "record.reopen": (frozenset({"approved", "void"}), "in_review", OFFICE_ROLES),
    "record.void": (
        frozenset({"draft", "submitted", "in_review", "returned", "approved"}),
        "void",
        frozenset({"administrator", "reviewer"}),
    ),
}
MUST_SAY_WHY = frozenset({"record.return", "record.void", "record.reopen"})
NOT_BY_ITS_INSPECTOR = frozenset({"record.approve", "record.return", "record.review", "record.reopen"})
OUTCOMES = (
    "violation",
    "warning",
    "discretion",
    "not_evaluated",
    "information",
    "pass",
    "not_applicable",
)


def move(kind: str, state: str, roles: Collection[str], by_its_inspector: bool) -> str:
    """The state after this step; raises IllegalTransition or NotAllowed with the reason."""
    from_states, to_state, may = MOVES[kind]
    word = kind.removeprefix("record.")
    if not may & set(roles):
        raise NotAllowed(f"To {word} a record needs the role {' or '.join(sorted(may))}.")
    if kind in NOT_BY_ITS_INSPECTOR and by_its_inspector:
        raise NotAllowed("The reviewer of a record is never its inspector. Ask another reviewer.")
    if state not in from_states:
        raise IllegalTransition(
            f"The record is {state.replace('_', ' ')}, so you cannot {word} it. "
            f"That works on a record that is {' or '.join(sorted(from_states)).replace('_', ' ')}."
        )
    return to_state


def obstacles(
    *,
    open_conflicts: int,
    photos_missing: int,
    deleted: bool,
    findings: Iterable[Mapping[str, Any]],
    severities: Mapping[str, str],
    decided: Collection[str],
) -> list[str]:
    """Why this record cannot be approved yet, in words; empty when nothing stands in the way.

    `findings` as stored, `severities` from rule to what a failed check gives, `decided` the rules on which a
    reviewer has given their word.
    """
    reasons = []
    if deleted:
        reasons.append("The record was deleted. Restore it first.")
    if open_conflicts:
        reasons.append(
            f"{open_conflicts} conflict{'s are' if open_conflicts > 1 else ' is'} open. Settle it first."
        )
    if photos_missing:
        reasons.append(
            f"{photos_missing} photo{'s have' if photos_missing > 1 else ' has'} not arrived. "
            "Wait for the tablet, or return the record."
        )
    any_finding = False
    for finding in findings:
        any_finding = True
        rule, outcome = finding["rule"], finding["outcome"]
        if outcome == "not_evaluated" and severities.get(rule) == "violation":
            missing = ", ".join(finding.get("missing") or ()) or "an answer"
            reasons.append(f"{rule} could not be evaluated: {missing} is missing.")
        elif finding.get("open_item") and rule not in decided:
            reasons.append(f"{rule} is an open item. Decide it, or return the record.")
    if not any_finding:
        reasons.append("The server has not checked this record yet. Return it, or report this.")
    return reasons


def empty_doc() -> dict[str, Any]:
    return {"groups": {}, "lists": {}, "submitted": None}


def answers_of(doc: Mapping[str, Any]) -> dict[str, Any]:
    """One flat object of answers from a document as pulled: groups, lists, photos and custody events.

    The twin is static/pwa/store/answers.js; both give the same result.
    """
    answers: dict[str, Any] = {}
    for group in doc.get("groups", {}).values():
        answers.update(group["values"])
    for name, rows in doc.get("lists", {}).items():
        if rows:
            answers[name] = [row["row"] for row in rows]
    photos = doc.get("photos") or ()
    if photos:
        answers["photos"] = [{**photo["row"], "photo": photo["photo_id"]} for photo in photos]
    events = [event["says"] for event in doc.get("custody") or () if isinstance(event.get("says"), dict)]
    if events:
        answers["custody_events"] = events
    return answers


def revision_hash(groups: Mapping[str, Mapping[str, Any]], photo_hashes: Iterable[str]) -> str:
    """The hash a signature is bound to: what was measured and photographed, without the signatures."""
    said = {name: entry["values"] for name, entry in groups.items() if name != "signatures"}
    return hashlib.sha256(canonical({"groups": said, "photos": sorted(photo_hashes)}).encode()).hexdigest()


def canonical(value: Any) -> str:
    """JSON with sorted keys, without spaces, numbers as JavaScript writes them: one text on both sides."""
    if isinstance(value, dict):
        members = (f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(canonical(inner) for inner in value) + "]"
    if isinstance(value, float):
        return _number_as_in_javascript(value)
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _number_as_in_javascript(number: float) -> str:
    """Both languages write the shortest digits that read back; they differ in when they use an exponent."""
    exact = Decimal(repr(number))
    if number == 0:
        return "0"
    if 1e-6 <= abs(number) < 1e21:
        text = format(exact, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    sign, digits, _ = exact.normalize().as_tuple()
    first, *rest = map(str, digits)
    power = exact.adjusted()
    mantissa = f"{first}.{''.join(rest)}" if rest else first
    return f"{'-' if sign else ''}{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def worst(outcomes: Iterable[str]) -> str | None:
    """The outcome that comes first in the order of gravity."""
    found = set(outcomes)
    return next((outcome for outcome in OUTCOMES if outcome in found), None)
