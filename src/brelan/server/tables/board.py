"""The open tables as everybody in the lobby sees them, told to all of them as they change.

Nobody asks for it again and again: whoever is in the lobby has a line, and hears what has changed, at most twice a
second; each minute a page asks for its own tables alone, whose time goes on, and learns that its line still works.
What is said is made once for each language. A line holds nothing but the digest of what its reader saw last; from
that follows whether it is told the change, the whole, or nothing. The lines are served a few at a time, so that a
table's moves never wait for a crowded lobby.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

import msgspec
from markupsafe import Markup

from brelan.server.ledger import logs
from brelan.server.store import Store
from brelan.server.tables.standing import Standing, open_tables, persons_of, tables_of
from brelan.server.upkeep.beat import Beat
from brelan.server.web.templates import render
from brelan.words import LANGUAGES, Words

PAUSE = 0.5  # seconds between two looks at what has changed
AGAIN = 10.0  # seconds after which the list is looked at though nothing has: who leaves a table does not touch it
STEP, STEP_PAUSE = 50, 0.01  # so many lines are served at once, then others have their turn


@dataclass(frozen=True, slots=True)
class Sheet:
    """The list in one language: its rows by code, and as frames."""

    rows: dict[str, str]
    digest: str
    before: str  # the digest of the list that `change` follows
    whole: str
    change: str

    @classmethod
    def of(cls, rows: dict[str, str], old: Sheet | None) -> Sheet:
        digest = hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:16]
        if old and old.digest == digest:
            return old
        new = {code: row for code, row in rows.items() if not old or old.rows.get(code) != row}
        order = list(rows)
        return cls(rows, digest, old.digest if old else "", _frame(digest, order, rows), _frame(digest, order, new))

    @property
    def html(self) -> Markup:
        return Markup("".join(self.rows.values()))  # noqa: S704  (made by our own templates, which escape)


def _frame(digest: str, order: list[str], rows: dict[str, str]) -> str:
    return msgspec.json.encode({"type": "tables", "seen": digest, "order": order, "rows": rows}).decode()


@dataclass(eq=False, slots=True)
class Line:
    """Somebody in the lobby: who, in which language, what they saw last, and at which other tables they are whom."""

    person: str
    language: str
    digest: str
    brought: Mapping[str, str] = field(default_factory=dict)
    asks: bool = False  # for the own tables as they are now
    something: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self, asks: bool = False) -> None:
        self.asks = self.asks or asks
        self.something.set()


class Board:
    """The lobby's list, and those who look at it."""

    def __init__(self, store: Store, beat: Beat, attended: Callable[[], set[str]]) -> None:
        self.store, self.beat = store, beat
        self.attended = attended  # the tables where somebody is
        self.lines: set[Line] = set()
        self.touched: SimpleQueue[str] = SimpleQueue()  # codes of tables that went on; from any thread
        self.sheets: dict[str, Sheet] = {}
        self._is_new = True  # nobody has listened before: anything may have happened
        self._read_at = -PAUSE
        self._reading = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def touch(self, codes: Iterable[str] | None) -> None:
        """These tables have gone on, or any may have; in an empty lobby nobody needs to know."""
        if codes is None:
            self._is_new = True
            for line in self.lines:
                line.asks = True
        elif self.lines:
            for code in codes:
                self.touched.put(code)

    async def sheet(self, language: str) -> Sheet:
        """The list as it is now, or was half a second ago."""
        async with self._reading:
            if time.monotonic() >= self._read_at + PAUSE:
                await self._look()
        return self.sheets[language]

    def enter(self, line: Line) -> None:
        self._is_new = self._is_new or not self.lines  # though the task may not have noticed that it was alone
        self.lines.add(line)
        # Their own tables may have gone on since the page was written.
        line.wake(asks=bool(line.person or line.brought))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="lobby")

    def leave(self, line: Line) -> None:
        self.lines.discard(line)

    async def frames(self, line: Line) -> list[str]:
        """What a line is to be told now; waits until there is something."""
        await line.something.wait()
        line.something.clear()
        found = self._told(line)
        if line.asks:
            line.asks = False
            found.append(await self._own(line))
        return found

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # ------------------------------------------------------------ the task

    async def _run(self) -> None:
        """Tell everybody what has changed, for as long as anybody is here."""
        touched, again = set[str](), 0.0
        while self.lines:
            touched |= self._drained()
            try:
                if touched or self._is_new or time.monotonic() >= again:
                    self._is_new, again = False, time.monotonic() + AGAIN
                    async with self._reading:
                        await self._look()
                    await self._wake(touched)
                    touched = set()
            except Exception as error:  # else those who are here already would be told nothing more
                self._is_new = True
                logs.trouble("lobby", error)
            await asyncio.sleep(PAUSE)

    def _drained(self) -> set[str]:
        touched: set[str] = set()
        with suppress(Empty):
            while True:
                touched.add(self.touched.get_nowait())
        return touched

    async def _look(self) -> None:
        """Read the list, and write it in every language."""
        tables = await asyncio.to_thread(open_tables, self.store, self.beat, self.attended())
        for language in LANGUAGES:
            rows = _rows("open_table.html", tables, language)
            self.sheets[language] = Sheet.of(rows, self.sheets.get(language))
        self._read_at = time.monotonic()

    async def _wake(self, touched: set[str]) -> None:
        """Every line that has not seen the newest list, and those whose own tables went on; a few at a time."""
        owners = await asyncio.to_thread(persons_of, self.store, touched)
        own = {line for line in self.lines if line.person in owners or not touched.isdisjoint(line.brought)}
        behind = [line for line in self.lines if line.asks or line in own or self._is_behind(line)]
        for at in range(0, len(behind), STEP):
            for line in behind[at : at + STEP]:
                line.wake(asks=line in own)
            await asyncio.sleep(STEP_PAUSE)

    # ------------------------------------------------------------ one line

    def _is_behind(self, line: Line) -> bool:
        """Whether the newest list is another than it saw last."""
        sheet = self.sheets.get(line.language)
        return sheet is not None and line.digest != sheet.digest

    def _told(self, line: Line) -> list[str]:
        sheet = self.sheets.get(line.language)
        if sheet is None or line.digest == sheet.digest:
            return []
        frame = sheet.change if line.digest == sheet.before else sheet.whole
        line.digest = sheet.digest
        return [frame]

    async def _own(self, line: Line) -> str:
        """The own tables as they are now."""
        tables = await asyncio.to_thread(tables_of, self.store, self.beat, line.person, line.brought)
        return msgspec.json.encode({"type": "yours", "html": own(tables, line.language)}).decode()


def own(tables: list[tuple[Standing, str]], language: str) -> str:
    """Somebody's own tables as rows, each for whom they are there."""
    rows = (_rows("own_table.html", [table], language, person=person) for table, person in tables)
    return "".join(html for row in rows for html in row.values())


def _rows(template: str, tables: list[Standing], language: str, **values: str) -> dict[str, str]:
    """A row for each table, by code. One that cannot be put in words, such as another version's, keeps nobody from the
    others.
    """
    rows = {}
    for table in tables:
        try:
            rows[table.code] = render(template, Words(language, table.game.id), table=table, **values)
        except Exception as error:
            logs.trouble("unread", error, code=table.code)
    return rows
