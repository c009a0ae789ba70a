"""Who may ask what: every address of the house × everybody who could ask, against the table in `matrix.txt`.

The addresses come from the application itself: one that is missing in the table fails here, and the failure says the
line to add; read it before adding it. No answer names a card that its reader may not know, nor the shuffles' secret.
"""

import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import httpx
import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from brelan.cards import HIDDEN
from brelan.games import find
from brelan.server.api.door import Door
from tests.server.clients import Guest, Program, play
from tests.server.conftest import Running
from tests.server.faces import named

MATRIX = Path(__file__).with_name("matrix.txt")

WHO = ("nobody", "guest", "seat", "other", "watch", "host", "read", "play", "make", "revoked", "foreign")
"""guest: at another table; seat, other: at this one; watch: has its socket open; host: made it, and does not play. The
tokens are the first seat's; foreign: the host's browser on another site's page.
"""

BOOKS = ("/rules/{game}", "/learn/{game}", "/api/v1/games/{game}/rulebook")
"""Texts and lessons that speak of cards, the same for everybody."""

BODIES = {
    "POST /api/v1/tables": {"json": {"game": "gin", "players": 2}},
    "POST /api/v1/tables/{code}/messages": {"json": {"type": "next", "key": "m"}},
    "POST /api/v1/tokens": {"json": {"name": "matrix", "scopes": ["read"]}},
    "POST /tables": {"data": {"game": "gin", "players": "2"}},
    "POST /name": {"data": {"nickname": "Zoe"}},
    "POST /me/name": {"data": {"nickname": "Zoe"}},
}
"""What is sent; elsewhere an empty form."""


def expected():
    """The statuses of the table, by the address with its method, and ` over` for a match that has ended."""
    lines = [line for line in MATRIX.read_text("utf-8").splitlines()[1:] if line.strip()]
    parted = [line.rpartition("  ") for line in lines]
    return {address.strip(): dict(zip(WHO, statuses.split(), strict=True)) for address, _, statuses in parted}


def addresses(app):
    """Every method and path that the application answers."""
    for route in app.routes:
        if isinstance(route, WebSocketRoute):
            yield "WS", route.path
        elif isinstance(route, Mount):
            yield "GET", f"{route.path}/icon.svg"
        elif isinstance(route, Route) and isinstance(route.app, Door):
            yield from ((method, route.path) for method in route.app.routes or ["GET"])
        else:
            yield from ((method, route.path) for method in sorted(route.methods - {"HEAD"}))


PROSE = re.compile(r"\bAs (?=[a-z])")
"""“As printed” is no ace of spades."""


class Scenario:
    """A house with a table that is played at, a match that is over, and everybody who could ask."""

    def __init__(self, folder):
        self.running = Running(folder, bot_pause=(3600.0, 3600.0))
        self.app = self.running.server.config.app
        host, seat, other, guest, before = self.guests = [Guest(self.running.address) for _ in range(5)]
        self.over = finished(self.running, before)
        guest.make(against="")
        host.http.post("/name", data={"nickname": "Host"})
        self.code = host.http.post("/api/v1/tables", json={"game": "gin", "players": 2}).json()["code"]
        lines = [self.sit(one, i, name) for i, (one, name) in enumerate([(seat, "Anna"), (other, "Ben")])]
        host.line(self.code).ask("start")
        for line in lines:
            line.viewed(lambda view: view["scene"])
        self.match = lines[0].view["table"]["match"]
        watch = Guest(self.running.address)
        watch.http.post("/name", data={"nickname": "Eve"})
        watch.line(self.code)
        self.guests.append(watch)
        programs = [Program(seat, scope) for scope in ("read", "play", "make", "read")]
        seat.http.delete(f"/api/v1/tokens/{programs[-1].id}")
        self.guests += programs
        nobody, foreign = Guest(self.running.address), Guest(self.running.address, host.http.cookies)
        foreign.http.headers["origin"] = "http://elsewhere.example"
        self.guests += [nobody, foreign]
        everybody = [nobody, guest, seat, other, watch, host, *programs, foreign]
        self.who = dict(zip(WHO, everybody, strict=True))
        link = lines[1].view["table"]["link"]
        self.fill = {"game": "gin", "token": link.rpartition("/")[2], "rest": "nothing", "form": "name"}
        self.lines = lines
        self.client = httpx.Client(base_url=self.running.address)

    def sit(self, one, seat, name):
        one.http.post("/name", data={"nickname": name})
        line = one.line(self.code)
        assert line.ask("sit", seat=seat, name=name)["type"] == "ack"
        return line

    def path(self, path, over):
        code, match = self.over if over else (self.code, self.match)
        token = "0123456789ab" if path.startswith("/api/") else self.fill["token"]
        path = path.replace(":path}", "}").format(**self.fill | {"code": code, "match": match, "token": token})
        return path + ("?seat=0&from=0" if path.endswith("/scenes") else "?seat=0" if path.endswith("/log") else "")

    def ask(self, who, method, path, over=False):
        """Status and body of an answer; nobody keeps what an answer left behind."""
        http = self.who[who].http
        cookie = "; ".join(f"{c.name}={c.value}" for c in http.cookies.jar)
        sent = {name: value for name, value in http.headers.items() if name in ("origin", "authorization")}
        sent |= {"cookie": cookie} if cookie else {}
        if method == "WS":
            return self.knock(sent, self.path(path, over)), ""
        body = BODIES.get(f"{method} {path}", {"data": {"x": "y"}} if method == "POST" else {})
        answer = self.client.request(method, self.path(path, over), headers=sent, **body)
        self.client.cookies.clear()
        return answer.status_code, answer.text

    def knock(self, headers, path):
        url = self.running.address.rstrip("/").replace("http", "ws", 1) + path
        try:
            with connect(url, additional_headers=headers):
                return 101
        except InvalidStatus as refusal:
            return refusal.response.status_code

    def known(self, who):
        """The cards that somebody may know at the table that is played at."""
        seat = {"seat": 0, "read": 0, "play": 0, "make": 0, "other": 1}.get(who, -1)
        return known(self.running.house.rooms.room(self.code).table, seat)

    def secret(self):
        return self.running.house.rooms.room(self.code).table.sealed.secret.hex()

    def close(self):
        self.client.close()
        for one in self.guests:
            one.close()
        self.running.stop()


