"""Every error becomes an answer here: problem+json for the API (RFC 9457), a page for people.

Below the edge, code raises what happened (domain/errors.py) and knows no HTTP; one table maps class to
status.
"""

import errno
from http import HTTPStatus

import structlog
from flask import Flask, Response, g, json, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DBAPIError, OperationalError
from werkzeug.exceptions import HTTPException

from inspect_app.domain import errors as trade

STATUS = {
    trade.NotFound: 404,
    trade.NotAllowed: 403,
    trade.SignInRefused: 401,
    trade.TooManyTries: 429,
    trade.IllegalTransition: 409,
    trade.Refused: 422,
}
ADVICE = {
    400: "The request could not be read. Check its form and send it again.",
    401: "Sign in, or renew the device's token, and send it again.",
    403: "Your role does not allow this. Ask the village's administrator.",
    404: "There is nothing at this address for you. Check the address, or ask the office.",
    405: "This address does not take that kind of request.",
    413: "The request is too large. Send it in smaller parts.",
    415: "Send JSON with the header Content-Type: application/json.",
    429: "Too many tries. Wait a few minutes.",
}
RETRY_AFTER_S = 5
RETRY_WHEN_FULL_S = 60
# Python 3.13 renamed these phrases; a problem's type must not change with the Python under it.
SLUGS = {413: "too-large", 414: "address-too-long", 416: "no-such-range", 422: "invalid"}


def is_api() -> bool:
    return request.path.startswith("/api/")


def problem(status: int, slug: str, title: str, detail: str, **members) -> Response:
    """An RFC 9457 answer with a stable type `/problems/<slug>`."""
    body = {"type": f"/problems/{slug}", "title": title, "status": status, "detail": detail, **members}
    return Response(json.dumps(body), status, mimetype="application/problem+json")


def set_up_errors(app: Flask) -> None:
    """Register the handlers; nothing below the edge ever reaches a person as a stack trace."""

    @app.before_request
    def _whole_address():
        if "\x00" in request.path or "%00" in request.query_string.decode("ascii", "replace"):
            return answer(404, "not-found", ADVICE[404])  # no database keeps such a text
        return None

    @app.errorhandler(trade.TradeError)
    def _trade(error: trade.TradeError):
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
        return answer(status, error.slug, str(error), errors=error.errors, retry_after=error.retry_after)

    @app.errorhandler(CSRFError)
    def _form(_error: CSRFError):
        return answer(
            400, "form-expired", "This form is too old or did not come from this site. Open the page again."
        )

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException):
        status = error.code or 500
        if status < 400 or error.response is not None:
            return error
        slug = SLUGS.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "-")
        return answer(status, slug, ADVICE.get(status, error.description or ""))

    @app.errorhandler(DBAPIError)
    def _busy(error: DBAPIError):
        ended = isinstance(error, OperationalError) or error.connection_invalidated
        if _is_disk_full(error) or not ended:
            return _bug(error)
        structlog.get_logger().exception("database_not_answering")
        return answer(
            503,
            "busy",
            "The database did not answer in time. Nothing was changed; try again.",
            retry_after=RETRY_AFTER_S,
        )

    @app.errorhandler(Exception)
    def _bug(error: Exception):
        if _is_disk_full(error):
            return _full()
        if app.testing:
            raise error
        structlog.get_logger().exception("unexpected_error")
        return answer(
            500,
            "unexpected",
            "Something went wrong on the server; nothing that was kept before is lost. "
            f"Try again, and give the office this number: {g.get('request_id', 'none')}.",
        )


def _is_disk_full(error: Exception) -> bool:
    """Whether a file or a database could not be written because there is no room for it."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    text = str(getattr(error, "orig", "")).lower()
    return "disk is full" in text or "no space left" in text


def _full():
    structlog.get_logger().exception("disk_full")
    return answer(
        507,
        "server-full",
        "The server has no room left, so nothing of this was kept, and nothing kept before is removed. "
        "It is sent again by itself later. Tell the office.",
        retry_after=RETRY_WHEN_FULL_S,
    )


def answer(status: int, slug: str, detail: str, errors=None, retry_after: int | None = None):
    """The answer in the form its reader understands."""
    title = HTTPStatus(status).phrase
    if is_api():
        response = problem(status, slug, title, detail, **({"errors": errors} if errors else {}))
        response.headers["X-Sync"] = "1"
    else:
        page = render_template("error.html", status=status, title=title, detail=detail)
        response = Response(page, status)
    if retry_after:
        response.headers["Retry-After"] = str(retry_after)
    return response
