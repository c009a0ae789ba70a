"""What the house does again and again beside its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from brelan.server.ledger import logs

Chore = Callable[[], Awaitable[None] | None]


async def again(every: float, chore: Chore) -> None:
    """Do it now, and so many seconds later again and again; if it fails that is told, and nothing else comes of it."""
    while True:
        try:
            if waits := chore():
                await waits
        except Exception as error:
            logs.trouble("chore", error)
        await asyncio.sleep(every)
