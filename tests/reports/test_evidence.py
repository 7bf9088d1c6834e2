"""An evidence package proves what it says, and whatever is done to it is seen and named."""

import json
import random
import subprocess
import sys
import zlib
from base64 import b64encode, urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from inspect_app.reports import checker
from inspect_app.store import photos
from inspect_app.store.blobs import BlobStore
from tests.reports.conftest import packaged, packed, taken_apart, verdict_on
from tests.support.imports import python_imports

FLIPS = 10_000


def relisted(files):
    """The files with a list that fits them, under the old signature: what a forger without the key can do."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: {"sha256": checker.sha256(data).hexdigest(), "crc32": zlib.crc32(data), "bytes": len(data)}
        for name, data in files.items()
        if name not in ("manifest.json", "manifest.sig")
    }
    return files | {"manifest.json": json.dumps(manifest).encode()}


def sealed_by_a_stranger(files):
    """The files with a list that fits them, signed by a key that is not the office's."""
    key = ec.generate_private_key(ec.SECP256R1())
    numbers = key.public_key().public_numbers()
    x, y = (urlsafe_b64encode(n.to_bytes(32, "big")).decode().rstrip("=") for n in (numbers.x, numbers.y))
    files = relisted(files)
    manifest = json.loads(files["manifest.json"])
    manifest["server_key"] = {"crv": "P-256", "kty": "EC", "x": x, "y": y}
    said = json.dumps(manifest).encode()
    r, s = decode_dss_signature(key.sign(said, ec.ECDSA(SHA256())))
    signature = b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return files | {"manifest.json": said, "manifest.sig": signature}


def first(files, folder):
    return next(name for name in files if name.startswith(folder))


def test_an_untouched_package_is_in_order_and_says_what_it_proves(package):
    verdict = verdict_on(package)
    assert verdict.wrong == []
    said = " ".join(verdict.proven)
    for part in (
        "The list of files was signed on 2026-06-19T12:00:00+00:00",
        "(Tablet A)",
        "hash of the last: 3.",
        "tablet signed: 1.",
    ):
        assert part in said
    assert any("Who held the tablet" in sentence for sentence in verdict.unproven)


def test_the_package_opens_in_any_zip_reader_and_its_bytes_follow_from_its_files(package):
    assert packed(taken_apart(package)) == package


def test_the_checker_inside_needs_nothing_of_the_product(package, tmp_path):
    source = taken_apart(package)["check_evidence.py"].decode()
    ours = {
        name for name in python_imports(source, "check_evidence", False) if name.startswith("inspect_app")
    }
    assert ours == set()
    script, kept = tmp_path / "check_evidence.py", tmp_path / "package.zip"
    script.write_text(source)
    kept.write_bytes(package)
    command = [sys.executable, "-I", str(script), str(kept)]
    whole = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (whole.returncode, whole.stderr) == (0, "")
    assert "The package is in order." in whole.stdout
    kept.write_bytes(package[:-1])
    cut = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert cut.returncode == 1
    assert "The package must not be relied on." in cut.stdout


