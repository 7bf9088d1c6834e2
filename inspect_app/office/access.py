"""Who may see a page: the village in the address, the person in the session, the roles a page asks for.

Each page of a village stands in a blueprint made by `village_blueprint`. Its views find the village as
`g.village`, the person as `g.person` and the person's roles there as `g.roles`; none takes the village as an
argument, and `url_for` fills it in. A person of another village gets 404, for an address must not tell what
exists elsewhere.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Blueprint, g, redirect, request, url_for
from flask_login import current_user
from werkzeug.routing import BaseConverter, ValidationError

from inspect_app.domain.errors import NotFound
from inspect_app.services import people
from inspect_app.store import people as store_people
from inspect_app.store import villages


class VillageConverter(BaseConverter):
    """A village in an address: `howards-grove` for the slug howards_grove; unknown ones do not match."""

    regex = "[a-z0-9][a-z0-9-]*"

    def to_python(self, value: str) -> str:
        slug = value.replace("-", "_")
        if slug not in {village.slug for village in villages.villages()}:
            raise ValidationError
        return slug

    def to_url(self, value: str) -> str:
        return value.replace("_", "-")


def village_blueprint(name: str, import_name: str) -> Blueprint:
    """A blueprint for pages under `/<village>/`, open to members of the village only."""
    bp = Blueprint(name, import_name, url_prefix="/<village:village>")

    @bp.url_value_preprocessor
    def _take_village(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values is not None:
            g.village = villages.village(values.pop("village"))

    @bp.url_defaults
    def _put_village(_endpoint: str, values: dict[str, Any]) -> None:
        if "village" not in values and "village" in g:
            values["village"] = g.village.slug

    @bp.before_request
    def _members_only() -> Any:
        if not current_user.is_authenticated:
            return to_sign_in()
        g.person = current_user.person
        g.roles = store_people.roles_of(g.person, g.village.slug)
        if not g.roles:
            del g.village  # the page of the error must not bear the name of somebody else's village
            raise NotFound("There is nothing at this address for you. Check the address, or ask the office.")
        return None

    return bp


def roles_required(*roles: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Open a view to members with one of these roles; others of the village get 403."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            people.require(g.person, g.village.slug, *roles)
            return view(*args, **kwargs)

        return checked

    return decorate


def to_sign_in() -> Any:
    """Redirect to the sign-in page, which leads back here if this was a page and not a form."""
    back = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("sign_in.sign_in", next=back))


def has_role(*roles: str) -> bool:
    """Whether the person of this request holds one of the roles in this village; for templates."""
    return any(role in g.get("roles", ()) for role in roles)
