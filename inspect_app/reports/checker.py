"""Checks an evidence package without a database and without a network: python check_evidence.py PACKAGE.zip

Needs Python 3.11 or newer and the package `cryptography`, nothing of the product. It says what the package
proves, what is wrong and in which file, and what no package can prove. Exit code 0: nothing is wrong.

The zip is stored, dated 1980, and in one order, so its bytes follow from its files (APPNOTE 6.3.10, sections
4.3.7, 4.3.12, 4.3.16): each is made anew and compared, and nothing can hide between two files. The list,
`manifest.json`, holds the SHA-256 of every other file and is signed by the office's key (ECDSA on P-256 with
SHA-256; r and s side by side).
"""

import json
import struct
import sys
import zlib
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
FORMAT = 1
LARGEST_TEXT = 64 * 1024 * 1024
BLOCK = 1 << 20
VERSION, MIDNIGHT, DAY = 20, 0, 0x0021
NO_PACKAGE_CAN = (
    "Who held the tablet: a signature names the device and the person signed in on it.",
    "That a tablet's clock was right: each entry names the tablet's time and when the office received it.",
    "That the office's key is the village's: compare its fingerprint with the one the village publishes.",
)


@dataclass
class Verdict:
    """What a package proves, what is wrong with it, and what stays open; sentences for a clerk."""

    proven: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)
    fingerprint: str = ""

    def lines(self) -> Iterator[str]:
        parts = (("Proven", self.proven), ("WRONG", self.wrong), ("Not proven", self.unproven))
        for title, sentences in parts:
            if sentences:
                yield f"{title}:"
                yield from (f"  - {sentence}" for sentence in sentences)
        yield "The package must not be relied on." if self.wrong else "The package is in order."


@dataclass(frozen=True)
class Entry:
    """A file of the zip: where its bytes begin, how many, their SHA-256, and the CRC-32 that the zip says."""

    at: int
    size: int
    sha256: str
    crc32: int


def local_header(name: str, crc: int, size: int) -> bytes:
    """What stands in the zip before a file."""
    said = name.encode()
    fields = (VERSION, 0, 0, MIDNIGHT, DAY, crc, size, size, len(said), 0)
    return struct.pack("<4s5H3I2H", b"PK\x03\x04", *fields) + said


def directory(entries: list[tuple[str, int, int, int]]) -> bytes:
    """What stands in the zip after the last file; each entry is name, CRC-32, size, begin of its header."""
    listed = b""
    begins = 0
    for name, crc, size, at in entries:
        said = name.encode()
        fields = (VERSION, VERSION, 0, 0, MIDNIGHT, DAY, crc, size, size, len(said), 0, 0, 0, 0, 0, at)
        listed += struct.pack("<4s6H3I5H2I", b"PK\x01\x02", *fields) + said
        begins = at + len(local_header(name, crc, size)) + size
    counts = (0, 0, len(entries), len(entries), len(listed), begins, 0)
    return listed + struct.pack("<4s4H2IH", b"PK\x05\x06", *counts)


def check(file: BinaryIO, fingerprint: str = "") -> Verdict:
    """Check the package in `file`; `fingerprint`: of the office's key, where the village has told it."""
    verdict = Verdict()
    entries = _walk(file, verdict)
    package = Package(file, entries, verdict)
    if MANIFEST in entries and SIGNATURE in entries:
        try:
            package.check(fingerprint)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as problem:
            verdict.wrong.append(f"The package is not of the form that it should have: {problem}.")
    else:
        verdict.wrong.append(f"{MANIFEST} or {SIGNATURE} is missing: this is no evidence package.")
    verdict.unproven += NO_PACKAGE_CAN
    return verdict


def _walk(file: BinaryIO, verdict: Verdict) -> dict[str, Entry]:
    """Read the zip from its first byte to its last; each must be what the files make it."""
    entries: dict[str, Entry] = {}
    listed: list[tuple[str, int, int, int]] = []
    at, last = 0, "the beginning"
    while (head := file.read(30))[:4] == b"PK\x03\x04" and len(head) == 30:
        crc, size, _again, name_bytes = struct.unpack_from("<3IH", head, 14)
        said = file.read(name_bytes)
        name = said.decode(errors="replace")
        begins, digest, left = file.tell(), sha256(), size
        while left and (block := file.read(min(BLOCK, left))):
            left -= len(block)
            digest.update(block)
        if left or not name.isascii() or head + said != local_header(name, crc, size):
            verdict.wrong.append(f"{name}: the zip says other things of it than its bytes.")
        if left or not name.isascii():
            return entries  # what would follow cannot be found
        if name in entries:
            verdict.wrong.append(f"{name}: stands in the zip twice.")
        entries[name] = Entry(begins, size, digest.hexdigest(), crc)
        listed.append((name, crc, size, at))
        at, last = begins + size, name
    rest = head + file.read(LARGEST_TEXT)
    if rest != directory(listed):
        verdict.wrong.append(f"The zip is damaged behind {last}, at byte {at:,} or later.")
    return entries


