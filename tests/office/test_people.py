"""The people page: making, changing and keeping out people, by an administrator of that village only."""

import re

import pytest

from inspect_app.domain.errors import Refused
from inspect_app.services import people
from inspect_app.store import people as store
from inspect_app.store.base import db
from inspect_app.store.people import Person
from tests.support.cast import BEFORE, PASSWORD


def roles(app, member, village="barneveld"):
    with app.app_context():
        return store.roles_of(store.person(member.id), village)


def count(app):
    with app.app_context():
        return db.session.query(Person).count()


def test_the_list_shows_who_is_who(desk, administrator, inspector_a, outsider):
    page = desk(administrator).get("/barneveld/people").text
    assert "Inspector A" in page
    assert "Outsider" not in page


def test_a_new_person_gets_a_first_password_that_works(app, desk, administrator):
    answer = desk(administrator).post(
        "/barneveld/people/new", name="Inspector X", sign_in_name="Inspector-X", roles=["inspector"]
    )
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    password = re.findall(r'<dd class="code">([^<]+)</dd>', answer.text)[1]
    assert desk().sign_in("inspector-x", password).status_code == 302


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Type the name that records will show."),
        ({"name": "   "}, "Type the name that records will show."),
        ({"name": "x" * 121}, "Shorten the name."),
        ({"sign_in_name": ""}, "Type a sign-in name."),
        ({"sign_in_name": "inspector x"}, "letters a to z, digits"),
        ({"sign_in_name": "ínspector"}, "letters a to z, digits"),
        ({"sign_in_name": "administrator"}, "The sign-in name administrator is taken."),
        ({"roles": []}, "No role is chosen."),
        ({"roles": ["emperor"]}, "not on the list"),
    ],
)
def test_what_is_not_accepted_is_said_at_the_field(app, desk, administrator, fields, sentence):
    before = {"name": "Inspector X", "sign_in_name": "inspector-x", "roles": ["inspector"]}
    browser, people_before = desk(administrator), count(app)
    answer = browser.post("/barneveld/people/new", **(before | fields))
    assert answer.status_code == 422
    assert sentence in answer.text
    assert 'aria-invalid="true"' in answer.text or "roles" in fields
    assert count(app) == people_before


def test_roles_are_changed_here_and_nowhere_else(app, desk, administrator, inspector_a):
    with app.app_context():
        people.join("howards_grove", "inspector-a", ["reader"])
    answer = desk(administrator).post(f"/barneveld/people/{inspector_a.id}", roles=["inspector", "reviewer"])
    assert answer.status_code == 302
    assert roles(app, inspector_a) == ("inspector", "reviewer")
    assert roles(app, inspector_a, "howards_grove") == ("reader",)


def test_the_only_administrator_stays_one(app, desk, administrator):
    browser = desk(administrator)
    answer = browser.post(f"/barneveld/people/{administrator.id}", roles=["reader"])
    assert answer.status_code == 422
    assert "is the only administrator here" in answer.text
    assert roles(app, administrator) == ("administrator",)
    kept = browser.post(f"/barneveld/people/{administrator.id}/deactivate")
    assert kept.status_code == 422
    assert "You cannot deactivate yourself" in kept.text


def test_a_deactivated_person_is_out_at_once_and_can_be_let_in_again(desk, administrator, inspector_a):
    office, browser = desk(administrator), desk(inspector_a)
    assert office.get(f"/barneveld/people/{inspector_a.id}/deactivate").status_code == 200
    assert browser.get("/account").status_code == 200
    assert office.post(f"/barneveld/people/{inspector_a.id}/deactivate").status_code == 302
    assert browser.get("/account").status_code == 302
    assert "Deactivated" in office.get("/barneveld/people").text
    office.post(f"/barneveld/people/{inspector_a.id}/activate")
    assert desk().sign_in("inspector-a", PASSWORD).status_code == 302


def test_a_new_first_password_replaces_the_old_one(desk, administrator, inspector_a):
    answer = desk(administrator).post(f"/barneveld/people/{inspector_a.id}/password")
    password = re.findall(r'<dd class="code">([^<]+)</dd>', answer.text)[1]
    assert desk().sign_in("inspector-a", PASSWORD).status_code == 422
    assert desk().sign_in("inspector-a", password).status_code == 302


def test_somebody_of_two_villages_is_not_one_administrators_to_take_over(app, desk, administrator, outsider):
    with app.app_context():
        people.join("barneveld", "outsider", ["reader"])
    office = desk(administrator)
    assert office.post(f"/barneveld/people/{outsider.id}/password").status_code == 403
    assert office.post(f"/barneveld/people/{outsider.id}/deactivate").status_code == 403
    assert desk().sign_in("outsider", PASSWORD).status_code == 302


@pytest.mark.parametrize("who", ["inspector_a", "reviewer_1", "reader"])
def test_only_an_administrator_may(request, app, desk, who):
    browser, people_before = desk(request.getfixturevalue(who)), None
    people_before = count(app)
    assert browser.get("/barneveld/people").status_code == 403
    answer = browser.post(
        "/barneveld/people/new", name="X", sign_in_name="someone-new", roles=["administrator"]
    )
    assert answer.status_code == 403
    assert "Your role does not allow this" in answer.text
    assert count(app) == people_before


def test_a_person_of_another_village_cannot_be_seen_or_changed(app, desk, administrator, outsider):
    office = desk(administrator)
    assert office.get(f"/barneveld/people/{outsider.id}").status_code == 404
    assert office.post(f"/barneveld/people/{outsider.id}", roles=["reader"]).status_code == 404
    assert office.post(f"/barneveld/people/{outsider.id}/password").status_code == 404
    assert roles(app, outsider) == ()


def test_a_name_is_known_whatever_its_capitals(app_context, administrator):
    with pytest.raises(Refused):
        people.add("barneveld", "ADMINISTRATOR", "Somebody", ["reader"], BEFORE)
