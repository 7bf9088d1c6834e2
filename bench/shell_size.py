"""Bytes of everything that the tablet's service worker holds, as they come over the line.

Budget: 150 kB compressed. The worker takes all files over in one answer; it is fetched from `inspect-app
serve` as a browser would, and what arrived is counted before it is unpacked.
"""

import json
import re
import urllib.request

import brotli

from bench.places import empty_server
from bench.report import Figure, alone

BUDGET_KB = 150


def measure() -> list[Figure]:
    sizes = {}
    with empty_server() as server:
        worker, compressed = _fetched(f"{server.url}/field/sw.js")
        sizes["worker"] = compressed
        listed = json.loads(re.match(r"self\.FIELD = (\{.*?\n\});", worker, re.DOTALL).group(1))
        sizes["bundle"] = _fetched(server.url + listed["bundle"])[1]
    total = sum(sizes.values())
    return [
        Figure(f"tablet app on the line, {len(listed['files']) + 1} files", total / 1000, "kB", BUDGET_KB),
        Figure("  of it the worker with its list of hashes", sizes["worker"] / 1000, "kB"),
    ]


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
