"""What every request finds: the settings, the store, the guests' keys, who asks, and the rooms."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from ctypes import c_double
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from brelan.errors import Refusal
from brelan.play.shown import Viewer
from brelan.server.ledger import logs, metrics
from brelan.server.matches.statistics import Figures
from brelan.server.people import tokens
from brelan.server.people.identity import Guest, Identity, mark, signing_key
from brelan.server.people.tokens import BadToken, Caller
from brelan.server.settings import Settings
from brelan.server.store import Store
from brelan.server.store.engine import Place
from brelan.server.tables.board import Board
from brelan.server.tables.rooms import Rooms
from brelan.server.tables.summary import read_unknown
from brelan.server.tables.visits import Visits
from brelan.server.upkeep.beat import Beat
from brelan.server.upkeep.lock import database_locked, locked
from brelan.server.upkeep.watch import Watch
from brelan.server.web.limits import Limits, TooMany, address_of
from brelan.words import Words

SCREEN = "screen"
"""Who looks at a table from the wall: nobody who could hold a seat there, whoever's device it is."""


@dataclass(frozen=True, slots=True)
class House:
    """One house: one data folder, one database; one process that writes, or several workers on PostgreSQL."""

    settings: Settings
    store: Store
    identity: Identity
    rooms: Rooms
    board: Board
    watch: Watch
    figures: Figures
    held: ExitStack  # the locks (a worker has none), then the store: the store is let go first
    limits: Limits = field(default_factory=Limits)
    visits: Visits = field(default_factory=Visits)
    searching: asyncio.Lock = field(default_factory=asyncio.Lock)  # one at a time looks through all events

    @classmethod
    def opened(cls, settings: Settings) -> House:
        """The house of these settings, or the refusal that says what is missing."""
        with ExitStack() as undone:  # a house that does not open leaves folder and database to others
            undone.enter_context(locked(settings.made_folder()))
            undone.enter_context(database_locked(Place.of(settings.place())))
            return cls._of(settings, undone)

    @classmethod
    def joined(cls, settings: Settings, base: c_double | None = None) -> House:
        """The same for a worker: who started it holds the locks, and gives all of them one base of their time."""
        with ExitStack() as undone:
            return cls._of(settings, undone, base)

    @classmethod
    def _of(cls, settings: Settings, undone: ExitStack, base: c_double | None = None) -> House:
        store = Store(settings.place())
        undone.callback(store.close)
        key = _key_of(settings, store)
        read_unknown(store)
        beat = Beat(settings.made_folder() / "beat", base)
        rooms = Rooms(settings, store, beat)
        board = Board(store, beat, rooms.attended)
        store.watchers.append(board.touch)
        store.readers += [metrics.entered, logs.entered]
        return cls(settings, store, Identity(key), rooms, board, Watch(store, beat), Figures(store), undone.pop_all())

    async def caller(self, asked: HTTPConnection, code: str | None = None) -> Caller | None:
        """Who asks, by the token if one is shown, else by the guest's cookie; None for nobody. A password (`basic`) is
        for what stands before the house, and no token: browsers show it to both.
        """
        shown = asked.headers.get("authorization")
        scheme, _, text = (shown or "").partition(" ")
        if shown is None or scheme.lower() == "basic":
            guest = self.identity.guest(asked, code)
            return Caller(guest.id, guest.name) if guest else None
        found = await asyncio.to_thread(tokens.find, self.store, text.strip()) if scheme.lower() == "bearer" else None
        if found is None:
            raise BadToken("token.bad")
        return Caller(found[0], found[1].name, found[1])

    def viewer(self, asking: Caller, code: str, words: Words) -> Viewer:
        """Who looks at a table; a program is never told what brings a seat to another device."""
        if asking.token or asking.is_screen:
            return Viewer(SCREEN if asking.is_screen else asking.person, words, is_here=asking.may("play"))
        link = self.identity.seat_link(code, Guest(asking.person, asking.name))
        return Viewer(asking.person, words, link)

    async def tried(self, asked: HTTPConnection, code: str, person: str, leads: bool) -> None:
        """Count a code that leads to no table. After too many from one address nobody there is told of any table but
        who made it or sits at it: to refuse only those that there are not would say which there are.
        """
        try:
            self.limits.take("code", address=address_of(asked), tokens=0 if leads else 1)
        except TooMany as refusal:
            if person not in await asyncio.to_thread(self.store.persons, code):
                raise TooMany(refusal.wait, "limits.codes") from refusal

    async def close(self) -> None:
        """Nobody is here any more; what was acknowledged is on disk already."""
        await self.watch.close()
        await self.board.close()
        await self.rooms.close()
        self.held.close()


def _key_of(settings: Settings, store: Store) -> bytes:
    """The signing key in the data folder; refuses one that is not the key of this database, which would make strangers
    of all guests.
    """
    folder, known = settings.made_folder(), store.mark()
    is_new = known is None or settings.new_key
    if not is_new and not (folder / "key").exists():
        raise Refusal("storage.other_key", path=store.place.shown, given=folder)
    key = signing_key(folder)
    if is_new:
        store.claim(mark(key))
    elif known != mark(key):
        raise Refusal("storage.other_key", path=store.place.shown, given=folder)
    return key
