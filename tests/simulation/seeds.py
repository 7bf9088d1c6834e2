"""Many seeds: what failed, and how often each thing happened."""

import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.simulation.fleet import Fleet, fast_folder, replay
from tests.simulation.network import Odds


@dataclass
class Tally:
    """What came of some seeds. `failed`: seed -> what is wrong and how to run it again."""

    seeds: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)

    def add(self, other):
        self.seeds += other.seeds
        self.failed |= other.failed
        self.counts.update(other.counts)

    @property
    def kills(self):
        return self.counts["kills"] + self.counts["tablets killed"]

    @property
    def faults(self):
        """On the line; a kill of the server is counted as a kill."""
        return sum(self.counts[name] for name in Odds.__dataclass_fields__ if name != "server_killed")

    def line(self):
        """The sums, as they stand in the README."""
        counts = self.counts
        return (
            f"{self.seeds:,} seeds, {counts['ops']:,} ops, {counts['requests']:,} requests; "
            f"{self.kills:,} kills ({counts['kills']:,} of the server), "
            f"{self.faults:,} faults of the line, {counts['restores']:,} restores, "
            f"{counts['storage rolled back']:,} storages rolled back, {counts['disks full']:,} full disks, "
            f"{counts['poison']:,} broken ops; {len(self.failed)} violations"
        )


def simulate(seeds, database="sqlite", engine="python", steps=None):
    """Run these seeds in this process."""
    tally = Tally()
    with (
        tempfile.TemporaryDirectory(prefix="simulation-", dir=fast_folder()) as folder,
        Fleet(Path(folder), database, engine) as fleet,
    ):
        for seed in seeds:
            problem = _problem(fleet, seed, steps, tally.counts)
            tally.seeds += 1
            if problem:
                tally.failed[seed] = f"{problem}\n  {replay(seed, database, steps, engine)}"
                print(f"seed {seed}: {tally.failed[seed]}", flush=True)
    return tally


def _problem(fleet, seed, steps, counts):
    """What is wrong with a seed; an exception is a problem like any other, and the next seed is run."""
    try:
        return fleet.run(seed, steps=steps, counts=counts)
    except Exception:
        fleet.server.settle()
        return traceback.format_exc()
