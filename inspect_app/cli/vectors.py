"""`inspect-app rules vectors` and `rules eval`: what the rules say of written cases and of given answers."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from inspect_app.cli import tablet_engine
from inspect_app.cli.setting_up import application, known_village
from inspect_app.cli.tablet_engine import Case
from inspect_app.domain import rules
from inspect_app.domain.errors import PackRefused, TradeError
from inspect_app.domain.findings import Finding
from inspect_app.domain.rule_checks import KINDS
from inspect_app.domain.vectors import mismatches, read_vector
from inspect_app.store import villages

_ORIGINS = ("answers", "context", "settings")


@click.command("vectors")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--engine", type=click.Choice(["python", "js"]), default="python", help="The server's, or the tablet's."
)
def rules_vectors(files: tuple[Path, ...], engine: str) -> None:
    """Judge the vectors of FILES; prints every mismatch, and exits 1 if there is one.

    Where a vector says `boundary`, each rule in it must lie on its limit; others may.
    """
    passed = failed = 0
    with application():
        cases = []
        refused: dict[str, str] = {}
        for found in (found for file in files for found in _cases(file, refused)):
            if isinstance(found, Case):
                cases.append(found)
            else:
                failed += 1
                click.echo(found)
        judged = tablet_engine.judge(cases) if engine == "js" else map(_judge, cases)
        for case, findings in zip(cases, judged, strict=True):
            said = mismatches(case.vector, case.pack, findings)
            for line in said:
                click.echo(f"{case.file}: {case.vector.name}: {line}")
            failed, passed = (failed + 1, passed) if said else (failed, passed + 1)
    click.echo(f"{passed} passed, {failed} failed")
    if failed:
        sys.exit(1)


def _cases(file: Path, refused: dict[str, str]) -> Iterator[Case | str]:
    """Each vector of a file, or a sentence where there is none.

    `refused` remembers villages whose rules are not sound, so that the faults are told once.
    """
    try:
        text = file.read_bytes().decode()
        entries = json.loads(text, parse_constant=_no_number)
        if not isinstance(entries, list):
            raise ValueError("a JSON list of vectors is needed")
    except (OSError, ValueError, RecursionError) as error:
        yield f"{file}: {error}"
        return
    for index, entry in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        try:
            vector = read_vector(entry)
            if vector.village in refused:
                raise ValueError(refused[vector.village])
            pack = villages.pack_of(known_village(vector.village), date.fromisoformat(vector.on))
        except PackRefused as refusal:
            refused[vector.village] = f"the rules of {vector.village} are not sound, as told above"
            yield f"{file}: {name}: {refusal}"
            continue
        except (ValueError, TradeError) as refusal:
            yield f"{file}: {name or f'vector {index + 1}'}: {refusal}"
            continue
        _tell_strays(f"{file}: {vector.name}", {name: getattr(vector, name) for name in _ORIGINS})
        yield Case(file, text, index, vector, pack)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _tell_strays(where: str, given: Mapping[str, Any]) -> None:
    """A misspelt name counts as not answered; that it does is told beside the result."""
    known = villages.dictionary().flat()
    for origin in _ORIGINS:
        for name in given.get(origin) or ():
            if name not in known:
                click.echo(f"{where}: note: {origin} has no field {name}; it is not read", err=True)


def _judge(case: Case) -> list[dict[str, Any]]:
    """The findings of the rules that the vector names; the others would only cost time."""
    vector = case.vector
    found = rules.evaluate(
        case.pack, vector.kind, vector.answers, vector.context, vector.settings, vector.on, beside=True
    )
    wanted = vector.rules()
    return [finding.to_json() for finding in found if finding.rule in wanted]


@click.command("eval")
@click.option("--village", required=True, help="The village's name, such as howards-grove.")
@click.option("--kind", required=True, type=click.Choice(KINDS), help="The form the answers are of.")
@click.option("--on", "day", required=True, type=click.DateTime(["%Y-%m-%d"]), help="The day to judge by.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with everything.")
def rules_eval(village: str, kind: str, day: datetime, as_json: bool) -> None:
    """Judge answers from standard input, as JSON; prints each finding with what is missing and what was read.

    The object holds answers by the names of the field dictionary, or answers, context and settings apart.
    """
    given = _given(sys.stdin.read())
    with application():
        pack = villages.pack_of(known_village(village), day.date())
        _tell_strays("standard input", given)
        answers, context, settings = (given[name] for name in _ORIGINS)
        found = rules.evaluate(pack, kind, answers, context, settings, day.date(), beside=True)
    if as_json:
        click.echo(json.dumps([finding.to_json() for finding in found], indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(found)))


def _given(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"Standard input is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise click.ClickException("Standard input must be one JSON object with answers by their names.")
    if not isinstance(given.get("answers"), dict):
        return {"answers": given, "context": {}, "settings": {}}
    for name in _ORIGINS:
        if not isinstance(given.setdefault(name, {}), dict):
            raise click.ClickException(f"{name} must be an object with values by their names.")
    return given


def _lines(findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        limit = ", exactly on its limit" if finding.boundary else ""
        yield f"{finding.outcome:15} {finding.rule}  {finding.title}{limit}"
        for told in (finding.figure, finding.message or finding.reason, *finding.notes):
            if told:
                yield f"                {told}"
        for label, parts in (
            ("value", [finding.value] if finding.value else []),
            ("missing", finding.missing),
            ("read", finding.reads),
        ):
            if parts:
                yield f"                {label}: {', '.join(parts)}"
