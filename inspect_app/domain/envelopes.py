"""An op as it travels: a signed body that numbers it, around a content that says what was done.

Body and content are texts inside texts, so hash and signature are over exactly the bytes that were sent. The
content is never rewritten; an op of an older app is read through the chain of upgrades below.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

SCHEMA = 1  # of the contents this server reads; raised by a release that changes a kind's members
# schema n -> n + 1, each a pure function over the content; kept for ever, with a fixture of the released app.
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
DEEPEST = 40
LARGEST_EXACT = 2**53  # the largest whole number up to which a tablet reads every one exactly
CLOCKS = ("mono", "clock", "geo")  # a device's own figures, which no rule reads: a last digit may go
LARGEST_NUMBER = 1e300  # 1e400 reads as infinity, which no JSON can say again

_HALF = re.compile("[\ud800-\udfff]")  # half of a character that needs two
_PLAIN = re.compile(r"-?[0-9]+\.[0-9]+")


class Unreadable(ValueError):
    """The text cannot be read as what it should be; the message says which part."""


class NewerSchema(Unreadable):
    """The content was written by an app that is newer than this server; it is readable after an update."""


@dataclass(frozen=True)
class Body:
    """The numbered outer part of an op, with the hashes of its exact texts."""

    device_id: str
    seq: int
    prev: str
    op_id: str
    content: str
    sha256: str
    content_sha256: str


def sha256(text: str) -> str:
    """SHA-256 of a text's UTF-8 bytes; a half character of a broken text still gets a hash of its own."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_body(text: str) -> Body:
    """The body of an envelope; raises Unreadable when it cannot be numbered."""
    if _HALF.search(text):
        raise Unreadable("The body holds half characters.")
    says = _object(text, "The body")
    absent = [name for name in ("v", "device_id", "seq", "prev", "op_id", "content") if name not in says]
    if absent:
        raise Unreadable(f"The body does not say {', '.join(absent)}.")
    if says["v"] != 1 or isinstance(says["v"], bool):
        raise Unreadable("The body's v is not 1.")
    seq = says["seq"]
    if not isinstance(seq, int) or isinstance(seq, bool) or not 1 <= seq < 2**53:
        raise Unreadable("The body's seq is not a whole number from 1.")
    for name, longest in (("device_id", 36), ("prev", 64), ("op_id", 36)):
        value = says[name]
        if (
            not isinstance(value, str)
            or len(value) > longest
            or not (value.isascii() and value.isprintable())
        ):
            raise Unreadable(f"The body's {name} is not a short plain text.")
    if not says["op_id"] or not isinstance(says["content"], str):
        raise Unreadable("The body's op_id is empty, or its content is not a text.")
    return Body(
        says["device_id"],
        seq,
        says["prev"],
        says["op_id"],
        says["content"],
        sha256(text),
        sha256(says["content"]),
    )


def read_content(text: str) -> dict[str, Any]:
    """The content of an op, upgraded to this server's schema.

    Raises Unreadable for what is no JSON object or holds half characters, NewerSchema for a schema that is
    newer than this server.
    """
    return upgraded(read_kept(text, "The content"))


def upgraded(content: dict[str, Any]) -> dict[str, Any]:
    """A content of this or an older schema as one of this server's; raises as `read_content` does."""
    schema = content.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise Unreadable("The content does not say its schema.")
    if schema > SCHEMA:
        raise NewerSchema(f"Schema {schema} is newer than this server ({SCHEMA}).")
    for step in range(schema, SCHEMA):
        content = UPGRADES[step](content)
    return content


def read_kept(text: str, what: str) -> dict[str, Any]:
    """The JSON object of this text, if it can be kept and handed on as it is; raises Unreadable."""
    says = _object(text, what)
    for name, inner in says.items():
        _check_kept(name, 1)
        _check_kept(inner, 1, exactly=name not in CLOCKS)
    return says


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        says = json.loads(text, parse_constant=_no_constant, parse_float=_exact)
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"{what} is not JSON: {type(problem).__name__}.") from None
    if not isinstance(says, dict):
        raise Unreadable(f"{what} is not a JSON object.")
    return says


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON.")


class _Written(float):
    """A number with digits that it would lose on its way on: 7.10 is handed on as 7.1."""

    text: str


def _exact(text: str) -> float:
    """The number of this text, with the text where it says more than the number."""
    number = float(text)
    if repr(number) == text:
        return number
    written = _Written(number)
    written.text = text
    return written


def _check_kept(value: Any, depth: int, exactly: bool = True) -> None:
    """Refuse what cannot be kept and handed on: too deep, broken characters, numbers endless or rounded."""
    if depth > DEEPEST:
        raise Unreadable("The content is nested too deeply.")
    if isinstance(value, str):
        if "\x00" in value or _HALF.search(value):
            raise Unreadable("The content holds a character that is none.")
    elif isinstance(value, int | float):
        if not -LARGEST_NUMBER < value < LARGEST_NUMBER:
            raise Unreadable("The content holds a number that is too large.")
        if exactly and _is_rounded(value):
            raise Unreadable("The content holds a number that would be rounded. A reading is sent as text.")
    elif isinstance(value, dict):
        reading = value.get("value")
        if isinstance(reading, _Written) and "unit" in value and _PLAIN.fullmatch(reading.text):
            value["value"] = reading.text  # the zeros at its end say how well it was measured
        for name, inner in value.items():
            _check_kept(name, depth + 1)
            _check_kept(inner, depth + 1, exactly)
    elif isinstance(value, list):
        for inner in value:
            _check_kept(inner, depth + 1, exactly)


