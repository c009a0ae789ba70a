"""How tables stand, as the lobby tells it: from the index, and from the one event that made each table."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from brelan.errors import Refusal
from brelan.game import Game
from brelan.games import find
from brelan.play.customs import Customs
from brelan.play.told import called, differences, titled
from brelan.server.store import Store, index
from brelan.server.store.index import UP, Sitting
from brelan.server.upkeep.beat import Beat
from brelan.words import Words

SHOWN = 40  # open tables
OWN = 60  # tables of one person that are looked at
FINISHED = 3  # of those that are over, so many are shown, besides those of the last day with other people
LOOKED = 200  # open tables that are looked at for them: most were left, and are not shown
LEFT = 600.0  # seconds without anything happening after which an open table is offered only while somebody is there
STALE = 3 * 24 * 3600.0  # the same for a table by turns, where nobody need stay
ABANDONED = 30 * 24 * 3600.0  # the same for one's own tables with nobody else, of which most people leave some

ORDER = ("mine", "playing", "open", "over")
HOUR, DAY = 3600.0, 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Standing:
    """A table as the lobby shows it; the times are seconds since 1970."""

    code: str
    game: Game
    preset: str
    status: str
    players: int
    free: int  # seats
    asked: int  # the seats it waits for, a bit each, and those whose time is up (`index.Summary`)
    sittings: tuple[Sitting, ...]
    deadline: float | None
    options: Mapping[str, Any]
    manner: str | None
    customs: Customs
    origin: bool  # whether it plays on from a finished match
    made_at: float
    changed_at: float

    @property
    def bots(self) -> int:
        return self.players - self.free - len(self.sittings)

    def names(self, words: Words, other_than: str = "") -> list[str]:
        return [called(sitting.name, words) for sitting in self.sittings if sitting.person != other_than]

    def seated(self, person: str) -> bool:
        """Whether they sit there."""
        return any(sitting.person == person for sitting in self.sittings)

    def awaits(self, person: str) -> bool:
        return any(self.asked >> sitting.seat & 1 for sitting in self.sittings if sitting.person == person)

    def plays_for(self, person: str) -> bool:
        """Whether a bot does, since their time was up."""
        return any(self.asked >> UP + sitting.seat & 1 for sitting in self.sittings if sitting.person == person)

    def asks_again(self, person: str) -> bool:
        """Whether it waits, by turns, for their answer to who would like to play again, which nobody need be there to
        hear. While a seat is open none is taken.
        """
        return self.status == "over" and self.customs.pace == "days" and not self.free and self.awaits(person)

    def is_recent(self, person: str) -> bool:
        """Whether something happened there within a day, and others sit there: an evening has many tables."""
        others = any(sitting.person != person for sitting in self.sittings)
        return others and self.changed_at > time.time() - DAY

    def group(self, person: str) -> str:
        """Of which kind it is for that person: whose tables stand first."""
        plays = self.status == "playing" and (self.awaits(person) or self.plays_for(person))
        return "mine" if plays or self.asks_again(person) else self.status

    # ------------------------------------------------------------ in words

    def title(self, words: Words) -> str:
        """What is played there."""
        return titled(self.game.title, self.origin, words)

    def differs(self, words: Words) -> list[str]:
        return differences(self.game, self.players, self.options, words)

    def company(self, words: Words, person: str = "") -> str:
        """With whom one plays there: names, then how many bots."""
        return company(self.names(words, person), self.bots, words)

    def state(self, words: Words, person: str) -> str:
        """What happens there now, for that person."""
        if self.status == "over":
            return words("lobby.asked_again" if self.asks_again(person) else "lobby.over")
        if self.status == "open":
            return words("lobby.waiting", n=self.free) if self.free else words("lobby.ready")
        if self.awaits(person):
            return words("lobby.your_turn")
        if self.plays_for(person):
            return words("lobby.plays_for_you")
        asked = [called(sitting.name, words) for sitting in self.sittings if self.asked >> sitting.seat & 1]
        return words("lobby.their_turn", names=words.listed(asked)) if asked else words("lobby.playing")

    def left(self, words: Words, now: float | None = None) -> str:
        """How long the table waits for a move, in a match by turns; else nothing."""
        if self.customs.pace != "days" or self.status != "playing" or self.deadline is None:
            return ""
        seconds = max(0.0, self.deadline - (time.time() if now is None else now))
        unit, name = next(
            (u, n) for u, n in ((DAY, "days"), (HOUR, "hours"), (60.0, "minutes")) if seconds >= u or u == 60
        )
        return words(f"lobby.left_{name}", n=int(seconds / unit))

    def pace(self, words: Words) -> str:
        """The clock, as the waiting room says it too; nothing where there is none."""
        customs, (minutes, seconds) = self.customs, divmod(self.customs.bank, 60)
        bank = f"{minutes}\xa0min {seconds}\xa0s" if seconds else f"{minutes}\xa0min"
        values = {"bank": bank, "increment": customs.increment, "n": customs.days}
        return "" if customs.pace == "none" else words(f"client.customs_{customs.pace}", **values)


def company(names: list[str], bots: int, words: Words) -> str:
    """People by their names, then how many bots."""
    return words.listed(names + ([words("lobby.with_bots", n=bots)] if bots else []))


def open_tables(store: Store, beat: Beat, attended: Collection[str], most: int = SHOWN) -> list[Standing]:
    """The tables that may be joined by everybody: first those where somebody is, since whoever asks without a cookie is
    a new host each time, then by turns, or where somebody was of late. Of too many those that changed last are chosen;
    of the chosen the last made stands first, so that none slides away under a finger.
    """
    now = time.time()
    with store.read() as connection:
        rows = index.listed(connection, LOOKED, now - STALE, attended)
        found = _standing(connection, rows, beat)
    met = {row.code for row in rows if row.changed_at > now - LEFT or row.code in attended}
    chosen = [table for table in found if table.code in met or table.customs.pace == "days"][:most]
    return sorted(chosen, key=lambda table: (table.code not in attended, -table.made_at))


def tables_of(store: Store, beat: Beat, person: str, brought: Mapping[str, str]) -> list[tuple[Standing, str]]:
    """Somebody's tables, and those whose seats were brought to their device, each with as whom they sit there: first
    those that wait for them, then the running, the open, and of those that ended the last. None leaves its place among
    its like while it goes on: whoever reads or taps there would lose it.
    """
    if not person and not brought:
        return []  # as most who look at a home page, and ask again and again
    with store.read() as connection:
        mine = index.of_person(connection, person, OWN, time.time() - ABANDONED) if person else []
        others = index.some(connection, brought.keys() - {row.code for row in mine})
        found = _standing(connection, [*mine, *others], beat)
    yours = [(table, brought.get(table.code, person)) for table in found]
    here = [(table, who) for table, who in yours if who == person or table.seated(who)]
    over = [(table, who) for table, who in here if table.group(who) == "over" and not table.is_recent(who)]
    kept = [one for one in here if one not in over[FINISHED:]]
    return sorted(kept, key=lambda one: _place(*one))


def _place(table: Standing, person: str) -> tuple[int, float]:
    """Where a table stands among those of a person: in its group the last made first, of those over the last to end."""
    group = table.group(person)
    return ORDER.index(group), -(table.changed_at if group == "over" else table.made_at)


def _standing(connection: Connection, rows: Sequence[Row[Any]], beat: Beat) -> list[Standing]:
    known = [row for row in rows if row.status in ORDER and _is_known(row.game)]
    codes = [row.code for row in known]
    seated, made = index.seated(connection, codes), index.made(connection, codes)
    return [_of_row(row, seated[row.code], made[row.code].data, beat) for row in known if row.code in made]


def _of_row(row: Row[Any], sittings: list[Sitting], made: Mapping[str, Any], beat: Beat) -> Standing:
    return Standing(
        code=row.code,
        game=find(row.game),
        preset=row.preset,
        status=row.status,
        players=row.players,
        free=row.open_seats,
        asked=row.asked,
        sittings=tuple(sittings),
        deadline=beat.put_off(row.deadline, row.changed_at),
        options=made["options"],
        manner=made.get("manner"),
        customs=Customs.kept(made.get("customs", {})),
        origin="origin" in made,
        made_at=row.made_at,
        changed_at=row.changed_at,
    )


def _is_known(game: str) -> bool:
    """Whether this version has the game: others may have gone."""
    try:
        find(game)
    except Refusal:
        return False
    return True


def persons_of(store: Store, codes: Collection[str]) -> set[str]:
    """Everybody who sits at these tables or made them."""
    with store.read() as connection:
        return index.people_at(connection, codes)
