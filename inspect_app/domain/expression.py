"""What an expression of cel-subset/1 means: a value, unknown with the missing answers, or an error.

Precedence where several things happen at once: a deciding value, then an error, then unknown. The JavaScript
twin is static/pwa/rules/expression.js; change both together.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import cast

from inspect_app.domain.functions import FUNCTIONS, METHODS_ONLY
from inspect_app.domain.operators import OPERATORS, not_defined
from inspect_app.domain.scope import Let, Result, Scope
from inspect_app.domain.syntax import parse
from inspect_app.domain.tree import (
    Binary,
    Call,
    Choose,
    ListOf,
    Literal,
    Logic,
    Macro,
    Name,
    Negate,
    Node,
    Not,
    Select,
)
from inspect_app.domain.values import CannotCompute, Missing, Record, Value, kind_of

__all__ = ["Result", "Scope", "evaluate", "parse"]

Failure = Missing | CannotCompute


def evaluate(tree: Node, scope: Scope) -> Result:
    """Run an expression; never raises for anything an answer can hold."""
    reads: set[str] = set()
    try:
        return Result(value=_run(tree, scope, reads), reads=reads)
    except Missing as failure:
        return Result(missing=failure.paths, reads=reads)
    except CannotCompute as failure:
        return Result(error=str(failure), reads=reads)


class _Reader:
    """What a named function may ask: names and fields of rows, noted like any other read."""

    __slots__ = ("node", "reads", "scope")

    def __init__(self, node: Call, scope: Scope, reads: set[str]) -> None:
        self.node = node
        self.scope = scope
        self.reads = reads

    def name(self, name: str) -> Value | None:
        try:
            return _read(name, self.scope, self.reads)
        except Missing:
            return None

    def field(self, record: Record, field: str) -> Value | None:
        value = record.fields.get(field)
        if value is not None and type(value) is not Record:
            self.reads.add(f"{record.path}.{field}")
        return value

    def path(self) -> str:
        """Where the first argument stands among the answers, as far as the expression tells."""
        argument = self.node.arguments[0]
        if isinstance(argument, Select):
            record = _run(argument.record, self.scope, self.reads)
            return f"{record.path}.{argument.field}" if isinstance(record, Record) else argument.field
        return argument.name if isinstance(argument, Name) else self.node.function

    def typed_unit(self) -> str | None:
        return self.scope.answers.typed_unit(self.path())


def _run(node: Node, scope: Scope, reads: set[str]) -> Value:
    return _RUN[type(node)](node, scope, reads)


def _literal(node: Literal, scope: Scope, reads: set[str]) -> Value:
    return node.value


def _name(node: Name, scope: Scope, reads: set[str]) -> Value:
    return _read(node.name, scope, reads)


def _read(name: str, scope: Scope, reads: set[str]) -> Value:
    found = scope.find(name)
    if type(found) is Let:
        return _read_let(name, found, reads)
    if found is not None:
        return cast(Value, found)
    value = scope.answers.get(name)
    if value is None:
        raise Missing(name)
    if type(value) is not Record:
        reads.add(name)
    return value


def _read_let(name: str, let: Let, reads: set[str]) -> Value:
    known = let.scope.known
    if name not in known:
        known[name] = Result(error=f"{name} is defined by itself")  # holds while it is being computed
        known[name] = evaluate(let.tree, let.scope)
    result = known[name]
    reads |= result.reads
    if result.missing:
        raise Missing(*result.missing)
    if result.value is None:
        raise CannotCompute(result.error or "")
    return result.value


def _select(node: Select, scope: Scope, reads: set[str]) -> Value:
    record = _run(node.record, scope, reads)
    if type(record) is not Record:
        raise not_defined(".", record)
    path = f"{record.path}.{node.field}"
    value = record.fields.get(node.field)
    if value is None:
        raise Missing(path)
    if type(value) is not Record:
        reads.add(path)
    return value


def _list(node: ListOf, scope: Scope, reads: set[str]) -> Value:
    return _all_of(node.items, scope, reads)


def _logic(node: Logic, scope: Scope, reads: set[str]) -> Value:
    decides = node.sign == "||"
    failure = None
    for part in node.parts:
        try:
            if _truth(part, scope, reads) is decides:
                return decides
        except (Missing, CannotCompute) as second:
            failure = _worse(failure, second)
    if failure:
        raise failure
    return not decides


def _choose(node: Choose, scope: Scope, reads: set[str]) -> Value:
    return _run(node.then if _truth(node.condition, scope, reads) else node.otherwise, scope, reads)


def _not(node: Not, scope: Scope, reads: set[str]) -> Value:
    return not _truth(node.operand, scope, reads)


def _negate(node: Negate, scope: Scope, reads: set[str]) -> Value:
    value = _run(node.operand, scope, reads)
    if type(value) is not Fraction:
        raise not_defined("-", value)
    return -value


def _binary(node: Binary, scope: Scope, reads: set[str]) -> Value:
    # Both sides are read even if the first is missing: the inspector hears of all that is missing at once.
    try:
        left = _run(node.left, scope, reads)
    except (Missing, CannotCompute) as first:
        try:
            _run(node.right, scope, reads)
        except (Missing, CannotCompute) as second:
            raise _worse(first, second) from None
        raise
    right = _run(node.right, scope, reads)
    return OPERATORS[node.sign](node.sign, left, right)


def _first(node: Call, scope: Scope, reads: set[str]) -> Value:
    """The first argument that is known; if none is, what the first one needs."""
    unknown = None
    for argument in node.arguments:
        try:
            return _run(argument, scope, reads)
        except Missing as failure:
            unknown = unknown or failure
    raise unknown or CannotCompute("first needs arguments")


def _call(node: Call, scope: Scope, reads: set[str]) -> Value:
    if node.function == "first" and not node.is_method:
        return _first(node, scope, reads)
    arguments = _all_of(node.arguments, scope, reads)
    kinds = tuple(kind_of(argument) for argument in arguments)
    if node.is_method == (node.function in METHODS_ONLY) or node.function == "size":
        for takes, compute in FUNCTIONS.get(node.function, ()):
            if takes == kinds:
                return compute(_Reader(node, scope, reads), *arguments)
    raise CannotCompute(f"no such function {node.function}({', '.join(kinds)})")


def _macro(node: Macro, scope: Scope, reads: set[str]) -> Value:
    rows = _run(node.rows, scope, reads)
    if type(rows) is not list:
        raise not_defined(node.macro, rows)
    failure = None
    kept: list[Value] = []
    for row in rows:
        inner = Scope(scope.answers, bound={node.name: row}, parent=scope)
        try:
            if node.macro == "map":
                kept.append(_run(node.body, inner, reads))
                continue
            holds = _truth(node.body, inner, reads)
        except (Missing, CannotCompute) as second:
            failure = _worse(failure, second)
            continue
        if node.macro in ("all", "exists") and holds is (node.macro == "exists"):
            return holds
        if holds:
            kept.append(row)
    if failure:
        raise failure
    if node.macro in ("filter", "map"):
        return kept
    return len(kept) == 1 if node.macro == "exists_one" else node.macro == "all"


def _all_of(nodes: tuple[Node, ...], scope: Scope, reads: set[str]) -> list[Value]:
    failure = None
    values = []
    for node in nodes:
        try:
            values.append(_run(node, scope, reads))
        except (Missing, CannotCompute) as second:
            failure = _worse(failure, second)
    if failure:
        raise failure
    return values


def _truth(node: Node, scope: Scope, reads: set[str]) -> bool:
    value = _run(node, scope, reads)
    if type(value) is not bool:
        raise not_defined("yes or no", value)
    return value


def _worse(first: Failure | None, second: Failure) -> Failure:
    """An error outranks unknown; two unknowns need the answers of both."""
    if isinstance(first, Missing) and isinstance(second, Missing):
        return Missing(*first.paths, *second.paths)
    return first if isinstance(first, CannotCompute) else second


_RUN: dict[type, Callable[..., Value]] = {
    Literal: _literal,
    Name: _name,
    Select: _select,
    ListOf: _list,
    Logic: _logic,
    Choose: _choose,
    Not: _not,
    Negate: _negate,
    Binary: _binary,
    Call: _call,
    Macro: _macro,
}