def _is_rounded(number: float) -> bool:
    if isinstance(number, _Written):
        return Decimal(number.text) != Decimal(repr(float(number)))
    return isinstance(number, int) and abs(number) > LARGEST_EXACT


# ------------------------------------------------------------------------------- what each kind must say

Check = Callable[[Any], bool]


def _text(longest: int, least: int = 0) -> Check:
    return lambda value: isinstance(value, str) and least <= len(value) <= longest


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 36 and value.isascii() and value.isprintable()


def _is_slug(value: Any) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= 60
        and value.isascii()
        and value.replace("_", "").isalnum()
        and value == value.lower()
    )


def _is_hash(value: Any) -> bool:
    return (
        isinstance(value, str) and len(value) == 64 and all(letter in "0123456789abcdef" for letter in value)
    )


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_values(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 500 and all(map(_is_slug, value))


def _is_findings(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(finding, dict)
        and isinstance(finding.get("rule"), str)
        and isinstance(finding.get("outcome"), str)
        for finding in value
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**40


def _is_reported(value: Any) -> bool:
    """Rows of a laboratory: the key a later report will have too, the values, the result as it was said."""
    return isinstance(value, list) and all(
        isinstance(row, dict)
        and isinstance(row.get("key"), str)
        and isinstance(row.get("row"), dict)
        and isinstance(row.get("said"), str)
        for row in value
    )


def _anything(_value: Any) -> bool:
    return True


EVERY: dict[str, Check] = {"user_id": _is_id, "kind": _text(40, 1), "record_id": _is_id}
KINDS: dict[str, dict[str, Check]] = {
    "record.create": {
        "village": _is_slug,
        "protocol": _is_slug,
        "protocol_version": _text(20, 1),
        "pack": _is_hash,
        "assignment_id": _or_none(_is_id),
        "parent_record": _or_none(_is_id),
        "place": _text(500),
        "permit_no": _or_none(_text(80)),
    },
    "group.set": {
        "group": _is_slug,
        "replaces": _text(36),
        "values": _is_values,
        "was": _or_none(_is_object),
    },
    "list.add": {"list": _is_slug, "row_id": _is_id, "row": _is_object},
    "photo.attach": {
        "photo_id": _is_id,
        "sha256": _is_hash,
        "bytes": _is_count,
        "mime": _text(80, 1),
        "row": _is_object,
    },
    "custody.append": {"event": _text(100_000, 1)},
    "record.submit": {
        "context": _is_object,
        "findings": _is_findings,
        "pack": _is_hash,
        "revision_hash": _is_hash,
    },
    "record.delete": {"reason": _text(2000)},
    "record.move_form": {"protocol": _is_slug, "protocol_version": _text(20, 1), "reason": _text(2000)},
    "conflict.resolve": {
        "conflict_id": _is_id,
        "take": lambda value: value in ("current", "candidate", "value"),
        "saw": lambda value: isinstance(value, list) and all(map(_is_id, value)),
    },
    "device.note": {"text": _text(4000), "data": _anything},
    "record.review": {},
    "record.return": {"reason": _text(4000, 1)},
    "record.approve": {},
    "record.reopen": {"reason": _text(4000, 1)},
    "record.void": {"reason": _text(4000, 1)},
    "record.number": {"number": _text(20, 1)},
    "finding.decide": {
        "rule": _text(40, 1),
        "decision": lambda value: value in ("confirm", "dispute"),
        "reason": _text(4000),
    },
    "lab.report": {"report": _is_object, "rows": _is_reported},
    "raw.note": {"item_id": _is_id, "text": _text(4000, 4)},
    "upload.decide": {
        "upload_id": _text(64, 1),
        "decision": lambda value: value in ("release", "keep"),
        "reason": _text(4000, 4),
    },
}
OFFICE_ONLY = frozenset(
    {
        "record.review",
        "record.return",
        "record.approve",
        "record.reopen",
        "record.void",
        "record.number",
        "finding.decide",
        "lab.report",
        "raw.note",
        "upload.decide",
    }
)
WITHOUT_RECORD = frozenset({"device.note", "raw.note", "upload.decide"})


def faults(content: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is absent or of the wrong type in a content of a known kind, by member; empty when it is whole."""
    kind = content.get("kind")
    checks = {**EVERY, **KINDS[str(kind)]}
    if kind in WITHOUT_RECORD:
        checks["record_id"] = _or_none(checks["record_id"])
    wrong: dict[str, list[str]] = {}
    for name, check in checks.items():
        if not check(content.get(name)):
            wrong[name] = ["absent"] if name not in content else ["not of the type this kind needs"]
    return wrong
