"""What lies in the database, as it is now.

Every change here comes with a migration, `migrations/versions/rNNNN_what.py` with the next number and the number
before it as `down_revision`; a test compares what all of them lead to with what stands here. Times are seconds since
1970.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text, false

meta = MetaData()

house = Table("house", meta, Column("format", Integer, nullable=False), Column("key", String))
"""One row. Its format is for versions that know no migrations: they refuse what is above 1. Its key is the mark of the
signing key in the house's data folder, nothing before the first start.
"""

events = Table(
    "events",
    meta,
    Column("code", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)
"""All that happened, table by table, numbered from 1 without gaps. None is ever removed; none changes, unless somebody
in it wants to be forgotten (`tables/farewell.py`).
"""

tables = Table(
    "tables",
    meta,
    Column("code", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("preset", String, nullable=False),
    Column("status", String, nullable=False),  # open | playing | over; unknown: to be read; unreadable: it cannot be
    Column("listed", Boolean, nullable=False),  # whether the lobby shows it
    Column("open_seats", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("host", String, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("deadline", Float),  # when it goes on by itself, whoever watches
    Column("match", String),  # the last one begun
    Column("asked", Integer, nullable=False, server_default="0"),  # seats it waits for, by bits (`index.Summary`)
    Index("tables_by_status", "status", "listed"),
    Index("tables_by_host", "host"),
    Index("tables_by_deadline", "deadline"),
)
"""Each table as its last event left it: what can be asked without reading the events."""

sittings = Table(
    "sittings",
    meta,
    Column("code", String, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", String, nullable=False),
    Column("name", String, nullable=False),
    Index("sittings_by_person", "person"),
)
"""The persons who sit at a table now."""

matches = Table(
    "matches",
    meta,
    Column("match", String, primary_key=True),
    Column("code", String, nullable=False),
    Column("begun_at", Float, nullable=False),
    Column("over_at", Float),  # none while it is played
    Column("whatif", Boolean, nullable=False, server_default=false()),  # played on from a match that was over
    Index("matches_by_end", "over_at"),
    Index("matches_by_code", "code"),
)
"""Every match that was begun."""

tokens = Table(
    "tokens",
    meta,
    Column("id", String, primary_key=True),  # by which its owner speaks of it; opens nothing
    Column("hash", String, nullable=False, unique=True),
    Column("person", String, nullable=False),
    Column("name", String, nullable=False),
    Column("scopes", String, nullable=False),  # parted by spaces
    Column("made_at", Float, nullable=False),
    Column("used_on", String),  # the last day, 2026-11-21; none before the first use
    Index("tokens_by_person", "person"),
)
"""What persons gave to their programs, of each only a hash."""

people = Table(
    "people",
    meta,
    Column("person", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("phrase", String, unique=True),  # the hash of a passphrase (`phrases.py`), if there is one
    Column("listed", Boolean, nullable=False),  # whether ladders may show the name
    Column("since", Float, nullable=False),
)
"""The guests who asked the house to remember something about them; of all others there is no row."""

finished = Table(
    "finished",
    meta,
    Column("match", String, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),  # the order in which matches were entered and rated
    Column("code", String, nullable=False),
    Column("game", String, nullable=False),
    Column("preset", String, nullable=False),
    Column("players", Integer, nullable=False),
    Column("first", Integer, nullable=False),  # the seat that began
    Column("rated", Boolean, nullable=False),
    Column("whatif", Boolean, nullable=False, server_default=false()),  # played on from a match that was over
    Column("began_at", Float, nullable=False),
    Column("over_at", Float, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Index("finished_by_game", "game", "preset"),
)
"""Every match that is over, with what is counted about it."""

results = Table(
    "results",
    meta,
    Column("match", String, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", String, nullable=False),  # a bot is bot:<level>
    Column("score", Integer().with_variant(BigInteger, "postgresql"), nullable=False),  # SQLite's have 64 bits anyway
    Column("place", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("kept", String),  # the level of the bot that kept the seat at the end
    Column("mu", Float),  # the rating after the match, if it was rated
    Column("sigma", Float),
    Index("results_by_person", "person"),
)
"""How each seat of a finished match ended."""

ratings = Table(
    "ratings",
    meta,
    Column("game", String, primary_key=True),
    Column("preset", String, primary_key=True),
    Column("person", String, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
)
"""What all rated matches together say about somebody's skill."""
