"""WebKitGTK driven over the WebDriver protocol: as much of it as one walk through the capture path needs."""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.server import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # how the protocol names an element in JSON
START_SECONDS = 20


class Refused(Exception):
    """The driver answered with an error; its message is the driver's own."""


def missing() -> str | None:
    """What of WebKitGTK this machine lacks, as a sentence, or None."""
    absent = [
        package
        for package, program in (("webkit2gtk-driver", "WebKitWebDriver"), ("xvfb", "Xvfb"))
        if not shutil.which(program)
    ]
    if not absent:
        return None
    return f"WebKitGTK was not found. Install {' and '.join(absent)} to run the capture path in it."


@contextmanager
def webkit(folder: Path):
    """A window of WebKitGTK's own small browser on a screen in memory, with its storage below `folder`."""
    port = free_port()
    home = {
        name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    }
    with _screen() as display, (folder / "webkit.log").open("w") as log:
        environment = {**os.environ, **home, "DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}
        # No graphics card and no sandbox helper in a container.
        environment |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        process = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield Window.opened(f"http://127.0.0.1:{port}")
        finally:
            _end(process)


@contextmanager
def _screen():
    """A screen in memory, on a number that the X server picks itself; yields its name."""
    readable, writable = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writable), "-screen", "0", "1000x1400x24", "-nolisten", "tcp"],
        pass_fds=(writable,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writable)
    try:
        with os.fdopen(readable) as said:
            number = said.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start.")
        yield f":{number}"
    finally:
        _end(process)


def _end(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


class Window:
    """One window: goes to addresses, runs scripts, finds elements by CSS and acts on them."""

    def __init__(self, url: str, session: str):
        self.url, self.session = url, session

    @classmethod
    def opened(cls, url: str) -> "Window":
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                answer = _asked("POST", f"{url}/session", {"capabilities": {"alwaysMatch": {}}})
                return cls(url, answer["sessionId"])
            except urllib.error.URLError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def _do(self, method: str, path: str, body: Any = None) -> Any:
        return _asked(method, f"{self.url}/session/{self.session}{path}", body)

    def close(self) -> None:
        with suppress(Refused, urllib.error.URLError):
            self._do("DELETE", "")

    def go(self, address: str) -> None:
        self._do("POST", "/url", {"url": address})

    def reload(self) -> None:
        self._do("POST", "/refresh", {})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a function body."""
        return self._do("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def elements(self, css: str) -> list[str]:
        found = self._do("POST", "/elements", {"using": "css selector", "value": css})
        return [one[ELEMENT] for one in found]

    def element(self, css: str, seconds: float = 15) -> str:
        """The first element of this kind, as soon as there is one."""
        return wait_for(lambda: next(iter(self.elements(css)), None), f"no {css}", seconds)

    def text(self, css: str) -> str:
        return self._do("GET", f"/element/{self.element(css)}/text")

    def press(self, css: str) -> None:
        self._do("POST", f"/element/{self.element(css)}/click", {})

    def type(self, css: str, text: str) -> None:
        """Type key by key; into a file input, the path of a file chooses it."""
        self._do("POST", f"/element/{self.element(css)}/value", {"text": text})


def wait_for(question: Callable[[], Any], what: str, seconds: float = 15) -> Any:
    """The first answer that is not empty; raises AssertionError with `what` when none comes in time."""
    end = time.monotonic() + seconds
    while True:
        with suppress(Refused):  # an element may go while it is asked about
            if answer := question():
                return answer
        assert time.monotonic() < end, f"After {seconds} s: {what}"
        time.sleep(0.1)


def _asked(method: str, url: str, body: Any) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as problem:
        said = json.load(problem)["value"]
        raise Refused(f"{said.get('error')}: {said.get('message')}") from None
