"""What goes wrong at one table: its people are told, the others go on, and nothing hangs."""

import asyncio
import logging
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import delete
from websockets.exceptions import ConnectionClosed

from brelan.play.seats import Event, bot_name
from brelan.server.ledger import logs
from brelan.server.store import Storage
from brelan.server.store.relations import events
from brelan.server.tables import connection, room
from brelan.server.tables.others import Other
from brelan.server.tables.thinking import Thinking
from tests.server.clients import Guest, Program, act, my_turn, turn, until
from tests.server.conftest import Running
from tests.server.players import begun


@pytest.fixture
def house(tmp_path):
    """A house of its own, in which things break."""
    running = Running(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def host(house):
    guest = Guest(house.address)
    yield guest
    guest.close()


def test_what_only_another_version_knows_is_said_to_be_unread_and_left_alone(house, host):
    """Another worker, already of the next version, went on with the table."""
    code = host.make(against="friends")
    line, store = host.line(code), house.house.store
    number = len(store.events(code))
    store.append(code, [Event(number + 1, time.time(), "toasted", "", "", {})]).result()
    house.house.rooms.room(code).behind = True
    refused = line.ask("sit", seat=1, name="Berta")
    assert (refused["error"], "its rules have changed" in refused["words"]) == ("storage", True)
    with closing(Program(host, "read")) as program:
        assert program.http.get(f"/api/v1/tables/{code}").status_code == 503
    assert until(lambda: store.table(code).status == "unreadable")
    assert len(store.events(code)) == number + 1


def test_what_another_version_plays_on_is_not_marked(house, host):
    """Once that one had closed the table, nobody would have woken it."""
    line, store, rooms = host.line(code := host.make(against="friends")), house.house.store, house.house.rooms
    rooms.others.known["newer"] = Other(time.monotonic(), {code: {}})
    store.append(code, [Event(len(store.events(code)) + 1, time.time(), "toasted", "", "", {})]).result()
    rooms.reread(code)
    assert line.ask("say", preset="hello")["error"] == "storage"
    store.submit(lambda _: None).result()
    assert store.table(code).status == "open"


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_database_that_came_back_without_its_last_commits_is_believed(house, host, is_heard):
    """A standby that was behind took its place: whoever wrote on left a hole, and the table could be read no more."""
    line, store = host.line(code := host.make(against="friends")), house.house.store
    number, *_ = (line.ask("say", preset="hello")["number"] for _ in range(3))
    lost = delete(events).where(events.c.code == code, events.c.number > number)
    store.submit(lambda connection: connection.execute(lost)).result()
    if is_heard:
        house.house.rooms.reread(code)
    assert line.ask("say", preset="hello")["number"] == number + 1
    assert [event.number for event in store.events(code)] == list(range(1, number + 2))


def test_no_move_is_due_at_a_table_that_cannot_be_read(house, host):
    """Whoever says one is counted."""
    line, store = host.line(code := host.make(against="friends")), house.house.store
    number = len(store.events(code))
    store.append(code, [Event(number + 1, time.time(), "toasted", "", "", {})]).result()
    house.house.rooms.room(code).behind = True
    errors = (line.ask("move", seen=number, move="draw")["error"] for _ in range(300))
    assert "limits" in errors


def test_a_table_that_cannot_be_read_is_left_alone_though_a_bot_was_to_move(house, host, monkeypatch):
    """It was read without a pause, and marked each time: the others' events waited behind that. Then still at each
    look and each message, whatever its sender has seen.
    """
    line, store, marked, read = host.line(code := host.make()), house.house.store, [], []
    turn(line)
    held, number = house.house.rooms.room(code), len(store.events(code))
    store.append(code, [Event(number + 1, time.time(), "toasted", "", "", {})]).result()
    monkeypatch.setattr(store, "events", lambda *asked, events=store.events: read.append(asked) or events(*asked))
    monkeypatch.setattr(house.house.rooms, "unreadable", marked.append)
    held.turn.at, held.behind = 0.0, True
    for _ in range(2):
        assert line.ask("say", preset="hello")["error"] == line.ask("move", seen=number, move="x")["error"] == "storage"
    time.sleep(0.5)
    assert (marked, len(read)) == ([code], 1)
    held.fall_behind()
    assert until(lambda: marked == [code] * 2)
    assert len(read) == 2


def test_a_table_that_does_not_go_on_by_a_fault_of_ours_is_told_of_once_and_goes_on_after_it(
    house, host, monkeypatch, caplog
):
    """It is tried again and again: a line of the log for each try would fill a disk."""
    line, tried = host.line(code := host.make(against="friends")), []

    async def broken(_):
        tried.append(code)
        raise ZeroDivisionError

    monkeypatch.setattr(logs, "_seen", {})
    with caplog.at_level(logging.WARNING, "brelan"), monkeypatch.context() as breaking:
        breaking.setattr(room, "RETRY", 0.01)
        breaking.setattr(room.Room, "_met", broken)
        house.house.rooms.room(code).wake()
        assert until(lambda: len(tried) > 5)
    assert [(record.msg, record.fields["kind"]) for record in caplog.records] == [("stuck", "ZeroDivisionError")]
    assert line.ask("say", preset="hello")["type"] == "ack"


def test_a_keeper_that_moves_when_its_person_is_back_over_another_worker_keeps_nobody_waiting(
    house, people, monkeypatch, caplog
):
    """It was told that the seat is not its own, and the table stood still for a second."""
    gone, other = sorted(begun(people, house.address, house.address), key=lambda player: not my_turn(player.view))
    seat, play, back = gone.view["table"]["seat"], room.Room._play, []

    async def behind(self, table, person, *said):
        if person == bot_name(seat) and not back:
            back.append(Event(table.number + 1, time.time(), "back", table.seats[seat].person, "", {"seat": seat}))
            await asyncio.wrap_future(house.house.store.append(gone.code, back))
        return await play(self, table, person, *said)

    monkeypatch.setattr(logs, "_seen", {})
    monkeypatch.setattr(room.Room, "_play", behind)
    assert gone.line.ask("leave")["type"] == "ack"
    other.line.viewed(lambda view: back and view["number"] >= back[0].number)
    assert [record.msg for record in caplog.records] == []


def test_a_table_that_does_not_go_on_leaves_the_memory_once_nobody_watches_it(house, host, monkeypatch):
    """It woke itself for ever, and who wakes was in use."""
    line, rooms = host.line(code := host.make(against="friends")), house.house.rooms._rooms

    async def broken(_):
        raise ZeroDivisionError

    monkeypatch.setattr(room, "RETRY", 0.01)
    monkeypatch.setattr(room.Room, "_met", broken)
    rooms[code].wake()
    line.close()
    assert until(lambda: code not in rooms)


def test_tables_are_read_anew_two_at_a_time(monkeypatch):
    """After a restart all of them are, and what is played meanwhile is to be committed."""
    here, most = [], []

    def rebuilt(room):
        here.append(room)
        time.sleep(0.02)
        most.append(len(here))
        here.remove(room)

    async def happen():
        await asyncio.gather(*(room.Room(str(number), None)._read(None) for number in range(8)))

    monkeypatch.setattr(room.Room, "_rebuilt", rebuilt)
    asyncio.run(happen())
    assert max(most) == 2


def test_what_is_on_disk_is_shown_though_the_next_cannot_be_written(tmp_path):
    """Its turn to be shown came while that was tried."""
    house = Running(tmp_path, idle=60.0)
    anna, ben = Guest(house.address), Guest(house.address)
    try:
        first, writer = anna.line(code := anna.make(against="friends")), house.house.store._writer
        ben.make()
        second, insert, tried = ben.line(code), writer._insert, []

        def once(connection, jobs):
            tried.append(jobs)
            if len(tried) > 1:
                raise Storage("storage.full", path="", why="")
            time.sleep(0.3)  # the next comes meanwhile
            insert(connection, jobs)

        writer._insert = once
        key = first.send("say", preset="hello")
        second.send("sit", seat=1, name="Ben")
        number = first.until(lambda frame: frame.get("key") == key)["number"]
        assert second.until(lambda frame: frame["type"] == "refused")["error"] == "storage"
        writer._insert = insert
        began = time.monotonic()
        for line in (first, second):
            line.viewed(lambda view: view["number"] >= number)
        assert time.monotonic() - began < 5
    finally:
        anna.close()
        ben.close()
        house.stop()


def test_a_view_that_breaks_is_made_again_and_keeps_nobody_else_from_theirs(house, host, monkeypatch):
    """First the host's views break, then none does."""
    code = host.make(against="friends")
    line, view, tried = host.line(code), connection.view, []

    def breaking(table, viewer, *told):
        if viewer.person == table.host and len(tried) < 3:
            tried.append(table.number)
            raise RuntimeError("a view that breaks")
        return view(table, viewer, *told)

    with closing(Guest(house.address)) as other:
        other.http.post("/name", data={"nickname": "Ben"})
        watcher = other.line(code)
        monkeypatch.setattr(connection, "view", breaking)
        number = line.ask("bot", seat=1, level="novice")["number"]
        assert watcher.viewed(lambda view: view["number"] >= number)
        assert line.viewed(lambda view: view["number"] >= number)
    assert tried == [number] * 3


def test_a_room_that_breaks_refuses_what_waits_and_its_people_come_back_to_another(house, host, monkeypatch):
    """More waits than its queue holds; what breaks is no message's doing."""
    monkeypatch.setattr(room, "QUEUE", 1)
    code, held = host.make(against="friends"), threading.Event()
    lines = [host.line(code) for _ in range(4)]
    (broken,) = house.house.rooms._rooms.values()
    serve = broken._serve

    async def slow(*message):
        while not held.is_set():
            await asyncio.sleep(0.01)
        await serve(*message)

    monkeypatch.setattr(broken, "_serve", slow)
    asked = {line.send("again"): line for line in lines}
    assert until(lambda: len(broken.jobs._putters) == 2)
    monkeypatch.setattr(broken, "_wait", lambda: {}["due"])
    held.set()
    errors = [line.until(lambda frame, key=key: frame.get("key") == key)["error"] for key, line in asked.items()]
    assert sorted(errors) == ["late", "storage", "storage", "storage"]
    for line in lines:
        with pytest.raises(ConnectionClosed):
            line.receive()
    assert host.line(code).ask("bot", seat=1, level="novice")["type"] == "ack"
    assert until(lambda: house.house.limits._lines.total() == 1), "each line that has ended is counted off"


def test_a_hint_whose_thinking_breaks_is_refused_over_a_line_and_to_a_program(house, host, monkeypatch):
    line = host.line(code := host.make())
    line.viewed(my_turn)

    async def breaking(self, ask):
        raise RuntimeError("a thought that breaks")

    monkeypatch.setattr(Thinking, "_move", breaking)
    refused = line.ask("hint")
    assert (refused["error"], "please ask again" in refused["words"]) == ("storage", True)
    with closing(Program(host, "play")) as program:
        assert program.say(code, "hint").status_code == 503
    monkeypatch.undo()
    assert line.ask("hint")["type"] == "hint"


# ---------------------------------------------------------------- bots that wait to be told


def stepping(guest):
    """A line to a table where bots go on move by move, once one of them waits."""
    bots = {f"seat.{seat}": "novice" for seat in (1, 2, 3)}
    line = guest.line(guest.make("mio", players="4", tempo="step", **bots))
    line.viewed(lambda view: view["scene"] and (view["table"]["held"] or my_turn(view)))
    while my_turn(line.view):
        number = act(line)[1]["number"]
        line.viewed(lambda view, number=number: view["number"] >= number)
    return line


def has_moved(frame):
    return frame["type"] == "view" and any(news["kind"] == "move" for news in frame["news"])


def test_each_bot_waits_until_it_is_told_and_hears_it_once(house, host):
    line, told = stepping(host), 0
    while told < 3:
        if my_turn(line.view):
            act(line)
            line.until(has_moved)
            continue
        number = line.view["number"]
        assert line.view["table"]["held"]
        assert line.ask("say", preset="hello")["number"] == number + 1, "no bot has moved"
        told += line.ask("next", seen=number)["type"] == "ack"
        line.until(has_moved)
        again = line.ask("next", seen=number)
        assert (again["type"], again["number"]) == ("ack", line.view["number"]), "that was done, and no other bot moves"


def test_a_bot_that_nobody_tells_moves_after_a_minute(tmp_path):
    running = Running(tmp_path, bot_step=0.5)
    try:
        with closing(Guest(running.address)) as host:
            line = stepping(host)
            began, number = time.monotonic(), line.view["number"]
            line.viewed(lambda view: view["number"] > number)
            assert time.monotonic() - began < 15
    finally:
        running.stop()


def test_bots_wait_for_nobody_who_has_gone(house, host):
    """Who looks on sees them play to the turn of who has; the one that waits already does so for its minute."""
    house.house.rooms.settings = replace(house.house.rooms.settings, bot_step=1.0)
    line = stepping(host)
    with closing(Guest(house.address)) as other:
        other.http.post("/name", data={"nickname": "Ben"})
        watcher = other.line(code := line.view["table"]["code"])
        line.close()
        watcher.viewed(lambda view: 0 in view["scene"]["turn"])
        assert not watcher.view["table"]["held"]
        assert watcher.ask("next", seen=watcher.view["number"])["error"] == "wrong_seat"
    assert my_turn(host.line(code).view)
