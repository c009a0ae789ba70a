"""What lets a device keep the house like a program of its own: manifest, worker, and the page without a line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from brelan.build import build_id
from brelan.server.pages.asked import page, words_of
from brelan.server.web.origin import language_of
from brelan.words import LANGUAGES, Words

GROUND = "#1d1713"
"""Behind the icon while the house opens, and around it: the ground by night (brelan.css)."""

ICONS = [("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable", 512, "maskable")]
"""Files in static, drawn from icon.svg by `python -m tests.icons`: name, side in pixels, purpose."""


async def manifest(request: Request) -> Response:
    """How the house presents itself to a device (W3C Web Application Manifest), in the language that is asked for."""
    words = words_of(request)
    told = {
        "id": "/",
        "name": words("page.home"),
        "short_name": words("page.home"),
        "description": words("page.tagline"),
        "lang": words.language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "categories": ["games"],
        "icons": [
            {"src": f"/static/{name}.png", "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}
            for name, side, purpose in ICONS
        ],
    }
    return JSONResponse(told, media_type="application/manifest+json")


async def worker(request: Request) -> Response:
    """The worker that stands between the pages and the network; the build in it makes every version another worker."""
    return Response(_worker(build_id()), media_type="text/javascript")


@cache
def _worker(build: str) -> str:
    script = (Path(__file__).parents[1] / "static" / "worker.js").read_text("utf-8")
    return script.replace('const BUILD = "";', f'const BUILD = "{build}";')


async def offline(request: Request) -> Response:
    """What stands in for a page that cannot come: in every language, for it is fetched long before it is read."""
    first = language_of(request)
    tongues = [Words(language) for language in sorted(LANGUAGES, key=lambda language: language != first)]
    return page(request, "offline.html", tongues=tongues)


ROUTES = [
    Route("/manifest.webmanifest", manifest),
    Route("/worker.js", worker),
    Route("/offline", offline),
]
