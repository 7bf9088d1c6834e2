"""What the functions of compiled.py call: steps that are not frequent, or not short.

A step takes values or failures and gives a value or a failure; it never raises.
"""

from collections.abc import Callable, Mapping

from inspect_app.domain.functions import FUNCTIONS, METHODS_ONLY
from inspect_app.domain.operators import OPERATORS, not_defined
from inspect_app.domain.tree import Call, Name, Select
from inspect_app.domain.values import (
    FAILURES,
    TYPE_OF,
    CannotCompute,
    Failure,
    Missing,
    Record,
    Value,
    kind_of,
    worse,
)

Outcome = Value | Failure
Noted = tuple[Outcome, "set[str] | frozenset[str]"]  # what a name stands for, and the answers this reads
Names = Mapping[str, Noted]


def truth(value: Outcome) -> Outcome:
    """Yes, no, or why it is neither."""
    return value if type(value) is bool or type(value) in FAILURES else not_defined("yes or no", value)  # type: ignore[arg-type]


def unsure(so_far: Outcome | None, part: Outcome) -> Outcome:
    """A chain or a macro with one more part that does not decide it and is not what it needs to be."""
    failure = truth(part)
    if isinstance(failure, Failure) and isinstance(so_far, Failure):
        return worse(so_far, failure)
    return failure


def no_field(record: Outcome, field: str) -> Failure:
    """Why a record does not have a field: not answered, itself unknown, or no record."""
    if isinstance(record, Record):
        return Missing(f"{record.path}.{field}")
    return record if isinstance(record, Failure) else not_defined(".", record)


def no_list(macro: str, rows: Outcome) -> Failure:
    return rows if isinstance(rows, Failure) else not_defined(macro, rows)


def negative(value: Outcome) -> Outcome:
    if isinstance(value, Failure):
        return value
    return not_defined("-", value) if isinstance(value, bool | str | list | Record) else -value


def list_of(*items: Outcome) -> Outcome:
    return failure_of(items) or list(items)  # type: ignore[arg-type]


def failure_of(values: tuple[Outcome, ...]) -> Failure | None:
    """The worst of all failures among values: the inspector hears of everything that is missing at once."""
    failure = None
    for value in values:
        if type(value) in FAILURES:
            failure = worse(failure, value)  # type: ignore[arg-type]
    return failure


def operate(sign: str, left: Outcome, right: Outcome) -> Outcome:
    """An operator between two values; both sides are read even if the first is missing."""
    if type(left) in FAILURES or type(right) in FAILURES:
        return failure_of((left, right))  # type: ignore[return-value]
    try:
        return OPERATORS[sign](sign, left, right)  # type: ignore[arg-type]
    except CannotCompute as refusal:
        return refusal


def called(node: Call) -> Callable[..., Outcome]:
    """A call of a named function: of scope, reads, the record of its first argument, and the arguments."""
    function = node.function
    is_known = node.is_method == (function in METHODS_ONLY) or function == "size"
    overloads = {
        tuple(TYPE_OF[kind] for kind in kinds): compute
        for kinds, compute in (FUNCTIONS.get(function, ()) if is_known else ())
    }

    def run(scope: Names, reads: set[str], record: Outcome | None, *values: Value) -> Outcome:
        compute = overloads.get(tuple(map(type, values)))
        if compute is None:
            return failure_of(values) or CannotCompute(
                f"no such function {function}({', '.join(map(kind_of, values))})"
            )
        try:
            return compute(_Reader(node, scope, reads, record), *values)
        except (Missing, CannotCompute) as failed:
            return failed

    return run


class _Reader:
    """What a named function may ask: names and fields of rows, noted like any other read."""

    __slots__ = ("node", "reads", "record", "scope")

    def __init__(self, node: Call, scope: Names, reads: set[str], record: Outcome | None) -> None:
        self.node = node
        self.scope = scope
        self.reads = reads
        self.record = record

    def name(self, name: str) -> Value | None:
        value, noted = self.scope[name]
        self.reads |= noted
        if isinstance(value, CannotCompute):
            raise value
        return None if isinstance(value, Missing) else value

    def field(self, record: Record, field: str) -> Value | None:
        value = record.fields.get(field)
        if value is not None and type(value) is not Record:
            self.reads.add(f"{record.path}.{field}")
        return value

    def path(self) -> str:
        """Where the first argument stands among the answers, as far as the expression tells."""
        argument = self.node.arguments[0]
        if isinstance(argument, Select):
            record = self.record
            return f"{record.path}.{argument.field}" if isinstance(record, Record) else argument.field
        return argument.name if isinstance(argument, Name) else self.node.function

    def typed_unit(self) -> str | None:
        return self.scope.answers.typed_unit(self.path())  # type: ignore[attr-defined, no-any-return]
