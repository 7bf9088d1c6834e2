"""What an expression of cel-subset/1 means: a value, unknown with the missing answers, or an error.

Precedence where several things happen at once: a deciding value, then an error, then unknown. The JavaScript
twin is static/pwa/rules/expression.js; change both together.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from inspect_app.domain.functions import FUNCTIONS, METHODS_ONLY
from inspect_app.domain.syntax import (
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
    parse,
)
from inspect_app.domain.values import CannotCompute, Missing, Record, Value, kind_of

__all__ = ["Result", "Scope", "evaluate", "parse"]

Failure = Missing | CannotCompute


class Answers(Protocol):
    """Where names come from: the value of a name, or None if it is not answered."""

    def get(self, name: str, /) -> Value | None: ...

    def typed_unit(self, path: str, /) -> str | None: ...


@dataclass(slots=True)
class Result:
    """Exactly one of: a value, the paths that are missing, or the reason it cannot be computed."""

    value: Value | None = None
    missing: Set[str] = frozenset()
    error: str | None = None
    reads: Set[str] = frozenset()

    @property
    def is_true(self) -> bool:
        return self.value is True

    @property
    def is_false(self) -> bool:
        return self.value is False


class Scope:
    """What names stand for: bound ones (`item`, the name of a macro), `let` expressions, then answers.

    A let is computed when it is first read and remembered, so a rule pays for it once.
    """

    __slots__ = ("answers", "bound", "known", "lets", "parent")

    def __init__(
        self,
        answers: Answers,
        lets: Mapping[str, Node] | None = None,
        bound: Mapping[str, Value] | None = None,
        parent: "Scope | None" = None,
    ) -> None:
        self.answers = answers
        self.lets = lets or {}
        self.bound = bound or {}
        self.parent = parent
        self.known: dict[str, Result] = {}

    def read(self, name: str, reads: set[str]) -> Value:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound:
                return scope.bound[name]
            if name in scope.lets:
                return scope._compute(name, reads)
            scope = scope.parent
        value = self.answers.get(name)
        if value is None:
            raise Missing(name)
        if type(value) is not Record:
            reads.add(name)
        return value

    def _compute(self, name: str, reads: set[str]) -> Value:
        result = self.known.get(name)
        if result is None:
            self.known[name] = Result(error=f"{name} is defined by itself")
            self.known[name] = result = evaluate(self.lets[name], self)
        reads |= result.reads
        if result.missing:
            raise Missing(*result.missing)
        if result.value is None:
            raise CannotCompute(result.error or "")
        return result.value


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
            return self.scope.read(name, self.reads)
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
    return scope.read(node.name, reads)


def _select(node: Select, scope: Scope, reads: set[str]) -> Value:
    record = _run(node.record, scope, reads)
    if type(record) is not Record:
        raise _no_overload(".", record)
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
        raise _no_overload("-", value)
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
    return _OPERATORS[node.sign](node.sign, left, right)


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
        raise _no_overload(node.macro, rows)
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
        raise _no_overload("yes or no", value)
    return value


def _worse(first: Failure | None, second: Failure) -> Failure:
    """An error outranks unknown; two unknowns need the answers of both."""
    if isinstance(first, Missing) and isinstance(second, Missing):
        return Missing(*first.paths, *second.paths)
    return first if isinstance(first, CannotCompute) else second


def _no_overload(sign: str, *values: Value) -> CannotCompute:
    return CannotCompute(f"{sign} is not defined for {', '.join(map(kind_of, values))}")


def _same(left: Value, right: Value) -> bool:
    if type(left) is Record or type(right) is Record:
        raise _no_overload("==", left, right)
    if type(left) is not type(right):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def _equals(sign: str, left: Value, right: Value) -> Value:
    return _same(left, right) is (sign == "==")


def _in(sign: str, left: Value, right: Value) -> Value:
    if not isinstance(right, list):
        raise _no_overload(sign, left, right)
    return any(_same(left, item) for item in right)


def _compare(sign: str, left: Value, right: Value) -> Value:
    if type(left) is not type(right) or type(left) not in (Fraction, str):
        raise _no_overload(sign, left, right)
    if sign in ("<", ">="):
        return (left < right) is (sign == "<")  # type: ignore[operator]
    return (left > right) is (sign == ">")  # type: ignore[operator]


def _arithmetic(sign: str, left: Value, right: Value) -> Value:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        if not right:
            raise CannotCompute("division by zero")
        return left / right
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    if sign == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right
    raise _no_overload(sign, left, right)


_OPERATORS: dict[str, Callable[[str, Value, Value], Value]] = {
    **dict.fromkeys(("==", "!="), _equals),
    **dict.fromkeys(("<", "<=", ">", ">="), _compare),
    **dict.fromkeys(("+", "-", "*", "/"), _arithmetic),
    "in": _in,
}
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
