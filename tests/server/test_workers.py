"""Several workers on one PostgreSQL: any of them takes any move, all viewers see it, and one that dies costs nobody
anything.
"""

import asyncio
import json
import secrets
import time
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed

from brelan.errors import Refusal
from brelan.play.messages import Bot, Leave, Sit, Start
from brelan.play.table import Table
from brelan.server.app import Settings, serve
from brelan.server.house import House
from brelan.server.store import Store
from brelan.server.tables import board, standing
from brelan.server.tables.others import GONE
from brelan.server.tables.summary import summary_of
from tests.server.claims import in_silence
from tests.server.clients import choose, lobby, moves_of, my_turn, over, told, until
from tests.server.conftest import Running
from tests.server.houses import WAIT
from tests.server.players import begun, play_on, stored
from tests.server.postgres import PASSWORD


@pytest.fixture
def two(tmp_path, postgres):
    """Two houses on one database, as two workers are: the same key, nothing else shared."""
    houses = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "key").write_bytes(b"k" * 32)
        houses.append(Running(folder, postgres, worker=True))
    yield houses
    for house in houses:
        house.stop()


def test_a_match_over_two_workers_is_one_match(two, people, postgres):
    anna, ben = begun(people, two[0].address, two[1].address)
    for player in (anna, ben):
        player.line.viewed(lambda view: all(seat["online"] for seat in view["table"]["seats"]))
    play_on((anna, ben), lambda view: view["number"] >= 120)
    number = len(stored(postgres, anna.code))
    for player in (anna, ben):
        player.line.viewed(lambda view: view["number"] == number)
    assert anna.view["table"]["sheet"] == ben.view["table"]["sheet"]
    assert [zone for zone in anna.view["scene"]["zones"] if zone["owner"] is None] == [
        zone for zone in ben.view["scene"]["zones"] if zone["owner"] is None
    ]


def test_who_leaves_one_worker_is_seen_to_be_away_over_the_other(two, people):
    anna, ben = begun(people, two[0].address, two[1].address)
    anna.line.viewed(lambda view: view["table"]["seats"][1]["online"])
    ben.line.close()
    anna.line.viewed(lambda view: not view["table"]["seats"][1]["online"])


def twice(two, people):
    """Anna over one worker, a stranger over the other, and Ben over both."""
    anna, ben = begun(people, two[0].address, two[1].address)
    stranger, twin = people(two[1].address), people(two[0].address)
    twin.guest.http.cookies.update(ben.guest.http.cookies)
    stranger.come(anna.code)
    assert until(lambda: len(two[0].house.rooms.others.people(anna.code)) == 1)
    twin.come(anna.code)
    assert until(lambda: len(two[1].house.rooms.others.people(anna.code)) == 2)
    return anna, stranger, ben, twin


def test_a_table_is_offered_over_a_worker_as_long_as_somebody_is_there_over_another(two, people, monkeypatch):
    monkeypatch.setattr(standing, "LEFT", -1.0)
    monkeypatch.setattr(board, "AGAIN", 0.1)
    anna, ben = people(two[0].address), people(two[1].address)
    code, line = anna.guest.make("gin", against="", listed="true"), lobby(ben.guest)
    at_table = anna.guest.line(code)
    told(line, "tables", lambda frame: code in frame["order"])
    at_table.close()
    told(line, "tables", lambda frame: code not in frame["order"])


def test_a_host_who_looks_on_over_one_worker_leads_at_the_other_too(two, people):
    anna, ben = people(two[0].address), people(two[1].address)
    ben.guest.make()  # somewhere else, and so he is known to the house
    code = anna.guest.make("gin", against="", **{"seat.0": "free", "seat.1": "free"})
    host, line = anna.guest.line(code), ben.guest.line(code)
    line.ask("sit", seat=0, name="Ben")
    assert until(lambda: two[1].house.rooms.others.people(code))
    assert line.ask("bot", seat=1, level="novice")["error"] == "not_host"
    assert host.ask("bot", seat=1, level="novice")["type"] == "ack"


