"""Tablets: codes used once and in time, keys, tokens, what a revoked one may still do, and the page."""

import re
from base64 import b64encode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from inspect_app.domain.errors import NotAllowed, NotFound, Refused, SignInRefused, TooManyTries
from inspect_app.services import devices, keys, people
from inspect_app.store import people as store
from inspect_app.store.base import db
from inspect_app.store.people import Device, DeviceToken, EnrolmentCode
from tests.support.cast import PASSWORD

NOON = datetime(2026, 6, 18, 17, 0, tzinfo=UTC)
SECRET = "a secret of this test"


def coordinate(number):
    return urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")


class Key:
    """A tablet's key: signs as WebCrypto does, 64 raw bytes."""

    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        numbers = self.private.public_key().public_numbers()
        self.jwk = {"kty": "EC", "crv": "P-256", "x": coordinate(numbers.x), "y": coordinate(numbers.y)}

    def sign(self, text):
        r, s = decode_dss_signature(self.private.sign(text.encode(), ec.ECDSA(SHA256())))
        return b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()


@pytest.fixture
def key():
    return Key()


def enrolled(member, key):
    code = devices.make_code(member.village, member.id, None, NOON)
    return devices.enrol(code, key.jwk, "Tablet A", "0.1.0", NOON).device


@pytest.fixture
def tablet(app_context, inspector_a, key):
    """A tablet of Inspector A."""
    return enrolled(inspector_a, key)


@pytest.fixture
def tablet_id(app, inspector_a, key):
    """The same, for tests of pages: no context is left open that a request would share."""
    with app.app_context():
        return enrolled(inspector_a, key).id


def revoked_at(app, tablet_id):
    with app.app_context():
        return store.device(tablet_id).revoked_at


# Codes


def test_a_code_enrols_one_tablet_for_its_person(app_context, inspector_a, key):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    enrolment = devices.enrol(code, key.jwk, " Tablet   A ", "0.1.0", NOON)
    assert enrolment.device.village == "barneveld"
    assert enrolment.device.person_id == inspector_a.id
    assert enrolment.device.name == "Tablet A"
    assert enrolment.device.kid == keys.thumbprint(key.jwk)
    assert devices.holder(enrolment.person_token, "pull", NOON).person.id == inspector_a.id


def test_a_code_may_be_typed_with_look_alikes_and_a_dash(app_context, inspector_a, key):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    typed = f" {code[:5]}-{code[5:]} ".lower().replace("0", "o").replace("1", "l")
    assert devices.enrol(typed, key.jwk, "Tablet A", "", NOON).device.id


def test_a_code_is_not_kept_in_the_clear(app_context, inspector_a):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    assert code not in db.session.query(EnrolmentCode).one().code_sha256


def test_a_code_works_once(app_context, inspector_a, key):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    devices.enrol(code, key.jwk, "Tablet A", "", NOON)
    with pytest.raises(SignInRefused, match="used already"):
        devices.enrol(code, Key().jwk, "Tablet B", "", NOON)
    assert db.session.query(Device).count() == 1


def test_a_code_whose_answer_was_lost_gives_the_same_tablet_again(app_context, inspector_a, key):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    lost = devices.enrol(code, key.jwk, "Tablet A", "", NOON).device.id
    again = devices.enrol(code, key.jwk, "Tablet A", "", NOON + timedelta(minutes=5))
    assert again.device.id == lost
    assert devices.holder(again.person_token, "pull", NOON).device.id == lost
    assert db.session.query(Device).count() == 1


def test_a_tablet_that_was_heard_of_or_revoked_is_not_given_out_again(app_context, inspector_a, key):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    device = devices.enrol(code, key.jwk, "Tablet A", "", NOON).device
    device.last_seq = 1
    db.session.commit()
    with pytest.raises(SignInRefused, match="used already"):
        devices.enrol(code, key.jwk, "Tablet A", "", NOON)
    device.last_seq = 0
    db.session.commit()
    devices.revoke("barneveld", device.id, None, NOON)
    with pytest.raises(SignInRefused, match="used already"):
        devices.enrol(code, key.jwk, "Tablet A", "", NOON)


@pytest.mark.parametrize(("age", "works"), [(86399, True), (86400, False), (90000, False)])
def test_a_code_works_for_24_hours(app_context, inspector_a, key, age, works):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    later = NOON + timedelta(seconds=age)
    if works:
        devices.enrol(code, key.jwk, "Tablet A", "", later)
    else:
        with pytest.raises(SignInRefused, match="older than 24 hours"):
            devices.enrol(code, key.jwk, "Tablet A", "", later)
        assert db.session.query(Device).count() == 0


