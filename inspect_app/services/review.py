"""The office's review: what stands against an approval, and every step a reviewer takes.

Each step is one op of the village's own server device, written through the same door as a tablet's op, so it
is in the log, the history and the feed. The page and the service ask one function what stands in the way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inspect_app.domain.errors import IllegalTransition, NotFound, Refused
from inspect_app.domain.inspections import MOVES, OUTCOMES
from inspect_app.domain.protocols import Protocol
from inspect_app.services import findings, forms, ops, people
from inspect_app.services.contradictions import contradictions
from inspect_app.store import custody as custody_store
from inspect_app.store import findings as finding_store
from inspect_app.store import inspections as store
from inspect_app.store import photos as photo_store
from inspect_app.store import review as review_store
from inspect_app.store.findings import Finding, FindingDecision
from inspect_app.store.inspections import Conflict, Inspection
from inspect_app.store.people import Person
from inspect_app.store.photos import HERE, Photo

DECIDED = ("violation", "warning")  # what a reviewer confirms or disputes; discretion is a body's
SHORTEST_REASON = 4  # letters: shorter ones say nothing to whoever reads them in a year
LONGEST_REASON = 2000
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
STATE_SENTENCES = {
    "draft": "It is still a draft: the inspector has not submitted it.",
    "returned": "It went back to the inspector and comes again when they submit it.",
    "approved": "It is approved. A later change is an amendment.",
    "void": "It is void.",
}
Hindrance = tuple[str, str]


@dataclass(frozen=True)
class Case:
    """One record with everything a reviewer decides on.

    `findings` are the server's of the newest judged revision, by gravity; `decisions` those that still hold.
    """

    record: Inspection
    form: Protocol | None
    findings: Sequence[Mapping[str, Any]]
    from_tablet: Sequence[Mapping[str, Any]]
    decisions: Mapping[str, FindingDecision]
    conflicts: Sequence[Conflict]
    amendments: Sequence[Conflict]
    photos: Sequence[Photo]
    severities: Mapping[str, str]
    not_taken: Sequence[str]
    labels: Mapping[str, str]
    forked: Sequence[str]  # sample sets whose custody two people went on from one event
    contradictions: Sequence[str]  # what is told of its samples and cannot all be true

    @property
    def missing(self) -> list[Photo]:
        return [photo for photo in self.photos if photo.state not in HERE]

    def is_disputed(self, rule: str) -> bool:
        decision = self.decisions.get(rule)
        return decision is not None and decision.decision == "dispute"

    @property
    def standing(self) -> list[Mapping[str, Any]]:
        """Violations that nobody has disputed."""
        return [
            finding
            for finding in self.findings
            if finding["outcome"] == "violation" and not self.is_disputed(finding["rule"])
        ]

    def label(self, path: str) -> str:
        """The form's label of a field, or of a list's column: `lifts[1].depth` reads `Lifts 2: Depth`."""
        name, _, inner = path.partition("[")
        label = self.labels.get(name, name.replace("_", " "))
        if not inner:
            return label
        number, _, column = inner.partition("].")
        words = column.replace("_", " ")
        return f"{label} {int(number) + 1}: {words}" if number.isdigit() else label


def case(village: str, record_id: str) -> Case:
    """A record of this village and all that its review needs; raises NotFound."""
    record = store.inspection_in(village, record_id)
    if record is None:
        raise NotFound("There is no such record here. Check the address, or search the queue.")
    rows = finding_store.latest(record_id)
    form = forms.form_of(record.protocol, record.protocol_version)
    open_conflicts = [found for found in store.conflicts_of(record_id) if found.state == "open"]
    photos = photo_store.photos_of([record_id])
    rank = {outcome: number for number, outcome in enumerate(OUTCOMES)}
    return Case(
        record=record,
        form=form,
        findings=sorted((row.body for row in rows), key=lambda body: rank.get(body["outcome"], len(rank))),
        from_tablet=[row.body for row in finding_store.latest(record_id, "tablet")],
        decisions=_holding(record_id, rows),
        conflicts=[found for found in open_conflicts if found.kind != "amendment"],
        amendments=[found for found in open_conflicts if found.kind == "amendment"],
        photos=photos,
        severities=findings.severities(record),
        not_taken=[slot.label for slot in forms.photos_not_taken(record, form, photos)] if form else [],
        labels={field.name: field.label for _, field in form.fields()} if form else {},
        forked=custody_store.forked_sets(record_id),
        contradictions=contradictions(record),
    )


def _holding(record_id: str, current: Sequence[Finding]) -> dict[str, FindingDecision]:
    """The last decision on each rule, unless the finding has changed since: that was another finding."""
    made = finding_store.decisions(record_id)
    if not made:
        return {}
    now = {row.rule: row for row in current}
    then = review_store.findings_of_rules(record_id, {decision.rule for decision in made})
    holding: dict[str, FindingDecision] = {}
    for decision in made:
        before = [row for row in then if row.rule == decision.rule and row.at <= decision.at]
        finding = now.get(decision.rule)
        if finding and before and _says(before[-1]) == _says(finding):
            holding[decision.rule] = decision
        else:
            holding.pop(decision.rule, None)
    return holding


def _says(row: Finding) -> tuple[Any, ...]:
    return row.outcome, row.body.get("figure"), row.body.get("message"), row.value


def hindrances(found: Case, person: Person) -> list[Hindrance]:
    """What keeps this person from approving this record: (kind, sentence), the gravest first; empty: nothing.

    Kinds: state, inspector, violation, conflict, custody, photo, not_evaluated, open_item, unjudged.
    """
    reasons: list[Hindrance] = []
    state = found.record.state
    if found.record.deleted:
        reasons.append(("state", "The record was deleted in the field. Restore it first."))
    elif state not in MOVES["record.approve"][0]:
        reasons.append(("state", STATE_SENTENCES.get(state, f"It is {state.replace('_', ' ')}.")))
    if found.record.inspector_id == person.id:
        reasons.append(("inspector", "You are its inspector. Another reviewer decides."))
    standing = found.standing
    if standing:
        it = "it" if len(standing) == 1 else "them"
        reasons.append(
            (
                "violation",
                f"{_count(len(standing), 'violation stands', 'violations stand')}. "
                f"Return the record, or dispute {it} with a reason.",
            )
        )
    for conflict in found.conflicts:
        reasons.append(("conflict", f"{what_of(conflict, found.form)} is in conflict. Settle it first."))
    reasons += [("custody", f"{name}: {findings.FORKED}") for name in found.forked]
    reasons += [("custody", sentence) for sentence in found.contradictions]
    if found.missing:
        reasons.append(
            (
                "photo",
                f"{_count(len(found.missing), 'photo is', 'photos are')} promised and not here. "
                "Wait for the tablet, or return the record.",
            )
        )
    if found.not_taken:
        reasons.append(
            (
                "photo",
                f"{_count(len(found.not_taken), 'required photo was', 'required photos were')} not taken: "
                f"{', '.join(found.not_taken)}.",
            )
        )
    for finding in found.findings:
        rule = finding["rule"]
        if finding["outcome"] == "not_evaluated" and found.severities.get(rule) == "violation":
            lacks = ", ".join(found.label(path) for path in finding.get("missing") or ()) or "an answer"
            reasons.append(("not_evaluated", f"{rule} is not evaluated: {lacks} is missing."))
        elif finding.get("open_item") and not found.is_disputed(rule):
            says = finding.get("message") or finding["title"]
            reasons.append(("open_item", f"{rule} is open: {says}"))
    for amendment in found.amendments:
        reasons.append(
            ("conflict", f"{what_of(amendment, found.form)}: accept or decline the amendment first.")
        )
    if not found.findings:
        reasons.append(("unjudged", "The server has not judged this record. Report this."))
    return reasons


def what_of(conflict: Conflict, form: Protocol | None) -> str:
    """The title of the group two people changed; the whole record where one deleted what the other edited."""
    kind, _, name = conflict.what.partition(":")
    if kind != "group":
        return "The record"
    titles = (
        {group.name: group.title for section in form.sections for group in section.groups} if form else {}
    )
    return f"“{titles.get(name, name.replace('_', ' ').capitalize())}”"


def _count(number: int, one: str, many: str) -> str:
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {one if number == 1 else many}"


def take(village: str, record_id: str, by: Person, now: datetime) -> None:
    """Say that this reviewer has begun."""
    _move("record.review", village, record_id, by, now)


def approve(village: str, record_id: str, rev: int, by: Person, now: datetime) -> None:
    """Approve revision `rev` of a record; raises IllegalTransition with all that stands in the way.

    The op names the revision, so a change that arrives between this check and the write is not approved.
    """
    people.require(by, village, "reviewer")
    found = case(village, record_id)
    against = hindrances(found, by)
    if against:
        raise IllegalTransition(" ".join(sentence for _, sentence in against))
    _move("record.approve", village, record_id, by, now, rev=rev)


def send_back(village: str, record_id: str, reason: str, by: Person, now: datetime) -> None:
    """Return a record to its inspector, who reads the reason on the tablet."""
    _move("record.return", village, record_id, by, now, reason=_reason(reason))


def void(village: str, record_id: str, reason: str, by: Person, now: datetime) -> None:
    """Declare a record void; nothing of it is deleted."""
    _move("record.void", village, record_id, by, now, reason=_reason(reason))


def decide(
    village: str, record_id: str, rule: str, decision: str, reason: str, by: Person, now: datetime
) -> None:
    """Confirm or dispute one finding; to dispute needs a reason."""
    people.require(by, village, "reviewer")
    found = case(village, record_id)
    if found.record.inspector_id == by.id:
        raise Refused("You are its inspector. Another reviewer decides.")
    finding = next((one for one in found.findings if one["rule"] == rule), None)
    if finding is None or (finding["outcome"] not in DECIDED and not finding.get("open_item")):
        raise Refused(f"There is no finding of {rule} to decide on in this revision.")
    if decision not in ("confirm", "dispute"):
        raise Refused("Confirm the finding or dispute it.")
    if decision == "dispute":
        reason = _reason(reason)
    content = {"kind": "finding.decide", "record_id": record_id, "rule": rule, "decision": decision}
    ops.office_op(village, by, content | {"reason": reason.strip()[:LONGEST_REASON]}, now)


def settle(
    village: str,
    conflict_id: str,
    take: str,
    value: Mapping[str, Any] | None,
    reason: str,
    saw: Sequence[str],
    by: Person,
    now: datetime,
) -> Conflict:
    """Settle a conflict or an amendment: `take` is current, value, or the op of a candidate.

    `saw` are the ops the page showed (`shown_of`); one that came meanwhile keeps the conflict open, which is
    said by IllegalTransition. Returns the conflict as it was.
    """
    people.require(by, village, "reviewer")
    conflict = store.conflict(conflict_id)
    if conflict is None or conflict.village != village:
        raise NotFound("There is no such conflict here.")
    why = why_not_settle(conflict, by)
    if why:
        raise IllegalTransition(why)
    candidates = {candidate["op"] for candidate in conflict.candidates}
    if take not in ("current", "value") and take not in candidates:
        raise Refused("Choose which version stands.", errors={"take": ["Choose one."]})
    if take == "value" and not value:
        raise Refused("Enter the group as it was measured again.", errors={"take": ["No value is entered."]})
    content: dict[str, Any] = {
        "kind": "conflict.resolve",
        "record_id": conflict.record_id,
        "conflict_id": conflict_id,
        "take": "candidate" if take in candidates else take,
        "saw": list(saw),
        "reason": _reason(reason),
    }
    if take in candidates:
        content["candidate"] = take
    elif take == "value":
        content["value"] = dict(value or {})
    ops.office_op(village, by, content, now)
    return conflict


def shown_of(conflict: Conflict, record: Inspection) -> list[str]:
    """The ops a page about a conflict shows: the version in force and those that wait."""
    entry = record.doc["groups"].get(conflict.what.partition(":")[2])
    return [*([entry["op"]] if entry else []), *(candidate["op"] for candidate in conflict.candidates)]


def why_not_settle(conflict: Conflict, by: Person) -> str | None:
    """Why this person may not settle this conflict, or None."""
    if conflict.state != "open":
        return "This is settled already."
    authors = {candidate.get("by") for candidate in conflict.candidates}
    record = store.inspection(conflict.record_id)
    kind, _, name = conflict.what.partition(":")
    entry = record.doc["groups"].get(name) if record and kind == "group" else None
    if by.id in authors or (entry and entry.get("by") == by.id):
        return "One of the versions is yours. Another reviewer settles this."
    return None


def _move(kind: str, village: str, record_id: str, by: Person, now: datetime, **more: Any) -> None:
    people.require(by, village, *sorted(MOVES[kind][2]))
    if store.inspection_in(village, record_id) is None:
        raise NotFound("There is no such record here. Check the address, or search the queue.")
    ops.office_op(village, by, {"kind": kind, "record_id": record_id, **more}, now)


def _reason(text: str) -> str:
    text = " ".join(text.split())
    if len(text) < SHORTEST_REASON:
        why = "Say why, in words that somebody understands in a year."
        raise Refused(why, errors={"reason": [why]})
    return text[:LONGEST_REASON]
