"""what a person says about bytes of the last resort

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("raw_item", schema=None) as batch_op:
        batch_op.add_column(sa.Column("note", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("noted_by", sa.String(length=36), nullable=True))
        batch_op.add_column(sa.Column("noted_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    with op.batch_alter_table("raw_item", schema=None) as batch_op:
        batch_op.drop_column("noted_at")
        batch_op.drop_column("noted_by")
        batch_op.drop_column("note")
