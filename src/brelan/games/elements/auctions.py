"""How Elements' policy by weights judges an auction: what it can still reach, what that costs, who is still in.

Worths of moves are in 1/64 points. A card costs what it would bring later (`thrift.future`).
"""

from __future__ import annotations

from brelan.cards import lowest, popcount
from brelan.games.elements.combinations import HIGHEST, VALUES, worth
from brelan.games.elements.company import SAME_NUMBER
from brelan.games.elements.memory import hand_size
from brelan.games.elements.state import AUCTION, LAY, LAY_TWO, PASS, State
from brelan.games.elements.thrift import future, place_of, urgency
from brelan.games.elements.weights import ENTRY, HOLD, LAST_CHANCE, REACH, RIVALS, SUNK

SURE = 64
"""1/64 points of a point that is won for certain."""

NEVER = -(1 << 20)
"""The worth of cards thrown away: nothing that they may still make comes before what lies there."""


def rival(s: State, seat: int) -> int:
    """The worth of the best combination that another seat has laid."""
    best = -1
    for other in range(s.players):
        if other != seat and s.laid[other]:
            best = max(best, worth(s, s.laid[other]))
    return best


def opponents(s: State, seat: int) -> int:
    """How many other seats may still lay a card in this auction."""
    n = 0
    for other in range(s.players):
        n += other != seat and may_lay(s, other)
    return n


def may_lay(s: State, seat: int) -> bool:
    """`rules.can_lay`, told from what everybody can count."""
    laid = popcount(s.laid[seat])
    return laid < 4 and not s.passed >> seat & 1 and hand_size(s, seat) >= (2 if laid == 2 else 1)


def is_won(s: State, seat: int) -> bool:
    """Whether the auction is a seat's own, whatever it still lays: what goes on top is only lost."""
    return s.phase == AUCTION and opponents(s, seat) == 0 and worth(s, s.laid[seat]) > rival(s, seat)


def reach(s: State, laid: int, hand: int) -> int:
    """About the worth of the best combination with some of the laid cards that a hand can still make."""
    room = 4 - popcount(laid)
    best = -1
    rest = laid
    while rest:
        best = max(best, alike_within(lowest(rest), laid, hand, room), row_within(s, lowest(rest), laid, hand, room))
        rest &= rest - 1
    return best


def alike_within(card: int, laid: int, hand: int, room: int) -> int:
    """The worth of the number combination within reach that holds a laid card; -1 where it has no mate."""
    alike = SAME_NUMBER << card % 11
    n = popcount(laid & alike) + min(popcount(hand & alike), room)
    return (2 * n - 1) << 8 | card % 11 << 4 | 5 if n > 1 else -1


def row_within(s: State, card: int, laid: int, hand: int, room: int) -> int:
    """The worth of the colour combination within reach that holds a laid card."""
    row = laid >> 11 * (card // 11) & VALUES
    held = hand >> 11 * (card // 11) & VALUES if room else 0
    n = popcount(row) + min(popcount(held), room)
    return (2 * n - 2) << 8 | (5 - place_of(s, card)) << 4 | HIGHEST[row | held]


def pass_worth(s: State, seat: int, others: int, against: int, w: list[int]) -> int:
    """What adding nothing more brings."""
    mine = worth(s, s.laid[seat])
    if mine <= against:  # also where nobody has laid a card
        return 0
    points = s.beside[s.auction] % 11
    if others == 0:
        return SURE * points + 1
    return points * w[HOLD + (mine >> 8)] * (8 - others) // 8


def card_worth(s: State, seat: int, card: int, others: int, against: int, w: list[int]) -> int:
    """What laying one card brings, the further ones in mind."""
    laid = s.laid[seat] | 1 << card
    points = s.beside[s.auction] % 11
    cost = future(s, s.hand[seat], card, w) * urgency(s, w) // 64
    if others == 0 and worth(s, laid) > against:
        return SURE * points - cost
    most = reach(s, laid, s.hand[seat] ^ 1 << card)
    if most < against:
        return NEVER
    begun = w[SUNK] if s.laid[seat] else 0
    return points * (w[REACH + (most >> 8)] + w[RIVALS] * (others - 1)) + begun - w[ENTRY] - cost


def pair_worth(s: State, seat: int, two: int, others: int, against: int, w: list[int]) -> int:
    """What laying the last two cards brings."""
    made = worth(s, s.laid[seat] | two)
    if made < against:
        return NEVER
    points = s.beside[s.auction] % 11
    hope = w[LAST_CHANCE + (made >> 8)] if others else SURE
    cost = future(s, s.hand[seat], lowest(two), w) + future(s, s.hand[seat], lowest(two & two - 1), w)
    return points * hope - cost * urgency(s, w) // 64


def bid_worth(s: State, seat: int, move: int, others: int, against: int, w: list[int]) -> int:
    """What a move of an auction brings."""
    if move == PASS:
        return pass_worth(s, seat, others, against, w)
    if move < PASS:
        return card_worth(s, seat, move - LAY, others, against, w)
    pair = move - LAY_TWO
    return pair_worth(s, seat, 1 << pair // 55 | 1 << pair % 55, others, against, w)
