"""Tablets at work at the same time over a bad line, each a thread; and what must hold when all are home.

A tablet here is the reference tablet of the API tests over real sockets: it keeps its queue until a final
answer, whatever the line or the server does in between.
"""

import threading
import time
from random import Random

from tests.api import pictures
from tests.api.tablet import FINAL, Tablet
from tests.api.wire import WireClient
from tests.support.chaos import ChaosProxy, Line

BAD = Line(refused=0.03, cut=0.03, answer_lost=0.04, answer_cut=0.02, hole=0.005, hole_s=1.0, delay_s=0.001)
CLOCKS = ("11:00", "10:30", "12:15", "1:45")
HOME_SECONDS = 60
MOST_WAITING = 12  # who has so much to send waits for the server, or the end would never come


class Phone(WireClient):
    """A busy server is no answer: the tablet tries again later."""

    def open(self, *asked, **options):
        answer = super().open(*asked, **options)
        if answer.status_code in (429, 502, 503):
            raise OSError(f"The server is busy: {answer.status_code}")
        return answer


class Hand:
    """One tablet and its inspector: everything it made, and everything it was told."""

    def __init__(self, tablet: Tablet, pack: str, random: Random):
        self.tablet, self.pack, self.random = tablet, pack, random
        self.made: list[dict] = []  # every envelope, for ever
        self.told: dict[str, dict] = {}  # op -> the final answer
        self.photos: dict[str, bytes] = {}
        self.waiting: list[str] = []  # photos not known to be stored
        self.records: list[str] = []

    def work(self):
        """One step of an inspector, on an own record or on one of the others'."""
        tablet, random = self.tablet, self.random
        before = len(tablet.queue)
        known = [*self.records, *(key for key, row in tablet.records.items() if not row["deleted"])]
        if len(self.records) < 2:
            self.records.append(tablet.begin(pack=self.pack))
        elif random.random() < 0.4:
            tablet.note(random.choice(known), f"note {random.randrange(10**9)}")
        elif random.random() < 0.7:
            tablet.set(random.choice(known), "tap_geometry", {"clock": random.choice(CLOCKS)})
        else:
            data = pictures.jpeg("noise", (96, 64))
            photo_id = tablet.attach(random.choice(known), data)
            self.photos[photo_id] = data
            self.waiting.append(photo_id)
        self.made += tablet.queue[before:]

    def sync(self):
        """One run, as far as the line lets it; raises OSError where it breaks."""
        tablet = self.tablet
        while tablet.queue:
            ops = tablet.queue[: self.random.randrange(1, 9)]
            answer = self.answered(lambda ops=ops: tablet.post_ops(ops))
            results = answer.json["results"]
            assert len(results) == len(ops), results
            for result in results:
                assert result["status"] in FINAL - {"quarantined"}, result
                self.told[result["op_id"]] = result
            del tablet.queue[: len(results)]
        self.pull()
        for photo_id in list(self.waiting):
            self.send(photo_id, self.photos[photo_id])
            self.waiting.remove(photo_id)

    def pull(self):
        more = True
        while more:
            query = {"cursor": self.tablet.cursor, "limit": 20}
            page = self.answered(
                lambda query=query: self.tablet.client.get(
                    "/api/v1/changes", query_string=query, headers=self.tablet.as_person()
                )
            ).json
            for change in page["changes"]:
                self.tablet.records[change["id"]] = change
                for group, entry in change["doc"]["groups"].items():
                    self.tablet.current[change["id"], group] = entry["op"]
            self.tablet.cursor, more = page["cursor"], page["more"]

    def send(self, photo_id, data):
        """Send a photo in parts, going on from where the server stands, until it says stored."""
        made = self.answered(lambda: self.tablet.create_upload(photo_id, data), 201)
        url, off = made.headers["Location"], int(made.headers["Upload-Offset"])
        while off < len(data):
            part = data[off : off + self.random.choice((2000, 5000))]
            answer = self.tablet.patch(url, off, part)
            if answer.status_code == 409:  # another request of ours came through after all
                answer = self.tablet.client.head(url, headers=self.as_upload())
            off = int(self.taken(answer, 200, 204).headers["Upload-Offset"])
        assert self.tablet.photo_state(photo_id) == "stored"

    def as_upload(self):
        return {**self.tablet.as_device(), "Tus-Resumable": "1.0.0"}

    def answered(self, call, status=200):
        return self.taken(call(), status)

    def taken(self, answer, *due):
        """An answer with the status that is due."""
        assert answer.status_code in due, answer.data[:500]
        return answer


class Crew:
    """All hands, at work until somebody says that it is over."""

    def __init__(self, tablets: list[Tablet], proxy: ChaosProxy, seed: int):
        self.proxy = proxy
        pack = tablets[0].reference()["pack"]
        self.hands = [Hand(tablet, pack, Random(f"{seed} {n}")) for n, tablet in enumerate(tablets)]
        for tablet in tablets:
            tablet.client, tablet.device_token = Phone(proxy.url), None
        self.over = threading.Event()
        self.problems: list[BaseException] = []
        self.broken = 0

    def set_out(self):
        self.threads = [threading.Thread(target=self.live, args=(hand,)) for hand in self.hands]
        for thread in self.threads:
            thread.start()

    def live(self, hand):
        try:
            while not self.over.is_set():
                if len(hand.tablet.queue) < MOST_WAITING:
                    for _ in range(hand.random.randrange(5)):
                        hand.work()
                self.attempt(hand)
                time.sleep(hand.random.random() * 0.05)
        except BaseException as problem:
            self.problems.append(problem)

    def told(self) -> int:
        """How many final answers the tablets hold now."""
        return sum(len(hand.told) for hand in self.hands)

    def wait_for(self, answers, seconds=60):
        """Let them work until they hold so many answers."""
        end = time.monotonic() + seconds
        while self.told() < answers and not self.problems:
            assert time.monotonic() < end, f"Only {self.told()} of {answers} answers came."
            time.sleep(0.02)

    def attempt(self, hand) -> bool:
        try:
            hand.sync()
            return True
        except OSError:
            self.broken += 1
            return False

    def come_home(self):
        """No more faults: every queue empties, and every tablet takes what the others did."""
        self.over.set()
        for thread in self.threads:
            thread.join()
        if self.problems:
            raise self.problems[0]
        self.proxy.line = Line()
        end = time.monotonic() + HOME_SECONDS
        for hand in self.hands:
            while not self.attempt(hand):
                assert time.monotonic() < end, "A queue does not empty on a good line."
                time.sleep(0.1)
        for hand in self.hands:
            hand.sync()
