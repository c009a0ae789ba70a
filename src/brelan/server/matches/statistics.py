"""What can be said about finished matches: a game's, a person's, and the ladder of a game in a preset."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Connection, Float, FromClause, Integer, Row, and_, cast, func, not_, or_, select

from brelan.server.matches.ratings import POINTS, Rating
from brelan.server.matches.results import BOT
from brelan.server.store import Store
from brelan.server.store.relations import finished, matches, people, ratings, results, sittings, tables

RECENT = 500
"""So many of the last matches tell how long one takes."""

MOST = 100
"""Rungs of a ladder that are shown."""

KEPT = 50
"""So many times as long as it took to add up all matches of a game it is told as it was then."""

SLOW = 24 * 60 * 60.0  # seconds after which a match that does not go on, though it might, is not taken for a live one

_is_fresh = not_(finished.c.whatif)
"""What asks what if says nothing of a game, nor of how somebody plays it: whoever asked could know all cards."""

_wins = func.sum(cast(results.c.won, Integer))
_least = func.round(POINTS * ratings.c.mu) - func.round(POINTS * 2 * ratings.c.sigma)  # as Rating.least says it
_place = func.row_number().over(order_by=(_least.desc(), ratings.c.person)).label("place")


@dataclass(frozen=True, slots=True)
class Played:
    """A game, over all its finished matches: those that nobody may know of, too, so that no match is named."""

    matches: int
    rounds: float  # on the average
    moves: float
    minutes: float  # half of the last matches took less
    longest: int  # moves of the match that has most


@dataclass(frozen=True, slots=True)
class Chair:
    """How those fared who sat so many seats behind the one that began, at tables of one size."""

    players: int
    behind: int
    matches: int
    wins: int


@dataclass(frozen=True, slots=True)
class Own:
    """How somebody fared at a game."""

    game: str
    matches: int
    wins: int
    place: float  # on the average


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung of a ladder: a bot by its level, or a person by the name that they let be shown."""

    place: int
    person: str
    name: str
    level: str | None
    rating: Rating


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of a game in a preset as somebody may see it; `unlisted` others are rated and not shown."""

    rungs: list[Rung]
    unlisted: int


def counts(connection: Connection) -> dict[str, int]:
    """Finished matches by game."""
    chosen = select(finished.c.game, func.count().label("n")).where(_is_fresh).group_by(finished.c.game)
    return {row.game: row.n for row in connection.execute(chosen)}


def played(connection: Connection, game: str) -> Played:
    """All finished matches of a game."""
    mean = [cast(func.avg(column), Float) for column in (finished.c.rounds, finished.c.moves)]
    here = and_(finished.c.game == game, _is_fresh)
    every = select(func.count(), *mean, func.max(finished.c.moves)).where(here)
    matches, rounds, moves, longest = connection.execute(every).one()
    recent = select(finished).where(here, finished.c.began_at <= finished.c.over_at)  # else the clock was set back
    last = connection.execute(recent.order_by(finished.c.number.desc()).limit(RECENT)).all()
    minutes = median(row.over_at - row.began_at for row in last) / 60 if last else 0.0
    return Played(matches, rounds or 0.0, moves or 0.0, minutes, longest or 0)


def chairs(connection: Connection, game: str) -> list[Chair]:
    """Wins by seat, counted from the one that begins, for each size of a table: who sits far behind sits at a large
    one, where everybody wins less.
    """
    players = finished.c.players
    behind = ((results.c.seat - finished.c.first + players) % players).label("behind")
    both = select(players, behind, func.count().label("n"), _wins.label("wins"))
    here = and_(finished.c.game == game, _is_fresh)
    each = both.join_from(results, finished, _same_match()).where(here).group_by(players, behind)
    rows = connection.execute(each.order_by(players, behind))
    return [Chair(row.players, row.behind, row.n, row.wins) for row in rows]


class Figures:
    """What all finished matches of each game come to. Whoever looks is told the same for a while: at once again in a
    small house, and in a large one nobody keeps the database busy with it.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self.store, self.clock = store, clock
        self._asking = asyncio.Lock()
        self._known: dict[str, tuple[Played, list[Chair]]] = {}
        self._until: dict[str, float] = {}

    async def of(self, game: str) -> tuple[Played, list[Chair]]:
        """One game's; of many who ask at once the first lets it be added up, and the others wait."""
        async with self._asking:
            if game not in self._known or self.clock() >= self._until[game]:
                self._known[game] = await asyncio.to_thread(self._added_up, game)
            return self._known[game]

    def _added_up(self, game: str) -> tuple[Played, list[Chair]]:
        began = self.clock()
        with self.store.read() as connection:
            found = played(connection, game), chairs(connection, game)
        ended = self.clock()
        self._until[game] = ended + KEPT * (ended - began)
        return found


