"""A real server on the loopback, real sockets: what a client is answered, and what it is never told."""

import contextlib
import gc
import json
import socket
import threading
import time
import weakref
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from brelan.play.record import verify
from brelan.play.table import Table
from brelan.server.sockets import BACKLOG
from brelan.server.tables.room import Room
from brelan.server.tables.wire import Wire
from tests.server.clients import Guest, fail, moves_of, my_turn, play, repeat, turn, until
from tests.server.conftest import Running


def test_a_whole_match_against_a_bot(anna):
    code = anna.make()
    line = anna.line(code)
    answered = play(line)
    assert answered
    assert all(answer["type"] == "ack" for _, answer in answered)
    table = line.view["table"]
    assert len(table["sheet"]) > 1
    assert max(table["scores"]) >= 100
    record = anna.http.get(table["record"])
    (match,) = verify(record.content, strict=True)
    assert match.scores == table["scores"]
    assert json.loads(record.text.splitlines()[0])["commit"] == table["commit"]
    line.ask("again")
    assert line.viewed(lambda view: view["table"]["status"] == "playing" and view["scene"])["table"]["secret"] is None
    assert anna.http.get(table["record"]).status_code == 403


def test_two_persons_share_a_table(anna, ben):
    code = anna.make(against="")
    mine = anna.line(code)
    assert mine.view["table"]["status"] == "open"
    assert mine.view["table"]["host"]
    assert mine.ask("start")["error"] == "open"
    assert mine.ask("bot", seat=1, level="god")["error"] == "choice"
    theirs = ben.line(code)
    assert theirs.ask("sit", seat=0, name="Ben")["error"] == "full"
    assert theirs.ask("start")["error"] == "not_host"
    assert theirs.ask("sit", seat=1, name="Ben")["type"] == "ack"
    seats = mine.viewed(lambda view: view["table"]["seats"][1]["kind"] == "person")["table"]["seats"]
    assert (seats[1]["name"], seats[1]["online"]) == ("Ben", True)
    mine.ask("start")
    mine.viewed(lambda view: view["table"]["commit"])  # and his nonce is on its way
    theirs.viewed(lambda view: view["scene"])
    mine.viewed(lambda view: view["scene"])
    line, other = (mine, theirs) if my_turn(mine.view) else (theirs, mine)
    refused = other.ask("move", seen=other.view["number"], move="draw")
    assert (refused["error"], refused["type"]) == ("wrong_seat", "refused")
    name = line.view["table"]["seats"][line.view["table"]["seat"]]["name"]
    assert refused["words"] == f"You are not asked now; asked: {name}."
    assert line.ask("move", seen=line.view["number"], move="draw")["type"] == "ack"
    assert other.viewed(lambda view: view["last"])["last"][0]["source"] == "stock"
    other.close()
    assert not line.viewed(lambda view: not all(s["online"] for s in view["table"]["seats"]))["scene"]["over"]


def test_a_full_table_is_watched_not_played_at(anna, ben):
    code = anna.make()
    line = ben.line(code)
    assert line.ask("sit", seat=1, name="Ben")["error"] == "late"
    assert line.ask("move", seen=line.view["number"], move="draw")["error"] == "wrong_seat"
    assert line.view["table"]["seat"] is None


def test_a_refused_move_says_why_with_its_rule(anna):
    code = anna.make()
    line = anna.line(code)
    turn(line)
    refused = line.ask("move", seen=line.view["number"], move="discard 7h")
    assert (refused["error"], refused["rule"]) == ("illegal", "O-G1")
    assert "O-G1" in refused["words"]
    assert line.ask("move", seen=line.view["number"], move="fly")["error"] == "unreadable"
    assert line.ask("move", seen=0, move="discard 7h")["error"] == "late"


@pytest.mark.parametrize("parts", [b"\xff", b'{"type":"say","key":"k","text":"\xff"}', [b'{"type":"\xc3', b'"}']])
def test_a_text_that_is_no_utf_8_is_refused_like_any_other_and_is_no_fault_of_ours(parts, anna, caplog):
    line = anna.line(anna.make())
    line.socket.send(parts, text=True)
    refused = line.until(lambda frame: frame["type"] == "refused")
    assert refused["error"] == "malformed"
    assert refused["words"].startswith("This message cannot be read: ")
    assert line.ask("hint", key="after")["key"] == "after"
    assert not [said for said in caplog.records if said.levelname == "ERROR"]


