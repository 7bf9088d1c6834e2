"""The shape of a pack: which member is a text, a list or a mapping.

Checked first and alone, so that every later check may rely on it. What the members say is checked elsewhere.
"""

from typing import Any

MOST_DEPTH = 30  # a pack needs about eight
MOST_BYTES = 2_000_000  # a tablet fetches the whole pack over a weak signal and parses it at every start
MOST_PARTS = 300_000  # more cannot stand in the bytes a pack may have

_WORDS = {
    str: "a text in quotes",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "a mapping",
}
_CONDITION = {"expr": str, "reason": str, "text": str, "note": str, "to": str}
_FIELD: dict[str, Any] = {"type": str, "unit": str, "choices": [str], "computed_from": str}
_FIELD["of"] = ("each", _FIELD)
_FIGURE = {"value": str, "limit": str, "good": str, "of": [str]}
RULE = {
    **dict.fromkeys(
        ("id", "title", "in_force_from", "body", "modal", "severity", "each", "value", "passes"), str
    ),
    "clause": {"section": str},
    "kinds": [str],
    "unless": [_CONDITION],
    "when": [_CONDITION],
    "soften": [_CONDITION],
    "notes": [_CONDITION],
    "let": ("each", str),
    "checks": [
        {"expr": str, "fails": str, "at_limit": str, "message": str, "open_item": bool, "figure": _FIGURE}
    ],
    "combine": [str],
    "evidence": [str],
    "status": str,
    "carried_out_by": {"function": str, "test": str, "how": str},
    "cannot": str,
}
PACK = {
    "place": {"timezone": str},
    "units": ("each", {"accept": [str], "factor": ("each", str)}),
    "fields": ("each", _FIELD),
    "settings": [{"from": str, "values": dict}],
    "rules": [dict],
}


def overgrown(value: Any) -> str | None:
    """Why a value is no data of a pack: it holds itself, as YAML can say, or is far too large; else None.

    Asked first, since every later walk would never end.
    """
    waiting = [(value, 0)]
    count = characters = 0
    while waiting:
        part, depth = waiting.pop()
        count += 1
        if type(part) is str:
            characters += len(part)
            if characters > MOST_BYTES:
                return f"holds texts of more than {MOST_BYTES} bytes"
            continue
        if depth > MOST_DEPTH:
            return f"holds itself, or is nested more than {MOST_DEPTH} levels deep"
        if count > MOST_PARTS:
            return f"holds more than {MOST_PARTS} values"
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        waiting += [(each, depth + 1) for each in inner]
    return None


def misshapen(value: Any, shape: Any, place: str = "") -> list[tuple[str, str]]:
    """Places and reasons where a value is not of a shape.

    A shape is a type; {member: shape} for a mapping, whose other and missing members are not looked at;
    [shape] for a list; ("each", shape) for a mapping whose every member has that shape.
    """
    wanted = dict if isinstance(shape, tuple | dict) else list if isinstance(shape, list) else shape
    if not isinstance(value, wanted):
        return [(place, f"must be {_WORDS[wanted]}")]
    parts: list[tuple[Any, Any, str]] = []
    if isinstance(shape, dict):
        parts = [(value[name], inner, f".{name}") for name, inner in shape.items() if name in value]
    elif isinstance(shape, tuple) and isinstance(value, dict):
        parts = [(part, shape[1], f".{name}") for name, part in value.items()]
    elif isinstance(shape, list):
        parts = [(part, shape[0], f"[{index}]") for index, part in enumerate(value)]
    return [
        (where.lstrip("."), reason)
        for part, inner, step in parts
        for where, reason in misshapen(part, inner, f"{place}{step}")
    ]
