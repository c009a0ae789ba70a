"""What a request says of where it comes from: from a page of this house or not, and from a reader of which language."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from brelan.words import LANGUAGES

LANGUAGE = "brelan_language"
"""The cookie of a language that was asked for."""


def language_of(asked: HTTPConnection) -> str:
    """`?lang=`, else the cookie of an earlier one, else the first of the browser's languages that the house speaks."""
    accepted = asked.headers.get("accept-language", "")
    wanted = [asked.query_params.get("lang"), asked.cookies.get(LANGUAGE)]
    wanted += [part.partition(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def is_own(asked: HTTPConnection) -> bool:
    """Whether a page of this very house asks: browsers name the origin of every form and every socket."""
    try:
        origin = urlsplit(asked.headers.get("origin", ""))
    except ValueError:
        return False
    web = origin.scheme in ("http", "https")  # either: a proxy may speak another than the browser does
    return web and bool(origin.netloc) and origin.netloc == asked.headers.get("host")
