"""Assignments: what is to be inspected, by whom, when; the list, and making, changing, cancelling one."""

from dataclasses import replace
from datetime import UTC, datetime

from flask import flash, g, redirect, render_template, request, url_for

from inspect_app.domain.errors import IllegalTransition, NotFound, Refused
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.filters import plain, zone
from inspect_app.office.forms import AssignmentForm, ConfirmForm, SearchForm
from inspect_app.office.readings import show, words
from inspect_app.services import places, revisits
from inspect_app.services.forms import specs_of
from inspect_app.store import inspections, villages
from inspect_app.store import people as store_people
from inspect_app.store import places as store

bp = village_blueprint("assignments", __name__)
PER_PAGE = 25
STATES = {"open": ("open", "begun"), "done": ("done",), "cancelled": ("cancelled",)}


@bp.get("/assignments")
def index():
    """What waits to be inspected, soonest first; done and cancelled ones on request."""
    form = SearchForm(request.args)
    state = form.state.data if form.state.data in STATES else "open"
    page = max(request.args.get("page", 1, int), 1)
    found, total = store.assignments_of(
        g.village.slug, STATES[state], (form.q.data or "").strip(), PER_PAGE, (page - 1) * PER_PAGE
    )

    def address(number):
        return url_for(".index", q=form.q.data or None, state=state, page=number)

    return render_template(
        "assignments.html",
        assignments=found,
        total=total,
        page=page,
        per_page=PER_PAGE,
        address=address,
        form=form,
        kinds=_kinds(),
        now=datetime.now(UTC),
    )


@bp.route("/assignments/new", methods=["GET", "POST"])
@roles_required("reviewer", "administrator")
def new():
    """Ask for an inspection; with `again` for another visit of the place of a record."""
    again = request.args.get("again")
    before = revisits.next_visit(g.village.slug, again) if again else None
    form = _form(before)
    if before:
        form.protocol.choices = {before.protocol: _kinds()[before.protocol]}

    def save(visit):
        if before:
            kept = {name: getattr(before, name) for name in ("prefill", "context", "parent_record")}
            visit = replace(visit, **kept)
        return places.assign(g.village.slug, visit, g.person, datetime.now(UTC))

    return _edit(
        form, None, save, "The assignment is made. The tablet shows it after its next check-in.", before
    )


@bp.route("/assignments/<assignment_id>", methods=["GET", "POST"])
def edit(assignment_id):
    """One assignment; who may assign can change it, others read it."""
    assignment = _assignment(assignment_id)
    if not {"reviewer", "administrator"} & set(g.roles) or assignment.state in ("done", "cancelled"):
        if request.method == "POST":
            roles_required("reviewer", "administrator")(lambda: None)()
            raise IllegalTransition(f"This assignment is {assignment.state}, so it cannot change.")
        return render_template("assignment.html", assignment=assignment, kinds=_kinds())
    form = _form(assignment)

    def save(visit):
        kept = replace(
            visit,
            prefill=assignment.prefill,
            context=assignment.context,
            parent_record=assignment.parent_record,
        )
        return places.change(g.village.slug, assignment_id, kept, g.person)

    return _edit(
        form, assignment, save, "The assignment is changed. The tablet hears of it at its next check-in."
    )


@bp.route("/assignments/<assignment_id>/cancel", methods=["GET", "POST"])
@roles_required("reviewer", "administrator")
def cancel(assignment_id):
    """Ask, then withdraw an assignment."""
    assignment = _assignment(assignment_id)
    if request.method == "POST":
        places.cancel(g.village.slug, assignment_id, g.person)
        flash(f"The assignment at {assignment.place} is cancelled.", "pass")
        return redirect(url_for(".index"))
    return render_template("assignment_cancel.html", assignment=assignment, confirm=ConfirmForm())


def _edit(form, assignment, save, done, before=None):
    message, status = None, 200
    if request.method == "POST":
        status = 422
        if form.validate():
            try:
                latitude, longitude = form.position()
                save(
                    places.Visit(
                        protocol=form.protocol.data,
                        place=form.place.data,
                        person_id=form.person_id.data or None,
                        due_at=form.due(zone()),
                        permit_no=form.permit_no.data or "",
                        note=form.note.data or "",
                        latitude=latitude,
                        longitude=longitude,
                    )
                )
            except Refused as refusal:
                message = form.take(refusal)
            else:
                flash(done, "pass")
                return redirect(url_for(".index"))
    return render_template(
        "assignment_edit.html",
        form=form,
        assignment=assignment,
        message=message,
        beforehand=_beforehand(assignment or before) if assignment or before else [],
        earlier=_record(before.parent_record) if before else None,
    ), status


def _form(assignment=None):
    form = AssignmentForm(obj=assignment)
    form.protocol.choices = {"": "Choose a kind", **_kinds()}
    inspectors = store_people.people_of(g.village.slug, "inspector", only_active=True)
    form.person_id.choices = {"": "Whoever is free", **{person.id: person.name for person in inspectors}}
    if request.method == "GET" and assignment is not None:
        form.person_id.data = assignment.person_id or ""
        if assignment.due_at:
            form.due_at.data = assignment.due_at.astimezone(zone()).replace(tzinfo=None)
        for field in (form.latitude, form.longitude):
            field.data = "" if field.data is None else f"{field.data:.7f}".rstrip("0").rstrip(".")
    return form


def _record(record_id):
    return inspections.inspection_in(g.village.slug, record_id)


def _beforehand(assignment):
    """What the tablet finds filled in, and what the office knows, as labels and values in words."""
    form = next((form for form in villages.protocols() if form.kind == assignment.protocol), None)
    specs = specs_of(form.kind, form.version) if form else {}
    values = {name: value for group in assignment.prefill.values() for name, value in group.items()}
    return [
        (specs[name]["label"], show(value, specs[name], zone()).line)
        if name in specs
        else (words(name), plain(value))
        for name, value in (values | assignment.context).items()
    ]


def _kinds():
    """The kinds of inspection and their titles."""
    return {protocol.kind: protocol.title for protocol in villages.protocols()}


def _assignment(assignment_id):
    assignment = store.assignment(assignment_id, g.village.slug)
    if assignment is None:
        raise NotFound("There is no such assignment in this village. Look in the list of assignments.")
    return assignment
