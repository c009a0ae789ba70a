"""The pages' templates, filled in with the words of one language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from brelan.words import LANGUAGES, Words

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def render(template: str, words: Words, **values: Any) -> str:
    """The template's HTML; `words`, `language` and `languages` are there in every one."""
    return _templates.get_template(template).render(words=words, language=words.language, languages=LANGUAGES, **values)
