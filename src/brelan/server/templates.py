"""The pages' templates, filled in with the words of one language."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, FileSystemLoader

from brelan.words import LANGUAGES, Words

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


_templates.policies["json.dumps_kwargs"] = {"sort_keys": False}  # sentences stand in the order of their catalogue


STATIC = Path(__file__).parent / "static"
IMPORTED = re.compile(r'(?:import|from) ?"(\.[^"]+)"')


@cache
def modules(script: str) -> tuple[str, ...]:
    """A script of the pages and all that it imports, however deep: so that they are fetched at once, not in turn."""
    found = [script]
    for name in found:  # grows as it goes
        near = (PurePosixPath(name).parent / other for other in IMPORTED.findall((STATIC / name).read_text("utf-8")))
        found += dict.fromkeys(path for path in map(plain, near) if path not in found)
    return tuple(found)


def plain(path: PurePosixPath) -> str:
    """A path below the folder without the steps back in it."""
    return (STATIC / path).resolve().relative_to(STATIC.resolve()).as_posix()


_templates.globals["modules"] = modules


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
