"""Bytes of everything that the tablet's service worker holds, as they come over the line.

Budget: 150 kB compressed. The list is the worker's own; each file is fetched from `inspect-app serve` as a
browser would, and what arrived is counted before it is unpacked.
"""

import json
import re
import urllib.request
from collections import defaultdict

from bench.places import empty_server
from bench.report import Figure, alone

BUDGET_KB = 150


def measure() -> list[Figure]:
    sizes: dict[str, int] = defaultdict(int)
    with empty_server() as server:
        worker, compressed = _fetched(f"{server.url}/field/sw.js")
        sizes["worker"] = compressed
        listed = json.loads(re.match(r"self\.FIELD = (\{.*?\n\});", worker, re.DOTALL).group(1))
        for path in listed["files"]:
            folder = path.removeprefix("/static/").removeprefix("pwa/").split("/")[0]
            sizes[folder] += _fetched(server.url + path)[1]
    parts = ", ".join(
        f"{name} {size / 1000:.1f}" for name, size in sorted(sizes.items(), key=lambda s: -s[1])
    )
    total = sum(sizes.values())
    return [
        Figure(f"tablet app on the line, {len(listed['files']) + 1} files", total / 1000, "kB", BUDGET_KB),
        Figure(f"  of it (kB): {parts}", total / 1000, "kB"),
    ]


def _fetched(address: str) -> tuple[str, int]:
    """The text, and how many bytes came over the line."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        sent = answer.read()
        if answer.headers["Content-Encoding"] == "gzip":
            import gzip

            return gzip.decompress(sent).decode(), len(sent)
        return sent.decode(errors="replace"), len(sent)


if __name__ == "__main__":
    alone(measure)
