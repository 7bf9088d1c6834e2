"""Judge an inspection by a pack: one finding for each rule of its kind that is in force.

The JavaScript twin is static/pwa/rules/rules.js: tablet and server must give the same findings.
"""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.findings import OUTCOMES, Failed, Finding
from inspect_app.domain.one_rule import OneRule
from inspect_app.domain.packs import Pack, day_text_of
from inspect_app.domain.prepared import Prepared
from inspect_app.domain.rule_checks import OFFICE
from inspect_app.domain.scope import Result, Scope

EXECUTABLE = "executable"  # the status of a rule that is judged; workflow and reference rules never are

__all__ = ["EXECUTABLE", "OFFICE", "OUTCOMES", "Failed", "Finding", "evaluate"]


def evaluate(
    pack: Pack,
    kind: str,
    answers: Mapping[str, Any],
    context: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    on: date | str | None = None,
    *,
    beside: bool = False,
) -> list[Finding]:
    """The findings of every rule of this kind in force on a day, in the order of the pack.

    Answers, context and settings are raw, as the field dictionary says. `settings` go over those in force.
    Without `on` the day is the context's `today`. `beside` also judges the rules of the kind `office`, which
    rest on records beside the visit; the findings of a visit itself leave them out.
    """
    context = context or {}
    today = context.get("today")
    day = day_text_of(on) or (today if isinstance(today, str) else None)
    given = {**answers, **context, **pack.settings_on(day), **(settings or {})}
    known = Answers(pack.data["fields"], pack.units, given, pack.known_on(day))
    judging = _Judging(pack, kind, day, known, beside)
    return [judging.finding(prepared) for prepared in judging.concerned]


class _Judging:
    """One inspection before one pack; remembers findings, since rules may combine others."""

    def __init__(self, pack: Pack, kind: str, day: str | None, answers: Answers, beside: bool) -> None:
        self.pack = pack
        self.kind = kind
        self.day = day
        self.answers = answers
        self.beside = beside
        self.findings: dict[str, Finding] = {}
        self.scope = Scope(answers, None, {"kind": kind})
        self.in_every_rule: dict[str, Result] = {}

    def _concerns(self, rule: Mapping[str, Any]) -> bool:
        return (
            rule.get("status", EXECUTABLE) == EXECUTABLE
            and (self.kind in rule["kinds"] or self._stands_beside(rule))
            and (self.day is None or rule["in_force_from"] <= self.day)
        )

    def _stands_beside(self, rule: Mapping[str, Any]) -> bool:
        """An id that stands twice is judged by the entry that has the form's own kind."""
        return self.beside and OFFICE in rule["kinds"] and rule["id"] not in self._own

    @cached_property
    def _own(self) -> set[str]:
        return {rule["id"] for rule in self.pack.rules if self.kind in rule["kinds"]}

    @cached_property
    def concerned(self) -> list[Prepared]:
        rules = self.pack.prepared if self.beside else self.pack.by_kind.get(self.kind, [])
        return [prepared for prepared in rules if self._concerns(prepared.rule)]

    def finding(self, prepared: Prepared) -> Finding:
        name = prepared.rule["id"]
        found = self.findings.get(name)
        if found is None:
            found = self.findings[name] = OneRule(prepared, self).judge()
        return found

    def combined(self, names: list[str]) -> list[Finding]:
        findings = [self.finding(prepared) for prepared in self.concerned if prepared.rule["id"] in names]
        return [finding for finding in findings if finding.outcome != "not_applicable"]
