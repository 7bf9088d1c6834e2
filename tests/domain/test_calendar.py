"""Civil days, instants and business days."""

from fractions import Fraction

import pytest

from inspect_app.domain import calendar

CHICAGO = "America/Chicago"


@pytest.mark.parametrize(
    "typed",
    [
        "2026-02-30",
        "2026-13-01",
        "2026-00-10",
        "0000-01-01",
        "2026-2-3",
        "26-02-03",
        "2026-02-03x",
        "٢٠٢٦-٠١-٠١",
    ],
)
def test_a_day_that_does_not_exist_is_no_day(typed):
    assert calendar.day_number(typed) is None


def test_days_are_counted_without_time_zones():
    assert calendar.day_number("1970-01-01") == 0
    march, june = calendar.day_number("2026-03-02"), calendar.day_number("2026-05-31")
    assert june - march == 90
    assert calendar.day_text(march) == "2026-03-02"


@pytest.mark.parametrize(
    "typed",
    [
        "2026-06-18T13:10:00-05:00",
        "2026-06-18T13:10-05:00",
        "2026-06-18T18:10:00Z",
        "2026-06-18T18:10:00.000Z",
    ],
)
def test_an_instant_is_the_same_however_its_offset_is_written(typed):
    assert calendar.instant(typed) == 1781806200


@pytest.mark.parametrize(
    "typed", ["2026-06-18T13:10:00", "2026-06-18", "2026-06-18T24:00:00Z", "2026-02-30T10:00:00Z", "now", ""]
)
def test_without_an_offset_or_a_real_day_it_is_no_instant(typed):
    assert calendar.instant(typed) is None


def test_the_civil_day_is_that_of_the_village():
    late = calendar.instant("2026-06-19T03:30:00Z")
    assert calendar.day_text(calendar.local_day(late, CHICAGO)) == "2026-06-18"
    assert calendar.minute_of_day(late, CHICAGO) == 22 * 60 + 30
    assert calendar.local_time_text(late, CHICAGO) == "22:30"


def test_the_hour_that_summer_time_skips_is_not_shown():
    before, after = calendar.instant("2026-03-08T07:59:00Z"), calendar.instant("2026-03-08T08:00:00Z")
    assert calendar.local_time_text(before, CHICAGO) == "01:59"
    assert calendar.local_time_text(after, CHICAGO) == "03:00"


def test_an_unknown_zone_and_a_time_beyond_the_calendar_are_refused():
    with pytest.raises(ValueError, match="no time zone is named Mars/Base"):
        calendar.local_day(Fraction(0), "Mars/Base")
    with pytest.raises(ValueError, match="outside the calendar"):
        calendar.local_day(Fraction(10**12), CHICAGO)


@pytest.mark.parametrize(
    ("typed", "minutes"), [("12:00", 0), ("3:00", 180), ("9:00", 540), ("12:30", 30), ("11:59", 719)]
)
def test_a_clock_position_is_minutes_from_the_crown(typed, minutes):
    assert calendar.clock_minutes(typed) == minutes
    assert calendar.clock_text(minutes) == typed


@pytest.mark.parametrize("typed", ["0:30", "13:00", "3", "3:60", "3.00", "three"])
def test_a_position_that_is_on_no_clock_is_not_read(typed):
    assert calendar.clock_minutes(typed) is None


def test_business_days_skip_weekends_and_holidays():
    thursday = calendar.day_number("2026-07-02")
    friday = calendar.day_number("2026-07-03")
    assert calendar.day_text(calendar.business_day_after(thursday, 1, set())) == "2026-07-03"
    assert calendar.day_text(calendar.business_day_after(thursday, 2, {friday})) == "2026-07-07"
    assert calendar.business_day_after(thursday, 0, set()) == thursday


def test_a_last_day_moves_off_sundays_and_holidays_but_not_off_saturdays():
    sunday = calendar.day_number("2026-05-31")
    saturday = calendar.day_number("2026-06-06")
    assert calendar.day_text(calendar.next_secular_day(sunday, set())) == "2026-06-01"
    assert calendar.day_text(calendar.next_secular_day(sunday, {sunday + 1})) == "2026-06-02"
    assert calendar.next_secular_day(saturday, set()) == saturday
