"""A pack with a mistake is refused, with the rule, the place and the reason."""

import contextlib
import copy
import datetime

import pytest

from inspect_app.domain import packs
from inspect_app.domain.errors import PackRefused
from tests.domain.pack_source import one_check, plain_rule, source, tap_rule


def faults(*rules, **changes):
    with pytest.raises(PackRefused) as refusal:
        packs.publish(source(*rules, **changes))
    assert all(
        f"{rule} {place}: {reason}" in str(refusal.value) for rule, place, reason in refusal.value.faults
    )
    return refusal.value.faults


def test_the_good_rule_is_published():
    assert packs.publish(source(tap_rule())).rules[0]["id"] == "T-01"


@pytest.mark.parametrize(
    ("expr", "reason"),
    [
        ("joint_distance > 6.0", "unknown field joint_distance"),
        ("lifts.all(l, l.thickness <= 9.0)", "unknown field thickness of l"),
        ("item.depth <= 9.0", "item stands only in a rule with each"),
        ("note > 6.0", "> between a text and a decimal number"),
        ("joint_distance_up > ", "the end not expected"),
        ("near(joint_distance_up)", "unknown function near(a decimal number in in)"),
        ("lifts.any(l, l.compacted)", "unknown field l"),
        ("lit ? joint_distance_up : note", "?: between a decimal number in in and a text"),
        ("joint_distance_up && lit", "&& needs yes or no, not a decimal number in in"),
        ("lifts > 2", "> between a list and a whole number"),
        ("basis = 'edge'", "write == to compare"),
        ("joint_distance_up + 1.0", "gives a decimal number in in, not yes or no"),
        ("note == null", "null is not in the language"),
        ("joint_distance_up > 6", "write 6.0 for a decimal number"),
        ("done_on - notice_on <= 60.0", "<= between a whole number in d and a decimal number"),
        ("sides_count / 28 <= 1", "/ between whole numbers differs between engines"),
        ("sides_count <= dfu", "<= between a whole number and a decimal number"),
        ("basis == 'middle'", "'middle' is not one of centre, edge"),
        ("basis in ['edge', 'middle']", "'middle' is not one of centre, edge"),
        ("'top' in barricades", "'top' is not one of"),
        ("basis == location_type", "choices that have no word in common"),
        ("notice_on > 20000", "> between a date and a whole number"),
        ("notice_on == seen_at", "== between a date and an instant"),
        ("notice_on + 1.0 > done_on", "+ between a date and a decimal number"),
        ("notice_on + done_on > notice_on", "+ between a date and a date"),
        ("joint_distance_up > strength", "> between in and mg/l"),
        ("joint_distance_up > depth_max", "> between in and ft"),
        ("min([joint_distance_up, depth_max]) > 6.0", ", between in and ft"),
        ("has(gps.lat)", "has() is not in the language"),
        ("gps == gps", "== cannot compare a row"),
        ("basis < 'edge'", "< does not order a text"),
        ("min([]) > 1.0", "unknown function min"),
        ("slopes(lifts).all(s, s > 0.1)", "unknown function slopes"),
        ("is_night(seen_at)", "is_night reads night_definition, which is not a field of the pack"),
        ("typed_in(depth_max + 1.0, 'ft')", "typed_in needs a field"),
        ("first(lit, 1)", "first between yes or no and a whole number"),
        ("lifts.all(lit, lit)", "lit is already the name of a field or a let"),
        ("kind == 'trench'", "'trench' is not one of"),
        (7, "must be a text in quotes"),
    ],
)
def test_a_mistake_in_an_expression_is_named(expr, reason):
    ((rule, place, found),) = faults(one_check(expr))
    assert (rule, place) == ("T-01", "checks[0].expr")
    assert reason in found


