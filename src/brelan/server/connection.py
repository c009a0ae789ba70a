"""One viewer's line, as its table sees it."""

from __future__ import annotations

import asyncio
from typing import Any

from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.play.messages import Malformed
from brelan.play.seats import Full, Late, NotHost, Open
from brelan.play.shown import View, Viewer, view
from brelan.play.table import Table
from brelan.server.store import Conflict, Storage

ERRORS: dict[type[Refusal], str] = {
    Unreadable: "unreadable",
    Illegal: "illegal",
    WrongSeat: "wrong_seat",
    Late: "late",
    NotHost: "not_host",
    Full: "full",
    Open: "open",
    Malformed: "malformed",
    Storage: "storage",
    Conflict: "storage",
}


class Connection:
    """One viewer's line: answers go out in their order, of the views only the newest."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.greeted = False  # whether its hello has come
        self.shown: View | None = None  # the view sent last
        self.since = 0  # the number of the last event told
        self.answers: list[dict[str, Any]] = []
        self.waiting: View | None = None  # the view to be sent next
        self.something = asyncio.Event()

    def answer(self, **answer: Any) -> None:
        self.answers.append(answer)
        self.something.set()

    def refuse(self, key: str, refusal: Refusal, number: int) -> None:
        """Say in one sentence why nothing was done; what went wrong with the storage is the host's business only."""
        if isinstance(refusal, Storage | Conflict):
            refusal = Storage("table.storage")
        self.answer(
            type="refused",
            key=key,
            error=ERRORS.get(type(refusal), "malformed"),
            rule=refusal.rule if isinstance(refusal, Illegal) else None,
            words=self.viewer.words.refusal(refusal),
            number=number,
        )

    def show(self, table: Table, online: set[str]) -> None:
        """Make a view of the table as it is now; it replaces one that has not gone out yet."""
        if not self.greeted:
            return
        self.waiting = view(table, self.viewer, online, self.shown, self.since)
        self.something.set()

    async def outgoing(self) -> list[Any]:
        """What is to be sent now; waits until there is something."""
        await self.something.wait()
        self.something.clear()
        frames: list[Any] = [*self.answers]
        self.answers.clear()
        if self.waiting:
            frames.append(self.waiting)
            self.shown, self.since, self.waiting = self.waiting, self.waiting.number, None
        return frames
