"""How long the house waits until a request is said: whoever dribbles it holds a line for seconds only."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_WAIT = 10.0  # seconds from the line's opening, an answer, or a request's first byte, to its last
HEADERS_BYTES = 65536
PIPELINED = 16  # requests that may wait behind one that is not answered yet; each holds some kilobytes


class Patient(HttpToolsProtocol):
    """Speaks HTTP as uvicorn does, but does not listen for ever."""

    def __init__(self, *args: Any, **choices: Any) -> None:
        super().__init__(*args, **choices)
        self.waits: asyncio.TimerHandle | None = None
        self.unsaid = 0  # bytes that have come since the last whole headers

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._listen()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unsaid += len(data)
        super().data_received(data)
        if self.unsaid > HEADERS_BYTES:
            self.transport.close()

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= PIPELINED:
            raise ValueError  # what is read here is refused as what is no request, and the line closed
        super().on_message_begin()
        self._listen()

    def on_body(self, body: bytes) -> None:
        self.unsaid = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._heard()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.timeout_keep_alive_task and not self.waits:  # which any byte ends, a line's end before no request too
            self._listen()

    def _listen(self) -> None:
        self._heard()
        self.waits = self.loop.call_later(REQUEST_WAIT, self.transport.close)

    def _heard(self) -> None:
        self.unsaid = 0
        if self.waits:
            self.waits.cancel()
            self.waits = None
