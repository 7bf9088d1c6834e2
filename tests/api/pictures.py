"""Small photos for tests, and ones that are no photos."""

import io
import struct
import zlib

from PIL import Image


def jpeg(color="red", size=(64, 48), quality=90):
    """A JPEG; another colour is another photo."""
    return _saved(
        Image.effect_noise(size, 80).convert("RGB") if color == "noise" else Image.new("RGB", size, color),
        "JPEG",
        quality=quality,
    )


def png(size=(64, 48)):
    return _saved(Image.new("RGB", size, "blue"), "PNG")


def webp():
    return _saved(Image.new("RGB", (64, 48), "green"), "WEBP")


def heic():
    """The beginning of a HEIC file: enough to be known as one."""
    return struct.pack(">I", 24) + b"ftypheic" + b"\0\0\0\0mif1heic" + b"\0" * 200


def huge_png(width=12_000, height=12_000):
    """A PNG of 144 megapixels in some 17 kB."""
    row = b"\0" * (width // 8 + 1)
    packed = zlib.compressobj(9)
    data = b"".join(packed.compress(row) for _ in range(height)) + packed.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _saved(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()