def test_a_host_who_looked_on_over_one_worker_is_waited_for_at_the_other_that_knew_nothing_of_the_table(two, people):
    anna, ben = people(two[0].address), people(two[1].address)
    ben.guest.make()  # somewhere else, and so he is known to the house
    code = anna.guest.make("gin", against="", **{"seat.0": "free", "seat.1": "free"})
    host = anna.guest.line(code)
    assert until(lambda: two[1].house.rooms.others.people(code))
    host.close()
    assert until(lambda: not two[1].house.rooms.others.people(code))
    line = ben.guest.line(code)
    line.ask("sit", seat=0, name="Ben")
    assert line.ask("bot", seat=1, level="novice")["error"] == "full"


def test_who_comes_over_another_worker_before_they_leave_the_first_is_there_all_along(two, people):
    anna, stranger, ben, _ = twice(two, people)
    ben.line.close()
    assert until(lambda: not two[0].house.rooms.others.people(anna.code))
    stranger.line.send("hello", key=None, since=None)
    stranger.line.until(lambda frame: frame["type"] == "view")
    assert stranger.view["table"]["seats"][1]["online"]


def test_who_leaves_two_workers_at_once_is_seen_to_be_away_over_both(two, people):
    """Neither takes the other's word for it."""
    anna, stranger, ben, twin = twice(two, people)
    for player in (ben, twin):
        player.line.close()
    for player in (anna, stranger):
        player.line.viewed(lambda view: not view["table"]["seats"][1]["online"])


def test_a_worker_that_was_taken_for_dead_and_speaks_again_is_asked_who_is_there(two, people):
    anna, ben = begun(people, two[0].address, two[1].address)
    rooms = two[0].house.rooms
    assert until(lambda: rooms.others.people(anna.code))
    rooms.others.bury(time.monotonic() + 2 * GONE)
    ben.line.ask("say", preset="hello")
    assert until(lambda: rooms.others.people(anna.code))


def test_what_a_worker_wrote_and_never_told_is_read_once_it_is_taken_for_dead(two, people, monkeypatch):
    anna, ben = begun(people, two[0].address, two[1].address)
    others = two[1].house.rooms.others
    assert until(lambda: others.people(anna.code))
    monkeypatch.setattr(two[0].house.store.notices, "tell", lambda **_: None)
    number = anna.line.ask("say", preset="hello")["number"]
    for other in others.known.values():
        other.seen -= GONE
    ben.line.viewed(lambda view: view["number"] >= number)


def test_who_is_forgotten_has_a_line_over_no_worker(two, people):
    anna, twin = people(two[0].address), people(two[1].address)
    anna.come(code := anna.guest.make(against=""))
    twin.guest.http.cookies.update(anna.guest.http.cookies)
    twin.come(code)
    assert anna.guest.http.post("/me/delete", data={"sure": "yes"}).status_code == 200
    for player in (anna, twin):
        with pytest.raises(ConnectionClosed):
            player.line.until(lambda _: False)


def test_what_was_said_to_one_worker_is_not_done_again_by_another(two, people, postgres):
    anna, ben = begun(people, two[0].address, two[1].address)
    actor, other = (anna, two[1]) if my_turn(anna.view) else (ben, two[0])
    said = {"key": "once", "seen": actor.view["number"], "move": choose(actor.view)}
    first = actor.line.ask("move", **said)
    second = actor.come(actor.code, other.address).ask("move", **said)
    assert (first["type"], second["type"], second["number"]) == ("ack", "ack", first["number"])
    actor.line.viewed(lambda view: view["number"] >= first["number"])
    assert [event["key"] for event in stored(postgres, anna.code)].count("once") == 1


def test_a_worker_that_has_not_heard_yet_answers_on_the_newest_table(two, people, postgres):
    """The notice is lost: the database says that somebody was faster, and the table is read again."""
    anna, ben = begun(people, two[0].address, two[1].address)
    actor, waiting, house = (anna, ben, two[1]) if my_turn(anna.view) else (ben, anna, two[0])
    house.house.rooms._hear = lambda told: None
    actor.line.ask("move", seen=actor.view["number"], move=choose(actor.view))
    answer = waiting.line.ask("say", preset="hello")
    assert (answer["type"], answer["number"]) == ("ack", len(stored(postgres, anna.code)))


