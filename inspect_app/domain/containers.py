"""The containers of a sampling visit, whatever stands in its record: answers are kept as they came."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

Values = Mapping[str, Any]


def labelled(answers: Values) -> list[Values]:
    """The containers that have a label: rows whose sample id is a text that is not empty."""
    return [row for row in rows_of(answers, "containers") if sample_id(row)]


def rows_of(answers: Values, name: str) -> list[Values]:
    """The rows of a list among answers; what is no row is none."""
    rows = answers.get(name)
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def sample_id(row: Values) -> str:
    """The label of a row as it was typed, letter for letter; empty where it has none."""
    text = row.get("sample_id")
    return text.strip() if isinstance(text, str) else ""


def instant(text: Any) -> datetime | None:
    """The instant of an ISO text with its offset; None for anything else."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None
