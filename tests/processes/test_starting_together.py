"""Workers that start in the same moment on an empty folder are one server."""

import subprocess
import sys

import pytest

from inspect_app.config import read_settings

READ = "from inspect_app.config import read_settings; print(read_settings().secret_key)"


def test_workers_that_start_at_once_agree_on_one_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_APP_DATA", str(tmp_path))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    started = [
        subprocess.Popen([sys.executable, "-c", READ], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    told = {process.communicate()[0].strip() for process in started}
    assert len(told) == 1
    assert len(told.pop()) == 64
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]


def test_a_secret_that_a_cut_short_start_left_empty_is_refused(tmp_path):
    (tmp_path / "secret").touch()
    with pytest.raises(RuntimeError, match="is empty"):
        read_settings(data=tmp_path)
