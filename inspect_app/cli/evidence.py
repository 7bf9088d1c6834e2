"""`inspect-app export` and `inspect-app verify`: what leaves the product, and whether it is what it says."""

import hashlib
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from inspect_app.cli.setting_up import application, known_village
from inspect_app.reports import checker, custody_form, evidence
from inspect_app.store import villages


@click.group()
def export() -> None:
    """Write records to files."""


@export.command("evidence")
@click.argument("record", required=False)
@click.option("--any-sample", is_flag=True, help="A record with a chain of custody, whichever there is.")
@click.option("--village", help="Where two villages have a record of this number.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The zip."
)
def export_evidence(record: str | None, any_sample: bool, village: str | None, output: Path) -> None:
    """Write the evidence package of RECORD: its number, such as T-0044, or its id."""
    if bool(record) == any_sample:
        raise click.UsageError("Name one record, or ask for --any-sample.")
    beside = output.with_name(f".{output.name}.part")
    with application():
        slug = known_village(village) if village else None
        found = evidence.named(record, slug) if record else evidence.any_sample()
        try:
            with beside.open("wb") as out:
                kinds = evidence.write(found, out, datetime.now(UTC))
            beside.replace(output)
        except OSError as error:
            raise click.ClickException(f"{output} cannot be written: {error.strerror}.") from error
        finally:
            beside.unlink(missing_ok=True)
        counted = ", ".join(
            f"{kinds.get(kind, 0)} {name}"
            for kind, name in (("ops", "entries"), ("custody", "custody events"), ("photos", "photos"))
        )
        place = villages.village(found.village).web_name
        click.echo(f"{output}: record {found.number} of {place}, {counted}.")


@export.command("custody")
@click.argument("record")
@click.option("--village", help="Where two villages have a record of this number.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The PDF."
)
def export_custody(record: str, village: str | None, output: Path) -> None:
    """Write the chain-of-custody form of RECORD as a PDF; the same record gives the same bytes."""
    with application():
        found = evidence.named(record, known_village(village) if village else None)
        content = custody_form.custody_pdf(found)
        try:
            output.write_bytes(content)
        except OSError as error:
            raise click.ClickException(f"{output} cannot be written: {error.strerror}.") from error
        click.echo(f"{output}: record {found.number}, SHA-256 {hashlib.sha256(content).hexdigest()}")


@click.command()
@click.argument("package", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--key", "fingerprint", default="", help="The fingerprint of the village's key, as it publishes it."
)
def verify(package: Path, fingerprint: str) -> None:
    """Check an evidence package; needs no database. Exits 1 when something is wrong."""
    with package.open("rb") as file:
        verdict = checker.check(file, fingerprint)
    for line in verdict.lines():
        click.echo(line)
    sys.exit(1 if verdict.wrong else 0)
