"""Every published pack is valid CEL: each of its expressions compiles under Google's checker."""

from datetime import date

import pytest

from inspect_app.domain.checker import Names, type_of
from inspect_app.domain.rule_checks import KIND
from inspect_app.domain.syntax import parse
from inspect_app.domain.types import Type, of_field
from inspect_app.store import villages
from tests.support.availability import unavailable


@pytest.fixture(scope="module")
def cel():
    try:
        from cel_expr_python import cel
    except ImportError:
        unavailable("Google's CEL runtime has no package for this machine.")
    return cel


def cel_type(cel, kind: Type):
    """How the referee calls one of our types; days and instants are the numbers we count them in."""
    simple = {"bool": cel.Type.BOOL, "int": cel.Type.INT, "double": cel.Type.DOUBLE, "text": cel.Type.STRING}
    simple |= {"date": cel.Type.INT, "time": cel.Type.DOUBLE, "nothing": cel.Type.DYN}
    if kind.kind == "list":
        return cel.Type.List(cel_type(cel, kind.item))
    return simple.get(kind.kind) or cel.Type.Map(cel.Type.STRING, cel.Type.DYN)


def functions(cel):
    """Our named functions with their types, so that the referee knows them."""
    flag, whole, real, text = cel.Type.BOOL, cel.Type.INT, cel.Type.DOUBLE, cel.Type.STRING
    rows = cel.Type.List(cel.Type.Map(text, cel.Type.DYN))
    signatures = {
        "ceil": [(real, [real])],
        "floor": [(real, [real])],
        "round": [(real, [real])],
        "slopes": [(cel.Type.List(real), [rows])],
        "largest_gap": [(real, [rows, real])],
        "local_day": [(whole, [real])],
        "minute_of": [(whole, [real])],
        "business_day_after": [(whole, [whole, whole])],
        "last_day": [(whole, [whole, whole])],
        "last_filing_day": [(whole, [whole, whole])],
        "months_after": [(whole, [whole, whole])],
        "years_after": [(whole, [whole, whole])],
        "year": [(whole, [whole])],
        "month_day": [(whole, [whole])],
        "slug": [(text, [rows, real, real])],
        "slug_gap": [(flag, [rows, real])],
        "cents": [(real, [real])],
        "text": [(text, [kind, *places]) for kind in (whole, real) for places in ([], [whole])],
        "low_of": [(real, [text])],
        "high_of": [(real, [text])],
        "typed_in": [(flag, [real, text])],
        "is_night": [(flag, [real])],
        "sunset_of": [(real, [real])],
        "minutes_to_sunset": [(real, [real])],
    }
    for name in ("min", "max", "sum"):
        signatures[name] = [(kind, [cel.Type.List(kind)]) for kind in (whole, real)]
    signatures["first"] = [
        (kind, [kind] * count)
        for kind in (flag, whole, real, text, cel.Type.List(cel.Type.DYN))
        for count in (2, 3, 4)
    ]
    return [
        cel.FunctionDecl(
            name,
            [
                cel.Overload(id=f"{name}_{index}", return_type=gives, parameters=takes, is_member=False)
                for index, (gives, takes) in enumerate(overloads)
            ],
        )
        for name, overloads in signatures.items()
    ]


def expressions(rule):
    """(place, expression) of everything a rule computes."""
    for place in ("unless", "when", "notes", "soften"):
        yield from ((place, entry["expr"]) for entry in rule.get(place, ()))
    yield from (("let", source) for source in rule.get("let", {}).values())
    yield from ((place, rule[place]) for place in ("each", "value") if place in rule)
    for check in rule.get("checks", ()):
        yield "check", check["expr"]
        if "at_limit" in check:
            yield "at_limit", check["at_limit"]
        for place in ("value", "limit") if check.get("figure") else ():
            yield "figure", check["figure"][place]


@pytest.mark.parametrize("village", ["barneveld", "howards_grove"])
def test_every_expression_of_a_village_compiles_under_the_referee(village, cel):
    pack = villages.pack_of(village, date(2026, 6, 18))
    fields = {name: of_field(spec) for name, spec in pack.data["fields"].items()}
    declared = functions(cel)
    refused = []
    for rule in pack.rules:
        lets = {name: parse(source) for name, source in rule.get("let", {}).items()}
        bound = {"kind": KIND}
        if "each" in rule:
            bound["item"] = type_of(parse(rule["each"]), Names(fields, lets, bound)).item
        names = Names(fields, lets, bound)
        known = {**fields, **bound, **{name: names.type_of(name) for name in lets}}
        variables = {name: cel_type(cel, kind) for name, kind in known.items()}
        environment = cel.NewEnv(variables=variables, functions=declared)
        for place, source in expressions(rule):
            try:
                environment.compile(source)
            except Exception as fault:
                refused.append((rule["id"], place, source, str(fault)[:300]))
    assert refused == []
