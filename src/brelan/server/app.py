"""The house on the network: its addresses, its headers, and the server that answers."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brelan.build import build_id
from brelan.errors import Refusal, at_least
from brelan.server.api import routes
from brelan.server.house import House
from brelan.server.ledger.metrics import Counted, share
from brelan.server.pages import (
    fair,
    install,
    ladders,
    lessons,
    lobby,
    profiles,
    replays,
    rulebooks,
    signs,
    tables,
    wrong,
)
from brelan.server.settings import Settings
from brelan.server.sockets import table_socket
from brelan.server.store.scrub import scrub_on
from brelan.server.web.limits import Limited
from brelan.server.web.packed import Packed

if TYPE_CHECKING:
    import uvicorn

__all__ = ["Settings", "create_app", "serve"]

HEARTBEAT = 15.0  # seconds between two pings; proxies drop lines that are silent for long
FRAME_BYTES = 65536  # the longest frame that a client may send
UNREAD_BYTES = 65536  # so much that a slow client has not read yet waits in the system's memory; the rest is not sent
DEAF_MS = 30_000  # after so long without taking anything that was sent, a client is gone
GRACE = 5  # seconds for open requests when the server ends

EVERYWHERE = {
    "0.0.0.0": (socket.AF_INET, "192.0.2.1", "localhost"),  # noqa: S104  (asked, not bound)
    "::": (socket.AF_INET6, "2001:db8::1", "::1"),
}
"""The hosts that stand for all of a machine's: their kind, an address of it kept for documentation, and the nearest."""

SIOCGIFADDR = 0x8915
"""Asks Linux for the address of an interface: its name, in a structure of 40 bytes; bytes 20 to 23 answer."""

HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

UNLISTED = ("/t/", "/m/", "/api/v1/")
"""What no search engine is to list: tables and matches, whatever form of them it comes upon."""


class Whole:
    """Answers a fault of ours within what counts and secures every answer: Starlette does so outside of it."""

    def __init__(self, app: ASGIApp, broken: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        self.app, self.broken = app, broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except ClientDisconnect:  # in the middle of what they sent: nobody is there to be answered
            return
        except Exception as error:
            if scope["type"] != "http" or begun:
                raise
            answer = await self.broken(Request(scope), error)
            await answer(scope, receive, send)


class Secured:
    """Adds to every answer what keeps other sites, scripts and search engines out, and of which build it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers["brelan-build"] = build_id()  # the worker keeps no file of another (worker.js)
                headers.setdefault("cache-control", "no-cache")  # a newer version's scripts are never mixed with old
                if scope["path"].startswith(UNLISTED):
                    headers["x-robots-tag"] = "noindex"
            await send(message)

        await self.app(scope, receive, secured if scope["type"] == "http" else send)


def create_app(settings: Settings, house: House | None = None) -> Starlette:
    """The web application over its data; refuses, in one sentence, a folder or database that cannot be used."""
    house = house or House.opened(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        house.watch.begin(house.limits.forget, partial(scrub_on, house.store))
        house.rooms.begin()
        yield
        await house.close()

    app = Starlette(
        routes=[
            *lobby.ROUTES,
            *profiles.ROUTES,
            *ladders.ROUTES,
            *tables.ROUTES,
            *replays.ROUTES,
            *rulebooks.ROUTES,
            *lessons.ROUTES,
            *fair.ROUTES,
            *routes.ROUTES,
            *install.ROUTES,
            *signs.ROUTES,
            WebSocketRoute("/t/{code}/socket", table_socket),
            Mount("/static", Packed(directory=Path(__file__).parent / "static", check_dir=False)),
        ],
        middleware=[
            Middleware(Counted),
            Middleware(Secured),
            Middleware(Limited, refused=wrong.refused),
            Middleware(Whole, broken=wrong.broken),
        ],
        exception_handlers={Refusal: wrong.refused, HTTPException: wrong.failed},
        lifespan=lifespan,
    )
    app.state.house = house
    return app


def serve(settings: Settings, announce: Callable[[str], None] | None = None) -> int:
    """Answer at the settings' address until told to end; `announce` is given the address once it is open."""
    from brelan.server.life import Server, looked_after, politely

    with listening(settings.host, settings.port) as listener, politely():
        if settings.workers != 1:
            return several(settings, listener, announce)
        house = House.opened(settings)
        with house.held, looked_after(house.store, settings.log, settings.metrics):
            if announce:
                announce(address(listener))
            Server(config(create_app(settings, house)), house).run([listener])
    return 0


def several(settings: Settings, listener: socket.socket, announce: Callable[[str], None] | None) -> int:
    """The same with workers, who answer at one address together."""
    from brelan.server.life import looked_after
    from brelan.server.workers import Workers

    workers = Workers(settings, listener)
    given = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]  # by systemd, in memory
    shared = None if settings.metrics is None else share(Path(given or settings.made_folder()) / "figures")
    with workers.house.held, looked_after(workers.house.store, settings.log, settings.metrics, shared):
        if announce:
            announce(address(listener))
        workers.run(shared)
    return 0


def config(app: Starlette) -> uvicorn.Config:
    """How the server speaks HTTP and WebSocket."""
    import uvicorn

    from brelan.server.tables.wire import Wire
    from brelan.server.web.patience import Patient

    proxy = app.state.house.settings.proxy
    return uvicorn.Config(
        app,
        http=Patient,
        ws=Wire,
        ws_max_size=FRAME_BYTES,
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
    )


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there, or the refusal that says why it cannot."""
    at_least(0, 65535, port=port)
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        both = host == "::" and socket.has_dualstack_ipv6()  # everybody in the network, of whichever kind
        listener = socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=both)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a view goes out at once behind its ack
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # who takes nothing holds no line for ever
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAF_MS)
    except (OSError, ValueError) as error:  # the latter: what can be no host at all
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        raise Refusal(
            "serve.port" if taken else "serve.address", host=bracketed(host), port=port, why=_why(error)
        ) from error
    return listener


def _why(error: OSError | ValueError) -> OSError | str:
    """Why nobody can listen there: what the system says, without what Python adds; else what was said."""
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror):
        return OSError(error.errno, os.strerror(error.errno or 0))
    return str(getattr(error, "strerror", error))


def bracketed(host: str) -> str:
    """A host as it stands before a port."""
    return f"[{host}]" if ":" in host else host


def address(listener: socket.socket) -> str:
    """What others type to come here: of a socket that listens everywhere, this machine's own address."""
    host, port = listener.getsockname()[:2]
    if host in EVERYWHERE:
        host = own_address(host)
    return f"http://{bracketed(host)}:{port}/"


def own_address(everywhere: str) -> str:
    """The address of this machine in its network: the one from which it would speak to the world, else one that it has
    in a network without a way out. Nothing is sent.
    """
    family, far, near = EVERYWHERE[everywhere]
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return next(_own_addresses(), near)


def _own_addresses() -> Iterator[str]:
    """The addresses that Linux has given this machine, the nearest left out."""
    with suppress(ImportError, OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        from fcntl import ioctl  # none on Windows

        for _, name in socket.if_nameindex():
            with suppress(OSError):  # it has none
                address = socket.inet_ntoa(ioctl(probe, SIOCGIFADDR, name.encode().ljust(40, b"\0"))[20:24])
                if not address.startswith("127."):
                    yield address
