"""Names in the page the modules that its first drawing needs.

A browser learns what a module imports only when it has read it. On a slow tablet each of those steps costs a
round through the service worker, one after the other; with the list in the page all are read at once.
"""

import posixpath
import re
from pathlib import Path

# Static imports and re-exports; import() is for later, so it is left out.
STATIC_IMPORT = re.compile(r'^(?:import|export)\s(?:[^;"\']*?\sfrom\s*)?["\'](\.[^"\']+)["\']', re.MULTILINE)
ENTRY = re.compile(r'^(<script type="module" src=")([^"]+)("></script>)$', re.MULTILINE)


def with_preloads(page: str, root: Path, base: str) -> str:
    """The page with a `modulepreload` link for every module that its entry imports, directly or not.

    `root` is the folder that the address `base` of the page's scripts leads to; the links are relative, as
    the entry is. A page without an entry comes back as it was.
    """
    entry = ENTRY.search(page)
    if entry is None or not entry[2].startswith(base):
        return page
    modules = imported(root, entry[2].removeprefix(base))
    links = "".join(f'<link rel="modulepreload" href="{base}{name}">\n' for name in modules)
    return page[: entry.start()] + links + page[entry.start() :]


def imported(root: Path, name: str) -> list[str]:
    """The paths below `root` of all modules that this one needs before it can run, in the order found."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop(0)
        for target in STATIC_IMPORT.findall((root / module).read_text(encoding="utf-8")):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(module), target))
            if path not in found and path != name:
                found[path] = None
                waiting.append(path)
    return list(found)
