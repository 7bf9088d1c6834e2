"""Structured log lines to standard error, each with the request it belongs to."""

import logging
import sys
import uuid

import structlog
from flask import Flask, g, request


def set_up_logging(app: Flask, level: str) -> None:
    """One JSON line an event; request id, method and path are bound for the length of a request."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )

    @app.before_request
    def _begin() -> None:
        g.request_id = uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(
            request_id=g.request_id, method=request.method, path=request.path
        )
