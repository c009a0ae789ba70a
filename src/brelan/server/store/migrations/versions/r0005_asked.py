"""A table's row says for which seats it waits: whoever looks at their tables sees whose turn it is.
For those that are there already this is read later.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("asked", sa.Integer, nullable=False, server_default="0"))
    op.execute("UPDATE tables SET status = 'unknown'")
