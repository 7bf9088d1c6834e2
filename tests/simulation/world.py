"""One run: a seed decides who does what next, what the line does to it, and who is killed."""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from random import Random

from tests.simulation.device import Device, TabletKilled
from tests.simulation.disk import DiskFull, sha256
from tests.simulation.engine import Engine
from tests.simulation.facts import Violation
from tests.simulation.inspectors import Inspectors
from tests.simulation.invariants import check, none_is_freed
from tests.simulation.misfortunes import Misfortunes
from tests.simulation.network import Network, Odds, Unreachable
from tests.simulation.office import Office
from tests.simulation.server import PASSWORD

STEPS = {"python": 90, "js": 60}  # of a seed, by whose tablets they are
ROUNDS = 25  # without faults, within which every queue is empty


@dataclass
class Authored:
    """What somebody did, and what their screen showed when they did it."""

    op_id: str
    device: str
    content: dict
    saw: dict = field(default_factory=dict)  # group -> values on the screen


class World:
    """All that happens in one seed: three tablets of two inspectors, a reviewer, a line and a server.

    `make` makes a tablet of its name, its person, the line, the random numbers and the clock.
    """

    def __init__(self, server, clock, seed, steps, make=None):
        self.server, self.clock, self.steps, self.seed = server, clock, steps, seed
        self.random = Random(seed)
        self.meet = seed % 5 == 0  # a quiet day on which everybody is at one manhole
        self.counts = Counter()
        self.authored: dict[str, Authored] = {}
        self.acknowledged: set[str] = set()
        self.photos: dict[str, tuple[str, bytes]] = {}  # photo -> device, bytes
        server.begin(Random(f"{seed} server"))
        odds = Odds().of_a_seed(self.random)
        self.network = Network(server, self.random, odds.of_a_good_line() if self.meet else odds)
        people = ["inspector-a", "inspector-b", self.random.choice(["inspector-a", "inspector-b"])]
        self.devices = [
            (make or reference)(f"tablet-{number}", person, self.network, self.random, clock)
            for number, person in enumerate(people, 1)
        ]
        for device in self.devices:
            device.meanwhile = partial(self.meanwhile, device)
        self.inspectors, self.office, self.misfortunes = Inspectors(self), Office(self), Misfortunes(self)

    # ------------------------------------------------------------ the run

    def run(self):
        """Raises Violation when an invariant breaks."""
        for device in self.devices:
            self.enrol(device)
            device.may_be_killed = True
        self.inspectors.start()
        for _ in range(self.steps):
            self.clock.forward(self.random.choice([1, 5, 60, 600, 1800]))
            self.step()
        self.quiesce()
        for device in self.devices:
            device.read_out()
        check(self)
        return self

    def step(self):
        device = self.random.choice(self.devices)
        chance = self.random.random()
        if chance < (0.30 if self.meet else 0.52):
            self.guarded(device, lambda: self.inspectors.work(device))
        elif chance < (0.84 if self.meet else 0.74):
            self.sync(device)
        elif chance < 0.88:
            self.office.work()
        else:
            self.guarded(device, lambda: self.misfortunes.strike(device))

    def guarded(self, device, act):
        """Whatever is done on a tablet may be cut off by its end, or find no space; it is noted anyway."""
        try:
            act()
        except TabletKilled:
            self.counts["tablets killed"] += 1
            device.restart()
        except DiskFull:
            self.counts["disks full"] += 1
            device.is_full = self.random.random() < 0.5
        for made in device.fresh():
            self.remember(device.name, made)
            self.counts["ops"] += 1
        self.acknowledged |= device.acknowledged()

    def remember(self, who, made):
        """What somebody did; whatever was told to be kept must be kept from then on."""
        self.authored[made.op_id] = Authored(made.op_id, who, made.content, made.saw)
        if made.content["kind"] == "photo.attach":
            data = self.inspectors.taken[made.content["sha256"]]
            self.photos[made.content["photo_id"]] = (who, data)
            assert sha256(data) == made.content["sha256"]

    # ------------------------------------------------------------ lines

    def sync(self, device):
        self.counts["syncs"] += 1
        self.guarded(device, lambda: device.sync(PASSWORD, lambda: self.server.code(device.sign_in_name)))

    def meanwhile(self, device):
        """What is done between sending and receiving; nothing any more at the end."""
        if device.may_be_killed:
            self.inspectors.meanwhile(device)

    def enrol(self, device):
        code = self.server.code(device.sign_in_name)
        for _ in range(ROUNDS):
            try:
                device.enrol(code)
                return
            except (Unreachable, TabletKilled):
                device.restart()

    # ------------------------------------------------------------ the end

    def quiesce(self):
        """Faults end; within some rounds nothing waits. Then a week passes, and photos may be freed."""
        self.network.calm()
        self.misfortunes.last()
        for device in self.devices:
            device.may_be_killed = device.is_full = False
        enrolments = Counter()
        for _ in range(ROUNDS):
            self.clock.forward(60)
            for device in self.devices:
                self.sync(device)
                enrolments[device.name] += device.needs == "enrol_again"
            if all(device.idle() and not device.needs for device in self.devices):
                break
        else:
            waiting = {device.name: [device.idle(), device.needs] for device in self.devices}
            raise Violation("I11", f"after {ROUNDS} rounds without faults something still waits: {waiting}")
        # Once for a storage that was rolled back; an enrolment that does not hold troubles people for ever.
        if again := [name for name, count in enrolments.items() if count > 1]:
            raise Violation("I11", f"{again} had to be enrolled again and again without faults")
        for device in self.devices:
            device.read_out()
            none_is_freed(device)
        self.clock.forward(8 * 86400)
        for _ in range(2):
            for device in self.devices:
                self.sync(device)


def reference(name, person, network, random, clock, engine=Engine):
    """A tablet as the reference client in Python."""
    return Device(name, person, network, random, clock, engine)
