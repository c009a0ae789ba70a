"""Where the house's bots think: in a process of their own, so that a long thought keeps nobody waiting.

The process speaks the line protocol, as anybody's bot does. It is started by the first thought or hint of a level
that plays by weights: all but `random` and `novice`. One that dies, hangs or answers nonsense is ended and started
again, and meanwhile the bots answer without searching, as they do where too many wait: that costs nobody a match.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from brelan import bots
from brelan.bots import protocol
from brelan.cards import seed
from brelan.child import running
from brelan.errors import Refusal
from brelan.game import TUNED, legal_moves
from brelan.play.messages import Bot, Message
from brelan.play.table import Table
from brelan.server.ledger import logs, metrics
from brelan.server.settings import Settings
from brelan.server.store import Storage

COMMAND = running("from brelan.bots.ours import main; sys.exit(main())")
SECONDS = 10.0  # for a move; the longest thought takes half a second on a quiet machine
MOST = 16  # asks at once, answered one by one: were each thought the longest, the last would still come in time
CALM = 5.0  # seconds before a process that failed is started again
NICE = 10  # people come first
FIRST = "500"  # where memory is short Linux ends the bots' process before the house, which goes on without it

READ = 2.0
"""So many times as long a bot waits after a move that led to something: who won the card, who takes the pot."""

ONWARD = 0.6
"""And so many times where its own turn goes on, whatever comes next: nobody waits for each card of a dozen drawn."""

THOUGHT = 0.6
"""Seconds that a bot takes at least if its level searches, so that nobody sees whether it has."""

TROUBLES = ("failed", "not_compiled", "busy")
"""Of the process: it was ended, or ended by itself; a game could not be compiled; too many wait for it."""

for _kind in TROUBLES:
    metrics.BOTS.labels(_kind)  # there at nought: of a figure that begins with the first, no rate shows the first

_random = secrets.SystemRandom()


class Answer(NamedTuple):
    """A bot's move, and why where it has searched."""

    move: str
    why: protocol.Why | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """What a bot is thinking about: a stage of its match, and who is to move."""

    stage: int
    seat: int
    answer: asyncio.Task[Answer]

    def fits(self, table: Table) -> bool:
        """Whether it is about what the table asks of its bots now."""
        return (self.stage, self.seat) == (table.stage, next(iter(table.bots_asked()), None))


