"""A score may leave 32 bits: a target of a thousand million is legal, and whoever passes it may do so by as much again.
SQLite's integers have room already.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0008", "0007"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("results", "score", type_=sa.BigInteger)