def known(table, seat):
    game = find("gin")
    zones = game.view.zones(table.seen_by(seat))
    return {game.notation.card_text(card) for cards in zones.values() for card in cards if card != HIDDEN}


def finished(running, guest):
    """A match that is over: its table's code, and its id."""
    running.house.rooms.settings = running.house.rooms.settings.__class__(bot_pause=(0.0, 0.0))
    line = guest.line(code := guest.make(**{"option.target": "1"}))
    play(line)
    match = line.view["table"]["match"]
    line.close()
    running.house.rooms.settings = running.house.settings
    return code, match


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    made = Scenario(tmp_path_factory.mktemp("matrix"))
    yield made
    made.close()


@cache
def answers(scenario):
    """Every answer to everybody, by address."""
    found = {}
    for method, path in dict.fromkeys(addresses(scenario.app)):
        for over in (False, True) if "{match}" in path else (False,):
            address = f"{method} {path}{' over' if over else ''}"
            found[address] = {who: scenario.ask(who, method, path, over) for who in WHO}
    return found


def test_everybody_is_answered_as_the_table_says(scenario):
    wanted, wrong = expected(), []
    for address, given in answers(scenario).items():
        statuses = {who: str(status) for who, (status, _) in given.items()}
        if statuses != wanted.get(address):
            wrong.append(f"{address:45}  {' '.join(statuses.values())}")
    assert not wrong, "not as in matrix.txt:\n" + "\n".join(wrong)
    assert not set(wanted) - set(answers(scenario)), "addresses that there are not"
    print(f"{len(wanted)} addresses × {len(WHO)}: {len(wanted) * len(WHO)} answers as the table says")


def test_no_answer_names_what_its_reader_may_not_know(scenario):
    read = 0
    for address, given in answers(scenario).items():
        if address.endswith(" over") or address.partition(" ")[2] in BOOKS:
            continue
        for who, (_, body) in given.items():
            assert named(PROSE.sub("", body)) <= scenario.known(who), (address, who)
            assert scenario.secret() not in body, (address, who)
            read += len(body)
    assert read > 100_000
    own = given_to(scenario, "seat")
    assert len(own & hand(scenario, 0)) == 10  # what one may know is there: the reckoning reads the answers
    assert not own & hand(scenario, 1)


def given_to(scenario, who):
    return named(answers(scenario)["GET /api/v1/tables/{code}"][who][1])


def hand(scenario, seat):
    """The cards of a hand, from the whole state."""
    table, game = scenario.running.house.rooms.room(scenario.code).table, find("gin")
    cards = game.view.zones(table.match.state)[f"hand:{seat}"]
    return {game.notation.card_text(card) for card in cards}


def test_no_socket_tells_it_either(scenario):
    """What each line to the table has been sent so far, with everybody's requests between."""
    for seat, line in enumerate(scenario.lines):
        with suppress(TimeoutError):
            while True:
                line.receive(timeout=0.1)
        for frame in map(json.loads, line.frames):
            frame.get("table", {}).pop("link", None)  # a signature may read like anything
            assert named(frame) <= known(scenario.running.house.rooms.room(scenario.code).table, seat)
