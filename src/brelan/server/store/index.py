"""Tables, seats and matches as they are now: written with the events, asked without reading them.

What writes and what asks takes a connection: `store.submit` gives one to the former, `store.read` to the latter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Executable, Row, Select, and_, case, delete, func, not_, or_, select, union, update
from sqlalchemy import Table as Relation
from sqlalchemy.dialects import postgresql, sqlite

from brelan.play.seats import Event
from brelan.server.store.relations import events, matches, sittings, tables

decoded = msgspec.json.Decoder(Event).decode
"""An event as it is stored."""

UP = 16
"""Among the bits of the seats that a table waits for, that of seat 0 if its time is up and a bot keeps it; the others'
follow. No game has so many seats.
"""

PAGE = 100
"""Rows that one question is answered with at most, unless it says otherwise."""


OF_HOST = 2
"""Open tables that the lobby shows of one host."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person on a seat."""

    seat: int
    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A table as its last event left it; the times are seconds since 1970."""

    code: str
    game: str
    preset: str
    status: str  # open | playing | over
    listed: bool
    open_seats: int
    players: int
    host: str
    made_at: float
    changed_at: float
    deadline: float | None  # when it goes on by itself, whoever watches
    match: str | None
    begun_at: float | None  # of that match
    over_at: float | None
    sittings: tuple[Sitting, ...]
    asked: int = 0  # the seats that the table waits for, bit n for seat n; bit UP + n where its time is up
    whatif: bool = False  # its matches play on from one that was over

    def row(self) -> dict[str, Any]:
        return {column.name: getattr(self, column.name) for column in tables.columns}


# ---------------------------------------------------------------- writing


QUIET = {"move", "shuffle", "clock", "next", "nonce", "said", "hinted"}
"""Events that leave seats and matches as they were."""


def written(connection: Connection, summaries: Sequence[Summary], quiet: Sequence[Summary] = ()) -> None:
    """Put tables as they are now, `quiet` those where only the table's own row has changed. All in the order of their
    codes, so that two workers never wait for each other in a circle.
    """
    changed = sorted(summaries, key=lambda summary: summary.code)
    rows = sorted((summary.row() for summary in (*summaries, *quiet)), key=lambda row: str(row["code"]))
    put(connection, tables, rows)
    put(connection, matches, [_match(summary) for summary in changed if summary.match])
    if changed:
        connection.execute(delete(sittings).where(sittings.c.code.in_([summary.code for summary in changed])))
    put(connection, sittings, [row for summary in changed for row in _sittings(summary)])


def unreadable(connection: Connection, code: str) -> None:
    """Mark a table that this version cannot read."""
    connection.execute(update(tables).where(tables.c.code == code).values(status="unreadable", deadline=None))


def put(connection: Connection, relation: Relation, rows: list[dict[str, Any]], *fields: str) -> None:
    """Insert rows, in place of those with the same keys; where fields are named, the others of those stay."""
    if not rows:
        return
    connection.execute(_replacing(relation, connection.dialect.name, fields), rows)


@cache
def _replacing(relation: Relation, dialect: str, fields: tuple[str, ...]) -> Executable:
    """Made once: it costs more than most commits' rows."""
    made = (postgresql if dialect == "postgresql" else sqlite).insert(relation)
    keys = [column.name for column in relation.primary_key]
    names = fields or [column.name for column in relation.columns if column.name not in keys]
    others = {name: made.excluded[name] for name in names}
    replacing: Executable = made.on_conflict_do_update(index_elements=keys, set_=others)
    return replacing


def _match(summary: Summary) -> dict[str, Any]:
    values = {"begun_at": summary.begun_at, "over_at": summary.over_at, "whatif": summary.whatif}
    return {"match": summary.match, "code": summary.code, **values}


def _sittings(summary: Summary) -> list[dict[str, Any]]:
    return [{"code": summary.code, "seat": s.seat, "person": s.person, "name": s.name} for s in summary.sittings]


# ---------------------------------------------------------------- asking


def table(connection: Connection, code: str) -> Row[Any] | None:
    """A table's row, None if there is no such table."""
    return connection.execute(select(tables).where(tables.c.code == code)).first()


def some(connection: Connection, codes: Iterable[str]) -> Sequence[Row[Any]]:
    """The rows of these tables, as far as there are such."""
    return connection.execute(select(tables).where(tables.c.code.in_(list(codes)))).all()


def match(connection: Connection, match: str) -> Row[Any] | None:
    """A match's row, None if there is no such match."""
    return connection.execute(select(matches).where(matches.c.match == match)).first()


