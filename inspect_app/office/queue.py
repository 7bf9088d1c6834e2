"""The review queue: what waits, most urgent first, with saved views, search, filters and a preview."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from flask import g, render_template, request, url_for
from sqlalchemy import Row

from inspect_app.office import shots
from inspect_app.office.access import village_blueprint
from inspect_app.office.readings import ago, local
from inspect_app.services.forms import form_of
from inspect_app.store import findings, laboratory, people, photos, villages
from inspect_app.store import queue as store

bp = village_blueprint("queue", __name__)

STATE_WORDS = {
    "draft": "Draft",
    "submitted": "Submitted",
    "in_review": "In review",
    "returned": "Returned",
    "approved": "Approved",
    "void": "Void",
}
OUTCOME_WORDS = {
    "violation": "Violation",
    "warning": "Warning",
    "discretion": "Discretion",
    "not_evaluated": "Not evaluated",
    "information": "Information",
    "pass": "Pass",
    "not_applicable": "Not applicable",
}
SORT_WORDS = {"worst": "Worst first", "newest": "Newest first", "oldest": "Longest waiting first"}
MARKS = {  # outcome -> one, many
    "violation": ("violation", "violations"),
    "warning": ("warning", "warnings"),
    "discretion": ("decision", "decisions"),
    "not_evaluated": ("not evaluated", "not evaluated"),
}
EMPTY = {
    "review": "No inspection waits for review. What the tablets send arrives here by itself.",
    "conflict": "No two people measured the same thing differently.",
    "photos": "Every promised photo of the waiting records is here.",
    "amendments": "Nobody proposed a change to an approved record.",
}


@bp.get("/queue")
def index() -> Any:
    """One page of the queue by view, search and filters."""
    filters, complaint = _filters(request.args)
    found = store.page(g.village.slug, filters, request.args.get("after"))
    counts = store.counts(g.village.slug)
    now = datetime.now(UTC)
    chosen = request.args.get("show")
    selected = next((row for row in found.rows if row.id == chosen), found.rows[0] if found.rows else None)
    waits = filters.view not in ("returned", "drafts", "approved", "all", "amendments")
    in_review_view = filters.view == "review" and not _filtered(filters)
    return render_template(
        "queue.html",
        heading=_heading(filters, counts),
        today=f"{now.astimezone(_zone()):%A %-d %B %Y, %H:%M}",
        views=[_view(name, view, filters.view, counts) for name, view in store.VIEWS.items()],
        tablets=_tablets(now),
        laboratory=_laboratory(),
        action=url_for(".index"),
        filters=filters,
        from_day=request.args.get("from", ""),
        to_day=request.args.get("to", ""),
        selects=_selects(filters),
        filtered=_filtered(filters),
        clear_href=url_for(".index", view=filters.view),
        complaint=complaint,
        rows=[_row(row, selected, now) for row in found.rows],
        caption=store.VIEWS[filters.view].label,
        order=SORT_WORDS[filters.sort].lower(),
        waits=waits,
        empty=_empty(filters),
        preview=_preview(selected) if selected else None,
        next_href=url_for("record.show", record_id=found.rows[0].id)
        if in_review_view and found.rows and "reviewer" in g.roles and not request.args.get("after")
        else None,
        more_href=_here(after=found.after) if found.after else None,
        first_href=_here(after=None) if request.args.get("after") else None,
        page_size=store.PAGE,
    )


def _zone() -> ZoneInfo:
    return ZoneInfo(g.village.timezone)


def _filters(args: Mapping[str, str]) -> tuple[store.Filters, str | None]:
    """The filters of an address; what it does not know it leaves out, and a day it cannot read it says."""
    complaint = None
    days: dict[str, datetime | None] = {}
    for name, extra in (("from", 0), ("to", 1)):
        text = args.get(name, "")
        days[name] = None
        if text:
            try:
                day = date.fromisoformat(text) + timedelta(days=extra)
                days[name] = datetime(day.year, day.month, day.day, tzinfo=_zone())
            except (ValueError, OverflowError):
                complaint = f"{text[:20]} is not a day. Type it as 2026-06-18."
    view = args.get("view", "")
    text = args.get("q", "").strip()[:100]
    if view not in store.VIEWS:  # a search from the header looks everywhere
        view = "all" if text else "review"
    known = {form.kind for form in villages.protocols()}
    return (
        store.Filters(
            view=view,
            text=text,
            state=args.get("state", "") if args.get("state") in STATE_WORDS else "",
            protocol=args.get("kind", "") if args.get("kind") in known else "",
            outcome=args.get("finding", "") if args.get("finding") in store.OUTCOMES else "",
            inspector_id=args.get("inspector", "")[:36],
            since=days["from"],
            until=days["to"],
            sort=args.get("sort", "")
            if args.get("sort") in store.SORTS
            else ("worst" if view not in ("all", "approved", "drafts") else "newest"),
        ),
        complaint,
    )


def _filtered(filters: store.Filters) -> bool:
    return any(
        (
            filters.text,
            filters.state,
            filters.protocol,
            filters.outcome,
            filters.inspector_id,
            filters.since,
            filters.until,
        )
    )


def _here(**changed: str | None) -> str:
    """This address with some of its questions changed."""
    asked: dict[str, Any] = {**request.args.to_dict(), **changed}
    return url_for(".index", **{name: value for name, value in asked.items() if value})


def _heading(filters: store.Filters, counts: Mapping[str, int]) -> str:
    if filters.text:
        return f"Records with “{filters.text}”"
    if filters.view == "review":
        count = counts["review"]
        if not count:
            return "Nothing waits for review"
        return f"{count} inspection{' waits' if count == 1 else 's wait'} for review"
    return store.VIEWS[filters.view].label


def _view(name: str, view: store.View, current: str, counts: Mapping[str, int]) -> dict[str, Any]:
    return {
        "label": view.label,
        "count": counts.get(name),
        "href": url_for(".index", view=name),
        "current": name == current,
    }


def _tablets(now: datetime) -> list[dict[str, Any]]:
    slug = g.village.slug
    return [
        {
            "label": "Silent over 3 days",
            "count": people.silent_devices(slug, now - timedelta(days=3)),
            "href": url_for("devices.index"),
        },
        {"label": "Unsent items", "count": people.unsent_items(slug), "href": url_for("devices.index")},
        {"label": "Set aside", "count": store.quarantine_count(slug), "href": url_for("quarantine.index")},
    ]


def _laboratory() -> list[dict[str, Any]]:
    """Where reports of laboratories are read, for those who may."""
    if not set(g.roles) & {"reviewer", "administrator"}:
        return []
    slug = g.village.slug
    return [
        {"label": "Reports", "count": laboratory.file_count(slug), "href": url_for("laboratory.index")},
        {"label": "Rows that wait", "count": laboratory.tray_count(slug), "href": url_for("laboratory.tray")},
    ]


def _selects(filters: store.Filters) -> list[dict[str, Any]]:
    kinds = [(form.kind, form.title) for form in villages.protocols()]
    inspectors = [(person.id, person.name) for person in people.people_of(g.village.slug, "inspector")]
    return [
        {"label": "Kind", "name": "kind", "value": filters.protocol, "options": [("", "All kinds"), *kinds]},
        {
            "label": "Inspector",
            "name": "inspector",
            "value": filters.inspector_id,
            "options": [("", "Anyone"), *inspectors],
        },
        {"label": "Order", "name": "sort", "value": filters.sort, "options": list(SORT_WORDS.items())},
        {
            "label": "Worst finding",
            "name": "finding",
            "value": filters.outcome,
            "options": [("", "Any finding"), *OUTCOME_WORDS.items()],
        },
        {
            "label": "State",
            "name": "state",
            "value": filters.state,
            "options": [("", "Any state"), *STATE_WORDS.items()],
        },
    ]


def _row(row: Row[Any], selected: Row[Any] | None, now: datetime) -> dict[str, Any]:
    visited = local(row.begun_at, _zone())
    return {
        "href": url_for("record.show", record_id=row.id),
        "title": title_of(row.protocol, row.protocol_version),
        "number": row.number,
        "place": row.place,
        "permit_no": row.permit_no,
        "visited": f"{visited:%-d %b %H:%M}"
        if visited and visited.year == now.year
        else f"{visited:%-d %b %Y}",
        "inspector": row.inspector or "",
        "marks": _marks(row),
        "waits": ago(now - (row.submitted_at or row.received_at)),
        "state": STATE_WORDS[row.state],
        "selected": selected is not None and row.id == selected.id,
        "preview_href": _here(show=row.id),
    }


def title_of(protocol: str, version: str) -> str:
    """The form's title; a record whose form is not installed here still has its kind for a name."""
    form = form_of(protocol, version)
    return form.title if form else protocol.replace("_", " ").capitalize()