@pytest.mark.parametrize(
    "expr",
    [
        "double(sides_count) / 28.0 <= dfu",
        "ceil(dfu / 28.0) >= double(sides_count)",
        "depth_max * 12.0 > joint_distance_up",
        "local_day(seen_at) - notice_on <= 60",
        "notice_on + 60 >= done_on",
        "business_day_after(notice_on, 2) >= done_on",
        "lifts.all(l, seen_at - l.seen_at <= 900.0)",
        "minute_of(seen_at) >= 420",
        "clock <= 180 || clock >= 540",
        "lit && [].all(x, true)",
        "max([notice_on, done_on]) == done_on",
        "lifts.exists_one(l, l.material == 'clay')",
        "typed_in(depth_max, 'ft')",
        "first(lit, false)",
        "high_of(note) <= 100.0",
        "note in ['a', 'b'] || note.startsWith('c') || note + 'x' == 'yx'",
        "kind == 'tap'",
    ],
)
def test_what_rules_need_to_say_is_accepted(expr):
    packs.publish(source(one_check(expr)))


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        ({"cheks": []}, "cheks", "is not a member of a rule"),
        ({"title": ""}, "title", "a text is needed"),
        ({"clause": None}, "clause", "the section it rests on is needed"),
        ({"clause": {"quote": "x"}}, "clause", "the section it rests on is needed"),
        ({"clause": {"section": "1", "quote": "word " * 16}}, "clause.quote", "is longer than 15 words"),
        ({"clause": {"section": "1", "page": "7"}}, "clause.page", "is not a member of a clause"),
        ({"in_force_from": "2200-01-01"}, "in_force_from", "lies after every inspection"),
        ({"in_force_from": "2001-02-30"}, "in_force_from", "a day YYYY-MM-DD in quotes is needed"),
        ({"kinds": []}, "kinds", "at least one kind of inspection is needed"),
        ({"kinds": ["trench"]}, "kinds", "trench is not one of"),
        ({"modal": "must"}, "modal", "must be one of shall, should, may"),
        ({"severity": "error"}, "severity", "must be one of"),
        ({"checks": None}, "checks", "a rule has checks, a value, both, or combine"),
        ({"combine": ["T-02"]}, "checks", "a rule has checks, a value, both, or combine"),
        ({"status": "Executable"}, "status", "must be one of executable, workflow, reference"),
        ({"status": "workflow"}, "status", "a workflow rule is never judged: it has no checks"),
        ({"status": "workflow", "checks": None}, "carried_out_by", "needs function, how, test"),
        ({"status": "reference", "checks": None}, "cannot", "why it cannot be evaluated"),
        ({"cannot": "The list is missing."}, "cannot", "a rule of status reference says so, no other"),
        ({"carried_out_by": {"function": "a.b"}}, "carried_out_by", "needs function, how, test"),
        ({"carried_out_by": "a.b"}, "carried_out_by", "must be a mapping"),
        ({"checks": []}, "checks", "at least one is needed"),
        ({"when": [{"expr": "lit"}]}, "when[0].reason", "a sentence is needed"),
        ({"unless": [{"expr": "lit", "text": "x", "reason": "y"}]}, "unless[0].text", "is not a member here"),
        ({"when": "lit"}, "when", "must be a list"),
        ({"let": {"basis": "1.0"}}, "let.basis", "is already the name of a field"),
        ({"let": {"item": "1.0"}}, "let.item", "has a meaning of its own"),
        ({"let": {"nearest": "nearest + 1.0"}}, "let.nearest", "let nearest is defined by itself"),
        ({"let": {"nearest": 6}}, "let.nearest", "must be a text in quotes"),
        ({"let": {"nearest": ""}}, "let.nearest", "the end not expected"),
        ({"each": "basis"}, "each", "gives a text, not a list"),
        ({"each": "barricades"}, "each", "each needs a list of rows"),
        ({"soften": [{"expr": "lit", "to": "pass", "note": "n"}]}, "soften[0].to", "must be one of"),
        ({"passes": "At {nowhere}."}, "passes {nowhere}", "unknown field nowhere"),
        ({"evidence": [7]}, "evidence[0]", "must be a text in quotes"),
    ],
)
def test_a_mistake_in_a_rule_is_named(change, place, reason):
    found = [(where, why) for rule, where, why in faults(tap_rule(**change)) if where == place]
    assert found, faults(tap_rule(**change))
    assert reason in found[0][1]


