"""How often somebody may ask for something: a bucket of tokens for each person and for each address.

A bucket fills at a steady pace up to its size, and everything asked takes a token out. A move that is due is never
counted: whoever is asked to play may play at any speed. The buckets of one process lie in its memory, at most so many
of them; nothing is written, and nobody's address stays longer than its bucket needs to fill again. Connections are
counted besides while they are open: they cost memory, though nothing is said on them.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from brelan.errors import Refusal
from brelan.play.messages import Ask, Echo, Hello, Hint, Message, Move, Ping, Say
from brelan.play.table import Table
from brelan.server.ledger import logs, metrics

Clock = Callable[[], float]
"""Seconds that never run backwards."""


CROWD = 10
"""So many persons may share an address (a family, a school): it has so many times what one person has."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, then one every `every` seconds; of an address `share` times that."""

    burst: int
    every: float
    share: int = CROWD


RATES = {
    "page": Rate(300, 0.05),
    "read": Rate(200, 0.05),
    "replay": Rate(100, 0.2),
    "draw": Rate(60, 0.5),  # QR codes
    "ask": Rate(60, 0.2),  # whatever is said to a table, but for moves that are due
    "say": Rate(6, 3.0, 40),  # chat, of whole classes: each table keeps its own speakers within bounds
    "hint": Rate(10, 3.0),
    "frame": Rate(120, 0.1),  # frames that only keep a connection alive
    "malformed": Rate(40, 1.0),
    "line": Rate(60, 0.5),  # handshakes
    "form": Rate(30, 2.0),
    "make": Rate(30, 10.0),  # tables
    "token": Rate(10, 60.0),
    "login": Rate(5, 30.0),
    "code": Rate(20, 3.0),  # codes of tables that there are not
}
"""By what is asked; for a person, or for somebody without a name."""

FULL = max(rate.burst * rate.every for rate in RATES.values())
"""After so many seconds any bucket is full, as if it had never been."""

NOTHING = 1e-6  # seconds: what is left of sums that do not come out even

PROXY = 100
"""Whoever comes from this machine itself may be everybody, behind a proxy that the house was not told of."""

LINES = 100
"""Connections that may be open at a time, for each person who may share an address: 1,000 of a school, in 36 MB."""

LINE_WAIT = 30
"""Seconds after which another connection may be tried: they close when people go."""

BUCKETS = 50_000
"""At most so many are kept, about 10 MB; the ones that nobody used for longest are forgotten first."""


class TooMany(Refusal):
    """Asked too often; after `wait` seconds it may be asked again."""

    def __init__(self, wait: float, key: str = "limits.too_many", **values: Any) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(key, n=self.wait, **values)


@dataclass(slots=True)
class Bucket:
    """`left` tokens at time `at`."""

    left: float
    at: float


@dataclass(slots=True)
class Limits:
    """The buckets of one house. Give it another clock, and time passes as the clock says."""

    clock: Clock = time.monotonic
    most: int = BUCKETS
    _buckets: OrderedDict[tuple[str, str], Bucket] = field(default_factory=OrderedDict)
    _lines: Counter[str] = field(default_factory=Counter)

    def take(self, kind: str, person: str = "", address: str = "", tokens: int = 1) -> None:
        """Count one more of that kind, for the person and for the address; refuses, and counts nothing, if a bucket of
        theirs is empty. Without tokens it only refuses.
        """
        rate, asked = RATES[kind], []
        if person:
            asked.append(self._filled(kind, person, rate, 1))
        if address:
            asked.append(self._filled(kind, near(address), rate, crowd(address, rate.share)))
        wait = max((wait for _, wait in asked), default=0.0)
        if wait > NOTHING:
            _refuse(kind, TooMany(wait))
        for bucket, _ in asked:
            bucket.left -= tokens

    def enter(self, address: str) -> None:
        """Count a connection from there until it leaves; refuses it if so many are open."""
        here, most = near(address), LINES * crowd(address)
        if self._lines[here] >= most:
            _refuse("lines", TooMany(LINE_WAIT, "limits.lines", most=most))
        self._lines[here] += 1

    def leave(self, address: str) -> None:
        """A connection from there has closed."""
        here = near(address)
        self._lines[here] -= 1
        if not self._lines[here]:
            del self._lines[here]

    def __len__(self) -> int:
        return len(self._buckets)

    def _filled(self, kind: str, who: str, rate: Rate, times: int) -> tuple[Bucket, float]:
        """The bucket as it is now, and the seconds until it holds a whole token."""
        now, key = self.clock(), (kind, who)
        bucket = self._buckets.get(key)
        if bucket is None:
            self.forget()
            bucket = self._buckets[key] = Bucket(rate.burst * times, now)
        self._buckets.move_to_end(key)
        bucket.left = min(rate.burst * times, bucket.left + (now - bucket.at) * times / rate.every)
        bucket.at = now
        return bucket, max(0.0, (1 - bucket.left) * rate.every / times)

    def forget(self) -> None:
        """Drop what is full again by now, and what is too much: from the one that nobody used for longest."""
        now = self.clock()
        while self._buckets:
            key, oldest = next(iter(self._buckets.items()))
            if now < oldest.at + FULL and len(self._buckets) < self.most:
                return
            del self._buckets[key]


def _refuse(kind: str, refusal: TooMany) -> NoReturn:
    """Note that something was asked too often, and refuse it."""
    metrics.LIMITED.labels(kind).inc()
    logs.often("limited", kind)
    raise refusal


def is_due(table: Table | None, person: str, message: Message, unreadable: bool = False) -> bool:
    """Whether a message is the move that the table waits for.

    Of a table that is not in memory yet nobody can say; the message brings it there, and counts as due, unless it is
    known that it cannot.
    """
    if not isinstance(message, Move):
        return False
    return table.is_due(person, message) if table else not unreadable


def kind_of(message: Message) -> str:
    """As what a message to a table counts."""
    if isinstance(message, Say):
        return "say"
    if isinstance(message, Hint):
        return "hint"
    if isinstance(message, Ask):
        return "read"
    return "frame" if isinstance(message, Hello | Ping | Echo) else "ask"


# ---------------------------------------------------------------- who it is


def address_of(asked: HTTPConnection) -> str:
    """Where somebody asks from. Behind a proxy that the house trusts, the server has put the client's own there."""
    return asked.client.host if asked.client else ""


def near(address: str) -> str:
    """The addresses that one household can choose from: of IPv6 a whole network of 64 bits."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))


def crowd(address: str, share: int = CROWD) -> int:
    """How many times what one person has that address has."""
    return PROXY if is_own_machine(address) else share


def is_own_machine(address: str) -> bool:
    """Whether it is a loopback address, or none at all."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return True
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback


# ---------------------------------------------------------------- at the door


FREE = ("/static/", "/api/v1/")
"""Addresses below these are not counted as pages: the API counts by what is asked there."""

ALIVE = ("/health", "/ready")
"""Nor are these."""

Refused = Callable[[Request, Exception], Awaitable[Response]]


class Limited:
    """Counts every page by the address that asks for it; too many are refused before anything is read."""

    def __init__(self, app: ASGIApp, refused: Refused) -> None:
        self.app, self.refused = app, refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.app
        if scope["type"] == "http" and scope["path"] not in ALIVE and not scope["path"].startswith(FREE):
            request = Request(scope)
            try:
                request.app.state.house.limits.take("page", address=address_of(request))
            except TooMany as refusal:
                app = await self.refused(request, refusal)
        await app(scope, receive, send)
