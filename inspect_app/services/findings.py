"""The server's own findings: the same pack by hash, the same answers, judged again beside the tablet's.

The tablet's findings are kept as they came. Where the two differ for one and the same revision, both are kept
and shown, and the difference is logged as a defect.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import insert

from inspect_app.domain import inspections, lab_results, packs, rules
from inspect_app.domain.packs import Pack
from inspect_app.services import documents
from inspect_app.services.contradictions import contradictions
from inspect_app.store import custody as custody_store
from inspect_app.store import findings as store
from inspect_app.store import inspections as inspection_store
from inspect_app.store import photos as photo_store
from inspect_app.store import places, sync, villages
from inspect_app.store.base import db
from inspect_app.store.findings import Finding, PackRow
from inspect_app.store.inspections import Inspection

JUDGED_STATES = ("submitted", "in_review", "approved")
FORKED = "its custody has two holders. A person at the samples records an event that names both."
COMPARED = ("outcome", "boundary", "value")

log = structlog.get_logger()


def judge(record: Inspection, now: datetime) -> list[dict[str, Any]]:
    """Evaluate a record's rules as it stands and keep what they say, under its revision.

    Returns the findings; none where the record's pack is not known here. Called inside the transaction of the
    change, so that a record is never seen with findings of an earlier revision.
    """
    pack = pack_of(record)
    if pack is None:
        log.error("pack_unknown", record=record.id, pack=record.pack_hash)
        return []
    found = evaluate(record, pack)
    _keep(record, "server", found, record.pack_hash, now)
    counts: dict[str, Any] = dict.fromkeys(inspections.OUTCOMES, 0)
    for finding in found:
        counts[finding["outcome"]] += 1
    counts["open_items"] = sum(1 for finding in found if finding["open_item"])
    if "differ" in record.counts:
        counts["differ"] = record.counts["differ"]
    outcomes = {finding["outcome"] for finding in found}
    for conflict in inspection_store.open_conflicts([record.id]):
        if conflict.kind == "group":
            # Until somebody has settled it, the record is no better than the worse of its two versions.
            group = conflict.what.removeprefix("group:")
            for candidate in conflict.candidates:
                instead = evaluate(record, pack, {group: candidate["values"]})
                outcomes |= {finding["outcome"] for finding in instead}
    record.counts = counts
    record.worst = inspections.worst(outcomes)
    return found


def evaluate(
    record: Inspection, pack: Pack | None = None, instead: Mapping[str, Mapping[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """What the rules say about a record, without keeping it.

    `instead` puts other values in the place of groups ({group: values}): what a conflict's candidate gives.
    """
    pack = pack or pack_of(record)
    if pack is None:
        return []
    doc = documents.pulled(record)
    for group, values in (instead or {}).items():
        doc["groups"][group] = {**doc["groups"].get(group, {}), "values": dict(values)}
    context, answers = context_of(record), inspections.answers_of(doc)
    found = rules.evaluate(
        pack,
        record.protocol,
        answers,
        context,
        on=day_of(record, context),
        beside=bool(answers.get(lab_results.LIST)),
    )
    own = _own_rules(record, pack)
    return [finding.to_json() for finding in found if finding.rule in own or _is_about_results(finding)]


def _own_rules(record: Inspection, pack: Pack) -> set[str]:
    """The rules of the record's own form, which its tablet judges by too."""
    return {rule["id"] for rule in pack.rules if record.protocol in rule["kinds"]}


def _is_about_results(finding: rules.Finding) -> bool:
    """Whether an office rule looked at what the laboratory reported; the others stand beside no visit."""
    return any(path.partition("[")[0] == lab_results.LIST for path in finding.reads)


def compare(
    record: Inspection, from_tablet: Sequence[Mapping[str, Any]], same_revision: bool, now: datetime
) -> None:
    """Keep the tablet's findings, and mark the rules on which the server says something else.

    Only findings about the very same revision can be compared: after a merge they rightly differ.
    """
    _keep(record, "tablet", from_tablet, record.pack_hash, now)
    if not same_revision:
        return
    ours = {finding.rule: finding for finding in store.latest(record.id, "server")}
    theirs = {str(finding["rule"]): finding for finding in from_tablet}
    pack = pack_of(record)  # a tablet judges by the rules of the form, without what laboratories reported
    own = _own_rules(record, pack) if pack else set()
    ours = {rule: finding for rule, finding in ours.items() if rule in own}
    differ = sorted(
        rule
        for rule in ours.keys() | theirs.keys()
        if rule not in ours
        or rule not in theirs
        or any(getattr(ours[rule], name) != theirs[rule].get(name) for name in COMPARED)
    )
    record.counts = {**record.counts, "differ": differ}
    if differ and ours:
        log.error("findings_differ", record=record.id, rev=record.rev, rules=differ)


