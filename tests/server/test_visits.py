"""Visits by single requests: how long they last, and that nothing of a request stays at the table."""

import asyncio
import time
from types import SimpleNamespace

from brelan.play.shown import Viewer
from brelan.server.tables import visits
from brelan.server.tables.visits import Visit, Visits

ANNA = Viewer("anna", None)


def room():
    """A table's room, as far as a visit knows it."""
    here = set()
    return SimpleNamespace(
        code="abc234", presence=SimpleNamespace(connections=here), enter=here.add, leave=here.discard, here=here
    )


def test_a_visit_lasts_for_a_while_after_the_last_request(monkeypatch):
    async def come():
        known, table = Visits(), room()
        visit = known.at(table, ANNA)
        await asyncio.sleep(0.3)
        assert known.at(table, ANNA) is visit
        await asyncio.sleep(0.3)
        assert (known.is_here("abc234", "anna"), table.here) == (True, {visit})
        await asyncio.sleep(0.5)
        assert (known.is_here("abc234", "anna"), table.here) == (False, set())

    monkeypatch.setattr(visits, "LINGER", 0.5)
    asyncio.run(come())


def test_who_visits_a_table_whose_room_has_ended_is_at_the_new_one():
    async def come():
        known, old, new = Visits(), room(), room()
        first = known.at(old, ANNA)
        old.here.clear()
        await asyncio.sleep(0.1)
        second = known.at(new, ANNA)
        assert (second is first, new.here) == (False, {second})
        known._end(old, first)
        assert known.is_here("abc234", "anna"), "the end of the first is none of the second"

    asyncio.run(come())


def test_a_program_is_there_for_half_a_minute(running, program):
    """And its request, which is answered, is not."""
    robin = program()
    robin.view(code := robin.table())
    (left,) = running.house.rooms._rooms[code].presence.connections
    assert isinstance(left, Visit)
    assert 25 < left.ends.when() - time.monotonic() < 31
