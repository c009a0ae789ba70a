"""Signs of life, for programs that watch the house."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from brelan import __version__
from brelan.build import build_id
from brelan.server.pages.asked import house_of


async def health(request: Request) -> Response:
    """Whether the house lives, and which one it is."""
    return JSONResponse({"status": "ok", "version": __version__, "build": build_id()})


async def ready(request: Request) -> Response:
    """Whether the house can work: whoever sends people here asks now and then."""
    trouble = await house_of(request).watch.trouble()
    return JSONResponse({"status": trouble or "ok"}, 503 if trouble else 200, {"cache-control": "no-store"})


ROUTES = [Route("/health", health), Route("/ready", ready)]
