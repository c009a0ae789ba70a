"""Every text a person reads, in French and in English.

A catalogue is made of TOML files of sentences: those of the house lie beside this file, one for each topic
(`table.en.toml`), those of a game in its room. A sentence is a format string; of one with several forms, parted by `|`,
its value `n` chooses (one | several). What is a language's own manner stands in `tongues.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from datetime import date
from errno import errorcode
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from brelan.errors import Illegal, Refusal, plain
from brelan.words.tongues import TONGUES, Tongue

LANGUAGES = tuple(TONGUES)

LONG = 200
"""Letters of what somebody typed that a refusal repeats at most."""

HARD = "\u00a0\u202f"
"""The spaces at which no line breaks: letters like others."""

JOINS = "\u200c\u200d"
"""Written between letters, and the parts of an emoji, to keep them together or apart."""


def held(text: str, language: str) -> str:
    """The text with the spaces held at which that language breaks no line."""
    return TONGUES[language].held.sub("\u00a0", text)


def is_letter(c: str) -> bool:
    """Whether it is shown as it is: what joins parts of a word or an emoji too, and emoji newer than this Python."""
    return c.isprintable() or c in JOINS or "\U0001f000" <= c <= "\U0001faff"


def shown(text: str) -> str:
    """What somebody typed as it may be printed: on one line, and without letters that a screen would obey."""
    return "".join(c if is_letter(c) or c in HARD else c.encode("unicode_escape").decode() for c in text)


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """A TOML table's sentences under their dotted names."""
    found: dict[str, str] = {}
    for name, value in table.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return found


def folder_of(game: str | None) -> Traversable:
    """Where the texts of the house lie, or of one game."""
    return resources.files(f"brelan.games.{game}" if game else "brelan.words")


def document(name: str, language: str, game: str | None = None) -> tuple[Traversable, str]:
    """A file beside the sentences, "rulebook.{}.md", in that language, or in the first where it is not translated yet;
    and in which it is.
    """
    own, first = (folder_of(game).joinpath(name.format(code)) for code in (language, LANGUAGES[0]))
    return (own, language) if own.is_file() else (first, LANGUAGES[0])


@cache
def catalogue(language: str, game: str | None = None) -> dict[str, str]:
    """The sentences of the house, or of one game, by name, as far as they are translated."""
    files = [file for file in folder_of(game).iterdir() if file.name.endswith(f".{language}.toml")]
    sentences: dict[str, str] = {}
    for file in files:
        sentences |= flat(tomllib.loads(held(file.read_text("utf-8"), language)))
    return sentences


@cache
def spoken(language: str, game: str | None) -> dict[str, str]:
    """All sentences that are said at a table of that game, those of the game before those of the house; one for all.
    What that language does not say yet is said in the first.
    """
    house, room = (catalogue(LANGUAGES[0], of) | catalogue(language, of) for of in (None, game))
    return house | room


class Words:
    """The catalogue of one language, with the words of one game before those of the house. There is one of each, so
    that what is kept by it (`functools.cache`) is found at once.
    """

    language: str
    game: str | None
    _sentences: dict[str, str]

    def __new__(cls, language: str, game: str | None = None) -> Words:
        if language not in list(TONGUES):  # which can be asked for whatever is given
            raise Refusal("language", given=language, known=", ".join(LANGUAGES))
        return _words(plain(language), game)

    def __reduce__(self) -> tuple[Any, ...]:
        return Words, (self.language, self.game)

    def __contains__(self, key: str) -> bool:
        return key in self._sentences

    def __call__(self, key: str, /, **values: Any) -> str:
        """The sentence of that name, its values filled in; a missing name is a KeyError."""
        sentence = self._sentences[key]
        if not values:
            return sentence
        if "|" in sentence:
            forms = sentence.split("|")
            sentence = forms[min(self.tongue.form(values["n"]), len(forms) - 1)]
        return sentence.format(**values)

    @property
    def tongue(self) -> Tongue:
        """What the language does in its own way."""
        return TONGUES[self.language]

    def number(self, value: float, digits: int = 1) -> str:
        """A number as the language writes it, with so many digits behind the comma."""
        return self.written(f"{value:.{digits}f}")

    def written(self, figures: str) -> str:
        """Figures that Python wrote, as the language writes them: its own comma, its own space between thousands, and a
        minus, which is longer than a hyphen.
        """
        return figures.translate(str.maketrans(",.-", f"{self.tongue.figures}−"))

    def count(self, n: int) -> str:
        """A count of many as the language writes it: 12,345."""
        return self.written(f"{n:,}")

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of one in percent, with its sign."""
        return self.number(100 * share, digits) + self.tongue.percent

    def day(self, iso: str) -> str:
        """A day, given as 2026-11-21, as the language writes it."""
        return date.fromisoformat(iso).strftime(self.tongue.day)

    def signed(self, value: float, digits: int = 0) -> str:
        """The same of what lies above or below nothing, with its sign."""
        rounded = round(value, digits)
        return "+" * (rounded > 0) + self.number(rounded or 0, digits)

    def listed(self, things: Sequence[str]) -> str:
        """Several things as one phrase: "Anna, Ben and 2 bots"."""
        return self("client.and").join([part for part in (", ".join(things[:-1]), *things[-1:]) if part])

    def refusal(self, refusal: Refusal) -> str:
        """What a refusal says to its reader."""
        if isinstance(refusal, Illegal):
            words = Words(self.language, refusal.values["game"])
            return words("illegal", why=words(f"why.{refusal.rule}"), **refusal.values)
        return self(refusal.key, **{name: self._told(value) for name, value in refusal.values.items()})

    def reason(self, error: OSError) -> str:
        """Why the system did not do something; what we have no words for in its own, which are English."""
        key = f"reason.{errorcode.get(error.errno or 0)}"
        return self(key) if key in self else error.strerror or str(error)

    def _told(self, value: Any) -> Any:
        """A value as a refusal tells it: another refusal as its words, the system's reasons in ours, whatever else is
        long in short.
        """
        if isinstance(value, Refusal):
            return self.refusal(value)
        value = self.reason(value) if isinstance(value, OSError) else value
        text = shown(str(value))
        if len(text) > LONG:
            return f"{text[:LONG]}…"
        if isinstance(value, float):
            return self.written(str(value))
        return value if isinstance(value, int) else text


Said = Callable[[Words], str]
"""Something that every language says in its own words."""


@cache
def _words(language: str, game: str | None) -> Words:
    words = object.__new__(Words)
    words.language, words.game = language, game
    words._sentences = spoken(language, game)
    return words
