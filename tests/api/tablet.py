"""A tablet as the protocol knows it, in Python: a key, a journal of signed ops, and the calls it makes.

It forgets an op only on a final result, as a real one does, and can lose an answer on purpose.
"""

import hashlib
import json
from base64 import b64encode, urlsafe_b64encode
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from inspect_app.domain.ids import new_id
from inspect_app.domain.inspections import revision_hash

FINAL = {"applied", "noop", "conflict", "quarantined"}
TUS = {"Tus-Resumable": "1.0.0"}


def sha256(value):
    return hashlib.sha256(value.encode() if isinstance(value, str) else value).hexdigest()


class Tablet:
    """One enrolled tablet of one person, on one application."""

    def __init__(self, app, code, name="Tablet"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.client = app.test_client()
        self.wall = None  # a clock of its own, when a test sets it
        self.enrol(code, name)

    def enrol(self, code, name="Tablet"):
        answer = self.client.post(
            "/api/v1/devices", json={"code": code, "public_key": self.jwk(), "name": name, "app": "test"}
        )
        assert answer.status_code == 201, answer.json
        self.device_id = answer.json["device_id"]
        self.kid = answer.json["kid"]
        self.epoch = answer.json["epoch"]
        self.village = answer.json["village"]
        self.person = answer.json["person"]
        self.person_token = answer.json["person_token"]
        self.seq, self.head = 0, ""
        self.queue = []
        self.current = {}  # (record, group) -> the op this tablet's screen shows as current
        self.records, self.assignments, self.cursor = {}, {}, ""
        self.device_token = None

    def move_to(self, app):
        """Speak with another process of the same server."""
        self.client = app.test_client()

    def jwk(self):
        numbers = self.key.public_key().public_numbers()
        x, y = (urlsafe_b64encode(n.to_bytes(32, "big")).decode().rstrip("=") for n in (numbers.x, numbers.y))
        return {"kty": "EC", "crv": "P-256", "x": x, "y": y, "ext": True, "key_ops": ["verify"]}

    def sign(self, text):
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(SHA256())))
        return b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()

    # -------------------------------------------------------------------------------- the journal

    def content(self, kind, record_id, **own):
        now = self.wall or datetime.now(UTC)
        return {
            "schema": 1,
            "app": "test",
            "user_id": self.person["id"],
            "kind": kind,
            "entity": "inspection",
            "record_id": record_id,
            **own,
            "wall": now.isoformat(),
            "boot": "b1",
            "mono": now.timestamp() * 1000,
            "clock": {"offset_ms": 0, "age_s": 60},
        }

    def seal(self, content, op_id=None, seq=None, prev=None):
        """An envelope of the next number; the journal's head moves only with `add`."""
        text = content if isinstance(content, str) else json.dumps(content)
        body = json.dumps(
            {
                "v": 1,
                "device_id": self.device_id,
                "seq": self.seq + 1 if seq is None else seq,
                "prev": self.head if prev is None else prev,
                "op_id": op_id or new_id(datetime.now(UTC)),
                "content": text,
            }
        )
        return {"body": body, "sig": self.sign(body), "kid": self.kid}

    def add(self, envelope):
        self.queue.append(envelope)
        self.seq, self.head = self.seq + 1, sha256(envelope["body"])
        return json.loads(envelope["body"])["op_id"]

    def op(self, kind, record_id, **own):
        """Journal an op; it is sent by `push`."""
        return self.add(self.seal(self.content(kind, record_id, **own)))

    def begin(self, protocol="tap", version="1", pack=None, **own):
        record_id = new_id(datetime.now(UTC))
        self.op(
            "record.create",
            record_id,
            **{
                "village": self.village,
                "protocol": protocol,
                "protocol_version": version,
                "pack": pack or self.reference()["pack"],
                "assignment_id": None,
                "parent_record": None,
                "place": "Lot 14 Example Court",
                "permit_no": "BV-2026-0031",
                "prefill": {},
                **own,
            },
        )
        return record_id

    def set(self, record_id, group, values, replaces=None, was=None):
        shown = self.current.get((record_id, group), "") if replaces is None else replaces
        op_id = self.op("group.set", record_id, group=group, replaces=shown, values=values, was=was or {})
        self.current[record_id, group] = op_id
        return op_id

    def note(self, record_id, text, row_id=None):
        row_id = row_id or new_id(datetime.now(UTC))
        self.op("list.add", record_id, list="notes", row_id=row_id, row={"note": text})
        return row_id

    def attach(self, record_id, data, shows="overview", mime="image/jpeg", photo_id=None):
        photo_id = photo_id or new_id(datetime.now(UTC))
        row = {"shows": shows, "proves": "", "taken_at": datetime.now(UTC).isoformat(), "from_library": "no"}
        self.op(
            "photo.attach",
            record_id,
            photo_id=photo_id,
            sha256=sha256(data),
            bytes=len(data),
            mime=mime,
            row=row,
        )
        return photo_id

    def submit(self, record_id, findings=(), context=None):
        doc = self.records[record_id]["doc"] if record_id in self.records else None
        signed = (
            revision_hash(doc["groups"], [p["sha256"] for p in doc["photos"]]) if doc else sha256("unseen")
        )
        pack = doc["pack"] if doc else self.reference()["pack"]
        today = (self.wall or datetime.now(UTC)).date().isoformat()
        context = {"today": today, "timezone": "America/Chicago", **(context or {})}
        return self.op(
            "record.submit",
            record_id,
            context=context,
            findings=list(findings),
            pack=pack,
            revision_hash=signed,
        )

    # -------------------------------------------------------------------------------- the calls

    def get_device_token(self):
        nonce = self.client.get("/api/v1/time").json["nonce"]
        answer = self.client.post(
            "/api/v1/auth/device", json={"device_id": self.device_id, "nonce": nonce, "sig": self.sign(nonce)}
        )
        assert answer.status_code == 200, answer.data[:500]
        self.device_token = answer.json["token"]
        return self.device_token

    def as_device(self):
        return {"Authorization": f"Bearer {self.device_token or self.get_device_token()}"}

    def as_person(self):
        return {"Authorization": f"Bearer {self.person_token}"}

    def batch(self, envelopes, **other):
        return {"batch": "b", "device_id": self.device_id, "epoch": self.epoch, "ops": envelopes, **other}

    def post_ops(self, envelopes, **other):
        return self.client.post("/api/v1/ops", json=self.batch(envelopes, **other), headers=self.as_device())

    def push(self, lose_answer=False):
        """Send the queue; returns the results. With `lose_answer` nothing is taken from the queue."""
        answer = self.post_ops(self.queue)
        assert answer.status_code == 200, answer.data[:500]
        results = answer.json["results"]
        if not lose_answer:
            del self.queue[: sum(result["status"] in FINAL for result in results)]
        return results

    def pull(self, limit=500):
        """Take the feed to its end; returns the last page."""
        while True:
            answer = self.client.get(
                "/api/v1/changes",
                query_string={"cursor": self.cursor, "limit": limit},
                headers=self.as_person(),
            )
            assert answer.status_code == 200, answer.data[:500]
            page = answer.json
            for change in page["changes"]:
                into = self.records if change["entity"] == "inspection" else self.assignments
                if change["id"] not in into or into[change["id"]]["chg"] <= change["chg"]:
                    into[change["id"]] = change
                if change["entity"] == "inspection":
                    for group, entry in change["doc"]["groups"].items():
                        self.current[change["id"], group] = entry["op"]
            for gone in page["forget"]:
                self.records.pop(gone, None)
                self.assignments.pop(gone, None)
            self.cursor = page["cursor"]
            if page.get("resync"):
                self.records, self.assignments, self.cursor = {}, {}, ""
            elif not page["more"]:
                return page

    def reference(self):
        answer = self.client.get("/api/v1/reference", headers=self.as_person())
        assert answer.status_code == 200, answer.data[:500]
        return answer.json

    def sync(self):
        results = self.push() if self.queue else []
        self.pull()
        return results

    def doc(self, record_id):
        self.pull()
        return self.records[record_id]["doc"]

    # -------------------------------------------------------------------------------- photos

    def create_upload(self, photo_id, data, kind="original", digest=None, length=None):
        told = {"photo_id": photo_id, "sha256": digest or sha256(data), "kind": kind}
        metadata = ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in told.items())
        return self.client.post(
            "/api/v1/files",
            headers={
                **self.as_device(),
                **TUS,
                "Upload-Length": str(len(data) if length is None else length),
                "Upload-Metadata": metadata,
            },
        )

    def patch(self, url, off, part, checksum=None, **headers):
        checksum = checksum or f"sha256 {b64encode(hashlib.sha256(part).digest()).decode()}"
        return self.client.patch(
            url,
            data=part,
            content_type="application/offset+octet-stream",
            headers={
                **self.as_device(),
                **TUS,
                "Upload-Offset": str(off),
                "Upload-Checksum": checksum,
                **headers,
            },
        )

    def stands_at(self, url):
        answer = self.client.head(url, headers={**self.as_device(), **TUS})
        assert answer.status_code == 200, answer.status
        return int(answer.headers["Upload-Offset"])

    def upload(self, photo_id, data, chunk=None, kind="original"):
        """Send a photo, going on from where the server stands."""
        made = self.create_upload(photo_id, data, kind)
        assert made.status_code == 201, made.json
        url = made.headers["Location"]
        off = int(made.headers["Upload-Offset"])
        while off < len(data):
            part = data[off : off + (chunk or len(data))]
            answer = self.patch(url, off, part)
            assert answer.status_code == 204, answer.json
            off = int(answer.headers["Upload-Offset"])
        return url

    def photo_state(self, photo_id):
        answer = self.client.get(
            "/api/v1/photos/status", query_string={"ids": photo_id}, headers=self.as_device()
        )
        assert answer.status_code == 200, answer.data[:500]
        return answer.json["photos"][0]["state"]
