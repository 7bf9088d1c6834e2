"""`inspect-app rules`: are the rule packs sound, and what is in force."""

from datetime import datetime
from zoneinfo import ZoneInfo

import click

from inspect_app.cli.setting_up import application, known_village
from inspect_app.domain.errors import TradeError
from inspect_app.store import villages


@click.group("rules")
def rule_packs() -> None:
    """Rule packs of the villages."""


@rule_packs.command("check")
def rules_check() -> None:
    """Check the rules of every village; says what is wrong and where, and then exits 1."""
    wrong = 0
    with application():
        for village in villages.villages():
            try:
                pack = villages.packs_of(village.slug)[-1]
            except TradeError as refusal:
                wrong += 1
                click.echo(f"{village.web_name}: {refusal}", err=True)
            else:
                click.echo(
                    f"{village.web_name}: {len(pack.rules)} rules, version {pack.version}, {pack.hash}"
                )
    if wrong:
        raise click.ClickException("Correct the files named above and check again.")


@rule_packs.command("list")
@click.argument("village")
def rules_list(village: str) -> None:
    """List the rules in force today in a village, each with its clause."""
    with application():
        place = villages.village(known_village(village))
        today = datetime.now(ZoneInfo(place.timezone)).date()
        for rule in villages.pack_of(place.slug, today).rules:
            clause = rule["clause"]
            section = clause["section"] + ("*" if clause.get("starred") else "")
            click.echo(f"{rule['id']:12} {section:14} {rule['title']}")
