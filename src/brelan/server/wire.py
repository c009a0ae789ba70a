"""How a socket packs what it sends: each message by itself.

A packer that remembers the messages before packs better, but holds 32 KB and more for every line, and at that size of
window packs a view (5 KB to 1.1 KB) no better, in twice the time. So nothing is kept between two messages.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

PACKED = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True, client_no_context_takeover=True, compress_settings={"level": 1}
)


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's own protocol, packing so."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.available_extensions = [PACKED]

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # refused is answered too, and no fault for the log
