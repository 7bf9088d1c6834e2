"""A label with bars, drawn: Code 39, narrow and wide elements as the standard gives them."""

import io

from PIL import Image, ImageDraw

# Nine elements each, bar and gap in turn, 1 is wide.
PATTERNS = {
    "0": "000110100",
    "1": "100100001",
    "2": "001100001",
    "3": "101100000",
    "4": "000110001",
    "5": "100110000",
    "6": "001110000",
    "7": "000100101",
    "8": "100100100",
    "9": "001100100",
    "*": "010010100",
}
NARROW, WIDE, QUIET = 3, 8, 60


def code39_png(digits: str) -> bytes:
    """A PNG of these digits in bars, as large as a label before a camera."""
    widths = []
    for letter in f"*{digits}*":
        widths += [WIDE if element == "1" else NARROW for element in PATTERNS[letter]] + [NARROW]
    picture = Image.new("RGB", (sum(widths) + 2 * QUIET, 320), "white")
    draw = ImageDraw.Draw(picture)
    at = QUIET
    for number, width in enumerate(widths):
        if number % 2 == 0:
            draw.rectangle((at, 60, at + width - 1, 260), fill="black")
        at += width
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
