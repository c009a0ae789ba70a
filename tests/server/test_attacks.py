"""What somebody who means ill sends or starts: each is refused in one sentence, and nothing breaks."""

import asyncio
import errno
import fcntl
import os
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest
from itsdangerous import TimestampSigner
from starlette.requests import Request
from starlette.responses import Response
from websockets.exceptions import InvalidStatus

from brelan.errors import Refusal
from brelan.server.app import Settings, address, create_app, listening, own_address
from brelan.server.house import House
from brelan.server.ledger import logs
from brelan.server.ledger.metrics import answered
from brelan.server.people import people, tokens
from brelan.server.people.identity import GUEST, KEY_BYTES, SEATS, Guest, Identity, signing_key
from brelan.server.store import Storage, Store
from brelan.server.upkeep.lock import locked
from brelan.words import Words
from tests.server.clients import Guest as Visitor
from tests.server.clients import act, over
from tests.server.conftest import Running

# ---------------------------------------------------------------- forms and addresses


def test_a_table_of_very_many_seats_is_refused_before_any_is_made(anna, monkeypatch):
    made = []
    monkeypatch.setattr("brelan.server.pages.forms.Bot", lambda *fields: made.append(fields))
    answer = anna.http.post("/tables", data={"game": "gin", "against": "bots", "players": "100000"})
    assert (answer.status_code, made) == (422, [])


