"""What each node of an expression means, as a function made once: a rule is judged at every change.

Walking the tree anew for each judgement would take twice as long. The JavaScript twin walks the tree, in
static/pwa/rules/expression.js; change both together.
"""

from collections.abc import Callable
from fractions import Fraction

from inspect_app.domain.functions import FUNCTIONS, METHODS_ONLY
from inspect_app.domain.operators import OPERATORS, not_defined
from inspect_app.domain.scope import NONE, Result, Scope
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

Failure = Missing | CannotCompute
_result = tuple.__new__
Run = Callable[[Scope, set[str]], Value]  # notes what it reads; raises Missing or CannotCompute


def compiled(node: Node) -> Run:
    """The function that computes a node, kept with the node."""
    try:
        return node.run
    except AttributeError:
        run: Run = _MAKE[type(node)](node)
        object.__setattr__(node, "run", run)
        return run


def evaluate(tree: Node, scope: Scope) -> Result:
    """Run an expression; never raises for anything an answer can hold."""
    reads: set[str] = set()
    try:
        # Built as the tuple it is: some hundred times in each judgement.
        return _result(Result, (compiled(tree)(scope, reads), NONE, None, reads))
    except Missing as failure:
        return Result(None, failure.paths, None, reads)
    except CannotCompute as failure:
        return Result(None, NONE, str(failure), reads)


class _Reader:
    """What a named function may ask: names and fields of rows, noted like any other read."""

    __slots__ = ("node", "reads", "scope")

    def __init__(self, node: Call, scope: Scope, reads: set[str]) -> None:
        self.node = node
        self.scope = scope
        self.reads = reads

    def name(self, name: str) -> Value | None:
        try:
            return compiled(Name(name))(self.scope, self.reads)
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
            record = compiled(argument.record)(self.scope, self.reads)
            return f"{record.path}.{argument.field}" if isinstance(record, Record) else argument.field
        return argument.name if isinstance(argument, Name) else self.node.function

    def typed_unit(self) -> str | None:
        return self.scope.answers.typed_unit(self.path())


def _literal(node: Literal) -> Run:
    value = node.value
    return lambda scope, reads: value


def _name(node: Name) -> Run:
    """Bound names first, then lets, then those of the scope around, then answers."""
    name = node.name

    def run(scope: Scope, reads: set[str]) -> Value:
        inner: Scope | None = scope
        while inner is not None:
            if name in inner.bound:
                return inner.bound[name]
            if name in inner.lets:
                return _read_let(name, inner, reads)
            inner = inner.parent
        value = scope.answers.get(name)
        if value is None:
            return _derived(name, scope, reads)
        if type(value) is not Record:
            reads.add(name)
        return value

    return run


def _derived(name: str, scope: Scope, reads: set[str]) -> Value:
    """What is not answered may follow from other answers; then these were read, or are missing."""
    result = scope.answers.derived(name)
    if result is None:
        raise Missing(name)
    return _told(result, reads)


def _read_let(name: str, scope: Scope, reads: set[str]) -> Value:
    known = scope.known
    if name not in known:
        known[name] = Result(error=f"{name} is defined by itself")  # holds while it is being computed
        known[name] = evaluate(scope.lets[name], scope)
    return _told(known[name], reads)


def _told(result: Result, reads: set[str]) -> Value:
    reads |= result.reads
    if result.missing:
        raise Missing(*result.missing)
    if result.value is None:
        raise CannotCompute(result.error or "")
    return result.value


def _select(node: Select) -> Run:
    record_of, field = compiled(node.record), node.field

    def run(scope: Scope, reads: set[str]) -> Value:
        record = record_of(scope, reads)
        if type(record) is not Record:
            raise not_defined(".", record)
        path = f"{record.path}.{field}"
        value = record.fields.get(field)
        if value is None:
            raise Missing(path)
        if type(value) is not Record:
            reads.add(path)
        return value

    return run


def _list(node: ListOf) -> Run:
    items = [compiled(item) for item in node.items]
    return lambda scope, reads: _all_of(items, scope, reads)


def _logic(node: Logic) -> Run:
    parts, decides = [compiled(part) for part in node.parts], node.sign == "||"

    def run(scope: Scope, reads: set[str]) -> Value:
        failure = None
        for part in parts:
            try:
                value = part(scope, reads)
                if value is decides:
                    return decides
                if type(value) is not bool:
                    raise not_defined("yes or no", value)
            except (Missing, CannotCompute) as second:
                failure = _worse(failure, second)
        if failure:
            raise failure
        return not decides

    return run


def _choose(node: Choose) -> Run:
    condition, then, otherwise = compiled(node.condition), compiled(node.then), compiled(node.otherwise)

    def run(scope: Scope, reads: set[str]) -> Value:
        return (then if _truth(condition(scope, reads)) else otherwise)(scope, reads)

    return run


