"""What every line to the house has in common: who may open one, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from brelan.server.people.identity import language_of
from brelan.server.web.limits import TooMany, address_of
from brelan.words import Words

POLICY = 1008
"""The code of closing where a client does what none of ours would, or may be here no longer."""

Answer = Callable[[WebSocket], Awaitable[None]]
"""What is done with a handshake, and on its line."""


def bounded(answer: Answer) -> Answer:
    """Let a line in that is neither one handshake nor one open line too many; else it is told why, with 429."""

    @wraps(answer)
    async def let_in(socket: WebSocket) -> None:
        limits, address = socket.app.state.house.limits, address_of(socket)
        try:
            limits.take("line", address=address)
            limits.enter(address)
        except TooMany as refusal:
            await _deny(socket, refusal)
            return
        try:
            await answer(socket)
        except TooMany as refusal:  # before it was accepted
            await _deny(socket, refusal)
        finally:
            limits.leave(address)

    return let_in


async def _deny(socket: WebSocket, refusal: TooMany) -> None:
    """Answer a handshake with why there is no line."""
    sentence, headers = Words(language_of(socket)).refusal(refusal), {"retry-after": str(refusal.wait)}
    await socket.send_denial_response(PlainTextResponse(sentence, 429, headers))


async def first_done(*jobs: Coroutine[Any, Any, None]) -> None:
    """All that is done on a line, until one of them ends."""
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, WebSocketDisconnect | WebSocketDisconnected):
                raise ended  # a fault of ours, which nobody must swallow
