"""Photos arrive whole or can go on, whatever the line and the server do."""

import hashlib
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest

from inspect_app.services import receipts, staging, uploads
from inspect_app.store.blobs import BlobStore
from inspect_app.store.photos import Photo, Upload, UploadPart
from tests.api import pictures
from tests.api.tablet import TUS, sha256
from tests.support.databases import close, make_app


@pytest.fixture
def record_id(tablet_a):
    record_id = tablet_a.begin()
    tablet_a.push()
    return record_id


@pytest.fixture
def blobs(data):
    return BlobStore(data / "blobs")


def staged(data):
    folder = data / "staging"
    return sorted(file.name for file in folder.rglob("*") if file.is_file()) if folder.exists() else []


def test_a_photo_in_one_part_is_kept_once_and_confirmed(tablet_a, record_id, blobs, data, rows):
    photo = pictures.jpeg()
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    assert tablet_a.photo_state(photo_id) == "missing"
    tablet_a.upload(photo_id, photo)
    assert tablet_a.photo_state(photo_id) == "stored"
    with blobs.open(sha256(photo)) as file:
        assert file.read() == photo
    row = rows(Photo)[0]
    assert (row["content_type"], row["width"], row["height"]) == ("image/jpeg", 64, 48)
    assert row["problem"] is None
    assert staged(data) == []
    assert tablet_a.doc(record_id)["photos"][0]["state"] == "stored"


def test_a_photo_in_many_parts_is_put_together(tablet_a, record_id, blobs):
    photo = pictures.jpeg("noise", (400, 300))
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    tablet_a.upload(photo_id, photo, chunk=1000)
    assert tablet_a.photo_state(photo_id) == "stored"
    assert blobs.path(sha256(photo)).read_bytes() == photo


def test_the_bytes_may_come_before_their_op(tablet_a, record_id, rows):
    photo, preview = pictures.jpeg("blue"), pictures.jpeg("blue", (16, 12))
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.upload(photo_id, preview, kind="preview")
    tablet_a.upload(photo_id, photo)
    assert tablet_a.photo_state(photo_id) == "stored"
    assert rows(Photo) == []
    tablet_a.push()
    row = rows(Photo)[0]
    assert (row["state"], row["preview_sha256"]) == ("stored", sha256(preview))


def test_making_an_upload_again_gives_the_same_one(tablet_a, record_id):
    photo = pictures.jpeg()
    first = tablet_a.create_upload("p-1", photo)
    tablet_a.patch(first.headers["Location"], 0, photo[:100])
    again = tablet_a.create_upload("p-1", photo)
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Upload-Offset"] == "100"


def test_bytes_that_are_here_already_are_not_sent_again(tablet_a, tablet_b, record_id):
    photo = pictures.jpeg()
    tablet_a.upload("p-1", photo)
    made = tablet_b.create_upload("p-2", photo)
    assert made.headers["Upload-Offset"] == str(len(photo))
    assert tablet_b.photo_state("p-2") == "stored"


def test_a_part_at_the_wrong_place_is_refused_and_the_tablet_goes_on_from_the_servers(tablet_a):
    photo = pictures.jpeg()
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    tablet_a.patch(url, 0, photo[:100])
    for off in (0, 50, 200):
        answer = tablet_a.patch(url, off, photo[off : off + 10])
        assert (answer.status_code, answer.json["type"]) == (409, "/problems/offset-differs")
    assert tablet_a.stands_at(url) == 100


def test_a_part_with_a_wrong_checksum_is_not_kept(tablet_a, data):
    photo = pictures.jpeg()
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    wrong = f"sha256 {b64encode(hashlib.sha256(b'other').digest()).decode()}"
    answer = tablet_a.patch(url, 0, photo, checksum=wrong)
    assert (answer.status_code, answer.content_type) == (460, "application/problem+json")
    assert tablet_a.stands_at(url) == 0
    assert staged(data) == []
    right = f"sha1 {b64encode(hashlib.sha1(photo).digest()).decode()}"
    assert tablet_a.patch(url, 0, photo, checksum=right).status_code == 204


def test_a_photo_that_is_not_what_its_op_said_is_bad_and_can_be_sent_again(tablet_a, record_id, rows, data):
    photo = pictures.jpeg()
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    made = tablet_a.create_upload(photo_id, photo)
    damaged = photo[:-1] + bytes([photo[-1] ^ 1])
    assert tablet_a.patch(made.headers["Location"], 0, damaged).status_code == 204
    assert tablet_a.photo_state(photo_id) == "bad"
    assert len(staged(data)) == 1  # the damaged bytes are kept for whoever asks what happened
    tablet_a.upload(photo_id, photo)
    assert tablet_a.photo_state(photo_id) == "stored"
    assert sorted(row["state"] for row in rows(Upload)) == ["bad", "done"]


