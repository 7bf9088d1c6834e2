"""Reports of laboratories: read, looked at, entered; and the tray of rows that wait for a person."""

import time
from datetime import UTC, datetime
from typing import Any

from flask import Response, flash, g, redirect, render_template, request, send_file, url_for

from inspect_app.domain import lab_words
from inspect_app.domain.errors import Refused
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.filters import many
from inspect_app.office.results import shown_row
from inspect_app.services import laboratory
from inspect_app.store import inspections, people
from inspect_app.store import laboratory as store
from inspect_app.store.blobs import blobs
from inspect_app.store.laboratory import LabFile

bp = village_blueprint("laboratory", __name__)

OFFICE = ("reviewer", "administrator")
LARGEST_FILE_BYTES = 40 * 1024 * 1024
SECONDS_AT_ONCE = 4  # of entering, before the page says how far it is
ROWS_SHOWN = 100
# state -> (outcome whose shape and colour it has, what is said of so many rows)
STATES = {
    "ready": ("information", "ready to be entered"),
    "applied": ("pass", "entered"),
    "same": ("pass", "said before, the same"),
    "quality": ("not_applicable", "quality control of the laboratory"),
    "tray": ("warning", "in the tray: a person decides"),
    "refused": ("violation", "refused"),
    "settled": ("not_applicable", "left unused by a person"),
}


