"""What a person gives to a program: a token does what its scope says, and nothing once it is revoked."""

import re
import secrets
import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from brelan.server import sockets
from brelan.server.people import tokens
from tests.server.clients import until


def test_a_token_is_shown_once_and_only_its_hash_is_kept(running, anna, program):
    bot = program("read")
    listed = anna.http.get("/api/v1/tokens")
    assert bot.token not in listed.text
    assert re.fullmatch(r"brl_[\w-]{43}", bot.token)
    running.house.store.submit(lambda connection: None).result()
    with running.house.store.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert rows
    assert bot.token not in str(rows)
    assert bot.token[4:] not in str(rows)
    folder = running.house.settings.made_folder()
    assert not [path for path in folder.iterdir() if path.is_file() and bot.token.encode() in path.read_bytes()]


def test_a_revoked_token_is_dead_at_once(anna, program, guests):
    bot = program()
    code = bot.table()
    assert guests().http.delete(f"/api/v1/tokens/{bot.id}").status_code == 404  # nobody's to end
    ben = guests()
    program(owner=ben)
    assert ben.http.delete(f"/api/v1/tokens/{bot.id}").status_code == 404  # nor somebody else's
    assert bot.http.delete(f"/api/v1/tokens/{bot.id}").status_code == 403  # nor its own
    assert bot.http.get("/api/v1/me").status_code == 200
    assert anna.http.delete(f"/api/v1/tokens/{bot.id}").status_code == 204
    for path in ("/api/v1/me", "/api/v1/games", f"/api/v1/tables/{code}"):
        answer = bot.http.get(path)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    with pytest.raises(InvalidStatus):
        bot.line(code)
    assert anna.http.delete(f"/api/v1/tokens/{bot.id}").status_code == 404


def test_a_socket_ends_with_the_token_that_opened_it(anna, program, monkeypatch):
    monkeypatch.setattr(sockets, "TOKEN_LOOK", 0.05)
    bot, other = program(), program()
    code = bot.table()
    line, stays = bot.line(code), other.line(code)
    time.sleep(0.2)
    assert line.ask("say", preset="hello")["type"] == "ack"
    assert anna.http.delete(f"/api/v1/tokens/{bot.id}").status_code == 204
    with pytest.raises(ConnectionClosed) as closed:
        line.until(lambda _: False)
    assert closed.value.rcvd.code == sockets.POLICY
    assert stays.ask("say", preset="bye")["type"] == "ack"


def test_a_token_says_when_it_was_used(anna, program):
    bot = program()
    assert tokens_of(anna)[0]["used_on"] is None
    bot.http.get("/api/v1/me")
    assert until(lambda: tokens_of(anna)[0]["used_on"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", tokens_of(anna)[0]["used_on"])


def tokens_of(guest):
    return guest.http.get("/api/v1/tokens").json()


def test_there_are_only_so_many_tokens(running):
    person = secrets.token_hex(16)
    made = [tokens.make(running.house.store, person, f"n{n}", ["read"]) for n in range(tokens.MOST)]
    with pytest.raises(ValueError, match="revoke one first"):
        tokens.make(running.house.store, person, "more", ["read"])
    assert [token.name for token in tokens.of(running.house.store, person)][-1] == "n0"
    tokens.revoke(running.house.store, person, made[0][1].id)
    tokens.make(running.house.store, person, "more", ["read"])


@pytest.mark.parametrize("text", ["", "Bearer", "Digest abc", "Bearer brl_", f"Bearer brl_{'A' * 43}"])
def test_what_is_no_token_is_nobody(anna, text):
    anna.make()
    for path in ("/api/v1/games", "/api/v1/me"):  # even beside a good cookie
        assert anna.http.get(path, headers={"authorization": text}).status_code == 401


def test_a_password_for_what_stands_before_the_house_is_no_token(anna):
    """Browsers show it with every request, a socket's first one too; who they are the cookie says."""
    code, house, path = anna.make(), anna.address, "/api/v1/me"
    shown = {"authorization": "Basic YW5uYTp3b3Jk"}
    assert anna.http.get(path, headers=shown).json() == anna.http.get(path).json()
    assert httpx.get(f"{house}{path}", headers=shown).status_code == 401
    body = {"type": "stand", "key": "k"}
    foreign = shown | {"origin": "http://elsewhere.example"}
    assert anna.http.post(f"/api/v1/tables/{code}/messages", json=body, headers=foreign).status_code == 403
    anna.address = house.replace("//", "//anna:word@")
    assert anna.line(code, origin=house).view["table"]["seat"] == 0


def test_a_token_does_what_its_scope_says_and_no_more(program):
    reader, player, maker = program("read"), program("play"), program("make")
    code = maker.table()
    assert reader.view(code)["table"]["host"]
    for one in (player, maker):
        assert one.http.get(f"/api/v1/tables/{code}").json()["error"] == "scope"
        with pytest.raises(InvalidStatus):
            one.line(code)
    assert player.say(code, "bot", seat=1, level="novice").status_code == 200
    for one in (reader, maker):
        assert one.say(code, "stand").json()["error"] == "scope"
    line = reader.line(code)
    assert line.ask("stand")["error"] == "scope"
    for one in (reader, player):
        assert one.http.post("/api/v1/tables", json={"game": "gin", "players": 2}).json()["error"] == "scope"


def test_a_cookie_counts_only_from_a_page_of_the_house(anna):
    code = anna.make()
    for origin in ("http://elsewhere.example", "null", ""):
        foreign = {"origin": origin}
        wanted = {"name": "x", "scopes": ["read"]}
        assert anna.http.post("/api/v1/tokens", json=wanted, headers=foreign).status_code == 403
        assert anna.http.delete("/api/v1/tokens/0123456789ab", headers=foreign).status_code == 403
        body = {"type": "stand", "key": "k"}
        assert anna.http.post(f"/api/v1/tables/{code}/messages", json=body, headers=foreign).status_code == 403
        wanted = {"game": "gin", "players": 2}
        assert anna.http.post("/api/v1/tables", json=wanted, headers=foreign).status_code == 403
