"""Chromium as found on the machine, and a tablet whose browser can be closed and opened again offline."""

import atexit
import os
import shutil
import signal
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from PIL import Image, ImageDraw

# The first is Chromium without the window nobody sees: a tenth less work for a small machine.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No sandbox: tests run as root in containers. The rest keeps Chromium from calling home, which the closed
# network of a test machine answers with a storm of refused connections.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
# Barneveld, Wisconsin: where the fake tablet says it stands.
PLACE = {"latitude": 43.0155, "longitude": -89.8957, "accuracy": 5}
TABLET = {"width": 820, "height": 1180}
OPTIONS = {
    "viewport": TABLET,
    "locale": "en-US",
    "timezone_id": "America/Chicago",
    "geolocation": PLACE,
    "permissions": ["geolocation", "camera"],
    "service_workers": "allow",
}


def find_chromium() -> str | None:
    """The path of Chromium or Chrome, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@cache
def film() -> str:
    """A file of what the camera sees; Chromium's own picture has eight megapixels, twenty times a second."""
    path = Path(mkdtemp(prefix="inspect-app-film-")) / "film.mjpeg"
    atexit.register(shutil.rmtree, path.parent, ignore_errors=True)
    with path.open("wb") as out:
        for number in range(20):
            picture = Image.linear_gradient("L").resize((1280, 960)).convert("RGB")
            draw = ImageDraw.Draw(picture)
            draw.pieslice((440, 280, 840, 680), 0, 18 * (number + 1), fill=(13, 120, 80))
            draw.text((40, 40), f"{number}", fill=(255, 255, 255), font_size=60)
            picture.save(out, "JPEG", quality=80)
    return str(path)


@contextmanager
def chromium(playwright, **options):
    """A running Chromium without a profile."""
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS, **options)
    try:
        yield browser
    finally:
        browser.close()


class Tablet:
    """One tablet: a browser profile on disk that outlives its browser, as a real one does.

    `open(offline=True)` starts the browser with no network from its first moment: a cold start at the trench.
    """

    def __init__(self, playwright, profile: Path, origin: str, arguments: tuple[str, ...] = (), **options):
        self.playwright = playwright
        self.profile = profile
        self.origin = origin
        self.arguments = [*ARGUMENTS, f"--use-file-for-fake-video-capture={film()}", *arguments]
        self.options = {**OPTIONS, **options}
        self.context = None
        self.page = None
        self.complaints: list[str] = []

    def open(self, path: str | None = "/field/", offline: bool = False):
        """Start the browser and go to `path`; None leaves the page blank. Returns the page."""
        self.context = self.playwright.chromium.launch_persistent_context(
            str(self.profile),
            executable_path=find_chromium(),
            args=self.arguments,
            offline=offline,
            **self.options,
        )
        self.page = self.context.pages[0] if self.context.pages else self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("console", self._heard)
        if path is not None:
            self.page.goto(self.origin + path)
        return self.page

    def _heard(self, message) -> None:
        if message.type == "error":
            self.complaints.append(f"console: {message.text}")

    def close(self) -> None:
        """Close the browser; the profile stays."""
        if self.context:
            self.context.close()
        self.context = self.page = None

    def kill(self) -> None:
        """End the browser as a flat battery would: SIGKILL, at once; the profile stays as it is on disk."""
        wanted = f"--user-data-dir={self.profile}"
        for process in Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            try:
                arguments = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue  # it ended meanwhile
            # The children name the profile too; they end with their parent.
            if wanted in arguments and not any(word.startswith("--type=") for word in arguments):
                os.kill(int(process.name), signal.SIGKILL)
        with suppress(Exception):  # what the connection says of a dead browser is not of interest
            self.context.close()
        self.context = self.page = None

    def reopen(self, path: str | None = "/field/", offline: bool = False):
        self.close()
        return self.open(path, offline)

    def go_offline(self) -> None:
        self.context.set_offline(True)

    def go_online(self) -> None:
        self.context.set_offline(False)

    def ready_offline(self, seconds: float = 30) -> None:
        """Wait until the service worker holds the whole app and controls this page."""
        self.page.wait_for_function(
            "() => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))",
            timeout=seconds * 1000,
        )
