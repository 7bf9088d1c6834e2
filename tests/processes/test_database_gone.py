"""PostgreSQL ended in the middle of things, as a power cut would: what was confirmed is there."""

import time

import pytest

from tests.processes.account import settle
from tests.processes.crew import BAD, Crew
from tests.support.availability import unavailable
from tests.support.chaos import ChaosProxy
from tests.support.databases import PostgresDatabases, close
from tests.support.postgres import DURABLE, NoPostgres, start_postgres


@pytest.fixture(scope="module")
def durable_postgres(tmp_path_factory):
    """A server of this module's own, set up as a village's: the others' waits for no disk."""
    try:
        server = start_postgres(DURABLE)
    except NoPostgres as reason:
        unavailable(str(reason))
    if server.process is None:
        unavailable("The PostgreSQL of TEST_DATABASE_URL is not ours to end.")
    yield server
    server.stop()


@pytest.fixture
def database_url(durable_postgres, data, tmp_path):
    folder = tmp_path / "template"
    folder.mkdir()
    return PostgresDatabases(durable_postgres, folder).fresh(data)


@pytest.mark.slow
@pytest.mark.postgres
def test_a_database_that_ends_without_a_goodbye_loses_nothing_it_confirmed(
    app, data, workers, durable_postgres, make_tablets
):
    with ChaosProxy(workers.port, BAD, 1) as proxy:
        crew = Crew(make_tablets(4), proxy, 1)
        workers.start()
        crew.set_out()
        try:
            crew.wait_for(30)
            durable_postgres.stop_immediately()
            time.sleep(0.5)
            durable_postgres.start()
            crew.wait_for(crew.told() + 30)
        finally:
            crew.over.set()
        crew.come_home()
        workers.kill()
    close(app)  # its own connections ended with the database
    settle(app, data, crew.hands)
