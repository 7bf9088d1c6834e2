"""The chain of custody of a sample: events named by their hash, each naming the one before it.

Nothing here refuses an event. Both holders of a sample may be right about what they saw; what does not fit is
said aloud and settled by people, with further events.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspect_app.domain.envelopes import read_kept

MEMBERS = ("sample_set", "prev", "action")
TAKES = ("receive", "lab_receipt")  # somebody now holds it
GIVES = ("relinquish", "ship")  # somebody no longer holds it
BAD_SEALS = ("broken", "missing", "number_differs")


@dataclass(frozen=True)
class Event:
    """One event as it was signed: its exact text, the text's hash, and what it says."""

    text: str
    hash: str
    says: dict[str, Any]

    @property
    def prev(self) -> str:
        return str(self.says.get("prev") or "")

    @property
    def action(self) -> str:
        return str(self.says.get("action") or "")


@dataclass(frozen=True)
class Remark:
    """Something about a chain that a person must look at; it holds up nothing."""

    kind: str  # fork, gap, unknown_previous, two_holders, not_alternating, seal, clock
    event: str  # hash
    text: str


def event_hash(text: str) -> str:
    """SHA-256 of the event's exact UTF-8 bytes, in lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_event(text: str) -> Event:
    """The event of this text; raises ValueError when it is no JSON object with the members of an event."""
    says = read_kept(text, "The custody event")
    absent = [name for name in MEMBERS if name not in says]
    if absent:
        raise ValueError(f"The custody event does not say {', '.join(absent)}.")
    if not isinstance(says["sample_set"], str) or not says["sample_set"]:
        raise ValueError("The custody event does not name its sample set.")
    if not isinstance(says["prev"], str) or not isinstance(says["action"], str):
        raise ValueError("The custody event's prev and action are texts.")
    return Event(text, event_hash(text), says)


def forks(events: Sequence[Event]) -> set[str]:
    """The hashes of events that share their predecessor with another: two devices went on from one point.

    A reconciliation event that names both (`reconciles: [hash, hash]`) closes the fork.
    """
    followers: dict[str, list[str]] = {}
    for event in events:
        followers.setdefault(event.prev, []).append(event.hash)
    closed = {named for event in events for named in _reconciled(event)}
    return {
        hash_
        for hashes in followers.values()
        if len(set(hashes)) > 1
        for hash_ in hashes
        if not set(hashes) <= closed
    }


def _reconciled(event: Event) -> list[str]:
    named = event.says.get("reconciles")
    return [text for text in named if isinstance(text, str)] if isinstance(named, list) else []


def check(events: Sequence[Event]) -> list[Remark]:
    """What a reader of this chain must know: forks, gaps, hand-overs that do not meet."""
    remarks: list[Remark] = []
    known = {event.hash for event in events}
    forked = forks(events)
    holder: str | None = None
    waiting: str | None = None  # whom it was handed to, and who has not yet said they have it
    for event in events:
        if event.hash in forked:
            remarks.append(Remark("fork", event.hash, "Two events follow the same one. Both are kept."))
        if event.prev and event.prev not in known:
            remarks.append(
                Remark("unknown_previous", event.hash, "The event before this one has not arrived.")
            )
        giver, taker = (str(event.says.get(name) or "") for name in ("from_role", "to_role"))
        if event.action in GIVES:
            if holder and giver and giver != holder:
                remarks.append(
                    Remark("two_holders", event.hash, f"{giver} gives it away, but {holder} holds it.")
                )
            if waiting:
                remarks.append(
                    Remark("not_alternating", event.hash, f"Given to {waiting}, who never said they have it.")
                )
            holder, waiting = None, taker or "nobody named"
        elif event.action in TAKES:
            if not waiting and holder and holder != taker:
                remarks.append(
                    Remark("two_holders", event.hash, f"{taker} has it, but {holder} never gave it away.")
                )
            elif waiting and taker and waiting not in (taker, "nobody named"):
                remarks.append(
                    Remark("not_alternating", event.hash, f"Given to {waiting}, but received by {taker}.")
                )
            holder, waiting = taker or holder, None
        elif holder is None and waiting is None:
            holder = taker or giver or None
        if event.says.get("seal_state") in BAD_SEALS:
            words = str(event.says["seal_state"]).replace("_", " ")
            remarks.append(Remark("seal", event.hash, f"Seal: {words}. Custody has a gap here."))
    return remarks
