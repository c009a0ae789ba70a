"""How Elements' policy by weights judges an auction: what it can still reach, what that costs, who is still in.

Worths of moves are in 1/64 points. A card costs what it would bring later (`thrift.future`).
"""

from __future__ import annotations

from brelan.cards import lowest, popcount
from brelan.games.elements.combinations import HIGHEST, VALUES, worth
from brelan.games.elements.company import SAME_NUMBER
from brelan.games.elements.memory import HAND
from brelan.games.elements.state import AUCTION, LAY, LAY_TWO, PASS, State
from brelan.games.elements.thrift import future, place_of, urgency
from brelan.games.elements.weights import ENTRY, HOLD, LAST_CHANCE, REACH, RIVALS, SUNK

SURE = 64
"""1/64 points of a point that is won for certain."""

NEVER = -(1 << 20)
"""The worth of cards thrown away: nothing that they may still make comes before what lies there."""

OTHERS, AGAINST, POINTS, URGENCY = 0, 1, 2, 3
"""The stakes of an auction, the same for every move of a seat: how many others are in, the worth that must be beaten,
the points that are played for, and how much the future of cards counts (`thrift.urgency`).
"""

Stakes = tuple[int, int, int, int]
"""By these names."""


def stakes(s: State, seat: int, heedless: bool, w: list[int]) -> Stakes:
    """What a seat plays for; who is heedless looks at nobody else's cards."""
    others = s.players - 1 if heedless else opponents(s, seat)
    against = -1 if heedless else rival(s, seat)
    return others, against, s.beside[max(s.auction, 0)] % 11, urgency(s, w)  # outside of auctions nobody asks


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
    """`rules.can_lay`, told from what everybody can count: at an auction all cards that left a hand have been seen."""
    laid = popcount(s.laid[seat])
    held = HAND - popcount(s.shown[seat])
    return laid < 4 and not s.passed >> seat & 1 and held >= (2 if laid == 2 else 1)


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


def pass_worth(s: State, seat: int, at: Stakes, w: list[int]) -> int:
    """What adding nothing more brings."""
    mine = worth(s, s.laid[seat])
    if mine <= at[AGAINST]:  # also where nobody has laid a card
        return 0
    if at[OTHERS] == 0:
        return SURE * at[POINTS] + 1
    return at[POINTS] * w[HOLD + (mine >> 8)] * (8 - at[OTHERS]) // 8


def card_worth(s: State, seat: int, card: int, at: Stakes, w: list[int]) -> int:
    """What laying one card brings, the further ones in mind."""
    laid = s.laid[seat] | 1 << card
    cost = future(s, s.hand[seat], card, w) * at[URGENCY] // 64
    if at[OTHERS] == 0 and worth(s, laid) > at[AGAINST]:
        return SURE * at[POINTS] - cost
    most = reach(s, laid, s.hand[seat] ^ 1 << card)
    if most < at[AGAINST]:
        return NEVER
    begun = w[SUNK] if s.laid[seat] else 0
    return at[POINTS] * (w[REACH + (most >> 8)] + w[RIVALS] * (at[OTHERS] - 1)) + begun - w[ENTRY] - cost


def pair_worth(s: State, seat: int, a: int, b: int, at: Stakes, w: list[int]) -> int:
    """What laying the last two cards brings."""
    made = worth(s, s.laid[seat] | 1 << a | 1 << b)
    if made < at[AGAINST]:
        return NEVER
    hope = w[LAST_CHANCE + (made >> 8)] if at[OTHERS] else SURE
    cost = future(s, s.hand[seat], a, w) + future(s, s.hand[seat], b, w)
    return at[POINTS] * hope - cost * at[URGENCY] // 64


def bid_worth(s: State, seat: int, move: int, at: Stakes, w: list[int]) -> int:
    """What a move of an auction brings; two cards stand in it as in `policy.next_pair`."""
    if move == PASS:
        return pass_worth(s, seat, at, w)
    if move < PASS:
        return card_worth(s, seat, move - LAY, at, w)
    return pair_worth(s, seat, move - LAY_TWO >> 6, move - LAY_TWO & 63, at, w)
