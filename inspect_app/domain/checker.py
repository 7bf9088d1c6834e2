"""Types of expressions: what a pack may say before any answer is there.

The walk over a whole pack is in pack_checks.py.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.function_types import result_of
from inspect_app.domain.functions import READ_BY_FUNCTION
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
    depth_of,
)
from inspect_app.domain.types import BOOL, Type, TypeFault, joined, list_of

# Of an expression alone at most 50 are allowed; the lets it names are computed inside it.
MOST_LEVELS_WITH_LETS = 100


class Names:
    """Types of the names an expression may use: fields, bound names, and the lets of a rule."""

    def __init__(
        self,
        fields: Mapping[str, Type],
        lets: Mapping[str, Node] | None = None,
        bound: Mapping[str, Type] | None = None,
    ) -> None:
        self.fields = fields
        self.lets = lets or {}
        self.bound = bound or {}
        self._known: dict[str, Type] = {}
        self._levels: dict[str, int] = {}
        self._open: list[str] = []
        self._below: list[int] = []  # of each open let, the levels of the deepest let found in it

    def type_of(self, name: str) -> Type:
        if name in self.bound:
            return self.bound[name]
        if name in self.lets:
            if name in self._open:
                raise TypeFault(f"let {name} is defined by itself")
            if name not in self._known:
                self._open.append(name)
                self._below.append(0)
                try:
                    _refuse_depth(name, sum(depth_of(self.lets[opened]) for opened in self._open))
                    self._known[name] = type_of(self.lets[name], self)
                finally:
                    self._open.pop()
                    below = self._below.pop()
                self._levels[name] = depth_of(self.lets[name]) + below
                _refuse_depth(name, self._levels[name])
            if self._below:
                self._below[-1] = max(self._below[-1], self._levels[name])
            return self._known[name]
        if name in self.fields:
            return self.fields[name]
        raise TypeFault("item stands only in a rule with each" if name == "item" else f"unknown field {name}")

    def with_bound(self, name: str, kind: Type) -> "Names":
        if name in self.fields or name in self.lets:
            raise TypeFault(f"{name} is already the name of a field or a let")
        inner = Names(self.fields, self.lets, {**self.bound, name: kind})
        inner._open, inner._levels, inner._below = self._open, self._levels, self._below
        return inner


def _refuse_depth(name: str, levels: int) -> None:
    if levels > MOST_LEVELS_WITH_LETS:
        raise TypeFault(f"let {name} is more than {MOST_LEVELS_WITH_LETS} levels deep with the lets in it")


def check(source: object, names: Names, wanted: str | None = None) -> Type:
    """The type of an expression, or TypeFault with the reason; `wanted` is the kind it must have."""
    if not isinstance(source, str):
        raise TypeFault("an expression is a text in quotes")
    try:
        found = type_of(parse(source), names)
    except ExpressionRefused as refusal:
        raise TypeFault(str(refusal)) from None
    if wanted and found.kind != wanted:
        raise TypeFault(f"gives {found}, not {Type(wanted)}")
    return found


def type_of(node: Node, names: Names) -> Type:
    """The type of a tree; TypeFault if it has none."""
    match node:
        case Literal():
            return _literal(node)
        case Name():
            return names.type_of(node.name)
        case Select():
            record = type_of(node.record, names)
            if record.kind != "record" or node.field not in (record.fields or {}):
                raise TypeFault(f"unknown field {node.field} of {_words(node.record)}")
            return (record.fields or {})[node.field]
        case ListOf():
            item = Type("nothing")
            for part in node.items:
                item = joined(",", item, type_of(part, names))
            return list_of(item)
        case Logic():
            for part in node.parts:
                _need_bool(node.sign, type_of(part, names))
            return BOOL
        case Not():
            _need_bool("!", type_of(node.operand, names))
            return BOOL
        case Negate():
            operand = type_of(node.operand, names)
            if operand.kind not in ("int", "double"):
                raise TypeFault(f"- needs a number, not {operand}")
            return operand
        case Choose():
            _need_bool("?", type_of(node.condition, names))
            return joined("?:", type_of(node.then, names), type_of(node.otherwise, names))
        case Binary():
            return _binary(node.sign, type_of(node.left, names), type_of(node.right, names))
        case Macro():
            return _macro(node, names)
        case Call():
            return _call(node, names)


def _literal(node: Literal) -> Type:
    if isinstance(node.value, bool):
        return BOOL
    if isinstance(node.value, str):
        return Type("text", choices=frozenset({node.value}), is_literal=True)
    return Type("double" if "." in node.written else "int")


def _words(node: Node) -> str:
    match node:
        case Name():
            return node.name
        case Select():
            return f"{_words(node.record)}.{node.field}"
        case _:
            return "this"


def _need_bool(sign: str, found: Type) -> None:
    if found.kind != "bool":
        raise TypeFault(f"{sign} needs yes or no, not {found}")


def _binary(sign: str, left: Type, right: Type) -> Type:
    kinds = (left.kind, right.kind)
    if sign == "in":
        if right.kind != "list" or right.item is None:
            raise TypeFault(f"in needs a list, not {right}")
        if left.kind in ("list", "record"):
            raise TypeFault(f"in cannot look for {left}")
        joined("in", left, right.item)
        return BOOL
    if "date" in kinds or "time" in kinds:
        return _of_days(sign, left, right)
    if sign in ("*", "/"):  # what they do to units is not followed further
        left, right = replace(left, unit=None), replace(right, unit=None)
    common = joined(sign, left, right)
    if sign in ("==", "!="):
        if common.kind in ("list", "record"):
            raise TypeFault(f"{sign} cannot compare {left}")
        return BOOL
    if sign in ("<", "<=", ">", ">="):
        if common.kind not in ("int", "double", "text") or common.choices is not None:
            raise TypeFault(f"{sign} does not order {left}")
        return BOOL
    if sign == "+" and common.kind in ("text", "list"):
        return Type("text") if common.kind == "text" else common
    if common.kind not in ("int", "double"):
        raise TypeFault(f"{sign} does not compute with {left}")
    if sign == "/" and common.kind == "int":
        raise TypeFault("/ between whole numbers differs between engines: write double(x) / 28.0")
    return common


def _of_days(sign: str, left: Type, right: Type) -> Type:
    same = left.kind == right.kind
    if same and sign == "-":
        return Type("int", unit="d") if left.kind == "date" else Type("double", unit="s")
    if same and sign in ("<", "<=", ">", ">=", "==", "!="):
        return BOOL
    step = "int" if left.kind == "date" else "double"
    if left.kind in ("date", "time") and right.kind == step and sign in "+-":
        if right.unit not in (None, "d" if left.kind == "date" else "s"):
            raise TypeFault(f"{sign} between {left} and {right}")
        return left
    raise TypeFault(f"{sign} between {left} and {right}")


def _macro(node: Macro, names: Names) -> Type:
    rows = type_of(node.rows, names)
    if rows.kind != "list" or rows.item is None:
        raise TypeFault(f"{node.macro} needs a list, not {rows}")
    body = type_of(node.body, names.with_bound(node.name, rows.item))
    if node.macro == "map":
        return list_of(body)
    _need_bool(node.macro, body)
    return rows if node.macro == "filter" else BOOL


def _call(node: Call, names: Names) -> Type:
    for name in READ_BY_FUNCTION.get(node.function, ()):
        if name not in names.fields:
            raise TypeFault(f"{node.function} reads {name}, which is not a field of the pack")
    arguments = [type_of(argument, names) for argument in node.arguments]
    if node.function == "first" and not node.is_method and len(arguments) > 1:
        return reduce(lambda one, other: joined("first", one, other), arguments)
    if node.function == "typed_in" and not isinstance(node.arguments[0], Name | Select):
        raise TypeFault("typed_in needs a field")
    found = result_of(node.function, arguments, node.is_method)
    if found is None:
        raise TypeFault(f"unknown function {node.function}({', '.join(map(str, arguments))})")
    return found
