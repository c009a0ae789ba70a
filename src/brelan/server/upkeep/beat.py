"""The house's own time: it goes on evenly, and knows when the house was away, so that nobody's clock counts that.

Within one life of the house time is the system's clock as it was at the start, and what the monotonic clock has
counted since, in all its workers alike: whoever sets the system's clock moves no deadline. If the two part by more than
`STILL`, or nothing here has moved for so long (the machine slept, the process was stopped, the house was shut, its
database took nothing or was silent), then the time between is nobody's. A file in the data folder holds the last sign
of life, by its date, and the times that the house was away.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from ctypes import c_double
from itertools import chain
from math import isfinite
from pathlib import Path

from brelan.play.clocks import shift

EVERY = 1.0  # seconds between two signs of life
IDLE = 60.0  # the same where no table is open: each wears a card on which a small machine keeps its disk
STILL = 5.0  # seconds without one after which the house was away
KEPT = 40 * 86400.0  # seconds of the house's life for which that is remembered: longer than any move may take

Away = tuple[float, float]
"""From when until when, in seconds since 1970."""


def aways_until(file: Path, now: float) -> list[Away]:
    """When a house was away, as its file says while another lives there, or nobody; one in which no table is open has
    seemed so since its last sign, for a minute at most.
    """
    seen = file.stat().st_mtime if file.exists() else now
    return _read(file) + ([(seen, now)] if now - seen > STILL else [])


def last_seen(file: Path, at: float, aways: list[Away] | None) -> None:
    """Set a house's last sign of life, so that it was away from that moment until it begins again; and its times away
    before, where they are known.
    """
    file.touch()
    if aways is not None:
        file.write_text(json.dumps(aways), "utf-8")
    os.utime(file, (at, at))


def _read(file: Path) -> list[Away]:
    """What the file says; a damaged one says nothing."""
    with suppress(OSError, ValueError, TypeError, OverflowError, RecursionError):
        found = sorted((float(since), float(until)) for since, until in json.loads(file.read_text("utf-8")))
        return found if all(map(isfinite, chain.from_iterable(found))) else []
    return []


def _merged(aways: Iterable[Away]) -> list[Away]:
    """The same times, none of which overlap."""
    found: list[Away] = []
    for since, until in sorted(aways):
        if found and since <= found[-1][1]:
            found[-1] = found[-1][0], max(until, found[-1][1])
        else:
            found.append((since, until))
    return found


class Beat:
    """The pulse of one house."""

    def __init__(self, file: Path, base: c_double | None = None) -> None:
        """The base is what its workers share: the system's clock less the monotonic one, as it was at the start."""
        self.file = file
        self._base = c_double(time.time() - time.monotonic()) if base is None else base
        self._last = self._even()
        self._signed = float("-inf")
        self.halted = False  # whether the database takes nothing: that is no life
        self._aways = _read(file)
        self._heard = (0, 0)  # which file that was; another process may put another in its place
        with suppress(OSError):
            if not file.exists():
                file.write_text("[]", "utf-8")
            self._last -= max(0.0, time.time() - file.stat().st_mtime)
        self.now()

    def now(self) -> float:
        """The time in seconds since 1970."""
        now = self._even()
        if self.halted:
            return now
        if now - self._last > STILL:
            self._was_away(self._last, now)
        elif any(until > now for _, until in self._aways):  # the clock was set back: what lies ahead has not been yet
            self._keep([(since, min(until, now)) for since, until in self._aways if since < now])
        self._last = now
        return now

    def _even(self) -> float:
        """The same, of which nothing follows: begun anew where the system's clock is far from it."""
        wall, now = time.time(), self._base.value + time.monotonic()
        if abs(wall - now) > STILL:
            self._base.value, now = wall - time.monotonic(), wall
        return now

    def aways(self) -> list[Away]:
        """When the house was away, and still is; none of these overlap."""
        self._hear()
        still = [(self._last, now)] if (now := self.now()) - self._last > STILL else []
        return _merged([*self._aways, *still])

    def _hear(self) -> None:
        """Take in what another worker has written since."""
        with suppress(OSError):
            found = self.file.stat()
            if self._heard != (found.st_ino, found.st_ctime_ns):
                self._heard = found.st_ino, found.st_ctime_ns
                self._aways = _merged([*self._aways, *_read(self.file)])

    def put_off(self, deadline: float | None, since: float) -> float | None:
        """A deadline as it was reckoned at a moment, later by the times since that the house was away."""
        return deadline and deadline + sum(shift(since, *away) for away in self.aways())

    def halts(self, since: float) -> None:
        """The database takes nothing of what it was given from that moment on."""
        self.halted = True
        self._last = min(self._last, since)

    def waited(self, since: float) -> None:
        """The database took only now what it was given at that moment: if it was silent for long, that is no life."""
        if (now := self.now()) - since > STILL:
            self._was_away(since, now)

    def goes_on(self, at: float) -> None:
        """The database takes what is written, as it did at that moment."""
        if self.halted:
            self.halted = False
            if at - self._last > STILL:
                self._was_away(self._last, at)
            self._last = max(self._last, at)

    def sign(self, idle: bool = False) -> None:
        """Give a sign of life, now and then where no table is open: if the house is killed, clocks by turns do not
        count the time since.
        """
        self.now()
        now = time.monotonic()
        if not self.halted and now - self._signed >= (IDLE if idle else 0):
            self._signed = now
            with suppress(OSError):  # a disk that is full or read-only says so elsewhere
                os.utime(self.file)

    def _was_away(self, since: float, until: float) -> None:
        known = {*_read(self.file), *self._aways, (since, until)}
        aways = _merged(away for away in known if away[0] < until)
        while until - aways[0][1] - sum(end - start for start, end in aways[1:]) >= KEPT:
            del aways[0]
        self._keep(aways)

    def _keep(self, aways: list[Away]) -> None:
        self._aways = aways
        draft = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        with suppress(OSError):
            draft.write_text(json.dumps(self._aways), "utf-8")
            draft.replace(self.file)
