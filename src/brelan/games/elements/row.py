"""The row of elements and the cards beside them: it says how strong each colour is (E3, E7, E8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.games.elements.state import State

NONE = -2
"""No card lies beside an element (HIDDEN: one lies there that its viewer may not know)."""


def clear_row(s: State) -> None:
    """No card lies beside an element."""
    for place in range(5):
        s.beside[place] = NONE
        s.placer[place] = -1


def sort_row(s: State) -> None:
    """Higher cards nearer the box, equals as they stood (E7), elements without a card last (E3); zeros leave (E8)."""
    for i in range(1, 5):
        card = s.beside[i]
        colour = s.row[i]
        at = i
        while at > 0 and strength(s.beside[at - 1]) < strength(card):
            s.beside[at] = s.beside[at - 1]
            s.row[at] = s.row[at - 1]
            at -= 1
        s.beside[at] = card
        s.row[at] = colour
    for at in range(5):
        if strength(s.beside[at]) == 0:
            s.beside[at] = NONE


def strength(card: int) -> int:
    """What a card beside an element counts: its value, -1 for no card."""
    return card % 11 if card >= 0 else -1
