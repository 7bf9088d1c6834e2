"""The named functions: every printed vector, in both languages."""

from fractions import Fraction

import pytest

from inspect_app.domain import packs
from inspect_app.domain.answers import Answers
from inspect_app.domain.errors import PackRefused
from inspect_app.domain.expression import Scope, evaluate, parse
from inspect_app.domain.quantities import Units
from tests.domain.pack_source import UNITS, one_check, source
from tests.rules_twins.twins import ask_javascript, plain

FIELDS = {
    "series": {"type": "list", "of": {"time": {"type": "time"}, "reading": {"type": "number"}}},
    "interval": {"type": "number"},
    "average": {"type": "number"},
    "amount": {"type": "number"},
    "count": {"type": "integer"},
    **{name: {"type": "date"} for name in ("day", "done_on")},
    "holidays": {"type": "list", "of": {"holiday": {"type": "date"}}},
    "last_day_rule": {"type": "choice", "choices": ["none", "wis_990_001_4"]},
    "office_open_saturday": {"type": "bool"},
    "rounding": {"type": "choice", "choices": ["half_up", "half_even"]},
}
SETTINGS = {
    "last_day_rule": "wis_990_001_4",
    "office_open_saturday": False,
    "rounding": "half_up",
    "holidays": [{"holiday": "2026-07-04"}],
}
SLUG = "slug(series, interval, average)"


def logged(points, interval="5", average="40"):
    """Points of (minutes, value), as a logger gives them."""
    rows = [
        {"time": f"2026-06-18T{10 + at // 60:02d}:{at % 60:02d}:00-05:00", "reading": str(value)}
        for at, value in points
    ]
    return {"series": rows, "interval": interval, "average": average}


def every(minutes, value=201):
    return [(at, value) for at in minutes]


