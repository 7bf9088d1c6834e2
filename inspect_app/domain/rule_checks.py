"""The checks of one rule: its members, its words, its citation, and the types of everything it says."""

import re
from collections.abc import Mapping
from typing import Any

from inspect_app.domain import calendar
from inspect_app.domain.can_apply import NEVER, is_constant, why_never
from inspect_app.domain.checker import Names, check, type_of
from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.syntax import parse
from inspect_app.domain.tree import Node
from inspect_app.domain.types import Type, TypeFault, joined

OFFICE = "office"  # judged beside a visit, on no form
KINDS = ("lateral", "tap", "downspout", "manhole", OFFICE)
SEVERITIES = ("violation", "warning", "discretion", "information")
FAILS = (*SEVERITIES, "not_evaluated")
MODALS = ("shall", "should", "may")
STATUSES = ("executable", "workflow", "reference")  # a rule without one is executable
PASSES_BY = (">", ">=", "<", "<=", "==", "!=")
MOST_QUOTED_WORDS = 15
KIND = Type("text", choices=frozenset(KINDS))  # the form being judged, under the name `kind`
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

_MEMBERS = frozenset(
    (
        *("id", "title", "clause", "in_force_from", "kinds", "body", "modal", "severity", "unless", "when"),
        *("let", "each", "checks", "passes", "value", "combine", "soften", "notes", "evidence", "reading"),
        *("let_types", "value_type", "status", "carried_out_by", "cannot"),
    )
)
_CARRIED = {"function", "test", "how"}
_CLAUSE = frozenset(["section", "starred", "letter", "heading", "quote", "lines"])
_CHECK = frozenset(["expr", "fails", "at_limit", "figure", "message", "open_item"])
_FIGURE = frozenset(["value", "limit", "unit", "good", "of", "type"])


