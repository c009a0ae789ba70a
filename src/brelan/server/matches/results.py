"""What finished matches left: one row for each match, one for each of its seats, and the ratings they led to.

A match is entered once, all of it in one transaction, after its last event is on disk. If the house dies in between,
or the database does not take it, the match is entered at the next start: `missing` finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select

from brelan.game import Game
from brelan.play.present import Present
from brelan.play.replay import Replay, own_events
from brelan.play.seats import LEFT, Event, Seat
from brelan.server.ledger import logs
from brelan.server.matches.ratings import Rating, after
from brelan.server.store import Conflict, Store
from brelan.server.store.index import put
from brelan.server.store.relations import events, finished, matches, ratings, results

BOT = "bot:"
"""Before its level, in place of a person."""

TRIES = 50
"""Several processes may enter matches at the same time: whoever finds the next number taken begins again."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a seat ended. A person whose seat a bot kept at the end is still who played: leaving is never better. Only a
    match without clocks that all its persons have closed, and none has left, waits for them, and is entered when it is
    finished, if ever.
    """

    seat: int
    person: str  # a bot is `bot:<level>`
    score: int
    place: int  # from 1; equal ones share the better
    won: bool
    kept: str | None  # the level of the bot that kept the seat at the end


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over; times are seconds since 1970."""

    match: str
    code: str
    game: str
    preset: str
    players: int
    first: int
    rated: bool
    whatif: bool  # played on from a step of a match that was over, by people who may know every card to come
    began_at: float
    over_at: float
    rounds: int
    moves: int
    seats: tuple[Result, ...]

    @classmethod
    def of(cls, table: Present) -> Finished:
        """The match that has just ended at a table."""
        match, sealed = table.match, table.sealed
        assert match
        assert sealed
        own = own_events(table.events, sealed.match)
        return cls(
            sealed.match,
            table.code,
            match.game.id,
            match.preset,
            match.players,
            match.first,
            is_rated(table),
            table.origin is not None,
            own[0].at,
            own[-1].at,
            len(match.tallies),
            sum("move" in line for line in match.lines),
            tuple(_results(table)),
        )

    def row(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "seats"}

    def placing(self) -> list[tuple[str, int]]:
        """Who played, and their places, seat by seat."""
        return [(seat.person, seat.place) for seat in self.seats]


def is_rated(table: Present) -> bool:
    """Whether a match that is over counts for the ladder of its game and preset.

    It does if it was played with the preset's own options, from a fresh deal, everybody in it came, and no winner had a
    hint, took a move back by the others' leave, or was played for by a keeper other than the usual one. A loss counts
    with them, too: else whoever is losing could void the match, alone. A slip that taught nobody anything may be taken
    back. Several people who have all left it have called it off.
    """
    assert table.match
    made = table.events[0].data
    usual = made["options"] == table.game.settle(made["players"], made["preset"], None) and not made.get("origin")
    helped = table.indulged.intersection(table.match.winners)
    return usual and not helped and _all_came(table) and not _called_off(table)


def _all_came(table: Present) -> bool:
    """Whether everybody came, as it stood before anybody saw how the match went: who is losing could choose else. Once
    more came whoever had asked for it: others may begin it while a page just lies open. By turns people need not be
    there at once: whoever sits down, or says "again", has come.
    """
    assert table.sealed
    own = own_events(table.events, table.sealed.match)
    again = own[0].data.get("again")
    people = [(i, seat.person) for i, seat in enumerate(table.match_seats) if not seat.level]
    came = (_was_there(own, *one) if again is None else one[0] in again for one in people)
    return table.customs.pace == "days" or all(came)


def _called_off(table: Present) -> bool:
    """Whether several people played, and all have left: who played alone against bots would void every loss."""
    people = [seat for seat in table.match_seats if not seat.level]
    return len(people) > 1 and all(seat.why == LEFT for seat in people)


def _was_there(own: list[Event], seat: int, person: str) -> bool:
    """Whether somebody was heard in a first match, or their page gave its number, before a bot first kept their seat:
    that they are back is said by the page itself.
    """
    kept = next((i for i, event in enumerate(own) if event.kind == "kept" and event.data["seat"] == seat), len(own))
    return any(event.person == person and (event.key or event.kind == "nonce") for event in own[: kept + 1])


