"""What each seat of Hawaiki may know, and where the cards lie."""

from __future__ import annotations

from brelan.cards import HIDDEN, popcount
from brelan.games.hawaiki.bags import has, size
from brelan.games.hawaiki.memory import NONE, SUNK
from brelan.games.hawaiki.state import (
    ANSWERING,
    DECK,
    HIDING,
    NAMING,
    OVER,
    RETRYING,
    SHUFFLE,
    WINDOW,
    State,
)
from brelan.scene import members


def redact(s: State, seat: int) -> State:
    """The state as `seat` may know it: own hand, what was seen of the others, no stock; all at the end.

    With UNE DE CACHÉE hands lie open but for one card; a card that is hidden later was seen by all before.
    """
    v = s.copy()
    if s.phase == OVER:
        return v
    for other in range(v.players):
        if other != seat:
            if v.hidden[other] != NONE and v.count[other] > size(v.known[other]):
                v.hidden[other] = HIDDEN
            v.hand[other] = v.known[other][:]
            v.mine[other] = [0, 0]
    v.stock = [HIDDEN] * SUNK + [card if place < v.last else 0 for place, card in enumerate(v.stock[SUNK:], SUNK)]
    return v


def zones(s: State) -> dict[str, list[int]]:
    """Every zone's cards (records.md), HIDDEN where a redacted state does not know them."""
    if s.phase != SHUFFLE:
        return table(s)
    piles: dict[str, list[int]] = {f"pile:{n}": [] for n in (1, 2, 3)}
    return {"stock": [i >> 1 for i in range(DECK)]} | piles | {f"hand:{seat}": [] for seat in range(s.players)}


def table(s: State) -> dict[str, list[int]]:
    """The cards as they lie, also between two rounds, when the rules already count them to the stock."""
    if not s.finished and s.phase == SHUFFLE:
        return zones(s)
    found = {"stock": s.stock[s.next : s.last]}
    for pile in range(3):
        found[f"pile:{pile + 1}"] = s.pile[pile][: s.height[pile]]
    for seat in range(s.players):
        hand = [card for card in members(s.hand[seat][0]) for _ in range(has(s.hand[seat], card))]
        found[f"hand:{seat}"] = hand + [HIDDEN] * (s.count[seat] - len(hand))
    return found


def sound(s: State) -> bool:
    """Whether the stock and every pile are where they can be, and whoever is asked has what it needs for its answer."""
    table = (1 << s.players) - 1
    return (
        min(s.height) > 0
        and s.next <= s.last
        and SUNK <= s.last <= SUNK + popcount(s.sacrificed & table)
        and s.voices & ~table == 0
        and s.passes < s.players
        and (s.turn == s.actor or s.phase in (HIDING, WINDOW, ANSWERING))
        and (s.phase != NAMING or s.naming > 0)
        and (s.phase != RETRYING or s.purse[s.turn] > 0)
        and all(sound_hand(s, seat) for seat in range(s.players))
    )


def sound_hand(s: State, seat: int) -> bool:
    """Whether a hand and what is known of it are bags of no more cards than it counts; of one who went out, of none."""
    went_out = s.out == 1 and seat == s.actor and s.phase in (WINDOW, NAMING, ANSWERING)
    bags = (s.hand[seat], s.known[seat])
    return (s.count[seat] > 0 or went_out) and all(bag[1] & ~bag[0] == 0 and size(bag) <= s.count[seat] for bag in bags)