def seated(connection: Connection, codes: Iterable[str]) -> dict[str, list[Sitting]]:
    """The persons who sit at these tables, by code, in the order of their seats."""
    found: dict[str, list[Sitting]] = {code: [] for code in codes}
    chosen = select(sittings).where(sittings.c.code.in_(found)).order_by(sittings.c.code, sittings.c.seat)
    for row in connection.execute(chosen):
        found[row.code].append(Sitting(row.seat, row.person, row.name))
    return found


def played(connection: Connection, codes: Iterable[str]) -> dict[str, list[str]]:
    """The matches of these tables that are over, by code, the first first."""
    found: dict[str, list[str]] = {code: [] for code in codes}
    over = select(matches).where(matches.c.code.in_(found), matches.c.over_at.is_not(None))
    for row in connection.execute(over.order_by(matches.c.over_at)):
        found[row.code].append(row.match)
    return found


def made(connection: Connection, codes: Iterable[str]) -> dict[str, Event]:
    """The event that made each of these tables, by code; of one that there is not, none."""
    chosen = select(events.c.code, events.c.body).where(events.c.code.in_(list(codes)), events.c.number == 1)
    return {row.code: decoded(row.body) for row in connection.execute(chosen)}


def people_at(connection: Connection, codes: Iterable[str]) -> set[str]:
    """Everybody who sits at these tables or made them."""
    here = list(codes)
    sit = connection.scalars(select(sittings.c.person).where(sittings.c.code.in_(here)))
    return {*sit, *connection.scalars(select(tables.c.host).where(tables.c.code.in_(here)))}


def listed(
    connection: Connection, most: int = PAGE, since: float = 0.0, attended: Collection[str] = ()
) -> Sequence[Row[Any]]:
    """The open tables that the lobby shows: where somebody sits, and of each host a few, so that nobody fills it alone;
    first those that are attended, then the newest. Left out, before any is counted, is what has stood still from before
    `since` and is not attended: of all tables that ever were open most were left so.
    """
    there = tables.c.code.in_(attended)
    lively = or_(tables.c.changed_at > since, there)
    shown = and_(tables.c.status == "open", tables.c.listed, tables.c.open_seats > 0, lively)
    nth = func.row_number().over(partition_by=tables.c.host, order_by=[there.desc(), tables.c.changed_at.desc()])
    seated = tables.c.code.in_(select(sittings.c.code))
    own = select(tables.c.code, nth.label("nth"), there.label("there")).where(shown, seated).subquery()
    chosen = select(tables).join(own, own.c.code == tables.c.code).where(own.c.nth <= OF_HOST)
    return _newest(connection, chosen.order_by(own.c.there.desc()), most)


def of_person(connection: Connection, person: str, most: int = PAGE, since: float = 0.0) -> Sequence[Row[Any]]:
    """The tables where somebody sits or that they made: first those that are played, then the open ones, and those that
    are over last, so that they hide no other; of each kind the last changed first. Left out is what has stood still
    from before `since`, and where nobody else sits.
    """
    own, at = tables.alias(), select(sittings.c.code).where(sittings.c.person == person)
    mine = union(select(own.c.code).where(own.c.host == person), at)  # an OR of both, PostgreSQL asks of every table
    kind = case({"playing": 0, "open": 1}, value=tables.c.status, else_=2)
    others = sittings.alias()
    both = tables.outerjoin(others, and_(others.c.code == tables.c.code, others.c.person != person))
    still = and_(tables.c.status != "over", tables.c.changed_at < since, tables.c.deadline.is_(None))
    chosen = select(tables).select_from(both).where(tables.c.code.in_(mine), not_(still & others.c.code.is_(None)))
    return _newest(connection, chosen.group_by(tables.c.code).order_by(kind), most)


def due(connection: Connection, until: float) -> Sequence[str]:
    """The tables that go on by themselves until then, the first first; all, so that broken ones keep none waiting."""
    chosen = select(tables.c.code).where(tables.c.deadline <= until).order_by(tables.c.deadline)
    return connection.scalars(chosen).all()


def unknown(connection: Connection) -> Sequence[str]:
    """The tables of an older version, whose events must be read to know how they are; and those that some version
    could not read: it may have been an older one.
    """
    return connection.scalars(select(tables.c.code).where(tables.c.status.in_(["unknown", "unreadable"]))).all()


def ends_at(connection: Connection, code: str, last: int) -> bool:
    """Whether that is a table's last event: how another worker leaves it is written after this transaction."""
    connection.execute(select(tables.c.code).where(tables.c.code == code).with_for_update())
    return number(connection, code) == last


def number(connection: Connection, code: str) -> int:
    """Of a table's last event, 0 if there is no such table."""
    return connection.scalar(select(func.max(events.c.number)).where(events.c.code == code)) or 0


def _newest(connection: Connection, chosen: Select[Any], most: int) -> Sequence[Row[Any]]:
    return connection.execute(chosen.order_by(tables.c.changed_at.desc()).limit(most)).all()
