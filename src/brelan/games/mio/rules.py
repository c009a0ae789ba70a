"""Mio: the rules of the Piatnik sheet and what it leaves open (M1-M25, O-M1-O-M9).

A card is a number from 0 to 30 (fits.py). A move is a number:

    0 … 29    play a card                  MIO + one of these   the same, saying MIO
    30        play the joker, as the last card
    31 … 35   play a joker, naming a colour
    DRAW      one card of the stock        PASS                 nothing left to draw, nothing to lay
"""

from __future__ import annotations

from brelan.cards import HIDDEN, lowest, shuffle
from brelan.games.mio.beliefs import tell_draw, tell_lay, tell_pass
from brelan.games.mio.discards import clear, laid_of, lie
from brelan.games.mio.fits import CARDS, COLOURS, FROM_HAND, JOKER, JOKERS, KINDS, LYING, NAMED, POINTS, WHEN_DRAWN
from brelan.schema import Plain, cards, ints, one_seat, within

MIO, DRAW, PASS, ACTIONS = LYING, 2 * LYING, 2 * LYING + 1, 2 * LYING + 2
DECK, SEATS, DEALT = 55, 6, 5
ALL_CARDS = (1 << CARDS) - 1

SHUFFLE, PLAYING, DRAWING, OVER = 0, 1, 2, 3
"""Phases: a turn in which nothing was drawn yet, and one in which only the last card drawn may be laid."""

UNPLAYED, OUT, DOUBLED, BLOCKED = 0, 1, 2, 3
"""How the last round ended."""


class State(Plain):
    players: int
    first: int = one_seat()
    turn: int = one_seat()
    phase: int = within(0, OVER)
    finished: int  # rounds ended, blocked ones included
    next: int = within(0, DECK)  # stock[next] is the top of the stock
    laid: int = within(0, DECK)  # how many cards lie on the discards
    drawn: int = within(HIDDEN, JOKER)  # the last card drawn in this turn (M10), HIDDEN before the first
    passes: int  # turns passed since a card was laid (O-M1)
    penalty: int = within(0, 63)  # the seats whose card is set aside, as a set (M19)
    ended: int = within(0, BLOCKED)  # how the last round ended
    ender: int = one_seat()  # who laid the last card in it, or passed last where it was blocked
    target: int
    deck: list[int] = ints(6, most=10)  # of each colour, how many 1, 2, 3, 4, 5 and stars
    held: list[int] = ints(6, most=ALL_CARDS)  # of each hand, its different cards as a set, for speed
    size: list[int] = ints(6, most=DECK)  # of each hand, how many cards are in it, the one set aside not among them
    gain: list[int] = ints(6)  # points of the last round
    total: list[int] = ints(6)  # points of the match
    hand: list[list[int]] = cards(6, 31, least=0, most=10)  # of each hand, how many of each card
    lacks: list[int] = ints(6, most=ALL_CARDS)  # of each hand, what its draws tell it lacks, as a set (beliefs.py)
    aside: list[int] = cards(6, most=JOKER)  # the card set aside, HIDDEN where there is none
    stock: list[int] = cards(55, most=JOKER)  # as shuffled; what stands before `next` has left it
    discards: list[int] = cards(55, least=0, most=LYING - 1)  # as they lie (fits.py), from the bottom
    gone: list[int] = ints(2, most=(1 << 62) - 1)  # of the discards, how many of each card (discards.py), for speed


# ---------------------------------------------------------------- chance


def start(s: State) -> None:
    """The seat to the right of the first deals first (M22)."""
    s.turn = s.first
    s.phase = SHUFFLE


def copies(s: State, card: int) -> int:
    """How many of a card the deck holds (M1)."""
    return JOKERS if card == JOKER else s.deck[card % KINDS]


def due(s: State, out: list[int]) -> int:
    """All 55 cards before each round, none at any other time (M13)."""
    if s.phase != SHUFFLE:
        return 0
    n = 0
    for card in range(CARDS):
        for _ in range(copies(s, card)):
            out[n] = card
            n += 1
    return n


def deal(s: State, cards: list[int]) -> None:
    """Five cards each, one at a time from the seat that starts, then the upcard (M22, M25, O-M9)."""
    for seat in range(SEATS):
        empty(s, seat)
        s.aside[seat] = HIDDEN
        s.lacks[seat] = 0
    for i in range(DECK):
        s.stock[i] = cards[i]
    s.next = 0
    s.turn = (s.first + s.finished) % s.players
    for _ in range(DEALT * s.players):
        draw(s, s.turn)
        s.turn = left_of(s, s.turn)
    clear(s)
    lie(s, s.stock[s.next])
    s.next += 1
    s.drawn = HIDDEN
    s.passes = s.penalty = 0
    s.phase = PLAYING


