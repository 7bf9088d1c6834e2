"""Whether a rule can ever apply: its conditions tried with every answer of the choices they read.

Answers that are not tried are unknown, and unknown never counts against a rule. So whatever is reported is
certain, and what joins numbers or days in a contradiction is not found.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from inspect_app.domain.expression import Scope, evaluate
from inspect_app.domain.tree import Call, Name, Node, children
from inspect_app.domain.types import Type
from inspect_app.domain.values import Value

MOST_FIELDS = 4
MOST_CASES = 400
NEVER = "the rule can never apply"


class _Some:
    """The answers of one case; all others are not answered."""

    def __init__(self, known: Mapping[str, Value | None]) -> None:
        self.known = known

    def get(self, name: str, /) -> Value | None:
        return self.known.get(name)

    def derived(self, name: str, /) -> None:
        return None

    def typed_unit(self, path: str, /) -> str | None:
        return None


def why_never(
    unless: list[Node], when: list[Node], lets: Mapping[str, Node], types: Mapping[str, Type], kinds: Any
) -> tuple[str, str] | None:
    """Place and reason if a rule of these kinds applies to no answers at all, else None."""
    fields = {**types, "kind": Type("text", choices=frozenset(kinds))}
    for index, tree in enumerate(unless):
        if _always(tree, lets, fields, True):
            return f"unless[{index}].expr", f"is true whatever is answered: {NEVER}"
    for index, tree in enumerate(when):
        if _always(tree, lets, fields, False):
            return f"when[{index}].expr", f"is false whatever is answered: {NEVER}"
    cases = _cases([*unless, *when], lets, fields) if len(unless) + len(when) > 1 else None
    if cases is not None and all(
        any(_gives(tree, scope, True) for tree in unless) or any(_gives(tree, scope, False) for tree in when)
        for scope in cases
    ):
        return "when" if when else "unless", f"the conditions exclude each other: {NEVER}"
    return None


def is_constant(tree: Node, lets: Mapping[str, Node], wanted: bool) -> bool:
    """Whether an expression gives this although nothing is answered at all."""
    return not _has_fallback(_nodes([tree], lets)) and _gives(tree, Scope(_Some({}), lets), wanted)


def _always(tree: Node, lets: Mapping[str, Node], fields: Mapping[str, Type], wanted: bool) -> bool:
    cases = _cases([tree], lets, fields)
    return cases is not None and all(_gives(tree, scope, wanted) for scope in cases)


def _gives(tree: Node, scope: Scope, wanted: bool) -> bool:
    return evaluate(tree, scope).value is wanted


def _cases(trees: list[Node], lets: Mapping[str, Node], fields: Mapping[str, Type]) -> list[Scope] | None:
    """One scope for each combination of the choices that the trees read; None if they would prove nothing."""
    nodes = _nodes(trees, lets)
    read = {node.name for node in nodes if isinstance(node, Name)}
    options = {name: found for name in sorted(read & fields.keys()) if (found := _options(fields[name]))}
    chosen: dict[str, list[Value | None]] = {}
    cases = 1
    for name in sorted(options, key=lambda name: (name != "kind", len(options[name])))[:MOST_FIELDS]:
        if cases * len(options[name]) <= MOST_CASES:
            chosen[name] = [*options[name]]
            cases *= len(options[name])
    if _has_fallback(nodes):
        # first(a, b) is b where a is unknown, so here an answer that is not tried would count for something.
        if read & fields.keys() - chosen.keys():
            return None
        chosen = {name: [*values, None] if name != "kind" else values for name, values in chosen.items()}
    known = [dict(zip(chosen, values, strict=True)) for values in product(*chosen.values())]
    return [Scope(_Some(case), lets, {"kind": str(case["kind"])} if "kind" in case else {}) for case in known]


def _options(kind: Type) -> list[Value]:
    if kind.kind == "bool":
        return [True, False]
    return [*sorted(kind.choices)] if kind.kind == "text" and kind.choices else []


def _nodes(trees: Iterable[Node], lets: Mapping[str, Node]) -> list[Node]:
    """Every node of the trees and of the lets they name."""
    found: list[Node] = []
    waiting, followed = list(trees), set()
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += children(node)
        if isinstance(node, Name) and node.name in lets and node.name not in followed:
            followed.add(node.name)
            waiting.append(lets[node.name])
    return found


def _has_fallback(nodes: Iterable[Node]) -> bool:
    return any(isinstance(node, Call) and node.function == "first" for node in nodes)
