"""The walk over a pack before it is published: every field, setting and rule, with all faults at once.

Types of expressions are in checker.py. A checked pack carries what only the types know and the wording needs:
`let_types`, `value_type` and a figure's `type`, each `date` or `time`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from inspect_app.domain import calendar
from inspect_app.domain.answers import read_answer
from inspect_app.domain.checker import Names, check
from inspect_app.domain.pack_shape import PACK, RULE, misshapen, overgrown
from inspect_app.domain.quantities import Units
from inspect_app.domain.rule_checks import RuleCheck, share_a_kind
from inspect_app.domain.syntax import LANGUAGE
from inspect_app.domain.types import Type, TypeFault, of_field

Fault = tuple[str, str, str]
Say = Callable[[str, str], None]


def check_pack(source: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """A checked copy of the pack, and the faults found as (rule, place, reason)."""
    faults: list[Fault] = []

    def say(place: str, reason: str) -> None:
        faults.append(("pack", place, reason))

    if why := overgrown(source):
        return {}, [("pack", "", why)]
    for path in _unquoted(source, ""):
        say(path, "is a date, a key or a value that JSON does not have: put it in quotes")
    for place, reason in misshapen(source, PACK):
        say(place, reason)
    if faults:
        return {}, faults
    pack: dict[str, Any] = _copied(dict(source))
    _check_head(pack, say)
    units = _units(pack.get("units"), say)
    types = _fields(pack.get("fields"), units, say)
    if units:
        _settings(pack, types, units, say)
    if "rules" not in pack:
        say("rules", "a list of rules is needed")
        return pack, faults
    rules = pack["rules"]
    for rule in rules:
        faults += [(str(rule.get("id")), place, reason) for place, reason in misshapen(rule, RULE)]
    if any(rule != "pack" for rule, _, _ in faults):
        return pack, faults
    earlier: dict[Any, list[dict[str, Any]]] = {}
    for rule in rules:
        # One clause may need two entries where two forms record the same fact differently.
        same = earlier.setdefault(rule.get("id"), [])
        if any(share_a_kind(rule, other) for other in same):
            faults.append((str(rule.get("id")), "id", "stands twice for the same kind of inspection"))
        same.append(rule)
    for rule in rules:
        check = RuleCheck(rule, types, pack.get("fields") or {}, rules)
        check.run()
        faults += [(str(rule.get("id")), place, reason) for place, reason in check.faults]
    return pack, faults


def _copied(value: Any) -> Any:
    """Data all the way down, which is known by now."""
    if isinstance(value, dict):
        return {name: _copied(inner) for name, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _unquoted(value: Any, path: str) -> list[str]:
    """Paths of values that YAML turned into something JSON has not: unquoted dates, yes and no as keys."""
    if not path and _is_all_quoted(value):
        return []
    if isinstance(value, Mapping):
        found = [f"{path}.{key}".lstrip(".") for key in value if not isinstance(key, str)]
        return found + [bad for key, inner in value.items() for bad in _unquoted(inner, f"{path}.{key}")]
    if isinstance(value, list):
        return [bad for index, inner in enumerate(value) for bad in _unquoted(inner, f"{path}[{index}]")]
    if value is None or isinstance(value, str | bool | int):
        return []
    if isinstance(value, float) and abs(value) < float("inf"):
        return []
    return [path.lstrip(".")]


def _is_all_quoted(value: Any) -> bool:
    """The same question without the paths, for the many packs where all is well."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is dict and all(type(key) is str for key in part):
            waiting += part.values()
        elif kind is list:
            waiting += part
        elif kind is float:
            if not abs(part) < float("inf"):
                return False
        elif kind not in (str, bool, int, type(None)):
            return False
    return True


def _check_head(pack: dict[str, Any], say: Say) -> None:
    known = {"pack", "village", "version", "language", "effective", "units", "fields", "settings", "rules"}
    for name in sorted(set(pack) - known - {"place"}):
        say(name, "is not a member of a pack")
    if "place" in pack:
        _check_place(pack["place"], say)
    for name in ("pack", "village", "version"):
        if not isinstance(pack.get(name), str) or not pack[name]:
            say(name, "a text in quotes is needed")
    if pack.get("language") != LANGUAGE:
        say("language", f"must be {LANGUAGE}")
    if not is_day(pack.get("effective")):
        say("effective", "a day YYYY-MM-DD in quotes is needed")


def _check_place(place: Mapping[str, Any], say: Say) -> None:
    """Where the village lies: its night is computed there when a visit has no position."""
    for name in sorted({"latitude", "longitude", "timezone"} ^ set(place)):
        say(f"place.{name}", "latitude, longitude and timezone are needed, and no other")
    for name, most in (("latitude", 90), ("longitude", 180)):
        degrees = place.get(name)
        if isinstance(degrees, bool) or not isinstance(degrees, int | float) or not abs(degrees) <= most:
            say(f"place.{name}", f"degrees between -{most} and {most} are needed")
    try:
        calendar.local_day(Fraction(0), str(place.get("timezone")))
    except ValueError as fault:
        say("place.timezone", str(fault))


def is_day(value: Any) -> bool:
    return isinstance(value, str) and calendar.day_number(value) is not None


def _units(table: Any, say: Say) -> Units | None:
    try:
        return Units(table)
    except (AttributeError, KeyError, TypeError):
        say("units", "the table of units of the field dictionary is needed")
        return None


def _fields(fields: Any, units: Units | None, say: Say) -> dict[str, Type]:
    if fields is None:
        say("fields", "the fields by name are needed")
        return {}
    types = {}
    for name, spec in fields.items():
        try:
            types[name] = of_field(spec)
            _check_units(spec, units)
        except TypeFault as fault:
            say(f"fields.{name}", str(fault))
    for name, spec in fields.items():
        if "computed_from" in spec and name in types:
            try:
                _check_computed(spec["computed_from"], types[name], Names(types))
            except TypeFault as fault:
                say(f"fields.{name}.computed_from", str(fault))
    return types


def _check_computed(source: str, field: Type, names: Names) -> None:
    """A unit is not asked for: that of a quotient, such as gallons a day, the checker does not know."""
    found = check(source, names)
    numbers = ("int", "double")
    if found.kind != field.kind and not (found.kind in numbers and field.kind in numbers):
        raise TypeFault(f"gives {found}, not {field}")


def _check_units(spec: Mapping[str, Any], units: Units | None) -> None:
    for inner in (spec.get("of") or {}).values():
        _check_units(inner, units)
    if spec.get("type") != "measure" or units is None:
        return
    accept = spec.get("accept")
    rows = [str(row) for row in accept] if isinstance(accept, list) else [str(accept)]
    for row in rows:
        if row not in units.rows:
            raise TypeFault(f"{row} is not a row of units")
    if spec["unit"] != "by_param" and not any(spec["unit"] in units.rows[row] for row in rows):
        raise TypeFault(f"{spec['unit']} does not stand in {', '.join(rows)}")


def _settings(pack: dict[str, Any], types: Mapping[str, Type], units: Units, say: Say) -> None:
    entries = pack.setdefault("settings", [])
    for index, entry in enumerate(entries):
        place = f"settings[{index}]"
        if set(entry) != {"from", "values"} or not is_day(entry["from"]):
            say(place, "needs from, a day in quotes, and values")
            continue
        for name, value in entry["values"].items():
            if name not in types:
                say(f"{place}.{name}", "unknown setting")
            # None and [] mean "not set", which a village may say on purpose.
            elif value not in (None, []) and read_answer(pack["fields"][name], value, units, name) is None:
                say(f"{place}.{name}", f"{value!r} cannot be read as {types[name]}")