def of_person(connection: Connection, person: str) -> list[Own]:
    """Somebody's finished matches, the game they play most first."""
    mean = cast(func.avg(results.c.place), Float).label("place")
    number = func.count().label("n")
    both = select(finished.c.game, number, _wins.label("wins"), mean).join_from(results, finished, _same_match())
    mine = and_(results.c.person == person, _is_fresh)
    rows = connection.execute(both.where(mine).group_by(finished.c.game).order_by(number.desc()))
    return [Own(row.game, row.n, row.wins, row.place) for row in rows]


def last_matches(connection: Connection, person: str, most: int, before: int | None = None) -> Sequence[Row[Any]]:
    """Somebody's last finished matches, the newest first, each with how they fared; or the last before that number."""
    both = select(finished, results.c.place, results.c.won, results.c.kept)
    both = both.join_from(results, finished, _same_match()).where(results.c.person == person)
    older = both if before is None else both.where(finished.c.number < before)
    return connection.execute(older.order_by(finished.c.number.desc()).limit(most)).all()


def others(connection: Connection, person: str, played: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Who else played these matches, seat by seat, and the name they bear at its table now, "" if they left it."""
    found: dict[str, list[tuple[str, str]]] = {match: [] for match in played}
    sits = and_(sittings.c.code == finished.c.code, sittings.c.person == results.c.person)
    both = select(results.c.match, results.c.person, sittings.c.name).join_from(results, finished, _same_match())
    here = and_(results.c.match.in_(found), results.c.person != person)
    for row in connection.execute(both.outerjoin(sittings, sits).where(here).order_by(results.c.seat)):
        found[row.match].append((row.person, row.name or ""))
    return found


def own_ratings(connection: Connection, person: str) -> dict[tuple[str, str], Rating]:
    """Somebody's ratings by game and preset."""
    rows = connection.execute(select(ratings).where(ratings.c.person == person))
    return {(row.game, row.preset): Rating(row.mu, row.sigma, row.matches) for row in rows}


def ladder(connection: Connection, game: str, preset: str, reader: str = "", most: int = MOST) -> Ladder:
    """Bots, the persons who chose to be shown, and the reader; the surest skill first."""
    here = and_(ratings.c.game == game, ratings.c.preset == preset)
    listed = ratings.c.person.in_(select(people.c.person).where(people.c.listed))
    shown = or_(listed, ratings.c.person == reader, ratings.c.person.startswith(BOT))
    placed = select(ratings, _place).where(here, shown).subquery()
    named = select(placed, people.c.name).join_from(placed, people, people.c.person == placed.c.person, isouter=True)
    asked = named.where(or_(placed.c.place <= most, placed.c.person == reader)).order_by(placed.c.place)
    rungs = [_rung(row) for row in connection.execute(asked)]
    return Ladder(rungs, connection.scalar(select(func.count()).where(here, not_(shown))) or 0)


def _rung(row: Row[Any]) -> Rung:
    rating = Rating(row.mu, row.sigma, row.matches)
    return Rung(row.place, row.person, row.name or "", _level(row.person), rating)


def _level(person: str) -> str | None:
    return person.removeprefix(BOT) if person.startswith(BOT) else None


def _same_match() -> Any:
    return results.c.match == finished.c.match


# ---------------------------------------------------------------- what the house has promised

_is_promised = not_(matches.c.whatif)


@dataclass(frozen=True, slots=True)
class Promises:
    """The commitments that this house has made, and those that it has not opened. What asks what if makes none: its
    secret was opened before.
    """

    made: int
    playing: int  # not opened, and gone on with within a day, or waiting for a move that has longer
    alone: int  # of the others, those with fewer than two persons: anybody can begin many and go
    unopened: int  # the rest


def promises(store: Store, now: float) -> Promises:
    """Count them."""
    live = (
        (tables.c.code == matches.c.code)  # by which an index finds the table
        & (tables.c.match == matches.c.match)
        & or_(tables.c.changed_at >= now - SLOW, tables.c.deadline >= now - SLOW)
    )
    played = matches.join(tables, live)
    with store.read() as connection:
        made = connection.scalar(select(func.count()).where(_is_promised)) or 0
        left, playing = _unopened(connection, matches), _unopened(connection, played)
        several = _unopened(connection, _of_several(matches)) - _unopened(connection, _of_several(played))
    return Promises(made, playing, left - playing - several, several)


def _unopened(connection: Connection, those: FromClause) -> int:
    chosen = select(func.count(matches.c.match.distinct())).select_from(those)
    return connection.scalar(chosen.where(_is_promised, matches.c.over_at.is_(None))) or 0


def _of_several(those: FromClause) -> FromClause:
    """Matches in which two persons or more sit: nobody gets up before the end."""
    one, other = sittings.alias(), sittings.alias()
    pair = (other.c.code == one.c.code) & (other.c.seat > one.c.seat)
    return those.join(one, one.c.code == matches.c.code).join(other, pair)
