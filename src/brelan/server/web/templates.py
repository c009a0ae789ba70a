"""The pages' templates, filled in with the words of one language."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader

from brelan.words import LANGUAGES, Words

PAGES = Path(__file__).parents[1] / "pages"

_sources = {path.name: path.read_text("utf-8") for path in PAGES.glob("*.html")}
"""Read at the start: once a newer version is installed under a house that runs, its files ask for words that are not
there yet.
"""


def _source(template: str) -> tuple[str, str, None]:
    return _sources[template], str(PAGES / template), None


_templates = Environment(
    loader=FunctionLoader(_source), autoescape=True, auto_reload=False, trim_blocks=True, lstrip_blocks=True
)
# Sentences stand in the order of their catalogue, and take no more room than they need.
_templates.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False, "separators": (",", ":")}


def render(template: str, words: Words, **values: Any) -> str:
    """The template's HTML; `words`, `language`, `languages` and `level` are there in every one."""
    return _templates.get_template(template).render(
        words=words, language=words.language, languages=LANGUAGES, level=partial(level_words, words), **values
    )


def level_words(words: Words, level: str) -> str:
    """How a bot's level is called; of a version, with its number; one that has no name any more, by its id."""
    name, _, version = level.partition("@")
    key = f"client.level_{name}"
    if key not in words:
        return level
    return words("client.level_version", level=words(key), version=version) if version else words(key)