@pytest.mark.slow
def test_of_ten_thousand_single_bits_turned_over_each_is_seen(package):
    chance = random.Random("one bit")
    unseen = []
    for _ in range(FLIPS):
        bit = chance.randrange(len(package) * 8)
        spoilt = bytearray(package)
        spoilt[bit // 8] ^= 1 << bit % 8
        if not verdict_on(bytes(spoilt)).wrong:
            unseen.append(bit)
    assert unseen == []


KINDS = [
    "check_evidence.py",
    "custody/",
    "index.html",
    "keys.json",
    "log.txt",
    "ops/",
    "photos/",
    "record.json",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_bit_turned_over_in_a_file_is_named(package, kind):
    files = taken_apart(package)
    name = first(files, kind)
    at = len(files[name]) // 2
    files[name] = files[name][:at] + bytes([files[name][at] ^ 4]) + files[name][at + 1 :]
    assert any(said.startswith(f"{name}: was changed") for said in verdict_on(packed(files)).wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_taken_away_is_named(package, kind):
    files = taken_apart(package)
    name = first(files, kind)
    del files[name]
    assert f"{name}: is missing." in verdict_on(packed(files)).wrong


def test_a_file_put_in_is_named(package):
    files = taken_apart(package) | {"photos/one_more.jpg": b"\xff\xd8\xff"}
    assert "photos/one_more.jpg: was added: the list does not have it." in verdict_on(packed(files)).wrong


@pytest.mark.parametrize("folder", ["ops/", "custody/"])
def test_two_that_change_places_are_named(package, folder):
    files = taken_apart(package)
    one, other = [name for name in files if name.startswith(folder)][:2]
    files[one], files[other] = files[other], files[one]
    wrong = " ".join(verdict_on(packed(files)).wrong)
    assert f"{one}: was changed" in wrong
    assert f"{other}: was changed" in wrong


def test_two_events_of_custody_that_change_places_are_seen_even_under_a_list_that_fits(package):
    files = taken_apart(package)
    one, other = [name for name in files if name.startswith("custody/")][:2]
    files[one], files[other] = files[other], files[one]
    wrong = verdict_on(packed(sealed_by_a_stranger(files))).wrong
    assert f"{one}: names an event before it that is not there." in wrong


def test_a_signature_put_to_another_entry_is_named_even_under_a_list_that_fits(package):
    files = taken_apart(package)
    one, other = [name for name in files if name.startswith("ops/")][:2]
    read = {name: json.loads(files[name]) for name in (one, other)}
    read[one]["sig"], read[other]["sig"] = read[other]["sig"], read[one]["sig"]
    files |= {name: json.dumps(op).encode() for name, op in read.items()}
    wrong = verdict_on(packed(sealed_by_a_stranger(files))).wrong
    for name in (one, other):
        assert f"{name}: its signature is not that of the device it names." in wrong


def test_a_reading_changed_in_an_entry_is_named_even_under_a_list_that_fits(package):
    files = taken_apart(package)
    name = first(files, "ops/")
    files[name] = files[name].replace(b"manhole", b"manhOle", 1)
    wrong = " ".join(verdict_on(packed(sealed_by_a_stranger(files))).wrong)
    assert f"{name}: " in wrong


def test_an_event_of_custody_left_out_is_seen_even_under_a_list_that_fits(package):
    files = taken_apart(package)
    del files["custody/000003.json"]
    wrong = " ".join(verdict_on(packed(sealed_by_a_stranger(files))).wrong)
    assert "an event that was signed is missing" in wrong


def test_an_entry_left_out_is_seen_in_the_log_even_under_a_list_that_fits(package):
    files = taken_apart(package)
    files["log.txt"] = b"\n".join(files["log.txt"].splitlines()[:-1])
    wrong = " ".join(verdict_on(packed(sealed_by_a_stranger(files))).wrong)
    assert "log.txt: does not lead to the head of the log that was signed." in wrong


def test_a_list_made_anew_without_the_offices_key_is_seen(package):
    files = taken_apart(package)
    files["record.json"] = files["record.json"].replace(b"manhole", b"Manhole")
    wrong = verdict_on(packed(relisted(files))).wrong
    assert wrong == ["manifest.sig: is not the signature of the office's key over manifest.json."]


def test_a_whole_package_under_a_strangers_key_is_refused_by_the_fingerprint(package):
    published = verdict_on(package).fingerprint
    forged = packed(sealed_by_a_stranger(taken_apart(package)))
    assert verdict_on(package, published).wrong == []
    wrong = verdict_on(forged, published).wrong
    assert len(wrong) == 1
    assert f"not by {published}" in wrong[0]


def test_an_event_that_the_office_set_aside_is_no_missing_one(app, sampler, sampled):
    sampler.op("custody.append", sampled, event="no event")
    assert [result["status"] for result in sampler.sync()] == ["quarantined"]
    verdict = verdict_on(packaged(app, sampled))
    assert verdict.wrong == []


@pytest.mark.parametrize("of_list", [b'{"format": 1}', b'{"format": 1, "files": [], "log": []}', b"[]", b"{"])
def test_a_list_of_another_form_is_told_and_nothing_breaks(package, of_list):
    assert verdict_on(packed(taken_apart(package) | {"manifest.json": of_list})).wrong


@pytest.mark.parametrize(
    "junk", [b"", b"PK", b"no zip at all", b"PK\x03\x04" + b"\xff" * 60, b"\x00" * 100_000]
)
def test_what_is_no_package_is_told_so_and_nothing_breaks(junk):
    assert "this is no evidence package" in " ".join(verdict_on(junk).wrong)


def test_bytes_behind_and_before_the_package_are_seen(package):
    assert verdict_on(package + b"\x00").wrong
    assert verdict_on(b"\x00" + package).wrong


def test_a_photo_that_has_not_arrived_is_told(app, sampler, sampled, package):
    assert not any("Photos that were signed" in said for said in verdict_on(package).unproven)
    sampler.shoot(sampled, "clock_card", "manhole_id", arrives=False)
    verdict = verdict_on(packaged(app, sampled))
    assert verdict.wrong == []
    assert "Photos that were signed and are not in the package: 1." in verdict.unproven


def test_a_photo_damaged_on_the_servers_disk_is_seen(app, sampled, package):
    with app.app_context():
        path = BlobStore(app.config["SETTINGS"].blobs).path(photos.photos_of([sampled])[0].sha256)
        path.chmod(0o644)
        path.write_bytes(path.read_bytes()[:-1] + b"\x00")
    wrong = " ".join(verdict_on(packaged(app, sampled)).wrong)
    assert "is not the photo that a tablet signed." in wrong
