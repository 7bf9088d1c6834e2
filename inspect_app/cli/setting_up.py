"""What every command shares: the application of this environment, names of villages, typed passwords."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
from flask import Flask

from inspect_app import create_app
from inspect_app.config import read_settings
from inspect_app.domain.errors import NotFound
from inspect_app.store import villages
from inspect_app.store.base import db


@contextmanager
def application() -> Iterator[Flask]:
    """The application of this environment in its context; its connections are closed at the end.

    A command answers in sentences, so it logs warnings only, unless the environment asks for more.
    """
    quiet = {} if "INSPECT_APP_LOG_LEVEL" in os.environ else {"log_level": "WARNING"}
    try:
        app = create_app(read_settings(**quiet))
    except RuntimeError as error:
        raise click.ClickException(str(error)) from error
    with app.app_context():
        try:
            yield app
        finally:
            db.session.remove()
            db.engine.dispose()


def known_village(name: str) -> str:
    """The slug of a village named as in addresses or as in the code."""
    slug = name.replace("-", "_")
    known = villages.villages()
    if slug not in {one.slug for one in known}:
        listed = ", ".join(one.web_name for one in known)
        raise NotFound(f"There is no village {name}. Known: {listed}.")
    return slug


def typed_password() -> str:
    return sys.stdin.readline().rstrip("\r\n")