@pytest.mark.parametrize("depth", [500, 5000, 60000])
def test_an_option_that_is_nested_too_deep_is_a_sentence_on_the_form(anna, depth):
    from brelan.games import GAMES

    game, option = next((game, o) for game in GAMES for o in game.options if o.kind == "numbers")
    for text in ("[" * depth, "[" * (depth // 2) + "]" * (depth // 2)):
        fields = {"game": game.id, "players": str(game.seats[0]), f"option.{option.name}": text}
        parts = {name: (None, value) for name, value in fields.items()}
        answer = anna.http.post("/tables", files=parts)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text


NONE = ["http://[::1", "http://[", "ftp://{host}", "x://{host}", "//{host}"]
NEAR = ["http://x{host}", "http://x.{host}", "http://{host}0", "http://127.0.0.1:1"]


@pytest.mark.parametrize("origin", NONE + NEAR)
def test_an_origin_that_is_none_is_foreign(anna, origin):
    origin = origin.format(host=anna.address.removeprefix("http://"))
    assert anna.http.post("/tables", data={"game": "gin"}, headers={"origin": origin}).status_code == 403


def test_there_is_a_qr_code_of_a_table_that_is_there(anna):
    code = anna.make()
    assert anna.http.get(f"/t/{code}/qr.svg").status_code == 200
    assert anna.http.get(f"/t/{'x' * 3000}/qr.svg").status_code == 404
    for host, status in (("h" * 253, 200), ("h" * 254, 400), ("h" * 5000, 400), ("[", 200)):
        assert anna.http.get(f"/t/{code}/qr.svg", headers={"host": host}).status_code == status


@pytest.fixture(params=["sqlite", "postgres"])
def either(request, tmp_path):
    """A guest of a house of its own, on either database."""
    database = request.getfixturevalue("postgres") if request.param == "postgres" else None
    house = Running(tmp_path, database)
    guest = Visitor(house.address)
    guest.house = house.house
    yield guest
    guest.close()
    house.stop()


NOT_THERE = ["/t/%00", "/t/x%00/qr.svg", "/t/x%00/record", "/t/x%00/proofs", "/m/%00", "/m/x%00/log", "/m/x%00/record"]


def test_what_can_be_no_name_is_asked_of_no_database(either, monkeypatch):
    monkeypatch.setattr(either.house.store.engine, "connect", fail)
    assert [either.http.get(path).status_code for path in NOT_THERE] == [404] * len(NOT_THERE)
    with pytest.raises(InvalidStatus) as refused:
        either.line("x%00")
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", ["/", "/ratings", "/t/zzzzzz", "/api/v1/tables", "/t/zzzzzz/socket"])
def test_where_the_database_is_and_what_it_says_is_the_hosts_business_only(either, monkeypatch, path, caplog):
    monkeypatch.setattr(logs, "_seen", {})
    monkeypatch.setattr(either.house.store.engine, "connect", fail)
    if path.endswith("socket"):
        with pytest.raises(InvalidStatus) as refused:
            either.line("zzzzzz")
        status, text = refused.value.response.status_code, refused.value.response.body.decode()
    else:
        answer = either.http.get(path, headers={"accept-language": "en"})
        status, text = answer.status_code, answer.text
    assert status == 503
    assert Words("en")("page.storage") in text
    assert "secret place" not in text
    assert either.house.store.place.shown not in text
    assert any("secret place" in str(getattr(record, "fields", "")) for record in caplog.records)


def test_a_form_that_was_right_is_not_blamed_for_the_database(either, monkeypatch):
    monkeypatch.setattr(either.house.store._writer, "_insert", fail)
    answer = either.http.post("/tables", data={"game": "gin", "against": "bots", "players": "2"})
    assert (answer.status_code, "secret place" in answer.text) == (503, False)


def fail(*_):
    raise sqlite3.OperationalError("no entry to the secret place")


def test_the_languages_links_stay_in_the_house(anna):
    page = anna.http.get(f"{anna.address}//evil.example/x")
    assert page.status_code == 404
    assert 'href="?lang=fr"' in page.text
    assert "evil" not in page.text


def test_a_record_is_refused_without_reading_the_match(running, anna, monkeypatch):
    code = anna.make(**{"option.target": "1"})
    line = anna.line(code)
    line.viewed(lambda view: view["scene"])
    with monkeypatch.context() as patched:
        patched.setattr(running.house.store, "events", None)
        assert anna.http.get(f"/t/{code}/record").status_code == 403
    while not over(line.view):
        act(line)
    assert anna.http.get(f"/t/{code}/record").status_code == 200
    line.ask("again")
    assert anna.http.get(f"/t/{code}/record").status_code == 403


# ---------------------------------------------------------------- cookies


def asking(**cookies):
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return Request(
        {
            "type": "http",
            "scheme": "http",
            "server": ("house", 80),
            "path": "/",
            "headers": [(b"cookie", cookie.encode())],
        }
    )


def cookie_of(response):
    return response.headers["set-cookie"].partition(";")[0].partition("=")[2]


def test_a_seats_cookie_counts_at_its_table_and_nowhere_else():
    identity = Identity(bytes(KEY_BYTES))
    guest, response = Guest("ab" * 16, "Anna"), Response()
    identity.bring(response, "abc", identity.seat_token("abc", guest), asking())
    seat = cookie_of(response)
    assert identity.guest(asking(brelan_seat_abc=seat), "abc") == guest
    assert identity.guest(asking(brelan_seat_xyz=seat), "xyz") is None
    assert identity.guest(asking(**{GUEST: seat})) is None


def test_a_device_keeps_only_so_many_seats():
    identity, response, guest = Identity(bytes(KEY_BYTES)), Response(), Guest("ab" * 16, "Anna")
    brought = {f"brelan_seat_t{n}": identity.seat_token(f"t{n}", guest) for n in range(SEATS)}
    identity.bring(response, "new", identity.seat_token("new", guest), asking(**{GUEST: "x"}, **brought))
    gone = [cookie for cookie in response.headers.getlist("set-cookie") if "Max-Age=0" in cookie]
    assert [cookie.partition("=")[0] for cookie in gone] == ["brelan_seat_t0"]
    again = Response()
    identity.bring(again, "t5", brought["brelan_seat_t5"], asking(**brought))
    assert len(again.headers.getlist("set-cookie")) == 1


def test_a_guests_cookie_is_no_seat():
    identity = Identity(bytes(KEY_BYTES))
    response = Response()
    identity.remember(response, Guest("ab" * 16, "Anna"), asking())
    assert identity.guest(asking(**{GUEST: cookie_of(response)})) == Guest("ab" * 16, "Anna")
    assert identity.guest(asking(brelan_seat_abc=cookie_of(response)), "abc") is None


@pytest.mark.parametrize("person", ["bot:1", "", "AB" * 16, "ab" * 16 + "\n"])
def test_nobody_goes_by_a_bots_name(person):
    identity = Identity(bytes(KEY_BYTES))
    response = Response()
    identity.remember(response, Guest(person, "Anna"), asking())
    assert identity.guest(asking(**{GUEST: cookie_of(response)})) is None
    with pytest.raises(Refusal):
        identity.bring(response, "abc", identity.seat_token("abc", Guest(person, "Anna")), asking())


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_over_https_a_cookie_goes_nowhere_else(scheme, secure):
    request, response = asking(), Response()
    request.scope["scheme"] = scheme
    Identity(bytes(KEY_BYTES)).remember(response, Guest("ab" * 16, "Anna"), request)
    assert ("secure" in response.headers["set-cookie"].lower()) == secure


@pytest.mark.parametrize(("seconds", "stands"), [(3500, True), (3700, False)])
def test_a_phrase_is_offered_for_an_hour(monkeypatch, seconds, stands):
    house, anna, then = Identity(bytes(KEY_BYTES)), Guest("ab" * 16, "Anna"), int(time.time()) + seconds
    offer = house.offer(anna, "acorn actor")
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: then)
    assert bool(house.offered(anna, offer)) == stands


# ---------------------------------------------------------------- starting


@pytest.mark.parametrize("size", [0, 1, KEY_BYTES - 1, KEY_BYTES + 1])
def test_a_key_that_is_not_whole_is_refused_and_kept(tmp_path, size):
    (tmp_path / "key").write_bytes(bytes(size))
    with pytest.raises(Refusal, match="not whole"):
        create_app(Settings(data=tmp_path))
    assert (tmp_path / "key").read_bytes() == bytes(size)


def test_a_key_is_drawn_once_and_whole(tmp_path, monkeypatch):
    (tmp_path / "key.new").write_bytes(b"half")  # a power cut left it
    key = signing_key(tmp_path)
    assert len(key) == KEY_BYTES
    assert signing_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == ["key"]

    def cut(_):
        raise OSError(28, "No space left on device")

    (tmp_path / "key").unlink()
    monkeypatch.setattr("brelan.folders.os.fsync", cut)
    with pytest.raises(Refusal, match="the disk is full"):
        signing_key(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_one_house_for_one_folder(tmp_path):
    lock = locked(tmp_path)
    with pytest.raises(Refusal, match="Another house"):
        House.opened(Settings(data=tmp_path))
    command = [sys.executable, "-m", "brelan", "serve", "--port", "0", "--data", str(tmp_path)]
    second = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (second.returncode, second.stderr.count("\n")) == (2, 1)
    assert "Another house" in second.stderr
    lock.close()
    locked(tmp_path).close()


def test_a_share_without_locks_is_not_called_anothers_house(tmp_path, monkeypatch):
    def flock(file, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(Refusal, match="No locks available"):
        locked(tmp_path)


def test_a_system_without_locks_has_no_house(tmp_path, monkeypatch):
    """Such as Windows."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(Refusal, match="on Linux or macOS"):
        House.opened(Settings(data=tmp_path))


def test_one_house_for_one_database_of_a_server(tmp_path, postgres_server):
    """From whatever folder; when it has ended, another may open."""
    url = postgres_server.fresh()
    first = House.opened(Settings(data=tmp_path / "one", database=url))
    with pytest.raises(Refusal, match="Another house is open on the database"):
        House.opened(Settings(data=tmp_path / "two", database=url))
    ended(first)
    ended(House.opened(Settings(data=tmp_path / "one", database=url)))


def ended(house):
    house.store.close()
    house.held.close()


@pytest.mark.parametrize("lost", [True, False])
def test_a_database_is_opened_with_the_key_of_its_own_house_only(tmp_path, lost):
    """Another would make strangers of its guests: whoever means that says so. No key is drawn meanwhile."""
    ended(House.opened(Settings(data=tmp_path)))
    key = tmp_path / "key"
    own = key.read_bytes()
    key.unlink() if lost else key.write_bytes(bytes(32))
    with pytest.raises(Refusal, match="whose key is not in the folder"):
        House.opened(Settings(data=tmp_path))
    assert key.exists() != lost
    ended(House.opened(Settings(data=tmp_path, new_key=True)))
    ended(House.opened(Settings(data=tmp_path)))
    key.write_bytes(own)
    with pytest.raises(Refusal, match="whose key is not in the folder"):
        House.opened(Settings(data=tmp_path))


def test_with_a_new_key_nothing_opens_any_more_that_the_old_one_made(tmp_path):
    """Whoever stole it could have made a token, and whose it is could neither see nor end it."""
    house = House.opened(Settings(data=tmp_path))
    tokens.make(house.store, "anna", "thief", ["read", "play"])
    people.remember(house.store, "anna", name="Anna", phrase="00ff")
    ended(house)
    house = House.opened(Settings(data=tmp_path, new_key=True))
    assert len(tokens.of(house.store, "anna")) == 1, "it is the key that it had"
    ended(house)
    (tmp_path / "key").unlink()
    house = House.opened(Settings(data=tmp_path, new_key=True))
    assert tokens.of(house.store, "anna") == []
    assert (people.profile(house.store, "anna").name, people.profile(house.store, "anna").phrase) == ("Anna", None)
    ended(house)


@pytest.mark.parametrize("proxy", ["localhost", "127.0.0.1;10.0.0.1", "127.0.0.1/8", "127.0.0.1/33", "", "10.0.0.1,"])
def test_a_proxy_that_would_be_believed_from_nowhere_is_refused(proxy):
    with pytest.raises(Refusal, match="is no proxy's address"):
        Settings(proxy=proxy)
    assert Settings(proxy="127.0.0.1, ::1,10.0.0.0/8").proxy


def test_the_folder_of_a_database_that_is_not_there_is_named(tmp_path):
    missing = tmp_path / "missing"
    with pytest.raises(Refusal, match=f"folder “{missing}” cannot be used"):
        House.opened(Settings(data=tmp_path, database=f"sqlite:///{missing}/brelan.db"))


def test_a_house_that_does_not_open_leaves_the_folder(tmp_path):
    with pytest.raises(Refusal):
        House.opened(Settings(data=tmp_path, database="garbage://x"))
    locked(tmp_path).close()


@pytest.mark.parametrize(
    "url",
    [
        "garbage://x",
        "://",
        "house",
        "",
        "mysql://x/y",
        "postgresql+nothing://x",
        "postgresql+pg8000://x",
        "postgresql://x:port/y",
    ],
)
def test_a_database_that_there_is_not_is_one_sentence(url):
    with pytest.raises(Storage, match="cannot be used") as refusal:
        Store(url)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("a..b", 0),
        ("a" * 10000, 0),
        ("\udc80", 0),
        ("a\0b", 0),
    ],
)
def test_what_is_no_address_is_one_sentence(host, port):
    with pytest.raises(Refusal, match="cannot be listened on"):
        listening(host, port)


def test_why_nobody_can_listen_there_is_told_once():
    with pytest.raises(Refusal) as refusal:
        listening("203.0.113.7", 8000)  # an address kept for documentation
    assert str(refusal.value).count("203.0.113.7") == 1


@pytest.mark.parametrize("everywhere", ["0.0.0.0", *(["::"] if socket.has_dualstack_ipv6() else [])])
def test_a_house_that_listens_everywhere_tells_an_address_at_which_it_answers(everywhere):
    with listening(everywhere, 0) as listener:
        told = urlsplit(address(listener))
        socket.create_connection((told.hostname, told.port), timeout=5).close()


def test_where_no_way_leads_out_a_house_tells_an_address_of_its_network(monkeypatch):
    """A machine that is its own access point has no route to anywhere else."""
    if own_address("0.0.0.0").startswith(("127.", "localhost")):
        pytest.skip("this machine has no other address than its own")

    class Island(socket.socket):
        def connect(self, address):
            raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))

    monkeypatch.setattr(socket, "socket", Island)
    assert not own_address("0.0.0.0").startswith(("127.", "localhost"))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 on this machine")
def test_who_listens_to_all_of_ipv6_listens_to_everybody():
    with listening("::", 0) as listener:
        for near in ("127.0.0.1", "::1"):
            socket.create_connection((near, listener.getsockname()[1]), timeout=5).close()


def test_an_address_of_ipv6_is_told_as_it_would_be_typed():
    with pytest.raises(Refusal) as refusal:
        listening("2001:db8::1", 8000)
    assert "[2001:db8::1]:8000" in str(refusal.value)


@pytest.mark.parametrize(("port", "why"), [(70000, "at_most"), (-1, "at_least"), (10**30, "at_most")])
def test_what_is_no_port_is_one_sentence(port, why):
    with pytest.raises(Refusal) as refusal:
        listening("127.0.0.1", port)
    assert refusal.value.key == why
    with pytest.raises(Refusal) as refusal, answered(port, None):
        pass
    assert refusal.value.key == why


def test_the_data_are_their_owners_only(tmp_path):
    folder, given = tmp_path / "made", tmp_path / "given"
    given.mkdir(mode=0o755)
    for data, mode in ((folder, 0o700), (given, 0o755)):
        asyncio.run(House.opened(Settings(data=data)).close())
        assert stat.S_IMODE(data.stat().st_mode) == mode
        assert stat.S_IMODE((data / "brelan.db").stat().st_mode) == 0o600
