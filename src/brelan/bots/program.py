"""A program with which we talk by the line protocol: started, asked, and ended whatever it does."""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import time
import weakref
from queue import Empty, Queue
from threading import Thread
from typing import Any

from brelan.bots import protocol
from brelan.errors import Refusal

SECONDS = 10.0
"""A program's time for its hello, and for a move unless the host says otherwise; who gives more gives it for both."""

AHEAD = 16
"""Lines that a program may be ahead of us: with more it waits until it is asked, and not we keep them."""

CHUNK = 1 << 16
"""Bytes read at a time, so that no flood fills our memory."""

PARTING = 2.0
"""Seconds that a program has to end by itself after bye."""


class Program:
    """A running program. Whatever is wrong with it is a Refusal."""

    def __init__(self, command: str, seconds: float = SECONDS, aloud: bool = True) -> None:
        """Start it; what it writes to standard error is shown if `aloud`."""
        self.command, self.seconds = command, seconds
        self._lines: Queue[bytes] = Queue(AHEAD)
        self._begun = bytearray()  # what came of a line that has no end yet
        self._deaf = False  # once it is ended
        self._process = started(command, aloud)
        self._end = weakref.finalize(self, end, self._process.pid)  # when we end, at the latest
        self._ear = Thread(target=self._listen, daemon=True)
        self._ear.start()
        try:
            self.say({"type": "hello", "protocol": protocol.PROTOCOL})
            self.hello = protocol.hello(self.answer(max(seconds, SECONDS), "bot_mute"))
        except Refusal:
            self.kill()
            raise

    def _listen(self) -> None:
        """Until nobody has the program's output open; only who reads it may close it without waiting."""
        if out := self._process.stdout:
            with out:
                while not self._deaf and (came := os.read(out.fileno(), CHUNK)):
                    self._hear(came)
        self._lines.put(b"")

    def _hear(self, came: bytes) -> None:
        """Each line that has its end now; of one that is too long, what there is."""
        *ends, begun = came.split(b"\n")
        for end in ends:
            if self._deaf:
                return
            self._lines.put(bytes(self._begun) + end + b"\n")
            self._begun.clear()
        self._begun += begun
        if len(self._begun) > protocol.LONGEST:
            self._lines.put(bytes(self._begun))
            self._begun.clear()

    def say(self, said: dict[str, Any], seconds: float = SECONDS) -> None:
        """Say a line; a Refusal if it is not taken in time: who does not read would keep us as long as they live."""
        stdin, left, until = self._process.stdin, protocol.line(said), time.monotonic() + seconds
        assert stdin
        try:
            room = select.poll()
            room.register(stdin, select.POLLOUT)
            while left and room.poll(1000 * max(0.0, until - time.monotonic())):
                left = left[os.write(stdin.fileno(), left) :]
        except (OSError, ValueError):  # it has ended, or we have ended it
            raise self._gone() from None
        if left:
            raise late("bot_late", seconds)

    def _gone(self) -> Refusal:
        """That it is there no longer."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(protocol.MOMENT)
        return protocol.gone(self._process.returncode)

    def _next(self, seconds: float) -> bytes | None:
        """The next line, None if none comes in time; a Refusal if there is none any more."""
        try:
            given = self._lines.get(timeout=seconds)
        except Empty:
            return None
        if not given:
            self._lines.put(given)  # it has gone for good
            raise self._gone()
        return given

    def answer(self, seconds: float, silent: str = "bot_late") -> protocol.Said:
        """What the next line of a kind that we know says; whoever says others without end is late as well. `silent`
        is what to say of who wrote nothing.
        """
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and (given := self._next(left)) is not None:
            said = protocol.heard(given)
            if not protocol.is_unknown(said):
                return said
        if begun := protocol.quoted(self._begun):
            raise late("bot_unended", seconds, given=begun)
        raise late(silent, seconds)

    def move(self, ask: protocol.Ask) -> str:
        """Its move."""
        return protocol.meant(self.chosen(ask.to_json()), ask)

    def chosen(self, ask: dict[str, Any]) -> Any:
        """What it names as its move, whatever that is."""
        self.say(ask, ask["seconds"])
        return protocol.chosen(self.answer(ask["seconds"]), ask["id"])

    def close(self) -> bool:
        """Say bye; whether it ended by itself in time."""
        until = time.monotonic() + PARTING
        with contextlib.suppress(Refusal):
            self.say({"type": "bye"}, PARTING)
        if self._process.stdin:
            self._process.stdin.close()
        while self._process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        left = self._process.poll() is not None
        self.kill()
        return left

    def kill(self) -> None:
        """End it and all that it started, whatever they do."""
        self._deaf = True
        self._end()
        self._process.wait()
        until = time.monotonic() + PARTING
        while self._ear.is_alive() and time.monotonic() < until:
            with contextlib.suppress(Refusal):
                self._next(0.05)  # the ear may have stopped at what nobody asked for
        if self._process.stdin:
            self._process.stdin.close()


def late(key: str, seconds: float, **said: Any) -> Refusal:
    """That nothing came in so many seconds, told without a fraction where they have none."""
    return Refusal(key, seconds=int(seconds) if seconds == int(seconds) else seconds, **said)


def end(group: int) -> None:
    """End a program with all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # this of macOS, where all that is left has ended
        os.killpg(group, signal.SIGKILL)


def started(command: str, aloud: bool) -> subprocess.Popen[bytes]:
    """The process of a command, at the head of a group of its own, or the refusal that says why there is none."""
    pipe, errors = subprocess.PIPE, None if aloud else subprocess.DEVNULL
    words: list[str] = []
    try:
        if any((words := shlex.split(command))[:1]):
            process = subprocess.Popen(  # noqa: S603  (the caller's)
                words, stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True
            )
            assert process.stdin
            os.set_blocking(process.stdin.fileno(), False)
            return process
    except (OSError, ValueError) as error:
        raise Refusal("bot_start", command=words[0] if words else command, why=error) from None
    raise Refusal("bot_command")
