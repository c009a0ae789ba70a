"""Tables, seats and matches can be asked about without reading the events. What is there already is read later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("preset", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("open_seats", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("changed_at", sa.Float, nullable=False),
        sa.Column("deadline", sa.Float),
        sa.Column("match", sa.String),
        sa.Index("tables_by_status", "status", "listed"),
        sa.Index("tables_by_host", "host"),
        sa.Index("tables_by_deadline", "deadline"),
    )
    op.create_table(
        "sittings",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Index("sittings_by_person", "person"),
    )
    op.create_table(
        "matches",
        sa.Column("match", sa.String, primary_key=True),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("begun_at", sa.Float, nullable=False),
        sa.Column("over_at", sa.Float),
        sa.Index("matches_by_end", "over_at"),
        sa.Index("matches_by_code", "code"),
    )
    op.execute(
        "INSERT INTO tables (code, game, preset, status, listed, open_seats, players, host, made_at, changed_at) "
        "SELECT code, '', '', 'unknown', false, 0, 0, '', 0, 0 FROM events WHERE number = 1"
    )
    op.execute("UPDATE house SET format = 2")
