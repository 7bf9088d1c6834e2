"""A village's map: layers brought in by an administrator, checked, and told of to the village's tablets."""

import json
from pathlib import Path
from typing import Any

import structlog

from inspect_app.domain import map_layers
from inspect_app.domain.errors import NotFound, Refused
from inspect_app.store import maps as store
from inspect_app.store import villages
from inspect_app.store.maps import BASEMAP, MapFile

LAYERS = (BASEMAP, *map_layers.SHAPES)
MOST_LAYER_BYTES = 20 * 1024 * 1024
MOST_BASEMAP_BYTES = 400 * 1024 * 1024
PMTILES_3 = b"PMTiles\x03"

log = structlog.get_logger()


def add(village: str, file: Path, layer: str | None = None) -> MapFile:
    """Bring a file in as the layer its name says, or the one given; raises Refused with what is wrong."""
    layer = layer or file.stem
    if layer not in LAYERS:
        raise Refused(
            f"There is no layer {layer}. Name the file after its layer, or say which: {', '.join(LAYERS)}.",
            slug="map-refused",
        )
    most = MOST_BASEMAP_BYTES if layer == BASEMAP else MOST_LAYER_BYTES
    size = file.stat().st_size
    if size > most:
        raise Refused(
            f"{file.name} has {size / 1e6:,.0f} MB; a tablet keeps {most / 1e6:,.0f} MB of {layer} at most. "
            "Cut it to the village, or export it with fewer digits and properties.",
            slug="map-refused",
        )
    if layer == BASEMAP:
        with file.open("rb") as opened:
            if opened.read(len(PMTILES_3)) != PMTILES_3:
                raise Refused(f"{file.name} is not a PMTiles archive of version 3.", slug="map-refused")
        kept = store.keep(village, layer, file)
    else:
        kept = store.keep(village, layer, _read(village, layer, file))
    log.info("map_layer_added", village=village, layer=layer, bytes=kept.size)
    return kept


def _read(village: str, layer: str, file: Path) -> bytes:
    place = villages.village(village)
    try:
        source = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        raise Refused(f"{file.name} is not JSON. Export the layer as GeoJSON.", slug="map-refused") from None
    taken = map_layers.checked(layer, source, (place.latitude, place.longitude), place.name)
    return json.dumps(taken, ensure_ascii=False, separators=(",", ":")).encode()


def remove(village: str, layer: str) -> None:
    """Take a layer from the village; tablets let go of it when they hear of it."""
    if layer not in LAYERS or not store.remove(village, layer):
        raise NotFound(f"This village has no layer {layer}.")
    log.info("map_layer_removed", village=village, layer=layer)


def layers(village: str) -> list[MapFile]:
    """What the village has, the lowest layer first."""
    return [found for layer in LAYERS if (found := store.find(village, layer))]


def listed(village: str) -> list[dict[str, Any]]:
    """The same as tablets are told of it."""
    return [
        {
            "name": one.name,
            "bytes": one.size,
            "sha256": one.sha256,
            "piece_bytes": store.PIECE_BYTES,
            "pieces": list(one.pieces),
        }
        for one in layers(village)
    ]


def layer(village: str, name: str, of_device: str) -> MapFile:
    """The file of a layer for a tablet of this village; NotFound to any other."""
    found = store.find(village, name) if village == of_device and name in LAYERS else None
    if found is None:
        raise NotFound("There is no such map here.")
    return found
