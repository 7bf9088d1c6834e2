"""Every vector of the product comes out as written, limits included, by the command that villages use."""

from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parents[1] / "vectors").glob("*.json"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "js"])
def test_every_vector_file_passes(run, engine):
    outcome = run("vectors", *FILES, "--engine", engine)
    assert outcome.output.splitlines()[-1].endswith(" passed, 0 failed"), outcome.output
    assert outcome.exit_code == 0
