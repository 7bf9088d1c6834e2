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
    """Answers that are needed and not given, by path."""

    def __init__(self, *paths: str) -> None:
        super().__init__(*paths)
        self.paths = frozenset(paths)


class CannotCompute(Exception):
    """The rule itself cannot be computed with these values; never counted as a pass."""


_KINDS = {bool: "bool", Fraction: "number", str: "text", list: "list", Record: "record"}


def kind_of(value: Value) -> str:
    return _KINDS[type(value)]
