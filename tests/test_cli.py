"""The command line: each command's outcome, its sentences for mistakes, its exit codes; and the server."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from inspect_app.cli import cli, serving
from inspect_app.config import read_settings
from inspect_app.services import demonstration, devices, people, sync
from inspect_app.store import people as store
from inspect_app.store.base import db
from inspect_app.store.inspections import Conflict, Inspection
from inspect_app.store.photos import Photo
from inspect_app.store.places import Assignment
from inspect_app.store.sync import OpLog
from tests.support.databases import close, make_app

JWK = {
    "kty": "EC",
    "crv": "P-256",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
}


@pytest.fixture
def run(data, database_url, monkeypatch):
    """Run a command on the fresh database of this test."""
    monkeypatch.setenv("INSPECT_APP_DATA", str(data))
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.delenv("INSPECT_APP_DEMO", raising=False)

    def command(*arguments, typed=None):
        return CliRunner().invoke(cli, arguments, input=typed)

    return command


# People


def test_a_person_is_added_with_a_password_that_is_shown_once(run, app):
    added = run(
        "users", "add", "clerk", "--name", "Clerk 1", "--village", "howards-grove", "--role", "reader"
    )
    assert added.exit_code == 0
    password = re.search(r"First password: (\S+)", added.output).group(1)
    with app.app_context():
        person = people.authenticate("clerk", password, "192.0.2.1", datetime.now(UTC))
        assert person.name == "Clerk 1"
        assert store.roles_of(person, "howards_grove") == ("reader",)
    assert (
        "clerk                Clerk 1                  howards-grove: reader" in run("users", "list").output
    )


def test_a_password_may_come_from_standard_input(run, app):
    command = ("users", "add", "clerk", "--village", "barneveld", "--role", "reader", "--password-stdin")
    added = run(*command, typed="a long enough password\n")
    assert added.output == "clerk is added.\n"
    with app.app_context():
        people.authenticate("clerk", "a long enough password", "192.0.2.1", datetime.now(UTC))


def test_a_known_person_joins_a_further_village_and_keeps_the_password(run, reviewer_1):
    joined = run("users", "add", "reviewer-1", "--village", "howards-grove", "--role", "reviewer")
    assert "The password is unchanged." in joined.output
    listed = run("users", "list", "--village", "howards-grove").output
    assert "barneveld: reviewer; howards-grove: reviewer" in listed


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("users", "add", "x y", "--village", "barneveld", "--role", "reader"), 1, "letters a to z"),
        (("users", "add", "clerk", "--village", "nowhere", "--role", "reader"), 1, "no village nowhere"),
        (("users", "add", "clerk", "--village", "barneveld", "--role", "emperor"), 2, "emperor"),
        (("users", "add", "clerk", "--village", "barneveld"), 2, "--role"),
        (("users", "passwd", "nobody"), 1, "no person with the sign-in name nobody"),
        (("devices", "revoke", "nothing"), 1, "There is no tablet nothing."),
        (("rules", "list", "--village", "nowhere"), 1, "Known: barneveld, howards-grove."),
        (("sreve",), 2, "No such command"),
    ],
)
def test_a_mistake_is_told_in_a_sentence_with_its_exit_code(run, app, arguments, code, sentence):
    outcome = run(*arguments)
    assert outcome.exit_code == code
    assert sentence in outcome.output
    assert "Traceback" not in outcome.output
    with app.app_context():
        assert list(store.everybody()) == []


def test_a_new_password_replaces_the_old_one(run, app, reviewer_1):
    outcome = run("users", "passwd", "reviewer-1")
    password = re.search(r"It is: (\S+)", outcome.output).group(1)
    with app.app_context():
        people.authenticate("reviewer-1", password, "192.0.2.1", datetime.now(UTC))
    refused = run("users", "passwd", "reviewer-1", "--password-stdin", typed="short\n")
    assert refused.exit_code == 1
    assert "The password has 5 characters. Use 10 or more." in refused.output


# Tablets, rules, settings


def test_tablets_are_listed_and_revoked(run, app, inspector_a):
    with app.app_context():
        now = datetime.now(UTC)
        code = devices.make_code("barneveld", inspector_a.id, None, now)
        tablet = devices.enrol(code, JWK, "Tablet A", "0.1.0", now).device.id
        devices.seen(tablet, now, 12, 0)
    listed = run("devices", "list").output
    assert "Tablet A" in listed
    assert "inspector-a" in listed
    assert "12 not sent" in listed
    assert run("devices", "revoke", tablet).output == "Tablet A is out of use.\n"
    assert "revoked" in run("devices", "list", "--village", "barneveld").output
    assert run("devices", "list", "--village", "howards-grove").output == ""


def test_the_settings_are_printed_without_secrets(run, data, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://somebody:hidden-word@db.example/inspect")
    printed = run("config").output
    assert str(data) in printed
    assert "hidden-word" not in printed
    assert read_settings().secret_key not in printed


def test_a_database_without_tables_is_a_sentence(run, tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    outcome = run("users", "list")
    assert outcome.exit_code == 1
    assert "inspect-app db upgrade" in outcome.output
    assert run("db", "upgrade").exit_code == 0
    assert run("db", "upgrade").exit_code == 0
    assert run("users", "list").exit_code == 0


# The demonstration


def test_the_demonstration_loads_once_and_looks_alive(run, data, database_url):
    loaded = run("demo")
    assert loaded.exit_code == 0, loaded.output
    for name in ("reviewer-1", "inspector-c", "sampler-d", "admin-2", demonstration.PASSWORD):
        assert name in loaded.output
    app = make_app(data, database_url)
    with app.app_context():
        states = {record.state for record in db.session.query(Inspection)}
        assert states == {"submitted", "returned", "approved"}
        assert db.session.query(Conflict).filter_by(state="open").count() == 1
        assert db.session.query(OpLog).filter_by(status="quarantined").count() == 0
        assert db.session.query(Photo).filter_by(state="stored").count() > 50
        assert db.session.query(Photo).filter_by(state="missing").count() == 1
        assert all(record.counts["differ"] == [] for record in db.session.query(Inspection))
        assert {record.worst for record in db.session.query(Inspection)} == {"violation", "warning", "pass"}
        assert db.session.query(Assignment).filter_by(place="Lot 14 Example Court").count() == 1
        ops = db.session.query(OpLog).count()
        person = people.authenticate("reviewer-1", demonstration.PASSWORD, "192.0.2.1", datetime.now(UTC))
        assert people.may(person, "barneveld", "reviewer")
    again = run("demo")
    assert "nothing was changed" in again.output
    with app.app_context():
        assert db.session.query(OpLog).count() == ops
        assert db.session.query(Assignment).filter_by(place="Lot 14 Example Court").count() == 1
    close(app)


def test_the_demonstration_never_takes_over_somebody_elses_sign_in(run):
    run("users", "add", "reviewer-1", "--village", "howards-grove", "--role", "reader")
    outcome = run("demo")
    assert outcome.exit_code == 1
    assert "Somebody else has the sign-in name reviewer-1" in outcome.output


# The server


def test_serve_prints_where_to_go_and_loads_nothing_unasked(live_server):
    log = live_server.log.read_text()
    assert f"Office   {live_server.url}/" in log
    assert f"Tablet   {live_server.url}/field/" in log
    assert "The first administrator:" in log
    assert "Sign-ins" not in log
    assert live_server.command("users", "list").stdout == ""


def test_the_banner_warns_when_the_demonstration_is_open_to_others(tmp_path, app_context):
    settings = read_settings(data=tmp_path, secret_key="x", host="0.0.0.0")
    assert "open to others" in serving.banner(settings, True)
    assert "open to others" not in serving.banner(settings, False)
    assert "open to others" not in serving.banner(read_settings(data=tmp_path, host="127.0.0.1"), True)


def test_a_start_clears_what_broken_uploads_left_behind(live_server):
    stray, fresh = (live_server.data / "staging" / "gone" / name for name in ("stray", "fresh"))
    stray.parent.mkdir(parents=True)
    for file in (stray, fresh):
        file.write_bytes(b"part of a photo")
    two_days_ago = time.time() - 2 * 86_400
    os.utime(stray, (two_days_ago, two_days_ago))
    live_server.restart()
    assert not stray.exists()
    assert fresh.exists()


def test_a_port_in_use_is_a_sentence(live_server):
    command = [str(Path(sys.executable).with_name("inspect-app")), "serve"]
    second = subprocess.run(
        command, env=live_server.environment, cwd=live_server.data, capture_output=True, text=True
    )
    assert second.returncode == 1
    assert "cannot be used" in second.stderr
    assert "set PORT to another number" in second.stderr
    assert "Traceback" not in second.stderr


def test_sigterm_lets_a_request_at_work_finish(live_server):
    # A sign-in takes a tenth of a second of hashing: the signal comes in the middle of several.
    page = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    html = page.open(f"{live_server.url}/sign-in").read().decode()
    token = re.search(r'name="csrf_token" value="([^"]+)"', html).group(1)
    form = f"csrf_token={token}&name=nobody&password=wrong-password".encode()
    statuses = []

    def sign_in():
        try:
            page.open(f"{live_server.url}/sign-in", form)
        except urllib.error.HTTPError as answer:
            statuses.append(answer.code)
            answer.close()

    threads = [threading.Thread(target=sign_in) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.15)
    process = live_server.process
    process.send_signal(signal.SIGTERM)
    for thread in threads:
        thread.join()
    assert process.wait(20) == 0
    assert statuses == [422, 422, 422]
    assert "Stopped." in live_server.log.read_text()


def test_the_secret_is_made_once_and_readable_by_its_owner_only(live_server):
    secret = live_server.data / "secret"
    before = secret.read_text()
    assert oct(secret.stat().st_mode & 0o777) == "0o600"
    live_server.restart()
    assert secret.read_text() == before


def test_a_restored_server_gives_its_log_a_new_name(run, app):
    with app.app_context():
        before = sync.current_epoch()
    result = run("db", "new-epoch")
    assert result.exit_code == 0
    with app.app_context():
        now = sync.current_epoch()
    assert now != before
    assert now in result.output


# Maps


def test_a_map_layer_is_added_listed_and_removed_and_one_that_is_none_is_refused_in_a_sentence(run, tmp_path):
    layer = Path(demonstration.store.FOLDER) / "maps" / "barneveld" / "structures.geojson"
    added = run("maps", "add", "--village", "barneveld", str(layer))
    assert added.exit_code == 0, added.output
    assert added.output.startswith("structures: ")
    assert run("maps", "list", "--village", "barneveld").output.startswith("structures ")
    assert run("maps", "list", "--village", "howards-grove").output.startswith("None.")
    spoilt = tmp_path / "mains.geojson"
    spoilt.write_text("{}")
    refused = run("maps", "add", "--village", "barneveld", str(spoilt))
    assert refused.exit_code == 1
    assert "The layer mains was not taken: it is not a GeoJSON FeatureCollection." in refused.output
    elsewhere = run("maps", "add", "--village", "howards-grove", str(layer))
    assert elsewhere.exit_code == 1
    assert "km from Village of Howards Grove" in elsewhere.output
    assert run("maps", "remove", "--village", "barneveld", "structures").exit_code == 0
    assert run("maps", "list", "--village", "barneveld").output.startswith("None.")
