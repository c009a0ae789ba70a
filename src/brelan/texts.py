"""Cards and moves as text: a list of texts, read both ways. A number is its text's place in the list."""

from __future__ import annotations

from collections.abc import Callable

from brelan.cards import HIDDEN
from brelan.errors import Unreadable


def both_ways(kind: str, texts: list[str], example: str) -> tuple[Callable[[int], str], Callable[[str], int]]:
    """From a number to its text (`?` for HIDDEN), and back; the way back refuses what is not there as Unreadable.

    `kind` is the sentence of the catalogue that refuses: card or move.
    """
    numbers = {text: number for number, text in enumerate(texts)}
    assert len(numbers) == len(texts), "two numbers have one text"

    def written(number: int, /) -> str:
        return "?" if number == HIDDEN else texts[number]

    def read(text: str, /) -> int:
        if text not in numbers:
            raise Unreadable(kind, given=text, example=example)
        return numbers[text]

    return written, read