# ---------------------------------------------------------------- hands


def left_of(s: State, seat: int) -> int:
    """The next seat, clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def owned(s: State, seat: int) -> int:
    """How many cards a seat owns, the one set aside included (M18)."""
    return s.size[seat] + (s.penalty >> seat & 1)


def empty(s: State, seat: int) -> None:
    """Take every card out of a hand."""
    s.held[seat] = s.size[seat] = 0
    for card in range(CARDS):
        s.hand[seat][card] = 0


def add(s: State, seat: int, card: int) -> None:
    """Put a card into a hand."""
    s.hand[seat][card] += 1
    s.held[seat] |= 1 << card
    s.size[seat] += 1


def remove(s: State, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    s.hand[seat][card] -= 1
    s.size[seat] -= 1
    if s.hand[seat][card] == 0:
        s.held[seat] ^= 1 << card


def draw(s: State, seat: int) -> int:
    """The top card of the stock goes into a hand."""
    card = s.stock[s.next]
    s.next += 1
    add(s, seat, card)
    return card


# ---------------------------------------------------------------- moves


def asked(s: State) -> int:
    """One seat at a time; none while a shuffle is due or the match is over."""
    return 0 if s.phase == SHUFFLE or s.phase == OVER else 1 << s.turn


def top(s: State) -> int:
    """What lies on the discards (fits.py)."""
    return s.discards[s.laid - 1]


def layable(s: State, seat: int) -> int:
    """The set of cards that `seat`, whose turn it is, may lay now.

    Before anything is drawn the hand's cards that fit (M2, M4-M7, O-M7), in a penalty turn none (M19, O-M3); then the
    last card drawn alone (M10).
    """
    if s.phase == DRAWING:
        return 1 << s.drawn & WHEN_DRAWN[top(s)]
    return 0 if s.penalty >> seat & 1 else s.held[seat] & FROM_HAND[top(s)]


def legal(s: State, seat: int, out: list[int]) -> int:
    """What `seat` may do now, written to out; how many there are.

    One may always draw (M9, M11) until the stock is empty; then one lays if one can, and else passes (M12, M14).
    """
    if s.phase == SHUFFLE or s.phase == OVER or seat != s.turn:
        return 0
    left = owned(s, seat) - 1
    n = 0
    rest = layable(s, seat)
    while rest:
        n = add_plays(out, n, lowest(rest), left)
        rest &= rest - 1
    if s.next < DECK:
        out[n] = DRAW
        n += 1
    elif n == 0:
        out[0] = PASS
        n = 1
    return n


def add_plays(out: list[int], n: int, card: int, left: int) -> int:
    """The moves that lay `card` and leave `left` cards, after the `n` in out; how many there are now.

    A joker names a colour unless it is the last card (O-M6); what leaves one card is played with MIO or without (M18).
    """
    first = NAMED if card == JOKER and left else card
    last = first + COLOURS if first == NAMED else first + 1
    for move in range(first, last):
        out[n] = move
        n += 1
        if left == 1:
            out[n] = move + MIO
            n += 1
    return n


def play(s: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`; trusts its caller."""
    if move == DRAW:
        tell_draw(s, seat, top(s), s.phase == PLAYING)
        s.drawn = draw(s, seat)
        s.phase = DRAWING
    elif move == PASS:
        pass_turn(s, seat)
    elif move >= MIO:
        lay(s, seat, move - MIO, 1)
    else:
        lay(s, seat, move, 0)


def lay(s: State, seat: int, lying: int, said: int) -> None:
    """Lay a card; with the last one the round ends, whatever it is (M16, M17)."""
    if s.phase == PLAYING:
        tell_lay(s, seat, min(lying, JOKER))
    remove(s, seat, min(lying, JOKER))
    lie(s, lying)
    s.passes = 0
    left = owned(s, seat)
    if left == 0:
        end(s, seat, DOUBLED if lying == JOKER else OUT)
        return
    if left == 1 and not said:
        set_aside(s, seat)
    else:
        take_back(s, seat)
    pass_on(s)


def set_aside(s: State, seat: int) -> None:
    """MIO was forgotten: the one card left lies face down until a turn ends in which it is not (M18, M19, O-M8)."""
    if s.penalty >> seat & 1:
        return
    s.aside[seat] = lowest(s.held[seat])
    empty(s, seat)
    s.penalty |= 1 << seat