def test_who_has_seen_more_than_a_worker_is_answered_on_what_they_saw(two, people):
    anna, ben = begun(people, two[0].address, two[1].address)
    actor, waiting, ahead, behind = (anna, ben, *two) if my_turn(anna.view) else (ben, anna, *reversed(two))
    behind.house.rooms._hear = lambda told: None
    twin = people(ahead.address)
    twin.guest.http.cookies.update(waiting.guest.http.cookies)
    twin.come(anna.code)
    play_on((actor, twin), lambda view: my_turn(twin.view))
    answer = waiting.line.ask("move", seen=twin.view["number"], move=choose(twin.view))
    assert (answer["type"], answer["number"] > twin.view["number"]) == ("ack", True)


def race(two, people):
    """A race of two persons: first who sits over the worker that lets the other go first, then the other."""
    options = {"game": "hawaiki", "manner": "claim", "option.tokens": "60"}
    anna, ben = begun(people, two[0].address, two[1].address, **options)
    in_silence((anna.line, ben.line))
    lines = [anna.line, ben.line]
    if two[0].house.store.notices.worker > two[1].house.store.notices.worker:
        return lines
    return lines[::-1]


def word(line):
    return next(text for text in moves_of(line.view) if text != "let")


@pytest.mark.parametrize("after", [0.05, 0.45])
def test_who_speaks_first_wins_over_whichever_worker(two, people, after):
    first, second = race(two, people)
    seen, said = first.view["number"], word(second)
    key = first.send("move", seen=seen, move=word(first))
    time.sleep(after)
    assert second.ask("move", seen=seen, move=said)["error"] == "late"
    assert first.until(lambda frame: frame.get("key") == key)["type"] == "ack"


def test_who_speaks_in_the_last_moment_is_heard_over_whichever_worker(two, people):
    first, _ = race(two, people)
    time.sleep(first.view["table"]["deadline"] - time.time() - 0.1)
    assert first.ask("move", seen=first.view["number"], move=word(first))["type"] == "ack"


def test_workers_tell_each_other_how_long_a_line_has_become(two, people):
    anna, ben = begun(people, two[0].address, two[1].address, manner="claim", game="hawaiki")
    ((who, lines),) = two[1].house.rooms.room(anna.code).presence.persons.items()
    for connection in lines:
        connection.trips = (0.4,)
    ben.line.ask("say", preset="hello")
    assert until(lambda: two[0].house.rooms.others.people(anna.code).get(who) == 0.4)


def test_bots_of_two_workers_play_one_match(two, people, postgres):
    """Both hold the table, and each would move the bots."""
    anna, watcher = people(two[0].address), people(two[1].address)
    anna.come(anna.guest.make(against="bots"))
    watcher.come(anna.code)
    play_on((anna, watcher), over)
    assert len(stored(postgres, anna.code)) == anna.view["number"]


def later(rooms, due):
    """Whether bots of a table move later over each worker than was due."""
    return all(room.turn.at and room.turn.at > at + 0.1 for room, at in zip(rooms, due, strict=True))


def test_a_bot_that_waits_is_told_over_either_worker(two, people):
    """And over both the next one has a minute of its own."""
    seats = {"players": "4", "tempo": "step", "seat.2": "novice", "seat.3": "novice"}
    anna, ben = begun(people, two[0].address, two[1].address, game="mio", **seats)
    rooms = [house.house.rooms.room(anna.code) for house in two]
    for who in ((anna, ben), (ben,), (anna, ben), (ben,)):
        play_on((anna, ben), lambda view: view["table"]["held"])
        assert until(partial(later, rooms, [0, 0]))
        number, due = anna.view["number"], [room.turn.at for room in rooms]
        for player in who:
            assert player.line.ask("next", seen=number)["type"] == "ack"
        for player in (anna, ben):
            player.line.viewed(lambda view, number=number: view["number"] > number)
        assert not anna.view["table"]["held"] or until(partial(later, rooms, due))


