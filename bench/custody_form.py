"""A chain-of-custody form of 20 containers as PDF/A: budget 0.5 s, with the process that typesets it."""

import json
import time
from statistics import median

from bench.report import Figure, alone
from inspect_app.reports.custody_form import EVENT_COLUMNS, SAMPLE_COLUMNS
from inspect_app.reports.labels import code
from inspect_app.reports.typeset import typeset

CONTAINERS, EVENTS, TRIES = 20, 6, 7


def measure() -> list[Figure]:
    data = json.dumps(_form()).encode()
    spent = []
    for _ in range(TRIES):
        began = time.perf_counter()
        typeset("custody", data)
        spent.append(time.perf_counter() - began)
    return [Figure(f"chain-of-custody form of {CONTAINERS} containers", median(spent), "s", 0.5)]


def _form() -> dict:
    event = dict.fromkeys(
        ("action", "org", "at", "reached", "who", "seal", "condition", "signed"), "as recorded"
    )
    moved = ", ".join(f"S-{n:02}" for n in range(CONTAINERS))
    return {
        "timestamp": 0,
        "village": "Village",
        "record": "M-0001",
        "rev": 1,
        "form_no": "COC-1",
        "parent": "",
        "zone": "America/Chicago",
        "last_hash": "0" * 64,
        "qr": code("M-0001 COC-1"),
        "qr_says": "M-0001 COC-1",
        "facts": [("Point", "CM-03")],
        "sample_columns": [name for name, _ in SAMPLE_COLUMNS],
        "samples": [[f"S-{n:02}", *("as recorded" for _ in SAMPLE_COLUMNS[1:])] for n in range(CONTAINERS)],
        "event_columns": EVENT_COLUMNS,
        "events": [
            {
                **event,
                "no": str(n),
                "moved": moved,
                "picture": "",
                "hash": "1" * 64,
                "prev": "2" * 64,
                "remarks": [],
            }
            for n in range(1, EVENTS + 1)
        ],
    }


if __name__ == "__main__":
    alone(measure)
