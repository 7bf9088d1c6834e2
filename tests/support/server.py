"""The real `inspect-app serve` as a process of its own, which a test may kill and start again."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

START_SECONDS = 60


class LiveServer:
    """One server on one port and one data folder; it keeps both over any number of starts."""

    def __init__(self, data: Path, database_url: str | None = None, arguments: tuple[str, ...] = ()):
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.arguments = arguments
        self.database_url = database_url or f"sqlite:///{data / 'inspect.sqlite3'}"
        self.log = data / "server.log"
        self.process: subprocess.Popen | None = None
        self.environment = {
            **os.environ,
            "INSPECT_APP_DATA": str(data),
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
        }
        self.environment.pop("DATABASE_URL", None)
        if database_url:
            self.environment["DATABASE_URL"] = database_url

    def start(self) -> "LiveServer":
        """Start and wait until /healthz answers."""
        command = [str(Path(sys.executable).with_name("inspect-app")), "serve", *self.arguments]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, cwd=self.data, start_new_session=True
            )
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                tail = self.log.read_text()[-2000:]
                self.kill()
                raise RuntimeError(f"inspect-app serve did not start:\n{tail}")
            time.sleep(0.05)
        return self

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def send_app(self) -> None:
        """Ask for every file of the tablet app, as a browser does that installs it."""
        worker = self._ask("/field/sw.js").decode()
        listed, _ = json.JSONDecoder().raw_decode(worker, worker.index("{"))
        for path in (*listed["files"], *listed["map"]["files"], listed["bundle"]):
            self._ask(path, {"Accept-Encoding": "gzip, deflate, br"})

    def _ask(self, path: str, headers: dict[str, str] | None = None) -> bytes:
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers or {})) as answer:
            return answer.read()

    def kill(self) -> None:
        """Stop it as a power cut would: SIGKILL, at once."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it as an administrator would: SIGTERM, and wait."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(20)
        self.process = None

    def restart(self) -> "LiveServer":
        self.stop()
        return self.start()

    def command(self, *arguments: str, **more) -> subprocess.CompletedProcess:
        """Run another `inspect-app` command on the same data folder."""
        return subprocess.run(
            [str(Path(sys.executable).with_name("inspect-app")), *arguments],
            env=self.environment,
            cwd=self.data,
            capture_output=True,
            text=True,
            check=True,
            **more,
        )

    def memory_bytes(self) -> int:
        """Resident memory of the process now."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("The process has no resident memory: it is gone.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
