"""Map layers of a village: what a GeoJSON file must be before it goes to tablets, and what of it they get.

Tablets need shapes and the names of structures, lots, pipes and streets. What else a file says, such as who
owns a lot, stays out of it.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from inspect_app.domain.errors import Refused

# Each layer, the shapes it draws, and where it is drawn from: the first on the list lies lowest.
SHAPES = {
    "parcels": {"Polygon", "MultiPolygon"},
    "streets": {"LineString", "MultiLineString"},
    "mains": {"LineString", "MultiLineString"},
    "structures": {"Point"},
}
DEPTH = {"Point": 0, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}
KEPT = ("id", "kind", "material", "size", "status")
NAMED = {"streets"}  # a street's name is nobody's; other names may be those of people
NEEDS_ID = {"structures"}
LONGEST_TEXT = 60
MOST_FEATURES = 50_000
NEAR_KM = 60
DIGITS = 7  # a centimetre
WGS84 = ("CRS84", "EPSG::4326", "EPSG:4326")
KM_A_DEGREE = 111.195


def checked(layer: str, source: object, near: tuple[float, float], village: str) -> dict[str, Any]:
    """The layer as tablets get it; raises Refused with the first thing that is wrong, and where.

    `near` is latitude and longitude of the village: a file in another coordinate system, or with the two the
    wrong way round, lies far from it.
    """
    if not isinstance(source, Mapping) or source.get("type") != "FeatureCollection":
        raise _refused(layer, "it is not a GeoJSON FeatureCollection. Export the layer as GeoJSON")
    named = str(((source.get("crs") or {}).get("properties") or {}).get("name", "CRS84"))
    if not named.endswith(WGS84):
        raise _refused(layer, f"its coordinates are {named}. Export it in EPSG:4326 (longitude, latitude)")
    features = source.get("features")
    if not isinstance(features, list) or not features:
        raise _refused(layer, "it holds no features")
    if len(features) > MOST_FEATURES:
        raise _refused(
            layer, f"it holds {len(features):,} features, and tablets draw {MOST_FEATURES:,} at most"
        )
    kept = [_feature(layer, number, feature) for number, feature in enumerate(features, 1)]
    _check_near(layer, kept, near, village)
    return {"type": "FeatureCollection", "features": kept}


def _feature(layer: str, number: int, feature: object) -> dict[str, Any]:
    geometry = feature.get("geometry") if isinstance(feature, Mapping) else None
    kind = geometry.get("type") if isinstance(geometry, Mapping) else None
    if not isinstance(feature, Mapping) or not isinstance(geometry, Mapping) or kind not in SHAPES[layer]:
        raise _refused(
            layer, f"feature {number} is {_a(kind)}; {layer} are {' or '.join(sorted(SHAPES[layer]))}"
        )
    properties = feature.get("properties") or {}
    if not isinstance(properties, Mapping):
        raise _refused(layer, f"the properties of feature {number} are no object")
    names = (*KEPT, "name") if layer in NAMED else KEPT
    own = {name: _text(properties[name]) for name in names if properties.get(name) not in (None, "")}
    if layer in NEEDS_ID and not own.get("id"):
        raise _refused(layer, f"feature {number} has no id, such as MH-112, among its properties")
    coordinates = _rounded(layer, number, geometry.get("coordinates"), DEPTH[str(kind)])
    return {"type": "Feature", "properties": own, "geometry": {"type": kind, "coordinates": coordinates}}


def _rounded(layer: str, number: int, part: object, depth: int) -> Any:
    """Coordinates of this depth of lists, each a longitude and a latitude; heights are left out."""
    if not isinstance(part, list) or not part:
        raise _refused(layer, f"the coordinates of feature {number} are not whole")
    if depth:
        return [_rounded(layer, number, inner, depth - 1) for inner in part]
    numbers = part[:2]
    if len(numbers) < 2 or any(
        isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one) for one in numbers
    ):
        raise _refused(layer, f"a position of feature {number} is no pair of numbers")
    longitude, latitude = numbers
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):
        raise _refused(
            layer,
            f"the position {longitude}, {latitude} of feature {number} is no longitude and latitude. "
            "Export it in EPSG:4326 (longitude, latitude)",
        )
    return [round(longitude, DIGITS), round(latitude, DIGITS)]


def _check_near(layer: str, features: list[dict[str, Any]], near: tuple[float, float], village: str) -> None:
    latitude, longitude = near
    scale = math.cos(math.radians(latitude))
    for number, feature in enumerate(features, 1):
        for east, north in positions(feature["geometry"]["coordinates"]):
            away = KM_A_DEGREE * math.hypot(north - latitude, (east - longitude) * scale)
            if away > NEAR_KM:
                raise _refused(
                    layer,
                    f"feature {number} lies {away:,.0f} km from {village}. Is it another village's file, or "
                    "are longitude and latitude the wrong way round? GeoJSON has the longitude first",
                )


def positions(coordinates: Any) -> Iterator[tuple[float, float]]:
    """Every position in coordinates of whatever depth: longitude, latitude."""
    if isinstance(coordinates[0], list):
        for inner in coordinates:
            yield from positions(inner)
    else:
        yield coordinates[0], coordinates[1]


def _text(value: object) -> str:
    return " ".join(str(value).split())[:LONGEST_TEXT]


def _a(kind: object) -> str:
    return f"a {kind}" if kind else "without a shape"


def _refused(layer: str, why: str) -> Refused:
    return Refused(f"The layer {layer} was not taken: {why}.", errors={layer: [why]}, slug="map-refused")
