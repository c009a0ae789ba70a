"""What a house counts, of whom, and what it never does."""

import contextlib
import html
import secrets
import threading
import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from brelan.play.messages import Bot, Leave, Move, Nonce, Sit, Start
from brelan.play.seats import bot_name
from brelan.play.table import Table
from brelan.server.tables.visits import LONG, WAITING
from brelan.server.web.limits import (
    CROWD,
    FULL,
    LINE_WAIT,
    RATES,
    Limits,
    Rate,
    is_due,
)
from brelan.words import Words
from tests.play.claims import NOON, claiming, others, say, window
from tests.server.clients import Guest, Program, choose, my_turn, repeat, told, turn, until
from tests.server.conftest import Running
from tests.server.houses import Clock

ADDRESS = "203.0.113.7"
ELSEWHERE = {"x-forwarded-for": ADDRESS}


@pytest.fixture
def proxied(tmp_path):
    """A house behind a proxy that it trusts, where time stands still for the buckets."""
    house = Running(tmp_path, proxy="127.0.0.1")
    house.house.limits.clock = Clock()
    yield house
    house.stop()


@pytest.fixture
def robin(proxied):
    """Somebody's program, that comes from elsewhere."""
    owner = Guest(proxied.address)
    program = Program(owner, **ELSEWHERE)
    yield program
    program.close()
    owner.close()


def refused(answers):
    """How many were answered before the first that is too many; that one says when to come again."""
    for count, answer in enumerate(answers):
        if answer.status_code == 429:
            assert int(answer.headers["retry-after"]) >= 1
            return count
        assert answer.status_code < 500
    return None


def test_a_due_move_is_never_limited_and_all_else_is(proxied, robin):
    code = robin.table(bots="novice", options={"target": 1000})
    view = robin.until(code, my_turn)
    others = (robin.say(code, "stand") for _ in range(500))
    assert refused(others) is not None
    reads = (robin.http.get(f"/api/v1/tables/{code}") for _ in range(500))
    assert refused(reads) is not None
    assert robin.say(code, "say", preset="hello").status_code != 429  # another bucket
    began, moves = time.perf_counter(), 0
    while view["table"]["status"] != "over" and moves < 100:
        if my_turn(view):
            answer = robin.say(code, "move", seen=view["number"], move=choose(view))
            assert answer.status_code == 200, answer.text
            moves += 1
        elif 0 in view["table"]["waits_for"]:
            proxied.house.limits.clock.now += 1  # to go on between two rounds is not a move
            assert robin.say(code, "next").status_code == 200
        answer = robin.http.get(f"/api/v1/tables/{code}", params={"since": view["number"]})
        assert answer.status_code == 200, answer.text
        view = answer.json()
    rate = moves / (time.perf_counter() - began)
    print(f"{moves} due moves at {rate:.0f} a second, none refused")
    assert moves == 100
    assert refused(robin.say(code, "stand") for _ in range(500)) is not None


def test_a_short_wait_is_counted_and_a_long_one_is_not(robin, monkeypatch):
    code = robin.table()
    since = robin.view(code)["number"]
    monkeypatch.setitem(RATES, "read", Rate(3, 0.2))
    assert refused(robin.http.get(f"/api/v1/tables/{code}?since={since}&wait=1") for _ in range(4)) is not None
    later = threading.Timer(0.3, lambda: robin.say(code, "bot", seat=1, level="novice"))
    later.start()
    assert robin.view(code, since=since, wait=int(LONG))["number"] > since
    later.join()


def test_who_waits_as_often_as_one_may_is_counted_again(proxied, robin, monkeypatch):
    """The next is refused at once, and so may be asked without end."""
    code = robin.table()
    since, counted = robin.view(code)["number"], []
    for visit in proxied.house.visits._here.values():
        visit.waiting_now = WAITING
    monkeypatch.setattr(Limits, "take", lambda _, kind, *__, **___: counted.append(kind))
    assert robin.http.get(f"/api/v1/tables/{code}?since={since}").status_code == 429
    assert counted.count("read") == 1


