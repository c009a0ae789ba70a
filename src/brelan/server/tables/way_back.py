"""The way back to a seat whose device is gone, from whoever keeps the house: they could see all hands anyway."""

from __future__ import annotations

from brelan.errors import Refusal
from brelan.server.people.identity import Guest, Identity, signing_key
from brelan.server.settings import Settings
from brelan.server.store import index
from brelan.server.store.engine import Place, opened, reading
from brelan.server.upkeep.backup import look


def way_back(settings: Settings, code: str, seat: int) -> str:
    """The own link of the person who sits there, below the house's address, while the house runs or not; nothing is
    written. Refuses a seat where no person sits: nobody's, a bot's, that of somebody who was forgotten.
    """
    look(settings)
    sitting = _sitting(Place.of(settings.place()), code)
    if not sitting:
        raise Refusal("storage.no_persons", code=code)
    if seat not in sitting:
        names = ", ".join(f"{guest.name} ({number})" for number, guest in sitting.items())
        raise Refusal("storage.no_person", code=code, seat=seat, names=names)
    return Identity(signing_key(settings.data_folder())).seat_link(code, sitting[seat])


def _sitting(place: Place, code: str) -> dict[int, Guest]:
    """The persons at a table by their seats, but for those who were forgotten: nobody is left who could come back."""
    engine = opened(place)
    try:
        with place.clearly(), reading(engine) as connection:
            seated = index.seated(connection, [code])[code]
    finally:
        engine.dispose()
    return {sitting.seat: Guest(sitting.person, sitting.name) for sitting in seated if sitting.name}
