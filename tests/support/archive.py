"""A PMTiles archive of one picture, for trying a basemap; see the specification of version 3."""

import io
import json
import struct

from PIL import Image

NONE, PNG = 1, 2


def picture_archive(colour: tuple[int, int, int] = (120, 170, 220)) -> bytes:
    """The whole world as one tile of one colour, at zoom 0."""
    tile = io.BytesIO()
    Image.new("RGB", (256, 256), colour).save(tile, "PNG")
    picture = tile.getvalue()
    # One entry: tile id 0, run length 1, its length, and its offset plus one; small numbers take one byte.
    directory = bytes([1, 0, 1]) + _varint(len(picture)) + _varint(1)
    metadata = json.dumps({"name": "one colour"}).encode()
    root, meta = 127, 127 + len(directory)
    data = meta + len(metadata)
    offsets = (root, len(directory), meta, len(metadata), data, 0, data, len(picture))
    header = b"PMTiles\x03" + struct.pack("<11Q", *offsets, 1, 1, 1) + bytes([1, NONE, NONE, PNG, 0, 0])
    bounds = struct.pack("<4i", -180 * 10**7, -85 * 10**7, 180 * 10**7, 85 * 10**7)
    return header + bounds + bytes([0]) + struct.pack("<2i", 0, 0) + directory + metadata + picture


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    made.append(number)
    return bytes(made)
