"""Makes a case on which the twins differ as small as it gets, so that a person sees why they do."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from inspect_app.domain import tree
from inspect_app.domain.syntax import parse
from tests.rules_twins.generator import Case

MOST_ROUNDS = 60


def smallest(
    case: Any, simpler: Callable[[Any], Iterator[Any]], differ: Callable[[list[Any]], list[bool]]
) -> Any:
    """The smallest case on the way down on which the twins differ; those of a round are asked at once."""
    for _ in range(MOST_ROUNDS):
        tries = [found for found in simpler(case) if len(repr(found)) < len(repr(case))]
        still = [found for found, differs in zip(tries, differ(tries), strict=True) if differs]
        if not still:
            break
        case = min(still, key=lambda found: len(repr(found)))
    return case


def simpler_cases(case: Case) -> Iterator[Case]:
    """A part of the expression in its place, a let in place of the whole, fewer lets, fewer answers."""
    for part in _parts(parse(case.expr)):
        yield dataclasses.replace(case, expr=written(part))
    for name, source in case.lets.items():
        yield dataclasses.replace(case, expr=source)
        yield dataclasses.replace(
            case, lets={other: case.lets[other] for other in case.lets if other != name}
        )
    for given in simpler_answers(case.given):
        yield dataclasses.replace(case, given=given)


def simpler_answers(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Half of the answers, or one fewer, or one row or column of a list fewer."""
    names = list(given)
    half = len(names) // 2
    for gone in ([names[:half], names[half:]] if half else []) + [[name] for name in names]:
        yield {name: answer for name, answer in given.items() if name not in gone}
    for name, answer in given.items():
        if isinstance(answer, list):
            for index, row in enumerate(answer):
                yield {**given, name: answer[:index] + answer[index + 1 :]}
                for column in row if isinstance(row, dict) else ():
                    less = {other: row[other] for other in row if other != column}
                    yield {**given, name: [*answer[:index], less, *answer[index + 1 :]]}


def _parts(node: tree.Node) -> Iterator[tree.Node]:
    """Every node below, alone; and the whole with one node replaced by one of its own children."""
    for child in tree.children(node):
        yield child
        yield from _parts(child)
    yield from (other for other in _hoisted(node) if other is not node)


def _hoisted(node: tree.Node) -> Iterator[tree.Node]:
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tree.Node):
            for less in [*tree.children(value), *_hoisted(value)]:
                yield dataclasses.replace(node, **{field.name: less})
        elif isinstance(value, tuple):
            for index, item in enumerate(value):
                for less in [*tree.children(item), *_hoisted(item)]:
                    yield dataclasses.replace(
                        node, **{field.name: (*value[:index], less, *value[index + 1 :])}
                    )


def written(node: tree.Node) -> str:
    """The text of a tree, with more brackets than it needs."""
    match node:
        case tree.Literal(value, source):
            return f"'{source}'" if isinstance(value, str) else source
        case tree.Name(name):
            return name
        case tree.Select(record, field):
            return f"{written(record)}.{field}"
        case tree.ListOf(items):
            return f"[{', '.join(map(written, items))}]"
        case tree.Logic(sign, parts):
            return f"({f' {sign} '.join(map(written, parts))})"
        case tree.Binary(sign, left, right):
            return f"({written(left)} {sign} {written(right)})"
        case tree.Not(operand):
            return f"!{written(operand)}"
        case tree.Negate(operand):
            return f"-({written(operand)})"
        case tree.Choose(condition, then, otherwise):
            return f"({written(condition)} ? {written(then)} : {written(otherwise)})"
        case tree.Call(function, arguments, is_method):
            target, *rest = map(written, arguments) if is_method else ("", *map(written, arguments))
            return f"{target}{'.' * is_method}{function}({', '.join(rest)})"
        case tree.Macro(macro, rows, name, body):
            return f"{written(rows)}.{macro}({name}, {written(body)})"
