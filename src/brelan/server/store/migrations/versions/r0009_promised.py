"""A match says already while it is played that it asks what if: its secret is open from the start, and no promise.
Those that are known are found by how their tables were made; tables that are read later say it then.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0009", "0008"


def upgrade() -> None:
    op.add_column("matches", sa.Column("whatif", sa.Boolean, nullable=False, server_default=sa.false()))
    events = sa.table("events", sa.column("code"), sa.column("number"), sa.column("body"))
    matches = sa.table("matches", sa.column("code"), sa.column("whatif", sa.Boolean))
    made = sa.select(events.c.code).where(events.c.number == 1, events.c.body.contains('"origin":'))
    op.execute(sa.update(matches).where(matches.c.code.in_(made)).values(whatif=True))
