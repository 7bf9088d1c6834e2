"""The house itself: headers, start-up checks, health, errors as answers, and the wheel."""

import dataclasses
import json
import re
import stat
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import abort

import inspect_app
from inspect_app.config import BODY_LIMIT_BYTES, read_settings
from inspect_app.domain import errors as trade
from tests.support.databases import close, make_app
from tests.support.tree import ROOT, complaints

PACKAGE = ROOT / "inspect_app"
STRICT = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


# Headers and inline code


def addresses(app):
    """One address for every route that answers GET, with a stand-in for each of its arguments."""
    stand_ins = {"int": 1, "uuid": "0192aaaa-0000-7000-8000-000000000001"}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if "GET" not in rule.methods:
                continue
            arguments = {
                name: stand_ins.get(
                    type(rule._converters[name]).__name__.removesuffix("Converter").lower(), "x"
                )
                for name in rule.arguments - set(rule.defaults or ())
            }
            built = rule.build(arguments, append_unknown=False)
            if built:
                yield built[1]


def test_every_answer_carries_the_strict_headers(app, client):
    tried = list(addresses(app))
    assert len(tried) > 3
    for address in tried:
        answer = client.get(address)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, address
        assert "unsafe" not in policy, address
        for name, value in STRICT.items():
            assert answer.headers[name] == value, address
        assert answer.status_code < 500 or address == "/readyz", address
        answer.close()


