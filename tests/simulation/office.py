"""What the reviewer does: reads, is called away, comes back, and acts on what was read."""

import copy

from inspect_app.domain.errors import TradeError
from inspect_app.store import inspections as store
from inspect_app.store.base import db
from tests.simulation.disk import Made
from tests.simulation.groups import choice_of

# How often each step is taken: a record that is void or approved takes no more edits, only proposals.
OFTEN = {"record.review": 4, "record.return": 4, "record.approve": 1, "record.void": 0.5}


class Office:
    """One reviewer at a desk, quick or slow as the seed has it."""

    def __init__(self, world):
        self.world, self.random = world, world.random
        self.open_on_desk = []  # conflicts as they were when they were read
        self.steps = {kind: often * self.random.choice([0, 1, 1, 3]) for kind, often in OFTEN.items()}
        self.steps["record.review"] += 0.1
        self.quick = self.random.choice([0.3, 0.6, 1])

    def work(self):
        """What was read some time ago is settled as it was read; then the queue is looked at again."""
        if self.open_on_desk and self.random.random() < self.quick:
            conflict = self.open_on_desk.pop(0)
            saw = [conflict["current_op"], *(c["op"] for c in conflict["candidates"])]
            own = choice_of(self.random, conflict)
            self.decide("conflict.resolve", conflict["record_id"], **own, saw=[s for s in saw if s])
        records, conflicts = self.queue()
        if conflicts and self.random.random() < 0.7:
            self.open_on_desk.append(self.random.choice(conflicts))
        if records:
            kind = self.random.choices(list(self.steps), self.steps.values())[0]
            own = {"reason": "as read"} if kind in ("record.return", "record.void") else {}
            self.decide(kind, self.random.choice(records), **own)

    def queue(self):
        """The ids of all records, and every open conflict as it is shown now."""
        with self.world.server.app.app_context():
            records = list(
                db.session.scalars(store.select(store.Inspection.id).order_by(store.Inspection.id))
            )
            waiting = store.select(store.Conflict).where(store.Conflict.state == "open")
            conflicts = [
                {
                    "id": row.id,
                    "record_id": row.record_id,
                    "what": row.what,
                    "current_op": row.current_op,
                    "candidates": copy.deepcopy(row.candidates),
                }
                for row in db.session.scalars(waiting.order_by(store.Conflict.id))
            ]
            db.session.rollback()
        return records, conflicts

    def decide(self, kind, record_id, **own):
        try:
            result = self.world.server.office(kind, record_id, **own)
        except TradeError:
            return
        self.world.counts["office steps"] += 1
        self.world.remember("office", Made(result["op_id"], {"kind": kind}))
