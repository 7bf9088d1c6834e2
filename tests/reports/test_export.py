"""`inspect-app export evidence` and `inspect-app verify`, as a clerk types them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server import LiveServer

INSPECT_APP = str(Path(sys.executable).with_name("inspect-app"))


@pytest.fixture
def clerk(demonstration_folder, tmp_path):
    """The command line on a copy of the demonstration."""
    folder = tmp_path / "data"
    shutil.copytree(demonstration_folder, folder)
    return LiveServer(folder)


@pytest.mark.slow
def test_a_sample_of_the_demonstration_is_exported_and_checked_without_any_data(clerk, tmp_path):
    said = clerk.command("export", "evidence", "--any-sample", "-o", "sample.zip").stdout
    assert "custody events" in said
    package = clerk.data / "sample.zip"
    number, village = said.split("record ")[1].split(",")[0].split(" of ")
    again = clerk.command("export", "evidence", number, "--village", village, "-o", "again.zip")
    assert number in again.stdout
    nowhere = {"PATH": "/usr/bin:/bin", "INSPECT_APP_DATA": str(tmp_path / "nowhere")}
    checked = subprocess.run(
        [INSPECT_APP, "verify", str(package)], capture_output=True, text=True, env=nowhere, cwd=tmp_path
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "The package is in order." in checked.stdout
    assert not (tmp_path / "nowhere").exists()
    published = next(
        line.split()[-1] for line in clerk.command("config").stdout.splitlines() if line.startswith("key")
    )
    assert clerk.command("verify", "--key", published, str(package)).returncode == 0
    package.write_bytes(package.read_bytes().replace(b"manhole", b"manhOle", 1))
    spoilt = subprocess.run([INSPECT_APP, "verify", str(package)], capture_output=True, text=True)
    assert spoilt.returncode == 1
    assert "WRONG" in spoilt.stdout


@pytest.mark.slow
def test_what_cannot_be_exported_is_said_and_nothing_is_left_behind(clerk):
    for arguments, told in (
        (("M-9999", "-o", "x.zip"), "There is no record M-9999."),
        (("-o", "x.zip"), "Name one record, or ask for --any-sample."),
        (("--any-sample", "-o", "absent/x.zip"), "cannot be written"),
    ):
        with pytest.raises(subprocess.CalledProcessError) as failed:
            clerk.command("export", "evidence", *arguments)
        assert told in failed.value.stderr
        assert "Traceback" not in failed.value.stderr
    assert not list(clerk.data.glob("*x.zip*"))
