"""What the server's tests share: a guest with a browser's manners, and a house in a process that can be killed."""

import html
import json
import os
import re
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack
from types import SimpleNamespace

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SERVER = """
import sys
from pathlib import Path

from brelan.server.app import Settings, serve
settings = Settings(port=0, data=Path(sys.argv[1]), bots="novice", bot_pause=(0.0, 0.0))
serve(settings, lambda address: print(address, flush=True))
"""


class Browser(httpx.Client):
    """It sends a form again where it is told to, with the cookie that it was given; other redirects are the test's."""

    def send(self, *request, **choices):
        answer = super().send(*request, **choices)
        return self.send(answer.next_request) if answer.status_code == 307 else answer


class Guest:
    """Somebody with a browser: a cookie, forms, and a line to a table."""

    def __init__(self, address, cookies=None):
        self.address = address.rstrip("/")
        self.open = ExitStack()
        http = Browser(base_url=self.address, headers={"origin": self.address}, cookies=cookies, timeout=30)
        self.http = self.open.enter_context(http)

    def make(self, game="gin", against="bots", **fields):
        """A table by the lobby's form; its code."""
        data = {"game": game, "against": against, "nickname": "Anna", "players": "2"} | fields
        answer = self.http.post("/tables", data=data)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def line(self, code, since=None, origin=None, hello=True, **manners):
        """A socket to a table. Some are left in the middle of a frame: no close is answered there, nor waited for."""
        cookies = "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)
        url = self.address.replace("http", "ws", 1) + f"/t/{code}/socket"
        manners = {"origin": origin or self.address, "close_timeout": 1} | manners
        socket = connect(url, additional_headers={"Cookie": cookies}, **manners)
        return Line(self.open.enter_context(socket), since, hello)

    def close(self):
        self.open.close()


class Line:
    """One socket to a table. It keeps every frame, and the newest view as `view`."""

    def __init__(self, socket, since, hello):
        self.socket, self.frames, self.view = socket, [], None
        self.lag = 0.0  # seconds until a probe is sent back
        if hello:
            self.send("hello", key=None, since=since)
            self.until(lambda frame: frame["type"] == "view")

    def send(self, kind, key="", **fields):
        """Say something; its key, drawn unless given."""
        message = {"type": kind, **fields}
        if key is not None:
            message["key"] = key or secrets.token_hex(8)
        self.socket.send(json.dumps(message))
        return message.get("key")

    def ask(self, kind, key="", **fields):
        """Say something and wait for its answer."""
        key = self.send(kind, key, **fields)
        return self.until(lambda frame: frame.get("key") == key)

    def receive(self, timeout=20.0):
        text = self.socket.recv(timeout)
        self.frames.append(text)
        frame = json.loads(text)
        if frame["type"] == "probe":
            time.sleep(self.lag)
            self.send("echo", key=None, at=frame["at"])
        if frame["type"] == "view":
            self.view = frame
            if frame["table"]["wants_nonce"]:
                self.send("nonce", key=None, nonce=secrets.token_hex(16))
        return frame

    def until(self, wanted):
        """The next frame of that kind; what comes before it is kept."""
        while not wanted(frame := self.receive()):
            pass
        return frame

    def viewed(self, wanted):
        """Wait until the newest view is like that."""
        while not (self.view and wanted(self.view)):
            self.receive()
        return self.view

    def close(self):
        self.socket.close()


def my_turn(view):
    scene = view["scene"]
    return bool(scene and scene["seat"] in scene["turn"] and scene["choices"])


def over(view):
    return view["table"]["status"] == "over"


def turn(line):
    """Go on until it is one's own turn: a bot may end a round before one has played."""
    while not my_turn(line.view):
        act(line)
    return line.view


def moves_of(view):
    """The moves that are open to whoever sees it."""
    return [choice["move"] for choice in view["scene"]["choices"] if not choice["why"]]


def choose(view):
    """A choice as a hasty person makes it, from nothing but the scene: end the hand, else throw the last card."""
    moves = moves_of(view)
    ending = [move for move in moves if move.startswith(("knock", "gin"))]
    return (ending or [moves[-1]])[0]


