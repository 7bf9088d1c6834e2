"""`inspect-app lab import`, as a clerk types it."""

import pytest
from click.testing import CliRunner

from inspect_app.cli import cli
from tests.laboratory import visit


@pytest.fixture
def run(data, database_url, monkeypatch):
    monkeypatch.setenv("INSPECT_APP_DATA", str(data))
    monkeypatch.setenv("DATABASE_URL", database_url)
    return lambda *arguments: CliRunner().invoke(cli, ["lab", "import", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "report.csv"
    path.write_bytes(visit.csv_of(*visit.ROWS, visit.ROWS[0].replace("CM03-C1", "CM3-C1")))
    return path


def test_a_report_is_read_then_entered_and_says_what_waits(run, file, visited, outsider, lab_desk):
    told = ("--village", "howards-grove", "--as", outsider.sign_in_name)
    read = run(*told, "--only-read", file)
    assert read.exit_code == 0, read.output
    assert "6 ready" in read.output
    assert "lab_results" not in lab_desk.record(visited)["doc"]["lists"]
    entered = run(*told, file)
    assert "came before" in entered.output
    assert "6 applied" in entered.output
    assert "line 8: No record has a sample HG-260415-CM3-C1" in entered.output
    assert len(lab_desk.record(visited)["doc"]["lists"]["lab_results"]) == 6


@pytest.mark.parametrize(
    ("village", "name", "sentence"),
    [
        ("howards-grove", "nobody", "Nobody signs in as nobody"),
        ("howards-grove", "reviewer-1", "neither reviewer nor administrator of howards-grove"),
        ("nowhere", "outsider", "nowhere"),
    ],
)
def test_who_may_not_enter_results_is_told_so(run, file, reviewer_1, outsider, village, name, sentence):
    refused = run("--village", village, "--as", name, file)
    assert refused.exit_code == 1
    assert sentence in refused.output
    assert "Traceback" not in refused.output


def test_a_file_that_is_no_report_is_a_sentence(run, tmp_path, outsider):
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n")
    refused = run("--village", "howards-grove", "--as", "outsider", path)
    assert refused.exit_code == 1
    assert "names no coc_no" in refused.output