def test_a_due_move_is_not_limited_on_the_socket_either(robin):
    code = robin.table(bots="novice")
    line = robin.line(code)
    turn(line)
    answers = [line.ask("stand") for _ in range(RATES["ask"].burst + 5)]
    assert answers[-1]["error"] == "limits"
    assert answers[-1]["wait"] >= 1
    assert line.ask("move", seen=line.view["number"], move="draw")["type"] == "ack"
    assert line.ask("move", seen=line.view["number"], move="fly")["error"] == "limits"


def test_where_a_bot_keeps_the_seat_no_move_of_its_person_is_due():
    table = Table.made(secrets.token_bytes, "abc", "gin", 2, "anna", 1.0)
    for message in (Sit("1", 0, "Anna"), Bot("2", 1, "novice"), Start("3"), Nonce("0" * 32)):
        table.receive("anna", message, 1.0)
    while table.match.asked() != [0]:
        table.receive(bot_name(1), Move(f"bot {table.number}", table.number, table.match.legal(1)[-1]), 1.0)
    move = Move("4", table.number, table.match.legal(0)[0])
    assert is_due(table, "anna", move)
    assert not is_due(table, "anna", Move("3", move.seen, move.move)), "done already under that key"
    assert not is_due(table, "anna", Move("4", table.number + 1, move.move)), "thought of before it happened"
    table.receive("anna", Leave("5"), 1.0)
    assert not is_due(table, "anna", Move("6", table.number, move.move))


def test_a_claim_is_due_once():
    """Said again while it waits it is not done again, nor is one thought of before the race began."""
    table = claiming()
    left, right = others(table, window(table))
    person, seen = table.seats[left].person, table.number
    assert is_due(table, person, Move("early", seen, "contre"))
    assert not is_due(table, person, Move("late", table.window.number - 1, "contre"))
    say(table, left, "contre", NOON + 1, key="k")
    assert not any(is_due(table, person, Move(key, seen, "contre")) for key in ("k", "other"))
    assert is_due(table, table.seats[right].person, Move("k", seen, "contre"))


@pytest.mark.parametrize(
    ("kind", "ask"),
    [
        ("make", lambda robin, _: robin.http.post("/api/v1/tables", json={"game": "gin", "players": 2})),
        ("say", lambda robin, code: robin.say(code, "say", preset="hello")),
        ("read", lambda robin, _: robin.http.get("/api/v1/games/gin")),
        ("replay", lambda robin, _: robin.http.get("/api/v1/matches/abc-0123456789abcdef")),
    ],
)
def test_the_api_counts(proxied, robin, kind, ask):
    code = robin.table()
    robin.http.get("/api/v1/me")
    most = RATES[kind].burst
    assert refused(ask(robin, code) for _ in range(most + 1)) in (most, most - 1)  # the first may have gone before
    proxied.house.limits.clock.now += FULL
    assert ask(robin, code).status_code != 429


@pytest.mark.parametrize(
    "ask",
    [lambda robin, code: robin.http.get(f"/api/v1/tables/{code}"), lambda robin, code: robin.say(code, "stand")],
    ids=["look", "speak"],
)
def test_codes_are_not_tried_without_end(proxied, robin, ask):
    played, other = robin.table(bots="novice"), robin.table()
    view = robin.until(played, my_turn)
    assert refused(ask(robin, "zzzzzz") for _ in range(500)) is not None
    assert ask(robin, other).status_code == 429, "nobody learns whether there is such a table"
    assert robin.say(played, "move", seen=view["number"], move=choose(view)).status_code == 200
    proxied.house.limits.clock.now += FULL
    assert ask(robin, "zzzzzz").status_code == 404
    assert ask(robin, other).status_code == 200


WAYS = ["/t/{}", "/t/{}/record", "/t/{}/qr.svg", "/t/{}/proofs", "/join?code={}", "/api/v1/tables/{}"]


