"""The line between tablets and server: everything that a poor one does, and what stands on it."""

import json
from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace

from tests.simulation.crash import OF_OPS, OF_PHOTOS, ServerKilled

PORTAL = "<!doctype html><title>Welcome to the guest network</title><form>Accept the terms</form>"
GATEWAY = "<html><head><title>502 Bad Gateway</title></head></html>"


class Unreachable(Exception):
    """No answer that the server can have given: the tablet tries again later and forgets nothing."""


@dataclass(frozen=True)
class Odds:
    """How often each fault happens to a request, of 1."""

    dropped: float = 0.06
    late: float = 0.03
    request_cut: float = 0.03
    answer_lost: float = 0.06
    answer_cut: float = 0.03
    doubled: float = 0.05
    gateway: float = 0.03
    portal: float = 0.03
    tokens_void: float = 0.02
    server_killed: float = 0.10
    part_damaged: float = 0.02

    def of_a_seed(self, random):
        """The odds of one seed: some faults come in swarms, others not at all."""
        return Odds(**{name: odds * random.choice([0, 1, 1, 2]) for name, odds in vars(self).items()})

    def of_a_good_line(self):
        """A fifth of each: most of what is sent arrives, and tablets see soon what others did."""
        return Odds(**{name: odds / 5 for name, odds in vars(self).items()})


CALM = Odds(**dict.fromkeys(Odds.__dataclass_fields__, 0.0))


class Network:
    """Carries requests to the server, or not."""

    def __init__(self, server, random, odds):
        self.server, self.random, self.odds = server, random, odds
        self.late = []  # requests that are still on their way
        self.counts = Counter()

    def calm(self):
        """The weather is fine from now on; what was on its way arrives."""
        self.odds = CALM
        self.deliver_late()

    def deliver_late(self):
        self.random.shuffle(self.late)
        while self.late:
            method, path, options = self.late.pop()
            self._arrive(method, path, options)

    def call(self, method, path, **options):
        """The answer to a request, as the reference tablet reads it; raises Unreachable."""
        return read(self.carry(method, path, **options))

    def carry(self, method, path, **options):
        """What comes back over the line, whoever sent it: status, headers, bytes; raises Unreachable."""
        self.counts["requests"] += 1
        fault = self._fault()
        if fault:
            self.counts[fault] += 1
        if fault == "dropped":
            raise Unreachable("dropped")
        if fault == "late":
            self.late.append((method, path, options))
            raise Unreachable("late")
        if fault == "portal":
            return page(200, PORTAL)
        if fault == "request_cut":
            self._cut(method, path, options)
            raise Unreachable("the line broke while sending")
        if fault == "tokens_void":
            self.server.forget_tokens()
        if fault == "server_killed":
            self.server.crashes.armed = self.random.choice(points_on(method, path))
        if fault == "part_damaged" and method == "PATCH":
            options = {**options, "data": damaged(options["data"], self.random)}
        if fault == "doubled":
            self._arrive(method, path, options)
        answer = self._arrive(method, path, options)
        self.server.crashes.armed = None
        if answer is None:
            raise Unreachable("the server ended")
        if fault == "answer_lost":
            raise Unreachable("the answer was lost")
        if fault == "gateway":
            return page(502, GATEWAY)
        if fault == "answer_cut" and answer.get_data():
            answer.set_data(answer.get_data()[: self.random.randrange(len(answer.get_data()))])
        return SimpleNamespace(status=answer.status_code, headers=answer.headers, raw=answer.get_data())

    def _fault(self):
        """At most one fault for each request, by the odds."""
        at = self.random.random()
        for name in Odds.__dataclass_fields__:
            at -= getattr(self.odds, name)
            if at < 0:
                return name
        return None

    def _arrive(self, method, path, options):
        try:
            return self.server.request(method, path, **options)
        except ServerKilled:
            self.counts["kills"] += 1
            return None

    def _cut(self, method, path, options):
        """Only the first bytes of the request's body come through."""
        body = json.dumps(options["json"]).encode() if "json" in options else options.get("data", b"")
        rest = {name: value for name, value in options.items() if name != "json"}
        if "json" in options:
            rest["content_type"] = "application/json"
        if body:
            self._arrive(method, path, {**rest, "data": body[: self.random.randrange(len(body))]})


def points_on(method, path):
    """The crash points that a request passes."""
    if method == "PATCH":
        return [*OF_PHOTOS, "before_commit", "after_commit_before_reply"]
    return OF_OPS if path == "/api/v1/ops" else ["before_commit", "after_commit_before_reply"]


def damaged(data, random):
    """The same number of bytes, one of them another."""
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def page(status, text):
    """What stands on the line answers in the server's place."""
    return SimpleNamespace(status=status, headers={"Content-Type": "text/html"}, raw=text.encode())


def read(answer):
    """An answer as the reference tablet works with it: status, headers, and the JSON if there is one."""
    if answer.headers.get("X-Sync") != "1":
        raise Unreachable("a page without X-Sync")
    said = None
    if "json" in answer.headers.get("Content-Type", "") and answer.status not in (204, 304):
        try:
            said = json.loads(answer.raw)
        except ValueError:
            raise Unreachable("an answer that is not JSON") from None
    return SimpleNamespace(status=answer.status, headers=answer.headers, said=said)
