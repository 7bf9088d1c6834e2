"""What a village's folder must hold beside sound rules: its members, bodies, the words it quotes, vectors."""

import re
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain.pack_checks import Fault, is_day
from inspect_app.domain.pack_shape import misshapen
from inspect_app.domain.quantities import is_number

SHAPE = {
    **dict.fromkeys(
        ("slug", "name", "short_name", "records_prefix", "version", "effective", "timezone", "starred"), str
    ),
    "adopts": [str],
    "bodies": ("each", str),
    "settings": [{"from": str, "values": dict}],
    "allow_unprotected_storage": bool,
    "stamp_previews": bool,
    "shrink_photos_px": int,
}
MAY_BE_ABSENT = frozenset({"allow_unprotected_storage", "stamp_previews", "shrink_photos_px"})
LEAST_SHRUNK_PX = 1600
_MAY_BE_EMPTY = ("adopts", "starred", "settings")
_SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")


def village_faults(source: Any, folder: str) -> list[Fault]:
    """What is wrong with the members of village.yaml, as (pack, place, reason)."""
    if not isinstance(source, Mapping):
        return [("pack", "", "a mapping with slug, name, bodies, settings and so on is needed")]
    faults = [("pack", str(place), reason) for place, reason in misshapen(source, SHAPE)]
    known = {*SHAPE, "latitude", "longitude"}
    faults += [("pack", str(name), "is not a member of village.yaml") for name in source if name not in known]
    for name in sorted(known - MAY_BE_ABSENT):
        if name not in source or (source[name] in ("", {}) and name not in _MAY_BE_EMPTY):
            faults.append(("pack", name, "is needed"))
    if faults:
        return faults
    if source["slug"] != folder or not _SLUG.fullmatch(source["slug"]):
        faults.append(("pack", "slug", f"must be the folder's name, {folder}: small letters, digits and _"))
    for name, most in (("latitude", 90), ("longitude", 180)):
        if not is_number(source[name]) or not abs(source[name]) <= most:
            faults.append(("pack", name, f"must be a number from -{most} to {most}"))
    if source.get("shrink_photos_px", LEAST_SHRUNK_PX) < LEAST_SHRUNK_PX:
        reason = f"must be {LEAST_SHRUNK_PX} or more: a tape is read from it"
        faults.append(("pack", "shrink_photos_px", reason))
    if not is_day(source["effective"]):
        faults.append(("pack", "effective", "a day YYYY-MM-DD in quotes is needed"))
    if not _is_zone(source["timezone"]):
        faults.append(("pack", "timezone", f"no time zone is named {source['timezone']}"))
    return faults


def _is_zone(name: str) -> bool:
    try:
        return bool(ZoneInfo(name))
    except (KeyError, ValueError, OSError):
        return False


def body_faults(rules: list[dict[str, Any]], bodies: Mapping[str, str]) -> list[Fault]:
    """Rules that a body decides which the village does not have."""
    return [
        (str(rule["id"]), "body", f"{rule['body']} is not one of the bodies in village.yaml")
        for rule in rules
        if rule["body"] not in bodies
    ]


def quotation_faults(own_rules: list[dict[str, Any]], ordinance: str | None) -> list[Fault]:
    """Rules of the village whose words do not stand in its ordinance, or not in the lines they name."""
    if ordinance is None:
        return [("pack", "ordinance.txt", "is needed: the village's rules quote it")] if own_rules else []
    lines = ordinance.splitlines()
    text = _in_one_line(ordinance)
    faults = []
    for rule in own_rules:
        clause = rule["clause"]
        quote = _in_one_line(str(clause.get("quote") or ""))
        if not quote:
            faults.append((str(rule["id"]), "clause.quote", "the words it rests on are needed"))
        elif quote not in text:
            faults.append((str(rule["id"]), "clause.quote", f"'{quote}' is not in ordinance.txt"))
        elif cited := str(clause.get("lines") or ""):
            first, _, last = cited.partition("-")
            if not (first.isdecimal() and (last or first).isdecimal()):
                faults.append((str(rule["id"]), "clause.lines", "must be a line or two, as in 26-27"))
            elif quote not in _in_one_line(" ".join(lines[max(int(first) - 1, 0) : int(last or first)])):
                faults.append((str(rule["id"]), "clause.lines", f"the words do not stand in lines {cited}"))
    return faults


def vector_faults(rules: list[dict[str, Any]], counted: Mapping[str, int]) -> list[Fault]:
    """Rules that are judged and that no vector tries."""
    return [
        (str(rule["id"]), "vectors", "no vector says what must come of it")
        for rule in rules
        if rule.get("status", "executable") == "executable" and not counted.get(rule["id"])
    ]


def _in_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
