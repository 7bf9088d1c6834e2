"""What can go wrong, in the trade's words. No HTTP here: errors.py at the top maps classes to answers."""


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
