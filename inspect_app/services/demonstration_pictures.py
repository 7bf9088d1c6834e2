"""Drawn photos of the demonstration: a tape on a pipe, a gauge, a clock card, a house, a manhole, boards.

Each is a real JPEG with its reading on it, so a photo can be told from every other and hashed like any other.
"""

import io
import math

from PIL import Image, ImageDraw, ImageFont

SIZE = (1200, 900)
SOIL, SKY, STONE = (110, 84, 57), (203, 220, 233), (142, 138, 130)
PIPE, PIPE_LIGHT, PIPE_DARK = (61, 127, 89), (111, 183, 140), (28, 63, 43)
INK, PAPER, TAPE, RED = (20, 24, 22), (250, 249, 244), (255, 208, 60), (176, 32, 38)
Draw = ImageDraw.ImageDraw


def picture(shows: str, caption: str, reading: str = "") -> bytes:
    """A JPEG of 1200 by 900 pixels for what a slot shows, with its caption and reading written on it."""
    image = Image.new("RGB", SIZE, SOIL)
    draw = ImageDraw.Draw(image)
    _stones(draw, sum(map(ord, caption + reading)))
    _subject(shows)(draw, reading)
    draw.rectangle((0, 820, 1200, 900), fill=PAPER)
    draw.text((28, 838), f"{caption}   {reading}".strip(), fill=INK, font=_font(40))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()


def _subject(shows: str):  # type: ignore[no-untyped-def]
    for words, draw in (
        (("gauge", "meter", "thermometer"), _gauge),
        (("clock",), _clock),
        (("barricade", "lights"), _boards),
        (("overview", "outlet", "cap", "approach"), _house),
        (("manhole", "cover", "dye"), _manhole),
        (("totalizer", "display", "labels", "seal", "permit", "license"), _plate),
    ):
        if any(word in shows for word in words):
            return draw
    return _tape


def _stones(draw: Draw, seed: int) -> None:
    # A plain sequence of its own, so that the same photo is drawn byte for byte each time.
    for _ in range(90):
        seed = (seed * 1103515245 + 12345) % 2**31
        x, y, r = seed % 1200, (seed >> 8) % 820, 4 + (seed >> 4) % 12
        shade = 70 + (seed >> 6) % 90
        draw.ellipse((x, y, x + 2 * r, y + r), fill=(shade + 20, shade, shade - 24))


def _pipe(draw: Draw, collar_x: int = 820) -> None:
    for y in range(300, 600):
        share = abs((y - 380) / 220)
        light, dark = PIPE_LIGHT, PIPE_DARK
        shade = tuple(int(a + (b - a) * min(share, 1)) for a, b in zip(light, dark, strict=True))
        draw.line((0, y, 1200, y), fill=shade)
    draw.rectangle((collar_x, 276, collar_x + 80, 624), fill=PIPE, outline=PIPE_DARK, width=5)


