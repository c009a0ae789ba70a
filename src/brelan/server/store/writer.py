"""The one thread that writes. It commits together all that arrived while it was writing; so a busy house pays for one
sync what an idle one pays for one move.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Executable
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, DBAPIError

from brelan.errors import Refusal
from brelan.server.ledger import logs, metrics
from brelan.server.store import index
from brelan.server.store.engine import Conflict, Place, Storage, opened, writing
from brelan.server.store.points import crash_point
from brelan.server.store.relations import events

BATCH = 1000
"""At most so many tables' events go into one commit."""

TRIES = 3
"""A transaction that the server ended because of another's is begun again."""


@dataclass(slots=True)
class Append:
    """A table's next events, and how they leave it."""

    rows: list[dict[str, Any]]
    summary: index.Summary | None
    quiet: bool  # whether seats and matches stay as they were
    before: Callable[[Connection], None] | None  # what else is written with them, and first
    done: Future[None] = field(default_factory=Future)


@dataclass(slots=True)
class Work:
    """Whatever else is to be written, in a transaction of its own."""

    do: Callable[[Connection], Any]
    done: Future[Any] = field(default_factory=Future)


@dataclass(slots=True)
class Between(Work):
    """What cannot be in a transaction; it is given the driver's own connection."""


Job = Append | Work


class Writer:
    """A queue of jobs and the thread that does them in their order."""

    def __init__(self, place: Place, check: Callable[[], None], told: Callable[[dict[str, int]], None]) -> None:
        self.engine, self.place = opened(place), place  # its own: whoever reads never keeps it waiting
        self.check, self.told = check, told
        self.jobs: queue.Queue[Job | None] = queue.Queue()
        self.asked_at: float | None = None  # since when the database is to answer; it need not be asked anything
        self.ended = False
        self.ending = threading.Lock()  # no job slips in behind the end
        self.thread = threading.Thread(target=self._run, name="brelan-store", daemon=True)
        self.thread.start()

    def put(self, job: Job) -> None:
        """Let a job be done. One that comes after the end is cancelled: whoever waits for it would wait for ever, and
        keep the process from ending.
        """
        with self.ending:
            if not self.ended:
                self.jobs.put(job)
                return
        job.done.cancel()

    def silence(self) -> float:
        """Seconds for which the database has not answered what it was given last, 0 if it has."""
        asked_at = self.asked_at  # one read: the thread may forget it between a test and another
        return 0.0 if asked_at is None else time.monotonic() - asked_at

    def close(self) -> None:
        """Do what is waiting, and end."""
        with self.ending:
            self.ended = True
            self.jobs.put(None)
        self.thread.join()
        self.engine.dispose()

    def _run(self) -> None:
        while batch := list(self._waiting()):
            wanted = [job for job in batch if job.done.set_running_or_notify_cancel()]
            for kind, jobs in groupby(wanted, type):
                if kind is Append:
                    self._append([job for job in jobs if isinstance(job, Append)])
                else:
                    for job in jobs:
                        self._work(job)

    def _waiting(self) -> Iterator[Job]:
        """The next job, and all that wait behind it; nothing at the end."""
        for count in range(BATCH):
            try:
                job = self.jobs.get(block=count == 0)
            except queue.Empty:
                return
            if job is None:
                self.jobs.put(None)  # the end is seen again once these are done
                return
            yield job

    def _work(self, job: Job) -> None:
        assert isinstance(job, Work)
        try:
            job.done.set_result(self._between(job.do) if isinstance(job, Between) else self._transaction(job.do))
        except Exception as error:  # whatever it was, this thread must go on
            job.done.set_exception(self._known(error))

    def _append(self, jobs: list[Append]) -> None:
        """All jobs in one transaction. If that fails by one of them, each half has its own, so that it cannot spoil the
        others; a database that takes nothing is not asked once for each: it may be silent for seconds.
        """
        began = time.perf_counter()
        try:
            self._transaction(lambda connection: self._insert(connection, jobs))
        except Exception as error:  # as above
            if len(jobs) == 1 or (isinstance(error, Storage) and not isinstance(error.__cause__, DataError)):
                known = self._known(error)
                for job in jobs:
                    job.done.set_exception(known)
            else:
                half = len(jobs) // 2
                self._append(jobs[:half])
                self._append(jobs[half:])
            return
        metrics.committed(sum(len(job.rows) for job in jobs), time.perf_counter() - began)
        for job in jobs:
            job.done.set_result(None)
        self.told({job.rows[-1]["code"]: job.rows[-1]["number"] for job in jobs if job.rows})

    def _insert(self, connection: Connection, jobs: list[Append]) -> None:
        """In the order of their codes: see `index.written`."""
        for job in jobs:
            if job.before:
                job.before(connection)
        _add(connection, [row for job in jobs for row in job.rows])
        loud = [job.summary for job in jobs if job.summary and not job.quiet]
        index.written(connection, loud, [job.summary for job in jobs if job.summary and job.quiet])

    def _transaction(self, do: Callable[[Connection], Any]) -> Any:
        for left in reversed(range(TRIES)):
            try:
                with self._asking():
                    return self._once(do)
            except Storage as refusal:
                if refusal.key != "storage.locked" or not left or not self._is_passing(refusal):
                    raise
        raise AssertionError

    def _once(self, do: Callable[[Connection], Any]) -> Any:
        self.check()
        with writing(self.engine) as connection:
            result = do(connection)
            crash_point("before_commit")
        crash_point("after_commit")
        return result

    def _between(self, do: Callable[[Any], Any]) -> Any:
        with self._asking(), closing(self.engine.raw_connection()) as connection:
            return do(connection)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Meanwhile the database is to answer; what it says is said clearly."""
        self.asked_at = time.monotonic()
        try:
            with self.place.clearly():
                yield
        finally:
            self.asked_at = None

    def _is_passing(self, refusal: Storage) -> bool:
        """Whether the server ended a transaction so that another could go on."""
        cause = refusal.__cause__
        return isinstance(cause, DBAPIError) and getattr(cause.orig, "sqlstate", None) in ("40001", "40P01")

    def _known(self, error: Exception) -> Refusal:
        """What went wrong, as a refusal. A database that refuses to write is told of; so is a fault of ours, whose own
        words may hold anything.
        """
        if isinstance(error, Storage) or not isinstance(error, Refusal):
            logs.trouble("storage", error)
        if isinstance(error, Refusal):
            return error
        metrics.TROUBLES.labels("fault").inc()
        return Storage("storage.broken", path=self.place.shown, why=type(error).__name__)


def _add(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Add events, each at a number that is free, behind one that is taken. The latter are tried with them, empty: a
    server that came back without its last commits takes them, and what this house knows of the table is true no more.
    """
    new = sorted((row["code"], row["number"]) for row in rows)
    known = {(code, number - 1) for code, number in new if number > 1}.difference(new)
    tried = rows + [{"code": code, "number": number, "body": ""} for code, number in known]
    adding = _adding(connection.dialect.name)
    if rows and sorted(map(tuple, connection.execute(adding, sorted(tried, key=itemgetter("code", "number"))))) != new:
        raise Conflict("table.late")


@cache
def _adding(dialect: str) -> Executable:
    """Add events, and tell which were not there yet."""
    made = (postgresql if dialect == "postgresql" else sqlite).insert(events)
    adding: Executable = made.on_conflict_do_nothing().returning(events.c.code, events.c.number)
    return adding
