"""What the first version wrote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0001", None


def upgrade() -> None:
    house = op.create_table("house", sa.Column("format", sa.Integer, nullable=False))
    op.bulk_insert(house, [{"format": 1}])
    op.create_table(
        "events",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
    )
