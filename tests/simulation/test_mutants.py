"""The simulation is worth what it catches: each planted fault breaks an invariant within its seeds."""

import tempfile
from pathlib import Path

import pytest

from tests.simulation.fleet import Fleet, fast_folder
from tests.simulation.mutants import MUTANTS, SEEDS, TRIED_FIRST


@pytest.fixture(scope="module")
def fleet():
    with (
        tempfile.TemporaryDirectory(prefix="simulation-", dir=fast_folder()) as folder,
        Fleet(Path(folder)) as fleet,
    ):
        yield fleet


@pytest.mark.parametrize("name", MUTANTS)
def test_the_fault_is_caught(fleet, name):
    for seed in sorted(SEEDS, key=lambda seed: seed != TRIED_FIRST.get(name)):
        with MUTANTS[name]():
            if fleet.fails(seed):
                return
    pytest.fail(f"{name} survived {len(SEEDS)} seeds")