class Thinking:
    """The bots of one house, or of one worker."""

    def __init__(self, command: tuple[str, ...] = COMMAND, seconds: float = SECONDS) -> None:
        self.command, self.seconds = command, seconds
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._asked: dict[int, asyncio.Future[protocol.Said]] = {}  # what the process has to answer, wanted or not
        self._answers = 0  # so many came, in time or too late
        self._numbers = itertools.count(1)
        self._hints: set[asyncio.Task[Answer]] = set()
        self._not_before = 0.0
        self._starting = asyncio.Lock()

    def begin(self, table: Table, seat: int, done: Callable[[], None]) -> Thought:
        """Let a bot begin to think; `done` is called when it has."""
        thought = Thought(table.stage, seat, self._begun(table, seat, table.seats[seat].by or ""))
        thought.answer.add_done_callback(lambda _: done())
        return thought

    def hint(self, table: Table, seat: int, done: Callable[[Answer | Refusal], None]) -> None:
        """Let the strongest level think for a person; `done` is told its answer, or that there is none."""
        thought = self._begun(table, seat, bots.known(table.game)[-1])
        self._hints.add(thought)
        thought.add_done_callback(self._hints.discard)
        thought.add_done_callback(partial(_told, done))

    def _begun(self, table: Table, seat: int, level: str) -> asyncio.Task[Answer]:
        """Its thinking, about the table as it is now: when the task runs, the table may have moved on."""
        return asyncio.create_task(self._move(ask_of(table, seat, level, next(self._numbers), self.seconds)))

    async def _move(self, ask: protocol.Ask) -> Answer:
        """The answer of that level in that seat, from what the seat may know."""
        random = [0]
        seed(random, ask.seed)
        if bots.find(ask.game, ask.level, ask.preset).mind.kind == TUNED:
            with suppress(Refusal, OSError, TimeoutError):
                return await self._answered(ask)
            return await asyncio.to_thread(at_once, ask, random)
        return at_once(ask, random)

    async def _answered(self, ask: protocol.Ask) -> Answer:
        """What the process answers; if it does not as it should, it is ended, but not because others come first."""
        await self._ready()
        if len(self._asked) >= MOST:
            raise _busy()
        self._asked[ask.id] = answer = asyncio.get_running_loop().create_future()
        answers = self._answers
        try:
            self._say(ask.to_json())
            async with asyncio.timeout(self.seconds):
                said = await answer
                return Answer(protocol.move(said, ask), protocol.why(said, ask))
        except (Refusal, OSError) as error:
            if isinstance(error, TimeoutError) and self._answers > answers:
                raise _busy() from None
            self._failed(error)
            raise

    async def _ready(self) -> None:
        async with self._starting:
            if self._reader and not self._reader.done():
                return
            self._end()  # nobody hears any more what it says
            if asyncio.get_running_loop().time() < self._not_before:
                raise Refusal("bot_gone")
            self._process = None
            try:
                self._process = await self._started()
            except OSError as error:
                self._failed(error)
                raise
            self._reader = asyncio.create_task(self._read(self._process))

    async def _started(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *self.command, stdin=pipe, stdout=pipe, limit=protocol.LONGEST, start_new_session=True
        )
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            Path(f"/proc/{process.pid}/oom_score_adj").write_text(FIRST, "utf-8")
        return process

    def _say(self, said: dict[str, Any]) -> None:
        if not self._process or not self._process.stdin:
            raise Refusal("bot_gone")
        self._process.stdin.write(protocol.line(said))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hand each answer to who waits for it, until there are no more."""
        try:
            while process.stdout and (given := await process.stdout.readline()).endswith(b"\n"):
                said = protocol.heard(given)
                if said["type"] == "ready":
                    logs.tell("compiled", game=said.get("game"))
                elif said["type"] == "failed":
                    _trouble("not_compiled", why=said.get("why"), game=said.get("game"))
                elif answer := self._asked.pop(said.get("id", 0), None):
                    self._answers += 1
                    if not answer.done():
                        answer.set_result(said)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), protocol.MOMENT)
            raise protocol.gone(process.returncode)
        except (Refusal, ValueError, TypeError) as error:
            for answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(error if isinstance(error, Refusal) else Refusal("bot_gone"))
            self._asked.clear()

    def _failed(self, error: Exception) -> None:
        """End the process, and let some time pass before the next is started. Of all who waited for it the first says
        so; when the house closes, none.
        """
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            return
        _trouble("failed", why=logs.why(error), status=self._process and self._process.returncode)
        self._not_before = now + CALM
        self._end()

    def _end(self) -> None:
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """The house closes."""
        self._not_before = float("inf")
        self._end()
        if self._process and self._reader:
            await self._process.wait()
            await self._reader


def _told(done: Callable[[Answer | Refusal], None], thought: asyncio.Task[Answer]) -> None:
    """A hint has been thought of, or its thinking broke; of one that was broken off because the house ends, nothing is
    said.
    """
    if thought.cancelled():
        return
    if error := thought.exception():
        logs.fault(error)
    done(Storage("table.hint_failed") if error else thought.result())


def _trouble(kind: str, **fields: Any) -> None:
    """Count and tell what goes wrong with the process."""
    metrics.BOTS.labels(kind).inc()
    logs.often("bots", kind, **fields)


def _busy() -> Refusal:
    """Too many wait for the process."""
    _trouble("busy")
    return Refusal("bot_busy")


def settled(table: Table, message: Message) -> Message:
    """A message as the table takes it: a bot sits down by its level's version, or is refused."""
    if not isinstance(message, Bot) or message.level is None:
        return message
    return msgspec.structs.replace(message, level=bots.find(table.game, message.level, table.preset).id)


def pause(table: Table, seat: int, settings: Settings, told: bool = False) -> float:
    """Seconds that a bot takes, which say nothing about its cards, but leave time to read what has come before. One
    that waits to be told to move takes a minute, and once it is told it is fast.
    """
    if table.held and not told:
        return settings.bot_step
    if table.window and table.window.race:  # people need their chance
        return _random.uniform(*settings.bot_claim) * (READ if table.stage in table.outcomes else 1)
    tempo = "fast" if told else table.customs.tempo
    drawn = _random.uniform(*{"fast": settings.bot_fast, "slow": settings.bot_slow}.get(tempo, settings.bot_pause))
    if table.stage in table.outcomes:
        drawn *= READ
    elif table.match and table.match.lines[-1].get("seat") == seat:
        drawn *= ONWARD
    searches = bots.find(table.game, table.seats[seat].by or "", table.preset).mind.worlds
    return max(drawn, THOUGHT) if searches else drawn


def ask_of(table: Table, seat: int, level: str, number: int, seconds: float) -> protocol.Ask:
    """What a bot's seat is asked at a table."""
    game, state = table.game, table.seen_by(seat)
    legal = [game.notation.move_text(move) for move in legal_moves(game.rules, state, seat)]
    luck = secrets.randbits(62)
    return protocol.Ask(
        number, game, table.preset, table.options, seat, state, legal, seconds=seconds, seed=luck, level=level
    )


def ask_of_person(table: Table, seat: int, now: float) -> protocol.Ask:
    """What a person's seat is asked, for the program that plays for them; the move answers the view of its number."""
    match, sealed = table.match, table.sealed
    assert match
    assert sealed
    own = seat, table.seats[seat].person  # not what the table's courtesy or a keeper did there
    begin = max((at for at, step in enumerate(table.steps) if (step.data.get("seat"), step.person) == own), default=0)
    left = table.clocks.left_at(seat, now) if table.clocks else SECONDS
    return replace(ask_of(table, seat, "", table.number, left), match=sealed.match, heard=match.heard(seat, begin))


def at_once(ask: protocol.Ask, random: list[int]) -> Answer:
    """The answer without a search."""
    move = bots.at_once(ask.game, ask.level, ask.state, ask.seat, random, ask.preset)
    return Answer(ask.game.notation.move_text(move))
