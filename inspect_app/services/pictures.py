"""What the bytes of a photo are: decided by their content, never by their name.

A photo that cannot be decoded is evidence all the same: it is kept, and its record says why it is not shown.
"""

import mmap
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

FORMATS = {"JPEG": "image/jpeg", "MPO": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/heic": "heic"}  # of files
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")


@dataclass(frozen=True)
class Picture:
    """The media type of the bytes, their size in pixels, and what is wrong with them, if anything."""

    content_type: str | None
    width: int | None = None
    height: int | None = None
    problem: str | None = None


def examine(path: Path, pixel_limit: int) -> Picture:
    """Look at a file without trusting it: type by content, pixels counted before anything is decoded."""
    with path.open("rb") as file:
        head = file.read(32)
    if head[4:8] == b"ftyp" and head[8:12] in HEIC_BRANDS:
        return Picture("image/heic", problem="HEIC: kept as it came, not shown here. Open the original.")
    try:
        image = Image.open(path, formats=("JPEG", "PNG", "WEBP"))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return Picture(_by_head(head), problem=_too_large(pixel_limit))
    except (OSError, SyntaxError, ValueError):
        kind = _by_head(head)
        what = "damaged at its beginning" if kind else "not a picture"
        return Picture(
            kind, problem=f"The bytes are {what}. They are kept as they came; ask for the photo again."
        )
    with image:
        kind = FORMATS[image.format or "JPEG"]
        width, height = image.size
        if width * height > pixel_limit:
            return Picture(kind, width, height, _too_large(pixel_limit))
    if not _is_whole(path, kind):
        why = "The photo is cut short. What came is kept as it is; ask for the photo again."
        return Picture(kind, width, height, why)
    return Picture(kind, width, height)


def _is_whole(path: Path, kind: str) -> bool:
    """Whether a picture reaches its own end. Nothing is decoded: 12 megapixels would take 100 ms."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if kind == "image/png":
            return data.rfind(b"IEND") > 0
        if kind == "image/webp":
            return len(data) >= int.from_bytes(data[4:8], "little") + 8
        scan = _first_scan(data)
        return scan > 0 and data.rfind(b"\xff\xd9") > scan


def _first_scan(data: mmap.mmap) -> int:
    """Where a JPEG's picture data begin: past the segments, where a thumbnail may have an end of its own."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xFF:  # padding
            at += 1
            continue
        at += 2 + length
        if marker == 0xDA:
            return at
    return 0


def _by_head(head: bytes) -> str | None:
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return None


def _too_large(pixel_limit: int) -> str:
    return (
        f"The picture has more than {pixel_limit // 1_000_000} million pixels, so it is kept but not opened."
    )
