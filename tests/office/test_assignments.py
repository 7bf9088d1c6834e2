"""Assignments: making, changing, cancelling; who may; and that tablets hear of each change."""

from datetime import UTC, datetime

import pytest

from inspect_app.domain.errors import IllegalTransition
from inspect_app.services import places
from inspect_app.store import places as store
from inspect_app.store.base import db, transaction
from inspect_app.store.places import Assignment
from inspect_app.store.sync import ChangeLog

NOON = datetime(2026, 6, 18, 17, 0, tzinfo=UTC)
NEW = "/barneveld/assignments/new"


@pytest.fixture
def assignment(app, inspector_a):
    """A tap check for Inspector A; its id."""
    visit = places.Visit(
        protocol="tap",
        place="MH-112 + 147.3 ft",
        person_id=inspector_a.id,
        due_at=NOON,
        permit_no="BV-2026-0044",
        prefill={"tapper": {"tapper": "Plumber 2"}},
        context={"dwelling": "one_family"},
    )
    with app.app_context():
        return places.assign("barneveld", visit, None, NOON).id


def kept(app, assignment_id):
    with app.app_context():
        return db.session.get(Assignment, assignment_id)


def changes(app, assignment_id):
    with app.app_context():
        rows = db.session.query(ChangeLog).filter_by(entity="assignment", record_id=assignment_id)
        return [row.chg for row in rows.order_by(ChangeLog.chg)]


def fields(member, **changed):
    return {
        "protocol": "lateral",
        "place": "Lot 14  Example Court",
        "permit_no": "BV-2026-0031",
        "person_id": member.id,
        "due_at": "2026-06-18T10:00",
        "note": "Stub at the property line.",
        "latitude": "43.0161",
        "longitude": "-89.8942",
    } | changed


def test_a_reviewer_makes_an_assignment_which_enters_the_change_feed(app, desk, reviewer_1, inspector_a):
    answer = desk(reviewer_1).post(NEW, **fields(inspector_a))
    assert answer.status_code == 302
    with app.app_context():
        [made] = db.session.query(Assignment)
        assert made.place == "Lot 14 Example Court"
        assert made.due_at == datetime(2026, 6, 18, 15, 0, tzinfo=UTC)
        assert (made.latitude, made.longitude) == (43.0161, -89.8942)
        assert made.state == "open"
        assert made.chg > 0
    assert changes(app, made.id) == [made.chg]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"protocol": ""}, "Choose the kind of inspection."),
        ({"protocol": "roof"}, "not on the list"),
        ({"place": ""}, "Type the address or the manhole."),
        ({"place": "x" * 201}, "longer than 200 characters"),
        ({"permit_no": "x" * 61}, "at most 60 characters"),
        ({"person_id": "nobody"}, "not on the list"),
        ({"due_at": "tomorrow"}, "cannot be read as day and time"),
        ({"note": "x" * 2001}, "longer than 2,000 characters"),
        ({"latitude": "north"}, "north is not a number."),
        ({"latitude": "91"}, "A latitude lies between"),
        ({"longitude": "181"}, "A longitude lies between"),
        ({"longitude": ""}, "A position needs both"),
        ({"latitude": "nan"}, "A latitude lies between"),
    ],
)
def test_what_is_not_accepted_is_said_at_the_field(app, desk, reviewer_1, inspector_a, changed, sentence):
    answer = desk(reviewer_1).post(NEW, **fields(inspector_a, **changed))
    assert answer.status_code == 422
    assert sentence in answer.text
    assert 'aria-invalid="true"' in answer.text
    with app.app_context():
        assert db.session.query(Assignment).count() == 0


def test_an_inspector_of_another_village_cannot_be_assigned(app, desk, reviewer_1, outsider):
    assert desk(reviewer_1).post(NEW, **fields(outsider)).status_code == 422


def test_nobody_and_no_time_are_answers(app, desk, reviewer_1, inspector_a):
    answer = desk(reviewer_1).post(NEW, **fields(inspector_a, person_id="", due_at=""))
    assert answer.status_code == 302
    with app.app_context():
        [made] = db.session.query(Assignment)
        assert made.person_id is None
        assert made.due_at is None


def test_changing_keeps_what_was_filled_in_beforehand(app, desk, reviewer_1, inspector_b, assignment):
    browser = desk(reviewer_1)
    page = browser.get(f"/barneveld/assignments/{assignment}").text
    assert "Plumber 2" in page
    assert 'value="2026-06-18T12:00"' in page
    answer = browser.post(
        f"/barneveld/assignments/{assignment}", **fields(inspector_b, protocol="tap", place="MH-112")
    )
    assert answer.status_code == 302
    changed = kept(app, assignment)
    assert (changed.place, changed.person_id) == ("MH-112", inspector_b.id)
    assert changed.prefill == {"tapper": {"tapper": "Plumber 2"}}
    assert changed.context == {"dwelling": "one_family"}
    assert len(changes(app, assignment)) == 2


