"""The rulebooks, for the laws that read them."""

import re
from importlib import resources


def rulebook(game, language):
    return resources.files(f"brelan.games.{game.id}").joinpath(f"rulebook.{language}.md").read_text("utf-8")


def anchors(game, language):
    """The ids of a rulebook's paragraphs, in order."""
    return re.findall(r'<a id="([^"]+)"></a>', rulebook(game, language))