def act(line):
    """Do what the table waits for from this line, if anything; the acknowledged move or None."""
    view = line.view
    if view["table"]["seat"] in view["table"]["waits_for"]:
        line.ask("next")
    elif my_turn(view):
        move = choose(view)
        return move, line.ask("move", seen=view["number"], move=move)
    else:
        line.receive()
    return None


def play(line, until=over):
    """Play on until something holds; every answered move with its answer."""
    answered = []
    while not until(line.view):
        done = act(line)
        if done:
            answered.append(done)
            line.viewed(lambda view, number=done[1]["number"]: view["number"] >= number)
    return answered


class Process:
    """A house in a process of its own."""

    def __init__(self, data, script=SERVER):
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, str(data)], stdout=subprocess.PIPE, text=True, env=environment
        )
        self.address = self.process.stdout.readline().strip()

    def kill(self):
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.wait()

    def wait(self):
        self.process.wait(10)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


LOST = (ConnectionClosed, OSError, httpx.TransportError)


ALL = ["read", "play", "make"]


class Program(Guest):
    """A program with a token of somebody's."""

    def __init__(self, owner, *scopes, **headers):
        super().__init__(owner.address)
        made = owner.http.post("/api/v1/tokens", json={"name": "test", "scopes": list(scopes or ALL)})
        assert made.status_code == 201, made.text
        self.token, self.id = made.json()["text"], made.json()["token"]["id"]
        del self.http.headers["origin"]
        self.http.headers.update({"authorization": f"Bearer {self.token}", **headers})

    def table(self, **wanted):
        made = self.http.post("/api/v1/tables", json={"game": "gin", "players": 2, "name": "Robin"} | wanted)
        assert made.status_code == 201, made.text
        return made.json()["code"]

    def view(self, code, since=None, **query):
        answer = self.http.get(f"/api/v1/tables/{code}", params=query | ({} if since is None else {"since": since}))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until(self, code, wanted, seconds=120):
        """The newest view of a table once it is like that; its nonce is sent by the way."""
        view, last, nonces = self.view(code), time.monotonic() + seconds, []
        while not wanted(view):
            assert time.monotonic() < last, f"not so in {seconds} s; nonces came to {nonces}; the last view was {view}"
            if view["table"]["wants_nonce"]:
                nonces.append(self.say(code, "nonce", nonce=secrets.token_hex(16)).text)
            view = self.view(code, since=view["number"])
        return view

    def say(self, code, kind, key="", **fields):
        message = {"type": kind, "key": key or secrets.token_hex(8), **fields}
        return self.http.post(f"/api/v1/tables/{code}/messages", json=message)

    def line(self, code, since=None, hello=True, headers=None, **_):
        url = self.address.replace("http", "ws", 1) + f"/t/{code}/socket"
        headers = {"Authorization": f"Bearer {self.token}"} if headers is None else headers
        return Line(self.open.enter_context(connect(url, additional_headers=headers)), since, hello)


def until(so, seconds=20):
    """Whether it comes to be so."""
    last = time.monotonic() + seconds
    while not (found := so()) and time.monotonic() < last:
        time.sleep(0.05)
    return found


def repeat(times, act):
    for _ in range(times):
        act()


def fail(*_):
    """Stands where a store writes or reads, so that it cannot."""
    raise sqlite3.OperationalError("database or disk is full")


def alert(answer):
    """The one sentence that says what was wrong."""
    (sentence,) = re.findall(r'role="alert"[^>]*>([^<]*)<', answer.text)
    return html.unescape(sentence)


def identity(running, guest):
    return running.house.identity.guest(SimpleNamespace(cookies=dict(guest.http.cookies)))


def lobby(guest, house=None, **asked):
    """A line to the lobby, as the page opens one; over another house if one is named."""
    cookies = "; ".join(f"{c.name}={c.value}" for c in guest.http.cookies.jar)
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    house = (house or guest.address).rstrip("/")
    address = house.replace("http", "ws", 1) + f"/lobby/socket?{query}"
    line = connect(address, additional_headers={"Cookie": cookies}, origin=house, close_timeout=1)
    return guest.open.enter_context(line)


def told(line, kind, until, seconds=10.0):
    """The next frame of a kind over the lobby's line that is as wanted."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        frame = json.loads(line.recv(seconds))
        if frame["type"] == kind and until(frame):
            return frame
    raise AssertionError(f"nothing was told of {kind}")