@pytest.mark.parametrize("way", WAYS)
def test_who_tries_codes_is_soon_told_of_no_table_but_their_own(proxied, way, monkeypatch):
    monkeypatch.setitem(RATES, "code", Rate(2, 3.0))
    with contextlib.closing(Guest(proxied.address)) as host, contextlib.closing(Guest(proxied.address)) as eve:
        for guest in (host, eve):
            guest.http.headers.update(ELSEWHERE)
            guest.http.post("/name", data={"nickname": "Robin"})
        code, most = host.make(), 2 * CROWD
        assert refused(eve.http.get(way.format("zzzzzz")) for _ in range(most + 1)) == most
        turned_away = eve.http.get(way.format(code), headers={"accept-language": "en"})
        assert turned_away.status_code == 429
        assert Words("en")("limits.codes") in html.unescape(turned_away.text)
        assert host.http.get(way.format(code)).status_code != 429
        proxied.house.limits.clock.now += FULL
        assert eve.http.get(way.format(code)).status_code != 429


def test_who_tries_codes_by_lines_is_soon_told_of_no_table_either(proxied, robin, monkeypatch):
    monkeypatch.setitem(RATES, "code", Rate(1, 3.0))
    own, headers = robin.table(), {"Authorization": f"Bearer {robin.token}"} | ELSEWHERE
    with contextlib.closing(Guest(proxied.address)) as host:
        other = host.make()
    for code, times, status in (("zzzzzz", CROWD, 403), ("zzzzzz", 1, 429), (other, 1, 429)):
        for _ in range(times):
            with pytest.raises(InvalidStatus) as refusal:
                robin.line(code, headers=headers, hello=False)
            assert refusal.value.response.status_code == status
    assert robin.line(own, headers=headers).view


@pytest.mark.parametrize("what", ["", "/scenes?seat=open&from=0", "/log?seat=open", "/record"])
def test_a_match_that_is_shown_again_counts_as_it_does_over_the_api(proxied, what):
    guest = Guest(proxied.address)
    guest.http.headers.update(ELSEWHERE)
    guest.http.post("/name", data={"nickname": "Anna"})
    address, most = f"/m/abc-0123456789abcdef{what}", RATES["replay"].burst
    assert refused(guest.http.get(address) for _ in range(most + 1)) == most
    assert guest.http.get("/").status_code == 200  # another bucket
    assert ("replay", ADDRESS) in proxied.house.limits._buckets
    proxied.house.limits.clock.now += FULL
    assert guest.http.get(address).status_code == 404
    guest.close()


@pytest.mark.parametrize("what", ["qr.svg", "seat.svg"])
def test_a_qr_code_that_is_drawn_is_counted(proxied, what):
    guest = Guest(proxied.address)
    guest.http.headers.update(ELSEWHERE)
    code, most = guest.make(), RATES["draw"].burst
    assert refused(guest.http.get(f"/t/{code}/{what}") for _ in range(most + 1)) == most
    assert guest.http.get(f"/t/{code}").status_code == 200  # another bucket
    guest.close()


def test_pages_and_handshakes_are_counted_by_address(proxied, robin, monkeypatch):
    monkeypatch.setitem(RATES, "page", Rate(5, 0.1))
    monkeypatch.setitem(RATES, "line", Rate(5, 0.1))
    page = httpx.Client(base_url=proxied.address, headers=ELSEWHERE)
    assert refused(page.get("/nothing") for _ in range(100)) == 5 * CROWD
    assert "second" in page.get("/").text
    assert page.get("/health").status_code == page.get("/static/icon.svg").status_code == 200
    for address in ("/api/openapi.json", "/api/nothing", "/healthy", "/readyx"):
        assert page.get(address).status_code == 429, address
    assert httpx.get(proxied.address, headers={"x-forwarded-for": "203.0.113.9"}).status_code == 200
    page.close()
    code, headers = robin.table(), {"Authorization": f"Bearer {robin.token}"} | ELSEWHERE
    repeat(5 * CROWD, lambda: robin.line(code, headers=headers, hello=False).close())
    with pytest.raises(InvalidStatus) as refusal:
        robin.line(code, headers=headers, hello=False)
    assert refusal.value.response.status_code == 429
    assert refusal.value.response.headers["retry-after"] == "1"