class InlineCode(HTMLParser):
    """Collects what the policy would block: code in the page, styles in the page, event attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag == "style" or (tag == "script" and not named.get("src")):
            self.found.append(f"<{tag}> inline")
        for name, value in attributes:
            if name == "style" or name.startswith("on") or "javascript:" in (value or "").lower():
                self.found.append(f"<{tag} {name}>")


def pages():
    yield from sorted((PACKAGE / "templates").rglob("*.html"))
    yield from sorted((PACKAGE / "static").glob("pwa/*.html"))


def test_no_page_holds_inline_code_or_style():
    assert list(pages())
    wrong = []
    for path in pages():
        parser = InlineCode()
        parser.feed(re.sub(r"{[%#].*?[%#]}", "", path.read_text(), flags=re.DOTALL))
        wrong += [f"{path.relative_to(ROOT)}: {what}" for what in parser.found]
    assert not wrong, "\n".join(wrong)


def test_no_screen_draws_an_inline_style():
    # A style attribute in a lit template is dropped by the policy without a word.
    inline = re.compile(r"<style\b|<[a-z-]+[^>`]*\sstyle=|\.innerHTML\s*=|\beval\(|new Function\(")
    wrong = []
    for path in sorted((PACKAGE / "static" / "pwa").rglob("*.js")):
        text = path.read_text()
        wrong += [f"{path.relative_to(ROOT)}: {match.group(0)}" for match in inline.finditer(text)]
    assert not wrong, "\n".join(wrong)


def test_every_page_of_the_package_is_reached_by_a_render_call():
    code = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    code += "\n".join(path.read_text() for path in (PACKAGE / "templates").rglob("*.html"))
    names = [
        path.relative_to(PACKAGE / "templates").as_posix() for path in (PACKAGE / "templates").rglob("*.html")
    ]
    assert [name for name in names if name not in code] == []


# Starting


def test_a_start_without_the_front_end_packages_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(inspect_app, "HERE", tmp_path)
    with pytest.raises(RuntimeError, match=r"manifest\.json.*pip install -e \."):
        inspect_app.check_vendor_files()


def test_a_start_with_a_missing_front_end_file_names_it(tmp_path, monkeypatch):
    vendor = tmp_path / "static" / "vendor"
    vendor.mkdir(parents=True)
    (vendor / "manifest.json").write_text(json.dumps({"idb/build/index.js": {"version": "1", "sha256": ""}}))
    monkeypatch.setattr(inspect_app, "HERE", tmp_path)
    with pytest.raises(RuntimeError, match=r"idb/build/index\.js"):
        inspect_app.check_vendor_files()
    (vendor / "idb" / "build").mkdir(parents=True)
    (vendor / "idb" / "build" / "index.js").write_text("")
    inspect_app.check_vendor_files()


def test_the_secret_is_made_once_and_readable_by_its_owner_only(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first = read_settings(data=tmp_path).secret_key
    assert len(first) == 64
    assert read_settings(data=tmp_path).secret_key == first
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_a_secret_of_digits_stays_text(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "123456")
    assert read_settings(data=tmp_path).secret_key == "123456"


def test_settings_come_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_APP_DATA", str(tmp_path / "here"))
    monkeypatch.setenv("PORT", "8099")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    settings = read_settings()
    assert settings.data == tmp_path / "here"
    assert settings.port == 8099
    assert settings.database_url == f"sqlite:///{tmp_path / 'here' / 'inspect.sqlite3'}"


# Health


def test_healthz_says_that_the_process_runs(client):
    assert client.get("/healthz").json == {"status": "ok"}


def test_readyz_says_that_it_can_work(client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json["status"]) == (200, "ok")


def test_readyz_names_a_database_that_was_not_migrated(data):
    app = make_app(data, f"sqlite:///{data / 'empty.sqlite3'}")
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json["checks"]["migrations"].startswith("behind")
    close(app)


def test_readyz_names_a_photo_folder_that_cannot_be_written(client, data):
    (data / "blobs").write_text("a file stands in the way")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json["checks"]["photos"].startswith("not writable")


# Errors as answers


@pytest.fixture
def failing_app(app):
    """The application with routes that fail in each way that the trade knows."""
    raised = {
        "missing": trade.NotFound("There is no such inspection."),
        "role": trade.NotAllowed("Only a reviewer approves."),
        "key": trade.SignInRefused("The token has expired."),
        "tries": trade.TooManyTries("Wait.", retry_after=90),
        "state": trade.IllegalTransition("It was approved, so it cannot be returned."),
        "content": trade.Refused("The depth cannot be read.", errors={"depth": ["Write 5 1/2, not 5,5."]}),
    }

    def fail(how):
        if how == "bug":
            raise ZeroDivisionError("a secret detail")
        if how.isdigit():
            abort(int(how))
        raise raised[how]

    app.add_url_rule("/api/v1/fail/<how>", "fail_api", fail)
    app.add_url_rule("/fail/<how>", "fail_page", fail)
    return app


@pytest.mark.parametrize(
    ("how", "status", "slug"),
    [
        ("missing", 404, "not-found"),
        ("role", 403, "not-allowed"),
        ("key", 401, "sign-in-refused"),
        ("tries", 429, "too-many-tries"),
        ("state", 409, "illegal-transition"),
        ("content", 422, "refused"),
        ("400", 400, "bad-request"),
        ("413", 413, None),
        ("415", 415, "unsupported-media-type"),
    ],
)
def test_the_api_answers_an_error_as_a_problem(failing_app, how, status, slug):
    answer = failing_app.test_client().get(f"/api/v1/fail/{how}")
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    assert answer.headers["X-Sync"] == "1"
    body = answer.get_json(force=True)
    assert body["status"] == status
    assert body["title"] and body["detail"]
    assert body["type"] == f"/problems/{slug}" if slug else body["type"].startswith("/problems/")


@pytest.mark.parametrize(("how", "status"), [("missing", 404), ("role", 403), ("state", 409), ("405", 405)])
def test_a_person_gets_a_page_for_an_error(failing_app, how, status):
    answer = failing_app.test_client().get(f"/fail/{how}")
    assert answer.status_code == status
    assert answer.mimetype == "text/html"
    assert "<main" in answer.text


def test_a_refused_field_is_named(failing_app):
    answer = failing_app.test_client().get("/api/v1/fail/content")
    assert answer.get_json(force=True)["errors"] == {"depth": ["Write 5 1/2, not 5,5."]}


def test_too_many_tries_say_how_long_to_wait(failing_app):
    assert failing_app.test_client().get("/api/v1/fail/tries").headers["Retry-After"] == "90"


@pytest.mark.parametrize("address", ["/api/v1/fail/bug", "/fail/bug"])
def test_a_bug_is_answered_without_its_details(failing_app, address):
    failing_app.testing = False
    failing_app.config["PROPAGATE_EXCEPTIONS"] = False
    answer = failing_app.test_client().get(address)
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "Traceback" not in answer.text


def test_an_unknown_address_is_a_problem_under_api_and_a_page_elsewhere(client):
    assert client.get("/api/v1/nothing-here").mimetype == "application/problem+json"
    assert client.get("/nothing-here").mimetype == "text/html"


def test_a_body_over_the_limit_is_refused_with_413(failing_app):
    failing_app.add_url_rule("/api/v1/take", "take", lambda: len(_read()) and "", methods=["POST"])
    failing_app.extensions["csrf"]._exempt_views.add("tests.test_house.<lambda>")
    answer = failing_app.test_client().post("/api/v1/take", data=b"x" * (BODY_LIMIT_BYTES + 1))
    assert answer.status_code in (400, 413)
    assert answer.mimetype == "application/problem+json"


def _read():
    from flask import request

    return request.get_data()


# What is delivered


def test_no_tracked_file_holds_a_registry_a_machine_path_or_vendored_code():
    assert complaints() == []


def test_every_test_of_the_tablet_is_run():
    # `make test` runs the files named *.test.js; a test under another name would never run.
    files = [path for path in (ROOT / "tests").rglob("*.js") if "node:test" in path.read_text()]
    assert [str(path) for path in files if not path.name.endswith(".test.js")] == []


def test_settings_are_frozen(tmp_path):
    with pytest.raises(dataclasses.FrozenInstanceError):
        read_settings(data=tmp_path).port = 1


@pytest.mark.slow
def test_the_wheel_carries_migrations_front_end_and_data(tmp_path):
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*command, "-w", tmp_path, ROOT], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    vendored = json.loads((PACKAGE / "static" / "vendor" / "manifest.json").read_text())
    expected = {f"inspect_app/static/vendor/{name}" for name in vendored}
    expected |= {
        f"inspect_app/_migrations/{path.relative_to(ROOT / 'migrations').as_posix()}"
        for path in (ROOT / "migrations").rglob("*.py")
    }
    expected |= {f"inspect_app/vectors/{path.name}" for path in (ROOT / "tests" / "vectors").glob("*.json")}
    expected |= {path.relative_to(ROOT).as_posix() for path in _data_files()}
    expected |= {
        name.replace("static/pwa/", "static/lean/pwa/")
        for name in expected
        if "static/pwa/" in name and name.endswith((".js", ".css"))
    }
    assert expected - names == set()
    assert [name for name in names if name.startswith(("tests/", "bench/", "node_modules/"))] == []
    assert any(name.endswith("licenses/LICENSE") for name in names)


def _data_files() -> list[Path]:
    folders = ("villages", "protocols", "templates", "static/pwa")
    return [path for folder in folders for path in (PACKAGE / folder).rglob("*") if path.is_file()]
