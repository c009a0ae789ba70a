"""Gin in the languages of others: their cards and moves, and ours. None of them need be installed for it.

Ours are texts, as the line protocol has them: cards `7h`, moves `discard 7h`, `knock 7h`, `gin 7h`, `gin`, `draw`,
`take`, `pass`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self
from unittest import mock

RANKS = "A23456789TJQK"

SPIEL = [rank + suit for suit in "scdh" for rank in RANKS]
"""OpenSpiel's cards by number, which are its discards as well."""

SPIEL_TAKE, SPIEL_DRAW, SPIEL_PASS, SPIEL_KNOCK = 52, 53, 54, 55

RLCARD_ALONE = mock.patch("subprocess.check_output", return_value=b"")
"""While RLCard is imported: it would ask pip, for seconds, whether torch is there."""

RLCARD = [rank + suit for suit in "shdc" for rank in RANKS]
"""RLCard's cards by number."""

RLCARD_DRAW, RLCARD_TAKE, RLCARD_GIN, RLCARD_DISCARD, RLCARD_KNOCK = 2, 3, 5, 6, 58
"""RLCard's moves; the last two are the first of 52, one for each card."""

OUT = ("gin", "gin {}", "knock {}")
"""How a hand can be ended by throwing a card, the best for its player first; the first keeps all eleven."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat that is asked can see of a hand, as far as these players look."""

    hand: tuple[str, ...]
    discards: tuple[str, ...]  # from the bottom
    legal: tuple[str, ...]

    @classmethod
    def of(cls, ask: dict[str, Any]) -> Self:
        """The sight in an `ask` of the line protocol."""
        zones = ask["zones"]
        return cls(tuple(zones[f"hand:{ask['seat']}"]), tuple(zones["discards"]), tuple(ask["legal"]))

    @property
    def throws(self) -> bool:
        """Whether a card must go; otherwise one is to come."""
        return len(self.hand) == 11

    def strangers(self, n: int) -> list[str]:
        """So many cards that the seat does not see."""
        return [card for card in SPIEL if card not in self.hand and card not in self.discards][:n]


def out_with(card: str, legal: Iterable[str]) -> str | None:
    """The best legal way to end the hand with this card thrown, if there is one."""
    return next((move for form in OUT if (move := form.format(card)) in legal), None)


def not_taken(legal: Iterable[str]) -> str:
    """To leave the upcard: draw from the stock, or pass where it is offered."""
    return "draw" if "draw" in legal else "pass"


def to_rlcard(sight: Sight, knocks: Iterable[str]) -> list[int]:
    """The legal moves as RLCard lists them: of knocks those that it knows, and gin alone where there is gin."""
    if any(move.startswith("gin") for move in sight.legal):
        return [RLCARD_GIN]
    if not sight.throws:
        return [RLCARD_DRAW, RLCARD_TAKE]
    discards = [RLCARD_DISCARD + n for n, card in enumerate(RLCARD) if f"discard {card}" in sight.legal]
    return discards + [RLCARD_KNOCK + RLCARD.index(card) for card in knocks if f"knock {card}" in sight.legal]


def from_rlcard(move: int, legal: tuple[str, ...]) -> str:
    """A move of RLCard's in our words."""
    if move == RLCARD_GIN:
        return next(said for said in ("gin", *legal) if said in legal and said.startswith("gin"))
    if move < RLCARD_DISCARD:
        return "take" if move == RLCARD_TAKE else not_taken(legal)
    form, card = ("knock", move - RLCARD_KNOCK) if move >= RLCARD_KNOCK else ("discard", move - RLCARD_DISCARD)
    return f"{form} {RLCARD[card]}"
