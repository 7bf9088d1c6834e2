"""Photos that a revoked tablet sends: whole in staging, and used only on a reviewer's word."""

from datetime import UTC, datetime, timedelta

import pytest

from inspect_app.domain.errors import IllegalTransition, NotAllowed, NotFound, Refused
from inspect_app.services import again, devices, staging, uploads
from inspect_app.store.inspections import InspectionHistory
from inspect_app.store.people import person
from inspect_app.store.photos import Upload
from inspect_app.store.sync import OpLog
from tests.api import pictures
from tests.api.tablet import sha256

PHOTO = pictures.jpeg()
REASON = "The tablet was found again, and its inspector confirms the photo."


@pytest.fixture
def held(app, tablet_a):
    """A photo sent whole by a tablet that is out of use: (record id, photo id, upload id)."""
    record_id = tablet_a.begin()
    tablet_a.push()
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    photo_id = tablet_a.attach(record_id, PHOTO)
    tablet_a.device_token = None
    assert tablet_a.push()[0]["reason"] == "device_revoked"
    url = tablet_a.upload(photo_id, PHOTO)
    return record_id, photo_id, url.rpartition("/")[2]


@pytest.fixture
def decide(app):
    def make(member, upload_id, decision, reason=REASON):
        with app.app_context():
            staging.decide(member.village, upload_id, decision, reason, person(member.id), datetime.now(UTC))

    return make


def apply_again(app, reviewer, rows):
    with app.app_context():
        op_id = rows(OpLog, status="quarantined")[0]["op_id"]
        again.reapply(op_id, "barneveld", person(reviewer.id), datetime.now(UTC))


@pytest.mark.parametrize("op_first", [True, False])
def test_released_it_is_stored_whichever_of_op_and_photo_comes_first(
    app, tablet_b, held, decide, reviewer_1, rows, op_first
):
    record_id, photo_id, upload_id = held
    if op_first:
        apply_again(app, reviewer_1, rows)
        assert tablet_b.photo_state(photo_id) == "partial"
    decide(reviewer_1, upload_id, "release")
    if not op_first:
        apply_again(app, reviewer_1, rows)
    assert tablet_b.photo_state(photo_id) == "stored"
    assert [(one["sha256"], one["state"]) for one in tablet_b.doc(record_id)["photos"]] == [
        (sha256(PHOTO), "stored")
    ]
    with app.app_context():
        assert staging.waiting("barneveld") == []
    said = rows(InspectionHistory, op_kind="upload.decide")
    assert [row["new"]["reason"] for row in said] == ([REASON] if op_first else [])
    assert [row["status"] for row in rows(OpLog, kind="upload.decide")] == ["applied"]


def test_kept_aside_it_is_never_used_and_never_swept(app, tablet_a, held, decide, reviewer_1, rows, data):
    _record_id, photo_id, upload_id = held
    decide(reviewer_1, upload_id, "keep")
    with app.app_context():
        assert staging.waiting("barneveld") == []
        staging.sweep(datetime.now(UTC) + timedelta(days=100))
        assert uploads.standing(tablet_a.device_id, upload_id, datetime.now(UTC)).state == "kept"
    assert len(list((data / "staging" / upload_id).iterdir())) == 1
    assert tablet_a.photo_state(photo_id) == "partial"
    assert tablet_a.create_upload(photo_id, PHOTO).headers["Upload-Offset"] == str(len(PHOTO))
    with pytest.raises(IllegalTransition):
        decide(reviewer_1, upload_id, "release")


def test_a_server_that_was_killed_after_the_decision_stores_it_with_the_next_sweep(
    app, tablet_b, held, decide, reviewer_1, rows, monkeypatch
):
    _record_id, photo_id, upload_id = held
    apply_again(app, reviewer_1, rows)
    with monkeypatch.context() as patched:
        patched.setattr(uploads, "finish_released", lambda *_: None)
        decide(reviewer_1, upload_id, "release")
    assert rows(Upload)[0]["state"] == "released"
    with app.app_context():
        staging.sweep(datetime.now(UTC))
    assert tablet_b.photo_state(photo_id) == "stored"


def test_only_the_office_of_the_village_decides_and_says_why(
    held, decide, reviewer_1, inspector_b, outsider, tablet_b
):
    upload_id = held[2]
    with pytest.raises(NotAllowed):
        decide(inspector_b, upload_id, "release")
    with pytest.raises(NotFound):
        decide(outsider, upload_id, "release")
    with pytest.raises(NotFound):
        decide(reviewer_1, "0" * 40, "release")
    for decision, reason in (("release", ""), ("release", "ok"), ("burn", REASON)):
        with pytest.raises(Refused):
            decide(reviewer_1, upload_id, decision, reason)
    tablet_b.op("upload.decide", None, upload_id=upload_id, decision="release", reason=REASON)
    assert tablet_b.push()[0]["reason"] == "office_only"


def test_what_is_not_whole_or_of_a_tablet_in_use_does_not_wait(app, tablet_a, tablet_b, reviewer_1, decide):
    url = tablet_b.create_upload("p-1", PHOTO).headers["Location"]
    tablet_b.patch(url, 0, PHOTO[:100])
    with app.app_context():
        devices.revoke("barneveld", tablet_b.device_id, None, datetime.now(UTC))
        assert staging.waiting("barneveld") == []
    with pytest.raises(IllegalTransition):
        decide(reviewer_1, url.rpartition("/")[2], "release")