class Package:
    """The files of a package, and what they say of each other."""

    def __init__(self, file: BinaryIO, entries: dict[str, Entry], verdict: Verdict) -> None:
        self.file, self.entries, self.verdict = file, entries, verdict
        self.contents: list[tuple[dict[str, Any], bool]] = []  # of good signature; whether it was set aside

    def wrong(self, name: str, why: str) -> None:
        self.verdict.wrong.append(f"{name}: {why}")

    def bytes_of(self, name: str) -> bytes:
        entry = self.entries[name]
        self.file.seek(entry.at)
        return self.file.read(min(entry.size, LARGEST_TEXT))

    def read(self, name: str) -> Any:
        """The JSON of a file; None, and said, where it is missing or none."""
        try:
            return json.loads(self.bytes_of(name))
        except KeyError:
            self.wrong(name, "is missing.")
        except ValueError:
            self.wrong(name, "cannot be read.")
        return None

    def check(self, fingerprint: str) -> None:
        manifest = self.read(MANIFEST)
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            self.wrong(MANIFEST, f"is not that of an evidence package of format {FORMAT}.")
            return
        self._signed(manifest, fingerprint)
        self._whole(manifest)
        try:
            keys = {key["device_id"]: key for key in self.read("keys.json") or []}
        except (KeyError, TypeError):
            keys = {}
            self.wrong("keys.json", "cannot be read.")
        self._ops(keys, self._log(manifest))
        self._custody()
        self._photos()

    def _signed(self, manifest: dict[str, Any], fingerprint: str) -> None:
        """The list of files carries the signature of the key it names."""
        key = manifest.get("server_key", {})
        signature = self.bytes_of(SIGNATURE).decode(errors="replace")
        try:
            self.verdict.fingerprint = thumbprint(key)
        except (KeyError, TypeError):
            self.wrong(MANIFEST, "names no key.")
            return
        if not is_signed(key, signature, self.bytes_of(MANIFEST)):
            self.wrong(SIGNATURE, f"is not the signature of the office's key over {MANIFEST}.")
        elif fingerprint and fingerprint != self.verdict.fingerprint:
            self.wrong(SIGNATURE, f"is by the key {self.verdict.fingerprint}, not by {fingerprint}.")
        else:
            made = manifest.get("made_at", "")
            self.verdict.proven.append(
                f"The list of files was signed on {made} by the office's key {self.verdict.fingerprint}."
            )

    def _whole(self, manifest: dict[str, Any]) -> None:
        """Every file is as the list has it, none is missing, none too many, and they stand in their order."""
        listed: dict[str, dict[str, Any]] = manifest.get("files", {})
        here = [name for name in self.entries if name not in (MANIFEST, SIGNATURE)]
        amiss = 0
        for name in sorted({*listed, *here}):
            if name not in self.entries:
                why = "is missing."
            elif name not in listed:
                why = "was added: the list does not have it."
            elif self.entries[name].sha256 != listed[name]["sha256"]:
                why = "was changed: its SHA-256 is not the one in the list."
            elif self.entries[name].crc32 != listed[name]["crc32"]:
                why = "the zip gives it another CRC-32 than the list."
            else:
                continue
            amiss += 1
            self.wrong(name, why)
        for name in (MANIFEST, SIGNATURE):
            if self.entries[name].crc32 != zlib.crc32(self.bytes_of(name)):
                amiss += 1
                self.wrong(name, "the zip gives it a CRC-32 that is not its own.")
        if not amiss and list(self.entries) != [MANIFEST, SIGNATURE, *sorted(listed)]:
            amiss += 1
            self.verdict.wrong.append("The files of the zip stand in another order.")
        if not amiss:
            self.verdict.proven.append(
                f"Files that are as they were then, and none is missing or was added: {len(listed)}."
            )

    def _log(self, manifest: dict[str, Any]) -> dict[int, str]:
        """Change number -> hash, from this record's first entry in the office's log up to the signed head."""
        try:
            before, *lines = self.bytes_of("log.txt").decode().splitlines()
            places = {int(line.split()[0]): line.split()[1] for line in lines}
            head = before.partition("before ")[2]
        except (KeyError, ValueError, IndexError):
            self.wrong("log.txt", "is missing or cannot be read.")
            return {}
        for digest in places.values():
            head = sha256((head + digest).encode()).hexdigest()
        if list(places) != sorted(places) or head != manifest.get("log", {}).get("head"):
            self.wrong("log.txt", "does not lead to the head of the log that was signed.")
        return places

    def _ops(self, keys: dict[str, Any], log: dict[int, str]) -> None:
        """Every entry was signed by the device it names, and stands in the log at its place."""
        good, by = 0, set()
        names = sorted(name for name in self.entries if name.startswith("ops/"))
        for name in names:
            op = self.read(name)
            if not isinstance(op, dict):
                continue
            try:
                body = json.loads(op["body"])
                content = json.loads(body["content"])
                key = keys[body["device_id"]]
                signed = thumbprint(key["key"]) == op["kid"] and is_signed(
                    key["key"], op["sig"], op["body"].encode()
                )
                place = (int(op["chg"]), sha256(op["body"].encode()).hexdigest())
            except (KeyError, TypeError, ValueError):
                self.wrong(name, "is no entry of a known device.")
                continue
            if place not in log.items():
                self.wrong(name, "does not stand in the office's log at its place.")
            elif signed and isinstance(content, dict):
                good += 1
                by.add(str(key.get("name")))
                self.contents.append((content, op.get("status") == "quarantined"))
            elif op.get("status") == "quarantined":
                self.verdict.unproven.append(
                    f"{name}: its signature is not the device's; the office set it aside."
                )
            else:
                self.wrong(name, "its signature is not that of the device it names.")
        if good:
            self.verdict.proven.append(
                f"Entries that carry the signature of the device that made them ({', '.join(sorted(by))}), "
                f"in the order of the office's log: {good}."
            )

    def _custody(self) -> None:
        """Every event was signed as part of an entry and follows the one it names."""
        signed = self._signed_texts("custody.append", "event")
        hashes: dict[str, set[str]] = {}
        followed: set[tuple[str, str]] = set()
        names = sorted(name for name in self.entries if name.startswith("custody/"))
        amiss = 0
        for name in names:
            text = self.bytes_of(name)
            says = self.read(name)
            if not isinstance(says, dict) or text.decode(errors="replace") not in signed:
                why = "is no event that a tablet signed."
            elif (prev := says.get("prev") or "") and prev not in hashes.get(says.get("sample_set", ""), ()):
                why = "names an event before it that is not there."
            else:
                here = says.get("sample_set", "")
                hashes.setdefault(here, set()).add(sha256(text).hexdigest())
                if (here, prev) in followed:
                    self.verdict.unproven.append(
                        f"{name}: another event follows the same one; both are kept."
                    )
                followed.add((here, prev))
                continue
            amiss += 1
            self.wrong(name, why)
        taken = self._signed_texts("custody.append", "event", with_aside=False)
        for event in taken - {self.bytes_of(name).decode(errors="replace") for name in names}:
            amiss += 1
            self.verdict.wrong.append(f"custody/: an event that was signed is missing: {str(event)[:80]}")
        if names and not amiss:
            self.verdict.proven.append(
                f"Events of custody signed on tablets, each with the hash of the last: {len(names)}."
            )

    def _signed_texts(self, kind: str, member: str, with_aside: bool = True) -> set[str]:
        """What the signed entries of a kind say under a name; those that were set aside too, or not."""
        said = (
            content.get(member)
            for content, is_aside in self.contents
            if content.get("kind") == kind and (with_aside or not is_aside)
        )
        return {text for text in said if isinstance(text, str)}

    def _photos(self) -> None:
        """Every photo has, byte for byte, the hash that the tablet signed when it was taken."""
        signed = self._signed_texts("photo.attach", "sha256")
        names = sorted(name for name in self.entries if name.startswith("photos/"))
        amiss = 0
        for name in names:
            if self.entries[name].sha256 not in signed or self.entries[name].sha256 not in name:
                amiss += 1
                self.wrong(name, "is not the photo that a tablet signed.")
        absent = len(signed - {self.entries[name].sha256 for name in names})
        if absent:
            self.verdict.unproven.append(f"Photos that were signed and are not in the package: {absent}.")
        if names and not amiss:
            self.verdict.proven.append(
                f"Photos that are, byte for byte, those that a tablet signed: {len(names)}."
            )


