"""What the bytes of a photo are: decided by their content, never by their name.

A photo that cannot be decoded is evidence all the same: it is kept, and its record says why it is not shown.
"""

import threading
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

FORMATS = {"JPEG": "image/jpeg", "MPO": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
# A decoded 12-megapixel photo takes some 40 MB: unlimited, eight uploads at once would take 300.
_DECODING = threading.BoundedSemaphore(2)


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
        image = Image.open(path, formats=("JPEG", "MPO", "PNG", "WEBP"))
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
        try:
            with _DECODING:
                image.draft(
                    "L", (width // 8, height // 8)
                )  # a JPEG is read to its end, at an eighth of the work
                image.load()
        except (OSError, SyntaxError, ValueError, EOFError):
            why = "The photo is cut short or damaged. What came is kept; ask for the photo again."
            return Picture(kind, width, height, why)
        except MemoryError:
            return Picture(kind, width, height, "The photo needs too much memory to be opened. It is kept.")
    return Picture(kind, width, height)


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
