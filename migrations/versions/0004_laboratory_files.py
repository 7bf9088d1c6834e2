"""files of laboratories and their rows

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "lab_file",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("village", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("encoding", sa.String(length=20), nullable=False),
        sa.Column("separator", sa.String(length=1), nullable=False),
        sa.Column("mapping", sa.JSON(), nullable=False),
        sa.Column("mapping_version", sa.String(length=40), nullable=False),
        sa.Column("person_id", sa.String(length=36), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_lab_file_person_id_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lab_file")),
    )
    with op.batch_alter_table("lab_file", schema=None) as batch_op:
        batch_op.create_index("ix_lab_file_village_sha256", ["village", "sha256"], unique=True)
    op.create_table(
        "lab_row",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("village", sa.String(length=64), nullable=False),
        sa.Column("file_id", sa.String(length=36), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("remarks", sa.JSON(), nullable=False),
        sa.Column("cells", sa.JSON(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("record_id", sa.String(length=36), nullable=True),
        sa.Column("op_id", sa.String(length=36), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.String(length=36), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["lab_file.id"], name=op.f("fk_lab_row_file_id_lab_file")),
        sa.ForeignKeyConstraint(["record_id"], ["inspection.id"], name=op.f("fk_lab_row_record_id_inspection")),
        sa.ForeignKeyConstraint(["decided_by"], ["person.id"], name=op.f("fk_lab_row_decided_by_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lab_row")),
    )
    with op.batch_alter_table("lab_row", schema=None) as batch_op:
        batch_op.create_index("ix_lab_row_file_id_state_line", ["file_id", "state", "line"], unique=False)
        batch_op.create_index("ix_lab_row_file_id_record_id", ["file_id", "record_id"], unique=False)
        batch_op.create_index("ix_lab_row_village_state", ["village", "state"], unique=False)


def downgrade():
    with op.batch_alter_table("lab_row", schema=None) as batch_op:
        batch_op.drop_index("ix_lab_row_village_state")
        batch_op.drop_index("ix_lab_row_file_id_record_id")
        batch_op.drop_index("ix_lab_row_file_id_state_line")
    op.drop_table("lab_row")
    with op.batch_alter_table("lab_file", schema=None) as batch_op:
        batch_op.drop_index("ix_lab_file_village_sha256")
    op.drop_table("lab_file")
