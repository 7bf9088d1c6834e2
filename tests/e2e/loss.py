"""A tablet's own journal beside the office's log; photos large enough to be cut; hasty typing."""

import hashlib
import io
import time
from contextlib import suppress
from pathlib import Path

from PIL import Image
from sqlalchemy import select

from inspect_app.store.base import db
from inspect_app.store.people import Device
from inspect_app.store.sync import OpLog
from tests.e2e.inspector import Inspector

JOURNAL = """async () => {
  const request = indexedDB.open('outbox');
  const database = await new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  const all = database.transaction('ops').objectStore('ops').getAll();
  const ops = await new Promise((done) => { all.onsuccess = () => done(all.result); });
  database.close();
  return ops.map(({ op_id, seq, device_id }) => [device_id, seq, op_id]);
}"""


def journal(page) -> list[tuple[str, int, str]]:
    """Device, number and id of every op that the tablet's own journal holds, in its order."""
    return sorted(tuple(op) for op in page.evaluate(JOURNAL))


def logged(app, *statuses: str) -> list[tuple[str, int, str]]:
    """The same of every op that the office holds, with these statuses, from tablets enrolled in this test."""
    with app.app_context():
        rows = db.session.execute(
            select(OpLog.device_id, OpLog.seq, OpLog.op_id)
            .join(Device, Device.id == OpLog.device_id)
            .where(Device.name == "Tablet 1", OpLog.status.in_(statuses))
        )
        return sorted(tuple(row) for row in rows)


def pictures(folder: Path, count: int, width: int = 1600) -> dict[Path, str]:
    """Photos of noise, of a megabyte and more each: file and SHA-256."""
    made = {}
    for number in range(count):
        picture = io.BytesIO()
        Image.effect_noise((width, width * 3 // 4), 120).save(picture, "JPEG", quality=92)
        path = folder / f"photo-{number}.jpg"
        path.write_bytes(picture.getvalue())
        made[path] = hashlib.sha256(picture.getvalue()).hexdigest()
    return made


def choose_photos(inspector: Inspector, files) -> None:
    """Hand in files as photos that no place of the form asks for, one after the other."""
    inspector.go_to("photos")
    kept = inspector.page.locator("[aria-labelledby='more-h'] ul.slots > li")
    for path in files:
        before = kept.count()
        inspector.page.locator("#photo-other").set_input_files(path)
        kept.nth(before).wait_for()


def send(page) -> None:
    """Press "Send now" on the outbox screen."""
    page.evaluate("location.hash = '#/outbox'")
    page.get_by_role("button", name="Send now").click()


def bytes_held(data: Path) -> int:
    """How many bytes of photos the server has on its disk, finished or not."""
    held = 0
    for folder in ("staging", "blobs"):
        for path in (data / folder).rglob("*"):
            with suppress(FileNotFoundError):  # moved between the listing and the look
                held += path.stat().st_size if path.is_file() else 0
    return held


def wait_for(condition, seconds: float = 30, pause: float = 0.005) -> bool:
    """Look often, without the browser's help, until something is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(pause)
    return False


class Hasty(Inspector):
    """Types and never leaves the box: what is typed has only the keystroke itself to be kept by."""

    def _write(self, box: str, text: str) -> None:
        place = self.page.locator(f"[id='{box}']")
        place.fill("")
        place.press_sequentially(text)
