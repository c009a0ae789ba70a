"""The figures that a house shows to whoever looks after it: counted here, answered on this machine only.

Labels are words of our own (games, routes, errors); never a code, a person, a name or a card. All that is counted of a
move takes 4 µs, with workers 9; the move itself takes a thousand. Several workers each count in a file, and the process
that started them answers with the sums.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brelan.errors import Refusal, at_least
from brelan.play.seats import Event

if TYPE_CHECKING:
    from brelan.server.store.index import Summary

LOOPBACK = "127.0.0.1"
PATIENCE = 2.0  # seconds in which the house answers; who asks for the figures waits no longer than ten

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The environment's name for the folder where workers count together; the library looks at it when it is imported."""

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
EVENTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody asks when each was first counted
FIGURES = CollectorRegistry()


def _counter(name: str, what: str, *labels: str) -> Counter:
    return Counter(f"brelan_{name}", what, labels, registry=FIGURES)


def _gauge(name: str, what: str, *labels: str) -> Gauge:
    return Gauge(f"brelan_{name}", what, labels, registry=FIGURES, multiprocess_mode="livesum")


def _histogram(name: str, what: str, buckets: Sequence[float]) -> Histogram:
    return Histogram(f"brelan_{name}", what, buckets=buckets, registry=FIGURES)


MOVES = _counter("moves", "Moves on disk; by a person, a bot, a seat's keeper, or the table itself", "game", "by")
STARTED = _counter("matches_started", "Matches begun", "game")
OVER = _counter("matches_over", "Matches that came to their end, their secrets opened", "game")
KEPT = _counter("seats_kept", "Persons' seats handed to a bot", "why")
ACKNOWLEDGED = _histogram("acknowledgement_seconds", "From a message's arrival to its acknowledgement", SECONDS)
COMMITTED = _histogram("commit_events", "Events of tables written by one commit", EVENTS)
COMMIT = _histogram("commit_seconds", "What a commit of events took", SECONDS)
TABLES = _gauge("tables_open", "Tables in memory")
LINES = _gauge("lines", "Open WebSockets", "page")
RECONNECTS = _counter("reconnects", "Lines to a table that had been there before")
REFUSALS = _counter("refusals", "Messages to tables that were refused", "error")
LIMITED = _counter("limited", "What was asked too often", "kind")
REQUESTS = _counter("requests", "Requests answered", "route", "status")
TROUBLES = _counter("database_errors", "Refusals of the database", "kind")
BOTS = _counter("bot_troubles", "Of what the house's bots think with", "kind")
LAG = _histogram("loop_lag_seconds", "By how much the event loop was late", SECONDS)
INFO = Gauge(
    "brelan_info",
    "The version that runs, and the digest of its sources",
    ("version", "build"),
    registry=FIGURES,
    multiprocess_mode="livemax",  # of each worker: while they give way to others there are two
)


# ---------------------------------------------------------------- counting


def entered(events: Sequence[Event], summary: Summary) -> None:
    """Count what has happened at a table, once it is on disk."""
    for event in events:
        match event.kind:
            case "move":
                MOVES.labels(summary.game, mover(event)).inc()
            case "header":
                STARTED.labels(summary.game).inc()
            case "over":
                OVER.labels(summary.game).inc()
            case "kept":
                KEPT.labels(event.data["why"]).inc()


def mover(move: Event) -> str:
    """By whom a move was made."""
    if "by" in move.data:
        return "keeper"
    return "bot" if move.person.startswith("bot:") else "person" if move.person else "table"


def committed(events: int, seconds: float) -> None:
    """Count one commit."""
    COMMITTED.observe(events)
    COMMIT.observe(seconds)


@contextmanager
def line(page: str) -> Iterator[None]:
    """Count a line while it is open."""
    lines = LINES.labels(page)
    lines.inc()
    try:
        yield
    finally:
        lines.dec()


class Counted:
    """Counts every answer by its route's template; what no route is for, and what files there are, by one name each."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                REQUESTS.labels(template(scope), message["status"]).inc()
            await send(message)

        await self.app(scope, receive, counted if scope["type"] == "http" else send)


def template(scope: Scope) -> str:
    """The template of the route that answered, as `/t/{code}`."""
    return getattr(scope.get("route"), "path", "") or "other"


# ---------------------------------------------------------------- answering


class Inquiry(Collector):
    """What is asked of the house when somebody looks: the matches that are not over. A database that is silent is not
    asked again before it has answered.
    """

    def __init__(self, matches: Callable[[], dict[str, int]]) -> None:
        self.matches = matches
        self.answer: Future[dict[str, int]] | None = None

    def collect(self) -> Iterator[Metric]:
        try:
            found = self._asked().result(PATIENCE)
        except (Refusal, TimeoutError):  # then the database's own figures tell
            return
        shown = GaugeMetricFamily("brelan_matches_unopened", "Matches begun whose secret is not open", labels=["age"])
        for age, number in found.items():
            shown.add_metric([age], number)
        yield shown

    def _asked(self) -> Future[dict[str, int]]:
        """The answer that is awaited, or another, in a thread for which nobody waits at the end."""
        if self.answer is None or self.answer.done():
            answer: Future[dict[str, int]] = Future()
            threading.Thread(target=self._answer, args=(answer,), daemon=True).start()
            self.answer = answer  # of a thread that could not begin none would ever come
        return self.answer

    def _answer(self, asked: Future[dict[str, int]]) -> None:
        try:
            asked.set_result(self.matches())
        except Exception as error:
            asked.set_exception(error)


@contextmanager
def answered(port: int, inquiry: Inquiry, shared: Path | None = None) -> Iterator[int]:
    """Answer on the loopback address, in threads of its own; the port. With a shared folder: the sum over workers."""
    at_least(0, 65535, metrics=port)
    registry = CollectorRegistry()
    counted = MultiProcessCollector(None, str(shared)) if shared else FIGURES  # type: ignore[no-untyped-call]
    for collector in (counted, inquiry, *(() if shared else (ProcessCollector(registry=None),))):
        registry.register(collector)
    try:
        server, _ = start_http_server(port, LOOPBACK, registry)
    except OSError as error:
        raise Refusal("serve.metrics", host=LOOPBACK, port=port, why=error) from error
    try:
        yield server.server_port
    finally:
        threading.Thread(target=_close, args=(server,), daemon=True).start()  # it takes half a second to notice


def _close(server: WSGIServer) -> None:
    server.shutdown()
    server.server_close()


def share(folder: Path) -> Path:
    """Let the workers that are started from now on count together; what others left there is of an earlier house."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    os.environ[SHARED] = str(folder)
    return folder


def gone(pid: int | None, shared: Path) -> None:
    """A worker has ended: what it held open is no longer open; what it counted stays."""
    mark_process_dead(pid, str(shared))  # type: ignore[no-untyped-call]
