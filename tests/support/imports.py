"""Reads the imports of a source file, in either language, without running it."""

import ast
import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "inspect_app"
# `import x from "y"`, `export … from "y"`, `import "y"`, `import("y")`; comments are cut out first.
JAVASCRIPT = re.compile(
    r"""(?:(?:^|[;}\n])\s*(?:import|export)\b[^;"'`]*?\bfrom\s*|(?<!["'\w.])import\s*\(?\s*|\bimportScripts\s*\(\s*)"""
    r"""(["'])([^"'\n]+)\1"""
)
JAVASCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)


def python_imports(source: str, module: str, is_package: bool = False) -> set[str]:
    """Every module that this one imports, by full name, wherever in the file the import stands.

    `from inspect_app import health` names inspect_app.health: what is imported may be a module of its own.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                kept = parts[: len(parts) - node.level + (1 if is_package else 0)]
                base = ".".join([*kept, base] if base else kept)
            if base == PACKAGE:
                found |= {f"{base}.{n}" if _is_module(n) else base for n in (a.name for a in node.names)}
            else:
                found.add(base)
    return found


def _is_module(name: str) -> bool:
    return (ROOT / PACKAGE / name).is_dir() or (ROOT / PACKAGE / f"{name}.py").exists()


def layer_of(module: str) -> str | None:
    """The layer of one of our modules: its folder, or its file at the root; None for anything else."""
    parts = module.split(".")
    if parts[0] != PACKAGE:
        return None
    return parts[1] if len(parts) > 1 else "__init__"


def javascript_imports(source: str) -> set[str]:
    """Every module that this one imports, as written."""
    return {match.group(2) for match in JAVASCRIPT.finditer(JAVASCRIPT_COMMENT.sub("", source))}


def javascript_layer(path: str) -> str:
    """The layer of a path below static/pwa: its folder, or its file at the root; `vendor` for packages."""
    if path.startswith(("../vendor/", "vendor/")):
        return "vendor"
    return path.split("/")[0]


def resolve(importer: str, name: str) -> str:
    """The path below static/pwa that `name` means inside `importer`."""
    if name.startswith("/"):
        return posixpath.relpath(name, "/static/pwa")
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))


def python_modules(root: Path):
    """(module name, path, whether it is a package) of every Python file of the product."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = list(path.relative_to(root).with_suffix("").parts)
        is_package = parts[-1] == "__init__"
        yield ".".join(parts[:-1] if is_package else parts), path, is_package