ROW_13 = [
    "2026-03-08T01:50:00-06:00",
    "2026-03-08T01:55:00-06:00",
    "2026-03-08T03:00:00-05:00",
    "2026-03-08T03:05:00-05:00",
    "2026-03-08T03:10:00-05:00",
]
LOGGED = [
    (1, logged([*every([0, 5, 10]), (15, 150)]), "none"),
    (2, logged([*every([0, 5, 10, 15]), (20, 150)]), "candidate"),
    (3, logged(every(range(0, 50, 5), 200)), "none"),
    (4, logged([*every(range(16)), (16, 150)], "1"), "candidate"),
    (5, logged([*every(range(15)), (15, 150)], "1"), "none"),
    (6, logged([(0, 201), (15, 150)], "15"), "none"),
    (7, logged([*every([0, 15]), (30, 150)], "15"), "candidate"),
    (8, logged([(0, 900), (60, 50)], "60"), "indeterminate"),
    (9, logged([*every([0, 5]), (25, 201), (30, 150)]), "none"),
    (10, logged([*every([0, 5]), (10, 199), *every([15, 20]), (25, 100)]), "none"),
    (11, logged(every([0, 5, 10, 15])), "open"),
    (12, logged(every([0, 5]), average=None), {"average"}),
    (12, logged(every([0, 5]), average="0"), "the average and the interval must be above zero"),
    (
        13,
        {
            **logged([]),
            "series": [
                {"time": time, "reading": "150" if time is ROW_13[-1] else "201"} for time in ROW_13
            ],
        },
        "candidate",
    ),
    (0, logged([(0, 100)]), "indeterminate"),  # a single grab
    (0, logged([(0, 100), (60, 200)], "60"), "none"),  # hourly, and nothing above
    (0, logged([*every([15, 0, 10, 5]), (20, 150)]), "candidate"),  # in any order
    (0, logged(every([0, 5, 10, 15, 20])), "candidate"),  # twenty minutes long when the log ends
    (0, logged(every([0, 5]), interval="0"), "the average and the interval must be above zero"),
    (0, logged([]), {"series"}),
    (0, {**logged(every([0])), "series": [{"time": "2026-06-18T10:00:00Z"}, {}]},
     {"series[0].reading", "series[1].reading", "series[1].time"}),
]  # fmt: skip
CASES = [
    *((SLUG, given, found) for _, given, found in LOGGED),
    ("slug_gap(series, interval)", LOGGED[8][1], True),
    ("slug_gap(series, interval)", LOGGED[9][1], False),
    ("slug_gap(series, interval)", logged([(0, 1), (10, 1)]), False),  # two intervals exactly
    # The table of last days: period in calendar days, then for what is filed with an office.
    ("last_day(day, 90)", {"day": "2026-03-02"}, "2026-06-01"),
    ("last_day(day, 60)", {"day": "2026-04-10"}, "2026-06-09"),
    ("last_day(day, 60)", {"day": "2026-05-04"}, "2026-07-03"),
    ("last_day(day, 10)", {"day": "2026-06-11"}, "2026-06-22"),
    ("last_day(day, 10)", {"day": "2026-05-27"}, "2026-06-06"),
    ("last_filing_day(day, 10)", {"day": "2026-06-01"}, "2026-06-11"),
    ("last_filing_day(day, 10)", {"day": "2026-05-27"}, "2026-06-08"),
    ("last_filing_day(day, 10)", {"day": "2026-05-27", "office_open_saturday": True}, "2026-06-06"),
    ("last_filing_day(day, 10)", {"day": "2026-06-24"}, "2026-07-06"),
    ("last_filing_day(day, 10)", {"day": "2026-05-27", "last_day_rule": "none"}, "2026-06-06"),
    ("last_filing_day(day, 10)", {"day": "2026-05-27", "office_open_saturday": None},
     {"office_open_saturday"}),
    ("last_filing_day(day, 10)", {"day": "2026-05-27", "last_day_rule": None}, {"last_day_rule"}),
    ("last_filing_day(day, 10)", {}, {"day"}),
    ("months_after(day, 3)", {"day": "2026-01-15"}, "2026-04-15"),
    ("months_after(day, 1)", {"day": "2026-01-31"}, "2026-02-28"),
    ("months_after(day, 1)", {"day": "2024-01-31"}, "2024-02-29"),
    ("months_after(day, 13)", {"day": "2026-12-31"}, "2028-01-31"),
    ("months_after(day, -1)", {"day": "2026-03-31"}, "2026-02-28"),
    ("months_after(day, 12 * 9000)", {"day": "2026-03-31"}, "a day outside the calendar"),
    ("months_after(day, -12 * 2026)", {"day": "2026-03-31"}, "a day outside the calendar"),
    ("months_after(day, 1)", {"day": "2026-02-30"}, {"day"}),
    ("years_after(day, 2)", {"day": "2024-06-01"}, "2026-06-01"),
    ("years_after(day, 1)", {"day": "2024-02-29"}, "2025-02-28"),
    ("years_after(day, count)", {"day": "2024-02-29", "count": 4}, "2028-02-29"),
    ("year(day)", {"day": "2026-10-01"}, 2026),
    ("month_day(day)", {"day": "2026-10-01"}, 1001),
    ("month_day(day) >= 1001", {"day": "2026-09-30"}, False),
    ("year(day + 9000000)", {"day": "2026-10-01"}, "a day outside the calendar"),
    ("cents(amount)", {"amount": "10.425"}, Fraction("10.43")),
    ("cents(amount)", {"amount": "10.425", "rounding": "half_even"}, Fraction("10.42")),
    ("cents(amount)", {"amount": "10.435", "rounding": "half_even"}, Fraction("10.44")),
    ("cents(amount)", {"amount": "-10.425"}, Fraction("-10.43")),
    ("cents(amount)", {"amount": "-10.435", "rounding": "half_even"}, Fraction("-10.44")),
    ("cents(amount)", {"amount": "10.4251", "rounding": "half_even"}, Fraction("10.43")),
    ("cents(amount)", {"amount": "1/3"}, Fraction("0.33")),
    ("cents(amount)", {"amount": "1", "rounding": None}, {"rounding"}),
    ("text(amount)", {"amount": "37.0296"}, "37.0296"),
    ("text(amount / 3.0)", {"amount": "17"}, "17/3"),
    ("text(count)", {"count": 12}, "12"),
    ("text(cents(amount), 2)", {"amount": "3127.5"}, "3127.50"),
    ("text(amount, 2)", {"amount": "0"}, "0.00"),
    ("text(amount, 2)", {"amount": "-0.125"}, "-0.125"),
    ("text(amount, -1)", {"amount": "0"}, "text takes 0 to 30 decimals"),
    ("'BOD ' + text(cents(amount * 0.5), 2) + ' of ' + text(amount)", {"amount": "37.0296"},
     "BOD 18.51 of 37.0296"),
    ("'BOD ' + text(amount)", {}, {"amount"}),
]  # fmt: skip


