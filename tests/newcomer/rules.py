"""The rules of Newcomer (N1-N6). A card is its value less one; a move is the card to play."""

from __future__ import annotations

from brelan.cards import below, lowest, popcount
from brelan.schema import Plain, ints, one_seat, within

DECK = 30
ACTIONS = 30
TRICKS = 5  # of a round
ROUNDS = 3
ALL_CARDS = (1 << 30) - 1
NONE = -1

SHUFFLE, PLAYING, OVER = 0, 1, 2


class State(Plain):
    players: int
    first: int = one_seat()
    turn: int = one_seat()  # who is asked; after a trick its winner
    phase: int = within(0, OVER)
    finished: int = within(0, ROUNDS)  # rounds ended
    tricks: int = within(0, TRICKS)  # ended in this round
    laid: int = within(0, 6)  # cards in this trick
    gone: int = within(0, ALL_CARDS)  # a set of cards: all that was played in this round
    out: int = within(0, ALL_CARDS)  # a set of cards: dealt to nobody
    played: list[int] = ints(6, least=NONE, most=DECK - 1)  # the card of each seat in this trick or the one before
    hand: list[int] = ints(6, most=ALL_CARDS)  # sets of cards
    gain: list[int] = ints(6)  # the points of this round or the one before
    points: list[int] = ints(6)


# ---------------------------------------------------------------- chance


def start(s: State) -> None:
    """All cards lie in the stock."""
    s.phase = SHUFFLE
    s.out = ALL_CARDS


def due(s: State, out: list[int]) -> int:
    """All thirty cards, once a round (N1, N4)."""
    if s.phase != SHUFFLE:
        return 0
    for card in range(DECK):
        out[card] = card
    return DECK


def deal(s: State, cards: list[int]) -> None:
    """Five cards each, one at a time; the others stay out (N1)."""
    s.turn = (s.first + s.finished) % s.players  # N5
    s.tricks, s.gone, s.out = 0, 0, ALL_CARDS
    for i in range(TRICKS * s.players):
        s.hand[(s.turn + i) % s.players] |= 1 << cards[i]
        s.out ^= 1 << cards[i]
    for seat in range(s.players):
        s.played[seat] = NONE
        s.gain[seat] = 0
    s.phase = PLAYING


# ---------------------------------------------------------------- moves


def asked(s: State) -> int:
    """One seat at a time."""
    return 1 << s.turn if s.phase == PLAYING else 0


def legal(s: State, seat: int, out: list[int]) -> int:
    """Any card of the hand (N2)."""
    n = 0
    if s.phase == PLAYING and seat == s.turn:
        rest = s.hand[seat]
        while rest:
            out[n] = lowest(rest)
            rest &= rest - 1
            n += 1
    return n


def play(s: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`; trusts its caller."""
    s.hand[seat] ^= 1 << move
    s.gone |= 1 << move
    s.played[seat] = move
    s.laid += 1
    s.turn = (seat + 1) % s.players
    if s.laid == s.players:
        end_trick(s)


def end_trick(s: State) -> None:
    """The highest card wins a point and leads (N3)."""
    best = 0
    for seat in range(s.players):
        if s.played[seat] > s.played[best]:
            best = seat
    s.gain[best] += 1
    s.points[best] += 1
    s.turn = best
    s.laid = 0
    s.tricks += 1
    if s.tricks == TRICKS:
        end_round(s)


def end_round(s: State) -> None:
    """The cards are shuffled anew (N4), or the match is over (N6)."""
    s.finished += 1
    s.phase = OVER if s.finished == ROUNDS else SHUFFLE


# ---------------------------------------------------------------- the end


def over(s: State) -> int:
    """1 after three rounds."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Tricks won."""
    return s.points[seat]


def wins(s: State) -> int:
    """All seats with most points (N6)."""
    most = 0
    for seat in range(s.players):
        most = max(most, s.points[seat])
    seats = 0
    for seat in range(s.players):
        if s.phase == OVER and s.points[seat] == most:
            seats |= 1 << seat
    return seats


# ---------------------------------------------------------------- what a seat cannot know


def hand_size(s: State, seat: int) -> int:
    """How many cards a seat holds; everybody can count them."""
    if s.phase != PLAYING:
        return 0
    return TRICKS - s.tricks - ((seat - s.turn) % s.players >= s.players - s.laid)


def imagine(s: State, seat: int, random: list[int]) -> None:
    """Re-deal the others' hands from all cards that were not seen."""
    unseen = ALL_CARDS & ~(s.gone | s.hand[seat])
    for other in range(s.players):
        if other != seat:
            s.hand[other] = 0
            for _ in range(hand_size(s, other)):
                card = nth_of(unseen, below(random, popcount(unseen)))
                s.hand[other] |= 1 << card
                unseen ^= 1 << card
    s.out = unseen


def nth_of(cards: int, n: int) -> int:
    """The card of a set that has n lower ones in it."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)
