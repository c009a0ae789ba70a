"""What each language does in its own way: one row a language, from which the house, its pages and its tests are fed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

ENGLISH = re.compile(r"(?!)")
"""No space is held."""

FRENCH = re.compile(r"(?<=[«°]) | (?=[:;!?»]|%(?![(rs]))")
"""Those beside its quotation marks and before its stops; in the terminal's own sentences `%s` is a value."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one language is written."""

    name: str  # what it calls itself
    form: Callable[[float], int]  # which form of a sentence a number takes, in the order of CLDR: zero to other
    figures: str = ",."  # what parts thousands, and where a fraction begins
    percent: str = "%"
    day: str = "%Y-%m-%d"
    held: re.Pattern[str] = ENGLISH  # the spaces at which no line may break
    direction: str = "ltr"


TONGUES = {
    "en": Tongue("English", lambda n: abs(n) != 1),
    "fr": Tongue("Français", lambda n: abs(n) >= 2, "\u202f,", "\u00a0%", "%d/%m/%Y", FRENCH),
}
"""By the code that stands in the names of a language's files. What the first has said already is said in its words
where another has none yet.
"""


def tongue_of(tag: str) -> str | None:
    """The language of ours that a tag means, whatever its region: "fr-CA", "fr_CA.UTF-8"; None where it is not ours."""
    code = re.split(r"[-_.@]", tag.lower())[0]
    return code if code in TONGUES else None
