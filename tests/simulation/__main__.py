"""Run seeds and say what failed: `python -m tests.simulation --seeds 1-300`."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.simulation.fleet import Fleet, fast_folder, replay


def main():
    told = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    told.add_argument("--seeds", default="1-300", help="a number, or the first and the last: 1-300")
    told.add_argument("--engine", choices=["python", "js"], default="python")
    told.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    told.add_argument("--steps", type=int, default=None, help="how much happens in one seed")
    told = told.parse_args()
    first, _, last = told.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    began, passed, failed, counts = time.monotonic(), 0, 0, Counter()
    with (
        tempfile.TemporaryDirectory(prefix="simulation-", dir=fast_folder()) as folder,
        Fleet(Path(folder), told.database, told.engine) as fleet,
    ):
        for seed in seeds:
            problem = fleet.run(seed, steps=told.steps, counts=counts)
            if problem is None:
                passed += 1
                continue
            failed += 1
            print(
                f"seed {seed}: {problem}\n  {replay(seed, told.database, told.steps, told.engine)}",
                flush=True,
            )
    spent = time.monotonic() - began
    for name, count in sorted(counts.items()):
        print(f"{name:22} {count}")
    print(f"{len(seeds)} seeds in {spent:.0f} s at {version()}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def version():
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "no version"


main()
