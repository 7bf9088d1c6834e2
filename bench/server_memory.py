"""Resident memory of `inspect-app serve` with the demonstration data, idle and after its pages were read.

Budget: 200 MB. Reading comes first, so that nothing is still to be loaded when the figure is taken.
"""

import statistics
import time

from bench.places import demonstration_server, read_office
from bench.report import Figure, alone

BUDGET_MB = 200


def measure() -> list[Figure]:
    with demonstration_server() as server:
        time.sleep(1)
        started = server.memory_bytes()
        pages = read_office(server)
        after = statistics.median(server.memory_bytes() for _ in range(5))
    mb = 1024 * 1024
    return [
        Figure("server memory with the demonstration, just started", started / mb, "MB", BUDGET_MB),
        Figure(f"the same after {pages} office pages were read", after / mb, "MB", BUDGET_MB),
    ]


if __name__ == "__main__":
    alone(measure)
