"""Conflicts: the list, both versions side by side with what the rules say of each, and the decision."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask import flash, g, redirect, render_template, request, url_for

from inspect_app.domain.errors import IllegalTransition, NotFound, Refused
from inspect_app.office import conflict_versions as sides
from inspect_app.office import regroup
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.dossier import Dossier, names_of, open_dossier
from inspect_app.office.queue import title_of
from inspect_app.office.readings import words
from inspect_app.services import review
from inspect_app.services.forms import form_of
from inspect_app.store import inspections as store
from inspect_app.store import queue
from inspect_app.store.inspections import Conflict

bp = village_blueprint("conflicts", __name__)

Body = Mapping[str, Any]
KINDS = {
    "group": "Measured twice",
    "amendment": "Amendment of an approved record",
    "edit_after_delete": "Edited after it was deleted",
    "delete_after_edit": "Deleted after it was edited",
}
TAKEN = {
    "current": "kept the version in force",
    "candidate": "took a waiting version",
    "value": "entered it anew",
}


@bp.get("/conflicts")
def index() -> Any:
    """All open conflicts of the village, oldest first."""
    rows = queue.open_conflicts(g.village.slug)
    ids = {candidate["by"] for conflict, _ in rows for candidate in conflict.candidates}
    names = names_of(g.village.slug, ids)
    count = len(rows)
    return render_template(
        "conflicts.html",
        heading=f"{count} conflict{'s' if count != 1 else ''} to settle"
        if count
        else "Nothing is in conflict",
        queue_href=url_for("queue.index"),
        rows=[_row(conflict, record, names) for conflict, record in rows],
    )


def _row(conflict: Conflict, record: Any, names: Mapping[str, str]) -> dict[str, Any]:
    form = form_of(record.protocol, record.protocol_version)
    name = conflict.what.partition(":")[2]
    entry = record.doc["groups"].get(name)
    return {
        "href": _address(conflict),
        "title": review.what_of(conflict, form),
        "kind": KINDS.get(conflict.kind, words(conflict.kind)),
        "record": f"{title_of(record.protocol, record.protocol_version)} {record.number}",
        "place": record.place,
        "current": names.get(entry["by"], "Somebody who left") if entry else "",
        "candidates": [names.get(one["by"], "Somebody who left") for one in conflict.candidates],
    }


def _address(conflict: Conflict) -> str:
    """One amendment is decided on its record's page, every other conflict on its own."""
    if _on_record(conflict):
        return url_for("record.show", record_id=conflict.record_id)
    return url_for(".show", conflict_id=conflict.id)


def _on_record(conflict: Conflict) -> bool:
    return conflict.kind == "amendment" and len(conflict.candidates) == 1


@bp.get("/conflicts/<conflict_id>")
def show(conflict_id: str) -> Any:
    """Both versions side by side."""
    return _page(conflict_id)


@bp.post("/conflicts/<conflict_id>")
@roles_required("reviewer")
def settle(conflict_id: str) -> Any:
    """Settle a conflict or an amendment, with a reason."""
    conflict = _conflict(conflict_id)
    take, reason = request.form.get("take", ""), request.form.get("reason", "")
    saw = request.form.getlist("saw")
    value: dict[str, Any] | None = None
    wrong: dict[str, str] = {}
    if take == "value":
        value, wrong = regroup.read(open_dossier(conflict.record_id), conflict, request.form)
    try:
        if wrong:
            raise Refused("A reading cannot be read. Correct it below; nothing was settled.")
        review.settle(g.village.slug, conflict_id, take, value, reason, saw, g.person, datetime.now(UTC))
    except (Refused, IllegalTransition) as refusal:
        status = 422 if isinstance(refusal, Refused) else 409
        if _on_record(conflict):
            flash(str(refusal), "warning")
            return redirect(url_for("record.show", record_id=conflict.record_id))
        return _page(conflict_id, str(refusal), wrong), status
    flash(_done(conflict, take), "pass")
    return redirect(url_for("record.show", record_id=conflict.record_id))