def _results(table: Present) -> Iterator[Result]:
    match = table.match
    assert match
    winners = set(match.winners)
    order = places(match.game, match.scores, winners)
    for i, seat in enumerate(table.match_seats):
        yield Result(i, player(seat), match.scores[i], order[i], i in winners, seat.kept)


def places(game: Game, scores: list[int], winners: set[int]) -> list[int]:
    """The place of each seat: all winners before the others, then by their scores; who is equal shares the better."""
    worth = [(seat in winners, 0 if seat in winners else game.better * score) for seat, score in enumerate(scores)]
    return [1 + sum(other > mine for other in worth) for mine in worth]


def player(seat: Seat) -> str:
    """By what name a seat is rated."""
    return f"{BOT}{seat.level}" if seat.level else seat.person


# ---------------------------------------------------------------- entering


def enter(store: Store, done: Finished) -> bool:
    """Enter a match with its ratings; False if it was entered before, or somebody in it has been forgotten since."""
    for left in reversed(range(TRIES)):
        try:
            return store.submit(lambda connection: _enter(connection, done)).result()
        except Conflict:
            if not left:
                raise
    raise AssertionError


def _enter(connection: Connection, done: Finished) -> bool:
    """The row with its number comes first: a second process waits there for the first, and then begins again, so that
    nobody reckons with ratings that another is about to change.
    """
    if connection.scalar(select(finished.c.match).where(finished.c.match == done.match)):
        return False
    if not all(_is_known(connection, done.code, seat.person) for seat in done.seats):
        return False
    number = (connection.scalar(select(func.max(finished.c.number))) or 0) + 1
    connection.execute(insert(finished).values(number=number, **done.row()))
    new = _rate(connection, done) if done.rated else {}
    seats = [asdict(seat) | {"match": done.match} | _skill(new.get(seat.person)) for seat in done.seats]
    connection.execute(insert(results), seats)
    return True


def _is_known(connection: Connection, code: str, person: str) -> bool:
    """Whether a table's events know that person still; nobody makes them forget until this match is entered."""
    if person.startswith(BOT):
        return True
    here = (events.c.code == code) & events.c.body.contains(person)
    return connection.scalar(select(events.c.number).where(here).limit(1).with_for_update(read=True)) is not None


def _rate(connection: Connection, done: Finished) -> dict[str, Rating]:
    """The ratings after the match, written down."""
    ladder = (ratings.c.game == done.game) & (ratings.c.preset == done.preset)
    those = ratings.c.person.in_({person for person, _ in done.placing()})
    known = {
        row.person: Rating(row.mu, row.sigma, row.matches)
        for row in connection.execute(select(ratings).where(ladder, those))
    }
    new = after(done.placing(), known)
    where = {"game": done.game, "preset": done.preset}
    put(connection, ratings, [where | {"person": person} | asdict(rating) for person, rating in sorted(new.items())])
    return new


def _skill(rating: Rating | None) -> dict[str, float | None]:
    """A seat's rating after the match, if it was rated."""
    return {"mu": rating.mu if rating else None, "sigma": rating.sigma if rating else None}


def is_counted(store: Store, match: str) -> bool:
    """Whether a ladder has counted a match, as it stood when the match was entered."""
    with store.read() as connection:
        return bool(connection.scalar(select(finished.c.rated).where(finished.c.match == match)))


# ---------------------------------------------------------------- what was not entered


def missing(store: Store) -> list[tuple[str, str]]:
    """Table and id of each match that is over but not entered, the earliest first."""
    known = select(finished.c.match).where(finished.c.match == matches.c.match).exists()
    chosen = select(matches.c.code, matches.c.match).where(matches.c.over_at.is_not(None), ~known)
    with store.read() as connection:
        return [(row.code, row.match) for row in connection.execute(chosen.order_by(matches.c.over_at))]


def enter_past(store: Store, code: str, match: str) -> bool:
    """Enter a match as its events tell it now: of an earlier run of the house, or one in which somebody has been
    forgotten since. One that this version can no longer read stays out.
    """
    try:
        return enter(store, Finished.of(Replay(store.events_of(code, match), match).table))
    except Exception as error:  # a rule that has changed, a fault of ours: the others are entered
        logs.trouble("not_entered", error, match=match)
        return False
