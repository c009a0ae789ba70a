"""Messages that nobody should send, by the hundred thousand: `make fuzz`, and a short form among the tests.

They go through the house's own socket handler, its rooms and a real SQLite store, without a network between. Some are
noise, some follow the protocol's grammar with wild values, some are right: a table under fire is played at as well.
"""

import argparse
import asyncio
import json
import logging
import random
import string
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from starlette.responses import Response

from brelan.cards import HIDDEN
from brelan.games import GAMES
from brelan.play.messages import Asking, Bot, Echo, Hello, Nonce, Ping, Sit
from brelan.server.app import create_app
from brelan.server.people import tokens
from brelan.server.people.identity import GUEST, Guest
from brelan.server.settings import Settings
from brelan.server.web.limits import FULL
from brelan.words import Words
from tests.server.clients import moves_of

HOST = "house.example"
KINDS = [Hello, Ping, Echo, Nonce, *Asking.__subclasses__()]
WILD = [
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**70),
    1e308,
    0.5,
    None,
    True,
    "",
    "0",
    "\0",
    "é" * 300,
    [],
    {},
    [[[]]],
    "🂡",
    "\ud800",
]
LOGIN = "fuzz"
SPENT = Words("en")("table.restless")
"""What a table says whose seats have changed so often that it wants no more of it: the one end there is."""


class Told(msgspec.Struct):
    """What every frame to a client has."""

    type: Literal["view", "ack", "ask", "hint", "refused", "pong", "probe"]
    words: str = ""


TOLD = msgspec.json.Decoder(Told)


class Leaping:
    """A clock by which every bucket is always full: here it is not the limits that are tried."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += FULL
        return self.now


class Faults(logging.Handler):
    """Whatever the house logs as a fault of its own, told at once."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.found = []

    def emit(self, record):
        self.keep(self.format(record))

    def keep(self, fault):
        self.found.append(fault)
        print(fault, file=sys.stderr, flush=True)


@dataclass
class Line:
    """One end of a socket: what it sends comes from a queue, what it is sent is counted, and the last view kept."""

    headers: list
    code: str
    frames: asyncio.Queue = field(default_factory=lambda: asyncio.Queue(16))
    task: asyncio.Task | None = None
    last: str | bytes | None = None
    read: tuple[str | bytes | None, dict | None] = (None, None)
    closed: int = 0
    told: int = 0
    refused: str = ""  # why, the last time

    def open(self, app):
        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": f"/t/{self.code}/socket",
            "query_string": b"",
            "headers": self.headers,
            "client": ("127.0.0.1", 1),
            "server": (HOST, 80),
            "extensions": {"wire": self},  # the house tells a line what it has through its wire
        }
        self.frames = asyncio.Queue(16)
        self.frames.put_nowait({"type": "websocket.connect"})
        self.frames.put_nowait({"type": "websocket.receive", "text": '{"type":"hello","since":null}'})
        self.task = asyncio.create_task(app(scope, self.frames.get, self.send))

    async def send(self, message):
        if message["type"] == "websocket.close":
            self.closed += 1
        if text := message.get("text"):
            self.tell(text)

    is_free = True

    def tell(self, text):
        """As a wire does it: what is told goes to the client at once."""
        self.told += 1
        frame = TOLD.decode(text)
        self.refused = frame.words or self.refused
        if frame.type == "view":
            self.last = text

    @property
    def transport(self):
        return self

    def close(self):
        """The house ends the line."""
        self.closed += 1
        self.frames.put_nowait({"type": "websocket.disconnect", "code": 1006})

    @property
    def view(self):
        """The newest view, read when somebody wants it."""
        if self.last and self.read[0] is not self.last:
            self.read = self.last, msgspec.json.decode(self.last)
        return self.read[1]

    async def say(self, app, frame):
        """Put a frame into the line, opened again if the house has closed it."""
        if self.task is None or self.task.done():
            if self.task:
                self.task.result()  # what broke it is a fault
            self.open(app)
        kind = "text" if isinstance(frame, str) else "bytes"
        put = asyncio.ensure_future(self.frames.put({"type": "websocket.receive", kind: frame}))
        await asyncio.wait([put, self.task], return_when=asyncio.FIRST_COMPLETED)
        put.cancel()

    async def end(self):
        if self.task and not self.task.done():
            await self.frames.put({"type": "websocket.disconnect", "code": 1000})
            await self.task