def _done(conflict: Conflict, take: str) -> str:
    if conflict.kind == "amendment":
        if take == "current":
            return "The amendment is declined. The approved record stands; the proposal stays in its history."
        return "The amendment is accepted. The record waits for approval again."
    return "The conflict is settled. All versions stay in the history."


def _conflict(conflict_id: str) -> Conflict:
    conflict = store.conflict(conflict_id)
    if conflict is None or conflict.village != g.village.slug:
        raise NotFound("There is no such conflict here. Check the address, or open the list of conflicts.")
    return conflict


def _page(conflict_id: str, complaint: str | None = None, wrong: Mapping[str, str] | None = None) -> Any:
    conflict = _conflict(conflict_id)
    if _on_record(conflict) and conflict.state == "open":
        return redirect(_address(conflict))
    dossier = open_dossier(conflict.record_id)
    record = dossier.record
    versions = sides.versions_of(dossier, conflict)
    is_group = conflict.what.startswith("group:")
    rows = sides.rows(dossier, conflict, versions) if is_group else []
    why_not = _why_not(conflict)
    settled = _settled(dossier, conflict)
    judged = [version["findings"] for version in versions]
    drawn = [sides.drawn(dossier, version) for version in versions] if is_group else []
    chosen = request.form.get("take", "")
    return render_template(
        "conflict.html",
        record=record,
        title=title_of(record.protocol, record.protocol_version),
        heading=_heading(dossier, conflict),
        summary=_summary(dossier, conflict, versions),
        group=review.what_of(conflict, dossier.case.form),
        queue_href=url_for("queue.index"),
        record_href=url_for("record.show", record_id=record.id),
        complaint=complaint,
        versions=versions,
        before_rev=sides.before(dossier, conflict)[1],
        changed=[row for row in rows if row["changed"]],
        same=[row for row in rows if not row["changed"]],
        same_title=", ".join(row["label"] for row in rows if not row["changed"]),
        notes=sides.notes(dossier, versions),
        photos=sides.photos(dossier, versions),
        drawn=drawn if any(drawn) else [],
        findings=sides.finding_rows(judged),
        action=url_for(".settle", conflict_id=conflict.id) if not (why_not or settled) else None,
        why_not=why_not,
        settled=settled,
        saw=review.shown_of(conflict, record),
        choices=sides.choices(dossier, conflict, versions),
        chosen=chosen,
        fields=regroup.fields(dossier, conflict, request.form, wrong or {}) if is_group else [],
        reason=request.form.get("reason", ""),
    )


def _why_not(conflict: Conflict) -> str | None:
    if "reviewer" not in g.roles:
        return "A reviewer settles this."
    return review.why_not_settle(conflict, g.person)


def _settled(dossier: Dossier, conflict: Conflict) -> str | None:
    if conflict.state == "open":
        return None
    said = conflict.resolution or {}
    how = TAKEN.get(str(said.get("take")), "settled it")
    reason = f" {said['reason']}" if said.get("reason") else ""
    return f"{dossier.who(said.get('by'))} {how}, {dossier.at(said.get('at'))}.{reason}"


def _heading(dossier: Dossier, conflict: Conflict) -> str:
    what = review.what_of(conflict, dossier.case.form)
    if conflict.what == "record":
        return KINDS.get(conflict.kind, "The record is in conflict")
    number = len(conflict.candidates) + 1
    people = review.NUMBERS[number] if number < len(review.NUMBERS) else str(number)
    return f"{people} people measured the same thing: {what}"


def _summary(dossier: Dossier, conflict: Conflict, versions: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(dossier.who(version["by"]) for version in versions))
    who = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    if conflict.what == "record":
        return (
            f"{who} changed or deleted this record without having seen what the other did. Nothing is lost."
        )
    return (
        f"{who} changed this group without having seen the other's values. Nothing was overwritten. "
        "Choose which whole group stands."
    )
