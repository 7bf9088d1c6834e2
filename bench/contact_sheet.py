"""Contact sheets of the pictures that `make shots` takes: small, side by side, each with its name."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

ACROSS, DOWN = 8, 4
WIDTH, HEIGHT, NAME = 360, 520, 22
GAP = 8
PAPER, INK = "#ffffff", "#1b1f24"


def contact_sheets(pictures: list[Path], folder: Path) -> list[Path]:
    """Make the sheets in `folder`; returns their files. A long page is shown from its top."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = []
    for first in range(0, len(pictures), ACROSS * DOWN):
        sheet = Image.new("RGB", (ACROSS * (WIDTH + GAP) + GAP, DOWN * (HEIGHT + NAME + GAP) + GAP), PAPER)
        draw = ImageDraw.Draw(sheet)
        for number, path in enumerate(pictures[first : first + ACROSS * DOWN]):
            left = GAP + number % ACROSS * (WIDTH + GAP)
            top = GAP + number // ACROSS * (HEIGHT + NAME + GAP)
            draw.text((left, top), path.stem, fill=INK)
            sheet.paste(_small(path), (left, top + NAME))
        sheets.append(folder / f"sheet-{len(sheets) + 1:02}.png")
        sheet.save(sheets[-1])
    return sheets


def _small(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        shown = picture.convert("RGB")
    shown = shown.crop((0, 0, shown.width, min(shown.height, shown.width * HEIGHT // WIDTH)))
    return ImageOps.contain(shown, (WIDTH, HEIGHT), Image.Resampling.LANCZOS)
