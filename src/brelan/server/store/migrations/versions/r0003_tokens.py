"""Persons may give tokens to their programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("hash", sa.String, nullable=False, unique=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("scopes", sa.String, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("used_on", sa.String),
        sa.Index("tokens_by_person", "person"),
    )