@pytest.mark.parametrize(
    ("content", "content_type", "problem"),
    [
        (pictures.jpeg("noise")[:-200], "image/jpeg", "cut short"),
        (pictures.png()[:-20], "image/png", "cut short"),
        (b"%PDF-1.7 no photo at all", None, "not a picture"),
        (b"\xff\xd8\xff\xe0 damaged", "image/jpeg", "damaged"),
        (pictures.huge_png(), "image/png", "million pixels"),
        (pictures.heic(), "image/heic", "HEIC"),
        (pictures.webp(), "image/webp", None),
    ],
    ids=["truncated jpeg", "truncated png", "not an image", "damaged head", "144 megapixels", "heic", "webp"],
)
def test_the_content_decides_what_a_photo_is_and_nothing_is_lost(
    tablet_a, record_id, rows, blobs, content, content_type, problem
):
    photo_id = tablet_a.attach(record_id, content, mime="image/jpeg")
    tablet_a.push()
    tablet_a.upload(photo_id, content)
    row = rows(Photo)[0]
    assert row["state"] == "stored"
    assert row["content_type"] == content_type
    assert (problem in row["problem"]) if problem else row["problem"] is None
    assert blobs.path(sha256(content)).read_bytes() == content


def test_the_huge_picture_is_small_on_the_wire():
    assert len(pictures.huge_png()) < 30_000


STEPS = ("part written", "part renamed", "offset moved", "whole written", "blob renamed", "receipt given")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("chunk", [None, 5000], ids=["whole", "in parts"])
def test_a_server_that_dies_at_any_step_loses_nothing(
    app, data, database_url, tablet_a, record_id, blobs, monkeypatch, step, chunk
):
    """The process is gone in the middle; a new one on the same folder and database goes on."""
    photo = pictures.jpeg("noise", (400, 300))
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    url = tablet_a.create_upload(photo_id, photo).headers["Location"]

    class Killed(BaseException):
        pass

    def kill_after(module, name):
        whole = getattr(module, name)

        def then_die(*args, **kwargs):
            whole(*args, **kwargs)
            raise Killed

        patched.setattr(module, name, then_die)

    with monkeypatch.context() as patched:
        if step == "part written":
            kill_after(uploads, "write_durably")
        elif step == "part renamed":
            kill_after(uploads, "_keep_part")
        elif step == "offset moved":
            patched.setattr(uploads, "finish", _dies(Killed))
        elif step == "whole written":
            kill_after(uploads, "write_durably") if chunk is None else _die_at_second(
                patched, uploads, Killed
            )
        elif step == "blob renamed":
            kill_after(BlobStore, "adopt")
        elif step == "receipt given":
            kill_after(receipts, "tell_photo")
        try:
            off = 0
            while off < len(photo):
                part = photo[off : off + (chunk or len(photo))]
                off = int(tablet_a.patch(url, off, part).headers["Upload-Offset"])
        except Killed:
            pass
    close(app)
    survivor = make_app(data, database_url)
    tablet_a.move_to(survivor)
    try:
        off = tablet_a.stands_at(url)
        size = 3000  # another size than before, so that a stray part of the old size is no help
        while off < len(photo):
            answer = tablet_a.patch(url, off, photo[off : off + size])
            assert answer.status_code == 204
            off = int(answer.headers["Upload-Offset"])
        assert tablet_a.photo_state(photo_id) == "stored"
        assert blobs.path(sha256(photo)).read_bytes() == photo
        with survivor.app_context():
            staging.sweep(datetime.now(UTC) + timedelta(days=2))
        assert staged(data) == []
    finally:
        close(survivor)


def _dies(killed):
    def die(*_args, **_kwargs):
        raise killed

    return die


def _die_at_second(patched, module, killed):
    """Let the parts be written, and die when the whole has been put together."""
    whole = module.write_durably

    def then_die(path, chunks):
        digest = whole(path, chunks)
        if path.name.startswith("whole"):
            raise killed
        return digest

    patched.setattr(module, "write_durably", then_die)


def test_the_tablet_may_free_its_original_after_a_week(tablet_a, record_id, app):
    photo = pictures.jpeg()
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    tablet_a.upload(photo_id, photo)
    with app.app_context():
        later = datetime.now(UTC) + timedelta(days=7, minutes=1)
        assert receipts.status("barneveld", [photo_id], tablet_a.device_id, later)[0]["state"] == "durable"


def test_an_upload_belongs_to_its_device(tablet_a, tablet_b, outside):
    url = tablet_a.create_upload("p-1", pictures.jpeg()).headers["Location"]
    for other in (tablet_b, outside):
        headers = {**other.as_device(), **TUS}
        assert other.client.head(url, headers=headers).status_code == 404
        assert other.patch(url, 0, b"x").status_code == 404
        assert other.client.delete(url, headers=headers).status_code == 404


def test_another_villages_photos_are_missing_to_a_tablet(tablet_a, record_id, outside):
    photo = pictures.jpeg()
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    tablet_a.upload(photo_id, photo)
    assert outside.photo_state(photo_id) == "missing"


def test_an_ended_upload_is_gone_and_can_be_made_anew(tablet_a):
    photo = pictures.jpeg()
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    tablet_a.patch(url, 0, photo[:10])
    assert tablet_a.client.delete(url, headers={**tablet_a.as_device(), **TUS}).status_code == 204
    assert tablet_a.patch(url, 10, photo[10:]).status_code == 410
    tablet_a.upload("p-1", photo)
    assert tablet_a.photo_state("p-1") == "stored"


