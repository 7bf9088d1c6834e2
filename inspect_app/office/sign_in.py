"""Coming in and going out: sign-in, one's own account, the way to one's village, Light and Dark."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask_login import current_user, login_required, login_user, logout_user

from inspect_app import office
from inspect_app.domain.errors import Refused, SignInRefused, TooManyTries
from inspect_app.office.access import village_blueprint
from inspect_app.office.forms import PasswordForm, SignInForm
from inspect_app.services import people
from inspect_app.store import people as store_people
from inspect_app.store import villages

bp = Blueprint("sign_in", __name__)
home_bp = village_blueprint("village", __name__)
THEME_COOKIE_LIFE_S = 365 * 24 * 3600


@bp.get("/")
def home():
    """To the one village a person works for, or the choice between several."""
    if not current_user.is_authenticated:
        return redirect(url_for(".sign_in"))
    mine = [villages.village(slug) for slug in store_people.villages_of(current_user.person)]
    if len(mine) == 1:
        return redirect(url_for("village.home", village=mine[0].slug))
    return render_template("villages.html", villages=mine)


@home_bp.get("/", endpoint="home")
def home_of_village():
    """A village's start: its review queue."""
    return redirect(url_for("queue.index"))


@bp.route("/sign-in", methods=["GET", "POST"])
def sign_in():
    """Sign in with name and password; the answer is the same whatever did not fit."""
    form, message, status = SignInForm(), None, 200
    back = local_path(request.values.get("next"))
    if request.method == "GET" and current_user.is_authenticated:
        return redirect(back or url_for(".home"))
    headers = {}
    if request.method == "POST":
        status = 422
        if form.validate():
            try:
                person = people.authenticate(
                    form.name.data, form.password.data, request.remote_addr or "", datetime.now(UTC)
                )
            except SignInRefused as refusal:
                message = str(refusal)
            except TooManyTries as refusal:
                message, status = str(refusal), 429
                headers["Retry-After"] = str(refusal.retry_after)
            else:
                session.clear()
                session.permanent = True
                login_user(office.SignedIn(person))
                return redirect(back or url_for(".home"))
    return render_template("sign_in.html", form=form, message=message, back=back), status, headers


@bp.post("/sign-out")
def sign_out():
    """End the session; tablets are not touched by it."""
    logout_user()
    session.clear()
    return redirect(url_for(".sign_in"))


@bp.route("/account", methods=["GET", "POST"])
@login_required
def account():
    """One's own name and roles, and a new password."""
    form, message, status = PasswordForm(), None, 200
    person = current_user.person
    if request.method == "POST":
        status = 422
        if form.validate():
            try:
                people.change_password(
                    person, form.current.data, form.new.data, request.remote_addr or "", datetime.now(UTC)
                )
            except Refused as refusal:
                message = form.take(refusal)
            except TooManyTries as refusal:
                message, status = str(refusal), 429
            else:
                login_user(office.SignedIn(person))  # this session goes on; all others of the person ended
                flash("The password is changed. Other sessions have ended.", "pass")
                return redirect(url_for(".account"))
    roles = [
        (villages.village(slug), store_people.roles_of(person, slug))
        for slug in store_people.villages_of(person)
    ]
    return render_template("account.html", form=form, message=message, memberships=roles), status


@bp.post("/display")
def display():
    """Keep Light or Dark without JavaScript; with it the page does the same by itself."""
    theme = request.form.get("theme")
    response = redirect(local_path(request.form.get("back")) or url_for(".home"))
    if theme in ("light", "dark"):
        response.set_cookie(
            office.THEME_COOKIE,
            theme,
            max_age=THEME_COOKIE_LIFE_S,
            samesite="Lax",
            secure=request.is_secure,
        )
    return response


def local_path(address: str | None) -> str | None:
    """The address if it stays on this site, else None: a link to sign-in must not lead elsewhere after it."""
    if not address or not address.startswith("/") or address.startswith(("//", "/\\")):
        return None
    parts = urlsplit(address)
    safe = not parts.scheme and not parts.netloc and "\\" not in address and address.isprintable()
    return address if safe and parts.path != current_app.url_for("sign_in.sign_out") else None
