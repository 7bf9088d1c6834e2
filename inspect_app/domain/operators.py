"""Comparison and arithmetic between two values. The JavaScript twin is static/pwa/rules/operators.js."""

from collections.abc import Callable
from fractions import Fraction

from inspect_app.domain.values import CannotCompute, Record, Value, kind_of


def not_defined(sign: str, *values: Value) -> CannotCompute:
    return CannotCompute(f"{sign} is not defined for {', '.join(map(kind_of, values))}")


def _same(left: Value, right: Value) -> bool:
    if type(left) is Record or type(right) is Record:
        raise not_defined("==", left, right)
    if type(left) is not type(right):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def _equals(sign: str, left: Value, right: Value) -> Value:
    return _same(left, right) is (sign == "==")


def _in(sign: str, left: Value, right: Value) -> Value:
    if not isinstance(right, list):
        raise not_defined(sign, left, right)
    return any(_same(left, item) for item in right)


def _compare(sign: str, left: Value, right: Value) -> Value:
    if type(left) is not type(right) or type(left) not in (Fraction, str):
        raise not_defined(sign, left, right)
    if sign in ("<", ">="):
        return (left < right) is (sign == "<")  # type: ignore[operator]
    return (left > right) is (sign == ">")  # type: ignore[operator]


def _arithmetic(sign: str, left: Value, right: Value) -> Value:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        if not right:
            raise CannotCompute("division by zero")
        return left / right
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    if sign == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right
    raise not_defined(sign, left, right)


OPERATORS: dict[str, Callable[[str, Value, Value], Value]] = {
    **dict.fromkeys(("==", "!="), _equals),
    **dict.fromkeys(("<", "<=", ">", ">="), _compare),
    **dict.fromkeys(("+", "-", "*", "/"), _arithmetic),
    "in": _in,
}
