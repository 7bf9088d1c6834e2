"""The server as the handbook runs it at scale: gunicorn with three workers, which a test may kill."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.support.databases import KEY
from tests.support.server import START_SECONDS, LiveServer

WORKERS = 3


class Workers(LiveServer):
    """gunicorn and its workers on one port, one data folder and one database."""

    def __init__(self, *where):
        super().__init__(*where)
        self.environment["SECRET_KEY"] = KEY  # that of the application by which the test looks on

    def start(self) -> "Workers":
        command = [
            str(Path(sys.executable).with_name("gunicorn")),
            *("--workers", str(WORKERS), "--bind", f"127.0.0.1:{self.port}", "--no-control-socket"),
            "inspect_app:create_app()",
        ]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, cwd=self.data, start_new_session=True
            )
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                tail = self.log.read_text()[-2000:]
                self.kill()
                raise RuntimeError(f"gunicorn did not start:\n{tail}")
            time.sleep(0.05)
        return self

    def kill(self) -> None:
        """End the whole group at once, master and workers, as a power cut would."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        self.process = None

    def workers(self) -> list[int]:
        """The workers' process ids now."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    def kill_worker(self, random) -> None:
        """End one worker in whatever it is doing; the master starts another."""
        with suppress(ProcessLookupError, IndexError):
            os.kill(random.choice(self.workers()), signal.SIGKILL)

    def memory_bytes(self) -> int:
        """Resident memory of the largest worker now."""
        found = []
        for pid in self.workers():
            with suppress(FileNotFoundError):
                for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                    if line.startswith("VmRSS:"):
                        found.append(int(line.split()[1]) * 1024)
        return max(found)
