"""What a page says besides its own template: the sentences of its scripts."""

from __future__ import annotations

from brelan.words import spoken
from brelan.words.tongues import TONGUES


def client_words(language: str, *sections: str, game: str | None = None) -> dict[str, str]:
    """The sentences that a page's scripts say, by name: those under `client`, the house's and a game's, and of more
    sections of the house's catalogue; and what each language calls itself.
    """
    parted = ((key.partition("."), sentence) for key, sentence in spoken(language, None).items())
    house = {name: sentence for (section, _, name), sentence in parted if section in ("client", *sections)}
    own = {key: sentence for key, sentence in spoken(language, game).items() if key.startswith("client.")}
    tongues = {f"tongue_{code}": tongue.name for code, tongue in TONGUES.items()}
    return house | {key.removeprefix("client."): sentence for key, sentence in own.items()} | tongues


def sayings(language: str) -> dict[str, str]:
    """What people may say to each other by a button, each under `say_` and its name."""
    return {f"say_{key[5:]}": words for key, words in spoken(language, None).items() if key.startswith("chat.")}
