"""What every test may ask for: an application on a fresh database, the real server, a browser, the cast."""

import gc
import shutil

import pytest

from tests.support import browser as browsers
from tests.support.availability import unavailable
from tests.support.cast import hire
from tests.support.cheap import weak_passwords
from tests.support.databases import PostgresDatabases, SqliteDatabases, close, make_app
from tests.support.postgres import NoPostgres, start_postgres
from tests.support.server import LiveServer

# With --database both, one run covers both databases: the browser tests walk through the whole product and
# stay on SQLite, all others that touch a database run on each.
KINDS = {"sqlite": ["sqlite"], "postgres": ["postgres"], "both": ["sqlite", "postgres"]}
BROWSER_FIXTURES = {"playwright", "browser", "page", "tablet", "make_tablet"}


def pytest_sessionstart():
    """Look for garbage less often: a test makes a great deal of it, and next to nothing that stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_addoption(parser):
    parser.addoption(
        "--database", choices=sorted(KINDS), default="sqlite", help="the database that the tests run on"
    )


def pytest_generate_tests(metafunc):
    if "databases" not in metafunc.fixturenames:
        return
    kinds = KINDS[metafunc.config.getoption("--database")]
    if len(kinds) > 1 and BROWSER_FIXTURES & set(metafunc.fixturenames):
        kinds = ["sqlite"]
    marks = {"postgres": [pytest.mark.postgres]}
    parameters = [pytest.param(kind, marks=marks.get(kind, [])) for kind in kinds]
    metafunc.parametrize("databases", parameters, indirect=True, scope="session")


def pytest_collection_modifyitems(items):
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def databases(request, tmp_path_factory):
    """Migrated databases to copy from: SQLite files, or the throw-away PostgreSQL."""
    folder = tmp_path_factory.mktemp("template")
    if request.param == "sqlite":
        return SqliteDatabases(folder)
    return PostgresDatabases(request.getfixturevalue("postgres"), folder)


@pytest.fixture(scope="session")
def postgres():
    """The throw-away PostgreSQL of this session."""
    try:
        server = start_postgres()
    except NoPostgres as reason:
        unavailable(str(reason))
    yield server
    server.stop()


@pytest.fixture
def data(tmp_path):
    """An empty data folder."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def database_url(databases, data):
    """A fresh migrated database, gone again after the test."""
    url = databases.fresh(data)
    yield url
    databases.drop(url)


@pytest.fixture
def app(data, database_url):
    """The application on a fresh database. No context is pushed: each request has its own."""
    app = make_app(data, database_url)
    with weak_passwords():
        yield app
    close(app)


@pytest.fixture
def app_context(app):
    """The application's context, for tests of store and services that make no request."""
    with app.app_context():
        yield app


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def runner(app):
    return app.test_cli_runner()


@pytest.fixture
def live_server(data, database_url):
    """`inspect-app serve` on its own folder and database: `.url`, `.kill()`, `.start()`, `.command(...)`."""
    server = LiveServer(data, database_url if database_url.startswith("postgresql") else None)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def demonstration_folder(tmp_path_factory):
    """A data folder with the demonstration, loaded once; tests work on copies.

    The app was sent to one tablet from it: compressing it for each test anew costs seconds.
    """
    folder = tmp_path_factory.mktemp("demonstration")
    server = LiveServer(folder)
    server.command("demo")
    server.start().send_app()
    server.stop()
    return folder


@pytest.fixture
def demonstration(request, tmp_path):
    """A folder with the demonstration and its database: SQLite, or PostgreSQL with `--database postgres`."""
    folder = tmp_path / "demonstration"
    if request.config.getoption("--database") != "postgres":
        shutil.copytree(request.getfixturevalue("demonstration_folder"), folder)
        return folder, None
    folder.mkdir()
    url = request.getfixturevalue("postgres").make_database().render_as_string(hide_password=False)
    LiveServer(folder, url).command("demo")
    return folder, url


@pytest.fixture
def demo_server(demonstration):
    """`inspect-app serve` on a demonstration of this test's own."""
    server = LiveServer(*demonstration).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def playwright():
    """Playwright with a Chromium found on the machine."""
    if not browsers.find_chromium():
        unavailable("No Chromium was found. Install the package chromium, or Google Chrome.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright):
    with browsers.chromium(playwright) as running:
        yield running


@pytest.fixture
def page(browser):
    """A page in a profile of its own; a script error or a blocked resource fails the test."""
    context = browser.new_context(**browsers.OPTIONS)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, f"The page raised {errors}"


@pytest.fixture
def make_tablet(playwright, tmp_path):
    """Make tablets: `make_tablet(origin, name)`; their browsers are closed at the end."""
    made = []

    def make(origin, name="tablet", **options):
        tablet = browsers.Tablet(playwright, tmp_path / f"profile-{name}", origin, **options)
        made.append(tablet)
        return tablet

    yield make
    for tablet in made:
        tablet.close()


@pytest.fixture
def tablet(make_tablet, live_server):
    """One tablet of the live server, not opened yet."""
    return make_tablet(live_server.url)


def _member(key):
    @pytest.fixture(name=key)
    def member(app):
        with app.app_context():
            return hire(key)

    return member


# The cast: each is a person in the database of this test; support/cast.py says what is known of them.
inspector_a = _member("inspector_a")
inspector_b = _member("inspector_b")
reviewer_1 = _member("reviewer_1")
administrator = _member("administrator")
reader = _member("reader")
outsider = _member("outsider")
