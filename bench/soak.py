"""`make soak`: runs the random and concurrent tests again and again, each round with a new seed.

A failing round stops the soak and prints its seed, so that it can be played again:
    TWINS_SEED=SEED pytest --hypothesis-seed=SEED tests/...
"""

import os
import secrets
import subprocess
import sys
import time

FOLDERS = ["tests/domain", "tests/store", "tests/api", "tests/rules_twins", "tests/processes"]


def main() -> int:
    minutes = float(os.environ.get("SOAK_MINUTES", "10"))
    end = time.monotonic() + minutes * 60
    rounds = 0
    while time.monotonic() < end:
        seed = secrets.randbelow(2**32)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--database", "both"]
        asked = {**os.environ, "TWINS_SEED": str(seed)}
        if subprocess.run([*command, f"--hypothesis-seed={seed}", *FOLDERS], env=asked).returncode:
            sys.stdout.write(
                f"Round {rounds + 1} failed; play it again with"
                f" TWINS_SEED={seed} and --hypothesis-seed={seed}\n"
            )
            return 1
        rounds += 1
    sys.stdout.write(f"{rounds} rounds in {minutes:g} minutes, none failed.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