def test_cancelling_asks_first_and_twice_is_harmless(app, desk, reviewer_1, assignment):
    browser, address = desk(reviewer_1), f"/barneveld/assignments/{assignment}/cancel"
    assert browser.get(address).status_code == 200
    assert kept(app, assignment).state == "open"
    assert browser.post(address).status_code == 302
    assert browser.post(address).status_code == 302
    assert kept(app, assignment).state == "cancelled"
    assert len(changes(app, assignment)) == 2


def test_a_cancelled_one_is_read_only(app, desk, reviewer_1, inspector_a, assignment):
    browser = desk(reviewer_1)
    browser.post(f"/barneveld/assignments/{assignment}/cancel")
    address = f"/barneveld/assignments/{assignment}"
    assert "Change the assignment" not in browser.get(address).text
    assert browser.post(address, **fields(inspector_a)).status_code == 409
    assert kept(app, assignment).protocol == "tap"


def test_a_begun_one_keeps_its_kind_and_a_done_one_cannot_be_cancelled(
    app, desk, reviewer_1, inspector_a, assignment
):
    with app.app_context(), transaction() as session:
        session.get(Assignment, assignment).state = "begun"
    answer = desk(reviewer_1).post(f"/barneveld/assignments/{assignment}", **fields(inspector_a))
    assert answer.status_code == 422
    assert "so its kind stays" in answer.text
    with app.app_context():
        with transaction() as session:
            session.get(Assignment, assignment).state = "done"
        with pytest.raises(IllegalTransition):
            places.cancel("barneveld", assignment, None)


@pytest.mark.parametrize("who", ["inspector_a", "reader"])
def test_inspectors_and_readers_see_but_do_not_change(request, app, desk, assignment, inspector_b, who):
    browser = desk(request.getfixturevalue(who))
    assert "MH-112" in browser.get("/barneveld/assignments").text
    assert "MH-112" in browser.get(f"/barneveld/assignments/{assignment}").text
    assert browser.get(NEW).status_code == 403
    assert browser.post(NEW, **fields(inspector_b)).status_code == 403
    assert browser.post(f"/barneveld/assignments/{assignment}", **fields(inspector_b)).status_code == 403
    assert browser.post(f"/barneveld/assignments/{assignment}/cancel").status_code == 403
    assert kept(app, assignment).state == "open"
    assert len(changes(app, assignment)) == 1


def test_an_outsider_sees_nothing_of_it_in_their_own_village_either(desk, outsider, assignment):
    browser = desk(outsider)
    assert browser.get(f"/howards-grove/assignments/{assignment}").status_code == 404
    assert browser.post(f"/howards-grove/assignments/{assignment}/cancel").status_code == 404
    assert "MH-112" not in browser.get("/howards-grove/assignments").text


def test_the_list_searches_place_and_permit_literally(desk, reader, assignment):
    browser = desk(reader)
    for query, found in (("mh-112", True), ("0044", True), ("%", False), ("_", False), ("Lot", False)):
        assert (
            "MH-112 + 147.3 ft" in browser.get("/barneveld/assignments", query_string={"q": query}).text
        ) is found


def test_the_list_has_pages(app, desk, reader, inspector_a):
    with app.app_context():
        for number in range(26):
            places.assign(
                "barneveld", places.Visit("tap", f"Place {number:02}", inspector_a.id, NOON), None, NOON
            )
    browser = desk(reader)
    first = browser.get("/barneveld/assignments").text
    assert "26 assignments" in first
    assert "Page 1 of 2" in first
    assert browser.get("/barneveld/assignments?page=2").text.count('scope="row"') == 1
    assert browser.get("/barneveld/assignments?page=x").status_code == 200


def test_a_tablet_holds_its_persons_assignments_and_those_of_nobody(
    app, inspector_a, inspector_b, assignment
):
    with app.app_context():
        places.assign("barneveld", places.Visit("tap", "Anybody's", None, None), None, NOON)
        places.assign("barneveld", places.Visit("tap", "Other's", inspector_b.id, NOON), None, NOON)
        held = [one.place for one in store.assignments_for(inspector_a.id, "barneveld")]
        assert held == ["MH-112 + 147.3 ft", "Anybody's"]
        places.cancel("barneveld", assignment, None)
        assert [one.place for one in store.assignments_for(inspector_a.id, "barneveld")] == ["Anybody's"]