def test_forms_and_the_lobbys_line_are_counted(proxied, monkeypatch):
    monkeypatch.setitem(RATES, "line", Rate(2, 0.1))
    guest = Guest(proxied.address)
    guest.http.headers.update(ELSEWHERE)
    guest.make()  # without a name yet: counted by the address only
    form = {"game": "gin", "players": "2"}
    assert refused(guest.http.post("/tables", data=form) for _ in range(100)) == RATES["make"].burst
    assert refused(guest.http.post("/name", data={"nickname": "A"}) for _ in range(100)) == RATES["form"].burst
    repeat(2 * CROWD, lambda: lobby_line(guest))
    with pytest.raises(InvalidStatus) as refusal:
        lobby_line(guest)
    assert refusal.value.response.status_code == 429
    guest.close()


def test_who_asks_for_the_own_tables_on_many_lines_is_counted(proxied, monkeypatch):
    monkeypatch.setitem(RATES, "frame", Rate(1, 0.1))
    with contextlib.ExitStack() as lines:
        for _ in range(CROWD):
            line = lines.enter_context(lobby(proxied.address))
            line.send("yours")
            told(line, "yours", lambda _: True)
        one_more = lines.enter_context(lobby(proxied.address))
        one_more.send("yours")
        with pytest.raises(ConnectionClosed) as closed:
            told(one_more, "yours", lambda _: True)
    assert closed.value.rcvd.code == 1008


def test_an_address_has_so_many_open_lines_whatever_they_say(proxied, robin, monkeypatch):
    """In the lobby, where a page may be silent for ever, and at tables; each that closes makes room for another."""
    monkeypatch.setattr("brelan.server.web.limits.LINES", 2)
    code, headers = robin.table(), {"Authorization": f"Bearer {robin.token}"} | ELSEWHERE
    with contextlib.ExitStack() as silent:
        for _ in range(2 * CROWD - 1):
            silent.enter_context(lobby(proxied.address))
        last = robin.line(code, headers=headers)
        for one_more in (lambda: lobby(proxied.address), lambda: robin.line(code, headers=headers)):
            with pytest.raises(InvalidStatus) as refusal:
                one_more()
            assert refusal.value.response.status_code == 429
            assert refusal.value.response.headers["retry-after"] == str(LINE_WAIT)
            assert refusal.value.response.body.decode() == Words("en")("limits.lines", most=2 * CROWD)
        with lobby(proxied.address, {"x-forwarded-for": "203.0.113.9"}):
            last.close()
        assert until(lambda: proxied.house.limits._lines[ADDRESS] < 2 * CROWD)
        silent.enter_context(lobby(proxied.address))


def lobby_line(guest):
    with lobby(guest.address):
        pass


def lobby(address, headers=ELSEWHERE):
    """A line to the lobby, on which nothing is said."""
    url = address.replace("http", "ws", 1).rstrip("/") + "/lobby/socket"
    return connect(url, origin=address.rstrip("/"), additional_headers=headers)


def test_a_proxy_is_believed_only_where_the_house_was_told_of_it(running, proxied):
    def keys(house):
        return {who for kind, who in house.house.limits._buckets if kind == "page"}

    for house in (running, proxied):
        forged = {"x-forwarded-for": f"198.51.100.77, {ADDRESS}"}  # the last is what the proxy itself saw
        assert httpx.get(house.address, headers=forged).status_code == 200
    assert ADDRESS in keys(proxied)
    assert "198.51.100.77" not in keys(proxied) | keys(running)
    assert ADDRESS not in keys(running)


def test_pings_without_end_close_the_line(proxied):
    anna = Guest(proxied.address)
    line = anna.line(anna.make())
    with pytest.raises(ConnectionClosed) as closed:
        repeat(RATES["frame"].burst + 10, lambda: (line.send("ping", key=None), line.receive()))
    assert closed.value.rcvd.code == 1008
    anna.close()
