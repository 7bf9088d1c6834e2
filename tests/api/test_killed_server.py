"""The real server, killed with SIGKILL in the middle of things and started again, loses nothing."""

import threading
import time

from inspect_app.store.blobs import BlobStore
from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import OpLog
from tests.api import pictures
from tests.api.tablet import sha256
from tests.api.wire import WireClient

KILLS = 3


def test_ops_and_a_photo_survive_a_server_that_is_killed_again_and_again(live_server, tablet_a, data, rows):
    tablet_a.client = WireClient(live_server.url)
    tablet_a.device_token = None
    record_id = tablet_a.begin()
    for number in range(60):
        tablet_a.note(record_id, f"note {number}")
    photo = pictures.jpeg("noise", (900, 700))
    photo_id = tablet_a.attach(record_id, photo)
    killed = threading.Event()

    def kill():
        for _ in range(KILLS):
            time.sleep(0.7)
            live_server.kill()
            live_server.start()
        killed.set()

    killer = threading.Thread(target=kill)
    killer.start()
    until = time.monotonic() + 120
    at = None
    while time.monotonic() < until:
        try:
            tablet_a.client = WireClient(live_server.url)
            if tablet_a.queue:
                push_some(tablet_a)
            elif at is None or at < len(photo):
                at = send_some(tablet_a, photo_id, photo)
            elif killed.is_set():
                break
        except OSError:
            time.sleep(0.1)
    killer.join()
    tablet_a.client = WireClient(live_server.url)
    assert tablet_a.queue == []
    assert tablet_a.photo_state(photo_id) == "stored"
    assert BlobStore(data / "blobs").path(sha256(photo)).read_bytes() == photo
    log = sorted(rows(OpLog, device_id=tablet_a.device_id), key=lambda row: row["seq"])
    assert [row["seq"] for row in log] == list(range(1, 63))
    assert {row["status"] for row in log} == {"applied"}
    notes = rows(Inspection)[0]["doc"]["lists"]["notes"]
    assert [row["row"]["note"] for row in notes] == [f"note {number}" for number in range(60)]


def push_some(tablet):
    """Ten ops at a time; what was answered leaves the queue, as on a real tablet."""
    answer = tablet.post_ops(tablet.queue[:10])
    assert answer.status_code == 200, answer.json
    assert all(result["status"] == "applied" for result in answer.json["results"])
    del tablet.queue[: len(answer.json["results"])]


def send_some(tablet, photo_id, photo):
    """One part, from where the server stands."""
    made = tablet.create_upload(photo_id, photo)
    assert made.status_code == 201, made.json
    off = int(made.headers["Upload-Offset"])
    if off == len(photo):
        return off
    answer = tablet.patch(made.headers["Location"], off, photo[off : off + 20_000])
    assert answer.status_code == 204, answer.json
    return int(answer.headers["Upload-Offset"])
