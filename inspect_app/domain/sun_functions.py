"""The named functions about sunset and the night.

The JavaScript twin is static/pwa/rules/sun_functions.js; change both together.
"""

from fractions import Fraction
from functools import lru_cache

from inspect_app.domain import calendar, night
from inspect_app.domain.asking import Ask, or_cannot
from inspect_app.domain.quantities import round_half_up
from inspect_app.domain.values import Missing, Record, Value

HALF_HOUR = 30 * 60
MILLION = 1_000_000


def is_night(ask: Ask, time: Fraction) -> Value:
    """Whether an instant lies in the night as the village defines it. Either end alone can decide."""
    definition, sunset, sunrise = _night_of(ask, time)
    if definition is not None:
        shift = HALF_HOUR if definition == "half_hour" else 0
        if sunset is not None and time >= sunset + shift:
            return True
        if sunrise is not None and time < sunrise - shift:
            return True
    named = {"night_definition": definition, "sunset_calc": sunset, "sunrise_calc": sunrise}
    if missing := [name for name, value in named.items() if value is None]:
        raise Missing(*missing)
    return False


def sunset_of(ask: Ask, time: Fraction) -> Value:
    """Sunset on the civil day of an instant; civil dusk where the village's night begins with it."""
    _, sunset, _ = _night_of(ask, time)
    if sunset is None:
        raise Missing("sunset_calc")
    return sunset


def minutes_to_sunset(ask: Ask, time: Fraction) -> Value:
    """Minutes until sunset, negative after it."""
    sunset = sunset_of(ask, time)
    return (sunset - time) / 60 if isinstance(sunset, Fraction) else Fraction(0)


def _night_of(ask: Ask, time: Fraction) -> tuple[Value | None, Fraction | None, Fraction | None]:
    """The village's definition, and sunset and sunrise of the civil day of an instant.

    sunset_calc and sunrise_calc are used as given, under the definition `civil` as civil dusk and dawn. Where
    one is not given it is computed for the visit's position, or without one for the village.
    """
    definition, sunset, sunrise = map(ask.name, ("night_definition", "sunset_calc", "sunrise_calc"))
    given = [instant if isinstance(instant, Fraction) else None for instant in (sunset, sunrise)]
    if None in given and (position := _position(ask)):
        zone = ask.name("timezone")
        zone = zone if isinstance(zone, str) else calendar.DEFAULT_ZONE
        day = or_cannot(calendar.local_day, time, zone)
        computed = or_cannot(_sun, *position, day, zone, definition == "civil")
        given = [known if known is not None else own for known, own in zip(given, computed, strict=True)]
    return definition, given[0], given[1]


def _position(ask: Ask) -> tuple[float, float] | None:
    fix = ask.name("gps")
    if isinstance(fix, Record):
        spot = [ask.field(fix, name) for name in ("lat", "lon")]
    else:
        spot = [ask.name(name) for name in ("village_latitude", "village_longitude")]
    lat, lon = spot
    if isinstance(lat, Fraction) and isinstance(lon, Fraction) and abs(lat) <= 90 and abs(lon) <= 180:
        # Whole millionths are the same number in both languages, whatever was typed.
        return round_half_up(lat * MILLION) / MILLION, round_half_up(lon * MILLION) / MILLION
    return None


@lru_cache(maxsize=256)
def _sun(lat: float, lon: float, day: int, zone: str, civil: bool) -> tuple[Fraction | None, Fraction | None]:
    times = night.sun_times(lat, lon, calendar.day_text(day), zone)
    names = ("civil_dusk", "civil_dawn") if civil else ("sunset", "sunrise")
    sunset, sunrise = (None if (text := times[name]) is None else calendar.instant(text) for name in names)
    return sunset, sunrise
