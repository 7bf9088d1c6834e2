"""Nothing is lost, doubled or silently overwritten, whatever the line, the power and the clocks do."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.simulation.fleet import Fleet, fast_folder, replay

# Three hundred together.
SEEDS = 260  # of the reference tablet
SEEDS_JS = 20  # of the tablet's own engine
SEEDS_POSTGRES = 20
TOGETHER = 15  # seeds in one test, so that the workers share them


class OneAtATime:
    """The application asked for last: it is costly to make, and two would get in each other's way."""

    def __init__(self):
        self.how, self.stack = None, ExitStack()

    def of(self, **how):
        if self.how != how:
            self.stack.close()
            folder = tempfile.TemporaryDirectory(prefix="simulation-", dir=fast_folder())
            self.fleet = self.stack.enter_context(Fleet(Path(self.stack.enter_context(folder)), **how))
            self.how = how
        return self.fleet


@pytest.fixture(scope="module")
def fleets():
    held = OneAtATime()
    yield held
    held.stack.close()


@pytest.fixture
def fleet(fleets):
    return fleets.of()


@pytest.fixture
def fleet_js(fleets):
    """The tablets' own engine, under Node."""
    return fleets.of(engine="js")


@pytest.fixture
def fleet_postgres(fleets, request):
    """On PostgreSQL, when the run asks for it."""
    if request.config.getoption("--database") == "sqlite":
        pytest.skip("runs with --database postgres or both")
    return fleets.of(postgres=request.getfixturevalue("postgres"))


def passes(fleet, seeds):
    """Run seeds; the failure says for each what is wrong and how to run it again."""
    problems = {seed: fleet.run(seed) for seed in seeds}
    failed = [
        f"seed {seed}: {problem}; run again: {replay(seed, fleet.database, engine=fleet.engine)}"
        for seed, problem in problems.items()
        if problem
    ]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("first", range(1, SEEDS + 1, TOGETHER))
def test_every_seed_ends_with_all_that_was_recorded(fleet, first):
    passes(fleet, range(first, first + TOGETHER))


@pytest.mark.parametrize("first", range(1, SEEDS_JS + 1, 5))
def test_every_seed_of_the_tablets_own_engine_ends_with_all_that_was_recorded(fleet_js, first):
    passes(fleet_js, range(first, first + 5))


@pytest.mark.postgres
@pytest.mark.parametrize("first", range(1, SEEDS_POSTGRES + 1, 10))
def test_every_seed_on_postgres_ends_with_all_that_was_recorded(fleet_postgres, first):
    passes(fleet_postgres, range(first, first + 10))


def test_a_seed_gives_the_same_run_again(fleet):
    assert fleet.story(7) == fleet.story(7)


def test_a_seed_of_the_tablets_own_engine_gives_the_same_run_again(fleet_js):
    assert fleet_js.story(7) == fleet_js.story(7)
