"""What an expression means: a value, unknown with what is missing, or an error."""

from fractions import Fraction

import pytest

from inspect_app.domain.errors import ExpressionRefused
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.values import Record


class Given(dict):
    """Answers for a test."""

    def derived(self, name):
        return None

    def typed_unit(self, path):
        return "cm" if path == "six" else None


LIFTS = [
    Record("lifts[0]", {"depth": Fraction(9), "done": True}, 1),
    Record("lifts[1]", {"done": False}, 2),
    Record("lifts[2]", {"depth": Fraction(73, 8), "done": True}, 3),
]
ANSWERS = Given(
    six=Fraction(6),
    half=Fraction(1, 2),
    yes=True,
    no=False,
    side="north",
    sides=["north", "east"],
    cone="🚧",
    lifts=LIFTS,
    gps=Record("gps", {"lat": Fraction(43)}),
    report="<5",
)


def ask(expr, **lets):
    return evaluate(parse(expr), Scope(ANSWERS, {name: parse(source) for name, source in lets.items()}))


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("six > 6.0", False),
        ("six >= 6.0", True),
        ("8.3 - 4.6 / 2.0 == 6.0", True),
        ("1.0 / 3.0 * 3.0 == 1.0", True),
        ("-six + 1.0 < -4.0", True),
        ("2.0 + 3.0 * 2.0 == 8.0", True),
        ("10.0 - 3.0 - 2.0 == 5.0", True),
        ("!no && yes", True),
        ("no || yes && no", False),
        ("six > 1.0 ? yes : no", True),
        ("'north' in sides", True),
        ("side in ['south', 'west']", False),
        ("side + 'ern' == 'northern'", True),
        ("side.startsWith('nor') && side.endsWith('th') && side.contains('ort')", True),
        ("size(sides) == 2 && sides.size() == 2", True),
        ("size(cone) == 1", True),
        ("cone > 'zzz'", True),
        ("lifts.exists(l, l.depth > 9.0)", True),
        ("lifts.all(l, l.depth <= 9.0)", False),
        ("lifts.exists_one(l, l.done == false)", True),
        ("size(lifts.filter(l, l.done)) == 2", True),
        ("lifts.map(l, l.done) == [true, false, true]", True),
        ("ceil(28.5 / 28.0) == 2.0 && floor(-0.5) == -1.0 && round(2.5) == 3.0 && round(-2.5) == -3.0", True),
        ("min([six, half]) == half && max([six, half]) == six && sum([six, half]) == 6.5", True),
        ("typed_in(six, 'cm')", True),
        ("low_of(report) == 0.0 && high_of(report) == 5.0", True),
        ("first(missing, six) == 6.0", True),
        ("'6' == '6.0'", False),
    ],
)
def test_a_known_answer_gives_a_value(expr, value):
    assert ask(expr).value is value


@pytest.mark.parametrize(
    ("expr", "missing"),
    [
        ("missing > 6.0", {"missing"}),
        ("missing + other > 6.0", {"missing", "other"}),
        ("yes && missing", {"missing"}),
        ("missing && other", {"missing", "other"}),
        ("no || missing", {"missing"}),
        ("missing ? other : yes", {"missing"}),
        ("lifts.all(l, l.depth < 100.0)", {"lifts[1].depth"}),
        ("lifts.filter(l, l.depth > 9.0).exists(l, l.done)", {"lifts[1].depth"}),
        ("gps.lon > 0.0", {"gps.lon"}),
        ("min([missing, six, other]) > 1.0", {"missing", "other"}),
        ("first(missing, other)", {"missing"}),
        ("high_of(nothing)", {"nothing"}),
        ("nobody.all(l, l.depth > 1.0)", {"nobody"}),
        ("is_night(missing)", {"missing"}),
        ("is_night(six)", {"night_definition", "sunset_calc", "sunrise_calc"}),
    ],
)
def test_an_unanswered_field_makes_it_unknown_and_is_named(expr, missing):
    result = ask(expr)
    assert (result.value, result.error) == (None, None)
    assert result.missing == missing


@pytest.mark.parametrize("expr", ["no && missing", "missing && no", "!(yes || missing)", "!(missing || yes)"])
def test_a_deciding_answer_outranks_what_is_missing(expr):
    assert ask(expr).value is False


@pytest.mark.parametrize(
    ("expr", "error"),
    [
        ("six / 0.0 > 1.0", "division by zero"),
        ("missing > six / 0.0", "division by zero"),
        ("side > 6.0", "> is not defined for text, number"),
        ("yes + six", "+ is not defined for bool, number"),
        ("six.lat", ". is not defined for number"),
        ("six && yes", "yes or no is not defined for number"),
        ("foo(six)", "no such function foo(number)"),
        ("size(six)", "no such function size(number)"),
        ("startsWith(side, 'n')", "no such function startsWith(text, text)"),
        ("gps == gps", "== is not defined for record, record"),
        ("min(sides)", "min needs a list of numbers that is not empty"),
        ("local_day(1000000000000)", "a time outside the calendar"),
    ],
)
def test_what_cannot_be_computed_is_an_error_and_never_a_value(expr, error):
    assert ask(expr).error == error


