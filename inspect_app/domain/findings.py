"""What rules say about an inspection. The outcomes are in their order, the weightiest first."""

from dataclasses import dataclass, field
from typing import Any

OUTCOMES = ("violation", "discretion", "not_evaluated", "warning", "information", "pass", "not_applicable")
RANK = {outcome: rank for rank, outcome in enumerate(OUTCOMES)}


@dataclass
class Failed:
    """A check that was not true: its number from 0, the row from 1, and the answers it read."""

    check: int
    row: int | None
    outcome: str
    figure: str | None
    message: str | None
    fields: list[str]


@dataclass
class Finding:
    """What a rule says about an inspection; `to_json` is what tablet, server and records share."""

    rule: str
    title: str
    outcome: str
    clause: dict[str, Any]
    body: str
    modal: str
    evidence: list[str]
    boundary: bool = False
    value: str | None = None
    missing: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    figure: str | None = None
    message: str | None = None
    reason: str | None = None
    notes: list[str] = field(default_factory=list)
    open_item: bool = False
    failed: list[Failed] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        # Not `asdict`, which copies every clause to its last letter and takes longer than the rules did.
        return {**vars(self), "failed": [dict(vars(one)) for one in self.failed]}
