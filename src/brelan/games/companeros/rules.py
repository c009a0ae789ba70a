"""Compañeros: the rules of the sheet (C1-C17, O-C1-O-C3).

A card is 10 * colour + value - 1, colours R Y G B P O; so a colour is ten neighbouring bits of a set of cards. A move
is a number: the card to play, or TAKE + the colour to take from the pot.
"""

from __future__ import annotations

from brelan.cards import below, highest, lowest, popcount
from brelan.schema import Plain, ints, one_seat, within

DECK = 60
TAKE, ACTIONS = 60, 66
TRICKS = 9
"""In a round: of ten cards a player, one goes to the pot."""

NONE = 60
"""In place of a card: none played yet in this round."""

SHUFFLE, PLAYING, TAKING, OVER = 0, 1, 2, 3
"""Phases: a trick is played, then the pot is shared out."""

ALL_CARDS = (1 << 60) - 1
COLOUR = (1 << 10) - 1
"""The ten cards of colour 0 as a set."""

WORTH = [sum(value + 1 for value in range(10) if cards >> value & 1) for cards in range(1 << 10)]
"""The sum of the values of any cards of one colour."""


class State(Plain):
    players: int
    first: int = one_seat()
    turn: int = one_seat()
    phase: int = within(0, OVER)
    finished: int  # rounds ended
    opener: int = one_seat()  # who leads the round's first trick
    leader: int = one_seat()  # who leads the trick; once its count has begun, who leads the next
    tricks: int = within(0, TRICKS)  # ended in this round
    pot: int = within(0, ALL_CARDS)  # a set of cards
    trick: int = within(0, ALL_CARDS)  # those played in this trick
    waiting: int = within(0, 63)  # a set of seats: those that may still take from the pot
    rounds: int
    colours: int = within(0, 63)  # a set of colours, bit 0 red
    played: list[int] = ints(6, most=NONE)  # the card each seat played last, in this trick or the one before
    hand: list[int] = ints(6, most=ALL_CARDS)  # sets of cards
    captured: list[int] = ints(6, most=ALL_CARDS)  # sets of cards: everybody saw them go
    gain: list[int] = ints(6)  # points won in the last round
    total: list[int] = ints(6)  # points won in the match


# ---------------------------------------------------------------- chance


def start(s: State) -> None:
    """The first seat leads the first trick (C8)."""
    s.opener = s.leader = s.turn = s.first
    s.phase = SHUFFLE


def cards_in_play(s: State) -> int:
    """The cards of the chosen colours as a set (C11)."""
    cards = 0
    for colour in range(6):
        if s.colours >> colour & 1:
            cards |= COLOUR << 10 * colour
    return cards


def due(s: State, out: list[int]) -> int:
    """All cards in play before each round (O-C3), none at any other time."""
    if s.phase != SHUFFLE:
        return 0
    n = 0
    rest = cards_in_play(s)
    while rest:
        out[n] = lowest(rest)
        rest &= rest - 1
        n += 1
    return n


def deal(s: State, cards: list[int]) -> None:
    """One card for each player goes to the pot, the rest one at a time to the hands, from who leads (C16)."""
    s.pot = 0
    for seat in range(s.players):
        s.hand[seat] = s.captured[seat] = 0
        s.played[seat] = NONE
        s.pot |= 1 << cards[seat]
    for i in range(s.players, 10 * s.players):
        s.hand[(s.opener + i) % s.players] |= 1 << cards[i]
    s.tricks = 0
    s.leader = s.turn = s.opener
    s.phase = PLAYING


# ---------------------------------------------------------------- moves


def asked(s: State) -> int:
    """One seat at a time; none while a shuffle is due or the match is over."""
    return 1 << s.turn if s.phase == PLAYING or s.phase == TAKING else 0


def legal(s: State, seat: int, out: list[int]) -> int:
    """What `seat` may do now, written to out; how many there are. Any card (C7); any colour of the pot (C6)."""
    if seat != s.turn:
        return 0
    n = 0
    if s.phase == PLAYING:
        rest = s.hand[seat]
        while rest:
            out[n] = lowest(rest)
            rest &= rest - 1
            n += 1
    elif s.phase == TAKING:
        for colour in range(6):
            if s.pot >> 10 * colour & COLOUR:
                out[n] = TAKE + colour
                n += 1
    return n