def here(expr, given):
    result = evaluate(parse(expr), Scope(Answers(FIELDS, Units(UNITS), {**SETTINGS, **given})))
    return {
        "value": None if result.value is None else plain(result.value),
        "missing": sorted(result.missing),
        "error": result.error,
        "reads": sorted(result.reads),
    }


@pytest.mark.parametrize(("expr", "given", "expected"), CASES)
def test_a_function_gives_what_the_tables_print(expr, given, expected):
    found = here(expr, given)
    if isinstance(expected, set):
        assert (found["value"], set(found["missing"])) == (None, expected)
        return
    if isinstance(expected, str) and found["error"] is None and expr.startswith(("last", "months", "years")):
        expected = plain(
            evaluate(parse("day"), Scope(Answers(FIELDS, Units(UNITS), {"day": expected}))).value
        )
    if isinstance(expected, int | Fraction) and not isinstance(expected, bool):
        expected = plain(Fraction(expected))
    assert (found["value"] if found["error"] is None else found["error"]) == expected


def test_the_tablet_computes_them_alike():
    asked = [{"expr": expr, "lets": {}, "given": {**SETTINGS, **given}} for expr, given, _ in CASES]
    there = ask_javascript("evaluate.mjs", [{"fields": FIELDS, "units": UNITS}, *asked])
    assert there == [here(expr, given) for expr, given, _ in CASES]


@pytest.mark.parametrize(
    ("expr", "reason"),
    [
        (f"{SLUG} == 'candidat'", "'candidat' is not one of candidate, indeterminate, none, open"),
        ("slug(holidays, interval, average) == 'none'", "unknown function slug"),
        ("slug_gap(series, count)", "unknown function slug_gap"),
        ("months_after(count, 1) == day", "unknown function months_after"),
        ("year(day) > 2026.0", "> between a whole number and a decimal number"),
        ("text(day) == ''", "unknown function text"),
        ("cents(count) > 1.0", "unknown function cents"),
        ("text(amount) > amount", "> between a text and a decimal number"),
    ],
)
def test_a_function_is_refused_for_what_it_does_not_take(expr, reason):
    with pytest.raises(PackRefused, match=r"checks\[0\]\.expr") as refusal:
        packs.publish(source(one_check(expr), fields=FIELDS))
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("function", "setting"),
    [
        ("last_filing_day(day, 1) > day", "office_open_saturday"),
        ("cents(amount) > 1.0", "rounding"),
        ("business_day_after(day, 1) > day", "holidays"),
    ],
)
def test_a_function_needs_the_settings_it_reads_by_itself(function, setting):
    fields = {name: spec for name, spec in FIELDS.items() if name != setting}
    with pytest.raises(PackRefused, match=f"reads {setting}, which is not a field of the pack"):
        packs.publish(source(one_check(function), fields=fields))