def test_a_code_of_somebody_who_left_does_not_work(app_context, inspector_a, key):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    people.set_active("barneveld", inspector_a.id, False)
    with pytest.raises(SignInRefused, match="may no longer inspect here"):
        devices.enrol(code, key.jwk, "Tablet A", "", NOON)


def test_guessing_codes_is_throttled_by_address(app_context, inspector_a, key):
    for _ in range(10):
        with pytest.raises(SignInRefused, match="not known"):
            devices.enrol("AAAAA-AAAAA", key.jwk, "X", "", NOON, "192.0.2.1")
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    with pytest.raises(TooManyTries):
        devices.enrol(code, key.jwk, "X", "", NOON, "192.0.2.1")
    devices.enrol(code, key.jwk, "X", "", NOON, "192.0.2.2")


@pytest.mark.parametrize(
    "change",
    [
        {"kty": "RSA"},
        {"crv": "P-384"},
        {"d": "AAAA"},
        {"x": "AAAA"},
        {"x": None},
        {"y": coordinate(7)},
        {"x": "%%%%"},
        {"y": 12},
    ],
)
def test_a_key_that_is_no_public_p256_key_is_refused_and_the_code_stays(
    app_context, inspector_a, key, change
):
    code = devices.make_code("barneveld", inspector_a.id, None, NOON)
    with pytest.raises(Refused, match="P-256"):
        devices.enrol(code, key.jwk | change, "Tablet A", "", NOON)
    assert devices.enrol(code, key.jwk, "Tablet A", "", NOON).device.id


def test_no_code_for_somebody_who_is_no_inspector_here(app_context, reviewer_1, outsider):
    for member in (reviewer_1, outsider):
        with pytest.raises(Refused):
            devices.make_code("barneveld", member.id, None, NOON)


# The device's proof and its tokens


def test_a_signed_nonce_gets_a_token_for_sending_only(tablet, key):
    nonce = keys.make_nonce(SECRET, NOON)
    device = devices.prove(tablet.id, nonce, key.sign(nonce), SECRET, NOON)
    token = devices.token_for(device, NOON)
    assert devices.holder(token.token, "push", NOON).device.id == tablet.id
    assert devices.holder(token.token, "upload", NOON).person is None
    with pytest.raises(NotAllowed):
        devices.holder(token.token, "pull", NOON)


@pytest.mark.parametrize(("age", "works"), [(300, True), (301, False), (-1, False)])
def test_a_nonce_lives_five_minutes(tablet, key, age, works):
    nonce, later = keys.make_nonce(SECRET, NOON), NOON + timedelta(seconds=age)
    if works:
        assert devices.prove(tablet.id, nonce, key.sign(nonce), SECRET, later).id == tablet.id
    else:
        with pytest.raises(SignInRefused):
            devices.prove(tablet.id, nonce, key.sign(nonce), SECRET, later)


def test_a_nonce_of_another_server_or_a_changed_one_is_refused(tablet, key):
    for nonce in (
        keys.make_nonce("another secret", NOON),
        "9" + keys.make_nonce(SECRET, NOON),
        "",
        "..",
        "x.y",
    ):
        with pytest.raises(SignInRefused):
            devices.prove(tablet.id, nonce, key.sign(nonce), SECRET, NOON)


def test_only_the_devices_own_key_proves_it(tablet, key):
    nonce = keys.make_nonce(SECRET, NOON)
    for device_id, signature in (
        (tablet.id, Key().sign(nonce)),
        (tablet.id, "no base64"),
        (tablet.id, ""),
        ("0192aaaa-0000-7000-8000-000000000001", key.sign(nonce)),
    ):
        with pytest.raises(SignInRefused):
            devices.prove(device_id, nonce, signature, SECRET, NOON)


@pytest.mark.parametrize(("minutes", "works"), [(14, True), (15, False)])
def test_a_token_for_sending_lives_a_quarter_of_an_hour(tablet, minutes, works):
    token = devices.token_for(tablet, NOON).token
    later = NOON + timedelta(minutes=minutes)
    if works:
        devices.holder(token, "push", later)
    else:
        with pytest.raises(SignInRefused):
            devices.holder(token, "push", later)


def test_a_persons_token_is_prolonged_by_use_but_never_over_thirty_days(tablet):
    token, _person = devices.person_token_for(tablet, "inspector-a", PASSWORD, "192.0.2.1", NOON)
    at = NOON
    while at < NOON + timedelta(days=29, hours=23):
        devices.holder(token.token, "pull", at)
        at += timedelta(hours=11)
    with pytest.raises(SignInRefused):
        devices.holder(token.token, "pull", NOON + timedelta(days=30))


def test_a_persons_token_ends_twelve_hours_after_its_last_use(tablet):
    token, _person = devices.person_token_for(tablet, "inspector-a", PASSWORD, "192.0.2.1", NOON)
    with pytest.raises(SignInRefused):
        devices.holder(token.token, "pull", NOON + timedelta(hours=12))