def severities(record: Inspection) -> dict[str, str]:
    """What a failed check of each rule gives that judges this record: {rule: violation, warning ...}.

    An id may stand once for each of two forms: the one of the record's own form counts.
    """
    pack = pack_of(record)
    judged = [rule for rule in pack.rules if record.protocol in rule["kinds"]] if pack else []
    return {rule["id"]: rule.get("severity", "violation") for rule in judged}


def obstacles(record: Inspection, open_conflicts: int) -> list[str]:
    """Why the record cannot be approved yet, in words; empty when nothing stands in the way."""
    forked = [f"{name}: {FORKED}" for name in custody_store.forked_sets(record.id)]
    return (
        forked
        + contradictions(record)
        + inspections.obstacles(
            open_conflicts=open_conflicts,
            photos_missing=photo_store.missing_count(record.id),
            deleted=record.deleted,
            findings=[finding.body for finding in store.latest(record.id)],
            severities=severities(record),
            decided={decision.rule for decision in store.decisions(record.id)},
        )
    )


def pack_of(record: Inspection) -> Pack | None:
    """The pack this record was begun under, or None if this server never had it."""
    return _by_hash(record.pack_hash)


def know_pack(pack_hash: str, village: str, now: datetime) -> bool:
    """Keep the pack of this name for ever, if the village published it; false if it is not known."""
    if store.pack_row(pack_hash):
        return True
    for pack in villages.packs_of(village):
        if pack.hash == pack_hash:
            keep_pack(pack, village, now)
            return True
    return False


def keep_pack(pack: Pack, village: str, now: datetime) -> None:
    """Keep a published pack word for word: a record made under it is judged by it in ten years."""
    if store.pack_row(pack.hash) is None:
        sync.insert_if_new(
            PackRow, hash=pack.hash, village=village, canonical=pack.canonical.decode(), first_used_at=now
        )


def context_of(record: Inspection) -> dict[str, Any]:
    """What rules are told beside the answers: the tablet's word, overlaid by what the server knows."""
    village = villages.village(record.village)
    assignment = places.assignment(record.assignment_id, record.village) if record.assignment_id else None
    return {
        "closing_out": False,
        **record.context,
        **(assignment.context if assignment else {}),
        "village": record.village,
        "village_latitude": village.latitude,
        "village_longitude": village.longitude,
        "timezone": village.timezone,
        "tap_permissions": tap_permissions(record.village),
        "record_state": record.state,
        **({"parent_record": record.parent_record} if record.parent_record else {}),
    }


def tap_permissions(village: str) -> list[dict[str, str]]:
    """The list of those who may tap mains, as rules and tablets read it."""
    return [
        {
            "tapper": permission.tapper,
            "valid_from": permission.valid_from.isoformat(),
            **({"valid_until": permission.valid_until.isoformat()} if permission.valid_until else {}),
        }
        for permission in places.tap_permissions(village)
    ]


def day_of(record: Inspection, context: Mapping[str, Any]) -> date:
    """The civil day whose rules hold: the one the tablet judged by, or that on which the visit was begun."""
    today = context.get("today")
    if isinstance(today, str):
        try:
            return date.fromisoformat(today)
        except ValueError:
            log.warning("today_unreadable", record=record.id, today=today)
    return record.begun_at.astimezone(ZoneInfo(str(context["timezone"]))).date()


def _keep(
    record: Inspection, source: str, findings: Iterable[Mapping[str, Any]], pack_hash: str, now: datetime
) -> None:
    rows = [
        {
            "village": record.village,
            "record_id": record.id,
            "rev": record.rev,
            "source": source,
            "rule": str(finding["rule"])[:40],
            "outcome": str(finding["outcome"])[:20],
            "boundary": finding.get("boundary") is True,
            "value": None if finding.get("value") is None else str(finding["value"]),
            "body": dict(finding),
            "pack_hash": pack_hash,
            "at": now,
        }
        for finding in findings
    ]
    if rows:
        db.session.flush()
        db.session.execute(insert(Finding), rows)


def _by_hash(pack_hash: str) -> Pack | None:
    row = store.pack_row(pack_hash)
    return read_pack(row.canonical, pack_hash) if row else None


@lru_cache(maxsize=64)
def read_pack(canonical: str, pack_hash: str) -> Pack:
    """The pack of these bytes, kept in memory: packs never change."""
    return packs.read(canonical, pack_hash)