def test_two_sockets_of_one_seat_and_a_repeated_key(anna):
    code = anna.make()
    first, second = anna.line(code), anna.line(code)
    turn(first)
    number = first.view["number"]
    ack = first.ask("move", key="once", seen=number, move="draw")
    again = second.ask("move", key="once", seen=number, move="draw")
    assert ack == again
    assert second.ask("move", key="other", seen=number, move="draw")["error"] == "late"
    for line in (first, second):
        line.viewed(lambda view: view["number"] >= ack["number"])
    assert first.view["scene"] == second.view["scene"]


def test_a_reconnect_tells_what_happened_meanwhile(anna):
    code = anna.make()
    line = anna.line(code)
    turn(line)
    seen = line.view["number"]
    line.ask("move", seen=seen, move="draw")
    line.close()
    back = anna.line(code, since=seen)
    assert [news["seat"] for news in back.view["news"]] == [0]
    assert back.view["last"] == []
    back.close()
    fresh = anna.line(code)
    assert len(fresh.view["news"]) > len(back.view["news"])


def test_a_table_that_comes_back_keeps_nobody_elsewhere_waiting(running, anna, monkeypatch):
    places, rebuilt = [], Table.rebuilt
    monkeypatch.setattr(Table, "rebuilt", lambda *given: places.append(threading.current_thread()) or rebuilt(*given))
    assert anna.line(anna.make()).view
    assert places
    assert running.thread not in places


def test_a_table_leaves_the_memory_and_comes_back(running, anna):
    code = anna.make()
    line = anna.line(code)
    turn(line)
    scene = line.view["scene"]
    line.close()
    rooms = running.house.rooms._rooms
    assert until(lambda: code not in rooms)
    back = anna.line(code)
    assert back.view["scene"] == scene


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null"])
def test_a_foreign_origin_is_refused(anna, origin):
    code = anna.make()
    with pytest.raises(InvalidStatus) as refusal:
        anna.line(code, origin=origin)
    assert refusal.value.response.status_code == 403


def test_strangers_and_unknown_tables_are_refused(anna, guests):
    code = anna.make()
    with pytest.raises(InvalidStatus):
        guests().line(code)  # no cookie
    with pytest.raises(InvalidStatus):
        guests(cookies={"brelan_guest": "forged.signature"}).line(code)
    with pytest.raises(InvalidStatus):
        anna.line("zzzzzz")


def test_malformed_frames_are_answered_and_then_the_line_is_closed(anna):
    line = anna.line(anna.make(), hello=False)
    line.socket.send('{"type":"start","key":"early"}')
    early = line.receive()
    assert early["key"] == "early"  # before its hello nobody is listened to
    assert "begins with hello" in early["words"]
    line.send("hello", key=None)
    for frame in ("{", "[]", b"\x00\xff", '{"type":"fly","key":"k"}', "9" * 5000):
        line.socket.send(frame)
        refused = line.until(lambda frame: frame["type"] == "refused")
        assert refused["error"] == "malformed"
    line.send("ping", key=None)
    line.until(lambda frame: frame["type"] == "pong")
    with pytest.raises(ConnectionClosed) as closed:
        repeat(20, lambda: (line.socket.send("{"), line.receive()))  # with those before fewer than one may say in all
    assert closed.value.rcvd.code == 1008


def test_who_leaves_many_answers_unread_is_let_go(anna, monkeypatch):
    line = anna.line(anna.make())
    monkeypatch.setattr(Wire, "is_free", False)
    repeat(BACKLOG + 1, lambda: line.send("ping", key=None))  # fewer than it may say in any case
    with pytest.raises(ConnectionClosed) as closed:
        line.receive()
    assert closed.value.rcvd.code == 1008


def test_a_frame_that_is_too_long_closes_the_line(anna):
    line = anna.line(anna.make())
    line.socket.send("x" * 70000)
    with pytest.raises(ConnectionClosed) as closed:
        repeat(40, line.receive)
    assert closed.value.rcvd.code == 1009


def deaf_line(guest, code):
    """A line whose client has little room for what it is sent, and reads none of it."""
    host, port = urlsplit(guest.address).netloc.split(":")
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect((host, int(port)))
    return guest.line(code, hello=False, sock=sock, max_queue=1, close_timeout=0.1, compression=None)


