"""What a named function of the rule language may ask, and how it refuses."""

from collections.abc import Callable
from fractions import Fraction
from typing import ParamSpec, Protocol, TypeVar

from inspect_app.domain.values import CannotCompute, Record, Value

P = ParamSpec("P")
T = TypeVar("T")


class Ask(Protocol):
    """Reads answers by name and fields of rows, None when not answered; where the first argument stands."""

    def name(self, name: str, /) -> Value | None: ...

    def field(self, record: Record, field: str, /) -> Value | None: ...

    def path(self) -> str: ...

    def typed_unit(self) -> str | None: ...


def or_cannot(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What the work gives; what it refuses with a ValueError cannot be computed, in its words."""
    try:
        return work(*given, **named)
    except ValueError as refusal:
        raise CannotCompute(str(refusal)) from None


def whole_numbers(function: str, *numbers: Fraction) -> list[int]:
    if any(number.denominator != 1 for number in numbers):
        raise CannotCompute(f"{function} needs whole numbers")
    return [int(number) for number in numbers]
