"""The rule language cel-subset/1: lexer, limits and parser. Its nodes are in tree.py.

Every accepted text is valid CEL. Left out on purpose: has(), null, indexing, %, escapes in text. The
JavaScript twin is static/pwa/rules/syntax.js.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from inspect_app.domain.errors import ExpressionRefused
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
    depth_of,
)

LANGUAGE = "cel-subset/1"
MOST_CHARACTERS = 2000
MOST_LEVELS = 50
MACROS = ("all", "exists", "exists_one", "filter", "map")

_RESERVED = frozenset(
    (
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"),
        *("package", "namespace", "return", "var", "void", "while"),
    )
)
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|'(?P<text>[^'\\\r\n]*)'|(?P<sign>&&|\|\||[<>=!]=|[-+*/<>!?:.,()\[\]])"
)
_LEVEL_OF = {
    "||": 1, "&&": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "==": 3, "!=": 3, "in": 3,
    "+": 4, "-": 4, "*": 5, "/": 5,
}  # fmt: skip


@lru_cache(maxsize=8192)
def parse(source: str) -> Node:
    """The tree of an expression; ExpressionRefused says where and why it is outside the language."""
    if len(source) > MOST_CHARACTERS:
        raise ExpressionRefused(f"longer than {MOST_CHARACTERS} characters")
    tokens = _tokens(source)
    parser = _Parser(tokens)
    tree = parser.expression()
    parser.expect_end()
    if len(tokens) > MOST_LEVELS and depth_of(tree) > MOST_LEVELS:  # each level has a token of its own
        raise ExpressionRefused(f"more than {MOST_LEVELS} levels deep")
    return tree


class _Token(NamedTuple):
    kind: str  # number, name, text, sign, end
    text: str
    at: int


def _tokens(source: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(source):
        found = _TOKEN.match(source, at)
        if found is None:
            raise ExpressionRefused(_why_not(source[at], at))
        kind = found.lastgroup or ""
        text = found[kind]
        if kind == "number" and any(len(digits) > 30 for digits in text.split(".")):
            raise ExpressionRefused(f"a number of more than 30 digits at {at + 1}")
        if kind == "name" and text == "in":
            kind = "sign"
        if kind != "blank":
            tokens.append(_Token(kind, text, at))
        at = found.end()
    tokens.append(_Token("end", "the end", len(source)))
    return tokens


def _why_not(character: str, at: int) -> str:
    if character == "%":
        return f"% is not in the language, at {at + 1}"
    if character == "=":
        return f"= at {at + 1}: write == to compare"
    if character == "'":
        return f"the text at {at + 1} does not end, or holds a backslash"
    return f"{character!r} at {at + 1} is not in the language"


class _Parser:
    """Recursive descent over the tokens; its life is one call of parse()."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.level = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, sign: str) -> bool:
        if self.next.kind == "sign" and self.next.text == sign:
            self.at += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise ExpressionRefused(f"{sign} expected at {self.next.at + 1}, found {self.next.text}")

    def expect_end(self) -> None:
        if self.next.kind != "end":
            raise ExpressionRefused(f"{self.next.text} not expected at {self.next.at + 1}")

    def deeper(self) -> None:
        self.level += 1
        if self.level > MOST_LEVELS:
            raise ExpressionRefused(f"more than {MOST_LEVELS} levels deep")

    def expression(self) -> Node:
        self.deeper()
        tree = self.binary(1)
        if self.take("?"):
            then = self.binary(1)
            self.expect(":")
            tree = Choose(tree, then, self.expression())
        self.level -= 1
        return tree

    def binary(self, lowest: int) -> Node:
        """Operators that bind at least as strongly as `lowest`, by precedence climbing."""
        left = self.unary()
        while self.next.kind == "sign" and _LEVEL_OF.get(self.next.text, 0) >= lowest:
            sign = self.next.text
            self.at += 1
            right = self.binary(_LEVEL_OF[sign] + 1)
            if sign in ("&&", "||"):
                parts = left.parts if isinstance(left, Logic) and left.sign == sign else (left,)
                left = Logic(sign, (*parts, right))
            else:
                left = Binary(sign, left, right)
        return left

    def unary(self) -> Node:
        for sign in ("!", "-"):
            if self.take(sign):
                if sign == "-" and self.next.kind == "number":
                    return self.members(self.literal(sign))
                self.deeper()
                operand = self.unary()
                self.level -= 1
                return Not(operand) if sign == "!" else Negate(operand)
        return self.members(self.primary())

    def literal(self, sign: str = "") -> Node:
        written = sign + self.next.text
        self.at += 1
        return Literal(Fraction(written), written)

    def primary(self) -> Node:
        token = self.next
        if token.kind == "number":
            return self.literal()
        if token.kind == "text":
            self.at += 1
            return Literal(token.text, token.text)
        if token.kind == "name":
            self.at += 1
            if token.text in ("true", "false"):
                return Literal(token.text == "true", token.text)
            _refuse_word(token)
            if self.take("("):
                return self.call(token, ())
            return Name(token.text)
        if self.take("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.take("["):
            return ListOf(self.sequence("]"))
        raise ExpressionRefused(f"{token.text} not expected at {token.at + 1}")

    def members(self, tree: Node) -> Node:
        while True:
            if self.next.text == "[" and self.next.kind == "sign":
                raise ExpressionRefused(f"indexing at {self.next.at + 1} is not in the language")
            if not self.take("."):
                return tree
            token = self.next
            if token.kind != "name":
                raise ExpressionRefused(f"a field name expected at {token.at + 1}")
            _refuse_word(token)
            self.at += 1
            tree = self.call(token, (tree,)) if self.take("(") else Select(tree, token.text)

    def call(self, token: _Token, target: tuple[Node, ...]) -> Node:
        if token.text == "has":
            raise ExpressionRefused("has() is not in the language: a missing answer must stay unknown")
        arguments = self.sequence(")")
        if target and token.text in MACROS:
            if len(arguments) != 2 or not isinstance(arguments[0], Name):
                raise ExpressionRefused(f"{token.text} needs a name and an expression")
            return Macro(token.text, target[0], arguments[0].name, arguments[1])
        return Call(token.text, (*target, *arguments), bool(target))

    def sequence(self, end: str) -> tuple[Node, ...]:
        if self.take(end):
            return ()
        items = [self.expression()]
        while self.take(","):
            items.append(self.expression())
        self.expect(end)
        return tuple(items)


def _refuse_word(token: _Token) -> None:
    if token.text == "null":
        raise ExpressionRefused("null is not in the language: a missing answer is already unknown")
    if token.text in _RESERVED or token.text in ("true", "false"):
        raise ExpressionRefused(f"{token.text} at {token.at + 1} is a reserved word")
