"""People keep an identity by a passphrase; finished matches leave results and ratings. Past ones are entered later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("phrase", sa.String, unique=True),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_table(
        "finished",
        sa.Column("match", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("preset", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("began_at", sa.Float, nullable=False),
        sa.Column("over_at", sa.Float, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Index("finished_by_game", "game", "preset"),
    )
    op.create_table(
        "results",
        sa.Column("match", sa.String, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String, nullable=False),
        # At first an Integer on PostgreSQL, too (0008); a backup of this revision must find room for SQLite's 64 bits.
        sa.Column("score", sa.Integer().with_variant(sa.BigInteger, "postgresql"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("kept", sa.String),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Index("results_by_person", "person"),
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("preset", sa.String, primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )
