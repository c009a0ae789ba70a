"""The novice of Elements: lay cards that go together, spend them on dear point cards. Matches depend on it: frozen."""

from __future__ import annotations

from brelan.cards import below, lowest, popcount
from brelan.games.elements.auctions import rival
from brelan.games.elements.combinations import worth
from brelan.games.elements.company import colours, company, numbers
from brelan.games.elements.row import strength
from brelan.games.elements.state import LAY, PAIR, PASS, PLACING, READY, RETURN, RETURNING, State

ENTER, WHIM = 16, 8
"""A card is laid when the point card's value, three times the card's company, and a whim from 0 to WHIM - 1 come to
ENTER: novices who all want the same point cards would lose to anyone who wants the others."""

GROUP = 2
"""Company that makes a card worth keeping for the next round."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; equals are chosen among at random."""
    if s.phase == PLACING:
        return novice_place(s, seat, random)
    if s.phase == RETURNING:
        return novice_return(s.hand[seat])
    if unrivalled(s, seat):
        return PASS
    if popcount(s.laid[seat]) == 2:
        return novice_pair(s, seat)
    return novice_lay(s, seat, random)


# ---------------------------------------------------------------- phase 1


def novice_place(s: State, seat: int, random: list[int]) -> int:
    """A high card without company, beside the vacant element of the colour held most."""
    hand = s.hand[seat]
    best = -1
    most = -1000
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        gain = 16 * (card % 11 - 3 * numbers(hand, card) - colours(hand, card)) + below(random, 16)
        if gain > most:
            most = gain
            best = card
    return 5 * best + own_element(s, hand & ~(1 << best), random)


def own_element(s: State, hand: int, random: list[int]) -> int:
    """The place of the vacant element whose colour the hand holds most."""
    best = -1
    most = -1
    for at in range(5):
        if s.placer[at] < 0:
            held = 16 * colours(hand, 11 * s.row[at]) + below(random, 16)
            if held > most:
                most = held
                best = at
    return best


# ---------------------------------------------------------------- phase 2


def unrivalled(s: State, seat: int) -> bool:
    """Whether the point card is won already: ahead, and nobody else is left in."""
    for other in range(s.players):
        if other != seat and not s.passed >> other & 1 and popcount(s.laid[other]) < 4:
            return False
    return s.laid[seat] != 0 and worth(s, s.laid[seat]) > rival(s, seat)


def novice_lay(s: State, seat: int, random: list[int]) -> int:
    """The card with the best company, if that and the point card are worth it."""
    laid = s.laid[seat]
    together = s.hand[seat] | laid
    best = -1
    most = -1
    rest = s.hand[seat]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        mates = company(together, card) if laid == 0 else joined(laid, together, card)
        gain = 256 * mates + 16 * (card % 11) + below(random, 16)
        if gain > most:
            most = gain
            best = card
    wish = 3 * (most >> 8) + strength(s.beside[s.auction]) + below(random, WHIM)
    return LAY + best if wish >= ENTER else PASS


def joined(laid: int, together: int, card: int) -> int:
    """The company of a second card, if it goes with the first."""
    both = laid | 1 << card
    if numbers(both, card) == 2:
        return 2 * min(numbers(together, card) - 1, 3)
    return min(colours(together, card) - 1, 3) if colours(both, card) == 2 else 0


def novice_pair(s: State, seat: int) -> int:
    """The two cards that make most of the tableau, if they put it, or keep it, ahead with more than it has now."""
    laid = s.laid[seat]
    best = PASS
    most = max(rival(s, seat), worth(s, laid) | 255)
    rest = s.hand[seat]
    while rest:
        a = lowest(rest)
        rest &= rest - 1
        others = rest
        while others:
            b = lowest(others)
            others &= others - 1
            value = worth(s, laid | 1 << a | 1 << b)
            if value > most:
                most = value
                best = PAIR[55 * a + b]
    return best


# ---------------------------------------------------------------- phase 3


def novice_return(hand: int) -> int:
    """Cards without company go back."""
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if company(hand, card) < GROUP:
            return RETURN + card
    return READY
