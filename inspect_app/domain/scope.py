"""What the names of an expression stand for, and what an expression gives.

The JavaScript twin is static/pwa/rules/scope.js; change both together.
"""

from collections.abc import Mapping, Set
from typing import NamedTuple, Protocol

from inspect_app.domain.tree import Node
from inspect_app.domain.values import Value


class Answers(Protocol):
    """Where names come from: the value of a name, or None if it is not answered.

    `derived` is what the product works out of other answers where a name is not answered, or None.
    """

    def get(self, name: str, /) -> Value | None: ...

    def derived(self, name: str, /) -> "Result | None": ...

    def typed_unit(self, path: str, /) -> str | None: ...


NONE: Set[str] = frozenset()


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
NO_VALUES: Mapping[str, Value] = {}


class Scope:
    """Bound names (`item`, that of a macro), then `let` expressions, then those of the parent, then answers.

    `known` remembers what a let gave, so that a rule pays for it once.
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
        self.lets = NO_LETS if lets is None else lets
        self.bound = NO_VALUES if bound is None else bound
        self.parent = parent
        self.known: dict[str, Result] = {}
