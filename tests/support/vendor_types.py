"""Puts a line of types beside each vendored module, so that tsc checks our code against the real types.

The served files are copies without their declarations, some of them minified; without this step the compiler
would check other people's code instead of ours. Run by `make lint`; git and the wheel leave the lines out.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "inspect_app" / "static" / "vendor"
PACKAGES = ROOT / "node_modules"
# Packages whose declarations do not stand beside the file that is served.
ELSEWHERE = {"signature_pad/dist/signature_pad.min.js": "signature_pad/dist/types/signature_pad.js"}


def place_types() -> None:
    """Write `<module>.d.ts` beside every vendored module that has declarations in node_modules."""
    for module in VENDOR.rglob("*.js"):
        name = module.relative_to(VENDOR).as_posix()
        typed = PACKAGES / ELSEWHERE.get(name, name)
        declarations = typed.with_suffix(".d.ts")
        if not declarations.exists():
            continue
        source = os.path.relpath(typed, module.parent)
        lines = [f'export * from "{source}";']
        if "export default" in declarations.read_text():
            lines.append(f'export {{ default }} from "{source}";')
        module.with_suffix(".d.ts").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    place_types()
