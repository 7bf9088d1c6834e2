"""The command line: `inspect-app serve`, and what an administrator does without a browser.

Every mistake ends as a sentence and an exit code: 1 something is wrong, 2 the command was typed wrong.
"""

import dataclasses
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from ipaddress import ip_address

import click
import waitress
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError, ProgrammingError

from inspect_app import create_app
from inspect_app.config import Settings, read_settings
from inspect_app.domain.errors import NotFound, TradeError
from inspect_app.services import demonstration, devices, passwords, people
from inspect_app.store import people as store
from inspect_app.store import villages
from inspect_app.store.base import db
from inspect_app.store.people import ROLES

THREADS = 8


class Sentences(click.Group):
    """A group of commands whose known mistakes are told in a sentence instead of a stack trace."""

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except TradeError as error:
            raise click.ClickException(str(error)) from error
        except (OperationalError, ProgrammingError) as error:
            reason = str(error.orig).strip().splitlines()[0]
            raise click.ClickException(
                f"The database does not answer as expected: {reason}. "
                "Check DATABASE_URL, and run 'inspect-app db upgrade'."
            ) from error


@contextmanager
def application() -> Iterator[Flask]:
    """The application of this environment in its context; its connections are closed at the end."""
    try:
        app = create_app()
    except RuntimeError as error:
        raise click.ClickException(str(error)) from error
    with app.app_context():
        try:
            yield app
        finally:
            db.session.remove()
            db.engine.dispose()


@click.group(cls=Sentences)
@click.version_option(version("inspect-app"))
def cli() -> None:
    """Field inspections for sewer utilities."""


@cli.command()
@click.option(
    "--demo", is_flag=True, envvar="INSPECT_APP_DEMO", help="Load the demonstration on first start."
)
def serve(demo: bool) -> None:
    """Migrate the database and serve on HOST and PORT (127.0.0.1:8080)."""
    settings = read_settings()
    with application() as app:
        upgrade()
        if demo and not demonstration.is_loaded():
            click.echo("Loading the demonstration ...")
            demonstration.load(datetime.now(UTC))
        loaded = demonstration.is_loaded()
        db.session.remove()
    server = _listen(app, settings)

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


@cli.command()
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


@cli.command()
def config() -> None:
    """Print the settings of this environment; secrets are masked."""
    for name, value in masked(read_settings()).items():
        click.echo(f"{name:20} {value}")


def masked(settings: Settings) -> dict[str, str]:
    """The settings as text, without the secret and without the database's password."""
    values = {field.name: str(getattr(settings, field.name)) for field in dataclasses.fields(settings)}
    values["secret_key"] = "(set, not shown)"  # noqa: S105
    values["database_url"] = make_url(settings.database_url).render_as_string(hide_password=True)
    return values


@cli.group("db")
def database() -> None:
    """The database."""


@database.command("upgrade")
def db_upgrade() -> None:
    """Bring the tables to this version; harmless when they are there already."""
    with application():
        upgrade()
    click.echo("The database is up to date.")


@cli.group()
def users() -> None:
    """People who sign in."""


@users.command("add")
@click.argument("sign_in_name")
@click.option("--name", help="The name that records show; default: the sign-in name.")
@click.option("--village", required=True, help="The village's name in addresses, such as howards-grove.")
@click.option(
    "--role", "roles", multiple=True, required=True, type=click.Choice(ROLES), help="May be repeated."
)
@click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input; else one is made up."
)
def users_add(
    sign_in_name: str, name: str | None, village: str, roles: tuple[str, ...], password_stdin: bool
) -> None:
    """Make a person, or give one who exists roles in a further village."""
    with application():
        slug = known_village(village)
        known = store.person_by_name(sign_in_name)
        if known is not None:
            people.join(slug, sign_in_name, roles)
            click.echo(f"{sign_in_name} now has {', '.join(roles)} in {village}. The password is unchanged.")
            return
        given = _typed_password() if password_stdin else None
        _person, password = people.add(
            slug, sign_in_name, name or sign_in_name, roles, datetime.now(UTC), given
        )
        click.echo(f"{sign_in_name} is added." + ("" if given else f" First password: {password}"))


@users.command("list")
@click.option("--village", help="Only this village.")
def users_list(village: str | None) -> None:
    """List people with their roles."""
    with application():
        slug = known_village(village) if village else None
        for person in store.people_of(slug) if slug else store.everybody():
            roles = "; ".join(
                f"{one.replace('_', '-')}: {', '.join(store.roles_of(person, one))}"
                for one in store.villages_of(person)
            )
            state = "" if person.active else "  (deactivated)"
            click.echo(f"{person.sign_in_name:20} {person.name:24} {roles}{state}")


@users.command("passwd")
@click.argument("sign_in_name")
@click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input; else one is made up."
)
def users_passwd(sign_in_name: str, password_stdin: bool) -> None:
    """Give a person a new password; their sessions end."""
    with application():
        person = store.person_by_name(sign_in_name)
        if person is None:
            raise NotFound(
                f"There is no person with the sign-in name {sign_in_name}. See: inspect-app users list"
            )
        given = _typed_password() if password_stdin else None
        password = given or passwords.made_up()
        people.set_password(person, password)
        click.echo(f"The password of {sign_in_name} is set." + ("" if given else f" It is: {password}"))


@cli.group("devices")
def tablets() -> None:
    """Enrolled tablets."""


@tablets.command("list")
@click.option("--village", help="Only this village.")
def devices_list(village: str | None) -> None:
    """List tablets with their last check-in and what they have not sent yet."""
    with application():
        slugs = [known_village(village)] if village else [one.slug for one in villages.villages()]
        for slug in slugs:
            for device in store.devices_of(slug):
                seen = f"{device.last_seen_at:%Y-%m-%d %H:%M}Z" if device.last_seen_at else "never"
                state = "  revoked" if device.revoked_at else ""
                owner = device.person.sign_in_name if device.person else "nobody"
                click.echo(
                    f"{device.id}  {slug.replace('_', '-'):14} {device.name:20} {owner:16} "
                    f"seen {seen}, {device.unsent_ops} not sent{state}"
                )


@tablets.command("revoke")
@click.argument("device_id")
def devices_revoke(device_id: str) -> None:
    """Take a tablet out of use for good; what it still sends is set aside."""
    with application():
        device = store.device(device_id)
        if device is None:
            raise NotFound(f"There is no tablet {device_id}. See: inspect-app devices list")
        name = devices.revoke(device.village, device_id, None, datetime.now(UTC)).name
        click.echo(f"{name} is out of use.")


def known_village(name: str) -> str:
    """The slug of a village named as in addresses or as in the code."""
    slug = name.replace("-", "_")
    known = villages.villages()
    if slug not in {one.slug for one in known}:
        listed = ", ".join(one.web_name for one in known)
        raise NotFound(f"There is no village {name}. Known: {listed}.")
    return slug


def _typed_password() -> str:
    return click.get_text_stream("stdin").readline().rstrip("\r\n")


def main() -> None:
    """The console entry."""
    cli()
