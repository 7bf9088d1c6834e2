"""A day's work sent over two shaped lines by the tablet's own engine, under Node, to the real server.

The lines run in real time. 40 inspections and 400 ops are whole; a day's 300 photos (real JPEGs of 4 MB, and
their previews) would take 40 minutes or five hours, so a few are sent, and a day is reckoned from them: what
the text took, and what the photos took by so many more. That is worse than a whole day, in which the parts of
an upload are small only at its beginning. BENCH_DAY=long sends more.

The line is our own (tests/support/chaos.py): a lost segment goes over it twice and holds up what follows for
a round trip. The congestion control of a real system is not in it, nor is TLS.
"""

import gzip
import json
import os
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from bench.places import ROOT, empty_server
from bench.report import Figure, alone
from tests.rules_twins.twins import node
from tests.support.cast import enrolment_code, hire
from tests.support.chaos import ChaosProxy, Line
from tests.support.databases import opened

INSPECTIONS, OPS, PHOTOS = 40, 400, 300
MB = 1_000_000
SEED = 52  # two of its first hundred requests meet a fault of 2 %, the first of them early enough
SIZES = {"": (4, 1), "long": (16, 6)}  # photos over the good line, over the bad one


@dataclass(frozen=True)
class Road:
    """A line as people know it."""

    name: str
    mbit_s: float
    round_trip_s: float
    loss: float = 0.0
    cut: float = 0.0

    @property
    def line(self) -> Line:
        return Line(
            bytes_per_s=self.mbit_s * MB / 8,
            delay_s=self.round_trip_s / 2,
            loss=self.loss,
            cut=self.cut,
        )


GOOD = Road("4 Mbit/s, 80 ms, 2 % loss", 4, 0.080, loss=0.02)
BAD = Road("0.5 Mbit/s, 300 ms, 2 % resets", 0.5, 0.300, cut=0.02)


def photos(folder: Path, number: int) -> list[Path]:
    """So many JPEGs of 4 MB, of one noise and each with a comment of its own; and what is shown of them."""
    noise = Image.effect_noise((2600, 1950), 90).convert("RGB")
    quality = next(q for q in range(70, 101) if _size(folder, noise, q) >= 4 * MB)
    noise.save(folder / "one.jpg", quality=quality)
    # Noise does not shrink as a picture does: this one has the 150 kB that a street in 1200 pixels has.
    noise.resize((600, 450)).resize((1200, 900)).save(folder / "preview.jpg", quality=80)
    whole = (folder / "one.jpg").read_bytes()
    made = []
    for n in range(number):
        text = f"Photo {n:04d} of a day's work".encode()
        comment = b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text
        made.append(folder / f"{n}.jpg")
        made[-1].write_bytes(whole[:2] + comment + whole[2:])
    return made


def _size(folder: Path, picture: Image.Image, quality: int) -> int:
    picture.save(folder / "tried.jpg", quality=quality)
    return (folder / "tried.jpg").stat().st_size


@contextmanager
def sent_day(road: Road, folder: Path, number: int):
    """Send a day over a road; gives what the tablet told, the proxy, and the bytes of all photos."""
    pictures = photos(folder, number)
    with empty_server() as server, ChaosProxy(server.port, Line(), SEED) as proxy:
        server.command("db", "upgrade")
        with opened(server.data, server.database_url) as app, app.app_context():
            hire("inspector_a")
        asked = {
            "origin": proxy.url,
            "near": server.url,
            "code": enrolment_code(server, "inspector-a", "barneveld"),
            "inspections": INSPECTIONS,
            "ops": OPS,
            "photos": [str(path) for path in pictures],
            "preview": str(folder / "preview.jpg"),
        }
        with subprocess.Popen(
            [node(), str(ROOT / "bench" / "day.mjs"), json.dumps(asked)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        ) as tablet:
            ready = json.loads(tablet.stdout.readline())
            proxy.line = road.line
            tablet.stdin.write("go\n")
            tablet.stdin.flush()
            told = json.loads(tablet.stdout.readline())
        previews = number * (folder / "preview.jpg").stat().st_size
        yield ready, told, proxy, sum(path.stat().st_size for path in pictures), previews


def over_the_good_line(number: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, sent_day(GOOD, Path(folder), number) as sent:
        ready, told, proxy, photo_bytes, _previews = sent
    text = ready["ops_text"].encode()
    more = PHOTOS / number
    day_s = told["text_s"] + (told["whole_s"] - told["text_s"]) * more
    ideal_s = (photo_bytes * more + len(text)) / (GOOD.mbit_s * MB / 8)
    wire = proxy.bytes["up"] + proxy.bytes["down"]
    day_bytes = len(text) + (wire - len(text)) * more
    packed = photo_bytes * more + len(gzip.compress(text))
    return [
        Figure(f"{OPS} ops and {number} photos of 4 MB: {GOOD.name}", told["whole_s"], "s"),
        Figure("  all text there", told["text_s"], "s"),
        Figure(f"  a day of {PHOTOS} from it: time / (bytes / bandwidth)", day_s / ideal_s, "", 1.15),
        Figure("  a day from it: bytes on the wire / (photos + gzip of ops)", day_bytes / packed, "", 1.05),
    ]


def over_the_bad_line(number: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, sent_day(BAD, Path(folder), number) as sent:
        ready, told, proxy, photo_bytes, previews = sent
    needed = photo_bytes + previews + len(ready["ops_text"].encode())
    broken = f"  broken off by the line, of {told['requests']} requests"
    return [
        Figure(f"{OPS} ops and {number} photos of 4 MB: {BAD.name}", told["whole_s"], "s"),
        Figure("  all text there", told["text_s"], "s", 120),
        Figure("  bytes sent twice, and all headers", 100 * (proxy.bytes["up"] / needed - 1), "%", 5),
        Figure(broken, proxy.counts["cut"], ""),
        Figure("  given up by the tablet", told["broken"] - proxy.counts["cut"], ""),
    ]


def measure() -> list[Figure]:
    good, bad = SIZES[os.environ.get("BENCH_DAY", "")]
    return over_the_good_line(good) + over_the_bad_line(bad)


if __name__ == "__main__":
    alone(measure)
