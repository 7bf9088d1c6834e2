"""What befalls tablets and server beside the line: clocks, disks, restores, thefts."""

from tests.simulation.releases import NEWEST

# How often each strikes, before the seed has its own weather.
OFTEN = {
    "clock": 1,
    "copy_storage": 1,
    "roll_back": 2,
    "back_up": 2,
    "restore": 2,
    "revoke": 1,
    "late": 1,
    "enrol_again": 1,
    "fill_disk": 1,
    "damage_photo": 1,
    "update": 1,
}


# The great ones: each would excuse what another has to bring to light, so a seed has one of them.
GREAT = ("restore", "roll_back", "revoke")
OF_A_SEED = ("restore", "roll_back", "restore", "revoke")  # a restore has most to bring to light


class Misfortunes:
    """One great misfortune in a seed, and any number of small ones."""

    def __init__(self, world):
        self.world, self.random, self.counts = world, world.random, world.counts
        self.copies = {}  # tablet -> its storage on an earlier day
        swarms = [0.2, 1, 1, 4]
        self.weather = {what: often * self.random.choice(swarms) for what, often in OFTEN.items()}
        self.great = None if world.meet else OF_A_SEED[world.seed % len(OF_A_SEED)]
        self.weather.update({what: 0 for what in GREAT if what != self.great})
        needed = {"restore": "back_up", "roll_back": "copy_storage"}.get(self.great)
        if needed:
            self.weather[needed] = self.weather[self.great] = 3

    def strike(self, device):
        getattr(self, self.random.choices(list(self.weather), self.weather.values())[0])(device)

    def last(self):
        """At the end, tablets that have nothing new to send may meet a server that has lost something."""
        if self.great == "restore":
            self.restore(None)

    def clock(self, device):
        device.wrong_by_s += self.random.choice([-86400, -3600, 120, 86400])

    def copy_storage(self, device):
        if device.device_id:
            self.copies[device.name] = device.copied()

    def roll_back(self, device):
        """The tablet's storage is an earlier day's: what came since is lost, and its numbers do not fit."""
        if device.name not in self.copies or device.revoked or self.counts["restores"]:
            return
        self.counts["storage rolled back"] += 1
        device.put_back(self.copies[device.name])

    def back_up(self, _device):
        if self.world.server.can_restore:
            self.world.server.back_up()

    def restore(self, _device):
        """An older server: what it lacks, tablets still hold, if their own storage was not rolled back."""
        excused = self.counts["storage rolled back"] or self.counts["revoked"] or self.counts["restores"]
        if not self.world.server.backup or excused:
            return
        self.counts["restores"] += 1
        self.world.network.late.clear()
        self.world.server.restore()
        self.world.office.open_on_desk.clear()

    def revoke(self, device):
        if self.counts["revoked"] or self.random.random() < 0.7 or not device.works or device.needs:
            return
        self.world.server.revoke(device.device_id)
        device.revoked = True
        self.counts["revoked"] += 1

    def late(self, _device):
        self.world.network.deliver_late()

    def enrol_again(self, device):
        """Somebody enters a new code although the old enrolment still holds."""
        if not device.revoked:
            self.world.enrol(device)

    def fill_disk(self, device):
        """The tablet's disk is full until its inspector has noticed and freed some."""
        device.is_full = True

    def damage_photo(self, device):
        if device.damage_photo():
            self.counts["photos damaged on a tablet"] += 1

    def update(self, device):
        """The app starts again as another release, newer or older, with whatever waits in the queue."""
        device.update(self.random.choice([1, 2, NEWEST]))
        self.counts["updates"] += 1
