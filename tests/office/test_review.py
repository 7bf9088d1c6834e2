"""What a review lets through and what it refuses: every gate with its sentence, every role, every step."""

from datetime import UTC, datetime

import pytest

from inspect_app.store import findings, inspections
from inspect_app.store.base import transaction
from inspect_app.store.people import Membership
from tests.office.field_work import BAD_TAP, CLEAN, SHOTS, m


def state(app, record_id):
    with app.app_context():
        return inspections.inspection(record_id).state


def rev(app, record_id):
    with app.app_context():
        return inspections.inspection(record_id).rev


def step(desk, record_id, name, **fields):
    return desk.post(f"/barneveld/records/{record_id}/{name}", **fields)


def approve(app, desk, record_id):
    return step(desk, record_id, "approve", rev=rev(app, record_id))


# ------------------------------------------------------------------------------------ what goes through


def test_a_clean_record_is_approved(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    answer = approve(app, desk(reviewer_1), record_id)
    assert answer.status_code == 302
    with app.app_context():
        record = inspections.inspection(record_id)
        assert (record.state, record.decided_by, record.decided_rev) == (
            "approved",
            reviewer_1.id,
            record.rev,
        )


def test_a_record_may_be_taken_into_review_first(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    browser = desk(reviewer_1)
    assert step(browser, record_id, "take").status_code == 302
    assert state(app, record_id) == "in_review"
    assert approve(app, browser, record_id).status_code == 302
    assert state(app, record_id) == "approved"


def test_an_edit_after_approval_changes_nothing_and_waits_as_an_amendment(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    approve(app, desk(reviewer_1), record_id)
    tablet_a.pull()
    tablet_a.set(record_id, "tap_geometry", CLEAN["tap_geometry"] | {"joint_distance_down": m("41.5")})
    assert [result["status"] for result in tablet_a.push()] == ["conflict"]
    with app.app_context():
        record = inspections.inspection(record_id)
        assert record.state == "approved"
        assert record.doc["groups"]["tap_geometry"]["values"]["joint_distance_down"] == m("40.0")
        assert [one.kind for one in inspections.conflicts_of(record_id)] == ["amendment"]
    page = desk(reviewer_1).get(f"/barneveld/records/{record_id}").text
    assert "An amendment is proposed" in page
    assert "41.5 in" in page


@pytest.mark.parametrize(
    ("accepted", "stands", "after"), [(True, "41.5", "submitted"), (False, "40.0", "approved")]
)
def test_an_amendment_is_accepted_or_declined(app, tablet_a, desk, reviewer_1, accepted, stands, after):
    record_id = tablet_a.tap()
    browser = desk(reviewer_1)
    approve(app, browser, record_id)
    tablet_a.pull()
    tablet_a.set(record_id, "tap_geometry", CLEAN["tap_geometry"] | {"joint_distance_down": m("41.5")})
    tablet_a.push()
    with app.app_context():
        conflict = inspections.conflicts_of(record_id)[0]
        conflict_id, op = conflict.id, conflict.candidates[0]["op"]
    answer = browser.post(
        f"/barneveld/conflicts/{conflict_id}",
        take=op if accepted else "current",
        saw=op,
        reason="Read again on the photo of the tape.",
    )
    assert answer.status_code == 302
    with app.app_context():
        record = inspections.inspection(record_id)
        assert record.doc["groups"]["tap_geometry"]["values"]["joint_distance_down"] == m(stands)
        assert record.state == after


def test_a_returned_record_reaches_the_tablet_with_its_reason(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    reason = "Both distances again, from the bell lip."
    assert step(desk(reviewer_1), record_id, "return", reason=reason).status_code == 302
    doc = tablet_a.doc(record_id)
    assert doc["state"] == "returned"
    assert doc["returned"]["reason"] == reason
    assert reason in desk(reviewer_1).get(f"/barneveld/records/{record_id}").text


def test_a_returned_record_is_corrected_and_approved(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    step(desk(reviewer_1), record_id, "return", reason="Measure the tap again.")
    tablet_a.pull()
    tablet_a.set(record_id, "tap_geometry", CLEAN["tap_geometry"])
    tablet_a.hand_in(record_id)
    assert approve(app, desk(reviewer_1), record_id).status_code == 302


def test_a_void_record_keeps_everything(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    answer = step(desk(reviewer_1), record_id, "void", reason="The wrong permit was opened.")
    assert answer.status_code == 302
    with app.app_context():
        record = inspections.inspection(record_id)
        assert record.state == "void"
        assert "tap_geometry" in record.doc["groups"]
    assert "The wrong permit was opened." in desk(reviewer_1).get(f"/barneveld/records/{record_id}").text


def test_a_disputed_violation_no_longer_stands(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    browser = desk(reviewer_1)
    assert "Two violations stand." in browser.get(f"/barneveld/records/{record_id}").text
    for rule in ("BV-TAP-03", "BV-TAP-04"):
        answer = step(
            browser, record_id, f"findings/{rule}", decision="dispute", reason="The committee ordered it so."
        )
        assert answer.status_code == 302
    page = browser.get(f"/barneveld/records/{record_id}").text
    assert "No violation stands; 2 disputed." in page
    assert "The committee ordered it so." in page
    assert approve(app, browser, record_id).status_code == 302


def test_a_dispute_does_not_cover_another_measurement(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(CLEAN["tap_geometry"] | {"joint_distance_down": m("5.5")})
    browser = desk(reviewer_1)
    step(browser, record_id, "findings/BV-TAP-04", decision="dispute", reason="The joint is fused.")
    tablet_a.pull()
    tablet_a.set(record_id, "tap_geometry", CLEAN["tap_geometry"] | {"joint_distance_down": m("3.0")})
    tablet_a.hand_in(record_id)
    answer = approve(app, browser, record_id)
    assert answer.status_code == 409
    assert "One violation stands." in answer.text


def test_a_confirmed_violation_still_stands(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    browser = desk(reviewer_1)
    step(browser, record_id, "findings/BV-TAP-04", decision="confirm")
    assert "Confirmed</b> by Reviewer 1" in browser.get(f"/barneveld/records/{record_id}").text
    assert "Two violations stand." in approve(app, browser, record_id).text


# ------------------------------------------------------------------------------------ the gates


def missing_photo(tablet):
    record_id = tablet.tap(shots=SHOTS[:-1])
    tablet.shoot(record_id, *SHOTS[-1], arrives=False)
    return record_id


def in_conflict(tablet, other):
    record_id = tablet.tap()
    other.set(record_id, "tap_geometry", CLEAN["tap_geometry"] | {"clock": "11:00"}, replaces="")
    other.push()
    return record_id


GATES = {
    "violation": (
        lambda a, b: a.tap(CLEAN["tap_geometry"] | {"joint_distance_down": m("5.5")}),
        "One violation stands. Return the record, or dispute it with a reason.",
    ),
    "not evaluated": (
        lambda a, b: a.tap({k: v for k, v in CLEAN["tap_geometry"].items() if k != "clock"}),
        "BV-TAP-03 is not evaluated: Clock position is missing.",
    ),
    "photo missing": (
        lambda a, b: missing_photo(a),
        "One photo is promised and not here. Wait for the tablet, or return the record.",
    ),
    "photo not taken": (
        lambda a, b: a.tap(shots=SHOTS[:4]),
        "required photos were not taken: Clock card, Saddle on, North, East, South, West.",
    ),
    "conflict": (in_conflict, "“Around and along the main” is in conflict. Settle it first."),
    "draft": (
        lambda a, b: a.tap(hand_in=False),
        "It is still a draft: the inspector has not submitted it.",
    ),
}


@pytest.mark.parametrize("gate", GATES)
def test_each_gate_refuses_with_its_sentence(app, tablet_a, tablet_b, desk, reviewer_1, gate):
    make, sentence = GATES[gate]
    record_id = make(tablet_a, tablet_b)
    browser = desk(reviewer_1)
    before = state(app, record_id)
    answer = approve(app, browser, record_id)
    assert answer.status_code == 409
    assert sentence in answer.text.replace("&#39;", "'")
    assert state(app, record_id) == before
    assert sentence in browser.get(f"/barneveld/records/{record_id}").text


def test_an_open_item_keeps_the_record_from_approval(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    with app.app_context(), transaction() as session:
        row = next(one for one in findings.latest(record_id) if one.rule == "BV-EXC-06")
        row.outcome = "warning"
        row.body = {
            **row.body,
            "outcome": "warning",
            "open_item": True,
            "message": "The surface is not restored.",
        }
        session.add(row)
    answer = approve(app, desk(reviewer_1), record_id)
    assert answer.status_code == 409
    assert "BV-EXC-06 is open: The surface is not restored." in answer.text


def test_the_button_that_is_not_possible_stays_and_says_why(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    page = desk(reviewer_1).get(f"/barneveld/records/{record_id}").text
    assert 'aria-disabled="true" aria-describedby="gate-1">Approve</button>' in page
    assert 'id="gate-1"' in page


def test_a_record_that_changed_while_it_was_read_is_not_approved(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    read = rev(app, record_id)
    tablet_a.note(record_id, "One more thing.")
    tablet_a.push()
    answer = step(desk(reviewer_1), record_id, "approve", rev=read)
    assert answer.status_code == 409
    assert "The record changed while you read it." in answer.text
    assert state(app, record_id) == "submitted"


def test_an_approved_record_is_not_approved_or_returned_again(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    browser = desk(reviewer_1)
    approve(app, browser, record_id)
    assert approve(app, browser, record_id).status_code == 409
    assert step(browser, record_id, "return", reason="Too late for that.").status_code == 409
    assert state(app, record_id) == "approved"


@pytest.mark.parametrize("name", ["return", "void"])
def test_a_step_that_needs_a_reason_is_refused_without_one(app, tablet_a, desk, reviewer_1, name):
    record_id = tablet_a.tap()
    answer = step(desk(reviewer_1), record_id, name, reason=" no ")
    assert answer.status_code == 422
    assert "Say why, in words that somebody understands in a year." in answer.text
    assert state(app, record_id) == "submitted"


def test_a_dispute_without_a_reason_is_refused(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    answer = step(desk(reviewer_1), record_id, "findings/BV-TAP-04", decision="dispute", reason="")
    assert answer.status_code == 422
    with app.app_context():
        assert not findings.decisions(record_id)


def test_a_rule_that_passed_cannot_be_decided(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    answer = step(desk(reviewer_1), record_id, "findings/BV-TAP-04", decision="dispute", reason="Because.")
    assert answer.status_code == 422
    with app.app_context():
        assert not findings.decisions(record_id)


# ------------------------------------------------------------------------------------ who may


@pytest.fixture
def both(app, inspector_a):
    """Inspector A, who is made a reviewer too."""
    with app.app_context(), transaction() as session:
        session.add(Membership(person_id=inspector_a.id, village="barneveld", role="reviewer"))
    return inspector_a


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("approve", {}),
        ("return", {"reason": "To myself, again."}),
        ("take", {}),
        ("findings/BV-TAP-04", {"decision": "dispute", "reason": "I know better."}),
    ],
)
def test_the_reviewer_is_never_the_inspector(app, tablet_a, desk, both, name, fields):
    record_id = tablet_a.tap(BAD_TAP)
    answer = step(desk(both), record_id, name, rev=rev(app, record_id), **fields)
    assert answer.status_code in (403, 409, 422)
    assert state(app, record_id) == "submitted"
    with app.app_context():
        assert not findings.decisions(record_id)
    page = desk(both).get(f"/barneveld/records/{record_id}").text
    assert "You are its inspector. Another reviewer decides." in page


STEPS = ["take", "approve", "return", "void", "findings/BV-TAP-04"]


@pytest.mark.parametrize("name", STEPS)
def test_who_is_no_reviewer_may_not(app, tablet_a, desk, inspector_b, reader, name):
    record_id = tablet_a.tap(BAD_TAP)
    for member in (inspector_b, reader):
        answer = step(
            desk(member), record_id, name, rev=rev(app, record_id), reason="Long enough.", decision="confirm"
        )
        assert answer.status_code == 403
    assert state(app, record_id) == "submitted"


@pytest.mark.parametrize("name", STEPS)
def test_an_outsider_finds_nothing(app, tablet_a, desk, outsider, name):
    record_id = tablet_a.tap(BAD_TAP)
    browser = desk(outsider)
    assert step(browser, record_id, name, reason="Long enough.", decision="confirm").status_code == 404
    elsewhere = browser.post(
        f"/howards-grove/records/{record_id}/{name}", reason="Long enough.", decision="confirm", rev=1
    )
    assert elsewhere.status_code == 404
    assert state(app, record_id) == "submitted"


@pytest.mark.parametrize("name", STEPS)
def test_without_a_sign_in_nothing_happens(app, tablet_a, desk, name):
    record_id = tablet_a.tap(BAD_TAP)
    answer = step(desk(), record_id, name, reason="Long enough.", decision="confirm")
    assert answer.status_code == 302
    assert answer.location.startswith("/sign-in")
    assert state(app, record_id) == "submitted"


@pytest.mark.parametrize("name", STEPS)
def test_a_form_of_another_site_is_refused(app, tablet_a, desk, reviewer_1, name):
    record_id = tablet_a.tap(BAD_TAP)
    answer = desk(reviewer_1).client.post(
        f"/barneveld/records/{record_id}/{name}", data={"reason": "Long enough.", "decision": "confirm"}
    )
    assert answer.status_code == 400
    assert state(app, record_id) == "submitted"


def test_every_step_is_in_the_history_with_who_and_why(app, tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    browser = desk(reviewer_1)
    step(browser, record_id, "take")
    step(browser, record_id, "findings/BV-TAP-04", decision="confirm")
    step(browser, record_id, "return", reason="Measure the tap again.")
    with app.app_context():
        ours = [one for one in inspections.history(record_id) if one.person_id == reviewer_1.id]
        assert [one.op_kind for one in ours] == ["record.review", "finding.decide", "record.return"]
        assert all(one.received_at <= datetime.now(UTC) for one in ours)
    page = browser.get(f"/barneveld/records/{record_id}").text
    assert "Taken into review" in page
    assert "Confirmed BV-TAP-04" in page