@pytest.mark.parametrize(
    ("check", "place", "reason"),
    [
        ({"fails": "bad"}, "checks[0].fails", "must be one of"),
        ({"open_item": "yes"}, "checks[0].open_item", "must be true or false"),
        ({"at_limit": "depth_max"}, "checks[0].at_limit", "not yes or no"),
        ({"note": "x"}, "checks[0].note", "is not a member of a check"),
        ({"message": ""}, "checks[0].message", "a sentence is needed"),
        ({"message": "{depth_max > 1.0}"}, "checks[0].message", "name a field or a let"),
        (
            {"figure": {"value": "depth_max", "limit": "4.0", "good": "<>"}},
            "checks[0].figure",
            "needs value, limit",
        ),
        (
            {"figure": {"value": "depth_max", "limit": "4.0", "good": "<", "unit": "in"}},
            "checks[0].figure",
            "the value is in ft, the figure says in",
        ),
        ({"figure": {"value": "note", "limit": "note", "good": "<"}}, "checks[0].figure", "shows numbers"),
        (
            {"figure": {"value": "depth_max", "limit": "4.0", "good": "<", "of": ["deep"]}},
            "checks[0].figure.of",
            "unknown field deep",
        ),
    ],
)
def test_a_mistake_in_a_check_is_named(check, place, reason):
    found = [why for rule, where, why in faults(one_check("lit", check=check)) if where == place]
    assert found
    assert reason in found[0]


def test_rules_are_combined_only_with_rules_that_can_be_judged_beside_them():
    combined = plain_rule(id="T-09", combine=["T-01", "T-02", "T-03", "T-08"])
    other = one_check("lit", id="T-02", kinds=["manhole"])
    nested = plain_rule(id="T-03", combine=["T-01"])
    assert faults(tap_rule(), other, nested, combined) == [
        ("T-09", "combine", "T-02 is never judged on the same form"),
        ("T-09", "combine", "T-03 combines others itself"),
        ("T-09", "combine", "T-08 is not a rule of this pack"),
    ]


def test_one_id_stands_twice_only_for_different_forms():
    packs.publish(source(tap_rule(), tap_rule(kinds=["lateral"])))
    assert faults(tap_rule(), tap_rule()) == [("T-01", "id", "stands twice for the same kind of inspection")]


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        ({"language": "cel"}, "language", "must be cel-subset/1"),
        ({"effective": "soon"}, "effective", "a day YYYY-MM-DD in quotes is needed"),
        ({"village": ""}, "village", "a text in quotes is needed"),
        ({"extra": 1}, "extra", "is not a member of a pack"),
        ({"units": None}, "units", "must be a mapping"),
        ({"rules": {}}, "rules", "must be a list"),
        ({"fields": {"x": {"type": "measure"}}, "rules": []}, "fields.x", "a measure needs a unit"),
        (
            {"fields": {"x": {"type": "measure", "unit": "acre", "accept": "length"}}, "rules": []},
            "fields.x",
            "acre does not stand in length",
        ),
        ({"fields": {"x": {"type": "choice"}}, "rules": []}, "fields.x", "choices are needed"),
        ({"fields": {"x": {"type": "list"}}, "rules": []}, "fields.x", "a list needs the fields of its rows"),
        ({"fields": {"x": {"type": "colour"}}, "rules": []}, "fields.x", "colour is not a type of field"),
        (
            {"settings": [{"from": "x", "values": {}}]},
            "settings[0]",
            "needs from, a day in quotes, and values",
        ),
        (
            {"settings": [{"from": "2020-01-01", "values": {"nope": 1}}]},
            "settings[0].nope",
            "unknown setting",
        ),
        (
            {"settings": [{"from": "2020-01-01", "values": {"within_is_inclusive": "yes"}}]},
            "settings[0].within_is_inclusive",
            "'yes' cannot be read as yes or no",
        ),
    ],
)
def test_a_mistake_in_the_head_of_a_pack_is_named(change, place, reason):
    found = [why for rule, where, why in faults(tap_rule(), **change) if (rule, where) == ("pack", place)]
    assert found
    assert reason in found[0]


def test_what_yaml_turned_into_a_date_or_a_yes_is_refused_by_its_place():
    dated = tap_rule(in_force_from=datetime.date(2001, 6, 4))
    assert faults(dated)[0][1] == "rules[0].in_force_from"
    assert faults(tap_rule(let={False: "1.0"}))[0][1] == "rules[0].let.False"


def test_all_faults_are_listed_at_once():
    assert len(faults(one_check("a > 1.0"), one_check("b > 1.0", id="T-02"), language="x")) == 3


JUNK = [None, [], {}, "x", 7, True, 1.5, [None], [[]], {"a": None}, "", [1], [{"x": []}]]


