"""What the workers on one PostgreSQL tell each other: which tables went on, and who is where.

A notice is sent after the commit, never inside it: there it would make all commits wait for each other. One connection
listens, another tells, each in a thread of its own; both come back by themselves, and whoever lost notices meanwhile
is told so, and looks again.
"""

from __future__ import annotations

import queue
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Engine

from brelan.server.ledger import logs
from brelan.server.store.engine import LINE, Place
from brelan.server.store.points import crash_point

if TYPE_CHECKING:
    import psycopg

CHANNEL = "brelan"
PAYLOAD = 7000  # bytes; PostgreSQL takes less than 8000
RETRY = (0.1, 3.0)  # seconds between two attempts to come back, the first and the longest
SILENCE = 5.0  # seconds without a notice until the listener asks whether the server is still there

SEND = "SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told"


class Notice(msgspec.Struct, omit_defaults=True):
    """A notice. `here` tells of the tables that a worker holds open who is there over it, of its host and those seated,
    with their round trips in seconds; None once it holds the table no more.
    """

    worker: str
    went: dict[str, int] = {}  # the number of each table's last event
    here: dict[str, dict[str, float] | None] = {}
    whole: bool = False  # what was known of that worker before counts no more
    asks: bool = False  # the others are to tell all they know
    forgot: str = ""  # a person who is nobody here from now on: their lines end
    ends: bool = False  # the worker goes


_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(Notice)


class Notices:
    """One worker's ear and mouth. `heard` is called with each notice of another worker, and with None when some may
    have been lost; it is called in a thread of its own.
    """

    def __init__(self, engine: Engine, place: Place, heard: Callable[[Notice | None], None]) -> None:
        self.engine, self.place, self.heard = engine, place, heard
        self.worker = secrets.token_hex(8)
        self.ended = threading.Event()
        self.waiting: queue.Queue[Notice | None] = queue.Queue()
        self.unsent: list[Notice] = []  # taken from there
        loops = (self._listen, self._tell)
        self.threads = [threading.Thread(target=self._always, args=(loop,), daemon=True) for loop in loops]
        for thread in self.threads:
            thread.start()

    def tell(self, **told: Any) -> None:
        """Tell the other workers, soon."""
        self.waiting.put(Notice(self.worker, **told))

    def close(self) -> None:
        """Tell what waits, and that this worker goes."""
        self.ended.set()
        self.tell(ends=True)
        self.waiting.put(None)
        for thread in self.threads:
            thread.join(SILENCE)

    # ------------------------------------------------------------ the threads

    def _always(self, loop: Callable[[psycopg.Connection[Any]], None]) -> None:
        """A loop over a connection, and over another when that one breaks."""
        import psycopg

        pause = RETRY[0]
        while not self.ended.is_set():
            try:
                with closing(self._connected()) as connection:
                    pause = RETRY[0]
                    loop(connection)
            except psycopg.Error as error:
                logs.trouble("storage", self.place.refusal(error))
                self.ended.wait(pause)
                pause = min(2 * pause, RETRY[1])

    def _connected(self) -> psycopg.Connection[Any]:
        import psycopg

        args, choices = self.engine.dialect.create_connect_args(self.place.url)
        return psycopg.connect(*args, **{**choices, **LINE}, autocommit=True)

    def _listen(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self.heard(None)
        while not self.ended.is_set():
            for notice in connection.notifies(timeout=SILENCE):
                if self.ended.is_set():
                    return
                told = _told(notice.payload)
                if told and told.worker != self.worker:
                    self.heard(told)
            connection.execute("SELECT 1")  # a line that is dead says nothing either

    def _tell(self, connection: psycopg.Connection[Any]) -> None:
        """What waits, in one go; what could not be sent is sent over the next connection, before all that came since:
        of two notices about a table the last is true.
        """
        connection.execute("SET synchronous_commit TO off")  # a notice need not survive anything
        while self._gather():
            connection.execute(SEND, [CHANNEL, payloads(self.worker, self.unsent)])
            self.unsent.clear()
            crash_point("after_notify")

    def _gather(self) -> bool:
        """Add what waits to what is to be sent; wait if there is nothing. Whether there is anything: not at the end."""
        if not self.unsent and (told := self.waiting.get()):
            self.unsent.append(told)
        with suppress(queue.Empty):
            while self.unsent and (told := self.waiting.get_nowait()):
                self.unsent.append(told)
            self.waiting.put(None)  # the end is seen again once these are sent
        return bool(self.unsent)


def _told(payload: str) -> Notice | None:
    """What a notice says; None for one that is not ours: other programs may use the database, too."""
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError:
        return None


def payloads(worker: str, batch: list[Notice]) -> list[str]:
    """Notices as texts, put together where only tables went on, parted where one would be too long. Equal ones are told
    once, where the last of them stands: within one transaction PostgreSQL would keep the first.
    """
    went = {code: number for told in batch for code, number in told.went.items()}
    texts = [text for told in batch if not told.went for text in _parted(told, "here", told.here)]
    if went:
        texts += _parted(Notice(worker), "went", went)
    return list(dict.fromkeys(reversed(texts)))[::-1]


def _parted(told: Notice, name: str, content: dict[str, Any]) -> Iterator[str]:
    """One notice, or several of which only the first says what is not content."""
    whole = _text(told, name, content)
    if len(whole) <= PAYLOAD or len(content) < 2:
        yield whole
        return
    items = list(content.items())
    half = len(items) // 2
    yield from _parted(told, name, dict(items[:half]))
    yield from _parted(Notice(told.worker), name, dict(items[half:]))


def _text(told: Notice, name: str, content: dict[str, Any]) -> str:
    return _encoder.encode(msgspec.structs.replace(told, **{name: content})).decode()
