"""`inspect-app users` and `inspect-app devices`: people and tablets without a browser."""

from datetime import UTC, datetime

import click

from inspect_app.cli.setting_up import application, known_village, typed_password
from inspect_app.domain.errors import NotFound
from inspect_app.services import devices, passwords, people
from inspect_app.store import people as store
from inspect_app.store import villages
from inspect_app.store.people import ROLES


@click.group()
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
        given = typed_password() if password_stdin else None
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
        given = typed_password() if password_stdin else None
        password = given or passwords.made_up()
        people.set_password(person, password)
        click.echo(f"The password of {sign_in_name} is set." + ("" if given else f" It is: {password}"))


@click.group("devices")
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
