"""What a laboratory reported about a record's samples, entered by the office: an op like any other.

The document holds the results in force. A corrected report replaces what it corrects; what stood before stays
in the history, in the op that brought it, and in the findings of its revision.
"""

from hashlib import sha256
from typing import Any

from inspect_app.domain import inspections
from inspect_app.domain.errors import IllegalTransition, NotAllowed, Refused
from inspect_app.domain.lab_results import LIST
from inspect_app.services.op import Op, Outcome, changed, judge_again, note, record_of

TAKES_RESULTS = ("submitted", "in_review", "returned")
WHY_NOT = {
    "draft": "has not been handed in yet. Wait for it, then look again.",
    "approved": "is approved. Reopen it, then look again.",
    "void": "is void. A void record takes no results.",
}


def why_not(number: str, state: str) -> str | None:
    """Why a record of this state takes no results now; None where it does."""
    return None if state in TAKES_RESULTS else f"Record {number} {WHY_NOT[state]}"


def report(op: Op) -> Outcome:
    """Enter rows of a laboratory's report: each replaces the row of its key, or is added.

    Raises NotAllowed without an office role, IllegalTransition where the record takes no results now.
    """
    record, said = record_of(op), op.content
    if not inspections.OFFICE_ROLES & set(op.roles):
        raise NotAllowed("To enter a laboratory's results needs the role reviewer or administrator.")
    if against := why_not(record.number, record.state):
        raise IllegalTransition(against)
    if record.protocol != "manhole":
        raise Refused(f"Record {record.number} is no sampling visit, so it has no results.")
    before = record.doc["lists"].get(LIST, [])
    standing = {entry["id"]: entry for entry in before}
    replaced: list[dict[str, Any]] = []
    for reported in said["rows"]:
        row_id = sha256(reported["key"].encode()).hexdigest()[:32]
        held = standing.get(row_id)
        if held and held["row"] == reported["row"]:
            continue
        if held:
            replaced.append(held)
        standing[row_id] = {
            "id": row_id,
            "op": op.id,
            "row": reported["row"],
            "said": reported["said"],
            "by": op.person.id,
            "at": op.at,
        }
    rows = list(standing.values())
    if rows == before:
        return Outcome("noop", record)
    changed(op, record, {**record.doc, "lists": {**record.doc["lists"], LIST: rows}})
    note(
        op,
        record,
        f"list:{LIST}",
        "applied",
        old=replaced or None,
        new={"report": said["report"], "rows": said["rows"]},
    )
    judge_again(op, record)
    return Outcome("applied", record)
