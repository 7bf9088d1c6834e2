"""Drawings and words of readings: they agree with the numbers, and leave out what cannot be read."""

import re
from zoneinfo import ZoneInfo

import pytest

from inspect_app.office import drawings, tap_drawings
from inspect_app.office.readings import offset, show
from inspect_app.office.tap_drawings import Distance

ZONE = ZoneInfo("America/Chicago")


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        ("12:00", "0 degrees from the crown, in the upper half"),
        ("2:59", "89.5 degrees from the crown, in the upper half"),
        ("3:00", "90 degrees from the crown, at the springline"),
        ("9:00", "90 degrees from the crown, at the springline"),
        ("4:00", "120 degrees from the crown, in the lower half"),
        ("6:00", "180 degrees from the crown, in the lower half"),
    ],
)
def test_the_dial_says_what_it_shows(clock, words):
    assert words in tap_drawings.dial(clock, "downstream", "violation")


@pytest.mark.parametrize("clock", [None, "", "13:00", "4", "4:60", "4:00<"])
def test_a_clock_that_cannot_be_read_is_not_drawn(clock):
    assert not tap_drawings.dial(clock, None, None)


@pytest.mark.parametrize(
    ("figure", "numbers"),
    [
        ("5.5 in ≤ 6 in", (5.5, "≤", 6.0, "in")),
        ("120° > 90°", (120.0, ">", 90.0, "°")),
        ("15.0 cm = 5.906 in ≤ 6 in", (5.906, "≤", 6.0, "in")),
        ("22 min > 15 min", (22.0, ">", 15.0, "min")),
        ("Built: saddle", None),
        (None, None),
    ],
)
def test_a_figure_is_taken_apart(figure, numbers):
    found = drawings.comparison(figure)
    assert (found and (found.value, found.sign, found.limit, found.unit)) == numbers


def test_the_ruler_hatches_the_forbidden_side():
    low = drawings.ruler("5.5 in ≤ 6 in", "violation")
    high = drawings.ruler("120° > 90°", "violation")
    assert 'class="d-hatch" x="8"' in low
    assert 'class="d-hatch" x="150.0"' in high
    assert 'class="d-hatch" x="8"' in drawings.ruler("6.5 in > 6 in", "pass")
    assert not drawings.ruler("saddle", "violation")


def test_no_dimension_covers_another():
    svg = tap_drawings.plan(
        Distance(40, "40.0 in", 6, "pass"),
        Distance(5.5, "5.5 in", 6, "violation"),
        Distance(52, "52.0 in", 24, "pass"),
        4.5,
        True,
        "MH-109",
    )
    heights = re.findall(r'd-halo" x="[\d.]+" y="(-?\d+)"', svg)
    assert len(set(heights)) == 3
    assert "joint downstream 5.5 in" in svg


@pytest.mark.parametrize("place", ['<script>"', "MH-1 & 2"])
def test_words_in_a_drawing_are_escaped(place):
    svg = tap_drawings.plan(Distance(7, place, None, None), None, None, None, True, place)
    assert place not in svg
    assert "style=" not in svg


def test_a_position_far_from_the_photos_is_drawn_to_scale():
    spots = [drawings.Spot(43.0, -89.9, 3, "Place"), drawings.Spot(43.01, -89.9, 3, "Photo")]
    svg = drawings.position(spots)
    assert "good to 3 m; 1 photo positions about it" in svg
    assert "1000 m" in svg
    assert not drawings.position([])


@pytest.mark.parametrize(
    ("answer", "spec", "text", "typed"),
    [
        ({"value": "5 1/2", "unit": "in"}, {"type": "measure"}, "5.5 in", "5 1/2 in"),
        ({"value": "7.10", "unit": "ph"}, {"type": "measure"}, "7.10 pH", ""),
        ({"value": "", "unit": "in"}, {"type": "measure"}, "Not answered", ""),
        ("type_iii", {"type": "choice", "choices": {"type_iii": "Type III"}}, "Type III", ""),
        ("odd_one", {"type": "choice", "choices": {}}, "Odd one", ""),
        (["north", "east"], {"type": "choices", "choices": {"north": "North"}}, "North, East", ""),
        ("not_checked", {"type": "bool3"}, "Not checked", ""),
        ("2026-06-18T13:10:00-05:00", {"type": "time"}, "18 Jun 2026 13:10", ""),
        ("2026-06-18", {"type": "date"}, "Thu 18 Jun 2026", ""),
        (
            {"lat": 43.0156, "lon": -89.8953, "accuracy_m": 3},
            {"type": "place"},
            "43.01560 N, 89.89530 W ±\u00a03\u00a0m",
            "",
        ),
    ],
)
def test_an_answer_is_shown_in_words(answer, spec, text, typed):
    shown = show(answer, spec, ZONE)
    assert (shown.line, shown.typed) == (text, typed)


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (4000, "4 s slow"),
        (-4000, "4 s fast"),
        (300, "right"),
        (2_820_000, "47 min slow"),
        (-259_200_000, "72.0 h fast"),
        (None, "not measured"),
    ],
)
def test_the_offset_of_a_clock_is_said_in_words(milliseconds, words):
    assert offset(milliseconds) == words
