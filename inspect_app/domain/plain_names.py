"""Names in plain words, for the ordinance book: what stands in place of a field, a let or an expression.

The tablet's twin is static/pwa/screens/plain_names.js, with its words in words.js; change them together.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from inspect_app.domain.answers import Answers
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.quantities import Units, format_exact
from inspect_app.domain.tree import Choose, Name, Node, children

# Parts of names that are no plain words.
SPELLED = {
    **{name.casefold(): name for name in ("pH", "BOD", "BOD5", "BOD7", "CBOD5", "COD", "TSS", "TDS", "SSC")},
    **{
        name.casefold(): name
        for name in ("TKN", "DFU", "EDU", "EHU", "REU", "LEL", "CO", "H2S", "O2", "NR", "PVC")
    },
    "cmh": "control manhole",
    "fog": "oil and grease",
    "gpd": "a day",
    "hp": "power",
    "no": "number",
    "ref": "reference",
    "temp": "temperature",
    "pct": "percent",
}
# Whole names that would not read well by their parts, and columns whose labels are meant for a heading.
SAID = {
    "item.value": "reading",
    "item.lab_result": "result",
    "item.analyte": "substance",
    "item.unit": "unit",
    "row": "number",
    "sunset_calc": "sunset",
    "sunrise_calc": "sunrise",
    "st21_water_min_ft": "distance set by the village",
    "st21_well_min_ft": "distance set by the village",
}
# One row of a list.
ROWS = {
    "agreement_limits": "limit of the agreement",
    "capacity_segments": "stretch of sewer",
    "consumers": "consumer",
    "cover_top": "point of cover",
    "exceptions": "exception",
    "gas": "reading of the air",
    "lab_results": "laboratory result",
    "lifts": "lift",
    "outlets": "outlet",
    "readings": "reading",
    "segments": "pipe",
}
BLANK = "…"
MOST_ALTERNATIVES = 4
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(r"[\w-]+")
_PLAIN_CHOICE = re.compile(r"\?|^\w+$")
_END_OF_SENTENCE = re.compile(r"(^|[.?!”]\s+)$")


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: words as they stand, or what an inspection's own value will be."""

    text: str
    is_name: bool


