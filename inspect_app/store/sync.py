"""What the server remembers of every op it was sent, and the one counter that orders all changes."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    and_,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, mapped_column

from inspect_app.store.base import UTC, Base, db

CLOCK = 1


class SyncMeta(Base):
    """Single facts about this server's log: its epoch."""

    __tablename__ = "sync_meta"

    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class ChangeClock(Base):
    """One row: the number of the last change, and the head of the log's hash chain."""

    __tablename__ = "change_clock"

    k: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    v: Mapped[int] = mapped_column(BigInteger)
    head: Mapped[str] = mapped_column(String(64))


class OpLog(Base):
    """Every op as it was received, byte for byte, with what became of it. Rows are never changed."""

    __tablename__ = "op_log"
    __table_args__ = (
        UniqueConstraint("device_id", "seq"),
        Index("ix_op_log_village_status", "village", "status"),
        Index("ix_op_log_record_id", "record_id"),
        Index("ix_op_log_chg", "chg"),
    )

    op_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    claimed_op_id: Mapped[str | None] = mapped_column(String(36))  # another op already had this id
    device_id: Mapped[str] = mapped_column(ForeignKey("device.id"))
    village: Mapped[str] = mapped_column(String(64))
    seq: Mapped[int] = mapped_column(BigInteger)
    body: Mapped[str] = mapped_column(Text)
    body_sha256: Mapped[str] = mapped_column(String(64))
    content_sha256: Mapped[str] = mapped_column(String(64))
    sig: Mapped[str] = mapped_column(Text)
    kid: Mapped[str] = mapped_column(String(64))
    sig_ok: Mapped[bool] = mapped_column(Boolean)
    user_id: Mapped[str | None] = mapped_column(String(36))
    kind: Mapped[str | None] = mapped_column(String(40))
    record_id: Mapped[str | None] = mapped_column(String(36))
    status: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(Text)
    result_json: Mapped[str] = mapped_column(Text)
    received_at: Mapped[datetime] = mapped_column(UTC)
    chg: Mapped[int] = mapped_column(BigInteger)
    log_hash: Mapped[str] = mapped_column(String(64))
    carried_by: Mapped[str | None] = mapped_column(String(36))  # the other device that brought it from a file
    reapplies: Mapped[str | None] = mapped_column(String(36), index=True)  # an op that was set aside