def play(s: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`; trusts its caller."""
    if move >= TAKE:
        take(s, seat, move - TAKE)
        return
    s.hand[seat] ^= 1 << move
    s.trick |= 1 << move
    s.played[seat] = move
    s.turn = seat + 1 if seat + 1 < s.players else 0
    if s.turn == s.leader:
        count(s)


def take(s: State, seat: int, colour: int) -> None:
    """All the pot's cards of a colour; the count ends when nobody waits or nothing is left (C4, C5, O-C1)."""
    cards = s.pot & COLOUR << 10 * colour
    s.captured[seat] |= cards
    s.pot ^= cards
    s.waiting ^= 1 << seat
    if s.waiting and s.pot:
        s.turn = next_taker(s)
    else:
        s.waiting = 0
        end_trick(s)


# ---------------------------------------------------------------- the count of a trick


def worth(cards: int, colour: int) -> int:
    """The sum of the values of a set's cards of one colour."""
    return WORTH[cards >> 10 * colour & COLOUR]


def ties(trick: int) -> int:
    """The sums that two colours or more have in a trick, bit t for sum t (at most 45)."""
    once = 0
    twice = 0
    for colour in range(6):
        if trick >> 10 * colour & COLOUR:
            total = 1 << worth(trick, colour)
            twice |= once & total
            once |= total
    return twice


def counts(trick: int, card: int, tied: int) -> bool:
    """Whether who played this card of the trick takes: his colour's sum is above all of `ties` (C1, C2)."""
    return 1 << worth(trick, card // 10) > tied


def strength(trick: int, card: int) -> int:
    """Orders the cards of a trick that count: by the sum of the colour, then by value (C2)."""
    return worth(trick, card // 10) * 16 + card % 10


def takers(s: State) -> int:
    """The seats that take from the pot, as a set, whether or not it is rich enough for all."""
    tied = ties(s.trick)
    seats = 0
    for seat in range(s.players):
        if counts(s.trick, s.played[seat], tied):
            seats |= 1 << seat
    return seats


def next_taker(s: State) -> int:
    """Of the seats that wait to take, the one with the strongest card."""
    best = 0
    most = -1
    for seat in range(s.players):
        if s.waiting >> seat & 1:
            strong = strength(s.trick, s.played[seat])
            if strong > most:
                most = strong
                best = seat
    return best


def count(s: State) -> None:
    """Everybody has played: who takes first also leads next; if nobody takes, the same seat leads again (C9)."""
    s.waiting = takers(s)
    if s.waiting:
        s.leader = s.turn = next_taker(s)
        s.phase = TAKING
    else:
        end_trick(s)


def end_trick(s: State) -> None:
    """The cards played join what is left in the pot (C3)."""
    s.pot |= s.trick
    s.trick = 0
    s.tricks += 1
    s.turn = s.leader
    s.phase = PLAYING
    if s.tricks == TRICKS:
        end_round(s)


def points(cards: int) -> int:
    """The sum of the values of a set of cards."""
    total = 0
    for colour in range(6):
        total += worth(cards, colour)
    return total


def end_round(s: State) -> None:
    """What was captured scores, what lies in the pot does not (C10); the best leads the next round (C13, C14)."""
    for seat in range(s.players):
        s.gain[seat] = points(s.captured[seat])
        s.total[seat] += s.gain[seat]
    s.finished += 1
    if s.finished == s.rounds:
        s.phase = OVER
    else:
        s.phase = SHUFFLE
        s.opener = s.leader = s.turn = next_opener(s)


def next_opener(s: State) -> int:
    """Who has most points in all; of several the first met clockwise from who led the round's first trick (O-C2)."""
    best = s.opener
    for i in range(1, s.players):
        seat = (s.opener + i) % s.players
        if s.total[seat] > s.total[best]:
            best = seat
    return best


# ---------------------------------------------------------------- the end


def over(s: State) -> int:
    """1 once the rounds agreed on have been played (C14)."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Points won in the rounds that have ended."""
    return s.total[seat]


def wins(s: State) -> int:
    """All seats with most points, as a set (C12); nobody before the end."""
    return leaders(s) if s.phase == OVER else 0


def leaders(s: State) -> int:
    """All seats with most points so far, as a set."""
    return highest(s.total, s.players)


# ---------------------------------------------------------------- what a seat cannot know


def hand_size(s: State, seat: int) -> int:
    """How many cards a seat holds in this round; everybody can count them."""
    return TRICKS - s.tricks - (s.trick >> s.played[seat] & 1)


def missing(s: State, seat: int) -> int:
    """How many cards of a seat's hand are not known."""
    return hand_size(s, seat) - popcount(s.hand[seat])


def imagine(s: State, seat: int, random: list[int]) -> None:
    """Re-deal at random the hands of the others: nothing else is ever hidden (C15)."""
    if s.phase == SHUFFLE:
        return
    unseen = cards_in_play(s) & ~(s.pot | s.trick)
    for other in range(s.players):
        if other != seat:
            s.hand[other] = 0
        unseen &= ~(s.hand[other] | s.captured[other])
    left = popcount(unseen)
    while left:  # each card goes to one of the places still free, all equally likely
        card = lowest(unseen)
        unseen &= unseen - 1
        place = below(random, left)
        left -= 1
        owner = 0
        while place >= missing(s, owner):
            place -= missing(s, owner)
            owner += 1
        s.hand[owner] |= 1 << card
