"""No page and no screen breaks WCAG 2.2 AA, in any of its displays.

Here alone a browser is told to pass over the Content-Security-Policy: axe is put into the page as an inline
script, which the policy rightly blocks. All other browser tests run under the policy as it is.
"""

import pytest

from inspect_app.services.demonstration import PASSWORD
from tests.support import browser as browsers
from tests.support import steps
from tests.support.axe import show_whole, violations
from tests.support.cast import enrolment_code
from tests.support.databases import close, make_app
from tests.support.pages import office_pages, page_endpoints, sign_in

OFFICE_LOOKS = ((390, "light"), (1280, "light"), (820, "dark"))
TABLET_LOOKS = (*OFFICE_LOOKS, (820, "sun"))


@pytest.fixture
def routes(data):
    """The application, only to ask which view answers an address."""
    app = make_app(data, f"sqlite:///{data / 'none.sqlite3'}")
    yield app
    close(app)


@pytest.fixture
def watched(browser):
    """A page in which axe can run."""
    context = browser.new_context(**{**browsers.OPTIONS, "bypass_csp": True})
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_no_office_page_breaks_a_rule(watched, demo_server, routes):
    page, origin = watched, demo_server.url
    wrong = look_at(page, origin, ["/sign-in"])
    reached = {"sign_in.sign_in"}
    for name in ("reviewer-1", "admin-1", "reviewer-2"):
        sign_in(page, origin, name, PASSWORD)
        found = office_pages(routes, page, origin)
        new = [path for endpoint, path in found.items() if endpoint not in reached or name != "reviewer-2"]
        reached |= set(found)
        wrong += look_at(page, origin, [*new, "/barneveld/nothing-here"])
        page.context.clear_cookies(name="inspect_app")
    assert wrong == []
    assert page_endpoints(routes) - reached == set(), "pages that no link of the demonstration leads to"


def look_at(page, origin, paths) -> list[str]:
    """What axe says of these pages, at the width of a phone and of a desk, in light and in dark."""
    said = []
    for path in paths:
        page.goto(origin + path)
        for width, theme in OFFICE_LOOKS:
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            show_whole(page, width)
            said += [f"{path} at {width} px in {theme}: {sentence}" for sentence in violations(page)]
    return said


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", list(steps.VISITS))
def test_no_tablet_screen_breaks_a_rule(make_tablet, demo_server, name, language):
    village, visits = steps.VISITS[name]
    tablet = make_tablet(demo_server.url, name, bypass_csp=True)
    page = steps.enrol(tablet, enrolment_code(demo_server, name, village))
    wrong = []
    if language != "en":
        steps.speak(page, demo_server.url, language)
    for screen in steps.screens(page, demo_server.url, visits):
        for width, theme in TABLET_LOOKS:
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            show_whole(page, width)
            wrong += [f"{screen} in {theme} at {width} px: {sentence}" for sentence in violations(page)]
    assert wrong == []
    assert tablet.complaints == []