def _marks(row: Row[Any]) -> list[tuple[str, str]]:
    """What the row says at a glance: conflict first, then findings by gravity, then what is not here."""
    counts = row.counts or {}
    marks = (
        [("warning", "Conflict" if row.conflicts == 1 else f"{row.conflicts} conflicts")]
        if row.conflicts
        else []
    )
    for outcome, (one, many) in MARKS.items():
        count = counts.get(outcome) or 0
        if count:
            marks.append((outcome, f"{count} {one if count == 1 else many}"))
    if row.photos_missing:
        words = "photo missing" if row.photos_missing == 1 else "photos missing"
        marks.append(("not_evaluated", f"{row.photos_missing} {words}"))
    if counts.get("pass") and not any(counts.get(outcome) for outcome in MARKS):
        marks.insert(0, ("pass", "All pass"))
    return marks or [("not_evaluated", "Not judged yet")]


def _preview(row: Row[Any]) -> dict[str, Any]:
    """The worst findings of one row and the photo that proves the first of them."""
    found = findings.latest(row.id)
    order = {outcome: rank for rank, outcome in enumerate(store.OUTCOMES)}
    bodies = sorted((finding.body for finding in found), key=lambda body: order.get(body["outcome"], 9))
    lines = [
        (
            body["outcome"],
            body.get("figure") or body.get("message") or body["rule"],
            f"{body['title']}, {body['rule']}",
        )
        for body in bodies
        if body["outcome"] in ("violation", "warning", "discretion")
    ]
    hidden = len(lines) - 4
    lines = lines[:4]
    if hidden > 0:
        lines.append(("information", f"{hidden} more", ""))
    passes = sum(body["outcome"] == "pass" for body in bodies)
    open_ones = sum(body["outcome"] == "not_evaluated" for body in bodies)
    if passes or open_ones:
        tail = f", {open_ones} not evaluated" if open_ones else ""
        lines.append(("pass" if passes else "not_evaluated", f"{passes} pass{tail}", ""))
    wanted = [
        shows for body in bodies if body["outcome"] == "violation" for shows in body.get("evidence") or []
    ]
    pictures = [photo for photo in photos.photos_of([row.id]) if photo.state in shots.HERE]
    pictures.sort(key=lambda photo: photo.row.get("shows") not in wanted)
    form = form_of(row.protocol, row.protocol_version)
    return {
        "title": title_of(row.protocol, row.protocol_version),
        "number": row.number,
        "summary": f"{row.place}. {row.inspector or ''}, {STATE_WORDS[row.state].lower()}.",
        "lines": lines,
        "href": url_for("record.show", record_id=row.id),
        "photo": shots.picture(pictures[0], form, None) if pictures else None,
    }


def _empty(filters: store.Filters) -> str:
    if _filtered(filters):
        return "No inspection fits these filters."
    return EMPTY.get(filters.view, f"No inspection is in the view “{store.VIEWS[filters.view].label}”.")
