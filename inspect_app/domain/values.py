"""The values an expression works on, and the two ways in which it can have none."""

from fractions import Fraction
from typing import Union

Value = Union[bool, Fraction, str, list["Value"], "Record"]


class Record:
    """A row of a list or a place: its answered fields, and where it stands among the answers."""

    __slots__ = ("fields", "path", "row")

    def __init__(self, path: str, fields: dict[str, Value], row: int | None = None) -> None:
        self.path = path
        self.fields = fields
        self.row = row  # counted from 1, None for a record that is not a row


class Missing(Exception):
    """Answers that are needed and not given, by path.

    Functions raise it; between the steps of an expression it is handed on like a value, which costs less.
    """

    def __init__(self, *paths: str) -> None:
        self.paths = frozenset(paths)


class CannotCompute(Exception):
    """The rule itself cannot be computed with these values; never counted as a pass."""


Failure = Missing | CannotCompute
FAILURES = frozenset({Missing, CannotCompute})


def worse(first: "Failure | None", second: Failure) -> Failure:
    """An error outranks unknown; two unknowns need the answers of both."""
    if isinstance(first, Missing) and isinstance(second, Missing):
        return Missing(*first.paths, *second.paths)
    return first if isinstance(first, CannotCompute) else second


_KINDS = {bool: "bool", Fraction: "number", str: "text", list: "list", Record: "record"}
TYPE_OF: dict[str, type] = {kind: found for found, kind in _KINDS.items()}


def kind_of(value: Value) -> str:
    return _KINDS[type(value)]