def _not(node: Not) -> Run:
    operand = compiled(node.operand)
    return lambda scope, reads: not _truth(operand(scope, reads))


def _negate(node: Negate) -> Run:
    operand = compiled(node.operand)

    def run(scope: Scope, reads: set[str]) -> Value:
        value = operand(scope, reads)
        if type(value) is not Fraction:
            raise not_defined("-", value)
        return -value

    return run


def _binary(node: Binary) -> Run:
    left_of, right_of, sign = compiled(node.left), compiled(node.right), node.sign
    operate = OPERATORS[sign]
    words = _words(node)

    def run_words(scope: Scope, reads: set[str]) -> Value:
        left = left_of(scope, reads)
        if type(left) is str:
            return (left in words) is (sign != "!=")
        return operate(sign, left, right_of(scope, reads))

    def run(scope: Scope, reads: set[str]) -> Value:
        # Both sides are read even if the first is missing: the inspector hears of all of it at once.
        try:
            left = left_of(scope, reads)
        except (Missing, CannotCompute) as first:
            try:
                right_of(scope, reads)
            except (Missing, CannotCompute) as second:
                raise _worse(first, second) from None
            raise
        return operate(sign, left, right_of(scope, reads))

    return run_words if words else run


def _words(node: Binary) -> frozenset[Value]:
    """The texts in `== 'a'`, `!= 'a'` and `in ['a', 'b']`, the most frequent comparisons; else none."""
    if node.sign in ("==", "!="):
        items: tuple[Node, ...] = (node.right,)
    elif node.sign == "in" and isinstance(node.right, ListOf):
        items = node.right.items
    else:
        return frozenset()
    words = [item.value for item in items if isinstance(item, Literal) and isinstance(item.value, str)]
    return frozenset(words) if len(words) == len(items) else frozenset()


def _call(node: Call) -> Run:
    arguments, function = [compiled(argument) for argument in node.arguments], node.function
    if function == "first" and not node.is_method:
        return lambda scope, reads: _first(arguments, scope, reads)
    is_known = node.is_method == (function in METHODS_ONLY) or function == "size"
    overloads = dict(FUNCTIONS.get(function, ())) if is_known else {}

    def run(scope: Scope, reads: set[str]) -> Value:
        values = _all_of(arguments, scope, reads)
        kinds = tuple([kind_of(value) for value in values])
        compute = overloads.get(kinds)
        if compute is None:
            raise CannotCompute(f"no such function {function}({', '.join(kinds)})")
        return compute(_Reader(node, scope, reads), *values)

    return run


def _first(arguments: list[Run], scope: Scope, reads: set[str]) -> Value:
    """The first argument that is known; if none is, what the first one needs."""
    unknown = None
    for argument in arguments:
        try:
            return argument(scope, reads)
        except Missing as failure:
            unknown = unknown or failure
    raise unknown or CannotCompute("first needs arguments")


def _macro(node: Macro) -> Run:
    rows_of, body, name, macro = compiled(node.rows), compiled(node.body), node.name, node.macro
    decides = {"all": False, "exists": True}.get(macro)

    def run(scope: Scope, reads: set[str]) -> Value:
        rows = rows_of(scope, reads)
        if type(rows) is not list:
            raise not_defined(macro, rows)
        failure = None
        kept: list[Value] = []
        bound: dict[str, Value] = {}
        inner = Scope(scope.answers, bound=bound, parent=scope)
        for row in rows:
            bound[name] = row
            try:
                value = body(inner, reads)
                holds = macro != "map" and _truth(value)
            except (Missing, CannotCompute) as second:
                failure = _worse(failure, second)
                continue
            if macro == "map":
                kept.append(value)
            elif holds is decides:
                return holds
            elif holds:
                kept.append(row)
        if failure:
            raise failure
        if macro in ("filter", "map"):
            return kept
        return len(kept) == 1 if macro == "exists_one" else macro == "all"

    return run


def _all_of(runs: list[Run], scope: Scope, reads: set[str]) -> list[Value]:
    failure = None
    values = []
    for run in runs:
        try:
            values.append(run(scope, reads))
        except (Missing, CannotCompute) as second:
            failure = _worse(failure, second)
    if failure:
        raise failure
    return values


def _truth(value: Value) -> bool:
    if type(value) is not bool:
        raise not_defined("yes or no", value)
    return value


def _worse(first: Failure | None, second: Failure) -> Failure:
    """An error outranks unknown; two unknowns need the answers of both."""
    if isinstance(first, Missing) and isinstance(second, Missing):
        return Missing(*first.paths, *second.paths)
    return first if isinstance(first, CannotCompute) else second


_MAKE: dict[type, Callable[..., Run]] = {
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
