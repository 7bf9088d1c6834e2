"""The bad line does what it says, or nothing that is proved over it is proved."""

import http.server
import threading
import time
from contextlib import contextmanager

import pytest

from tests.api.wire import WireClient
from tests.support.chaos import FAULTS, LATE_S, ChaosProxy, Line


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what it was sent, and remembers it."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        whole = len(body) == int(self.headers["Content-Length"])
        self.server.heard.append(body if whole else None)
        if whole:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_message):
        """The tests look at what was heard."""


@contextmanager
def line(seed=1, **how):
    """A bad line to a server that echoes."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.heard = []
    server.handle_error = lambda *_who: None  # a line that breaks is what is tested
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with ChaosProxy(server.server_port, Line(**how), seed) as proxy:
            yield proxy, server.heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def post(proxy, body):
    return WireClient(proxy.url).post("/", data=body).data


def test_a_good_line_carries_every_byte():
    body = bytes(range(256)) * 4000
    with line() as (proxy, heard):
        assert post(proxy, body) == body
        assert heard == [body]
        assert proxy.counts == {"connections": 1, "requests": 1}
        assert proxy.bytes["up"] > len(body) < proxy.bytes["down"]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_an_error_at_the_tablet(fault):
    with line(**{fault: 1.0, "hole_s": 0.2}) as (proxy, heard):
        with pytest.raises(OSError):
            post(proxy, b"x" * 50_000)
        assert proxy.counts[fault] == 1
    came_whole = [body for body in heard if body]
    assert len(came_whole) == (1 if fault in ("answer_lost", "answer_cut") else 0)


def test_a_lost_answer_is_lost_after_the_server_did_the_work():
    with line(answer_lost=1.0) as (proxy, heard):
        for body in (b"one", b"two"):
            with pytest.raises(OSError):
                post(proxy, body)
    assert heard == [b"one", b"two"]


def test_a_slow_line_takes_the_time_that_its_bytes_need():
    with line(bytes_per_s=400_000, delay_s=0.05) as (proxy, _heard):
        began = time.monotonic()
        post(proxy, b"x" * 100_000)
        took = time.monotonic() - began
    assert 0.25 + 0.25 + 4 * 0.05 - 2 * LATE_S <= took < 5


def test_lost_segments_cost_their_bytes_again_and_alter_none():
    body = bytes(range(256)) * 2000
    with line(loss=0.2, delay_s=0.001) as (proxy, heard):
        assert post(proxy, body) == body
        assert heard == [body]
        assert 0.1 < proxy.bytes["again"] / (proxy.bytes["up"] + proxy.bytes["down"]) < 0.3


def test_one_seed_is_one_order_of_faults():
    def faults(seed):
        seen = []
        with line(seed, refused=0.3, answer_lost=0.3) as (proxy, _heard):
            for _ in range(30):
                try:
                    post(proxy, b"x")
                    seen.append("good")
                except OSError:
                    seen.append("bad")
            return seen, dict(proxy.counts)

    assert faults(5) == faults(5)
    assert faults(5) != faults(6)


def test_a_server_that_is_gone_is_an_error_and_no_wait():
    with line() as (proxy, _heard):
        proxy.target = 1
        with pytest.raises(OSError):
            post(proxy, b"x")
