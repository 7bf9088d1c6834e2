"""Everybody can use what is shown while something is captured: camera, code, position, signature."""

import pytest

from tests.support.axe import show_whole, violations
from tests.support.capture import capture_screens
from tests.support.cast import enrolment_code
from tests.support.steps import enrol, speak


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_no_screen_of_capturing_breaks_a_rule(make_tablet, demo_server, language):
    tablet = make_tablet(demo_server.url, "inspector-a", bypass_csp=True)
    page = enrol(tablet, enrolment_code(demo_server, "inspector-a", "barneveld"))
    wrong = []
    if language != "en":
        speak(page, demo_server.url, language)
    for screen in capture_screens(page, demo_server.url, "MH-112"):
        for theme, width in (("light", 390), ("dark", 1280), ("sun", 820)):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            show_whole(page, width)
            wrong += [f"{screen} in {theme} at {width} px: {sentence}" for sentence in violations(page)]
    assert wrong == []
