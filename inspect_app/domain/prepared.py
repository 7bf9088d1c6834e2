"""What a rule is made of, read once for all judgements: its lets, and which of its expressions need a row.

A let or a check that does not speak of `item` is the same on every row, and what speaks of answers alone is
the same in every rule: each is computed once. The JavaScript twin is static/pwa/rules/prepared.js.
"""

from collections.abc import Mapping
from typing import Any

from inspect_app.domain.compiled import Run, compiled
from inspect_app.domain.syntax import parse
from inspect_app.domain.tree import Node, names_in


class Prepared:
    """A rule with its lets as trees; `row_lets` are those that differ from row to row."""

    __slots__ = ("_asked", "lets", "row_lets", "rule")

    def __init__(self, rule: Mapping[str, Any]) -> None:
        self.rule = rule
        self.lets: dict[str, Node] = {name: parse(source) for name, source in rule.get("let", {}).items()}
        self.row_lets = self._of_rows() if "each" in rule else {}
        self._asked: dict[str, tuple[Run, str]] = {}

    def asked(self, source: str) -> tuple[Run, str]:
        """What computes an expression of this rule, and what that needs beside answers.

        That is `row`, `lets` or `nothing`.
        """
        try:
            return self._asked[source]
        except KeyError:
            tree = parse(source)
            names = names_in(tree)
            of_row = not names.isdisjoint({"item", *self.row_lets})
            needs = "row" if of_row else "nothing" if names.isdisjoint(self.lets) else "lets"
            return self._asked.setdefault(source, (compiled(tree), needs))

    def _of_rows(self) -> dict[str, Node]:
        names = {name: names_in(tree) for name, tree in self.lets.items()}
        found = {"item"}
        while more := {name for name, inner in names.items() if name not in found and inner & found}:
            found |= more
        return {name: tree for name, tree in self.lets.items() if name in found}
