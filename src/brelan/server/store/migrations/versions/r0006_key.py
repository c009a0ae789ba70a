"""The database says to which house it belongs: with another key in its data folder, all guests would be strangers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0006", "0005"


def upgrade() -> None:
    op.add_column("house", sa.Column("key", sa.String))