class OpAlias(Base):
    """An op sent again under a new number, after its tablet had to enrol anew."""

    __tablename__ = "op_alias"

    device_id: Mapped[str] = mapped_column(ForeignKey("device.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    op_id: Mapped[str] = mapped_column(String(36), index=True)
    body: Mapped[str] = mapped_column(Text)
    sig: Mapped[str] = mapped_column(Text)
    received_at: Mapped[datetime] = mapped_column(UTC)


class ChangeLog(Base):
    """The feed tablets pull: numbers without a hole. record_id is empty for an op that was set aside."""

    __tablename__ = "change_log"
    __table_args__ = (
        Index("ix_change_log_scope_chg", "scope", "chg"),
        Index("ix_change_log_record_id", "record_id"),
    )

    chg: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    record_id: Mapped[str | None] = mapped_column(String(36))
    entity: Mapped[str] = mapped_column(String(40))
    scope: Mapped[str] = mapped_column(String(64))  # the village
    op_id: Mapped[str | None] = mapped_column(String(36))


class RawItem(Base):
    """Bytes a tablet could not get accepted in any other way: kept as they came, for a person to read."""

    __tablename__ = "raw_item"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    device_id: Mapped[str] = mapped_column(ForeignKey("device.id"))
    village: Mapped[str] = mapped_column(String(64), index=True)
    sha256: Mapped[str] = mapped_column(String(64))
    body: Mapped[bytes] = mapped_column(LargeBinary)
    headers: Mapped[dict] = mapped_column(JSON)
    received_at: Mapped[datetime] = mapped_column(UTC)
    note: Mapped[str | None] = mapped_column(Text)  # what became of it, in a person's words
    noted_by: Mapped[str | None] = mapped_column(String(36))
    noted_at: Mapped[datetime | None] = mapped_column(UTC)


class NumberSeries(Base):
    """The last number given to a village's records of one prefix (L-0049: prefix L, last 49)."""

    __tablename__ = "number_series"

    village: Mapped[str] = mapped_column(String(64), primary_key=True)
    prefix: Mapped[str] = mapped_column(String(8), primary_key=True)
    last: Mapped[int] = mapped_column(Integer)


def insert_if_new(model: type, **values: object) -> None:
    """Insert a row unless its primary key is there already; the same on both databases."""
    dialect = postgresql if db.engine.dialect.name == "postgresql" else sqlite
    db.session.execute(dialect.insert(model).values(**values).on_conflict_do_nothing())


def tick(entity: str, record_id: str | None, scope: str, op_id: str | None = None) -> int:
    """Draw the next change number and enter it in the feed. The LAST statement before the commit.

    The counter row stays locked until the commit, so numbers become visible in their order: a reader that has
    seen 11 can never find a 10 that was committed later. Drawn early, the lock would make all writers queue.
    """
    chg = _advance()[0]
    db.session.add(ChangeLog(chg=chg, record_id=record_id, entity=entity, scope=scope, op_id=op_id))
    return chg


def tick_op(
    entity: str, record_id: str | None, scope: str, op_id: str, waits: bool = False
) -> tuple[int, str]:
    """`tick` for an op: also hands back the head of the log's hash chain, to be moved with `move_head`.

    `waits`: what is still to be written may be written behind it, since nobody else can hold those rows.
    """
    chg, head = _advance(waits)
    db.session.add(ChangeLog(chg=chg, record_id=record_id, entity=entity, scope=scope, op_id=op_id))
    return chg, head


def _advance(waits: bool = False) -> tuple[int, str]:
    if not waits:
        db.session.flush()
    connection = db.session.connection()  # not the session, which would write by itself what waits
    advance = (
        update(ChangeClock)
        .where(ChangeClock.k == CLOCK)
        .values(v=ChangeClock.v + 1)
        .returning(ChangeClock.v, ChangeClock.head)
    )
    row = connection.execute(advance).one_or_none()
    if row is None:
        insert_if_new(ChangeClock, k=CLOCK, v=0, head="")
        row = connection.execute(advance).one()
    return row.v, row.head


def move_head(log_hash: str) -> None:
    db.session.connection().execute(update(ChangeClock).where(ChangeClock.k == CLOCK).values(head=log_hash))


def clock() -> tuple[int, str]:
    """The number of the last change and the log's head; (0, "") on a new server."""
    row = db.session.execute(
        select(ChangeClock.v, ChangeClock.head).where(ChangeClock.k == CLOCK)
    ).one_or_none()
    return (row.v, row.head) if row else (0, "")


def head_at(chg: int) -> str:
    """The head of the log's chain as it was at this change number; "" before the first op."""
    newest = select(OpLog.log_hash).where(OpLog.chg <= chg).order_by(OpLog.chg.desc()).limit(1)
    return db.session.scalar(newest) or ""


def epoch() -> str | None:
    """The name of this log. It changes when a server is restored from a backup."""
    return db.session.scalar(select(SyncMeta.value).where(SyncMeta.key == "epoch"))


def set_epoch(name: str, *, keep: bool) -> None:
    """Name the log; `keep` leaves a name that is already there."""
    insert_if_new(SyncMeta, key="epoch", value=name)
    if not keep:
        db.session.execute(update(SyncMeta).where(SyncMeta.key == "epoch").values(value=name))


def fact(key: str) -> str | None:
    """A single fact about this server's work."""
    return db.session.scalar(select(SyncMeta.value).where(SyncMeta.key == key))


def set_fact(key: str, value: str) -> bool:
    """Note a fact; false when it stood so already, because another process was quicker."""
    insert_if_new(SyncMeta, key=key, value="")
    changed = db.session.execute(
        update(SyncMeta)
        .where(SyncMeta.key == key, SyncMeta.value != value)
        .values(value=value)
        .returning(SyncMeta.key)
        .execution_options(synchronize_session=False)
    )
    return changed.one_or_none() is not None


def new_epoch_name() -> str:
    return f"e-{uuid.uuid4().hex[:12]}"


def op(op_id: str) -> OpLog | None:
    return db.session.get(OpLog, op_id)


class HeldOp(NamedTuple):
    """What a new op is compared with of one that is in the log."""

    op_id: str
    device_id: str
    seq: int
    body: str
    body_sha256: str
    content_sha256: str
    result_json: str


@dataclass(frozen=True)
class Held:
    """What the log holds beside a new op: under its id, and under some numbers of its device."""

    of_id: HeldOp | None
    numbered: dict[int, HeldOp]

    def at(self, seq: int) -> HeldOp | None:
        return self.numbered.get(seq)


def held(device_id: str, op_id: str, seqs: Sequence[int]) -> Held:
    """What there is under this id, and under these numbers of the device, in one look."""
    columns = (getattr(OpLog, name) for name in HeldOp._fields)
    mine = and_(OpLog.device_id == device_id, OpLog.seq.in_(seqs))
    rows = [
        HeldOp(*row) for row in db.session.execute(select(*columns).where(or_(OpLog.op_id == op_id, mine)))
    ]
    return Held(
        next((row for row in rows if row.op_id == op_id), None),
        {row.seq: row for row in rows if row.device_id == device_id and row.seq in seqs},
    )


def arrived_since(device_id: str, when: datetime) -> int:
    """How many ops of a device came after this instant: of what it said was lost, brought from a file."""
    counted = select(func.count()).select_from(OpLog)
    return db.session.scalar(counted.where(OpLog.device_id == device_id, OpLog.received_at > when)) or 0


def alias_at(device_id: str, seq: int) -> OpAlias | None:
    return db.session.get(OpAlias, (device_id, seq))


def known_ops(op_ids: Sequence[str]) -> dict[str, str]:
    """op_id -> stored result, of those the server holds."""
    rows = db.session.execute(select(OpLog.op_id, OpLog.result_json).where(OpLog.op_id.in_(op_ids)))
    return {row.op_id: row.result_json for row in rows}


def quarantined(village: str) -> Sequence[OpLog]:
    """The village's ops that were set aside, newest first."""
    return db.session.scalars(
        select(OpLog)
        .where(OpLog.village == village, OpLog.status == "quarantined")
        .order_by(OpLog.received_at.desc())
    ).all()


def set_aside_for(reasons: Sequence[str]) -> Sequence[str]:
    """Ids of the ops set aside for these reasons and not applied again since, in the order they came."""
    again = select(OpLog.reapplies).where(OpLog.reapplies.is_not(None))
    return db.session.scalars(
        select(OpLog.op_id)
        .where(OpLog.status == "quarantined", OpLog.reason.in_(reasons), OpLog.op_id.not_in(again))
        .order_by(OpLog.chg)
    ).all()


def raw_item(item_id: str) -> RawItem | None:
    return db.session.get(RawItem, item_id)


def applied_again(village: str, op_ids: Sequence[str]) -> dict[str, str]:
    """Set-aside op -> the office's op that applied it again, of those asked for."""
    rows = db.session.execute(
        select(OpLog.reapplies, OpLog.op_id).where(OpLog.village == village, OpLog.reapplies.in_(op_ids))
    )
    return {row.reapplies: row.op_id for row in rows if row.reapplies}


def changes_after(scope: str, chg: int, up_to: int, limit: int) -> Sequence[ChangeLog]:
    """The village's next feed rows after `chg`, at most `limit`, none after `up_to`."""
    return db.session.scalars(
        select(ChangeLog)
        .where(ChangeLog.scope == scope, ChangeLog.chg > chg, ChangeLog.chg <= up_to)
        .order_by(ChangeLog.chg)
        .limit(limit)
    ).all()


def next_number(village: str, prefix: str) -> int:
    """The next number of a village's series; locked until the commit, so none is given twice."""
    insert_if_new(NumberSeries, village=village, prefix=prefix, last=0)
    return db.session.execute(
        update(NumberSeries)
        .where(NumberSeries.village == village, NumberSeries.prefix == prefix)
        .values(last=NumberSeries.last + 1)
        .returning(NumberSeries.last)
        .execution_options(synchronize_session=False)
    ).scalar_one()
