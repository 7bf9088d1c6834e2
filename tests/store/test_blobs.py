"""Blobs are kept under their hash, whole or not at all."""

import pytest

from inspect_app.store.blobs import BlobStore, WrongHash
from tests.api.tablet import sha256


@pytest.fixture
def blobs(tmp_path):
    return BlobStore(tmp_path / "blobs")


def files(blobs):
    return [path for path in blobs.folder.rglob("*") if path.is_file()]


def test_bytes_come_back_as_they_were(blobs):
    blobs.put(b"photo", sha256(b"photo"))
    with blobs.open(sha256(b"photo")) as file:
        assert file.read() == b"photo"
    assert blobs.path(sha256(b"photo")).relative_to(blobs.folder).parts[:3] == (
        "sha256",
        sha256(b"photo")[:2],
        sha256(b"photo")[2:4],
    )


def test_the_same_bytes_twice_are_one_blob(blobs, tmp_path):
    source = tmp_path / "photo"
    source.write_bytes(b"photo")
    blobs.put(b"photo", sha256(b"photo"))
    blobs.put(source, sha256(b"photo"))
    assert len(files(blobs)) == 1
    assert source.exists()


def test_other_bytes_than_their_name_are_refused_and_leave_nothing(blobs):
    with pytest.raises(WrongHash):
        blobs.put(b"other", sha256(b"photo"))
    assert files(blobs) == []


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "a" * 63, "a" * 63 + "/"])
def test_a_name_that_is_no_hash_is_refused(blobs, name):
    with pytest.raises(ValueError, match="64 lower-case hex digits"):
        blobs.path(name)
