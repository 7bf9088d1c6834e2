"""For people at desks: server-rendered pages and forms, which work without JavaScript."""

from datetime import timedelta

from flask import Flask, g, request
from flask_login import LoginManager, UserMixin, current_user

from inspect_app.services.people import of_session, session_id
from inspect_app.store.people import Person

SESSION_LIFE = timedelta(hours=12)
THEME_COOKIE = "inspect_app_theme"
# The way around the office: what stands in the header, its page, and the roles it is shown to. Few enough to
# stay on one line at 1,280 px; the views beside the queue lead to the rest.
WAYS = (
    ("Queue", "queue.index", ()),
    ("Conflicts", "conflicts.index", ()),
    ("Assignments", "assignments.index", ()),
    ("Book", "book.index", ()),
    ("Tablets", "devices.index", ("reviewer", "administrator")),
    ("People", "people.index", ("administrator",)),
)


class SignedIn(UserMixin):
    """A person in a session, as Flask-Login wants to see them."""

    def __init__(self, person: Person) -> None:
        self.person = person

    def get_id(self) -> str:
        return session_id(self.person)


def set_up(app: Flask) -> None:
    """Register sign-in, the pages of a village, and what every template may use."""
    from inspect_app.office import (
        access,
        assignments,
        blank,
        book_changes,
        conflicts,
        devices,
        evidence,
        filters,
        laboratory,
        people,
        photos,
        quarantine,
        queue,
        record,
        samples,
        sign_in,
    )

    app.config["PERMANENT_SESSION_LIFETIME"] = SESSION_LIFE
    app.url_map.converters["village"] = access.VillageConverter
    login = LoginManager(app)
    login.unauthorized_handler(access.to_sign_in)

    @login.user_loader
    def _of_session(kept: str) -> SignedIn | None:
        person = of_session(kept)
        return SignedIn(person) if person else None

    app.register_blueprint(sign_in.bp)
    app.register_blueprint(sign_in.home_bp)
    for module in (
        queue,
        record,
        conflicts,
        quarantine,
        photos,
        evidence,
        samples,
        laboratory,
        assignments,
        blank,
        book_changes,
        devices,
        people,
    ):
        app.register_blueprint(module.bp)

    filters.set_up(app)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True

    @app.context_processor
    def _frame() -> dict[str, object]:
        return {
            "village": g.get("village"),
            "person": current_user.person if current_user and current_user.is_authenticated else None,
            "has_role": access.has_role,
            "ways": _ways(app),
            "has_queue": "queue.index" in app.view_functions,
            "theme": _theme(),
        }


def _ways(app: Flask) -> list[tuple[str, str]]:
    roles = g.get("roles", ())
    return [
        (title, endpoint)
        for title, endpoint, wanted in WAYS
        if endpoint in app.view_functions and (not wanted or any(role in roles for role in wanted))
    ]


def _theme() -> str | None:
    """The display this person chose; None follows the system."""
    chosen = request.cookies.get(THEME_COOKIE)
    return chosen if chosen in ("light", "dark") else None
