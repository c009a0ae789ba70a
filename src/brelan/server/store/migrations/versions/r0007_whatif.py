"""A match that plays on from another says so: it is nobody's victory. Those that are known are found by how their
tables were made.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0007", "0006"


def upgrade() -> None:
    op.add_column("finished", sa.Column("whatif", sa.Boolean, nullable=False, server_default=sa.false()))
    events = sa.table("events", sa.column("code"), sa.column("number"), sa.column("body"))
    finished = sa.table("finished", sa.column("code"), sa.column("whatif", sa.Boolean))
    made = sa.select(events.c.code).where(events.c.number == 1, events.c.body.contains('"origin":'))
    op.execute(sa.update(finished).where(finished.c.code.in_(made)).values(whatif=True))