def test_what_a_revoked_tablet_uploads_waits_in_staging(app, tablet_a, record_id, blobs):
    from inspect_app.services import devices

    photo = pictures.jpeg()
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    tablet_a.device_token = None
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    assert tablet_a.patch(url, 0, photo).status_code == 204
    assert not blobs.exists(sha256(photo))
    assert tablet_a.photo_state("p-1") == "partial"


def test_too_large_a_photo_is_refused_before_it_is_sent(tablet_a, rows):
    answer = tablet_a.create_upload("p-1", b"", length=200 * 1024 * 1024)
    assert (answer.status_code, answer.json["type"]) == (413, "/problems/too-large")
    assert rows(Upload) == []


def test_expired_uploads_are_swept_and_open_ones_are_not(app, tablet_a, data, rows):
    photo = pictures.jpeg()
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    tablet_a.patch(url, 0, photo[:10])
    with app.app_context():
        staging.sweep(datetime.now(UTC) + timedelta(days=3))
    assert len(staged(data)) == 1
    with app.app_context():
        staging.sweep(datetime.now(UTC) + timedelta(days=61))
    assert staged(data) == []
    assert tablet_a.patch(url, 10, photo[10:]).status_code == 410
    assert len(rows(UploadPart)) == 1


def test_what_the_server_speaks(app):
    answer = app.test_client().options("/api/v1/files")
    assert answer.status_code == 204
    assert answer.headers["Tus-Version"] == "1.0.0"
    assert set(answer.headers["Tus-Extension"].split(",")) == {
        "creation",
        "checksum",
        "expiration",
        "termination",
    }


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"Tus-Resumable": "0.9"}, 412),
        ({"Upload-Length": "12.5"}, 422),
        ({"Upload-Length": "-1"}, 422),
        ({"Upload-Metadata": "photo_id !!!"}, 422),
        ({"Upload-Metadata": ""}, 422),
    ],
)
def test_a_malformed_creation_is_refused(tablet_a, rows, change, status):
    told = {"photo_id": "p-1", "sha256": sha256("x"), "kind": "original"}
    metadata = ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in told.items())
    headers = {**tablet_a.as_device(), **TUS, "Upload-Length": "10", "Upload-Metadata": metadata, **change}
    assert tablet_a.client.post("/api/v1/files", headers=headers).status_code == status
    assert rows(Upload) == []


def test_a_part_of_the_wrong_content_type_or_size_is_refused(tablet_a):
    photo = pictures.jpeg()
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    headers = {**tablet_a.as_device(), **TUS, "Upload-Offset": "0"}
    assert tablet_a.client.patch(url, data=photo, headers=headers).status_code == 415
    assert tablet_a.patch(url, 0, photo + b"more").status_code == 422
    assert tablet_a.patch(url, 0, b"0" * (6 * 1024 * 1024 + 1)).status_code == 413
    assert tablet_a.stands_at(url) == 0


def test_what_a_revoked_tablet_sent_whole_is_never_swept(app, tablet_a, data):
    from inspect_app.services import devices

    photo = pictures.jpeg()
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    tablet_a.device_token = None
    url = tablet_a.create_upload("p-1", photo).headers["Location"]
    tablet_a.patch(url, 0, photo)
    for days in (61, 63):
        with app.app_context():
            staging.sweep(datetime.now(UTC) + timedelta(days=days))
    assert len(staged(data)) == 1


def test_a_blob_another_process_just_renamed_is_synced_before_its_receipt(
    tablet_a, record_id, blobs, monkeypatch
):
    from inspect_app.store import blobs as store

    photo = pictures.jpeg()
    blobs.put(photo, sha256(photo))
    synced = []
    sync_folder = store.sync_folder
    monkeypatch.setattr(store, "sync_folder", lambda folder: synced.append(folder) or sync_folder(folder))
    photo_id = tablet_a.attach(record_id, photo)
    tablet_a.push()
    assert blobs.path(sha256(photo)).parent in synced
    assert tablet_a.photo_state(photo_id) == "stored"


def test_the_first_upload_of_a_day_sweeps_what_was_left_behind(app, tablet_a, data, monkeypatch, rows):
    from inspect_app.store.sync import SyncMeta

    runs = []
    monkeypatch.setattr(staging, "sweep", lambda now: runs.append(now.date()) or {"expired": 0, "files": 0})
    for number in range(3):
        tablet_a.create_upload(f"p-{number}", pictures.jpeg())
    assert len(runs) == 1
    with app.app_context():
        staging.sweep_daily(datetime.now(UTC) + timedelta(days=1))
    assert len(runs) == 2
    assert [row["value"] for row in rows(SyncMeta, key="swept_on")] == [runs[1].isoformat()]


def test_a_sweep_that_fails_holds_up_no_photo(tablet_a, monkeypatch):
    def no_such_disk(_now):
        raise OSError("the disk is away")

    monkeypatch.setattr(staging, "sweep", no_such_disk)
    assert tablet_a.create_upload("p-1", pictures.jpeg()).status_code == 201