def take_back(s: State, seat: int) -> None:
    """The card set aside, if there is one, returns to the hand (M19, M20)."""
    if s.penalty >> seat & 1:
        s.penalty ^= 1 << seat
        add(s, seat, s.aside[seat])
        s.aside[seat] = HIDDEN


def pass_turn(s: State, seat: int) -> None:
    """Nothing to draw and nothing to lay (M12); once everybody passed and nobody can lay, it is over (M15, O-M1)."""
    tell_pass(s, seat, top(s))
    take_back(s, seat)
    s.passes += 1
    if s.passes >= s.players and not somebody_fits(s):
        end(s, seat, BLOCKED)
    else:
        pass_on(s)


def somebody_fits(s: State) -> bool:
    """Whether any hand holds a card for the top; nothing is set aside any more when all have passed."""
    found = 0
    for seat in range(s.players):
        found |= s.held[seat] & FROM_HAND[top(s)]
    return found != 0


def pass_on(s: State) -> None:
    """The turn of the left neighbour begins."""
    s.turn = left_of(s, s.turn)
    s.drawn = HIDDEN
    s.phase = PLAYING


# ---------------------------------------------------------------- the end


def end(s: State, seat: int, how: int) -> None:
    """Count what everybody still owns, twice after a last joker (M17, M21, M23)."""
    highest = 0
    for other in range(s.players):
        s.gain[other] = points(s, other) * (2 if how == DOUBLED else 1)
        s.total[other] += s.gain[other]
        highest = max(highest, s.total[other])
    s.ended = how
    s.ender = seat
    s.drawn = HIDDEN
    s.finished += 1
    s.phase = OVER if highest >= s.target else SHUFFLE


def points(s: State, seat: int) -> int:
    """The points of all the cards that a seat owns (M21, M23)."""
    found = POINTS[s.aside[seat]] if s.penalty >> seat & 1 else 0
    rest = s.held[seat]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        found += POINTS[card] * s.hand[seat][card]
    return found


def over(s: State) -> int:
    """1 once a round has brought somebody to the target (M23)."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Points of the match so far; few are good (M23)."""
    return s.total[seat]


def fewest(s: State) -> int:
    """The seats with the lowest total, as a set."""
    least = s.total[0]
    for seat in range(1, s.players):
        least = min(least, s.total[seat])
    found = 0
    for seat in range(s.players):
        found |= (s.total[seat] == least) << seat
    return found


def wins(s: State) -> int:
    """Every seat that shares the lowest total at the end; nobody before (M23)."""
    return fewest(s) if s.phase == OVER else 0


# ---------------------------------------------------------------- what a seat cannot know


def unseen(s: State, seat: int, card: int) -> int:
    """How many of a card `seat` cannot see while a round is played; the one it has set aside it knows."""
    found = copies(s, card) - laid_of(s, 1 << card)
    for other in range(s.players):
        if other == seat:
            found -= s.hand[other][card] + (s.aside[other] == card)
    return found


def imagine(s: State, seat: int, random: list[int]) -> None:
    """Re-deal at random the stock, the other hands and what the others have set aside; between rounds nothing."""
    if asked(s) == 0:
        return
    place = DECK
    for card in range(CARDS):
        for _ in range(unseen(s, seat, card)):
            place -= 1
            s.stock[place] = card
    shuffle(s.stock, place, DECK, random)
    deal_unseen(s, seat)


def first_unseen(s: State, seat: int) -> int:
    """Where the others' cards begin that are dealt out of an imagined stock, one hand after the other."""
    place = s.next
    for other in range(s.players):
        if other != seat:
            place -= owned(s, other)
    return place


def deal_unseen(s: State, seat: int) -> None:
    """Deal the others their cards out of an imagined stock."""
    place = first_unseen(s, seat)
    for other in range(s.players):
        if other != seat:
            imagine_hand(s, other, place)
            place += owned(s, other)


def imagine_hand(s: State, seat: int, place: int) -> None:
    """The cards of the stock from `place` on become those of a seat, the last of its hand the card it drew last."""
    count = s.size[seat]
    empty(s, seat)
    for i in range(place, place + count):
        add(s, seat, s.stock[i])
    if s.penalty >> seat & 1:
        s.aside[seat] = s.stock[place + count]
    if s.phase == DRAWING and seat == s.turn:
        s.drawn = s.stock[place + count - 1]
