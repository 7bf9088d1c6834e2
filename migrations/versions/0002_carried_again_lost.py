"""who brought an op, which one it applies again, and what a tablet says it lost

Revision ID: 0002
Revises: 0001
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("op_log", schema=None) as batch_op:
        batch_op.add_column(sa.Column("carried_by", sa.String(length=36), nullable=True))
        batch_op.add_column(sa.Column("reapplies", sa.String(length=36), nullable=True))
        batch_op.create_index(batch_op.f("ix_op_log_reapplies"), ["reapplies"], unique=False)
    with op.batch_alter_table("device", schema=None) as batch_op:
        batch_op.add_column(sa.Column("lost_ops", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("lost_at", sa.DateTime(timezone=True), nullable=True))
    note_what_was_applied_again()


def note_what_was_applied_again():
    """Until now only the op's own text said which one it applies again."""
    connection = op.get_bind()
    log = sa.table(
        "op_log", sa.column("op_id"), sa.column("device_id"), sa.column("body"), sa.column("reapplies")
    )
    device = sa.table("device", sa.column("id"), sa.column("is_server"))
    rows = connection.execute(
        sa.select(log.c.op_id, log.c.body)
        .join(device, device.c.id == log.c.device_id)
        .where(device.c.is_server, log.c.body.contains("reapplies"))
    ).all()
    for row in rows:
        says = json.loads(json.loads(row.body)["content"])
        if says.get("reapplies"):
            connection.execute(
                log.update().where(log.c.op_id == row.op_id).values(reapplies=says["reapplies"][:36])
            )


def downgrade():
    with op.batch_alter_table("device", schema=None) as batch_op:
        batch_op.drop_column("lost_at")
        batch_op.drop_column("lost_ops")
    with op.batch_alter_table("op_log", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_op_log_reapplies"))
        batch_op.drop_column("reapplies")
        batch_op.drop_column("carried_by")
