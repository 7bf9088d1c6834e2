"""The tablet app as the server hands it out: the page, the worker, and the list both stand on."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from inspect_app import field
from inspect_app.preload import imported

STATIC = Path(field.__file__).parent / "static"
IMPORT = re.compile(r"""(?:^|[;\n])\s*(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*['"]([^'"]+)['"]""")


@pytest.fixture
def listed(client):
    text = client.get("/field/sw.js").text
    return json.loads(text[len("self.FIELD = ") : text.index("\n};\n") + 2])


def test_the_page_is_served_and_asked_for_anew_each_time(client):
    answer = client.get("/field/", buffered=True)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "'unsafe-inline'" not in answer.headers["Content-Security-Policy"]


def test_the_address_without_its_slash_leads_to_the_page(client):
    answer = client.get("/field")
    assert answer.status_code == 308
    assert answer.location.endswith("/field/")


def test_the_worker_is_a_classic_script_with_its_list_in_front(client):
    answer = client.get("/field/sw.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert not IMPORT.search(answer.text)
    assert "importScripts" not in answer.text


def test_an_unchanged_worker_is_not_sent_again(client):
    etag = client.get("/field/sw.js").headers["ETag"]
    assert client.get("/field/sw.js", headers={"If-None-Match": etag}).status_code == 304


def test_every_listed_file_is_served_and_they_have_the_hash_of_the_list(client, listed):
    assert listed["shell"] == "/field/"
    lines = []
    for path in listed["files"]:
        answer = client.get(path, buffered=True)
        assert answer.status_code == 200, path
        lines.append(f"{sha256(answer.data).hexdigest()} {path}\n")
    assert sha256("".join(lines).encode()).hexdigest() == listed["digest"]


def test_the_list_holds_every_module_that_a_listed_module_imports(client, listed):
    missing = set()
    for path in listed["files"]:
        if not path.endswith(".js"):
            continue
        for name in IMPORT.findall(client.get(path, buffered=True).text):
            assert name.startswith("."), f"{path} imports {name}: only relative paths work without a bundler"
            wanted = "/" + str(
                (STATIC.parent / path[1:]).parent.joinpath(name).resolve().relative_to(STATIC.parent)
            )
            if wanted not in listed["files"]:
                missing.add(f"{path} -> {wanted}")
    assert not missing


def test_neither_the_worker_itself_nor_office_files_are_in_the_list(listed):
    assert not [path for path in listed["files"] if "sw.js" in path or "office" in path or "htmx" in path]


def test_a_changed_file_makes_a_new_version(app, tmp_path):
    tree = tmp_path / "static"
    (tree / "pwa").mkdir(parents=True)
    for name in ("index.html", "manifest.webmanifest", "sw.js", "app.js"):
        (tree / "pwa" / name).write_text(name)
    app.static_folder = str(tree)
    versions = []
    for changed in ("index.html", "sw.js", "app.js"):
        with app.test_request_context():
            versions.append(field.file_list()["version"])
        (tree / "pwa" / changed).write_text("something longer than before")
    with app.test_request_context():
        versions.append(field.file_list()["version"])
    assert len(set(versions)) == 4


def test_the_manifest_names_icons_of_the_sizes_it_says(client):
    answer = client.get("/field/manifest.webmanifest", buffered=True)
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert (manifest["start_url"], manifest["scope"]) == ("/field/", "/field/")
    purposes = set()
    for icon in manifest["icons"]:
        path = STATIC.parent / icon["src"].lstrip("/")
        assert path.exists()
        purposes.add(icon.get("purpose", "any"))
        if path.suffix == ".png":
            with Image.open(path) as picture:
                assert f"{picture.width}x{picture.height}" == icon["sizes"]
    assert purposes == {"any", "maskable"}


@pytest.mark.parametrize("path", ["/field/sw.js", "/field/"])
def test_nothing_but_reading_is_possible(client, path):
    assert client.post(path).status_code in (400, 405)


def test_the_bundle_brings_every_listed_file_as_it_is_served(client, listed):
    bundle = client.get(listed["bundle"]).get_json()
    assert set(bundle) == set(listed["files"])
    for path, file in bundle.items():
        answer = client.get(path, buffered=True)
        assert file["text"].encode() == answer.data, path
        assert file["type"].split(";")[0] == answer.mimetype, path


def test_code_goes_out_without_its_comments(client):
    written = (STATIC / "pwa" / "app.js").read_text()
    assert "/**" in written
    assert "/**" not in client.get("/static/pwa/app.js").text


def test_other_peoples_code_keeps_its_licence(client):
    assert "@license" in client.get("/static/vendor/lit-html/lit-html.js", buffered=True).text


@pytest.mark.parametrize("path", ["../config.py", "nothing.js", "%2e%2e/%2e%2e/config.py", "rules"])
def test_nothing_outside_the_app_is_served(client, path):
    assert client.get(f"/static/pwa/{path}").status_code == 404


def test_the_page_names_every_module_that_its_first_drawing_needs(client):
    page = client.get("/field/").text
    named = set(re.findall(r'<link rel="modulepreload" href="\.\./static/([^"]+)">', page))
    assert {"pwa/screens/assignments.js", "pwa/store/store.js", "vendor/lit-html/lit-html.js"} <= named
    assert "pwa/sync/engine.js" not in named, "what is imported later is not read first"
    held = {path.removeprefix("/static/") for path in client.get("/field/bundle.json").json}
    assert named <= held


def test_imports_are_followed_once_however_they_are_written(tmp_path):
    (tmp_path / "a.js").write_text(
        'import "./b.js";\nexport { x } from "./sub/c.js";\nconst d = import("./d.js");\n'
    )
    (tmp_path / "b.js").write_text('import {\n  one,\n  two,\n} from "./sub/c.js";\n')
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/c.js").write_text('import * as b from "../b.js";\n')
    assert imported(tmp_path, "a.js") == ["b.js", "sub/c.js"]
