"""Sunset without a network, against the times NOAA's calculator gives."""

import pytest

from inspect_app.domain import calendar, night

BARNEVELD = (43.0155, -89.8954)
HOWARDS_GROVE = (43.8339, -87.8201)
CHICAGO = "America/Chicago"


@pytest.mark.parametrize(
    ("place", "day", "sunrise", "sunset", "civil_dusk"),
    [
        (BARNEVELD, "2026-01-20", "07:25", "16:57", "17:28"),
        (BARNEVELD, "2026-03-08", "07:24", "18:58", "19:26"),
        (BARNEVELD, "2026-06-21", "05:20", "20:42", "21:18"),
        (BARNEVELD, "2026-11-01", "06:34", "16:51", "17:21"),
        (BARNEVELD, "2026-12-21", "07:28", "16:28", "17:00"),
        (HOWARDS_GROVE, "2026-01-20", "07:19", "16:46", "17:18"),
        (HOWARDS_GROVE, "2026-06-21", "05:09", "20:37", "21:13"),
    ],
)
def test_the_table_of_the_ordinance_reading_is_met_within_three_minutes(
    place, day, sunrise, sunset, civil_dusk
):
    times = night.sun_times(*place, day, CHICAGO)
    for name, expected in {"sunrise": sunrise, "sunset": sunset, "civil_dusk": civil_dusk}.items():
        instant = calendar.instant(times[name])
        hours, minutes = expected.split(":")
        assert abs(calendar.minute_of_day(instant, CHICAGO) - int(hours) * 60 - int(minutes)) <= 3
        assert calendar.day_text(calendar.local_day(instant, CHICAGO)) == day


def test_where_the_sun_does_not_set_there_is_no_sunset():
    assert night.sun_times(69.6, 18.9, "2026-06-21", "Europe/Oslo") == {
        "sunrise": None,
        "sunset": None,
        "civil_dawn": None,
        "civil_dusk": None,
    }


def test_a_place_beyond_the_date_line_gets_the_sunset_of_its_own_day():
    sunset = calendar.instant(night.sun_times(1.9, -157.4, "2026-01-20", "Pacific/Kiritimati")["sunset"])
    assert calendar.day_text(calendar.local_day(sunset, "Pacific/Kiritimati")) == "2026-01-20"


def test_under_the_civil_definition_the_context_holds_dusk_and_dawn():
    times = night.sun_times(*BARNEVELD, "2026-01-20", CHICAGO)
    context = night.sun_context(*BARNEVELD, "2026-01-20", CHICAGO, "civil")
    assert context == {
        "sunset_calc": times["civil_dusk"],
        "sunrise_calc": times["civil_dawn"],
        "sunset_definition": "civil",
    }
    assert night.sun_context(*BARNEVELD, "2026-01-20", CHICAGO, "half_hour")["sunset_calc"] == times["sunset"]


def test_a_day_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="2026-02-30 is not a day"):
        night.sun_times(*BARNEVELD, "2026-02-30", CHICAGO)
