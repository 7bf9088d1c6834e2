"""Readings as typed become exact numbers, or a sentence at the field."""

from fractions import Fraction

import pytest

from inspect_app.domain.quantities import (
    Units,
    convert,
    exact_text,
    format_exact,
    from_json,
    read_number,
    round_half_up,
    why_unreadable,
)

TABLE = {
    "length": {"accept": ["in", "ft", "cm"], "factor": {"in": "1", "ft": "12", "cm": "50/127"}},
    "temperature": {"accept": ["degF", "degC"], "factor": {"degF": "1", "degC": "x * 9/5 + 32"}},
    "concentration": {
        "accept": ["mg/l", "ppm"],
        "factor": {"mg/l": "1", "ppm": "1, only where the rule says so"},
    },
    "pressure": {
        "accept": ["psi", "ft_water"],
        "factor": {"psi": "1", "ft_water": "not converted: psi belongs to air, ft_water to water"},
    },
}
UNITS = Units(TABLE)


@pytest.mark.parametrize(
    "typed", ["5.5", "5 1/2", "5-1/2", "5½", "5 ½", "5-½", "11/2", "05.50", " 5.5 ", "5 1⁄2"]
)
def test_an_inspector_may_write_five_and_a_half_in_many_ways(typed):
    assert read_number(typed) == Fraction(11, 2)
    assert why_unreadable(typed) is None


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        (".5", "1/2"),
        ("0", "0"),
        ("-0.1", "-1/10"),
        ("−3", "-3"),
        ("-5 1/2", "-11/2"),
        ("8 7/8", "71/8"),
        ("⅝", "5/8"),
    ],
)
def test_other_readings_are_exact(typed, number):
    assert read_number(typed) == Fraction(number)


@pytest.mark.parametrize(
    "typed",
    [
        *("1,5", "1,500", "12.212,12", "٣٫٥", "٣", "24.", "5'6\"", "9" * 400, "9" * 31, "1e3", "+5", "5 5"),
        *("5/0", "5 7/2", "--5", "abc", "5 in", "1.2.3", "½½", "NaN", "Infinity", "0x10", "1_000", "5 -1/2"),
    ],
)
def test_what_can_be_read_two_ways_or_not_at_all_is_refused_with_a_sentence(typed):
    assert read_number(typed) is None
    sentence = why_unreadable(typed)
    assert sentence is not None
    assert sentence.endswith(".")
    assert not any(word in sentence.lower() for word in ("invalid", "failed", "error", "please", "!"))


def test_a_comma_is_answered_with_both_readings():
    assert why_unreadable("1,5") == "1,5 can be read two ways. Type 1.5 or 15."


def test_nothing_typed_is_not_a_fault():
    assert read_number("") is None
    assert why_unreadable("  ") is None


def test_a_long_slip_is_shown_shortened():
    assert len(why_unreadable("9" * 400) or "") < 130


@pytest.mark.parametrize(
    ("value", "number"),
    [(8.3, "83/10"), (7, "7"), (0.1, "1/10"), (1e-7, "1/10000000"), (1e21, "1" + "0" * 21), ("8.3", "83/10")],
)
def test_a_json_number_is_what_its_shortest_text_says(value, number):
    assert from_json(value) == Fraction(number)


@pytest.mark.parametrize("value", [True, None, [], {}, float("inf"), float("nan"), 10**400, ""])
def test_other_json_is_no_number(value):
    assert from_json(value) is None


def test_centimetres_become_inches_exactly():
    assert convert(Fraction("15.24"), "cm", "in", UNITS) == 6
    assert convert(Fraction(6), "in", "cm", UNITS) == Fraction("15.24")
    assert convert(Fraction(2), "ft", "in", UNITS) == 24


def test_temperatures_have_an_offset_in_both_directions():
    assert convert(Fraction(100), "degC", "degF", UNITS) == 212
    assert convert(Fraction(212), "degF", "degC", UNITS) == 100


@pytest.mark.parametrize(
    ("start", "end"), [("ppm", "mg/l"), ("psi", "ft_water"), ("in", "degF"), ("in", "yard")]
)
def test_units_that_do_not_belong_together_are_not_converted(start, end):
    assert convert(Fraction(1), start, end, UNITS) is None


def test_a_unit_converts_into_itself_even_where_nothing_else_does():
    assert convert(Fraction(3), "ppm", "ppm", UNITS) == 3


def test_pressure_is_taken_as_typed_because_each_unit_belongs_to_its_own_test():
    assert UNITS.read(Fraction(10), "ft_water", "psi", ["pressure"]) == 10
    assert UNITS.read(Fraction(10), "ppm", "mg/l", ["concentration"]) is None


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("11/2", "5.5"),
        ("6", "6"),
        ("-1/10", "-0.1"),
        ("1/3", "0.333"),
        ("2/3", "0.667"),
        ("-2/3", "-0.667"),
        ("-1/3000000", "0.000"),
        ("1/64", "0.015625"),
        ("1/128", "0.008"),
        ("750/127", "5.906"),
        ("100", "100"),
    ],
)
def test_numbers_are_shown_exactly_within_six_decimals_else_rounded_to_three(number, shown):
    assert format_exact(Fraction(number)) == shown


def test_a_classification_is_never_rounded():
    assert exact_text(Fraction(1, 128)) == "0.0078125"
    assert exact_text(Fraction(17, 3)) == "17/3"


@pytest.mark.parametrize(
    ("number", "whole"), [("5/2", 3), ("-5/2", -3), ("1/2", 1), ("-1/2", -1), ("12/5", 2)]
)
def test_a_half_goes_away_from_zero(number, whole):
    assert round_half_up(Fraction(number)) == whole
