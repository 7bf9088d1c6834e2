"""Judge an inspection by a pack: one finding for each rule of its kind that is in force.

The JavaScript twin is static/pwa/rules/rules.js: tablet and server must give the same findings.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Result, Scope, parse
from inspect_app.domain.expression import evaluate as compute
from inspect_app.domain.packs import Pack, day_text_of
from inspect_app.domain.values import Record, Value
from inspect_app.domain.wording import Wording

OUTCOMES = ("violation", "discretion", "not_evaluated", "warning", "information", "pass", "not_applicable")
_RANK = {outcome: rank for rank, outcome in enumerate(OUTCOMES)}
_DECIDED = ("violation", "discretion")


@dataclass
class Failed:
    """A check that was not true: its number from 0, the row from 1, and the answers it read."""

    check: int
    row: int | None
    outcome: str
    figure: str | None
    message: str | None
    fields: list[str]


@dataclass
class Finding:
    """What a rule says about an inspection; `to_json` is what tablet, server and records share."""

    rule: str
    title: str
    outcome: str
    clause: dict[str, Any]
    body: str
    modal: str
    evidence: list[str]
    boundary: bool = False
    value: str | None = None
    missing: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    figure: str | None = None
    message: str | None = None
    reason: str | None = None
    notes: list[str] = field(default_factory=list)
    open_item: bool = False
    failed: list[Failed] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def evaluate(
    pack: Pack,
    kind: str,
    answers: Mapping[str, Any],
    context: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    on: date | str | None = None,
) -> list[Finding]:
    """The findings of every rule of this kind in force on a day, in the order of the pack.

    Answers, context and settings are raw, as the field dictionary says. `settings` go over those in force.
    Without `on` the day is the context's `today`.
    """
    context = context or {}
    today = context.get("today")
    day = day_text_of(on) or (today if isinstance(today, str) else None)
    given = {**answers, **context, **pack.settings_on(day), **(settings or {})}
    judging = _Judging(pack, kind, day, Answers(pack.data["fields"], pack.units, given))
    return [judging.finding(rule) for rule in pack.rules if judging.concerns(rule)]


class _Judging:
    """One inspection before one pack; remembers findings, since rules may combine others."""

    def __init__(self, pack: Pack, kind: str, day: str | None, answers: Answers) -> None:
        self.pack = pack
        self.kind = kind
        self.day = day
        self.answers = answers
        self.findings: dict[str, Finding] = {}

    def concerns(self, rule: Mapping[str, Any]) -> bool:
        return self.kind in rule["kinds"] and (self.day is None or rule["in_force_from"] <= self.day)

    def finding(self, rule: Mapping[str, Any]) -> Finding:
        found = self.findings.get(rule["id"])
        if found is None:
            found = self.findings[rule["id"]] = _OneRule(rule, self).judge()
        return found

    def combined(self, names: list[str]) -> list[Finding]:
        others = [rule for rule in self.pack.rules if rule["id"] in names and self.concerns(rule)]
        findings = [self.finding(rule) for rule in others]
        return [finding for finding in findings if finding.outcome != "not_applicable"]


class _OneRule:
    """One rule being judged: collects what was read and what is missing on the way."""

    def __init__(self, rule: Mapping[str, Any], judging: _Judging) -> None:
        self.rule = rule
        self.judging = judging
        self.wording = Wording(rule, judging.answers)
        self.lets = {name: parse(source) for name, source in rule.get("let", {}).items()}
        self.scope = self._scope()
        self.reads: set[str] = set()
        self.missing: set[str] = set()
        self.finding = Finding(
            rule=rule["id"],
            title=rule["title"],
            outcome="pass",
            clause=rule["clause"],
            body=rule["body"],
            modal=rule["modal"],
            evidence=rule.get("evidence", []),
        )

    def judge(self) -> Finding:
        if self._applies():
            if "combine" in self.rule:
                self._combine()
            elif "value" in self.rule:
                self._classify()
            else:
                self._check()
            if self.finding.outcome != "not_applicable":
                self._soften()
                self._note()
        self.finding.missing = sorted(self.missing)
        self.finding.reads = sorted(self.reads)
        return self.finding

    def _scope(self, row: Record | None = None) -> Scope:
        bound: dict[str, Value] = {"kind": self.judging.kind}
        if row is not None:
            bound["item"] = row
        return Scope(self.judging.answers, self.lets, bound)

    def _compute(self, source: str, scope: Scope | None = None) -> Result:
        result = compute(parse(source), scope or self.scope)
        self.reads |= result.reads
        return result

    def _applies(self) -> bool:
        for entry in self.rule.get("unless", ()):
            if self._compute(entry["expr"]).is_true:
                return self._not_applicable(entry["reason"])
        open_results = []
        for entry in self.rule.get("when", ()):
            result = self._compute(entry["expr"])
            if result.is_false:
                return self._not_applicable(entry["reason"])
            if result.value is None:
                open_results.append(result)
        for result in open_results:
            self._not_evaluated(result)
        return not open_results

    def _not_applicable(self, reason: str) -> bool:
        self.missing.clear()
        self.finding.outcome = "not_applicable"
        self.finding.reason = self.wording.fill(reason, self.scope)
        return False

    def _not_evaluated(self, result: Result) -> None:
        self.finding.outcome = "not_evaluated"
        self.missing |= result.missing
        if result.error and self.finding.reason is None:
            self.finding.reason = f"This rule cannot be computed: {result.error}."

    def _combine(self) -> None:
        finding = self.finding
        others = self.judging.combined(self.rule["combine"])
        if not others:
            self._not_applicable("None of the rules it combines applies here.")
            return
        worst = min(others, key=lambda other: _RANK[other.outcome])
        finding.outcome = worst.outcome
        finding.boundary = any(other.boundary for other in others)
        finding.open_item = any(other.open_item for other in others)
        for other in others:
            self.missing |= set(other.missing)
            self.reads |= set(other.reads)
        if worst.outcome == "pass":
            self._passes()
        else:
            finding.figure, finding.message = worst.figure, worst.message
            finding.reason = f"{worst.rule}: {worst.title}"

    def _classify(self) -> None:
        result = self._compute(self.rule["value"])
        if result.value is None:
            self._not_evaluated(result)
            return
        self.finding.outcome = "information"
        self.finding.value = self.wording.exact(result.value, self.rule.get("value_type"))
        self._passes()

    def _check(self) -> None:
        rows = self._rows()
        if rows is None:
            return
        outcomes = ["pass"]
        for row in rows:
            scope = self.scope if row is None else self._scope(row)
            for number, check in enumerate(self.rule["checks"]):
                result = self._compute(check["expr"], scope)
                if "at_limit" in check and compute(parse(check["at_limit"]), scope).is_true:
                    self.finding.boundary = True
                if result.is_false:
                    outcomes.append(self._fails(number, check, scope, row, result))
                elif result.value is None:
                    self._not_evaluated(result)
                    outcomes.append("not_evaluated")
        self.finding.outcome = min(outcomes, key=lambda outcome: _RANK[outcome])
        if self.finding.failed:
            worst = min(self.finding.failed, key=lambda failed: _RANK[failed.outcome])
            self.finding.figure, self.finding.message = worst.figure, worst.message
        elif self.finding.outcome == "pass":
            self._passes(rows[0])

    def _rows(self) -> list[Record] | list[None] | None:
        """The rows to check, [None] for a rule without rows, None if that already decides the finding."""
        if "each" not in self.rule:
            return [None]
        result = self._compute(self.rule["each"])
        if not isinstance(result.value, list):
            self._not_evaluated(result)
            return None
        if not result.value:
            self._not_applicable("No row concerns this clause.")
            return None
        return [row for row in result.value if isinstance(row, Record)]

    def _fails(
        self, number: int, check: Mapping[str, Any], scope: Scope, row: Record | None, result: Result
    ) -> str:
        outcome: str = check.get("fails", self.rule["severity"])
        figure = check.get("figure")
        self.finding.failed.append(
            Failed(
                check=number,
                row=row.row if row else None,
                outcome=outcome,
                figure=self.wording.figure(figure, scope, row) if figure else None,
                message=self.wording.fill(check["message"], scope, row),
                fields=sorted(result.reads),
            )
        )
        if outcome == "not_evaluated":
            self.missing |= result.reads
        self.finding.open_item = self.finding.open_item or check.get("open_item", False)
        return outcome

    def _passes(self, row: Record | None = None) -> None:
        if "passes" in self.rule:
            self.finding.message = self.wording.fill(
                self.rule["passes"], self.scope, value=self.finding.value or ""
            )
        scope = self._scope(row) if row else self.scope
        for check in self.rule.get("checks", ()):
            if self.finding.figure is None and check.get("figure"):
                self.finding.figure = self.wording.figure(check["figure"], scope, row)

    def _soften(self) -> None:
        for entry in self.rule.get("soften", ()):
            if self.finding.outcome in _DECIDED and self._compute(entry["expr"]).is_true:
                self.finding.outcome = entry["to"]
                for failed in self.finding.failed:
                    if failed.outcome in _DECIDED:
                        failed.outcome = entry["to"]
                self.finding.notes.append(self.wording.fill(entry["note"], self.scope))

    def _note(self) -> None:
        for entry in self.rule.get("notes", ()):
            if compute(parse(entry["expr"]), self.scope).is_true:
                self.finding.notes.append(self.wording.fill(entry["text"], self.scope))
