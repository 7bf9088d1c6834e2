"""What must never be tracked: addresses of package registries, paths of a machine, other people's code.

`python -m tests.support.tree` prints what it found and exits 1; tests/test_house.py asks the same question.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Put together from parts, so that this file does not hold what it looks for.
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
HOSTS += [".".join(parts) for parts in (("deb", "debian", "org"), ("npmmirror", "com"), ("yarnpkg", "com"))]
REGISTRY = re.compile(
    "|".join(
        [
            *(re.escape(host) for host in HOSTS),
            '"resolved"' + r' *: *"',
            "--(?:extra-)?" + "index-url",
            "registry" + r" *= *http",
            "/-" + r"/[^ \"]+\.tgz",
        ]
    )
)
MACHINE = re.compile(r"(?:^|[^A-Za-z0-9_.])/(?:" + "|".join(("work", "root", "farm", "home")) + r")/")
VENDORED = re.compile(r"(^|/)(node_modules|vendor|dist|\.venv)/")


def tracked(root: Path = ROOT) -> list[Path]:
    """The files that git knows, and those that it would add."""
    answer = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return sorted({root / name for name in answer.stdout.split("\0") if name})


def complaints(root: Path = ROOT) -> list[str]:
    """One sentence for each line that must not be there."""
    found = []
    for path in tracked(root):
        name = path.relative_to(root)
        if VENDORED.search(str(name)):
            found.append(f"{name}: other people's code, or something built, is tracked.")
        if not path.is_file():
            continue
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if REGISTRY.search(line):
                found.append(f"{name}:{number}: the address of a package registry.")
            if MACHINE.search(line):
                found.append(f"{name}:{number}: a path of one machine.")
    return found


if __name__ == "__main__":
    problems = complaints()
    print("\n".join(problems) or "The tree holds no registry address, machine path or vendored file.")
    sys.exit(bool(problems))
