"""Every row of docs/faults.md names tests that exist, or says why it needs none."""

import re

from tests.support.tree import ROOT

ROW = re.compile(r"^\| (C-\d{3}) \| [^|]+ \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/.]+)::([^`]+)`")
SECTIONS = {"A": 14, "B": 12, "C": 16, "D": 6, "E": 14, "F": 9, "G": 7, "H": 6, "I": 6, "J": 5}


def test_every_row_of_the_sections_is_there_once():
    text = (ROOT / "docs" / "faults.md").read_text()
    parts = re.split(r"^## ([A-J])\. .*$", text, flags=re.MULTILINE)[1:]
    told = {
        name: [row for row, _ in ROW.findall(body)]
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }
    assert {name: len(rows) for name, rows in told.items()} == SECTIONS
    rows = [row for each in told.values() for row in each]
    assert rows == sorted(set(rows))


def test_every_test_it_names_exists_and_every_other_row_says_why():
    wrong = []
    for row, proof in ROW.findall((ROOT / "docs" / "faults.md").read_text()):
        named = NAMED.findall(proof)
        if not named and not proof.startswith(("Cannot occur", "Without a test")):
            wrong.append(f"{row} names no test and no reason")
        for file, test in named:
            path = ROOT / "tests" / file
            begins = (f"def {test}(",) if file.endswith(".py") else (f"test('{test}'", f'test("{test}"')
            if not path.is_file() or not any(begin in path.read_text() for begin in begins):
                wrong.append(f"{row}: tests/{file} has no test {test!r}")
    assert not wrong, "\n".join(wrong)
