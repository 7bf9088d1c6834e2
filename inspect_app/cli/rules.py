"""`inspect-app rules`: are the rule packs sound, what is in force, what was published, what changed.

Running vectors and judging answers are in vectors.py.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from inspect_app.cli import vectors
from inspect_app.cli.setting_up import application, known_village
from inspect_app.domain import packs
from inspect_app.domain.errors import NotFound, TradeError
from inspect_app.domain.pack_changes import Member, changes_between
from inspect_app.domain.packs import Pack
from inspect_app.store import translations, villages
from inspect_app.store.villages import Village

FEWEST_LETTERS = 6  # of a pack's name, to tell which is meant

of_village = click.option("--village", required=True, help="The village's name, such as howards-grove.")


@click.group("rules")
def rule_packs() -> None:
    """Rule packs of the villages."""


@rule_packs.command("check")
@click.option("--village", help="Only this village.")
@click.option(
    "--vectors",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="One more folder of vector files, for a village whose own are not in its folder.",
)
def rules_check(village: str | None, folder: Path | None) -> None:
    """Check the rules of every village; says what is wrong, in which file, and then exits 1."""
    wrong = 0
    with application():
        slugs = [known_village(village)] if village else [place.slug for place in villages.villages()]
        for slug in slugs:
            name = slug.replace("_", "-")
            try:
                pack = villages.check(slug, vectors=folder)
                translations.translations(villages.village(slug))
            except TradeError as refusal:
                wrong += 1
                click.echo(f"{name}: {refusal}", err=True)
            else:
                click.echo(f"{name}: {len(pack.rules)} rules, version {pack.version}, {pack.hash}")
    if wrong:
        raise click.ClickException("Correct the files named above and check again.")


@rule_packs.command("untranslated")
@of_village
@click.option("--language", type=click.Choice(translations.LANGUAGES), default="es", show_default=True)
def rules_untranslated(village: str, language: str) -> None:
    """Print what the rules of a village do not say in a language yet, as lines for its es.yaml."""
    with application():
        left = translations.missing(villages.village(known_village(village)), language)
    for text in left:
        click.echo(f'{json.dumps(text, ensure_ascii=False)}: ""')


@rule_packs.command("list")
@of_village
@click.option("--on", "day", type=click.DateTime(["%Y-%m-%d"]), help="The day; default: today.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with everything.")
def rules_list(village: str, day: datetime | None, as_json: bool) -> None:
    """List the rules of the pack in force, each with its clause."""
    with application():
        place = villages.village(known_village(village))
        on = day.date() if day else datetime.now(ZoneInfo(place.timezone)).date()
        rows = listed(villages.pack_of(place.slug, on), place, villages.vector_counts(place.slug))
    if as_json:
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    for row in rows:
        section = row["clause"]["section"] + ("*" if row["clause"].get("starred") else "")
        told = f"{row['severity']}, {row['vectors']} vectors" if row["vectors"] else row["status"]
        click.echo(f"{row['id']:12} {section:14} {told:24} {row['title']}")


def listed(pack: Pack, place: Village, counted: Mapping[str, int]) -> list[dict[str, Any]]:
    """One row for each id of a pack; one that stands once for each of two forms has the kinds of both."""
    rows: dict[str, dict[str, Any]] = {}
    for rule in pack.rules:
        if rule["id"] in rows:
            rows[rule["id"]]["kinds"] += rule["kinds"]
            continue
        rows[rule["id"]] = {
            "id": rule["id"],
            "title": rule["title"],
            "status": rule.get("status", "executable"),
            "clause": rule["clause"],
            "quotation": rule["clause"].get("quote") or "",
            "kinds": [*rule["kinds"]],
            "severity": rule["severity"],
            "modal": rule["modal"],
            "deciding_body": place.bodies.get(rule["body"], rule["body"]),
            "in_force_from": rule["in_force_from"],
            "vectors": counted.get(rule["id"], 0),
            "carried_out_by": rule.get("carried_out_by"),
            "cannot": rule.get("cannot"),
        }
    return list(rows.values())


@rule_packs.command("publish")
@of_village
def rules_publish(village: str) -> None:
    """Keep the present pack as a file under its name; what was published is never overwritten."""
    with application():
        pack, path, is_new = villages.publish(known_village(village))
    state = "published" if is_new else "was published before and is unchanged"
    click.echo(f"{pack.hash}, in force from {pack.data['effective']}: {state}. {path}")


@rule_packs.command("changes")
@of_village
@click.argument("old")
@click.argument("new")
def rules_changes(village: str, old: str, new: str) -> None:
    """What changed between two packs: names of packs or their first letters, `present`, or files."""
    with application():
        slug = known_village(village)
        found = changes_between(_pack(slug, old), _pack(slug, new))
    for member in (*found.others, *found.settings):
        click.echo(_line(member))
    for change in found.rules:
        click.echo(f"{change.id} {change.how}: {change.rule['title']}")
        for member in change.members:
            click.echo(f"  {_line(member)}")
    if not found:
        click.echo("Nothing.")


def _pack(slug: str, name: str) -> Pack:
    if Path(name).is_file():
        return packs.read(Path(name).read_bytes())
    written = villages.packs_of(slug)
    if name == "present":
        return written[-1]
    if len(name) >= FEWEST_LETTERS:
        for pack in written:
            if pack.hash.startswith(name):
                return pack
    known = "\n".join(f"  {pack.hash}, in force from {pack.data['effective']}" for pack in written)
    raise NotFound(f"There is no pack {name}. Give {FEWEST_LETTERS} letters of its name or more:\n{known}")


def _line(member: Member) -> str:
    old, new = (
        "nothing" if part is None else part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
        for part in (member.old, member.new)
    )
    return f"{member.place}: {old} → {new}"


rule_packs.add_command(vectors.rules_vectors)
rule_packs.add_command(vectors.rules_eval)
