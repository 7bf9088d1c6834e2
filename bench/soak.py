"""`make soak`: the random and concurrent tests again and again with new seeds, then as many simulated seeds.

SOAK_MINUTES (10) is shared by both. SOAK_SEEDS=20000 runs that many seeds of the simulation and nothing else.
A round or seed that fails is printed with the command that plays it again.
"""

import os
import secrets
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from datetime import UTC, datetime

from tests.simulation.seeds import Tally, simulate

FOLDERS = ["tests/domain", "tests/store", "tests/api", "tests/rules_twins"]
TOGETHER = 25  # seeds given to a process at once
JS_EVERY = 10  # of so many portions, one runs the tablet's own engine


def main() -> int:
    seeds = int(os.environ.get("SOAK_SEEDS", "0"))
    minutes = float(os.environ.get("SOAK_MINUTES", "10"))
    if not seeds and not rounds(minutes / 2):
        return 1
    return simulated(seeds, minutes / 2)


def rounds(minutes: float) -> bool:
    """Rounds of pytest until the time is over or one fails."""
    end = time.monotonic() + minutes * 60
    done = 0
    while time.monotonic() < end:
        seed = secrets.randbelow(2**32)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--database", "both"]
        asked = {**os.environ, "TWINS_SEED": str(seed), "TWINS_PARTS": "20"}
        if subprocess.run([*command, f"--hypothesis-seed={seed}", *FOLDERS], env=asked).returncode:
            sys.stdout.write(
                f"Round {done + 1} failed; play it again with"
                f" TWINS_SEED={seed} and --hypothesis-seed={seed}\n"
            )
            return False
        done += 1
    sys.stdout.write(f"{done} rounds in {minutes:g} minutes, none failed.\n")
    return True


def simulated(seeds: int, minutes: float) -> int:
    """So many seeds of the simulation from a random one on, or as many as the time allows; on every core."""
    began = time.monotonic()
    first = int(os.environ.get("SOAK_FIRST", "0")) or secrets.randbelow(10**9)
    total, in_js, portion = Tally(), 0, 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        running = {}
        while True:
            over = portion * TOGETHER >= seeds if seeds else time.monotonic() > began + minutes * 60
            while not over and len(running) < (os.cpu_count() or 1):
                some = range(first + portion * TOGETHER, first + (portion + 1) * TOGETHER)
                engine = "js" if portion % JS_EVERY == JS_EVERY - 1 else "python"
                running[pool.submit(simulate, some, engine=engine)] = engine
                portion += 1
                over = bool(seeds) and portion * TOGETHER >= seeds
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                total.add(done.result())
                in_js += TOGETHER if running.pop(done) == "js" else 0
    spent = (time.monotonic() - began) / 60
    sys.stdout.write(
        f"{datetime.now(UTC):%Y-%m-%d}: {total.line()}; {in_js:,} of the seeds with the tablet's own engine; "
        f"{spent:.0f} minutes on {os.cpu_count()} cores, from seed {first}\n"
    )
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