def test_an_error_hides_behind_a_deciding_answer_only():
    assert ask("no && six / 0.0 > 1.0").value is False
    assert ask("missing || six / 0.0 > 1.0").error == "division by zero"


def test_reads_are_the_answers_that_were_looked_at():
    assert ask("six > 1.0 || side == 'x'").reads == {"six"}
    assert ask("lifts.exists(l, l.depth > 9.0)").reads == {"lifts", "lifts[0].depth", "lifts[2].depth"}
    assert ask("gps.lat > 1.0").reads == {"gps.lat"}


def test_a_let_is_lazy_and_passes_on_what_it_reads_and_misses():
    assert ask("no && near > 1.0", near="six / 0.0").value is False
    near = ask("near > 1.0", near="min([six, missing])")
    assert (near.missing, near.reads) == ({"missing"}, {"six"})
    assert ask("a == b", a="six", b="a").value is True
    assert ask("a", a="b", b="a").error == "a is defined by itself"


def test_slopes_fall_toward_the_main_between_neighbouring_stations():
    inverts = [
        Record("inverts[0]", {"station": Fraction(20), "elevation": Fraction("98.8")}, 1),
        Record("inverts[1]", {"station": Fraction(0), "elevation": Fraction(99)}, 2),
        Record("inverts[2]", {"station": Fraction(30), "elevation": Fraction("98.6")}, 3),
    ]
    answers = Given(inverts=inverts, short=inverts[:1])
    assert evaluate(parse("slopes(inverts)"), Scope(answers)).value == [Fraction(12, 100), Fraction(24, 100)]
    assert evaluate(parse("largest_gap(inverts, 60.0)"), Scope(answers)).value == 30
    assert evaluate(parse("slopes(short)"), Scope(answers)).missing == {
        "inverts[1].station",
        "inverts[1].elevation",
    }


@pytest.mark.parametrize(
    ("expr", "reason"),
    [
        ("has(gps.lat)", "has() is not in the language"),
        ("six == null", "null is not in the language"),
        ("sides[0] == 'north'", "indexing"),
        ("six % 2.0", "% is not in the language"),
        ("six = 6.0", "write == to compare"),
        ("'it\\'s'", "does not end, or holds a backslash"),
        ('side == "north"', "is not in the language"),
        ("six >", "the end not expected"),
        ("(six", ") expected"),
        ("six 6", "6 not expected"),
        ("lifts.all(l.depth)", "all needs a name and an expression"),
        ("if", "reserved word"),
        ("a.", "a field name expected"),
        ("é > 1.0", "is not in the language"),
        ("1" * 31 + " > 1.0", "more than 30 digits"),
        ("1." + "1" * 31, "more than 30 digits"),
        (" " * 2001, "longer than 2000 characters"),
        ("(" * 51 + "six" + ")" * 51, "more than 50 levels deep"),
        ("!" * 60 + "yes", "more than 50 levels deep"),
        ("+".join(["six"] * 60), "more than 50 levels deep"),
        (".a" * 70, "not expected"),
        ("a" + ".a" * 70, "more than 50 levels deep"),
        ("", "the end not expected"),
    ],
)
def test_what_is_outside_the_language_is_refused_with_its_place(expr, reason):
    with pytest.raises(ExpressionRefused, match=r".") as refusal:
        parse(expr)
    assert reason in str(refusal.value)


def test_a_long_chain_of_ands_is_not_deep():
    assert ask(" && ".join(["yes"] * 100)).value is True


@pytest.mark.parametrize(
    "expr",
    [
        "lifts.all(l, " * 48 + "six > 5.0" + ")" * 48,
        "!" * 48 + "yes",
        "(yes ? " * 15 + "yes" + " : no)" * 15,
        " || ".join(f"six == {number}.0" for number in range(130, 5, -1)),
    ],
)
def test_deep_and_long_expressions_are_computed(expr):
    assert ask(expr).value is True


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("'yes\") or reads.add(\"x' == 'yes\") or reads.add(\"x'", True),
        ("'{six}' + '%s' == '{six}%s'", True),
        ("['reads', 'scope'].all(reads, reads != 'no') && ['a'].exists(scope, scope == 'a')", True),
    ],
)
def test_no_text_or_name_of_a_rule_becomes_code(expr, value):
    result = ask(expr)
    assert (result.value, result.error, result.reads) == (value, None, set())


def test_a_name_that_a_macro_binds_is_what_functions_ask_for():
    assert ask("['nowhere'].exists(timezone, local_day(six) > 0.0)").error == "no time zone is named nowhere"


def test_a_macro_that_stands_twice_tells_what_is_missing_and_read_as_once():
    once = ask("size(lifts.filter(l, l.depth > 9.0)) == 1")
    twice = ask("size(lifts.filter(l, l.depth > 9.0)) == 1 && size(lifts.filter(l, l.depth > 9.0)) > 0")
    assert (twice.missing, twice.reads) == (once.missing, once.reads)
    assert once.missing == {"lifts[1].depth"}
    on_rows = ask("lifts.all(l, lifts.exists(m, m.depth > 9.0) && l.done == l.done)")
    assert on_rows.value is True
