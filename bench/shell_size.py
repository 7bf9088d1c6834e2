"""Bytes of everything that the tablet's service worker holds, as they come over the line.

Budget: 150 kB compressed without the map. The worker takes all files over in one answer; it is fetched from
`inspect-app serve` as a browser would, and what arrived is counted before it is unpacked. The map's own
modules are in that answer too: what they add to it is found by packing it again without them.
"""

import json
import re
import urllib.request

import brotli

from bench.places import empty_server
from bench.report import Figure, alone

BUDGET_KB = 150
OF_THE_MAP = re.compile(r"/(?:maps?|map_data|schematic)\.js$")


def measure() -> list[Figure]:
    with empty_server() as server:
        worker, of_worker = _fetched(f"{server.url}/field/sw.js")
        listed = json.loads(re.search(r"self\.FIELD = (\{.*?\n\});", worker, re.DOTALL).group(1))
        bundle, of_bundle = _fetched(server.url + listed["bundle"])
    files = json.loads(bundle)
    rest = {path: file for path, file in files.items() if not OF_THE_MAP.search(path)}
    of_map = _packed(files) - _packed(rest)
    total = of_worker + of_bundle
    return [
        Figure(
            f"tablet app on the line, {len(listed['files']) + 1} files, without the map",
            (total - of_map) / 1000,
            "kB",
            BUDGET_KB,
        ),
        Figure("  the same with the map's screens, as it is sent", total / 1000, "kB"),
        Figure("  of it the worker with its list of hashes", of_worker / 1000, "kB"),
    ]


def _packed(files: dict) -> int:
    return len(brotli.compress(json.dumps(files, ensure_ascii=False).encode(), quality=11))


def _fetched(address: str) -> tuple[str, int]:
    """The text, and how many bytes came over the line."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    with urllib.request.urlopen(request) as answer:
        sent = answer.read()
        if answer.headers["Content-Encoding"] != "br":
            raise SystemExit(f"{address} came without Brotli: {answer.headers['Content-Encoding']}")
        return brotli.decompress(sent).decode(), len(sent)


if __name__ == "__main__":
    alone(measure)
