"""Device clocks are evidence: read, flagged, and never rewritten."""

from datetime import UTC, datetime, timedelta

import pytest

from inspect_app.domain.device_time import read

NOW = datetime(2026, 5, 14, 15, 0, tzinfo=UTC)


def content(wall="2026-05-14T09:59:00-05:00", offset_ms=0, **other):
    return {"wall": wall, "clock": {"offset_ms": offset_ms, "age_s": 60}, **other}


def test_a_right_clock_has_no_flag():
    time = read(content(), None, NOW)
    assert time.wall == "2026-05-14T09:59:00-05:00"
    assert time.estimated_at == NOW - timedelta(minutes=1)
    assert time.flags == ()


def test_a_slow_clock_is_corrected_beside_what_it_said():
    time = read(content("2026-05-14T09:12:00-05:00", 47 * 60_000), None, NOW)
    assert time.wall == "2026-05-14T09:12:00-05:00"
    assert time.estimated_at == NOW - timedelta(minutes=1)
    assert time.flags == ("clock_off",)


def test_a_small_offset_is_not_nagged_about():
    assert read(content(offset_ms=-90_000), None, NOW).flags == ()


@pytest.mark.parametrize(
    ("given", "flag"),
    [
        (content("2026-05-15T07:00:00-05:00"), "clock_ahead"),
        (content("not a time"), "clock_unreadable"),
        (content("2026-05-14T09:59:00"), "clock_unreadable"),
        (content(wall=None), "clock_unreadable"),
        (content(offset_ms=None), "clock_unknown"),
        (content("9999-12-31T23:59:59+00:00", 10**13), "clock_ahead"),
    ],
)
def test_an_odd_clock_is_flagged(given, flag):
    assert flag in read(given, None, NOW).flags


def test_a_clock_that_was_changed_at_work_is_flagged():
    before = content("2026-05-14T09:00:00-05:00", boot="b", mono=0)
    assert read(content("2026-05-14T09:10:00-05:00", boot="b", mono=600_000), before, NOW).flags == ()
    assert (
        "clock_jumped"
        in read(content("2026-05-14T09:50:00-05:00", boot="b", mono=600_000), before, NOW).flags
    )
    assert "clock_back" in read(content("2026-05-14T08:00:00-05:00", boot="c", mono=5), before, NOW).flags
