"""Serving, the demonstration, the settings, the database: what an installation is started with."""

import dataclasses
import signal
import sys
from datetime import UTC, datetime
from ipaddress import ip_address

import click
import waitress
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import make_url

from inspect_app import create_app
from inspect_app.cli.setting_up import application
from inspect_app.config import Settings, read_settings
from inspect_app.services import again, demonstration, keys, server_key, staging, sync
from inspect_app.store import villages

THREADS = 8


@click.command()
@click.option(
    "--demo", is_flag=True, envvar="INSPECT_APP_DEMO", help="Load the demonstration on first start."
)
def serve(demo: bool) -> None:
    """Check the rules, migrate, clear broken uploads, and serve on HOST and PORT (127.0.0.1:8080)."""
    settings = read_settings()
    with application():
        for village in villages.villages():
            villages.check(village.slug)  # what is not sound is told before anybody is judged by it
        upgrade()
        say_what_was_applied(again.after_update(datetime.now(UTC)))
        if demo and not demonstration.is_loaded():
            click.echo("Loading the demonstration ...")
            demonstration.load(datetime.now(UTC))
        loaded = demonstration.is_loaded()
        staging.sweep(datetime.now(UTC))
    server = _listen(create_app(settings), settings)

    def stop(_signal: int, _frame: object) -> None:
        raise SystemExit  # waitress then takes no more requests and lets those at work finish

    signal.signal(signal.SIGTERM, stop)
    click.echo(banner(settings, loaded))
    sys.stdout.flush()
    server.run()
    click.echo("Stopped.")


def _listen(app: Flask, settings: Settings):
    try:
        return waitress.create_server(
            app,
            host=settings.host,
            port=settings.port,
            threads=THREADS,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
    except OSError as error:
        raise click.ClickException(
            f"{settings.host}:{settings.port} cannot be used: {error.strerror}. "
            "Stop what listens there, or set PORT to another number."
        ) from error


def banner(settings: Settings, demonstration_loaded: bool) -> str:
    """What to open, who can sign in, and what to try."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    origin = f"http://{host}:{settings.port}"
    lines = [f"Office   {origin}/", f"Tablet   {origin}/field/", f"Data     {settings.data}"]
    if not demonstration_loaded:
        lines += [
            "",
            "The first administrator: inspect-app users add NAME --village VILLAGE --role administrator",
        ]
        return "\n".join(lines)
    lines += ["", demonstration.guide(origin)]
    if not _is_loopback(settings.host):
        lines += [
            "",
            "The passwords above are public, and this address is open to others: for trials only.",
        ]
    return "\n".join(lines)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@click.command()
def demo() -> None:
    """Load the demonstration villages' people, assignments and records; harmless when loaded already."""
    settings = read_settings()
    with application():
        upgrade()
        if demonstration.is_loaded():
            click.echo("The demonstration is loaded already; nothing was changed.")
        else:
            demonstration.load(datetime.now(UTC))
            click.echo("The demonstration is loaded.")
        click.echo(demonstration.guide(f"http://{settings.host}:{settings.port}"))


@click.command()
def config() -> None:
    """Print the settings of this environment, and the fingerprint of the office's key; secrets are masked."""
    for name, value in masked(read_settings()).items():
        click.echo(f"{name:20} {value}")
    with application():
        click.echo(f"{'key':20} {keys.thumbprint(server_key.public_key())}")


def masked(settings: Settings) -> dict[str, str]:
    """The settings as text, without the secret and without the database's password."""
    values = {field.name: str(getattr(settings, field.name)) for field in dataclasses.fields(settings)}
    values["secret_key"] = "(set, not shown)"  # noqa: S105
    values["database_url"] = make_url(settings.database_url).render_as_string(hide_password=True)
    return values


@click.group("db")
def database() -> None:
    """The database."""


@database.command("upgrade")
def db_upgrade() -> None:
    """Bring the tables to this version; harmless when they are there already."""
    with application():
        upgrade()
        counts = again.after_update(datetime.now(UTC))
    click.echo("The database is up to date.")
    say_what_was_applied(counts)


def say_what_was_applied(counts: dict[str, int]) -> None:
    """What became of the entries that an earlier version could not read; nothing when there are none."""
    for word, one, many, where in (
        ("applied", "is", "are", "applied now"),
        ("wait", "waits", "wait", "in the office, under Set aside"),
    ):
        number = counts[word]
        if number:
            entries = f"1 entry that an earlier version set aside {one}"
            if number > 1:
                entries = f"{number} entries that an earlier version set aside {many}"
            click.echo(f"{entries} {where}.")


@database.command("new-epoch")
def db_new_epoch() -> None:
    """After a backup was restored: tablets compare what they sent, and send again what is missing."""
    with application():
        upgrade()
        name = sync.change_epoch()
    click.echo(f"The log has a new name, {name}. Each tablet sends what is missing when it is next online.")
