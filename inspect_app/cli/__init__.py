"""The command line: `inspect-app serve`, and what an administrator does without a browser.

Every mistake ends as a sentence and an exit code: 1 something is wrong, 2 the command was typed wrong. A new
command stands in the module of its noun and is entered in the tuple below.
"""

from importlib.metadata import version

import click
from sqlalchemy.exc import OperationalError, ProgrammingError

from inspect_app.cli import evidence, laboratory, maps, people, rules, serving
from inspect_app.domain.errors import TradeError


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


@click.group(cls=Sentences)
@click.version_option(version("inspect-app"))
def cli() -> None:
    """Field inspections for sewer utilities."""


for command in (
    serving.serve,
    serving.demo,
    serving.config,
    serving.database,
    people.users,
    people.tablets,
    rules.rule_packs,
    maps.maps,
    laboratory.lab,
    evidence.export,
    evidence.verify,
):
    cli.add_command(command)


def main() -> None:
    """The console entry."""
    cli()
