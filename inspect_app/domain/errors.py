"""What can go wrong, in the trade's words. No HTTP here: errors.py at the top maps classes to answers."""

from collections.abc import Mapping


class TradeError(Exception):
    """Something happened that a person must hear about: what, why, and what to do next."""

    slug = "refused"

    def __init__(
        self,
        message: str,
        *,
        errors: dict[str, list[str]] | None = None,
        retry_after: int | None = None,
        slug: str | None = None,
    ) -> None:
        super().__init__(message)
        self.errors = errors
        self.retry_after = retry_after
        if slug:
            self.slug = slug


class NotFound(TradeError):
    """There is no such thing, or it belongs to another village: the two are never told apart."""

    slug = "not-found"


class NotAllowed(TradeError):
    """The person is known, but this role may not do it."""

    slug = "not-allowed"


class SignInRefused(TradeError):
    """Name, password, code, token or key did not fit."""

    slug = "sign-in-refused"


class TooManyTries(TradeError):
    """Throttled: wait `retry_after` seconds."""

    slug = "too-many-tries"


class IllegalTransition(TradeError):
    """The record is not in a state that allows this step."""

    slug = "illegal-transition"


class Refused(TradeError):
    """The content cannot be accepted as it is; `errors` says where."""

    slug = "refused"


class ExpressionRefused(TradeError):
    """An expression is outside the rule language."""

    slug = "expression-refused"


class PackRefused(TradeError):
    """A rule pack cannot be published; `faults` lists every one found as (rule, place, reason).

    `files` says in which file of the village each rule stands, under `pack` that of all the rest.
    """

    slug = "pack-refused"

    def __init__(
        self,
        faults: list[tuple[str, str, str]],
        source: str = "",
        files: Mapping[str, str] | None = None,
    ) -> None:
        self.faults = faults
        self.source = source
        found = files or {}
        where = [(found.get(rule, found.get("pack", "")), rule, place) for rule, place, _ in faults]
        lines = "\n".join(
            f"  {' '.join(part for part in parts if part)}: {reason}"
            for parts, (_, _, reason) in zip(where, faults, strict=True)
        )
        title = f"The rule pack {source} was not published." if source else "The rule pack was not published."
        super().__init__(f"{title} Mend these and publish again:\n{lines}")


class PackChanged(TradeError):
    """The bytes of a pack are not those of its name, or not a pack at all."""

    slug = "pack-changed"
