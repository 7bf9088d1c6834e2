"""Comparison and arithmetic between two values. The JavaScript twin is static/pwa/rules/operators.js."""

from collections.abc import Callable
from fractions import Fraction

from inspect_app.domain.values import CannotCompute, Record, Value, kind_of


def not_defined(sign: str, *values: Value) -> CannotCompute:
    return CannotCompute(f"{sign} is not defined for {', '.join(map(kind_of, values))}")


def _same(left: Value, right: Value) -> bool:
    if type(left) is Fraction and type(right) is Fraction:
        # Both are in lowest terms. Fraction's own comparisons first ask an abstract class.
        return left.as_integer_ratio() == right.as_integer_ratio()
    if type(left) is Record or type(right) is Record:
        raise not_defined("==", left, right)
    if type(left) is not type(right):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def equals(sign: str, left: Value, right: Value) -> Value:
    return _same(left, right) is (sign == "==")


def _in(sign: str, left: Value, right: Value) -> Value:
    if not isinstance(right, list):
        raise not_defined(sign, left, right)
    return any(_same(left, item) for item in right)


def compare(sign: str, left: Value, right: Value) -> Value:
    if type(left) is Fraction and type(right) is Fraction:
        (top, bottom), (other, under) = left.as_integer_ratio(), right.as_integer_ratio()
        order = top * under - other * bottom
    elif type(left) is str and type(right) is str:
        order = (left > right) - (left < right)
    else:
        raise not_defined(sign, left, right)
    if sign in ("<", ">="):
        return (order < 0) is (sign == "<")
    return (order > 0) is (sign == ">")


def arithmetic(sign: str, left: Value, right: Value) -> Value:
    if type(left) is Fraction and type(right) is Fraction:
        if sign == "+":
            return left + right
        if sign == "-":
            return left - right
        if sign == "*":
            return left * right
        if not right:
            raise CannotCompute("division by zero")
        return left / right
    if sign == "+" and type(left) is str and type(right) is str:
        return left + right
    if sign == "+" and type(left) is list and type(right) is list:
        return left + right
    raise not_defined(sign, left, right)


OPERATORS: dict[str, Callable[[str, Value, Value], Value]] = {
    **dict.fromkeys(("==", "!="), equals),
    **dict.fromkeys(("<", "<=", ">", ">="), compare),
    **dict.fromkeys(("+", "-", "*", "/"), arithmetic),
    "in": _in,
}