def thumbprint(key: dict[str, str]) -> str:
    """The fingerprint of a key: RFC 7638, SHA-256 over its members in order, base64url."""
    text = ",".join(f'"{name}":"{key[name]}"' for name in ("crv", "kty", "x", "y"))
    return urlsafe_b64encode(sha256(f"{{{text}}}".encode()).digest()).decode().rstrip("=")


def is_signed(key: dict[str, str], signature: str, text: bytes) -> bool:
    """Whether this is the P-256 key's signature over these bytes: base64 of 64 raw bytes, r and s."""
    try:
        raw = b64decode(signature, validate=True)
        x, y = (
            int.from_bytes(urlsafe_b64decode(key[name] + "=" * (-len(key[name]) % 4)), "big")
            for name in ("x", "y")
        )
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
        public.verify(der, text, ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError, TypeError, KeyError):
        return False
    # Written in one way only: the last letter has bits to spare, in which nothing may hide.
    return len(raw) == 64 and b64encode(raw).decode() == signature


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        sys.stderr.write("python check_evidence.py PACKAGE.zip [FINGERPRINT of the village's key]\n")
        return 2
    try:
        with Path(arguments[0]).open("rb") as file:
            verdict = check(file, *arguments[1:])
    except OSError as problem:
        sys.stderr.write(f"{arguments[0]} cannot be opened: {problem.strerror}.\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for line in verdict.lines())
    return 1 if verdict.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
