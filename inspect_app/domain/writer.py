"""Writes the Python function of an expression, node by node; compiled.py shows what comes of it."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from inspect_app.domain import operators, steps
from inspect_app.domain.functions import READ_BY_FUNCTION
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
    names_in,
    nodes_of,
)
from inspect_app.domain.values import FAILURES, CannotCompute, Missing, Record, Value, worse

DEEPEST = 12  # blocks in one function: Python allows twenty loops within each other
_OF_NUMBERS = {  # what never refuses two numbers
    **dict.fromkeys(("==", "!="), "equals"),
    **dict.fromkeys(("<", "<=", ">", ">="), "compare"),
    **dict.fromkeys(("+", "-", "*"), "arithmetic"),
}
Run = Callable[..., steps.Outcome]  # of a scope and the set of what was read
NONE_BOUND: Mapping[str, str] = {}

_AT_HAND: dict[str, Any] = {
    **{name: getattr(steps, name) for name in ("truth", "unsure", "no_field", "no_list", "negative")},
    **{"list_of": steps.list_of, "operate": steps.operate, "worse": worse},
    **{name: getattr(operators, name) for name in ("equals", "compare", "arithmetic")},
    **{"Record": Record, "Fraction": Fraction, "Missing": Missing, "FAILURES": FAILURES},
}


def written(node: Node, variables: Mapping[str, str] = NONE_BOUND, count: int = 0) -> Run:
    """The function of a node; within macros it takes what these bind as further arguments."""
    writer = _Writer(node, variables, count)
    value = writer.write(node)
    head = f"def run({', '.join(['scope', 'reads', *variables.values()])}):"
    kept = [f" {name} = None" for name in writer.kept.values()]
    source = "\n".join([head, *kept, *writer.lines, f" return {value}"])
    exec(compile(source, "<rule>", "exec"), writer.constants)  # noqa: S102  no text of a rule is code in it
    run: Run = writer.constants["run"]
    return run


class _Writer:
    """Writes one function, node by node; each gives the name or literal under which its value stands."""

    def __init__(self, tree: Node, variables: Mapping[str, str], count: int) -> None:
        self.variables = dict(variables)  # names that macros bind, as the function calls them
        self.repeated = _repeated_macros(tree)
        self.kept: dict[Node, str] = {}
        self.constants = dict(_AT_HAND)
        self.lines: list[str] = []
        self.depth = 1
        self.count = count

    def write(self, node: Node) -> str:
        if self.depth > DEEPEST and not isinstance(node, Name | Literal):
            apart = self.constant(written(node, self.variables, self.count))
            return self.let(f"{apart}({', '.join(['scope', 'reads', *self.variables.values()])})")
        if isinstance(node, Macro) and self.gives_the_same(node):
            return self.once(node)
        return _WRITE[type(node)](self, node)

    def gives_the_same(self, node: Macro) -> bool:
        """Whether a macro stands more than once, or in another on whose rows it does not depend."""
        return bool(self.variables or node in self.repeated) and names_in(node).isdisjoint(self.variables)

    def once(self, node: Macro) -> str:
        if node not in self.kept:
            self.kept[node] = self.new("k")
        kept = self.kept[node]
        self.put(f"if {kept} is None:", 1)
        self.put(f"{kept} = {self.macro(node)}", -1)
        return kept

    def new(self, letter: str = "t") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def put(self, line: str, deeper: int = 0) -> None:
        """One line; what follows it stands so much deeper."""
        self.lines.append(" " * self.depth + line)
        self.depth += deeper

    def let(self, source: str) -> str:
        name = self.new()
        self.put(f"{name} = {source}")
        return name

    def constant(self, value: object) -> str:
        name = self.new("c")
        self.constants[name] = value
        return name

    def literal(self, node: Literal) -> str:
        return self.constant(node.value)

    def name(self, node: Name) -> str:
        if node.name in self.variables:
            return self.variables[node.name]
        name = self.new()
        self.put(f"{name}, noted = scope[{node.name!r}]")
        self.put("reads |= noted")
        return name

    def select(self, node: Select) -> str:
        return self.field(self.write(node.record), node.field)

    def field(self, record: str, field: str) -> str:
        value = self.let(f"{record}.fields.get({field!r}) if type({record}) is Record else None")
        self.put(f"if {value} is None: {value} = no_field({record}, {field!r})")
        self.put(f"elif type({value}) is not Record: reads.add({record}.path + {'.' + field!r})")
        return value

    def list(self, node: ListOf) -> str:
        return self.let(f"list_of({', '.join([self.write(item) for item in node.items])})")

    def logic(self, node: Logic) -> str:
        decides, otherwise = (True, False) if node.sign == "||" else (False, True)
        first, *others = node.parts
        part = self.write(first)
        whole = self.let(f"{part} if type({part}) is bool else truth({part})")
        for other in others:
            self.put(f"if {whole} is not {decides}:", 1)
            part = self.write(other)
            self.put(f"if {part} is {decides}: {whole} = {decides}")
            self.put(f"elif {part} is not {otherwise}: {whole} = unsure({whole}, {part})")
            self.depth -= 1
        return whole

    def choose(self, node: Choose) -> str:
        condition, chosen = self.write(node.condition), self.new()
        for value, branch in ((True, node.then), (False, node.otherwise)):
            self.put(f"if {condition} is {value}:", 1)
            self.put(f"{chosen} = {self.write(branch)}", -1)
        self.put(f"if type({condition}) is not bool: {chosen} = truth({condition})")
        return chosen

    def negation(self, node: Not) -> str:
        operand = self.write(node.operand)
        return self.let(f"{operand} is False if type({operand}) is bool else truth({operand})")

    def negative(self, node: Negate) -> str:
        return self.let(f"negative({self.write(node.operand)})")

    def binary(self, node: Binary) -> str:
        left, sign = self.write(node.left), node.sign
        kind, words = _words_of(node)
        right = self.constant(words) if sign == "in" and words else self.write(node.right)
        in_general = f"operate({sign!r}, {left}, {right})"
        if words:
            written = right if sign == "in" else repr(words[0])
            return self.let(f"{left} {sign} {written} if type({left}) is {kind} else {in_general}")
        if sign not in _OF_NUMBERS:
            return self.let(in_general)
        directly = f"{_OF_NUMBERS[sign]}({sign!r}, {left}, {right})"
        return self.let(f"{directly} if type({left}) is type({right}) is Fraction else {in_general}")

    def call(self, node: Call) -> str:
        if node.function == "first" and not node.is_method:
            return self.first(node)
        record, arguments = "None", list(node.arguments)
        values = []
        if arguments and isinstance(arguments[0], Select):  # a function may ask where it stands
            record = self.write(arguments[0].record)
            values = [self.field(record, arguments[0].field)]
            del arguments[0]
        values += [self.write(argument) for argument in arguments]
        asked = self.variables.keys() & set(READ_BY_FUNCTION.get(node.function, ()))
        bound = ", ".join(f"{name!r}: {self.variables[name]}" for name in sorted(asked))
        scope = f"scope.inside({{{bound}}})" if asked else "scope"
        return self.let(
            f"{self.constant(steps.called(node))}({', '.join([scope, 'reads', record, *values])})"
        )

    def first(self, node: Call) -> str:
        """The first argument that is known; if none is, what the first one needs."""
        if not node.arguments:
            return self.constant(CannotCompute("first needs arguments"))
        first, *others = node.arguments
        known = self.let(self.write(first))
        for other in others:
            self.put(f"if type({known}) is Missing:", 1)
            value = self.write(other)
            self.put(f"if type({value}) is not Missing: {known} = {value}", -1)
        return known

    def macro(self, node: Macro) -> str:
        rows, whole, failure, row = self.write(node.rows), self.new(), self.new(), self.new("v")
        macro, around = node.macro, self.variables
        starts = {"all": "True", "exists": "False"}.get(macro, "[]")
        self.put(f"if type({rows}) is list:", 1)
        self.put(f"{whole}, {failure} = {starts}, None")
        self.put(f"for {row} in {rows}:", 1)
        self.variables = {**around, node.name: row}
        part = self.write(node.body)
        self.variables = around
        if macro == "map":
            self.put(f"if type({part}) in FAILURES: {failure} = worse({failure}, {part})")
            self.put(f"else: {whole}.append({part})")
        elif macro in ("all", "exists"):
            decides = macro == "exists"
            self.put(f"if {part} is {decides}:", 1)
            self.put(f"{whole}, {failure} = {decides}, None")
            self.put("break", -1)
            self.put(f"if {part} is not {not decides}: {failure} = unsure({failure}, {part})")
        else:
            self.put(f"if {part} is True: {whole}.append({row})")
            self.put(f"elif {part} is not False: {failure} = unsure({failure}, {part})")
        self.depth -= 1
        if macro == "exists_one":
            self.put(f"{whole} = len({whole}) == 1")
        self.put(f"if {failure} is not None: {whole} = {failure}", -1)
        self.put(f"else: {whole} = no_list({macro!r}, {rows})")
        return whole


def _repeated_macros(tree: Node) -> set[Node]:
    macros = [node for node in nodes_of(tree) if isinstance(node, Macro)]
    return {node for node, count in Counter(macros).items() if count > 1}


def _words_of(node: Binary) -> tuple[str, list[Value]]:
    """The texts, or yes or no, in `== 'a'`, `!= true` and `in ['a', 'b']`: most comparisons are such."""
    items = node.right.items if node.sign == "in" and isinstance(node.right, ListOf) else (node.right,)
    words: list[Value] = [item.value for item in items if isinstance(item, Literal)]
    kinds = {type(word).__name__ for word in words}
    if node.sign not in ("==", "!=", "in") or len(words) != len(items) or kinds not in ({"str"}, {"bool"}):
        return "", []
    return kinds.pop(), words


_WRITE: dict[type, Callable[[_Writer, Any], str]] = {
    Literal: _Writer.literal,
    Name: _Writer.name,
    Select: _Writer.select,
    ListOf: _Writer.list,
    Logic: _Writer.logic,
    Choose: _Writer.choose,
    Not: _Writer.negation,
    Negate: _Writer.negative,
    Binary: _Writer.binary,
    Call: _Writer.call,
    Macro: _Writer.macro,
}