def test_who_reads_nothing_is_let_go_and_nobody_waits(running, anna, ben, monkeypatch):
    monkeypatch.setattr("brelan.server.tables.wire.SEND_WAIT", 0.3)
    code = anna.make()
    mine, deaf = anna.line(code), deaf_line(ben, code)
    watching = running.house.rooms.room(code).presence.connections
    assert until(lambda: len(watching) == 2)  # the handshake is answered before the table knows of the line
    deadline = time.monotonic() + 8
    with contextlib.suppress(ConnectionClosed, OSError):
        while len(watching) > 1 and time.monotonic() < deadline:
            deaf.send("hello", key=None)
    assert mine.ask("start")["error"] == "late"
    assert until(lambda: len(watching) == 1)


def test_what_was_left_goes_at_once(tmp_path):
    """Rooms, tables and lines hang in no reference cycle: the garbage collector comes too seldom for so many."""
    house = Running(tmp_path)
    guest = Guest(house.address)
    gc.collect()
    gc.disable()
    try:
        line = guest.line(guest.make())
        turn(line)
        (room,) = house.house.rooms._rooms.values()
        (connection,) = room.presence.connections
        left = [weakref.ref(thing) for thing in (room, room.table, connection, connection.wire)]
        line.close()
        del room, connection
        assert until(lambda: [thing() for thing in left] == [None] * 4)
    finally:
        gc.enable()
        guest.close()
        house.stop()


def test_the_views_are_in_the_viewers_language(anna):
    code = anna.make()
    anna.http.cookies.set("brelan_language", "fr")
    line = anna.line(code)
    assert line.view["table"]["seats"][1]["name"] == "Robot 2"


def test_a_store_that_fails_refuses_the_move_and_the_table_goes_on_after_it(tmp_path):
    house = Running(tmp_path)
    guest = Guest(house.address)
    try:
        line = guest.line(guest.make())
        turn(line)
        before, seen = line.view["scene"], line.view["number"]
        broken = house.house.store._writer._insert
        house.house.store._writer._insert = fail
        refused = line.ask("move", key="lost", seen=seen, move="draw")
        assert (refused["type"], refused["error"]) == ("refused", "storage")
        house.house.store._writer._insert = broken
        again = guest.line(line.view["table"]["code"])
        assert (again.view["number"], again.view["scene"]) == (seen, before)
        assert line.ask("move", key="lost", seen=seen, move="draw")["type"] == "ack"
    finally:
        guest.close()
        house.stop()


def test_while_the_store_cannot_be_read_a_handshake_is_put_off(tmp_path, monkeypatch):
    house = Running(tmp_path)
    guest = Guest(house.address)
    try:
        code = guest.make()
        with monkeypatch.context() as breaking:
            breaking.setattr(house.house.store.engine, "connect", fail)
            with pytest.raises(InvalidStatus) as refused:
                guest.line(code)
        assert refused.value.response.status_code == 503
        assert guest.line(code).view
    finally:
        guest.close()
        house.stop()


def test_a_fault_of_ours_ends_neither_the_table_nor_its_lines(anna, ben, monkeypatch):
    code = anna.make(against="", players="2")
    one, two = anna.line(code), ben.line(code)
    assert two.ask("sit", seat=1, name="Ben")["type"] == "ack"
    one.until(lambda frame: frame["type"] == "view" and frame["table"]["seats"][1]["online"])
    broken, real = [], Room._show_all

    def show_all(room, _):
        broken.append(room)
        monkeypatch.setattr(Room, "_show_all", real)
        raise ZeroDivisionError

    monkeypatch.setattr(Room, "_show_all", show_all)
    two.socket.close()
    one.until(lambda frame: frame["type"] == "view" and not frame["table"]["seats"][1]["online"])
    assert broken
    with monkeypatch.context() as breaking:
        breaking.setattr(Table, "receive", fail)
        assert one.ask("say", preset="hello")["error"] == "storage"
    assert one.ask("say", preset="hello")["type"] == "ack"


def test_a_hint_is_a_legal_move(anna):
    code = anna.make()
    line = anna.line(code)
    turn(line)
    hint = line.ask("hint")
    assert hint["type"] == "hint"
    named = {hint["move"], *(hint["why"] or {"close": ()})["close"]}  # why: once something is compiled that searches
    assert named <= set(moves_of(line.view))
    assert line.ask("move", seen=line.view["number"], move=hint["move"])["type"] == "ack"
