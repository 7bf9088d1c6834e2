"""Coming in: sign-in, throttling, sessions, one's own account, and that nobody sees another village."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from inspect_app.domain.errors import SignInRefused, TooManyTries
from inspect_app.services import passwords, people, throttle
from inspect_app.store.base import db, transaction
from inspect_app.store.people import SignInAttempt
from tests.support.cast import PASSWORD

STAND_IN = "0192aaaa-0000-7000-8000-000000000001"
NOON = datetime(2026, 6, 18, 17, 0, tzinfo=UTC)


def attempts(app):
    with app.app_context():
        return db.session.query(SignInAttempt).count()


def test_name_and_password_lead_to_the_village(desk, reviewer_1):
    answer = desk().sign_in("reviewer-1", PASSWORD)
    assert answer.location == "/"
    there = desk(reviewer_1).get("/")
    assert there.location == "/barneveld/"


def test_the_sign_in_name_may_be_typed_in_capitals(desk, reviewer_1):
    assert desk().sign_in(" Reviewer-1 ", PASSWORD).status_code == 302


def test_sign_in_leads_back_to_the_page_that_was_asked_for(desk, reviewer_1):
    browser = desk()
    sent = browser.get("/barneveld/assignments?state=done")
    assert sent.status_code == 302
    assert sent.location == "/sign-in?next=/barneveld/assignments?state%3Ddone"
    answer = browser.post(
        "/sign-in", name="reviewer-1", password=PASSWORD, next="/barneveld/assignments?state=done"
    )
    assert answer.location == "/barneveld/assignments?state=done"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://example.com/", "//example.com", "/\\example.com", "\\\\example.com", "javascript:x"],
)
def test_sign_in_never_leads_to_another_site(desk, reviewer_1, elsewhere):
    answer = desk().post("/sign-in", name="reviewer-1", password=PASSWORD, next=elsewhere)
    assert answer.location == "/"


def test_wrong_password_and_unknown_name_get_the_same_answer(desk, reviewer_1):
    known = desk().sign_in("reviewer-1", "not the password")
    unknown = desk().sign_in("nobody-at-all", "not the password")
    assert known.status_code == unknown.status_code == 422
    sentence = "The sign-in name and the password do not fit together."
    assert sentence in known.text
    assert sentence in unknown.text


def test_a_password_costs_whoever_guesses_it_64_megabytes_a_try():
    assert "$m=65536,t=3,p=4$" in passwords.hashed(PASSWORD)


def test_an_unknown_name_costs_a_hash_as_a_known_one_does(app_context, monkeypatch):
    checked = []
    monkeypatch.setattr(
        "inspect_app.services.passwords.fits", lambda kept, password: bool(checked.append(kept))
    )
    with pytest.raises(SignInRefused):
        people.authenticate("nobody-at-all", "x", "192.0.2.1", NOON)
    assert len(checked) == 1
    assert checked[0].startswith("$argon2id$")


def test_a_deactivated_person_gets_the_same_answer_as_an_unknown_one(app, desk, reviewer_1):
    with app.app_context():
        people.set_active("barneveld", reviewer_1.id, False)
    answer = desk().sign_in("reviewer-1", PASSWORD)
    assert answer.status_code == 422
    assert "do not fit together" in answer.text


def test_an_empty_form_says_at_each_field_what_is_missing(app, desk):
    answer = desk().post("/sign-in", name="", password="")
    assert answer.status_code == 422
    assert "Type your sign-in name." in answer.text
    assert "Type your password." in answer.text
    assert attempts(app) == 0


def test_a_form_without_a_token_is_refused_and_signs_nobody_in(app, desk, reviewer_1):
    browser = desk()
    answer = browser.client.post("/sign-in", data={"name": "reviewer-1", "password": PASSWORD})
    assert answer.status_code == 400
    assert browser.get("/account").status_code == 302
    assert attempts(app) == 0


def test_an_answer_that_comes_late_brings_no_earlier_session_back(desk, reviewer_1):
    browser = desk(reviewer_1)
    for path in ("/barneveld/", "/account", "/barneveld/records/01/photos/00/preview"):
        assert "Set-Cookie" not in browser.get(path).headers


# Throttling: five tries are free, the sixth waits


def try_often(name, times, now, address="192.0.2.1"):
    for _ in range(times):
        with pytest.raises(SignInRefused):
            people.authenticate(name, "wrong", address, now)


def test_up_to_the_limit_the_right_password_still_works(app_context, reviewer_1):
    try_often("reviewer-1", 4, NOON)
    assert people.authenticate("reviewer-1", PASSWORD, "192.0.2.1", NOON).id == reviewer_1.id


def test_on_the_limit_even_the_right_password_must_wait(app_context, reviewer_1):
    try_often("reviewer-1", 5, NOON)
    with pytest.raises(TooManyTries) as refused:
        people.authenticate("reviewer-1", PASSWORD, "192.0.2.1", NOON)
    assert refused.value.retry_after == 5


def test_after_the_wait_the_right_password_works_and_clears_the_count(app_context, reviewer_1):
    try_often("reviewer-1", 5, NOON)
    later = NOON + timedelta(seconds=5)
    people.authenticate("reviewer-1", PASSWORD, "192.0.2.1", later)
    try_often("reviewer-1", 5, later)


def test_the_wait_doubles_with_each_failure_up_to_a_quarter_of_an_hour():
    limit = throttle.NAME
    assert [throttle.wait_s(failed, limit) for failed in (4, 5, 6, 7)] == [0, 5, 10, 20]
    assert throttle.wait_s(400, limit) == throttle.LONGEST_WAIT_S


def test_a_name_is_throttled_from_any_address_and_other_names_are_not(app_context, reviewer_1, inspector_a):
    for number in range(5):
        try_often("reviewer-1", 1, NOON, f"192.0.2.{number}")
    with pytest.raises(TooManyTries):
        people.authenticate("reviewer-1", PASSWORD, "192.0.2.99", NOON)
    assert people.authenticate("inspector-a", PASSWORD, "192.0.2.99", NOON).id == inspector_a.id


def test_a_name_that_does_not_exist_is_throttled_alike(app_context):
    try_often("nobody-at-all", 5, NOON)
    with pytest.raises(TooManyTries):
        people.authenticate("nobody-at-all", "wrong", "192.0.2.1", NOON)


def test_an_address_that_tries_many_names_is_throttled(app_context, reviewer_1):
    with transaction() as session:
        session.add_all(
            SignInAttempt(key="address:192.0.2.1", at=NOON, succeeded=False)
            for _ in range(throttle.ADDRESS.free)
        )
    with pytest.raises(TooManyTries):
        people.authenticate("reviewer-1", PASSWORD, "192.0.2.1", NOON)
    people.authenticate("reviewer-1", PASSWORD, "192.0.2.2", NOON)


def test_a_try_that_is_told_to_wait_is_not_counted(app_context, reviewer_1):
    try_often("reviewer-1", 5, NOON)
    before = db.session.query(SignInAttempt).count()
    for _ in range(3):
        with pytest.raises(TooManyTries):
            people.authenticate("reviewer-1", "wrong", "192.0.2.1", NOON)
    assert db.session.query(SignInAttempt).count() == before


def test_the_page_says_how_long_to_wait(app, desk, reviewer_1):
    with app.app_context(), transaction() as session:
        session.add_all(
            SignInAttempt(key="address:127.0.0.1", at=datetime.now(UTC), succeeded=False)
            for _ in range(throttle.ADDRESS.free + 6)
        )
    answer = desk().post("/sign-in", name="reviewer-1", password=PASSWORD)
    assert answer.status_code == 429
    assert 200 <= int(answer.headers["Retry-After"]) <= 320
    assert re.search(r"Wait \d minutes and try again", answer.text)


def test_no_sign_in_name_is_kept_in_the_attempts(app_context):
    # People type their password into the field for the name: it must not be readable in a table.
    try_often("my secret password", 1, NOON)
    assert all("secret" not in attempt.key for attempt in db.session.query(SignInAttempt))


# Sessions and the account


def test_signing_out_ends_the_session(desk, reviewer_1):
    browser = desk(reviewer_1)
    assert browser.post("/sign-out").location == "/sign-in"
    assert browser.get("/barneveld/assignments").location.startswith("/sign-in")


def test_a_session_ends_after_twelve_hours_without_use(desk, reviewer_1):
    with time_machine.travel(NOON, tick=False) as clock:
        browser = desk(reviewer_1)
        clock.shift(timedelta(hours=11))
        assert browser.get("/account").status_code == 200
        clock.shift(timedelta(hours=13))
        assert browser.get("/account").status_code == 302


def test_a_new_password_ends_the_other_sessions_but_not_this_one(desk, reviewer_1):
    here, elsewhere = desk(reviewer_1), desk(reviewer_1)
    answer = here.post("/account", current=PASSWORD, new="another long password")
    assert answer.status_code == 302
    assert here.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302
    assert desk().sign_in("reviewer-1", "another long password").status_code == 302


@pytest.mark.parametrize(
    ("current", "new", "sentence"),
    [
        ("wrong", "another long password", "This is not your current password."),
        (PASSWORD, "short", "The password has 5 characters. Use 10 or more."),
        (PASSWORD, "", "Type a new password"),
        (PASSWORD, "x" * 257, "longer than 256 characters"),
        (PASSWORD, "reviewer-1", "The password is the sign-in name."),
    ],
)
def test_a_password_that_is_not_accepted_says_why_and_stays(desk, reviewer_1, current, new, sentence):
    answer = desk(reviewer_1).post("/account", current=current, new=new)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert desk().sign_in("reviewer-1", PASSWORD).status_code == 302


def test_the_account_shows_the_roles(desk, reviewer_1):
    page = desk(reviewer_1).get("/account").text
    assert "Reviewer 1" in page
    assert "reviewer" in page


# Villages


def pages_of_a_village(app, only_forms=False):
    """Every address under a village, with a stand-in for each id, and its method."""
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/<village:") or (only_forms and "POST" not in rule.methods):
            continue
        path = re.sub(r"<[^>]+>", STAND_IN, rule.rule.split(">", 1)[1])
        yield f"/barneveld{path}", "POST" if only_forms or "GET" not in rule.methods else "GET"


def opened(browser, path, method):
    return browser.get(path) if method == "GET" else browser.post(path)


def test_a_person_of_another_village_gets_404_on_every_page(app, desk, outsider):
    browser, pages = desk(outsider), list(pages_of_a_village(app))
    assert len(pages) > 10
    for path, method in pages:
        answer = opened(browser, path, method)
        assert answer.status_code == 404, path
        assert "Barneveld" not in answer.text, path


def test_signed_out_every_page_of_a_village_leads_to_sign_in(app, desk):
    browser = desk()
    for path, method in pages_of_a_village(app):
        answer = opened(browser, path, method)
        assert answer.status_code == 302, path
        assert answer.location.startswith("/sign-in"), path


def test_every_form_of_a_village_wants_its_token(app, desk, administrator):
    browser, forms = desk(administrator), list(pages_of_a_village(app, only_forms=True))
    assert len(forms) > 5
    for path, _method in forms:
        assert browser.client.post(path).status_code == 400, path


def test_a_village_is_written_with_a_dash_and_only_so(desk, outsider):
    browser = desk(outsider)
    assert browser.get("/howards-grove/assignments").status_code == 200
    assert browser.get("/howards_grove/assignments").status_code == 404
    assert browser.get("/nowhere/assignments").status_code == 404


def test_somebody_of_two_villages_chooses(app, desk, outsider):
    with app.app_context():
        people.join("barneveld", "outsider", ["reader"])
    page = desk(outsider).get("/")
    assert page.status_code == 200
    assert 'href="/barneveld/"' in page.text
    assert 'href="/howards-grove/"' in page.text


def test_light_and_dark_are_kept_without_javascript(desk):
    browser = desk()
    answer = browser.post("/display", theme="dark", back="/sign-in")
    assert answer.location == "/sign-in"
    assert 'data-theme="dark"' in browser.get("/sign-in").text


def test_failures_are_forgotten_in_time(app_context, reviewer_1):
    try_often("reviewer-1", 5, NOON)
    try_often("reviewer-1", 5, NOON + timedelta(hours=25))
