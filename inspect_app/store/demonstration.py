"""Reads the demonstration's data, and whether it was loaded."""

from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy.orm import Session

from inspect_app.store.base import db
from inspect_app.store.sync import SyncMeta

FOLDER = Path(__file__).parent.parent / "demonstration"
KEY = "demonstration"


def villages() -> list[dict[str, Any]]:
    """What each demonstration village consists of, as written in its file."""
    return [yaml.safe_load(path.read_text()) for path in sorted(FOLDER.glob("*.yaml"))]


def is_loaded() -> bool:
    return db.session.get(SyncMeta, KEY) is not None


def mark_loaded(session: Session, now: datetime) -> None:
    """Write down that it is loaded, so that a second start changes nothing."""
    session.add(SyncMeta(key=KEY, value=now.isoformat()))