@bp.url_value_preprocessor
def _large_files(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Reports are longer than pages' forms; said here, since the check of the form's token reads the body."""
    request.max_content_length = LARGEST_FILE_BYTES


@bp.get("/laboratory")
@roles_required(*OFFICE)
def index() -> Any:
    """The reports that came, newest first, and where to bring the next one."""
    return _index()


@bp.post("/laboratory")
@roles_required(*OFFICE)
def bring() -> Any:
    """Read a report; nothing is entered yet."""
    given = request.files.get("report")
    if given is None or not given.filename:
        return _index("Choose the laboratory's file first."), 422
    try:
        file, is_new = laboratory.keep(
            g.village.slug, given.filename, given.read(), g.person, datetime.now(UTC)
        )
    except Refused as refusal:
        return _index(f"{given.filename}: {refusal}"), 422
    if not is_new:
        flash("These very bytes came before, so nothing was read twice.", "information")
    return redirect(url_for(".show", file_id=file.id))


@bp.get("/laboratory/template.csv")
@roles_required(*OFFICE)
def template() -> Any:
    """The first line that a laboratory's CSV needs."""
    answer = Response("\ufeff" + ",".join(lab_words.COLUMNS) + "\r\n", mimetype="text/csv")
    answer.headers["Content-Disposition"] = "attachment; filename=laboratory-report-template.csv"
    return answer


@bp.get("/laboratory/<file_id>")
@roles_required(*OFFICE)
def show(file_id: str) -> Any:
    """One report: what was read of it, what keeps rows from being used, how far it is entered."""
    file = laboratory.file_of(g.village.slug, file_id)
    counts = store.counts(g.village.slug).get(file.id, {})
    state = request.args.get("rows", "")
    state = state if state in counts else next((name for name in STATES if name in counts), "")
    after = request.args.get("after", 0, type=int)
    rows = store.rows_of(file.id, state, after=after, limit=ROWS_SHOWN) if state else []
    numbers = inspections.inspections_by_id({row.record_id for row in rows if row.record_id})
    entered = counts.get("applied", 0) + counts.get("same", 0)
    ready = counts.get("ready", 0)
    return render_template(
        "laboratory_report.html",
        file=file,
        by=_name(file.person_id),
        total=sum(counts.values()),
        states=_states(counts, file, state),
        chosen=state,
        rows=[shown_row(row, numbers) for row in rows],
        more=url_for(".show", file_id=file.id, rows=state, after=rows[-1].line)
        if len(rows) == ROWS_SHOWN
        else None,
        ready=ready,
        entered=entered,
        going=bool(request.args.get("going")) and ready > 0,
    )


@bp.post("/laboratory/<file_id>")
@roles_required(*OFFICE)
def enter(file_id: str) -> Any:
    """Enter the rows that are ready, for a few seconds; the page goes on by itself until none is left."""
    end = time.monotonic() + SECONDS_AT_ONCE
    counts = laboratory.enter(
        g.village.slug, file_id, g.person, datetime.now(UTC), lambda: time.monotonic() < end
    )
    if counts.get("ready"):
        return redirect(url_for(".show", file_id=file_id, going=1))
    waits = f" {many(counts['tray'], 'row waits', 'rows wait')} in the tray." if counts.get("tray") else ""
    flash(f"{many(counts.get('applied', 0), 'row is', 'rows are')} entered.{waits}", "pass")
    return redirect(url_for(".show", file_id=file_id))


@bp.get("/laboratory/<file_id>/file")
@roles_required(*OFFICE)
def raw(file_id: str) -> Any:
    """The file as it came."""
    file = laboratory.file_of(g.village.slug, file_id)
    answer = send_file(
        blobs().path(file.sha256),
        mimetype="application/octet-stream",
        as_attachment=True,
        download_name=file.name,
    )
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@bp.get("/laboratory/tray")
@roles_required(*OFFICE)
def tray() -> Any:
    """Every row that waits for a person, oldest first."""
    return _tray()


@bp.post("/laboratory/tray")
@roles_required(*OFFICE)
def look_again() -> Any:
    """Match the tray's rows with the records as they stand now."""
    ready = laboratory.look_again(g.village.slug, datetime.now(UTC))
    if ready:
        flash(f"{many(ready, 'row fits', 'rows fit')} now. Enter them from the report.", "pass")
    else:
        flash("No row fits yet. Each says below what is missing.", "information")
    return redirect(url_for(".tray"))


@bp.post("/laboratory/tray/<row_id>")
@roles_required(*OFFICE)
def decide(row_id: str) -> Any:
    """Say to which sample a row belongs, or leave it unused; with a reason, kept for ever."""
    said = request.form
    number = int(row_id) if row_id.isascii() and row_id.isdigit() and len(row_id) < 10 else 0
    try:
        if said.get("decision") == "assign":
            row = laboratory.assign(
                g.village.slug,
                number,
                said.get("record", ""),
                said.get("sample_id", ""),
                said.get("reason", ""),
                g.person,
                datetime.now(UTC),
            )
            flash("The row is ready. Enter it from its report.", "pass")
            return redirect(url_for(".show", file_id=row.file_id))
        laboratory.settle(g.village.slug, number, said.get("reason", ""), g.person, datetime.now(UTC))
    except Refused as refusal:
        return _tray(str(refusal)), 422
    flash("The row stays unused, with your reason.", "pass")
    return redirect(url_for(".tray"))


def _index(complaint: str | None = None) -> Any:
    counts = store.counts(g.village.slug)
    files = store.files(g.village.slug)
    return render_template(
        "laboratory.html",
        complaint=complaint,
        waiting=store.tray_count(g.village.slug),
        reports=[
            {
                "file": file,
                "by": _name(file.person_id),
                "rows": sum(counts.get(file.id, {}).values()),
                "states": _states(counts.get(file.id, {}), file, None),
            }
            for file in files
        ],
    )


def _tray(complaint: str | None = None) -> Any:
    found = store.tray(g.village.slug)
    numbers = inspections.inspections_by_id({row.record_id for row, _ in found if row.record_id})
    return render_template(
        "laboratory_tray.html",
        complaint=complaint,
        count=store.tray_count(g.village.slug),
        rows=[shown_row(row, numbers) | {"file": file} for row, file in found],
    )


def _states(counts: dict[str, int], file: LabFile, chosen: str | None) -> list[dict[str, Any]]:
    return [
        {
            "outcome": outcome,
            "text": f"{counts[name]:,} {text}",
            "href": url_for(".show", file_id=file.id, rows=name),
            "current": name == chosen,
        }
        for name, (outcome, text) in STATES.items()
        if counts.get(name)
    ]


def _name(person_id: str) -> str:
    found = people.person(person_id)
    return found.name if found else "Somebody who left"
