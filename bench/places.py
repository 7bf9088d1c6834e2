"""Where the measurements run: real servers on folders of their own, and a tablet enrolled on one."""

import re
import tempfile
import urllib.parse
import urllib.request
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

from inspect_app.services.demonstration import PASSWORD
from tests.support.server import LiveServer

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def empty_server():
    """`inspect-app serve` on an empty folder."""
    with tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder:
        server = LiveServer(Path(folder)).start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def demonstration_server():
    """`inspect-app serve` on a folder that holds the demonstration."""
    with tempfile.TemporaryDirectory(prefix="inspect-app-bench-") as folder:
        server = LiveServer(Path(folder))
        server.command("demo")
        server.start()
        try:
            yield server
        finally:
            server.stop()


def read_office(server: LiveServer) -> int:
    """Sign in as a reviewer of the demonstration and read the pages behind the queue; returns how many."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page = browser.open(f"{server.url}/sign-in").read().decode()
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page).group(1)
    form = urllib.parse.urlencode({"name": "reviewer-1", "password": PASSWORD, "csrf_token": token})
    front = browser.open(f"{server.url}/sign-in", form.encode()).read().decode()
    links = {
        link for link in re.findall(r'href="(/[^"#]+)"', front) if not link.startswith(("/static", "/field"))
    }
    for link in sorted(links)[:40]:
        browser.open(server.url + link).read()
    return len(links)
