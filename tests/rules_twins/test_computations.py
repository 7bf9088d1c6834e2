"""Readings, days, instants and the sun come out alike in both languages."""

import random
from datetime import date, timedelta

from inspect_app.domain import calendar, night, quantities
from tests.rules_twins.twins import ask_javascript, plain

SEED = 20260607
PIECES = [
    "5",
    "12",
    "0",
    "1/2",
    "7/8",
    "½",
    "⅞",
    ".",
    ",",
    " ",
    "-",
    "−",
    "/",
    "'",
    '"',
    "٣",
    "5.25",
    "x",
    "e3",
    "%",
]
ZONES = ["America/Chicago", "UTC", "Asia/Kathmandu", "Pacific/Kiritimati"]
PLACES = [(43.0155, -89.8954), (43.8339, -87.8201), (-33.9, 151.2), (69.6, 18.9), (1.9, -157.4)]


def test_what_is_typed_is_read_alike_and_refused_in_the_same_words():
    chance = random.Random(SEED)
    typed = ["".join(chance.choices(PIECES, k=chance.randint(1, 4))) for _ in range(3000)]
    typed += [chance.uniform(-1e6, 1e6) for _ in range(500)] + [
        10.0 ** chance.randint(-30, 30) for _ in range(60)
    ]
    typed += [2**53 + 2, 10**25, 0.1, -0.0, True, None, "7" * 31, "🚧" * 30]
    here = []
    for value in typed:
        number = quantities.from_json(value)
        shown = number is not None and [quantities.format_exact(number), quantities.exact_text(number)]
        why = quantities.why_unreadable(value) if isinstance(value, str) else None
        here.append([None if number is None else plain(number), why, shown or None])
    there = ask_javascript("compute.mjs", [["number", value] for value in typed])
    assert [pair for pair in zip(typed, here, there, strict=True) if pair[1] != pair[2]] == []


def test_days_and_instants_are_alike_through_every_clock_change():
    chance = random.Random(SEED)
    days = [
        f"{chance.randint(0, 9999):04d}-{chance.randint(0, 13):02d}-{chance.randint(0, 32):02d}"
        for _ in range(800)
    ]
    asked = [["day", day] for day in days]
    here = [calendar.day_number(day) for day in days]
    for _ in range(800):
        day = date(1950, 1, 1) + timedelta(days=chance.randint(0, 80000))
        instant = (
            f"{day}T{chance.randint(0, 23):02d}:{chance.randint(0, 59):02d}:{chance.choice(['00', '59.999'])}"
        )
        instant += chance.choice(["Z", "-05:00", "+14:00", ""])
        asked.append(["instant", instant])
        moment = calendar.instant(instant)
        here.append(None if moment is None else plain(moment))
        if moment is not None:
            zone = chance.choice(ZONES)
            asked.append(["local", instant, zone])
            local = calendar.local_day(moment, zone), calendar.minute_of_day(moment, zone)
            here.append([*local, calendar.local_time_text(moment, zone)])
    there = ask_javascript("compute.mjs", asked)
    assert [pair for pair in zip(asked, here, there, strict=True) if pair[1] != pair[2]] == []


def test_the_sun_sets_in_the_same_minute_in_both_languages():
    asked = []
    for index in range(1500):
        lat, lon = PLACES[index % len(PLACES)]
        asked.append(
            ["sun", lat, lon, str(date(2024, 1, 1) + timedelta(days=index)), ZONES[index % len(ZONES)]]
        )
    here = [night.sun_times(*given) for _, *given in asked]
    there = ask_javascript("compute.mjs", asked)
    assert [pair for pair in zip(asked, here, there, strict=True) if pair[1] != pair[2]] == []