def test_another_inspector_of_the_village_may_read_on_the_tablet_an_outsider_may_not(
    tablet, inspector_b, outsider
):
    _token, person = devices.person_token_for(tablet, "inspector-b", PASSWORD, "192.0.2.1", NOON)
    assert person.id == inspector_b.id
    with pytest.raises(NotAllowed):
        devices.person_token_for(tablet, "outsider", PASSWORD, "192.0.2.1", NOON)


def test_somebody_who_is_no_longer_an_inspector_reads_nothing_more(tablet, inspector_a):
    token, _person = devices.person_token_for(tablet, "inspector-a", PASSWORD, "192.0.2.1", NOON)
    people.set_roles("barneveld", inspector_a.id, ["reader"])
    with pytest.raises(SignInRefused):
        devices.holder(token.token, "pull", NOON)


def test_a_revoked_tablet_reads_nothing_but_may_still_send_what_it_captured(tablet, key):
    token, _person = devices.person_token_for(tablet, "inspector-a", PASSWORD, "192.0.2.1", NOON)
    devices.revoke("barneveld", tablet.id, None, NOON)
    with pytest.raises(SignInRefused):
        devices.holder(token.token, "pull", NOON)
    with pytest.raises(NotAllowed):
        devices.person_token_for(tablet, "inspector-a", PASSWORD, "192.0.2.1", NOON)
    nonce = keys.make_nonce(SECRET, NOON)
    sending = devices.token_for(devices.prove(tablet.id, nonce, key.sign(nonce), SECRET, NOON), NOON)
    holder = devices.holder(sending.token, "push", NOON)
    assert holder.device.revoked_at == NOON


def test_revoking_twice_keeps_the_first_time_and_a_foreign_tablet_is_unknown(tablet):
    devices.revoke("barneveld", tablet.id, None, NOON)
    devices.revoke("barneveld", tablet.id, None, NOON + timedelta(days=1))
    assert store.device(tablet.id).revoked_at == NOON
    with pytest.raises(NotFound):
        devices.revoke("howards_grove", tablet.id, None, NOON)


def test_tokens_are_kept_as_hashes_only(tablet):
    token = devices.token_for(tablet, NOON).token
    assert all(token not in row.token_sha256 for row in db.session.query(DeviceToken))


# The page


def test_an_administrator_makes_a_code_that_is_shown_as_text_and_picture(
    app, desk, administrator, inspector_a
):
    answer = desk(administrator).post("/barneveld/tablets/codes", person_id=inspector_a.id)
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert "<svg" in answer.text
    code = re.search(r'<p class="code big">([^<]+)</p>', answer.text).group(1)
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}", code)
    with app.app_context():
        enrolment = devices.enrol(code, Key().jwk, "Tablet A", "", datetime.now(UTC))
        assert enrolment.person.id == inspector_a.id


def test_no_inspector_chosen_is_said_at_the_field(app, desk, administrator, outsider):
    browser = desk(administrator)
    assert "Choose whom the tablet is for." in browser.post("/barneveld/tablets/codes", person_id="").text
    refused = browser.post("/barneveld/tablets/codes", person_id=outsider.id)
    assert refused.status_code == 422
    with app.app_context():
        assert db.session.query(EnrolmentCode).count() == 0


def test_the_list_shows_check_in_and_what_is_not_sent(app, desk, tablet_id, administrator):
    with app.app_context():
        devices.seen(tablet_id, datetime.now(UTC) - timedelta(days=4), 12, 3_700_000)
    page = desk(administrator).get("/barneveld/tablets").text
    assert "4 days ago" in page
    assert "silent" in page
    assert "12 items" in page
    assert "3.7 MB" in page


def test_revoking_asks_first_and_then_the_tablet_is_out_of_use(desk, tablet_id, administrator):
    office, address = desk(administrator), f"/barneveld/tablets/{tablet_id}/revoke"
    assert "cannot be undone" in office.get(address).text
    assert office.post(address).status_code == 302
    assert "Out of use since" in office.get("/barneveld/tablets").text
    assert office.post(address).status_code == 302


@pytest.mark.parametrize(("who", "sees"), [("inspector_a", 403), ("reader", 403), ("reviewer_1", 200)])
def test_others_may_neither_make_codes_nor_revoke(request, app, desk, tablet_id, inspector_a, who, sees):
    browser = desk(request.getfixturevalue(who))
    assert browser.get("/barneveld/tablets").status_code == sees
    assert browser.post("/barneveld/tablets/codes", person_id=inspector_a.id).status_code == 403
    assert browser.post(f"/barneveld/tablets/{tablet_id}/revoke").status_code == 403
    assert revoked_at(app, tablet_id) is None


