"""The rulebooks: a page for each game, whose text the table and the API show as well."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from brelan.games import find
from brelan.server.pages.asked import page, words_of
from brelan.server.pages.covers import faces
from brelan.words import document, held


@dataclass(frozen=True, slots=True)
class Rulebook:
    """What stands below a rulebook's title, the titles of its chapters by their anchors, and the language it is in."""

    html: str
    chapters: dict[str, str]
    language: str


@cache
def rulebook(game: str, language: str) -> Rulebook | None:
    """The rulebook; None if it is not written yet. The only HTML in our files are the rules' anchors."""
    from markdown_it import MarkdownIt

    file, language = document("rulebook.{}.md", language, game)
    if not file.is_file():
        return None
    writer = MarkdownIt("commonmark", {"html": True})
    chapters: dict[str, str] = {}
    _opens, _title, _ends, *text = writer.parse(file.read_text("utf-8"))
    for heading, title in pairwise(text):
        if heading.type == "heading_open" and heading.tag == "h2":
            anchor = f"chapter-{len(chapters) + 1}"  # the same in every language
            heading.attrSet("id", anchor)
            chapters[anchor] = held(writer.renderInline(title.content), language)
    return Rulebook(held(writer.renderer.render(text, writer.options, {}), language), chapters, language)


async def rules(request: Request) -> Response:
    """The rulebook of a game; every rule id is an anchor in it."""
    game = find(request.path_params["game"])
    words = words_of(request, game.id)
    book = rulebook(game.id, words.language)
    return page(request, "rules.html", game=game, faces=faces(game.id), words=words, rulebook=book)


ROUTES = [Route("/rules/{game}", rules, middleware=[Middleware(GZipMiddleware)])]
