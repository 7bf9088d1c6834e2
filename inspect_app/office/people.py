"""The people of a village: who they are, what they may do, letting them in and keeping them out."""

from datetime import UTC, datetime

from flask import flash, g, make_response, redirect, render_template, request, url_for

from inspect_app.domain.errors import NotFound, Refused
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.forms import ConfirmForm, PersonForm, RolesForm
from inspect_app.services import people
from inspect_app.store import people as store

bp = village_blueprint("people", __name__)


@bp.get("/people")
@roles_required("administrator")
def index():
    """Everybody with a role here, and those who no longer come in."""
    entries = [(person, store.roles_of(person, g.village.slug)) for person in store.people_of(g.village.slug)]
    return render_template("people.html", entries=entries)


@bp.route("/people/new", methods=["GET", "POST"])
@roles_required("administrator")
def new():
    """Make a person; the first password is made up and shown once."""
    form, message, status = PersonForm(), None, 200
    if request.method == "POST":
        status = 422
        if form.validate():
            try:
                person, password = people.add(
                    g.village.slug,
                    form.sign_in_name.data,
                    form.name.data,
                    form.roles.data,
                    datetime.now(UTC),
                    by=g.person,
                )
            except Refused as refusal:
                message = form.take(refusal)
            else:
                return _show_password(person, password, "is added"), 201
    return render_template("person_new.html", form=form, message=message), status


@bp.route("/people/<person_id>", methods=["GET", "POST"])
@roles_required("administrator")
def show(person_id):
    """One person: roles to change, the way to a new password, the way out."""
    person = _member(person_id)
    roles = store.roles_of(person, g.village.slug)
    form, message, status = RolesForm(roles=roles), None, 200
    if request.method == "POST":
        try:
            people.set_roles(g.village.slug, person_id, form.roles.data, by=g.person)
        except Refused as refusal:
            message, status = form.take(refusal), 422
        else:
            flash(f"The roles of {person.name} are changed.", "pass")
            return redirect(url_for(".show", person_id=person_id))
    return render_template(
        "person.html", someone=person, roles=roles, form=form, confirm=ConfirmForm(), message=message
    ), status


@bp.post("/people/<person_id>/password")
@roles_required("administrator")
def password(person_id):
    """Give a person a new first password, shown once; their sessions end."""
    made = people.reset_password(g.village.slug, person_id, by=g.person)
    return _show_password(_member(person_id), made, "has a new password")


@bp.route("/people/<person_id>/deactivate", methods=["GET", "POST"])
@roles_required("administrator")
def deactivate(person_id):
    """Ask, then keep a person out; their name stays in the records."""
    person, message, status = _member(person_id), None, 200
    if request.method == "POST":
        try:
            people.set_active(g.village.slug, person_id, False, by=g.person)
        except Refused as refusal:
            message, status = str(refusal), 422
        else:
            flash(f"{person.name} can no longer sign in.", "pass")
            return redirect(url_for(".index"))
    return render_template(
        "person_deactivate.html", someone=person, confirm=ConfirmForm(), message=message
    ), status


@bp.post("/people/<person_id>/activate")
@roles_required("administrator")
def activate(person_id):
    """Let a person in again, with the roles they had."""
    people.set_active(g.village.slug, person_id, True, by=g.person)
    flash(f"{_member(person_id).name} can sign in again.", "pass")
    return redirect(url_for(".show", person_id=person_id))


def _member(person_id):
    person = store.person(person_id)
    if person is None or not store.roles_of(person, g.village.slug):
        raise NotFound("There is no such person in this village. Look in the list of people.")
    return person


def _show_password(person, made, what):
    # Shown in the answer to the form and kept nowhere: a redirect would have to carry it.
    page = make_response(render_template("person_password.html", someone=person, password=made, what=what))
    page.headers["Cache-Control"] = "no-store"
    return page
