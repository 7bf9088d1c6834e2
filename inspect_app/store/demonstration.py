"""Reads the demonstration's data, and whether it was loaded."""

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import select
from sqlalchemy.orm import Session

from inspect_app.store.base import db
from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import SyncMeta

FOLDER = Path(__file__).parent.parent / "demonstration"
KEY = "demonstration"


def villages() -> list[dict[str, Any]]:
    """What each demonstration village consists of, as written in its file."""
    return [yaml.safe_load(path.read_text()) for path in sorted(FOLDER.glob("*.yaml"))]


@cache
def visit(kind: str) -> dict[str, dict[str, Any]]:
    """One whole visit of a kind: {group: {field: value}}, times and measures as the files write them."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "visits" / f"{kind}.yaml").read_text())
    return found


def map_layers(village: str) -> list[Path]:
    """The files of a village's invented map."""
    return sorted((FOLDER / "maps" / village).glob("*.geojson"))


def is_loaded() -> bool:
    return db.session.get(SyncMeta, KEY) is not None


def mark_loaded(session: Session, now: datetime) -> None:
    """Write down that it is loaded, so that a second start changes nothing."""
    session.add(SyncMeta(key=KEY, value=now.isoformat()))


def is_recorded(village: str, place: str, protocol: str) -> bool:
    """Whether this village holds such a record, handed in: a load that was stopped goes on after it."""
    return recorded(village, place, protocol) is not None


def recorded(village: str, place: str, protocol: str) -> Inspection | None:
    """The record of this place that was handed in."""
    query = select(Inspection).where(
        Inspection.village == village,
        Inspection.place == place,
        Inspection.protocol == protocol,
        Inspection.submitted_at.is_not(None),
    )
    return db.session.scalar(query.limit(1))
