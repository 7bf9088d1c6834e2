"""One rule being judged: its conditions, its checks row by row, its classification or combination.

The JavaScript twin is static/pwa/rules/one_rule.js; change both together.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from inspect_app.domain.answers import Answers
from inspect_app.domain.findings import RANK, Failed, Finding
from inspect_app.domain.prepared import Prepared
from inspect_app.domain.scope import Result, Scope, result_of
from inspect_app.domain.values import Record
from inspect_app.domain.wording import Wording

_DECIDED = ("violation", "discretion")


class Judging(Protocol):
    """The inspection before the pack, as one rule sees it."""

    answers: Answers
    scope: Scope  # of answers alone
    in_every_rule: dict[str, Result]  # of expressions that speak of answers alone

    def combined(self, names: list[str]) -> list[Finding]: ...


class OneRule:
    """One rule being judged: collects what was read and what is missing on the way."""

    def __init__(self, prepared: Prepared, judging: "Judging") -> None:
        self.prepared = prepared
        self.rule = rule = prepared.rule
        self.judging = judging
        self.wording = Wording(rule, judging.answers)
        self.scope = Scope(judging.answers, prepared.lets, None, judging.scope)
        self.row_scopes: dict[int | None, Scope] = {}
        self.on_every_row: dict[str, Result] = {}
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
            elif "checks" in self.rule:
                self._check()
            else:
                self._classify()
            if self.finding.outcome != "not_applicable":
                self._soften()
                self._note()
        self.finding.missing = sorted(self.missing)
        self.finding.reads = sorted(self.reads)
        return self.finding

    def _scope(self, row: Record) -> Scope:
        """That of a row, in which only what differs from row to row is computed anew."""
        scope = self.row_scopes.get(row.row)
        if scope is None:
            scope = Scope(self.judging.answers, self.prepared.row_lets, {"item": row}, self.scope)
            self.row_scopes[row.row] = scope
        return scope

    def _compute(self, source: str, scope: Scope | None = None) -> Result:
        """What an expression gives; what it read counts as read by the rule."""
        result = self._result(source, self.scope if scope is None else scope)
        self.reads |= result.reads
        return result

    def _holds(self, source: str, scope: Scope, reads: set[str]) -> bool:
        """Whether an expression is true, as most checks are; what it reads is added to the others."""
        run, needs = self.prepared.asked(source)
        if needs == "row" or "each" not in self.rule:
            return run(scope, reads) is True
        result = self._result(source, scope)
        reads |= result.reads
        return result.is_true

    def _result(self, source: str, scope: Scope) -> Result:
        """What an expression gives; remembered if that is the same on every row or in every rule."""
        run, needs = self.prepared.asked(source)
        if needs == "row":
            return result_of(run, scope)
        kept, where = self.on_every_row, self.scope
        if needs == "nothing":
            kept, where = self.judging.in_every_rule, self.judging.scope
        return kept.get(source) or kept.setdefault(source, result_of(run, where))

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
        self.finding.value = None
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
        worst = min(others, key=lambda other: RANK[other.outcome])
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
        if self._value():
            self.finding.outcome = "information"
            self._passes()

    def _value(self) -> bool:
        """Compute the value; False if it is unknown, which weighs like a check that is unknown."""
        result = self._compute(self.rule["value"])
        if result.value is None:
            self._not_evaluated(result)
            return False
        self.finding.value = self.wording.exact(result.value, self.rule.get("value_type"))
        return True

    def _check(self) -> None:
        outcomes = ["not_evaluated" if "value" in self.rule and not self._value() else "pass"]
        rows = self._rows()
        if rows is None:
            return
        for row in rows:
            scope = self.scope if row is None else self._scope(row)
            for number, check in enumerate(self.rule["checks"]):
                if "at_limit" in check and self._holds(check["at_limit"], scope, set()):
                    self.finding.boundary = True
                if self._holds(check["expr"], scope, self.reads):
                    continue
                result = self._compute(check["expr"], scope)
                if result.value is False:
                    outcomes.append(self._fails(number, check, scope, row, result))
                elif result.value is None:
                    self._not_evaluated(result)
                    outcomes.append("not_evaluated")
        self.finding.outcome = min(outcomes, key=RANK.__getitem__)
        if self.finding.failed:
            worst = min(self.finding.failed, key=lambda failed: RANK[failed.outcome])
            self.finding.figure, self.finding.message = worst.figure, worst.message
        elif self.finding.outcome == "pass":
            self._passes(self._tightest(rows))

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
                message=self.wording.fill(check["message"], scope, row, self.finding.value or ""),
                fields=sorted(result.reads),
            )
        )
        if outcome == "not_evaluated":
            self.missing |= result.reads
        self.finding.open_item = self.finding.open_item or check.get("open_item", False)
        return outcome

    def _tightest(self, rows: Sequence[Record | None]) -> Record | None:
        """The row that came closest to its limit: its figure tells most about a pass."""
        if len(rows) == 1:
            return rows[0]
        figure = next((check["figure"] for check in self.rule["checks"] if check.get("figure")), None)
        if figure is None:
            return rows[0]
        margins = [self.wording.margin(figure, self._scope(row) if row else self.scope) for row in rows]
        known = [(margin, at) for at, margin in enumerate(margins) if margin is not None]
        return rows[min(known)[1]] if known else rows[0]

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
            if self._holds(entry["expr"], self.scope, set()):
                self.finding.notes.append(self.wording.fill(entry["text"], self.scope))
