"""What the names of an expression stand for, and what an expression gives.

The JavaScript twin is static/pwa/rules/scope.js; change both together.
"""

from collections.abc import Mapping, Set
from typing import NamedTuple, Protocol

from inspect_app.domain.compiled import Run, compiled
from inspect_app.domain.tree import Node
from inspect_app.domain.values import FAILURES, CannotCompute, Failure, Missing, Record, Value


class Answers(Protocol):
    """Where names come from: the value of a name, or None if it is not answered.

    `derived` is what the product works out of other answers where a name is not answered, or None.
    """

    def get(self, name: str, /) -> Value | None: ...

    def derived(self, name: str, /) -> "Result | None": ...

    def typed_unit(self, path: str, /) -> str | None: ...


NONE: Set[str] = frozenset()
Noted = tuple[Value | Failure, Set[str]]  # a value or why there is none, and the answers this reads


class Result(NamedTuple):
    """Exactly one of: a value, the paths that are missing, or the reason it cannot be computed."""

    value: Value | None = None
    missing: Set[str] = NONE
    error: str | None = None
    reads: Set[str] = NONE

    @property
    def is_true(self) -> bool:
        return self.value is True

    @property
    def is_false(self) -> bool:
        return self.value is False


NO_LETS: Mapping[str, Node] = {}
_result = tuple.__new__


class Scope(dict[str, Noted]):
    """Bound names (`item`), then `let` expressions, then those of the parent, then answers.

    As a dictionary it holds what a name stands for once it was asked, so that a rule pays for it once.
    """

    __slots__ = ("answers", "lets", "parent")

    def __init__(
        self,
        answers: Answers,
        lets: Mapping[str, Node] | None = None,
        bound: Mapping[str, Value] | None = None,
        parent: "Scope | None" = None,
    ) -> None:
        self.answers = answers
        self.lets = NO_LETS if lets is None else lets
        self.parent = parent
        if bound:
            for name, value in bound.items():
                self[name] = value, NONE

    def __missing__(self, name: str) -> Noted:
        tree = self.lets.get(name)
        if tree is not None:
            self[name] = CannotCompute(f"{name} is defined by itself"), NONE  # while it is being computed
            reads: set[str] = set()
            noted: Noted = compiled(tree)(self, reads), reads
        elif self.parent is not None:
            noted = self.parent[name]
        else:
            noted = self._answer(name)
        self[name] = noted
        return noted

    def _answer(self, name: str) -> Noted:
        """What is not answered may follow from other answers; then these were read, or are missing."""
        value = self.answers.get(name)
        if value is not None:
            return value, NONE if type(value) is Record else frozenset((name,))
        result = self.answers.derived(name)
        if result is None:
            return Missing(name), NONE
        if result.value is not None:
            return result.value, result.reads
        failed = Missing(*result.missing) if result.missing else CannotCompute(result.error or "")
        return failed, result.reads

    def inside(self, bound: Mapping[str, Value]) -> "Scope":
        """The scope within a macro."""
        return Scope(self.answers, None, bound, self)


def evaluate(tree: Node, scope: Scope) -> Result:
    """Run an expression; never raises for anything an answer can hold."""
    return result_of(compiled(tree), scope)


def value_of(tree: Node, scope: Scope) -> Value | None:
    """The value of an expression, None if it has none; what it reads does not matter."""
    value = compiled(tree)(scope, set())
    return None if type(value) in FAILURES else value  # type: ignore[return-value]


def result_of(run: Run, scope: Scope) -> Result:
    """The same of an expression that was compiled."""
    reads: set[str] = set()
    value = run(scope, reads)
    if type(value) is Missing:
        return Result(None, value.paths, None, reads)
    if type(value) is CannotCompute:
        return Result(None, NONE, str(value), reads)
    # Built as the tuple it is: some hundred times in each judgement.
    return _result(Result, (value, NONE, None, reads))
