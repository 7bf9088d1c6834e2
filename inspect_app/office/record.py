"""One record under review: read it, decide its findings, approve it, return it, declare it void."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import flash, g, redirect, render_template, request, url_for

from inspect_app.domain.errors import IllegalTransition, Refused
from inspect_app.domain.inspections import MOVES
from inspect_app.office import earlier, record_aside, record_findings, record_values, results
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.dossier import Dossier, open_dossier
from inspect_app.office.queue import STATE_WORDS, title_of
from inspect_app.services import review, revisits
from inspect_app.store import queue
from inspect_app.store.inspections import Conflict

bp = village_blueprint("record", __name__)

REVIEWERS = ("reviewer", "administrator")


@bp.get("/records/<record_id>")
def show(record_id: str) -> Any:
    """The record: findings to decide, values beside their proof, what stands before an approval."""
    return _page(record_id)


@bp.post("/records/<record_id>/take")
@roles_required(*REVIEWERS)
def take(record_id: str) -> Any:
    """Say that this reviewer has begun."""
    return _step(
        record_id, lambda now: review.take(g.village.slug, record_id, g.person, now), "You review it now."
    )


@bp.post("/records/<record_id>/approve")
@roles_required("reviewer")
def approve(record_id: str) -> Any:
    """Approve the revision that was read."""
    rev = request.form.get("rev", -1, type=int)
    return _step(
        record_id,
        lambda now: review.approve(g.village.slug, record_id, rev, g.person, now),
        "Approved. The record cannot be changed any more.",
    )


@bp.post("/records/<record_id>/return")
@roles_required(*REVIEWERS)
def send_back(record_id: str) -> Any:
    """Return the record to its inspector with a reason."""
    reason = request.form.get("reason", "")
    return _step(
        record_id,
        lambda now: review.send_back(g.village.slug, record_id, reason, g.person, now),
        "Returned. The inspector reads your reason on the tablet.",
    )


@bp.post("/records/<record_id>/void")
@roles_required(*REVIEWERS)
def void(record_id: str) -> Any:
    """Declare the record void with a reason."""
    reason = request.form.get("reason", "")
    return _step(
        record_id,
        lambda now: review.void(g.village.slug, record_id, reason, g.person, now),
        "The record is void. Nothing of it is deleted.",
    )


@bp.post("/records/<record_id>/findings/<rule>")
@roles_required("reviewer")
def decide(record_id: str, rule: str) -> Any:
    """Confirm or dispute one finding."""
    decision, reason = request.form.get("decision", ""), request.form.get("reason", "")
    return _step(
        record_id,
        lambda now: review.decide(g.village.slug, record_id, rule, decision, reason, g.person, now),
        f"{rule} is {'confirmed' if decision == 'confirm' else 'disputed'}.",
        anchor=f"rule-{rule}",
    )


def _step(record_id: str, write: Callable[[datetime], Any], done: str, anchor: str | None = None) -> Any:
    """Take one step; what stands in the way is said on the page itself."""
    try:
        write(datetime.now(UTC))
    except Refused as refusal:
        return _page(record_id, str(refusal)), 422
    except IllegalTransition as refusal:
        return _page(record_id, str(refusal)), 409
    flash(done, "pass")
    return redirect(url_for(".show", record_id=record_id, _anchor=anchor))


def _page(record_id: str, complaint: str | None = None) -> Any:
    dossier = open_dossier(record_id)
    record = dossier.record
    place = queue.place_in_queue(g.village.slug, record_id, queue.Filters())
    return render_template(
        "record.html",
        record=record,
        title=title_of(record.protocol, record.protocol_version),
        summary=_summary(dossier),
        queue_href=url_for("queue.index"),
        in_queue=f"{place} of {queue.counts(g.village.slug)['review']}" if place else None,
        steps=_steps(dossier),
        complaint=complaint,
        returned=_returned(dossier),
        clashes=[_clash(dossier, conflict) for conflict in dossier.case.conflicts],
        amendments=[_amendment(dossier, conflict) for conflict in dossier.case.amendments],
        **record_findings.column(dossier),
        **record_values.column(dossier),
        **record_aside.column(dossier),
        **earlier.column(dossier),
        **results.column(dossier),
    )


def _summary(dossier: Dossier) -> str:
    record = dossier.record
    begun = record.begun_at.astimezone(dossier.zone)
    permit = f"Permit {record.permit_no}. " if record.permit_no else ""
    state = "Deleted in the field" if record.deleted else STATE_WORDS[record.state]
    copied = dossier.answers.get("transcribed_by")
    paper = f" Copied from paper by {copied}." if copied else ""
    return (
        f"{permit}{dossier.who(record.inspector_id)}, {begun:%A %-d %B %Y %H:%M}. "
        f"{state}, revision {record.rev}, rules {record.pack_hash[:6]}.{paper}"
    )


def _steps(dossier: Dossier) -> list[dict[str, Any]]:
    """What a person may do next; a step that is not possible stays, with the gate that says why."""
    record = dossier.record
    if not set(g.roles) & set(REVIEWERS):
        return []
    steps: list[dict[str, Any]] = []
    against = review.hindrances(dossier.case, g.person)
    is_own = record.inspector_id == g.person.id
    waiting = record.state in MOVES["record.approve"][0] and not record.deleted
    if record.state in MOVES["record.review"][0] and not is_own:
        steps.append({"name": "take", "label": "Take into review", "possible": True})
    if waiting and "reviewer" in g.roles:
        steps.append(
            {"name": "approve", "label": "Approve", "possible": not against, "why": "gate-1", "primary": True}
        )
    if waiting and not is_own:
        steps.append(
            {
                "name": "send_back",
                "label": "Return for correction",
                "possible": True,
                "asks": "What is to be corrected; the inspector reads this on the tablet",
                "does": "Return the record",
                "primary": bool(against) or "reviewer" not in g.roles,
            }
        )
    if record.state in revisits.HANDED_IN and not record.deleted:
        href = url_for("assignments.new", again=record.id)
        steps.append({"name": "again", "label": "Inspect again", "possible": True, "href": href})
    if record.state in MOVES["record.void"][0]:
        steps.append(
            {
                "name": "void",
                "label": "Declare void",
                "possible": True,
                "asks": "Why the record is void, kept for ever",
                "does": "Declare the record void",
                "final": True,
            }
        )
    order = (
        {"void": 0, "again": 0, "take": 1, "approve": 2, "send_back": 3}
        if against
        else {"void": 0, "again": 0, "take": 1, "send_back": 2}
    )
    steps.sort(key=lambda step: order.get(step["name"], 9))
    return [
        step if "href" in step else step | {"action": url_for(f".{step['name']}", record_id=record.id)}
        for step in steps
    ]


def _returned(dossier: Dossier) -> dict[str, str] | None:
    said = dossier.doc.get("returned")
    if dossier.record.state != "returned" or not said:
        return None
    return {"by": dossier.who(said["by"]), "at": dossier.at(said["at"]), "reason": said["reason"]}


def _clash(dossier: Dossier, conflict: Conflict) -> dict[str, str]:
    names = [dossier.who(candidate["by"]) for candidate in conflict.candidates]
    what = review.what_of(conflict, dossier.case.form)
    if conflict.what == "record":
        sentence = f"{' and '.join(names)} deleted it, others changed it. Both are kept."
    else:
        sentence = f"{' and '.join(names)} sent other values. Nothing was overwritten."
    return {
        "title": f"{what} is in conflict.",
        "sentence": sentence,
        "href": url_for("conflicts.show", conflict_id=conflict.id),
    }


def _amendment(dossier: Dossier, conflict: Conflict) -> dict[str, Any]:
    """A change that came after the approval, beside what was approved."""
    candidate = conflict.candidates[-1]
    name = conflict.what.partition(":")[2]
    group = dossier.group(name)
    before = dossier.record.doc["groups"].get(name, {}).get("values", {})
    labels = {field.name: field.label for field in group.fields} if group else {}
    fields = [field for field in labels if field in before or field in candidate["values"]]
    fields += [field for field in candidate["values"] if field not in labels]
    may = "reviewer" in g.roles
    why = review.why_not_settle(conflict, g.person) if may else "A reviewer accepts or declines it."
    if may and not why and dossier.record.inspector_id == g.person.id:
        why = "You are its inspector. Another reviewer decides."
    several = len(conflict.candidates) > 1  # then each is read beside the others before one is taken
    rows = [
        {
            "label": labels.get(field, field.replace("_", " ").capitalize()),
            "before": dossier.shown(field, before),
            "after": dossier.shown(field, candidate["values"]),
            "changed": before.get(field) != candidate["values"].get(field),
        }
        for field in fields
    ]
    return {
        "id": conflict.id,
        "group": group.title if group else name.replace("_", " "),
        "by": dossier.who(candidate["by"]),
        "at": dossier.at(candidate["at"]),
        "candidate": candidate["op"],
        "saw": review.shown_of(conflict, dossier.record),
        "rows": rows,
        "same": ", ".join(row["label"] for row in rows if not row["changed"]),
        "action": url_for("conflicts.settle", conflict_id=conflict.id) if not (why or several) else None,
        "why": why,
        "compare": url_for("conflicts.show", conflict_id=conflict.id) if several else None,
    }
