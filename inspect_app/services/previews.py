"""Pictures for the screen, derived from originals on request. The original is read, never touched.

A derived picture is a cache: the folder may be emptied at any time. Position and time are fields of the photo
record, so nothing is lost with the metadata that a preview leaves behind.
"""

import secrets
import threading
import warnings
from pathlib import Path

from PIL import Image, ImageOps

from inspect_app.domain.errors import Refused
from inspect_app.store.blobs import BlobStore
from inspect_app.store.photos import Photo

LONGEST_SIDE = 1600
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
HEADS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}
# A 12-megapixel photo takes about 40 MB while it is decoded: unlimited, a page of ten would take 400.
_DECODING = threading.BoundedSemaphore(2)


def preview(photo: Photo, blobs: BlobStore, folder: Path, pixel_limit: int) -> tuple[Path, str]:
    """A file to show for a photo that is here, and its media type.

    The tablet's own preview is taken where there is one; otherwise one is made in `folder` and kept.
    Raises Refused with the reason where the bytes are no picture, too large, or of a kind not read here.
    """
    if photo.preview_sha256 and blobs.exists(photo.preview_sha256):
        path = blobs.path(photo.preview_sha256)
        kind = _kind(path)
        if kind:
            return path, kind
    if photo.problem:
        raise Refused(photo.problem)
    made = folder / photo.sha256[:2] / f"{photo.sha256}-{LONGEST_SIDE}.jpg"
    if not made.exists():
        if not blobs.exists(photo.sha256):
            raise Refused("This photo has not arrived yet. The tablet still holds it.")
        with _DECODING:
            _derive(blobs.path(photo.sha256), made, pixel_limit)
    return made, "image/jpeg"


def _kind(path: Path) -> str | None:
    with path.open("rb") as file:
        head = file.read(16)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in HEADS.items() if head.startswith(start)), None)


def _derive(original: Path, made: Path, pixel_limit: int) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(original, formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refused(_too_large(pixel_limit)) from None
    except OSError:
        raise Refused("This photo is kept as it came, but cannot be shown here. Open the original.") from None
    with image:
        if image.width * image.height > pixel_limit:
            raise Refused(_too_large(pixel_limit))
        try:
            image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a JPEG is decoded at a fraction of its size
            upright = ImageOps.exif_transpose(image)
            upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            flat = upright.convert("RGB")
        except (OSError, ValueError, SyntaxError):
            raise Refused("This photo is damaged or cut short. The original is kept as it came.") from None
    made.parent.mkdir(parents=True, exist_ok=True)
    temporary = made.with_name(f".{made.name}.{secrets.token_hex(4)}")
    try:
        flat.save(temporary, "JPEG", quality=82, optimize=True)
        temporary.replace(made)
    finally:
        temporary.unlink(missing_ok=True)


def _too_large(pixel_limit: int) -> str:
    return (
        f"This photo has more than {pixel_limit // 1_000_000} million pixels, so it is not opened here. "
        "Open the original."
    )
