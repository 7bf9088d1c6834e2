"""Sunrise, sunset and civil twilight without a network, by the equations of NOAA's solar calculator (Meeus).

Good to about a minute at these latitudes, and not certified for litigation. The results are rounded to
minutes, stored with the finding and never computed again in a rule: sine and cosine may differ in the last
digit from language to language. The JavaScript twin is static/pwa/rules/night.js; change both together.
"""

import math
from fractions import Fraction

from inspect_app.domain import calendar

ZENITH_SUN = 90.833  # the upper edge on the horizon, with refraction
ZENITH_CIVIL = 96.0
_STEPS = 4  # the sun moves while we compute; after the third step nothing changes by a second
_JULIAN_DAY_OF_1970 = 2440587.5


def sun_times(lat: float, lon: float, day: str, timezone: str) -> dict[str, str | None]:
    """sunrise, sunset, civil_dawn, civil_dusk of a civil day as instants in UTC, to the minute.

    Degrees, north and east positive; `day` is YYYY-MM-DD. None where the sun does not cross that height.
    """
    start = calendar.day_number(day)
    if start is None:
        raise ValueError(f"{day} is not a day")
    # West of Greenwich noon falls on the same day as in UTC, but near the date line it may not.
    noon = start * 1440 + 720 - 4 * lon
    noon += 1440 * (start - calendar.local_day(Fraction(math.floor(noon * 60)), timezone))
    return {
        "sunrise": _crossing(lat, noon, ZENITH_SUN, -1),
        "sunset": _crossing(lat, noon, ZENITH_SUN, 1),
        "civil_dawn": _crossing(lat, noon, ZENITH_CIVIL, -1),
        "civil_dusk": _crossing(lat, noon, ZENITH_CIVIL, 1),
    }


def sun_context(lat: float, lon: float, day: str, timezone: str, definition: str) -> dict[str, str | None]:
    """The context fields that is_night reads, for a village's night_definition."""
    times = sun_times(lat, lon, day, timezone)
    civil = definition == "civil"
    return {
        "sunset_calc": times["civil_dusk" if civil else "sunset"],
        "sunrise_calc": times["civil_dawn" if civil else "sunrise"],
        "sunset_definition": definition,
    }


def _crossing(lat: float, noon: float, zenith: float, side: int) -> str | None:
    """When the sun passes a zenith angle before (-1) or after (1) noon; minutes count from 1970 UTC."""
    moment = noon
    for _ in range(_STEPS):
        declination, equation = _sun(moment)
        angle = _hour_angle(lat, declination, zenith)
        if angle is None:
            return None
        moment = noon - equation + side * 4 * angle
    return _iso(math.floor(moment + 0.5))


def _hour_angle(lat: float, declination: float, zenith: float) -> float | None:
    """Degrees the earth turns between noon and the crossing."""
    north, sun = math.radians(lat), math.radians(declination)
    ratio = math.cos(math.radians(zenith)) / (math.cos(north) * math.cos(sun)) - math.tan(north) * math.tan(
        sun
    )
    return math.degrees(math.acos(ratio)) if -1 <= ratio <= 1 else None


def _sun(minutes: float) -> tuple[float, float]:
    """Declination in degrees and equation of time in minutes."""
    century = (minutes / 1440 + _JULIAN_DAY_OF_1970 - 2451545.0) / 36525.0
    mean_longitude = (280.46646 + century * (36000.76983 + century * 0.0003032)) % 360
    anomaly = math.radians(357.52911 + century * (35999.05029 - 0.0001537 * century))
    eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
    center = (
        math.sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century))
        + math.sin(2 * anomaly) * (0.019993 - 0.000101 * century)
        + math.sin(3 * anomaly) * 0.000289
    )
    node = math.radians(125.04 - 1934.136 * century)
    longitude = math.radians(mean_longitude + center - 0.00569 - 0.00478 * math.sin(node))
    seconds = 21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))
    obliquity = math.radians(23 + (26 + seconds / 60) / 60 + 0.00256 * math.cos(node))
    declination = math.degrees(math.asin(math.sin(obliquity) * math.sin(longitude)))
    y = math.tan(obliquity / 2) * math.tan(obliquity / 2)
    twice = math.radians(2 * mean_longitude)
    equation = (
        y * math.sin(twice)
        - 2 * eccentricity * math.sin(anomaly)
        + 4 * eccentricity * y * math.sin(anomaly) * math.cos(twice)
        - 0.5 * y * y * math.sin(2 * twice)
        - 1.25 * eccentricity * eccentricity * math.sin(2 * anomaly)
    )
    return declination, 4 * math.degrees(equation)


def _iso(minutes: int) -> str:
    day, minute = divmod(minutes, 1440)
    return f"{calendar.day_text(day)}T{minute // 60:02d}:{minute % 60:02d}:00Z"
