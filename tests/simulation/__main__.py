"""Run seeds and say what failed: `python -m tests.simulation --seeds 1-300`."""

import argparse
import subprocess
import sys
import time

from tests.simulation.seeds import simulate


def main():
    told = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    told.add_argument("--seeds", default="1-300", help="a number, or the first and the last: 1-300")
    told.add_argument("--engine", choices=["python", "js"], default="python", help="whose tablets")
    told.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    told.add_argument("--steps", type=int, default=None, help="how much happens in one seed")
    told = told.parse_args()
    first, _, last = told.seeds.partition("-")
    began = time.monotonic()
    seeds = range(int(first), int(last or first) + 1)
    tally = simulate(seeds, told.database, told.engine, told.steps)
    for name, count in sorted(tally.counts.items()):
        print(f"{name:32} {count}")
    print(f"{tally.line()}; {time.monotonic() - began:.0f} s at {version()}")
    print(f"{tally.seeds - len(tally.failed)} passed, {len(tally.failed)} failed")
    sys.exit(1 if tally.failed else 0)


def version():
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "no version"


main()