class Grammar:
    """Frames at random: noise, nearly right, or right for the last view of a line."""

    def __init__(self, chance):
        self.chance = chance

    def frame(self, line):
        roll = self.chance.random()
        if roll < 0.4:
            return self.noise()
        if roll < 0.9:
            return self.nearly(line.view)
        return self.right(line.view)

    def noise(self):
        chance = self.chance
        match chance.randrange(5):
            case 0:
                return chance.randbytes(chance.randrange(200))
            case 1:
                return "".join(chance.choices(string.printable, k=chance.randrange(200)))
            case 2:
                return chance.choice("[{") * chance.randrange(1, 3000)
            case 3:
                text = bytearray(self.right(None).encode())
                text[chance.randrange(len(text))] = chance.randrange(256)
                return bytes(text)
            case _:
                return json.dumps({"type": chance.choice(WILD), "key": chance.choice(WILD)})

    def nearly(self, view):
        """A message of the protocol whose fields may be anything."""
        kind = self.chance.choice(KINDS)
        message = {"type": kind.__struct_config__.tag}
        for name in msgspec.structs.fields(kind):
            if self.chance.random() < 0.9:
                message[name.name] = self.value(name.name, view)
        if self.chance.random() < 0.1:
            message["more"] = self.chance.choice(WILD)
        return json.dumps(message)

    def value(self, name, view):
        chance = self.chance
        if chance.random() < 0.2:
            return chance.choice(WILD)
        number = view["number"] if view else 0
        usual = {
            "key": self.key,
            "since": lambda: chance.choice([None, 0, number, number + 1]),
            "seen": lambda: number - chance.choice([0, 0, 0, 1, 5]),
            "move": lambda: chance.choice(["draw", "pass", "take", "discard 7h", "play R7", "ready", "x" * 64, ""]),
            "seat": lambda: chance.randrange(-1, 7),
            "name": lambda: chance.choice(["Anna", "", " ", "\u202e", "x" * 300]),
            "level": lambda: chance.choice(["novice", "random", None, "god"]),
            "nonce": lambda: chance.randbytes(16).hex(),
            "at": lambda: chance.choice([0.0, 1e9, -1.0]),
            "agree": lambda: chance.random() < 0.5,
            "preset": lambda: chance.choice(["hello", "thanks", "nothing", None]),
            "text": lambda: chance.choice(["hello", None, "x" * 201]),
        }
        return usual.get(name, lambda: chance.choice(WILD))()

    def seating(self, table):
        """Before and after a match: a person sits down, bots take the other seats, and it begins."""
        free = [seat["seat"] for seat in table["seats"] if seat["kind"] == "open"]
        if table["seat"] is None and free:
            return {"type": "sit", "seat": free[0], "name": "Anna"}
        if free:
            return {"type": "bot", "seat": free[0], "level": "novice"}
        return {"type": "start" if table["status"] == "open" else "again"}

    def key(self):
        return "".join(self.chance.choices(string.ascii_letters, k=8))

    def right(self, view):
        """What a good client would say now."""
        key = self.key()
        if view is None:
            return json.dumps({"type": "ping"})
        table, scene = view["table"], view["scene"]
        if table["wants_nonce"]:
            return json.dumps({"type": "nonce", "nonce": self.chance.randbytes(16).hex()})
        if table["status"] == "playing" and table["seat"] in table["waits_for"]:
            return json.dumps({"type": "next", "key": key})
        if table["status"] != "playing":
            return json.dumps(self.seating(table) | {"key": key})
        moves = moves_of(view) if scene else []
        if moves:
            return json.dumps({"type": "move", "key": key, "seen": view["number"], "move": self.chance.choice(moves)})
        return json.dumps({"type": "ping"})