def _tape(draw: Draw, reading: str) -> None:
    """From the opening's edge, at 400, to the bell lip, to the scale of the tape while it fits."""
    inch, number = 80, _number(reading)
    fits = reading.endswith(" in") and 0 < number <= 9
    _pipe(draw, int(400 + inch * number) if fits else 1080)
    draw.ellipse((120, 390, 400, 560), fill=INK, outline=PIPE_LIGHT, width=10)
    draw.rectangle((398, 330, 1140, 410), fill=TAPE, outline=INK, width=2)
    for mark in range(37):
        x = 400 + mark * inch // 4
        draw.line((x, 330, x, 372 if mark % 4 == 0 else 350), fill=INK, width=3)
        if mark % 4 == 0:
            draw.text((x + 4, 372), str(mark // 4), fill=INK, font=_font(30))
    if reading:
        _card(draw, reading, (60, 90))


def _gauge(draw: Draw, reading: str) -> None:
    draw.ellipse((330, 120, 930, 720), fill=PAPER, outline=INK, width=18)
    for step in range(11):
        angle = math.radians(225 - 27 * step)
        cos, sin = math.cos(angle), math.sin(angle)
        draw.line((630 + 230 * cos, 420 - 230 * sin, 630 + 270 * cos, 420 - 270 * sin), fill=INK, width=6)
        draw.text((614 + 190 * cos, 402 - 190 * sin), str(step), fill=INK, font=_font(36))
    number = _number(reading)
    angle = math.radians(225 - 27 * min(max(number, 0), 10))
    draw.line((630, 420, 630 + 220 * math.cos(angle), 420 - 220 * math.sin(angle)), fill=RED, width=12)
    draw.ellipse((606, 396, 654, 444), fill=INK)
    draw.text((540, 600), reading, fill=INK, font=_font(44))


def _clock(draw: Draw, reading: str) -> None:
    _pipe(draw)
    draw.rectangle((380, 90, 820, 690), fill=PAPER, outline=INK, width=4)
    draw.ellipse((430, 140, 770, 480), outline=INK, width=10)
    hour, _, minute = reading.partition(":")
    turn = math.radians(30 * (_number(hour) % 12) + _number(minute) / 2)
    end = (600 + 130 * math.sin(turn), 310 - 130 * math.cos(turn))
    draw.line((600, 310, *end), fill=RED, width=14)
    draw.text((510, 500), reading, fill=INK, font=_font(80))
    draw.text((470, 610), "FLOW ->", fill=INK, font=_font(56))


def _boards(draw: Draw, reading: str) -> None:
    draw.rectangle((0, 0, 1200, 420), fill=SKY)
    for y in (330, 450, 570):
        draw.rectangle((120, y, 1080, y + 70), fill=PAPER, outline=INK, width=3)
        for x in range(120, 1080, 120):
            right = min(x + 110, 1080)
            draw.polygon(((x, y + 70), (x + 60, y), (right, y), (right - 60, y + 70)), fill=(226, 98, 32))
    for x in (180, 1000):
        draw.rectangle((x, 310, x + 24, 780), fill=STONE, outline=INK)
    _card(draw, reading, (80, 70))


def _house(draw: Draw, reading: str) -> None:
    draw.rectangle((0, 0, 1200, 520), fill=SKY)
    draw.rectangle((0, 520, 1200, 820), fill=(104, 132, 82))
    draw.rectangle((300, 270, 860, 640), fill=(214, 202, 182), outline=INK, width=4)
    draw.polygon(((260, 280), (580, 90), (900, 280)), fill=(120, 66, 52), outline=INK)
    draw.rectangle((420, 380, 520, 640), fill=(92, 70, 52))
    draw.rectangle((620, 380, 760, 480), fill=(150, 180, 200), outline=INK, width=4)
    draw.rectangle((834, 280, 860, 640), fill=PAPER, outline=INK, width=3)
    _card(draw, reading, (920, 560))


def _manhole(draw: Draw, reading: str) -> None:
    draw.rectangle((0, 0, 1200, 820), fill=(96, 98, 98))
    draw.ellipse((280, 70, 920, 710), fill=STONE, outline=INK, width=16)
    draw.ellipse((350, 140, 850, 640), fill=(34, 36, 36), outline=INK, width=8)
    colours = {"red": (190, 40, 44), "green": (60, 170, 84), "blue": (54, 96, 190)}
    water = next((rgb for word, rgb in colours.items() if word in reading), (92, 120, 128))
    draw.rectangle((548, 150, 652, 630), fill=water)
    _card(draw, reading, (60, 60))


def _plate(draw: Draw, reading: str) -> None:
    draw.rounded_rectangle((180, 180, 1020, 660), 24, fill=(44, 52, 54), outline=INK, width=6)
    draw.rectangle((240, 280, 960, 540), fill=(196, 214, 190))
    draw.text((270, 360), reading or "0000000", fill=INK, font=_font(84 if len(reading) < 15 else 48))


def _card(draw: Draw, text: str, at: tuple[int, int]) -> None:
    if not text:
        return
    font = _font(52)
    width = int(draw.textlength(text, font=font))
    x, y = min(at[0], 1150 - width), at[1]
    draw.rectangle((x, y, x + width + 48, y + 96), fill=PAPER, outline=INK, width=4)
    draw.text((x + 24, y + 16), text, fill=INK, font=font)


def _number(text: str) -> float:
    digits = "".join(letter for letter in text.split(" ")[0] if letter.isdigit() or letter == ".")
    return float(digits) if digits.replace(".", "", 1).isdigit() else 0.0


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
