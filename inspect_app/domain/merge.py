"""What becomes of a change when it meets what is already there. Pure: plain data in, a decision out.

The unit is the group: fields that were measured together are replaced together, so no merge can make a tap
that nobody measured. A change names the change it replaces; no clock and no revision number picks a winner.

A group as it stands ("entry"): {"op", "values", "by", "at", "device", "also": [other names of op]}.
A value that waits for a decision ("candidate"): {"op", "values", "by", "at", "device", "was", "replaces"}.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from inspect_app.domain.quantities import read_number

Entry = dict[str, Any]
Candidate = dict[str, Any]

# Groups whose fields are independent and only ever added to: two people sign one record, and both hold.
UNION_GROUPS = frozenset({"signatures"})


@dataclass(frozen=True)
class Change:
    """One group as one person typed it on one device, and the op their screen showed as current."""

    op: str
    replaces: str
    values: Mapping[str, Any]
    by: str
    at: str
    device: str
    was: Mapping[str, Any]


@dataclass(frozen=True)
class Merged:
    """What to store. `entry` is the group's new state, `candidates` the conflict's; None means unchanged."""

    status: str  # applied, noop, conflict
    entry: Entry | None = None
    candidates: list[Candidate] | None = None
    kind: str | None = None  # of a conflict: group, edit_after_delete, amendment


def set_group(
    group: str,
    change: Change,
    entry: Entry | None,
    candidates: Sequence[Candidate],
    *,
    approved: bool = False,
    deleted: bool = False,
) -> Merged:
    """Merge one `group.set`.

    Seen (it names the current op, or another name of it): applied. Equal: noop, and the op counts from then
    on as another name of the current one. Anything else: conflict; the current value stays. After approval
    and after deletion nothing is applied: the value waits as a candidate.
    """
    names = {entry["op"], *entry.get("also", ())} if entry else {""}
    seen = change.replaces in names
    if entry and same_values(change.values, entry["values"], exactly=seen):
        return Merged("noop", entry=named_also(entry, change.op))
    if deleted:
        return Merged("conflict", candidates=parked(change, candidates), kind="edit_after_delete")
    if approved:
        return Merged("conflict", candidates=parked(change, candidates), kind="amendment")
    if group in UNION_GROUPS:
        return Merged("applied", entry=entry_of(change, _added(entry, change.values, change.was)))
    if seen:
        return Merged("applied", entry=entry_of(change, change.values))
    return Merged("conflict", candidates=parked(change, candidates), kind="group")


def parked(change: Change, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with this change among them; one that it replaces, of the same device, makes room."""
    mine = {
        "op": change.op,
        "values": dict(change.values),
        "by": change.by,
        "at": change.at,
        "device": change.device,
        "was": dict(change.was),
        "replaces": change.replaces,
    }
    kept = [
        other
        for other in candidates
        if not (other["op"] == change.replaces and other["device"] == change.device)
    ]
    return [*kept, mine]


def _added(entry: Entry | None, values: Mapping[str, Any], was: Mapping[str, Any]) -> dict[str, Any]:
    """What stands, with what the author added to what they saw: the rest is repeated, and may be old."""
    there = entry["values"] if entry else {}
    return {**there, **{name: said for name, said in values.items() if name not in was or said != was[name]}}


def entry_of(change: Change, values: Mapping[str, Any]) -> Entry:
    return {
        "op": change.op,
        "values": dict(values),
        "by": change.by,
        "at": change.at,
        "device": change.device,
        "also": [],
    }


def named_also(entry: Entry, op: str) -> Entry:
    """The entry, known by one more name: its author has seen these values, whoever typed them first."""
    return {**entry, "also": [*entry.get("also", ()), op]}


def resolve(
    entry: Entry | None,
    candidates: Sequence[Candidate],
    *,
    group: str = "",
    take: str,
    value: Mapping[str, Any] | None,
    chosen: str | None,
    op: str,
    by: str,
    at: str,
    device: str,
) -> Entry | None:
    """The group after a person has settled its conflict: `take` is current, candidate or value.

    The new entry also answers to the name of the value that was taken, so that its author's next edit, made
    on top of it, is no second conflict. Raises LookupError when it is not said which candidate is meant.
    """
    if take == "current":
        if entry is None:
            return None
        return {**entry, "op": op, "also": [*entry.get("also", ()), entry["op"]]}
    values = value
    also: list[str] = []
    if take == "candidate":
        named = [other for other in candidates if chosen is None or other["op"] == chosen]
        if len(named) != 1:
            raise LookupError("Say which candidate is taken: name its op.")
        values, also = named[0]["values"], [named[0]["op"]]
        if group in UNION_GROUPS:
            values = _added(entry, values, named[0]["was"])
    return {"op": op, "values": dict(values or {}), "by": by, "at": at, "device": device, "also": also}


def unseen(candidates: Sequence[Candidate], saw: Sequence[str]) -> list[str]:
    """The candidates' ops that whoever settled the conflict had not seen: with any, it stays open."""
    return [other["op"] for other in candidates if other["op"] not in saw]


def add_row(rows: Sequence[Mapping[str, Any]], row_id: str, row: Mapping[str, Any]) -> str:
    """Append-only: `applied` for a new row, `noop` for the same again, `taken` for another under its id."""
    for there in rows:
        if there["id"] == row_id:
            return "noop" if same_values(there["row"], row, exactly=True) else "taken"
    return "applied"


def delete(changed_by_others: bool, state: str) -> Merged:
    """A deletion never beats an edit its author had not seen, nor a record that was handed in."""
    if changed_by_others or state != "draft":
        return Merged("conflict", kind="delete_after_edit")
    return Merged("applied")


def same_values(one: Mapping[str, Any], other: Mapping[str, Any], exactly: bool = False) -> bool:
    """Whether two groups say the same: as typed if `exactly`, else as measured (5 1/2 in is 5.5 in)."""
    if exactly:
        return bool(_typed(dict(one)) == _typed(dict(other)))
    return bool(_measured(dict(one)) == _measured(dict(other)))


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _typed(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_typed(inner) for inner in value]
    return (type(value).__name__, value) if isinstance(value, bool) else value


def _measured(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"value", "unit"} and isinstance(value["value"], str):
            number = read_number(value["value"])
            return (number if number is not None else value["value"].strip(), value["unit"])
        kept = {name: _measured(inner) for name, inner in value.items()}
        return {name: inner for name, inner in kept.items() if not _absent(inner)}
    if isinstance(value, list):
        return [_measured(inner) for inner in value]
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, int | float):
        return Fraction(value)
    return value


def _absent(value: Any) -> bool:
    """Absent, empty and an empty list say the same: not answered."""
    return value is None or value in ("", [], {}) or value == ("", None)