class Fire:
    """A house with a table of each game, and lines of everybody who could be there."""

    def __init__(self, folder, seed):
        self.app = create_app(Settings(data=folder, bot_pause=(0.0, 0.0), bot_claim=(0.0, 0.0)))
        self.house = self.app.state.house
        self.house.limits.clock = Leaping()
        self.chance = random.Random(seed)
        self.grammar = Grammar(self.chance)
        self.lines = []
        self.sent = self.looked = self.spent = 0
        self.faults = Faults()
        logging.getLogger("brelan").addHandler(self.faults)

    async def begin(self):
        self.house.rooms.begin()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.faults.keep(str(context)))
        for game in GAMES:
            for manner in game.manners or (None,):
                await self.table(game, manner)
        await self.play(5)

    async def table(self, game, manner):
        """Two persons, bots on the other seats, somebody who watches, and two programs."""
        persons = [Guest(f"{self.chance.getrandbits(128):032x}", name) for name in ("Anna", "Ben", "Eve")]
        anna = persons[0]
        asked = [Sit("a", 0, "Anna"), *(Bot(f"b{i}", i, "novice") for i in range(2, game.seats[-1]))]
        code = await self.house.rooms.make(asked, game.id, game.seats[-1], anna.id, manner=manner)
        self.lines += [Line(self.cookie(person), code) for person in persons]
        made = [tokens.make(self.house.store, anna.id, LOGIN, scopes)[0] for scopes in (["read"], ["read", "play"])]
        self.lines += [Line([(b"authorization", f"Bearer {text}".encode())], code) for text in made]
        ben = self.lines[-4]
        await ben.say(self.app, json.dumps({"type": "sit", "key": "s", "seat": 1, "name": "Ben"}))

    def cookie(self, guest):
        response = Response()
        self.house.identity.remember(response, guest, Asked())
        value = response.headers["set-cookie"].partition(";")[0].partition("=")[2]
        headers = {"host": HOST, "origin": f"http://{HOST}", "cookie": f"{GUEST}={value}"}
        return [(name.encode(), text.encode()) for name, text in headers.items()]

    async def fire(self, messages):
        """So many messages, at all tables at once."""
        lines, each = self.lines, messages // len(self.lines)

        async def one(line):
            for _ in range(each):
                await line.say(self.app, self.grammar.frame(line))
                self.sent += 1

        await asyncio.gather(*(one(line) for line in lines))

    async def check(self):
        """What every line sees now: no card that its seat may not know."""
        for line in self.lines:
            if (line.task is None or line.task.done()) or line.view is None:
                continue
            room = self.house.rooms.room(line.code)
            scene, table = line.view["scene"], room.table
            if not scene or not table or line.view["number"] != room.number or not table.match:
                continue
            self.looked += 1
            seat = -1 if line.view["table"]["seat"] is None else line.view["table"]["seat"]
            view = table.game.view
            zones = view.zones(view.redact(table.match.state, seat)).values()  # the rules' word, not the table's
            known = {table.game.notation.card_text(card) for zone in zones for card in zone if card != HIDDEN}
            faces = {card["face"] for zone in scene["zones"] for card in zone["cards"] if card["face"]}
            assert faces <= known, (line.code, seat, faces - known)

    async def play(self, moves):
        """Every table can be played at: so many things happen at each while only good clients speak."""
        for code in {line.code for line in self.lines}:
            here = [line for line in self.lines if line.code == code]
            room = self.house.rooms.room(code)
            began, deadline = room.number, time.monotonic() + 60
            while room.number < began + moves:
                assert time.monotonic() < deadline, (code, room.table and room.table.status, here[0].view)
                for line in here:
                    await line.say(self.app, self.grammar.right(line.view))
                if any(line.refused == SPENT for line in here):
                    self.spent += 1
                    break
                await asyncio.sleep(0.005)

    async def end(self):
        for line in self.lines:
            await line.end()
        await self.house.close()
        logging.getLogger("brelan").removeHandler(self.faults)


class Asked:
    """As much of a request as a cookie needs."""

    class url:  # noqa: N801
        scheme = "http"


def memory():
    """Megabytes that this process holds."""
    status = Path("/proc/self/status").read_text("utf-8")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


async def run(folder, messages, seed, tell=print):
    """Fire, look, play on; what it came to."""
    fire = Fire(folder, seed)
    await fire.begin()
    await fire.fire(messages // 10)
    before, began = memory(), time.perf_counter()
    for _ in range(9):
        await fire.fire(messages // 10)
        await fire.check()
        tell(f"{fire.sent:9} messages, {memory():.0f} MB, {len(fire.faults.found)} faults")
    seconds, grown = time.perf_counter() - began, memory() - before
    await fire.play(20)
    await fire.end()
    told, closed = sum(line.told for line in fire.lines), sum(line.closed for line in fire.lines)
    rate = messages * 0.9 / seconds
    tell(f"{fire.sent} messages at {rate:.0f}/s, {told} answered or shown, {closed} lines closed")
    tell(f"{fire.looked} views looked through, {fire.spent} tables spent, +{grown:.0f} MB")
    return fire, grown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fire, grown = asyncio.run(run(Path(folder), asked.messages, asked.seed))
    return 1 if fire.faults.found or grown > 200 else 0


if __name__ == "__main__":
    sys.exit(main())
