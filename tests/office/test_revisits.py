"""Inspecting again: the office asks for it, the child begins with who and where, each shows the other."""

from inspect_app.services import places, revisits
from inspect_app.store import inspections
from inspect_app.store.base import db
from inspect_app.store.places import Assignment
from tests.office.field_work import BAD_TAP, CLEAN


def assignments(app):
    with app.app_context():
        return list(db.session.query(Assignment).all())


def number_of(app, record_id):
    with app.app_context():
        return inspections.inspection(record_id).number


def ask_again(desk, member, record_id, person):
    sent = {
        "protocol": "tap",
        "place": "MH-112 + 147.3 ft",
        "permit_no": "BV-2026-0044",
        "person_id": person.id,
        "due_at": "2026-06-22T09:40",
    }
    return desk(member).post(f"/barneveld/assignments/new?again={record_id}", **sent)


def test_the_office_asks_for_another_visit_with_what_carries_over(
    app, tablet_a, desk, reviewer_1, inspector_a
):
    first = tablet_a.tap(BAD_TAP)
    page = desk(reviewer_1).get(f"/barneveld/records/{first}").text
    assert f"/barneveld/assignments/new?again={first}" in page.replace("&amp;", "&")
    form = desk(reviewer_1).get(f"/barneveld/assignments/new?again={first}").text
    assert "A second visit after" in form
    assert number_of(app, first) in form
    assert 'value="BV-2026-0044"' in form
    other = {"protocol": "lateral", "place": "MH-112", "permit_no": "", "person_id": ""}
    assert desk(reviewer_1).post(f"/barneveld/assignments/new?again={first}", **other).status_code == 422
    assert ask_again(desk, reviewer_1, first, inspector_a).status_code == 302
    [made] = assignments(app)
    assert (made.parent_record, made.protocol, made.permit_no) == (first, "tap", "BV-2026-0044")
    assert made.prefill["tapper"]["tapper"] == "Plumber 2"
    assert made.prefill["main"]["main_diameter"] == {"value": "8", "unit": "in"}
    assert "tap_geometry" not in made.prefill, "nothing that was measured comes along"
    assert "distance_mh" not in made.prefill["position"]


def test_the_second_record_shows_what_the_first_found_and_the_first_keeps_it(app, tablet_a, desk, reviewer_1):
    first = tablet_a.tap(BAD_TAP)
    second = tablet_a.tap(CLEAN["tap_geometry"], parent_record=first)
    page = desk(reviewer_1).get(f"/barneveld/records/{second}").text
    assert "First visit" in page
    assert f"/barneveld/records/{first}" in page
    assert "First visit: 5.5 in ≤ 6 in, violation" in page
    assert "BV-TAP-04" in page
    earlier = desk(reviewer_1).get(f"/barneveld/records/{first}").text
    assert "Visited again" in earlier
    assert number_of(app, second) in earlier
    assert "5.5 in ≤ 6 in" in earlier


def test_a_third_visit_calls_the_one_before_it_earlier(tablet_a, desk, reviewer_1):
    first = tablet_a.tap(BAD_TAP)
    second = tablet_a.tap(
        BAD_TAP | {"joint_distance_down": {"value": "5.8", "unit": "in"}}, parent_record=first
    )
    third = tablet_a.tap(parent_record=second)
    page = desk(reviewer_1).get(f"/barneveld/records/{third}").text
    assert "Earlier visit: 5.8 in ≤ 6 in, violation" in page
    assert "5.5 in" not in page


def test_a_draft_or_void_record_is_not_inspected_again(app, tablet_a, desk, reviewer_1, inspector_a):
    draft = tablet_a.tap(hand_in=False)
    assert "Inspect again" not in desk(reviewer_1).get(f"/barneveld/records/{draft}").text
    assert desk(reviewer_1).get(f"/barneveld/assignments/new?again={draft}").status_code == 409
    assert ask_again(desk, reviewer_1, draft, inspector_a).status_code == 409
    assert assignments(app) == []


def test_a_record_of_nowhere_or_of_another_village_is_not_found(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    assert desk(reviewer_1).get("/barneveld/assignments/new?again=no-such-record").status_code == 404
    with app.app_context():
        assert inspections.inspection_in("howards_grove", record_id) is None


def test_who_may_only_read_cannot_ask_for_another_visit(app, tablet_a, desk, reader):
    record_id = tablet_a.tap()
    assert "Inspect again" not in desk(reader).get(f"/barneveld/records/{record_id}").text
    assert desk(reader).get(f"/barneveld/assignments/new?again={record_id}").status_code == 403


def test_the_next_visit_knows_what_the_first_ones_assignment_knew(app, tablet_a, inspector_a):
    visit = places.Visit(
        "tap",
        "MH-112 + 147.3 ft",
        inspector_a.id,
        None,
        context={"dwelling": "one_family"},
        latitude=43.0,
        longitude=-89.9,
    )
    with app.app_context():
        assignment = places.assign("barneveld", visit, None, tablet_a.wall).id
    first = tablet_a.tap(assignment_id=assignment)
    with app.app_context():
        again = revisits.next_visit("barneveld", first)
    assert (again.context, again.latitude, again.parent_record) == ({"dwelling": "one_family"}, 43.0, first)


def test_a_record_copied_from_paper_says_so_with_the_numbers_of_its_fields(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(hand_in=False)
    arrival = CLEAN["arrival"] | {"transcribed_by": "Clerk of the Village"}
    tablet_a.set(record_id, "arrival", arrival)
    tablet_a.hand_in(record_id)
    page = desk(reviewer_1).get(f"/barneveld/records/{record_id}").text
    assert "Copied from paper by Clerk of the Village." in page
    assert '<span class="meta">301</span> Permit number' in page