@dataclass(frozen=True)
class Names:
    """What names of one pack mean to a reader: labels of the forms, fields, and the settings of a day."""

    labels: Mapping[str, str]  # of fields, and of columns as `item.column`
    fields: Mapping[str, Any]
    units: Units
    settings: Mapping[str, Any]

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The columns of every list, by name: the same name always has the same type."""
        lists = [spec.get("of") or {} for spec in self.fields.values()]
        return {name: spec for columns in lists for name, spec in columns.items()}

    @cached_property
    def answers(self) -> Answers:
        return Answers(self.fields, self.units, self.settings)

    def heading(self, path: str, rule: Mapping[str, Any]) -> str:
        """`Nearest joint`: a field as its form calls it, a let or an unlisted field in words."""
        if path in rule.get("let", {}) and (kind := self.is_moment(path, rule)):
            return {"date": "The day", "time": "The time"}[kind]
        return opening(self._name(path, rule))

    def is_moment(self, path: str, rule: Mapping[str, Any]) -> str | None:
        """`date` or `time` if it is one."""
        kind = self._kind(path, rule)
        return kind if kind in ("date", "time") else None

    def within(self, path: str, rule: Mapping[str, Any]) -> str:
        """The same inside a sentence: `joint upstream`, but `CO` and `pH` as they are."""
        name = self._name(path, rule)
        return name[:1].lower() + name[1:] if re.match(r"[A-Z]([a-z]|\b(?!\d))", name) else name

    def each(self, rule: Mapping[str, Any]) -> str | None:
        """One row of what the rule goes through: `laboratory result`; None where it goes through nothing."""
        found = self._list(rule)
        return ROWS.get(found) or f"row of {self.within(found, rule)}" if found else None

    def _list(self, rule: Mapping[str, Any]) -> str | None:
        """The list whose rows the rule goes through."""
        read = _names(parse(rule["each"])) if rule.get("each") else ()
        return next((name for name in read if self.fields.get(name, {}).get("type") == "list"), None)

    def said(self, sentence: str, rule: Mapping[str, Any]) -> list[Piece]:
        """A sentence of the rule, with settings as they are, and names for an inspection's own values."""
        parts = _PLACEHOLDER.split(sentence)
        pieces: list[Piece] = []
        for at, part in enumerate(parts):
            if at % 2 == 0:
                # A blank ends its sentence by itself.
                blank = bool(pieces) and pieces[-1].text == BLANK
                pieces.append(Piece(part.removeprefix(".") if blank else part, False))
                continue
            before = "".join(piece.text for piece in pieces)
            pieces.append(self._stands_for(part, rule, before, parts[at + 1]))
        return [piece for piece in pieces if piece.text]

    def _stands_for(self, path: str, rule: Mapping[str, Any], before: str, after: str) -> Piece:
        starts = bool(_END_OF_SENTENCE.search(before))
        fixed = self._setting(path)
        if fixed is not None and path not in rule.get("let", {}):
            return Piece(fixed, False)
        if alternatives := self._alternatives(path, rule):
            sentences = any(text.endswith(".") or text.count(" ") > 2 for text in alternatives)
            text = (" / " if sentences else " or ").join(alternatives)
            return Piece(opening(text) if starts else text, True)
        if moment := self.is_moment(path, rule):
            return Piece(opening(moment) if starts else moment, True)
        kind = self._kind(path, rule)
        if path not in SAID and (
            (kind in ("choice", "choices") and not starts) or (kind == "text" and before.endswith(": "))
        ):
            return Piece(BLANK, True)
        name = _not_twice(self.within(path, rule).split(",")[0], before, after)
        return Piece(opening(name) if starts else name, True)

    def _name(self, path: str, rule: Mapping[str, Any]) -> str:
        if path in rule.get("let", {}):
            return in_words(path)
        own = f"{self._list(rule)}.{path[5:]}" if path.startswith("item.") else path
        name = path.removeprefix("item.")
        if self.is_moment(path, rule):
            name = re.sub("_(on|at)$", "", name)
        return SAID.get(path) or self.labels.get(own) or self.labels.get(path) or in_words(name)

    def _kind(self, path: str, rule: Mapping[str, Any]) -> str | None:
        if path in rule.get("let", {}):
            kind: str | None = rule.get("let_types", {}).get(path)
            return kind
        spec = self.columns.get(path[5:]) if path.startswith("item.") else self.fields.get(path)
        return str(spec["type"]) if spec else None

    def _setting(self, name: str) -> str | None:
        value = self.answers.get(name) if name in self.settings else None
        return (
            format_exact(value) if isinstance(value, Fraction) else value if isinstance(value, str) else None
        )

    def _alternatives(self, path: str, rule: Mapping[str, Any]) -> list[str]:
        """The texts or numbers that a let or the rule's value can be, if these are few and all known."""
        source = rule.get("value") if path == "value" else rule.get("let", {}).get(path)
        found = self._leaves(parse(source), rule) if source and _PLAIN_CHOICE.search(source) else None
        shown = list(dict.fromkeys(text for text in found or () if text))
        return shown if len(shown) <= MOST_ALTERNATIVES else []

    def _leaves(self, tree: Node, rule: Mapping[str, Any]) -> list[str] | None:
        if isinstance(tree, Choose):
            sides = [self._leaves(side, rule) for side in (tree.then, tree.otherwise)]
            return None if None in sides else [text for side in sides for text in side or ()]
        if isinstance(tree, Name) and tree.name in rule.get("let", {}):
            return self._leaves(parse(rule["let"][tree.name]), rule)
        value = evaluate(tree, Scope(self.answers, {}, {})).value
        if isinstance(value, Fraction):
            return [format_exact(value)]
        return [value.replace("_", " ")] if isinstance(value, str) else None


def in_words(name: str) -> str:
    """`bod_result` as `BOD result`."""
    if name in SAID:
        return SAID[name]
    return " ".join(SPELLED.get(part.casefold(), part) for part in name.split("_"))


def value_in_words(value: str) -> str:
    """A choice as people write it: `village_board` as `village board`, `bod5` as `BOD5`; `no` stays no."""
    return " ".join(_spelled(part) for part in value.split("_"))


def written_out(text: str) -> str:
    """A sentence in which names stand as they do in the rules: `not_tested` as `not tested`."""
    text = re.sub(r"\bnull\b", "not answered", text)
    return re.sub(r"\b[a-z]\w*\b", lambda found: value_in_words(found[0]), text, flags=re.ASCII)


def _spelled(word: str) -> str:
    spelled = SPELLED.get(word, "")
    return spelled if spelled.casefold() == word else word


def _not_twice(name: str, before: str, after: str) -> str:
    """A name without the words that stand beside it already: `Outlet …`, `permit number`."""
    own = name.casefold().split()
    left = _WORD.findall(re.split(r"[.;]\s", before)[-1].casefold())
    right = _WORD.findall(re.split(r"[.;](?:\s|$)", after)[0].casefold())
    if set(own) <= set(left) or right[:1] == own[:1] or (len(own) > 1 and set(own) <= {*left, *right}):
        return BLANK
    words = name.split()
    if left[-1:] == own[:1]:
        words = words[1:]
    if right[:1] == own[-1:]:
        words = words[:-1]
    return " ".join(words) or BLANK


def opening(text: str) -> str:
    """The text as a sentence begins, but `pH` as it is."""
    return text if text[1:2].isupper() else text[:1].upper() + text[1:]


def _names(tree: Node) -> list[str]:
    if isinstance(tree, Name):
        return [tree.name]
    return [name for child in children(tree) for name in _names(child)]
