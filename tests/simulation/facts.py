"""What the server holds when the dust has settled, read once, and how an invariant says that it is broken."""

import hashlib
import json
from contextlib import suppress

from sqlalchemy import select

from inspect_app.store.base import db
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.inspections import Conflict, Inspection, InspectionHistory
from inspect_app.store.people import Device
from inspect_app.store.photos import Photo
from inspect_app.store.sync import ChangeLog, OpAlias, OpLog, RawItem
from tests.simulation.releases import today


class Violation(AssertionError):
    """An invariant does not hold: something was lost, doubled or silently overwritten."""

    def __init__(self, invariant, what):
        super().__init__(f"{invariant}: {what}")
        self.invariant = invariant


def must(invariant, holds, what):
    if not holds:
        raise Violation(invariant, what)


class Facts:
    """The tables of the server, read once."""

    def __init__(self):
        read = db.session.scalars
        self.log = read(select(OpLog).order_by(OpLog.chg)).all()
        self.by_id = {row.op_id: row for row in self.log}
        self.aliases = read(select(OpAlias)).all()
        self.raws = read(select(RawItem)).all()
        self.devices = {row.id: row for row in read(select(Device)).all()}
        self.conflicts = read(select(Conflict)).all()
        self.records = {row.id: row for row in read(select(Inspection)).all()}
        self.history = read(select(InspectionHistory)).all()
        self.photos = read(select(Photo)).all()
        self.custody = read(select(CustodyEvent)).all()
        self.changes = read(select(ChangeLog).order_by(ChangeLog.chg)).all()


def said(row):
    try:
        return today(json.loads(json.loads(row.body)["content"]))
    except (ValueError, TypeError, AttributeError):
        return {}


def named(raw):
    """The hash by which an op that the last resort took is known: of its body, alone or in its envelope."""
    with suppress(ValueError, KeyError, TypeError):
        raw = json.loads(raw)["body"].encode()
    return hashlib.sha256(raw).hexdigest()
