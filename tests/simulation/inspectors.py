"""What inspectors do on their tablets, one thing at a time, as a seed decides."""

from tests.simulation.disk import sha256
from tests.simulation.groups import GROUPS, choice_of

POISON = (
    "unknown kind",
    "newer schema",
    "no JSON",
    "no op id",
    "stray field",
    "no such record",
    "wrong signature",
)
# How often each thing is done, before the seed has its own habits.
OFTEN = {
    "begin": 4,
    "measure": 44,
    "note": 7,
    "photograph": 9,
    "hand_over": 8,
    "submit": 5,
    "discard": 4,
    "settle": 8,
    "poison": 4,
}


class Inspectors:
    """The people in the field. A seed has habits: some things are then done often, others hardly ever."""

    def __init__(self, world):
        self.world, self.random = world, world.random
        self.habits = {what: often * self.random.choice([0.3, 1, 1, 3]) for what, often in OFTEN.items()}
        self.most_records = self.random.choice([1, 1, 2, 3])
        self.meet = world.meet  # all are at work on one record, and measure the same again and again
        if self.meet:
            self.habits = {"measure": 12, "settle": 2, "discard": 0.5, "photograph": 0.5}
        self.taken: dict[str, bytes] = {}  # photos by their hash, as the camera saw them

    def work(self, device):
        """One thing on one tablet."""
        if not device.works:
            return
        records = device.known_records()
        what = self.random.choices(list(self.habits), self.habits.values())[0]
        if not records or (what == "begin" and len(records) < self.most_records):
            device.begin(self.world.server.pack)
        elif what != "begin":
            getattr(self, what)(device, min(records) if self.meet else self.random.choice(records))

    def start(self):
        """A record that all have on their tablets, where all are to work on one."""
        first, *others = self.world.devices
        if self.meet:
            self.world.guarded(first, lambda: first.begin(self.world.server.pack))
            for device in (first, *others):
                self.world.sync(device)

    def meanwhile(self, device):
        """Nobody puts a tablet down because it is sending."""
        if self.random.random() < (0.6 if self.meet else 0.3):
            self.work(device)

    def measure(self, device, record_id):
        group = "weather" if self.meet else self.random.choice(["weather", "weather", *GROUPS])
        device.measure(record_id, group, GROUPS[group](self.random))

    def note(self, device, record_id):
        device.note(record_id, f"note {self.random.randrange(1000)}")

    def photograph(self, device, record_id):
        data = self.random.randbytes(self.random.choice((40, 500, 1500)))
        self.taken[sha256(data)] = data
        device.photograph(record_id, data)

    def hand_over(self, device, record_id):
        action = self.random.choice(["collect", "seal", "hand_over"])
        device.hand_over(
            record_id, {"action": action, "by": device.name, "mark": self.random.getrandbits(30)}
        )

    def submit(self, device, record_id):
        today = self.world.clock.now.date().isoformat()
        device.submit(record_id, {"today": today, "timezone": "America/Chicago"}, self.world.server.pack)

    def discard(self, device, record_id):
        device.discard(record_id)

    def settle(self, device, _record_id):
        if open_ones := device.open_conflicts():
            conflict = self.random.choice(open_ones)
            device.settle(conflict, choice_of(self.random, conflict))

    def poison(self, device, record_id):
        self.world.counts["poison"] += 1
        device.poison(record_id, self.random.choice(POISON))
