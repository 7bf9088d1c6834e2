"""Serves the tablet app and the list of files its service worker must hold.

The modules are plain files; what goes over the line are the short copies of them (lean.py). The list of all
of them with their hashes is made here too: the worker takes over a version whole or not at all, so list and
files must come from the same tree.
"""

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, request, send_from_directory, url_for
from werkzeug.utils import safe_join

from inspect_app.lean import lean
from inspect_app.preload import with_preloads

bp = Blueprint("field", __name__, url_prefix="/field")
files_bp = Blueprint("field_files", __name__)

TYPES = {
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}
LEAN = {".js": "text/javascript", ".css": "text/css"}
SERVED_HERE = {"index.html", "sw.js"}  # at /field/, not below /static/
# What draws the map is held apart, once a person wants the map without a signal.
MAP_MODULES = {"screens/gl_map.js"}
MAP_WORKER = Path("maplibre-gl/dist/maplibre-gl-worker.mjs")
MAP_PACKAGES = ("maplibre-gl", "pmtiles")
VENDOR_PACKAGES = ("idb", "lit-html", "signature_pad")  # those the tablet imports; htmx is the office's


@bp.get("/")
def app() -> Response:
    """The app's one page; what it shows is decided on the tablet."""
    return _uncached(Response(_served(_tree() / "pwa" / "index.html"), mimetype=TYPES[".html"]))


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """What the system needs to install the app."""
    return _uncached(
        send_from_directory(_tree() / "pwa", "manifest.webmanifest", mimetype="application/manifest+json")
    )


@bp.get("/sw.js")
def service_worker() -> Response:
    """The service worker with its list in front; it stands here because its scope is its own folder."""
    addresses = {"shell": url_for("field.app"), "bundle": url_for("field.bundle")}
    tree = file_list()
    listed = {
        **addresses,
        "version": tree["version"],
        "digest": tree["digest"],
        "files": sorted(tree["files"]),
        "map": tree["map"],
    }
    source = _served(_tree() / "pwa" / "sw.js").decode()
    text = f"self.FIELD = {json.dumps(listed, indent=1, sort_keys=True)};\n{source}"
    response = Response(text, mimetype="text/javascript")
    response.add_etag()
    response.make_conditional(request)
    return _uncached(response)


@bp.get("/map-worker.mjs")
def map_worker() -> Response:
    """What draws the map beside the page; it stands here, within the service worker's scope, to be held."""
    return _uncached(send_from_directory(_tree() / "vendor" / MAP_WORKER.parent, MAP_WORKER.name))


@bp.get("/bundle.json")
def bundle() -> Response:
    """Every listed file as {path: {"type", "text"}}, for the worker to take over in one answer."""
    tree = _tree()
    files = {}
    for url, path in _listed(tree).items():
        kind = TYPES.get(path.suffix) or LEAN[path.suffix]
        files[url] = {"type": f"{kind}; charset=utf-8", "text": _served(path).decode()}
    response = Response(json.dumps(files, ensure_ascii=False), mimetype="application/json")
    response.set_etag(file_list()["version"])
    response.make_conditional(request)
    return _uncached(response)


@files_bp.get("/static/pwa/<path:name>", defaults={"part": "pwa"})
@files_bp.get("/static/vendor/idb/<path:name>", defaults={"part": "vendor/idb"})
def module(part: str, name: str) -> Response:
    """A file of the app; of code and styles the short copy."""
    folder = _tree() / part
    if Path(name).suffix not in LEAN:
        return _uncached(send_from_directory(folder, name))
    path = safe_join(str(folder), name)
    if path is None or not Path(path).is_file():
        abort(404)
    response = Response(_served(Path(path)), mimetype=LEAN[Path(name).suffix])
    response.set_etag(_sha256(Path(path)))
    response.make_conditional(request)
    return _uncached(response)


def file_list() -> dict:
    """All the app needs with no signal: {"version", "digest" of the list, "files": {path: sha256}, "map"}.

    `map` is what only the map needs: {"version", "files": {path: {"sha256", "bytes"}}}.
    """
    tree = _tree()
    files = {url: _sha256(path) for url, path in _listed(tree).items()}
    lines = "".join(f"{sha} {url}\n" for url, sha in sorted(files.items()))
    digest = sha256(lines.encode()).hexdigest()
    # The worker's own text is part of the version: a change in it alone is an update too.
    map_files = {
        url: {"sha256": _sha256(path), "bytes": path.stat().st_size} for url, path in _map_files(tree)
    }
    map_version = sha256(json.dumps(map_files, sort_keys=True).encode()).hexdigest()[:16]
    version = sha256((digest + map_version + _sha256(tree / "pwa" / "sw.js")).encode()).hexdigest()[:16]
    named = {"version": map_version, "files": map_files}
    return {"version": version, "digest": digest, "files": files, "map": named}


def _listed(tree: Path) -> dict[str, Path]:
    """The file behind each address that the worker holds."""
    files = {
        url_for("field.app"): tree / "pwa" / "index.html",
        url_for("field.manifest"): tree / "pwa" / "manifest.webmanifest",
    }
    for path in _module_files(tree):
        files[url_for("static", filename=path.relative_to(tree).as_posix())] = path
    return files


def _module_files(tree: Path) -> list[Path]:
    own = [
        path
        for path in (tree / "pwa").rglob("*")
        if path.is_file()
        and path.suffix in TYPES | LEAN  # no picture: the icons are asked for once, on installing
        and path.relative_to(tree / "pwa").as_posix() not in SERVED_HERE | MAP_MODULES
    ]
    vendor = [path for package in VENDOR_PACKAGES for path in (tree / "vendor" / package).rglob("*.js")]
    return sorted(own + vendor)


def _map_files(tree: Path) -> list[tuple[str, Path]]:
    own = [tree / "pwa" / name for name in sorted(MAP_MODULES)]
    vendor = [
        path
        for package in MAP_PACKAGES
        for path in sorted((tree / "vendor" / package / "dist").glob("*"))
        if path.suffix in (".js", ".mjs", ".css")
    ]
    worker = tree / "vendor" / MAP_WORKER
    return [
        (url_for("field.map_worker") if path == worker else url_for("static", filename=name), path)
        for path in (*own, *vendor)
        if path.exists()
        for name in [path.relative_to(tree).as_posix()]
    ]


def _tree() -> Path:
    return Path(current_app.static_folder or "")


def _sha256(path: Path) -> str:
    status = path.stat()
    return _hash_of(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1024)
def _hash_of(path: Path, _changed_ns: int, _size: int) -> str:
    return sha256(_served(path)).hexdigest()


def _served(path: Path) -> bytes:
    """The bytes that a tablet gets for this file."""
    status = path.stat()
    return _lean(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=256)
def _lean(path: Path, _changed_ns: int, _size: int) -> bytes:
    if path.name == "index.html":
        return with_preloads(path.read_text(encoding="utf-8"), _tree(), "../static/").encode()
    return lean(path, _tree())


def _uncached(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-cache"
    return response