def places(value, path=()):
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def test_junk_in_any_place_of_a_pack_is_refused_or_harmless_but_never_a_crash():
    conditions = {"unless": "reason", "notes": "text"}
    rich = tap_rule(**{name: [{"expr": "lit", text: "So."}] for name, text in conditions.items()})
    good = source(
        rich,
        plain_rule(id="T-02", value="basis"),
        plain_rule(id="T-03", combine=["T-01"]),
        one_check("item.depth > 1.0", id="T-04", each="lifts"),
        settings=[{"from": "2020-01-01", "values": {"least_ft": "8"}}],
    )
    packs.publish(good)
    for index, path in enumerate(places(good)):
        for junk in (*JUNK, *JUNK)[index % len(JUNK) :][:3]:
            broken = copy.deepcopy(good)
            at = broken
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = copy.deepcopy(junk)
            with contextlib.suppress(PackRefused):
                packs.publish(broken)


def reason(expr):
    return {"expr": expr, "reason": "It does not concern this."}


@pytest.mark.parametrize(
    ("change", "place", "why"),
    [
        ({"when": [reason("false")]}, "when[0].expr", "is false whatever is answered"),
        ({"when": [reason("lit"), reason("1 > 2")]}, "when[1].expr", "is false whatever is answered"),
        ({"unless": [reason("lit || true")]}, "unless[0].expr", "is true whatever is answered"),
        ({"when": [reason("basis == 'edge' && basis == 'centre'")]}, "when[0].expr", "is false whatever"),
        ({"when": [reason("kind == 'manhole'")]}, "when[0].expr", "is false whatever is answered"),
        ({"when": [reason("basis == 'edge'"), reason("basis == 'centre'")]}, "when", "exclude each other"),
        ({"when": [reason("lit")], "unless": [reason("lit")]}, "when", "exclude each other"),
        ({"unless": [reason("lit"), reason("!lit")]}, "unless", "exclude each other"),
        ({"let": {"near": "basis == 'edge'"}, "when": [reason("near && !near")]}, "when[0].expr", "is false"),
        ({"when": [reason("first(lit, false) && first(!lit, false)")]}, "when[0].expr", "is false whatever"),
        ({"when": [reason("lit && depth_max > 3.0 && !lit")]}, "when[0].expr", "is false whatever"),
    ],
)
def test_a_rule_that_can_never_apply_is_refused(change, place, why):
    (found,) = faults(plain_rule(checks=tap_rule()["checks"], let=tap_rule()["let"]) | change | CHECK)
    assert found[:2] == ("T-01", place)
    assert why in found[2]
    assert found[2].endswith("the rule can never apply")


CHECK = {"checks": [{"expr": "lit", "message": "It is not lit."}]}


@pytest.mark.parametrize(
    "conditions",
    [
        [reason("kind == 'tap'")],
        [reason("basis == 'edge' || location_type == 'street'"), reason("basis == 'centre'")],
        [reason("first(depth_max, 0.0) > 3.0")],
        [reason("first(notice_on == done_on, false)")],
        [reason("barricades.exists(side, side == 'north')")],
        [reason("depth_max > 3.0"), reason("depth_max < 2.0")],  # numbers are not tried
    ],
)
def test_a_rule_that_may_apply_is_published(conditions):
    packs.publish(source(plain_rule(when=conditions, **CHECK)))


def test_a_rule_of_office_records_may_ask_for_any_form():
    packs.publish(source(plain_rule(kinds=["office"], when=[reason("kind == 'manhole'")], **CHECK)))


def test_a_check_that_can_never_fail_is_refused():
    assert faults(one_check("1 < 2 || lit")) == [
        ("T-01", "checks[0].expr", "is true whatever is answered: it can never fail")
    ]


@pytest.mark.parametrize(
    ("expr", "why"),
    [
        ("lit" + " " * 1998, "longer than 2000 characters"),
        ("!" * 50 + "lit", "more than 50 levels deep"),
        ("(" * 400 + "lit" + ")" * 400, "levels deep"),
    ],
)
def test_an_expression_beyond_the_limits_is_refused_and_just_within_them_published(expr, why):
    ((rule, place, found),) = faults(one_check(expr))
    assert (rule, place) == ("T-01", "checks[0].expr")
    assert why in found


def test_an_expression_within_the_limits_is_published():
    packs.publish(source(one_check("lit" + " " * 1997), one_check("!" * 49 + "lit", id="T-02")))
