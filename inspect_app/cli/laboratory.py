"""`inspect-app lab`: a laboratory's report read, and entered, without a browser."""

from datetime import UTC, datetime
from pathlib import Path

import click

from inspect_app.cli.setting_up import application, known_village
from inspect_app.domain.errors import NotAllowed, NotFound
from inspect_app.domain.inspections import OFFICE_ROLES
from inspect_app.services import laboratory as service
from inspect_app.store import laboratory as store
from inspect_app.store import people


@click.group()
def lab() -> None:
    """Reports of laboratories."""


@lab.command("import")
@click.option("--village", required=True, help="The village's name, such as howards-grove.")
@click.option("--as", "sign_in_name", required=True, help="The sign-in name of the reviewer who enters it.")
@click.option("--only-read", is_flag=True, help="Say what was read, and enter nothing yet.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def lab_import(village: str, sign_in_name: str, only_read: bool, file: Path) -> None:
    """Read FILE, a CSV with a row for each result, and enter what fits; the rest waits in the tray."""
    with application():
        slug = known_village(village)
        person = people.person_by_name(sign_in_name)
        if person is None:
            raise NotFound(f"Nobody signs in as {sign_in_name}. See 'inspect-app users list'.")
        if not OFFICE_ROLES & set(people.roles_of(person, slug)):
            raise NotAllowed(f"{sign_in_name} is neither reviewer nor administrator of {village}.")
        now = datetime.now(UTC)
        kept, is_new = service.keep(slug, file.name, file.read_bytes(), person, now)
        if not is_new:
            click.echo(f"These very bytes came before, on {kept.at:%Y-%m-%d}; they are not read twice.")
        counts = store.counts(slug).get(kept.id, {})
        if not only_read:
            ready = counts.get("ready", 0)
            with click.progressbar(length=ready, label="Entering") as bar:

                def go_on() -> bool:
                    left = store.counts(slug).get(kept.id, {}).get("ready", 0)
                    bar.update(ready - left - bar.pos)
                    return True

                counts = service.enter(slug, kept.id, person, now, go_on)
        for state in sorted(counts):
            click.echo(f"{counts[state]:>8,} {state}")
        for row in store.rows_of(kept.id, "tray", "refused", limit=20):
            click.echo(f"line {row.line}: {' '.join(row.reasons)}")
