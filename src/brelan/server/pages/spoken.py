"""What a page says besides its own template: the sentences of its scripts, and a game's rulebook."""

from __future__ import annotations

from importlib import resources

from brelan.words import catalogue, held


def client_words(language: str, *sections: str, game: str | None = None) -> dict[str, str]:
    """The sentences that a page's scripts say, by name: those under `client`, the house's and a game's, and of more
    sections of the house's catalogue.
    """
    parted = ((key.partition("."), sentence) for key, sentence in catalogue(language).items())
    house = {name: sentence for (section, _, name), sentence in parted if section in ("client", *sections)}
    own = {key: sentence for key, sentence in catalogue(language, game).items() if key.startswith("client.")}
    return house | {key.removeprefix("client."): sentence for key, sentence in own.items()}


def sayings(language: str) -> dict[str, str]:
    """What people may say to each other by a button, each under `say_` and its name."""
    return {f"say_{key[5:]}": words for key, words in catalogue(language).items() if key.startswith("chat.")}


def rulebook(game: str, language: str) -> str | None:
    """The rulebook as HTML; None if it is not written yet. The only HTML in our files are the rules' anchors."""
    from markdown_it import MarkdownIt

    file = resources.files(f"brelan.games.{game}").joinpath(f"rulebook.{language}.md")
    if not file.is_file():
        return None
    drawn = MarkdownIt("commonmark", {"html": True}).enable("table").render(file.read_text("utf-8"))
    return held(str(drawn), language)
