"""The reference tablet's procedure: push everything, pull everything, then photos. It may stop anywhere."""

import hashlib
from base64 import b64encode

from tests.simulation.device import Paused
from tests.simulation.network import Unreachable

TUS = {"Tus-Resumable": "1.0.0"}
FINAL = frozenset({"applied", "noop", "conflict", "quarantined", "raw"})
MOST_OPS = 8
TRIES_ALONE = 2


class Engine:
    """Syncs one device. Each method may be cut off at any call, and is right when it is run again."""

    def __init__(self, device):
        self.device = device

    @property
    def disk(self):
        return self.device.disk

    def run(self):
        """One pass; raises Unreachable or Paused. Receiving may need a person; sending never does."""
        self.push()
        self.device.meanwhile()
        waits = None
        try:
            self.pull()
        except Paused as paused:
            waits = paused
        self.upload()
        if waits:
            raise waits

    # ------------------------------------------------------------ push

    def push(self):
        device, disk = self.device, self.disk
        most, refusals, resent = MOST_OPS, 0, set()
        while ops := device.unsent()[:most]:
            said = {
                "batch": device.new_id(),
                "device_id": disk.device_id,
                "epoch": disk.epoch,
                "ops": [entry.envelope for entry in ops],
            }
            answer = device.as_device("POST", "/api/v1/ops", json=said)
            device.danger()
            if answer.status == 200:
                self.taken(answer.said, ops, resent)
                most, refusals = MOST_OPS, 0
            elif answer.status == 409 and answer.said and answer.said.get("epoch"):
                self.new_epoch(answer.said["epoch"])
            elif answer.status in (400, 413, 422) and len(ops) > 1:
                most = (len(ops) + 1) // 2
            elif answer.status in (400, 413, 422):
                refusals += 1
                if refusals >= TRIES_ALONE:
                    self.last_resort(ops[0])
                    refusals = 0
            else:
                raise Unreachable(f"push answered {answer.status}")

    def taken(self, said, ops, resent):
        results = said["results"]
        final = []
        for result in results:
            if result["status"] not in FINAL:
                break
            final.append(result)
        self.acknowledge(ops, final)
        if len(final) == len(results):
            return
        result = results[len(final)]
        lacks = result["status"] == "gap" and result["expect"] <= self.disk.acknowledged
        if lacks and result["expect"] not in resent:
            resent.add(result["expect"])
            self.disk.acknowledged = result["expect"] - 1  # the server lacks what it once confirmed
            return
        self.disk.needs = "enrol_again"
        raise Paused("enrol_again")

    def acknowledge(self, ops, results):
        """Note final answers, in order and in one transaction."""
        for entry, result in zip(ops, results, strict=False):
            entry.result = result
            self.disk.acknowledged = entry.seq

    def last_resort(self, entry):
        answer = self.device.as_device(
            "POST",
            "/api/v1/ops/raw",
            data=entry.envelope["body"].encode(),
            content_type="application/octet-stream",
            headers={"X-Op-Seq": str(entry.seq), "X-Op-Hash": entry.hash},
        )
        if answer.status != 200:
            raise Unreachable(f"the last resort answered {answer.status}")
        self.device.danger()
        self.acknowledge([entry], [{"status": "raw"}])

    def new_epoch(self, epoch):
        """The server was restored: ask what it has of everything here, and send again what it lacks."""
        device, disk = self.device, self.disk
        kept = list(disk.ops)
        asked = [entry.op_id for entry in kept]
        known = set()
        for at in range(0, len(asked), 500):
            said = {"device_id": disk.device_id, "ops": asked[at : at + 500]}
            answer = device.as_device("POST", "/api/v1/ops/have", json=said)
            if answer.status != 200:
                raise Unreachable(f"have answered {answer.status}")
            known |= set(answer.said["known"])
        device.danger()
        lacking = [e for e in kept if e.op_id not in known and (e.result or {}).get("status") != "raw"]
        raws = [e for e in kept if e.op_id not in known and (e.result or {}).get("status") == "raw"]
        mine = [e.seq for e in [*lacking, *raws] if e.device_id == disk.device_id]
        if mine:
            disk.acknowledged = min(disk.acknowledged, min(mine) - 1)
        for entry in lacking:
            if entry.device_id != disk.device_id:  # of an earlier enrolment: a new number, the same op
                device.seal_again(entry)
        for entry in disk.ops:
            if entry.device_id == disk.device_id and entry.seq > disk.acknowledged:
                entry.result = None
            elif entry.result and "chg" in entry.result:
                entry.result = {**entry.result, "chg": 0}  # what it has comes with the first pull
        for photo in disk.photos.values():
            if photo.state == "stored" and photo.data is not None:
                photo.state = "waiting"
        disk.records, disk.conflicts, disk.cursor, disk.seen = {}, {}, "", 0
        disk.epoch = epoch

    # ------------------------------------------------------------ pull

    def pull(self):
        device, disk = self.device, self.disk
        while True:
            answer = device.as_person("/api/v1/changes", cursor=disk.cursor, limit=10)
            if answer.status == 410:
                disk.cursor = ""
                continue
            if answer.status != 200:
                raise Unreachable(f"pull answered {answer.status}")
            device.danger()
            page = answer.said
            if page["epoch"] != disk.epoch:
                self.new_epoch(page["epoch"])
                raise Unreachable("the server was restored")
            if page.get("resync"):
                disk.records, disk.conflicts, disk.cursor, disk.seen = {}, {}, "", 0
                continue
            self.take(page)
            if not page["more"]:
                return

    def take(self, page):
        """Rows and cursor in one transaction."""
        disk = self.disk
        for change in page["changes"]:
            if change["entity"] == "inspection":
                there = disk.records.get(change["id"])
                if there is None or there["chg"] <= change["chg"]:
                    disk.records[change["id"]] = change
            disk.seen = max(disk.seen, change["chg"])
        for conflict in page["conflicts"]:
            disk.conflicts[conflict["id"]] = conflict
        for gone in page["forget"]:
            disk.records.pop(gone, None)
        if not page["more"]:
            disk.seen = max(disk.seen, page["checkpoint"]["chg"])
        disk.cursor = page["cursor"]

    # ------------------------------------------------------------ photos

    def upload(self):
        device, disk = self.device, self.disk
        for photo_id, photo in list(disk.photos.items()):
            if photo.state == "waiting":
                self.send(photo_id, photo)
        held = [key for key, photo in disk.photos.items() if photo.state == "stored"]
        if held:
            answer = device.as_device(
                "GET", "/api/v1/photos/status", query_string={"ids": ",".join(held[:200])}
            )
            if answer.status != 200:
                raise Unreachable(f"status answered {answer.status}")
            for row in answer.said["photos"]:
                photo = disk.photos[row["photo_id"]]
                if row["state"] == "durable":
                    photo.data, photo.state = None, "freed"
                elif row["state"] in ("missing", "bad", "partial"):
                    photo.state = "waiting"

    def send(self, photo_id, photo):
        device = self.device
        told = {"photo_id": photo_id, "sha256": photo.sha256, "kind": "original"}
        metadata = ",".join(f"{name} {b64encode(text.encode()).decode()}" for name, text in told.items())
        headers = {**TUS, "Upload-Length": str(len(photo.data)), "Upload-Metadata": metadata}
        answer = device.as_device("POST", "/api/v1/files", headers=headers)
        if answer.status != 201:
            raise Unreachable(f"an upload answered {answer.status}")
        url, off = answer.headers["Location"], int(answer.headers["Upload-Offset"])
        while off < len(photo.data):
            device.danger()
            part = photo.data[off : off + device.random.choice((64, 200, 1000))]
            check = b64encode(hashlib.sha256(part).digest()).decode()
            answer = device.as_device(
                "PATCH",
                url,
                data=part,
                content_type="application/offset+octet-stream",
                headers={**TUS, "Upload-Offset": str(off), "Upload-Checksum": f"sha256 {check}"},
            )
            if answer.status == 204:
                off = int(answer.headers["Upload-Offset"])
            elif answer.status in (409, 460):  # 460: damaged on the way, and nothing of it was kept
                off = int(device.as_device("HEAD", url, headers=TUS).headers["Upload-Offset"])
            else:
                raise Unreachable(f"a part answered {answer.status}")
        device.danger()
        answer = device.as_device("GET", "/api/v1/photos/status", query_string={"ids": photo_id})
        state = answer.said["photos"][0]["state"] if answer.status == 200 else None
        if state in ("stored", "durable"):
            photo.state = "stored"
        elif state == "bad" and hashlib.sha256(photo.data).hexdigest() != photo.sha256:
            photo.state = "damaged"  # on this tablet; sending it again would not help, and a person is told
        elif device.revoked:
            photo.state = "refused"  # it stays in the server's staging and on the tablet
