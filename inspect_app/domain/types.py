"""What the checker knows of a value before there is one: its kind, unit, choices, rows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

_WORDS = {
    "bool": "yes or no", "int": "a whole number", "double": "a decimal number", "text": "a text",
    "date": "a date", "time": "an instant", "list": "a list", "record": "a row", "nothing": "nothing",
}  # fmt: skip


class TypeFault(Exception):
    """Why an expression may not stand in a pack."""


@dataclass(frozen=True)
class Type:
    """`int` and `double` are one number when evaluated; telling them apart keeps every pack valid CEL."""

    kind: str  # bool, int, double, text, date, time, list, record, nothing (the items of an empty list)
    unit: str | None = None
    choices: frozenset[str] | None = None
    is_literal: bool = False
    item: "Type | None" = None
    fields: Mapping[str, "Type"] | None = None

    def __str__(self) -> str:
        return f"{_WORDS[self.kind]} in {self.unit}" if self.unit else _WORDS[self.kind]


BOOL = Type("bool")
INT = Type("int")
DOUBLE = Type("double")
TEXT = Type("text")
DATE = Type("date")
TIME = Type("time")
SIMPLE = {
    "number": DOUBLE,
    "integer": INT,
    "bool3": BOOL,
    "bool": BOOL,
    "text": TEXT,
    "photo": TEXT,
    "signature": TEXT,
    "date": DATE,
    "time": TIME,
    "clock": Type("int", unit="min of clock"),
    "place": Type("record", fields={"lat": DOUBLE, "lon": DOUBLE, "accuracy_m": Type("double", unit="m")}),
}


def list_of(item: Type) -> Type:
    return Type("list", item=item)


def of_field(spec: Mapping[str, Any]) -> Type:
    """The type of a field of the dictionary; TypeFault if the field itself is faulty."""
    kind = spec.get("type")
    if kind in SIMPLE:
        return SIMPLE[str(kind)]
    if kind == "measure":
        if not isinstance(spec.get("unit"), str):
            raise TypeFault("a measure needs a unit")
        return Type("double", unit=None if spec["unit"] == "by_param" else spec["unit"])
    if kind in ("choice", "choices"):
        words = spec.get("choices")
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise TypeFault("choices are needed, each a text in quotes")
        choice = Type("text", choices=frozenset(words))
        return choice if kind == "choice" else list_of(choice)
    if kind == "list":
        if not isinstance(spec.get("of"), dict) or not spec["of"]:
            raise TypeFault("a list needs the fields of its rows")
        return list_of(Type("record", fields={name: of_field(inner) for name, inner in spec["of"].items()}))
    raise TypeFault(f"{kind} is not a type of field")


def joined(sign: str, left: Type, right: Type) -> Type:
    """The common type of two values that are compared or stand for each other; TypeFault if there is none."""
    if "nothing" in (left.kind, right.kind):
        return right if left.kind == "nothing" else left
    if left.kind != right.kind:
        hint = " (write 6.0 for a decimal number, double(...) for a count)"
        numbers = {left.kind, right.kind} == {"int", "double"}
        raise TypeFault(f"{sign} between {left} and {right}{hint if numbers else ''}")
    if left.unit and right.unit and left.unit != right.unit:
        raise TypeFault(f"{sign} between {left.unit} and {right.unit}")
    if left.kind == "text":
        return _joined_text(sign, left, right)
    if left.kind == "list" and left.item and right.item:
        return list_of(joined(sign, left.item, right.item))
    return left if left.unit else replace(left, unit=right.unit)


def _joined_text(sign: str, left: Type, right: Type) -> Type:
    if left.choices is None or right.choices is None:
        return TEXT
    if not (left.is_literal and right.is_literal):
        for one, other in ((left, right), (right, left)):
            strays = one.choices - other.choices if one.choices and other.choices else frozenset()
            if one.is_literal and strays:
                raise TypeFault(f"'{min(strays)}' is not one of {', '.join(sorted(other.choices or ()))}")
        if not left.choices & right.choices:
            raise TypeFault(f"{sign} between choices that have no word in common")
    return Type("text", choices=left.choices | right.choices, is_literal=left.is_literal and right.is_literal)