class RuleCheck:
    """Collects the faults of one rule as (place, reason); its life is one publication."""

    def __init__(
        self,
        rule: dict[str, Any],
        types: Mapping[str, Type],
        fields: Mapping[str, Any],
        rules: list[dict[str, Any]],
    ) -> None:
        self.rule = rule
        self.types = types
        self.fields = fields
        self.rules = rules
        self.faults: list[tuple[str, str]] = []
        self.lets: dict[str, Node] = {}
        self.names = Names(types, bound={"kind": KIND})
        self.in_rows = self.names

    def say(self, place: str, reason: str) -> None:
        self.faults.append((place, reason))

    def run(self) -> None:
        self._head()
        self._clause()
        self._names()
        for name in ("unless", "when"):
            for index, entry in enumerate(self._entries(name)):
                self._condition(entry, f"{name}[{index}]", "reason")
        for index, entry in enumerate(self._entries("notes")):
            self._condition(entry, f"notes[{index}]", "text")
        for index, entry in enumerate(self._entries("soften")):
            self._condition(entry, f"soften[{index}]", "note", "to")
            if entry.get("to") not in SEVERITIES[1:]:
                self.say(f"soften[{index}].to", f"must be one of {', '.join(SEVERITIES[1:])}")
        self._ways()
        for index, entry in enumerate(self._entries("checks", wanted="checks" in self.rule)):
            self._check(entry, f"checks[{index}]")
        if "value" in self.rule:
            self._value()
        if "combine" in self.rule:
            self._combine()
        if "passes" in self.rule:
            also = {"value"} if "value" in self.rule else set()
            self._template(self.rule["passes"], "passes", self.names, also)
        self._evidence()
        if not self.faults:
            self._can_apply()

    def _can_apply(self) -> None:
        unless, when = (
            [parse(entry["expr"]) for entry in self.rule.get(name, ())] for name in ("unless", "when")
        )
        kinds = KINDS if OFFICE in self.rule["kinds"] else self.rule["kinds"]
        if why := why_never(unless, when, self.lets, self.types, kinds):
            self.say(*why)
        for index, entry in enumerate(self.rule.get("checks", ())):
            if is_constant(parse(entry["expr"]), self.lets, True):
                self.say(f"checks[{index}].expr", "is true whatever is answered: it can never fail")

    def _head(self) -> None:
        for name in sorted(set(self.rule) - _MEMBERS):
            self.say(name, "is not a member of a rule")
        for name in ("id", "title", "body"):
            if not self.rule.get(name):
                self.say(name, "a text is needed")
        if not _is_day(self.rule.get("in_force_from")):
            self.say("in_force_from", "a day YYYY-MM-DD in quotes is needed")
        elif self.rule["in_force_from"] >= calendar.FIRST_DAY_BEYOND:
            self.say("in_force_from", f"lies after every inspection: {NEVER}")
        kinds = self.rule.get("kinds")
        if not kinds:
            self.say("kinds", "at least one kind of inspection is needed")
        for kind in kinds or ():
            if kind not in KINDS:
                self.say("kinds", f"{kind} is not one of {', '.join(KINDS)}")
        if self.rule.get("modal") not in MODALS:
            self.say("modal", f"must be one of {', '.join(MODALS)}")
        if self.rule.get("severity") not in SEVERITIES:
            self.say("severity", f"must be one of {', '.join(SEVERITIES)}")

    def _ways(self) -> None:
        """How a rule is judged, or who carries it out, or why nothing can be said."""
        rule, status = self.rule, self.rule.get("status", STATUSES[0])
        ways = {way for way in ("checks", "value", "combine") if way in rule}
        if status not in STATUSES:
            self.say("status", f"must be one of {', '.join(STATUSES)}")
        elif status == "executable" and ways not in ({"checks"}, {"value"}, {"checks", "value"}, {"combine"}):
            self.say("checks", "a rule has checks, a value, both, or combine")
        elif status != "executable" and ways:
            self.say("status", f"a {status} rule is never judged: it has no {', '.join(sorted(ways))}")
        if bool(rule.get("cannot")) != (status == "reference"):
            self.say("cannot", "why it cannot be evaluated: a rule of status reference says so, no other")
        if "carried_out_by" in rule or status == "workflow":
            done = rule.get("carried_out_by") or {}
            if status == "reference" or set(done) != _CARRIED or not all(done.values()):
                self.say("carried_out_by", f"needs {', '.join(sorted(_CARRIED))}, and no status reference")

    def _clause(self) -> None:
        clause = self.rule.get("clause")
        if not clause or not clause.get("section"):
            self.say("clause", "the section it rests on is needed")
            return
        for name in sorted(set(clause) - _CLAUSE):
            self.say(f"clause.{name}", "is not a member of a clause")
        if len(str(clause.get("quote") or "").split()) > MOST_QUOTED_WORDS:
            self.say("clause.quote", f"is longer than {MOST_QUOTED_WORDS} words")

    def _names(self) -> None:
        """Set up what names stand for, with and without a row, and note lets of days."""
        lets = self.lets
        for name, source in (self.rule.get("let") or {}).items():
            if name in self.types:
                self.say(f"let.{name}", "is already the name of a field")
            if name in ("item", "kind", "row", "value"):
                self.say(f"let.{name}", "has a meaning of its own: give the let another name")
            try:
                lets[name] = parse(source)
            except ExpressionRefused as refusal:
                self.say(f"let.{name}", str(refusal))
        self.names = self.in_rows = Names(self.types, lets, {"kind": KIND})
        if "each" in self.rule:
            try:
                rows = check(self.rule["each"], self.names, "list")
                if rows.item is None or rows.item.kind != "record":
                    raise TypeFault("each needs a list of rows")
                self.in_rows = Names(self.types, lets, {"kind": KIND, "item": rows.item})
            except TypeFault as fault:
                self.say("each", str(fault))
        shown = {}
        for name, tree in lets.items():
            try:
                kind = type_of(tree, self.in_rows).kind
            except TypeFault as fault:
                self.say(f"let.{name}", str(fault))
                continue
            if kind in ("date", "time"):
                shown[name] = kind
        if shown:
            self.rule["let_types"] = shown

    def _entries(self, name: str, wanted: bool = False) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.rule.get(name, [])
        if wanted and not entries:
            self.say(name, "at least one is needed")
        return entries

    def _condition(self, entry: dict[str, Any], place: str, text: str, *more: str) -> None:
        for name in sorted(set(entry) - {"expr", text, *more}):
            self.say(f"{place}.{name}", "is not a member here")
        self._expression(entry.get("expr"), f"{place}.expr", self.names, "bool")
        self._template(entry.get(text), f"{place}.{text}", self.names, set())

    def _expression(self, source: object, place: str, names: Names, wanted: str | None = None) -> Type | None:
        try:
            return check(source, names, wanted)
        except TypeFault as fault:
            self.say(place, str(fault))
            return None

    def _check(self, entry: dict[str, Any], place: str) -> None:
        for name in sorted(set(entry) - _CHECK):
            self.say(f"{place}.{name}", "is not a member of a check")
        self._expression(entry.get("expr"), f"{place}.expr", self.in_rows, "bool")
        if "at_limit" in entry:
            self._expression(entry["at_limit"], f"{place}.at_limit", self.in_rows, "bool")
        if "fails" in entry and entry["fails"] not in FAILS:
            self.say(f"{place}.fails", f"must be one of {', '.join(FAILS)}")
        also = {"row", "value"} if "value" in self.rule else {"row"}
        self._template(entry.get("message"), f"{place}.message", self.in_rows, also)
        if "figure" in entry:
            self._figure(entry["figure"], f"{place}.figure")

    def _figure(self, figure: dict[str, Any], place: str) -> None:
        if figure.get("good") not in PASSES_BY:
            self.say(place, f"needs value, limit and good, one of {' '.join(PASSES_BY)}")
            return
        for name in sorted(set(figure) - _FIGURE):
            self.say(f"{place}.{name}", "is not a member of a figure")
        value = self._expression(figure.get("value"), f"{place}.value", self.in_rows)
        limit = self._expression(figure.get("limit"), f"{place}.limit", self.in_rows)
        if value and limit:
            try:
                kind = joined("figure", value, limit)
                if kind.kind not in ("int", "double", "date", "time"):
                    raise TypeFault(f"a figure shows numbers, days or instants, not {kind}")
                if kind.unit and figure.get("unit") and kind.unit != figure["unit"]:
                    raise TypeFault(f"the value is in {kind.unit}, the figure says {figure['unit']}")
                if kind.kind in ("date", "time"):
                    figure["type"] = kind.kind
            except TypeFault as fault:
                self.say(place, str(fault))
        for path in figure.get("of", []):
            self._expression(path, f"{place}.of", self.in_rows)

    def _value(self) -> None:
        found = self._expression(self.rule["value"], "value", self.names)
        if found and found.kind in ("list", "record", "nothing"):
            self.say("value", f"a classification is one value, not {found}")
        if found and found.kind in ("date", "time"):
            self.rule["value_type"] = found.kind
        if "each" in self.rule and "checks" not in self.rule:
            self.say("value", "stands only in a rule without each")

    def _combine(self) -> None:
        names = self.rule["combine"]
        if not names:
            self.say("combine", "at least one rule is needed")
        for name in names:
            others = [rule for rule in self.rules if rule.get("id") == name]
            if not others:
                self.say("combine", f"{name} is not a rule of this pack")
            elif any("combine" in other for other in others):
                self.say("combine", f"{name} combines others itself")
            elif not any(share_a_kind(self.rule, other) for other in others):
                self.say("combine", f"{name} is never judged on the same form")

    def _evidence(self) -> None:
        known = (self.fields.get("photos") or {}).get("of", {}).get("shows", {}).get("choices")
        for slot in self.rule.get("evidence", []):
            if known and slot not in known:
                self.say("evidence", f"{slot} is not a photo of the dictionary")

    def _template(self, text: Any, place: str, names: Names, also: set[str]) -> None:
        if not isinstance(text, str) or not text:
            self.say(place, "a sentence is needed")
            return
        for name in PLACEHOLDER.findall(text):
            if name not in also and self._expression(name, f"{place} {{{name}}}", names) and " " in name:
                self.say(place, f"{{{name}}}: name a field or a let")


def share_a_kind(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(set(one.get("kinds") or []) & set(other.get("kinds") or []))


def _is_day(value: Any) -> bool:
    return isinstance(value, str) and calendar.day_number(value) is not None