def test_an_outsiders_own_office_does_not_know_the_tablet(app, desk, tablet_id, outsider):
    browser = desk(outsider)
    assert browser.post(f"/howards-grove/tablets/{tablet_id}/revoke").status_code == 404
    assert browser.post(f"/barneveld/tablets/{tablet_id}/revoke").status_code == 404
    assert revoked_at(app, tablet_id) is None


# What a wiped tablet lost, and photos of one that is out of use


def test_work_that_a_wiped_tablet_lost_is_shown_with_what_has_arrived_of_it(app, desk, tablet_a, reviewer_1):
    record_id = tablet_a.tap(shots=[])
    for number in range(2):
        tablet_a.note(record_id, f"never sent {number}")
    unsent, lost_id = list(tablet_a.queue), tablet_a.device_id
    with app.app_context():
        code = devices.make_code("barneveld", tablet_a.person["id"], None, datetime.now(UTC))
    tablet_a.queue.clear()
    tablet_a.enrol(code, "Tablet A again")
    tablet_a.device_token = None
    tablet_a.op(
        "device.note", None, text="The storage was lost.", data={"lost_ops": 20, "device_id": lost_id}
    )
    tablet_a.push()
    browser = desk(reviewer_1)
    assert "it reported 20 unsent, 0 arrived" in browser.get("/barneveld/tablets").text
    answer = tablet_a.client.post("/api/v1/ops/carried", json={"ops": unsent}, headers=tablet_a.as_device())
    assert [result["status"] for result in answer.json["results"]] == ["applied", "applied"]
    page = browser.get("/barneveld/tablets").text
    assert "it reported 20 unsent, 2 arrived" in page
    assert page.count("storage lost") == 1


@pytest.mark.parametrize(
    "said", [{"lost_ops": "20"}, {"lost_ops": -1}, {"lost_ops": True}, {}, [], None, "x"]
)
def test_a_note_that_counts_nothing_is_only_a_note(app, desk, tablet_a, reviewer_1, said):
    tablet_a.op("device.note", None, text="x", data=said)
    assert tablet_a.push()[0]["status"] == "applied"
    assert "storage lost" not in desk(reviewer_1).get("/barneveld/tablets").text


def test_a_note_cannot_mark_a_tablet_of_another_village(app, desk, tablet_a, reviewer_1, outsider):
    with app.app_context():
        code = devices.make_code("howards_grove", outsider.id, None, datetime.now(UTC))
        foreign = devices.enrol(code, Key().jwk, "Theirs", "", datetime.now(UTC)).device.id
    tablet_a.op("device.note", None, text="x", data={"lost_ops": 3, "device_id": foreign})
    tablet_a.push()
    assert "storage lost" not in desk(outsider).get("/howards-grove/tablets").text
    assert "it reported 3 unsent" in desk(reviewer_1).get("/barneveld/tablets").text


@pytest.fixture
def held_photo(app, tablet_a):
    """The address of a photo that a tablet sent after it was taken out of use, and its bytes."""
    photo = b"\xff\xd8 bytes of a photo"
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    tablet_a.device_token = None
    url = tablet_a.upload("0192aaaa-0000-7000-8000-00000000000a", photo)
    return f"/barneveld/tablets/photos/{url.rpartition('/')[2]}", photo


def test_a_photo_of_a_tablet_out_of_use_is_saved_looked_at_and_released(app, desk, held_photo, reviewer_1):
    address, photo = held_photo
    browser = desk(reviewer_1)
    page = browser.get("/barneveld/tablets").text
    assert "1 photo of tablets out of use" in page
    assert address in page
    saved = browser.get(address)
    assert (saved.data, saved.mimetype) == (photo, "application/octet-stream")
    assert saved.headers["Content-Disposition"].startswith("attachment")
    browser.post(address, decision="release", reason="no")
    assert "Say why, in words" in browser.get("/barneveld/tablets").text
    browser.post(address, decision="release", reason="Found again; the photo is right.")
    page = browser.get("/barneveld/tablets").text
    assert "is released and stored" in page
    assert "of tablets out of use" not in page
    assert browser.get(address).status_code == 404
    browser.post(address, decision="keep", reason="Found again; the photo is right.")
    assert "somebody was quicker" in browser.get("/barneveld/tablets").text


def test_only_the_office_of_the_village_sees_such_a_photo(desk, held_photo, inspector_b, reader, outsider):
    address, _photo = held_photo
    for member in (inspector_b, reader):
        assert desk(member).get(address).status_code == 403
        assert desk(member).post(address, decision="release", reason="mine").status_code == 403
    assert desk(outsider).get(address).status_code == 404
    foreign = address.replace("barneveld", "howards-grove")
    assert desk(outsider).get(foreign).status_code == 404
    assert desk(outsider).post(foreign, decision="release", reason="mine now").status_code == 404