def test_a_database_server_that_starts_again_costs_nobody_a_move(two, people, postgres, postgres_server):
    anna, ben = begun(people, two[0].address, two[1].address)
    before = len(stored(postgres, anna.code))
    postgres_server.halt()
    actor = anna if my_turn(anna.view) else ben
    said = {"key": "again", "seen": actor.view["number"], "move": choose(actor.view)}
    refused = actor.line.ask("move", **said)
    assert (refused["type"], refused["error"]) == ("refused", "storage")
    assert PASSWORD not in json.dumps(refused)
    postgres_server.start()
    assert actor.line.ask("move", **said)["type"] == "ack"
    number = len(stored(postgres, anna.code))
    assert number > before
    for player in (anna, ben):  # the ears are open again
        player.line.viewed(lambda view: view["number"] >= number)


def due_table(url):
    """A table that bots are to go on with, and nobody watches; its code and number."""
    table = Table.made(secrets.token_bytes, "abc234", "gin", 2, "anna", 1.0)
    for message in (Sit("a", 0, "Anna"), Bot("b", 1, "novice"), Start("go")):
        table.receive("anna", message, 2.0)
    table.tick(60.0)
    table.receive("anna", Leave("leave"), 60.0)
    store = Store(url)
    store.append(table.code, table.events, summary_of(table)).result()
    store.close()
    return table


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_a_table_that_nobody_watches_goes_on_when_its_time_comes(tmp_path, base, request):
    database = f"sqlite:///{tmp_path}/x.db" if base == "sqlite" else request.getfixturevalue("postgres")
    table = due_table(database)
    house = Running(tmp_path, database)
    try:
        end = time.monotonic() + WAIT
        while len(events := house.house.store.events(table.code)) < table.number + 4:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert Table.rebuilt(secrets.token_bytes, events).number == len(events)
    finally:
        house.stop()


def test_the_lobby_hears_of_tables_whose_notices_were_lost(two, people):
    """One's own, and those that are open."""
    anna, ben = people(two[0].address), people(two[0].address)
    anna.come(code := anna.guest.make(against="", players="2"))
    ben.come(code).ask("sit", seat=1, name="Ben")
    lines, owners = ([lobby(player.guest, two[1].address) for player in (anna, ben)] for _ in range(2))
    for line in owners:
        told(line, "yours", lambda frame: code in frame["html"])
    ears, two[1].house.rooms._hear = two[1].house.rooms._hear, lambda told: None
    ben.line.ask("stand")
    opened = anna.guest.make(against="", listed="true")
    two[1].house.rooms._hear = ears
    two[1].house.store.notices.heard(None)
    for line in lines:
        told(line, "tables", lambda frame: opened in frame["rows"])
    told(owners[0], "yours", lambda frame: "1 seat free" in frame["html"])  # it may come before the open ones
    told(owners[1], "yours", lambda frame: not frame["html"])


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("number", [0, -1, 1000])
def test_no_workers_or_too_many_are_one_sentence(tmp_path, number):
    with pytest.raises(Refusal, match="1 to 64 workers"):
        serve(Settings(port=0, data=tmp_path, workers=number))


@pytest.mark.parametrize("given", ["sqlite:///{}", "sqlite:///file:{}?uri=true"])
def test_two_houses_on_one_database_file_are_refused(tmp_path, given):
    database = given.format(tmp_path / "house.db")
    house = House.opened(Settings(data=tmp_path / "one", database=database))
    with pytest.raises(Refusal, match="Another house is open on the database"):
        House.opened(Settings(data=tmp_path / "two", database=f"sqlite:///{tmp_path / 'house.db'}"))
    asyncio.run(house.close())
    asyncio.run(House.opened(Settings(data=tmp_path / "one", database=database)).close())
