"""Villages in a folder of their own, as a deployment adds them."""

import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from inspect_app.cli import cli
from inspect_app.store import villages

THIRD = Path(__file__).parent / "third"


@pytest.fixture
def oakfield(tmp_path):
    """The folder of a third village, whose files the test may change."""
    folder = tmp_path / "villages" / "oakfield"
    shutil.copytree(THIRD / "oakfield", folder)
    yield folder
    villages.forget()


@pytest.fixture
def rewrite(oakfield):
    """Change a YAML file of the village: what is given goes over its mapping, or over its first rule."""

    def write(file="village.yaml", **changes):
        path = oakfield / file
        source = yaml.safe_load(path.read_text("utf-8"))
        changed = source["rules"][0] if "rules" in source else source
        changed.update(changes)
        for name in [name for name, value in changed.items() if value is None]:
            del changed[name]
        path.write_text(yaml.safe_dump(source, sort_keys=False), "utf-8")
        villages.forget()

    return write


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command of `inspect-app rules` where the third village is installed."""
    monkeypatch.setenv("INSPECT_APP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("INSPECT_APP_VILLAGES", str(tmp_path / "villages"))

    def command(*arguments, typed=None):
        return CliRunner().invoke(cli, ["rules", *map(str, arguments)], input=typed)

    return command
