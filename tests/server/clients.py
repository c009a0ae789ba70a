"""What the server's tests share: a guest with a browser's manners, and a house in a process that can be killed."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import ExitStack

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SERVER = """
import sys
from pathlib import Path
from contextlib import ExitStack

from brelan.server.app import Settings, serve
settings = Settings(port=0, data=Path(sys.argv[1]), bots="novice", bot_pause=(0.0, 0.0))
serve(settings, lambda address: print(address, flush=True))
"""


class Guest:
    """Somebody with a browser: a cookie, forms, and a line to a table."""

    def __init__(self, address, cookies=None):
        self.address = address.rstrip("/")
        self.open = ExitStack()
        http = httpx.Client(base_url=self.address, headers={"origin": self.address}, cookies=cookies, timeout=30)
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


def choose(view):
    """A choice as a hasty person makes it, from nothing but the scene: end the hand, else throw the last card."""
    moves = [choice["move"] for choice in view["scene"]["choices"] if not choice["why"]]
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

    def __init__(self, data, crash="", script=SERVER):
        environment = os.environ | {"BRELAN_CRASH": crash, "PYTHONPATH": os.pathsep.join(sys.path)}
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
