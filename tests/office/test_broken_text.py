"""A character that no database keeps is refused at the field that holds it, never with a failure."""

import pytest

SENTENCE = "This holds a character that is none. Type it again."
NUL = "a\x00b"


def test_signing_in(desk):
    answer = desk().post("/sign-in", name=NUL, password="a password of the tests 1857")
    assert answer.status_code == 422
    assert SENTENCE in answer.text
    assert desk().post("/sign-in", name="reviewer-1", password=NUL).status_code == 422


@pytest.mark.parametrize("field", ["name", "sign_in_name"])
def test_a_new_person(desk, administrator, field):
    said = {"name": "Inspector C", "sign_in_name": "inspector-c", "roles": "inspector"}
    answer = desk(administrator).post("/barneveld/people/new", **said | {field: NUL})
    assert answer.status_code == 422
    assert SENTENCE in answer.text


@pytest.mark.parametrize("field", ["place", "permit_no", "note", "person_id", "latitude"])
def test_an_assignment(desk, reviewer_1, inspector_a, field):
    said = {
        "protocol": "lateral",
        "place": "Lot 14",
        "permit_no": "",
        "person_id": inspector_a.id,
        "note": "",
    }
    answer = desk(reviewer_1).post("/barneveld/assignments/new", **said | {field: NUL})
    assert answer.status_code == 422
    assert SENTENCE in answer.text


def test_a_reason(desk, reviewer_1, tablet_a):
    record_id = tablet_a.tap(shots=[])
    answer = desk(reviewer_1).post(f"/barneveld/records/{record_id}/return", reason=NUL)
    assert answer.status_code in (302, 422)
    assert tablet_a.doc(record_id)["state"] != "returned"
