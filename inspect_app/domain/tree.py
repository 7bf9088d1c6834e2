"""The tree of an expression: its nodes, and how deep it is.

Text becomes a tree in syntax.py, a tree gets its meaning in expression.py and its types in checker.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


class _Node:
    """What every node has: a place for the function that computes it, made when it is first asked."""

    __slots__ = ("run",)
    run: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Literal(_Node):
    value: bool | Fraction | str
    written: str  # the checker tells 6 from 6.0 by it


@dataclass(frozen=True, slots=True)
class Name(_Node):
    name: str


@dataclass(frozen=True, slots=True)
class Select(_Node):
    record: "Node"
    field: str


@dataclass(frozen=True, slots=True)
class ListOf(_Node):
    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Logic(_Node):
    """A whole chain of && or of ||, so that a long chain is not deep."""

    sign: str
    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Binary(_Node):
    sign: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Not(_Node):
    operand: "Node"


@dataclass(frozen=True, slots=True)
class Negate(_Node):
    operand: "Node"


@dataclass(frozen=True, slots=True)
class Choose(_Node):
    condition: "Node"
    then: "Node"
    otherwise: "Node"


@dataclass(frozen=True, slots=True)
class Call(_Node):
    function: str
    arguments: tuple["Node", ...]
    is_method: bool  # then the first argument is what stands before the point


@dataclass(frozen=True, slots=True)
class Macro(_Node):
    macro: str
    rows: "Node"
    name: str
    body: "Node"


Node = Literal | Name | Select | ListOf | Logic | Binary | Not | Negate | Choose | Call | Macro


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below one."""
    match node:
        case Select():
            return (node.record,)
        case ListOf():
            return node.items
        case Logic():
            return node.parts
        case Binary():
            return (node.left, node.right)
        case Not() | Negate():
            return (node.operand,)
        case Choose():
            return (node.condition, node.then, node.otherwise)
        case Call():
            return node.arguments
        case Macro():
            return (node.rows, node.body)
        case _:
            return ()


def depth_of(tree: Node) -> int:
    """Levels of a tree, counted without recursion because it may still be too deep for that."""
    row: tuple[Node, ...] = (tree,)
    depth = 0
    while row:
        depth += 1
        row = tuple(child for node in row for child in children(node))
    return depth


def nodes_of(tree: Node) -> list[Node]:
    """Every node of a tree."""
    found = [tree]
    for node in found:
        found += children(node)
    return found


def names_in(tree: Node) -> set[str]:
    """Every name in an expression; those that a macro binds among them."""
    return {node.name for node in nodes_of(tree) if isinstance(node, Name)}
