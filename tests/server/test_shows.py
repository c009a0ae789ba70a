"""When tables are shown: after those who wait for an answer, never what is not on disk yet; and what lines share."""

import asyncio
import threading
from concurrent.futures import Future
from itertools import product

from msgspec.json import encode

from brelan.play.customs import Customs
from brelan.play.messages import Say, Sit, Stand
from brelan.play.shown import Viewer
from brelan.server.tables.connection import Connection
from brelan.server.tables.shows import PART, Shows
from brelan.words import LANGUAGES, Words
from tests.play.scripts import act, begun, made, play_on
from tests.server.clients import Guest
from tests.server.conftest import Running


class Shown:
    """A room that writes down when it is shown."""

    def __init__(self, name, log):
        self.name, self.log = name, log

    def show(self):
        self.log.append(self.name)


def order(rooms):
    """What happens where so many rooms are to be shown, and an answer is due in every turn of the loop."""

    async def happen():
        shows, log = Shows(), []
        for number in range(rooms):
            shows.soon(Shown(number, log))
        while len([name for name in log if name != "answer"]) < rooms:
            log.append("answer")
            await asyncio.sleep(0)
        return log

    return asyncio.run(happen())


def test_between_two_tables_everybody_who_waits_is_answered():
    assert order(3) == ["answer", 0, "answer", 1, "answer", 2]


def test_the_more_tables_wait_the_more_are_shown_at_once():
    log = order(2 * PART)
    assert log[:5] == ["answer", 0, 1, 2, "answer"]
    assert [name for name in log if name != "answer"] == list(range(2 * PART))


def test_a_table_that_goes_on_while_it_waits_is_shown_once():
    again = Shown("again", [])

    async def happen():
        shows = Shows()
        for _ in range(3):
            shows.soon(again)
        await asyncio.sleep(0.01)
        shows.soon(again)
        await asyncio.sleep(0.01)

    asyncio.run(happen())
    assert again.log == ["again"] * 2


def test_nothing_is_shown_before_it_is_on_disk(tmp_path):
    """The disk takes its time, and the table's turn to be shown comes meanwhile."""
    house = Running(tmp_path)
    guest = Guest(house.address)
    try:
        line = guest.line(guest.make())
        (room,) = house.house.rooms._rooms.values()
        append, seen = house.house.store.append, []

        def slow(code, new, summary=None):
            done = Future()
            loop = asyncio.get_running_loop()

            def late():
                shown = Future()
                loop.call_soon_threadsafe(lambda: shown.set_result((room.show(), told(room))))
                seen.append((shown.result(5)[1], new[-1].number))
                append(code, new, summary).add_done_callback(lambda written: done.set_result(written.result()))

            threading.Thread(target=late).start()
            return done

        house.house.store.append = slow
        assert line.ask("say", preset="hello")["type"] == "ack"
        line.viewed(lambda view: view["number"] >= seen[0][1])
        house.house.store.append = append
        assert all(shown < written for shown, written in seen)
    finally:
        guest.close()
        house.stop()


def told(room):
    """The number of the last event that any line here was shown or is about to be."""
    return max(connection.told[0] for connection in room.presence.connections)


def evenings():
    """A table with seats free, one whose match is over and whose seats have changed since, and one that plays."""
    free = made()
    free.receive("ben", Sit("sit", 1, "Ben"), 1.0)
    over = play_on(begun(persons=2))
    over.receive("ben", Stand("up"), 90.0)
    over.receive("cleo", Sit("sit", 1, "Cleo"), 91.0)
    return free, over, begun(persons=2)


def lines(table):
    """Whoever may look: with and without a seat, as a page or a program, in both languages, back or here all along."""
    persons, links, since = ("anna", "ben", "cleo", "x"), ("/link", None), (0, table.number, None)
    for person, language, link, back in product(persons, LANGUAGES, links, since):
        line = Connection(Viewer(person, Words(language, table.game.id), link))
        line.greet(back or 0)
        if back is None:
            line.show(table, set(), {}, 98.0)
            line.outgoing()
        yield line


def test_who_gets_up_right_after_somebody_spoke_shares_no_view_with_strangers():
    """Where nobody may watch, those who sat there heard it; who comes now did not."""
    table = made(customs=Customs(talk=True, watch=False))
    table.receive("ben", Sit("sit", 1, "Ben"), 97.0)
    ben, stranger = (Connection(Viewer(person, Words("en", "gin"))) for person in ("ben", "x"))
    for line in (ben, stranger):
        line.greet(0)
        line.show(table, set(), {}, 98.0)
        line.outgoing()
    table.receive("ben", Say("say", text="between us"), 99.0)
    table.receive("ben", Stand("up"), 99.0)
    for lines in ((ben, stranger), (stranger, ben)):
        shared = {}
        for line in lines:
            line.told = None
            line.show(table, set(), shared, 99.0)
        assert b"between us" in encode(ben.waiting[0])
        assert b"between us" not in encode(stranger.waiting[0])


def test_lines_share_a_view_only_where_each_would_be_shown_the_same_alone():
    for table in evenings():
        pairs, shared, views = [*zip(lines(table), lines(table), strict=True)], {}, set()
        if table.status == "playing":
            act(table, [0])
        for one, alone in pairs:
            one.show(table, {"ben"}, shared, 99.0)
            alone.show(table, {"ben"}, {}, 99.0)
            views.add(id(one.waiting[0]))
            assert encode(one.outgoing()) == encode(alone.outgoing())
        assert len(views) < len(pairs)
