"""Nothing is lost, doubled or silently overwritten, whatever the line, the power and the clocks do."""

import tempfile
from pathlib import Path

import pytest

from tests.simulation.fleet import Fleet, fast_folder, replay

SEEDS = 300
TOGETHER = 15  # seeds in one test, so that the workers share them


@pytest.fixture(scope="module")
def fleet():
    """One application for all seeds of a worker."""
    with (
        tempfile.TemporaryDirectory(prefix="simulation-", dir=fast_folder()) as folder,
        Fleet(Path(folder)) as fleet,
    ):
        yield fleet


@pytest.mark.parametrize("first", range(1, SEEDS + 1, TOGETHER))
def test_every_seed_ends_with_all_that_was_recorded(fleet, first):
    failed = [
        f"seed {seed}: {problem}; run again: {replay(seed)}"
        for seed in range(first, first + TOGETHER)
        if (problem := fleet.run(seed))
    ]
    assert not failed, "\n".join(failed)


def test_a_seed_gives_the_same_run_again(fleet):
    assert fleet.story(7) == fleet.story(7)
