"""What every request finds: the settings, the store, the guests' keys and the rooms."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO

from brelan.server.identity import Identity, signing_key
from brelan.server.lock import locked
from brelan.server.rooms import Rooms
from brelan.server.settings import Settings
from brelan.server.store import Store


@dataclass(frozen=True, slots=True)
class House:
    """One house: one data folder, one database, one process that writes."""

    settings: Settings
    store: Store
    identity: Identity
    rooms: Rooms
    lock: IO[bytes]

    @classmethod
    def opened(cls, settings: Settings) -> House:
        """The house of these settings, or the refusal that says what is missing."""
        folder = settings.folder()
        with ExitStack() as undone:  # a house that does not open leaves the folder to others
            lock = undone.enter_context(locked(folder))
            identity = Identity(signing_key(folder))
            store = Store(settings.database or folder / "brelan.db")
            undone.pop_all()
        return cls(settings, store, identity, Rooms(settings, store), lock)

    async def close(self) -> None:
        """Nobody is here any more; what was acknowledged is on disk already."""
        await self.rooms.close()
        self.store.close()
        self.lock.close()
