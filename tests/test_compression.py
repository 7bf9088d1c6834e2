"""What goes over the line compressed, and what must not."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import brotli
import pytest

from inspect_app.compression import LEAST_BYTES, Compressed

LONG = b"const depth = 9.5;\n" * 200
CODE = [("Content-Type", "text/javascript; charset=utf-8"), ("ETag", '"abc"')]


def asked(headers, body=LONG, status="200 OK", path="/static/pwa/app.js", **environ):
    """(status, headers, body) of one answer, through the compression."""
    seen = {}
    told = []

    def app(inner, start_response):
        seen.update(inner)
        start_response(status, [*headers, ("Content-Length", str(len(body)))])
        return [body]

    def start_response(*given):
        told[:] = given

    given = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_ACCEPT_ENCODING": "gzip, deflate", **environ}
    with TemporaryDirectory() as kept:
        sent = b"".join(Compressed(app, Path(kept))(given, start_response))
    return told[0], dict(told[1]), sent, seen


def test_code_is_compressed_and_is_the_same_code():
    _status, headers, sent, _ = asked(CODE)
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Content-Length"] == str(len(sent))
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["ETag"] == 'W/"abc"'
    assert len(sent) < len(LONG) / 5
    assert gzip.decompress(sent) == LONG


@pytest.mark.parametrize("path", ["/static/pwa/app.js", "/field/bundle.json", "/api/v1/changes"])
def test_a_browser_that_reads_brotli_gets_it(path):
    _status, headers, sent, _ = asked(CODE, path=path, HTTP_ACCEPT_ENCODING="gzip, deflate, br, zstd")
    assert headers["Content-Encoding"] == "br"
    assert headers["Content-Length"] == str(len(sent))
    assert brotli.decompress(sent) == LONG


@pytest.mark.parametrize("refused", ["gzip;q=0", "br;q=0, identity", "", "identity"])
def test_a_coding_that_is_refused_is_not_sent(refused):
    _status, headers, sent, _ = asked(CODE, HTTP_ACCEPT_ENCODING=refused)
    assert "Content-Encoding" not in headers
    assert sent == LONG


def test_an_earlier_vary_is_kept():
    _status, headers, _sent, _ = asked([*CODE, ("Vary", "Authorization")])
    assert headers["Vary"] == "Authorization, Accept-Encoding"


@pytest.mark.parametrize(
    ("headers", "body", "status", "environ"),
    [
        ([("Content-Type", "text/html")], LONG, "200 OK", {}),
        ([("Content-Type", "image/jpeg")], LONG, "200 OK", {}),
        (CODE, LONG[: LEAST_BYTES - 1], "200 OK", {}),
        (CODE, LONG, "206 Partial Content", {}),
        ([*CODE, ("Content-Encoding", "br")], LONG, "200 OK", {}),
        (CODE, LONG, "200 OK", {"HTTP_ACCEPT_ENCODING": "zstd"}),
        (CODE, LONG, "200 OK", {"REQUEST_METHOD": "HEAD"}),
    ],
)
def test_pages_photos_short_and_partial_answers_are_left_alone(headers, body, status, environ):
    got_status, got, sent, _ = asked(headers, body, status, **environ)
    assert (got_status, sent) == (status, body)
    assert got.get("Content-Encoding") in (None, "br")
    assert got["Content-Length"] == str(len(body))


def test_the_mark_of_a_weak_tag_is_taken_off_before_it_is_compared():
    seen = asked(CODE, HTTP_IF_NONE_MATCH='W/"abc"')[3]
    assert seen["HTTP_IF_NONE_MATCH"] == '"abc"'


def sent_for(compressed, path, **environ):
    given = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_ACCEPT_ENCODING": "gzip", **environ}
    return gzip.decompress(b"".join(compressed(given, lambda *_: None)))


def of_a_file(body):
    """An application that answers with what stands in `body` now, as a file."""

    def app(_environ, start_response):
        length = ("Content-Length", str(len(body[0])))
        start_response("200 OK", [("Content-Type", "text/css"), ("ETag", '"1"'), length])
        return [body[0]]

    return app


def test_a_file_changed_on_disk_is_not_answered_from_what_was_kept(tmp_path):
    body = [b"a" * 1000]
    compressed = Compressed(of_a_file(body), tmp_path)
    assert sent_for(compressed, "/static/a.css") == body[0]
    body[:] = [b"b" * 1000]
    assert sent_for(compressed, "/static/a.css") == body[0]


def test_a_file_is_compressed_once_for_all_processes_and_an_answer_of_the_api_is_not_kept(
    tmp_path, monkeypatch
):
    body = [b"a" * 1000]
    assert sent_for(Compressed(of_a_file(body), tmp_path), "/static/a.css") == body[0]
    assert len(list(tmp_path.iterdir())) == 1
    assert sent_for(Compressed(of_a_file(body), tmp_path), "/api/v1/reference") == body[0]
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(gzip, "compress", None)
    assert sent_for(Compressed(of_a_file(body), tmp_path), "/static/a.css") == body[0]


def test_where_nothing_can_be_kept_the_file_is_sent_all_the_same(tmp_path):
    in_the_way = tmp_path / "compressed"
    in_the_way.write_text("no folder")
    body = [b"a" * 1000]
    assert sent_for(Compressed(of_a_file(body), in_the_way), "/static/a.css") == body[0]


def test_the_server_sends_the_app_compressed_and_answers_304(live_server):
    import urllib.error
    import urllib.request

    address = f"{live_server.url}/static/pwa/app.css"
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        sent, tag = answer.read(), answer.headers["ETag"]
        assert answer.headers["Content-Encoding"] == "gzip"
    with urllib.request.urlopen(address) as plain:
        assert gzip.decompress(sent) == plain.read()
    request.add_header("If-None-Match", tag)
    with pytest.raises(urllib.error.HTTPError, match="304"):
        urllib.request.urlopen(request)
