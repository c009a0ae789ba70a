"""What a request says of where it comes from: from a page of this house or not, and from a reader of which language."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from brelan.words.tongues import tongue_of

LANGUAGE = "brelan_language"
"""The cookie of a language that was asked for."""


ACCEPTED = re.compile(r"\s*([\w-]+)\s*(?:;\s*q=([01](?:\.\d*)?)\s*)?", re.ASCII)
"""A language that a browser names, and how much it is wished (RFC 9110, 12.5.4)."""


def language_of(asked: HTTPConnection) -> str:
    """`?lang=`, else the cookie of an earlier one, else the most wished of the browser's that the house speaks, else
    the one of the settings: robots that look for a link's preview name none.
    """
    wanted = [asked.query_params.get("lang", ""), asked.cookies.get(LANGUAGE, "")]
    wanted += accepted(asked.headers.get("accept-language", ""))
    return next(filter(None, map(tongue_of, wanted)), asked.app.state.house.settings.language)


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wished first, and none that is not wished at all."""
    named = filter(None, map(ACCEPTED.fullmatch, header.split(",")))
    weights = {one[1]: float(one[2] or 1) for one in named}
    return sorted(filter(weights.get, weights), key=lambda tag: -weights[tag])


def is_own(asked: HTTPConnection) -> bool:
    """Whether a page of this very house asks: browsers name the origin of every form and every socket."""
    try:
        origin = urlsplit(asked.headers.get("origin", ""))
    except ValueError:
        return False
    web = origin.scheme in ("http", "https")  # either: a proxy may speak another than the browser does
    return web and bool(origin.netloc) and origin.netloc == asked.headers.get("host")
