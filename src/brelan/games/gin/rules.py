"""Gin Rami: the rules of the Ducale sheet, and those most gin programs play, as options (G1-G18, O-G1-O-G8).

A card is 13 * suit + rank, suits s h d c, rank 0 the ace. A move is a number:

    c             discard c               GIN           gin with eleven melded cards
    KNOCK + c     knock, c face down      GIN_ON + c    gin with ten, c face down
    DRAW, TAKE    from stock, discards    PASS          refuse the upcard
"""

from __future__ import annotations

from brelan.cards import lowest, popcount, shuffle
from brelan.games.gin.melds import ALL_CARDS, deadwood, least_answer
from brelan.schema import Plain, cards, ints, one_seat, within

KNOCK, DRAW, TAKE, GIN, GIN_ON, PASS, ACTIONS = 52, 104, 105, 106, 107, 159, 160
DECK = 52

SHUFFLE, OFFER, LAST_OFFER, MUST_DRAW, DRAWING, THROWING, OVER = 0, 1, 2, 3, 4, 5, 6
"""Phases: the upcard is offered to the non-dealer, then to the dealer; both refused; an ordinary turn's two halves."""

UNPLAYED, VOID, KNOCKED, UNDERCUT, GINNED, BIG_GINNED = 0, 1, 2, 3, 4, 5
"""How the last hand ended."""


class State(Plain):
    players: int
    first: int = one_seat()
    turn: int = one_seat()
    phase: int = within(0, OVER)
    finished: int  # hands ended, void ones included
    dealer: int = one_seat()
    next: int = within(0, 52)  # stock[next] is the top of the stock
    thrown: int = within(0, 52)  # how many cards lie on the discards
    taken: int = within(-1, 51)  # the card taken from the discards in this turn, -1 if none (G5)
    turns: int = within(0, 10**9)  # discards in this hand (O-G6)
    ended: int = within(0, BIG_GINNED)  # how the last hand ended
    ender: int = one_seat()  # who knocked or had gin in it, or threw its last card
    ace_high_runs: int = within(0, 1)
    ace_value: int = within(0, 10**9)
    upcard_offer: int = within(0, 1)
    knock_limit: int
    gin_on_ten: int = within(0, 1)
    gin_bonus: int
    big_gin_bonus: int
    undercut_bonus: int
    stock_end: int
    turn_cap: int
    target: int
    hand: list[int] = ints(2, most=ALL_CARDS)  # sets of cards
    known: list[int] = ints(2, most=ALL_CARDS)  # those of them that the opponent has seen
    gain: list[int] = ints(2)  # points won in the last hand
    total: list[int] = ints(2)  # points won in the match
    stock: list[int] = cards(52, most=51)  # as shuffled; what stands before `next` has left it
    discards: list[int] = cards(52, most=51)  # from the bottom


# ---------------------------------------------------------------- chance


def start(s: State) -> None:
    """The seat to the right of the first deals first (G14)."""
    s.dealer = 1 - s.first
    s.turn = s.first
    s.phase = SHUFFLE


def due(s: State, out: list[int]) -> int:
    """All 52 cards before each hand, none at any other time (G1)."""
    if s.phase != SHUFFLE:
        return 0
    for card in range(52):
        out[card] = card
    return 52


def deal(s: State, cards: list[int]) -> None:
    """Ten cards each, one at a time from the non-dealer; the next starts the discards (G4, G15)."""
    s.turn = 1 - s.dealer
    s.hand[0] = s.hand[1] = s.known[0] = s.known[1] = 0
    for i in range(20):
        s.hand[s.turn ^ (i & 1)] |= 1 << cards[i]
    for i in range(52):
        s.stock[i] = cards[i]
    s.discards[0] = cards[20]
    s.thrown = 1
    s.next = 21
    s.taken = -1
    s.turns = 0
    s.phase = OFFER if s.upcard_offer else DRAWING


# ---------------------------------------------------------------- moves


def asked(s: State) -> int:
    """One seat at a time; none while a shuffle is due or the match is over."""
    return 0 if s.phase == SHUFFLE or s.phase == OVER else 1 << s.turn


def legal(s: State, seat: int, out: list[int]) -> int:
    """What `seat` may do now, written to out; how many there are."""
    if s.phase == SHUFFLE or s.phase == OVER or seat != s.turn:
        return 0
    if s.phase == THROWING:
        return legal_throws(s, out)
    if s.phase == DRAWING:
        out[0] = DRAW
        out[1] = TAKE
        return 2
    if s.phase == MUST_DRAW:
        out[0] = DRAW
        return 1
    out[0] = TAKE
    out[1] = PASS
    return 2


def legal_throws(s: State, out: list[int]) -> int:
    """Every card but the one just taken (G5) may go; with few points left one may also end the hand (G6, G7)."""
    hand = s.hand[s.turn]
    now = deadwood(s, hand)
    near = near_end(s, now)
    n = 0
    if is_gin(s, now):
        out[0] = GIN
        n = 1
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if card != s.taken:
            out[n] = card
            n += 1
            if near:
                out[n] = ending(s, hand ^ 1 << card, card)
                n += out[n] >= 0
    return n


def is_gin(s: State, points: int) -> bool:
    """Whether eleven cards with so much deadwood end the hand as they are (G7, O-G2)."""
    return points == 0 and (s.big_gin_bonus > 0 or not s.gin_on_ten)


def near_end(s: State, points: int) -> bool:
    """Whether a throw from eleven cards with so much deadwood may end the hand; it takes away its points at most."""
    return points <= s.knock_limit + max(10, s.ace_value)


def ending(s: State, ten: int, card: int) -> int:
    """The move that ends the hand by throwing `card` and keeping `ten`; -1 if there is none (O-G3)."""
    points = deadwood(s, ten)
    if points == 0 and s.gin_on_ten:
        return GIN_ON + card
    return KNOCK + card if points <= s.knock_limit else -1


def play(s: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`; trusts its caller."""
    if move < KNOCK:
        throw(s, seat, move)
        pass_on(s, seat)
    elif move == DRAW:
        s.hand[seat] |= 1 << s.stock[s.next]
        s.next += 1
        s.phase = THROWING
    elif move == TAKE:
        s.thrown -= 1
        s.taken = s.discards[s.thrown]
        s.hand[seat] |= 1 << s.taken
        s.known[seat] |= 1 << s.taken
        s.phase = THROWING
    elif move == PASS:
        s.turn = 1 - seat
        s.phase = LAST_OFFER if s.phase == OFFER else MUST_DRAW
    elif move == GIN:
        gin(s, seat, s.big_gin_bonus if s.gin_on_ten else s.gin_bonus, BIG_GINNED if s.gin_on_ten else GINNED)
    elif move >= GIN_ON:
        throw(s, seat, move - GIN_ON)
        gin(s, seat, s.gin_bonus, GINNED)
    else:
        throw(s, seat, move - KNOCK)
        knock(s, seat)


def throw(s: State, seat: int, card: int) -> None:
    """Lay a card of the hand on the discards."""
    s.hand[seat] ^= 1 << card
    s.known[seat] &= ~(1 << card)
    s.discards[s.thrown] = card
    s.thrown += 1
    s.taken = -1


def pass_on(s: State, seat: int) -> None:
    """After a discard the other plays, unless stock or turns have run out: then nobody wins (G13, O-G6, O-G7)."""
    s.turns += 1
    s.turn = 1 - seat
    s.phase = DRAWING
    if 52 - s.next <= s.stock_end or s.turns == s.turn_cap:
        s.ended = VOID
        s.ender = seat
        end(s, seat, 0)


def gin(s: State, seat: int, bonus: int, how: int) -> None:
    """The bonus and the other's deadwood; he lays nothing off (G8, O-G2)."""
    s.ended = how
    s.ender = seat
    end(s, seat, bonus + deadwood(s, s.hand[1 - seat]))


def knock(s: State, seat: int) -> None:
    """The difference for who has less; the defender also wins with as much, and a bonus with it (G9, G10)."""
    mine = deadwood(s, s.hand[seat])
    theirs = least_answer(s, s.hand[seat], s.hand[1 - seat])
    s.ender = seat
    if mine < theirs:
        s.ended = KNOCKED
        end(s, seat, theirs - mine)
    else:
        s.ended = UNDERCUT
        end(s, 1 - seat, mine - theirs + s.undercut_bonus)


def end(s: State, winner: int, points: int) -> None:
    """Score the hand; the other one deals the next, unless the match is won (G14, G16)."""
    s.gain[winner] = points
    s.gain[1 - winner] = 0
    s.total[winner] += points
    if s.ended != VOID:
        for seat in range(2):  # both lay their cards open
            s.known[seat] = s.hand[seat]
    s.finished += 1
    s.dealer = 1 - s.dealer
    s.phase = OVER if s.total[winner] >= s.target else SHUFFLE


# ---------------------------------------------------------------- the end


def over(s: State) -> int:
    """1 once somebody has reached the target."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Points won in the match so far."""
    return s.total[seat]


def wins(s: State) -> int:
    """The seat that reached the target, as a set; nobody before (G16)."""
    return (s.total[0] >= s.target) | (s.total[1] >= s.target) << 1


def leaders(s: State) -> int:
    """The seats with most points so far, as a set."""
    return (s.total[0] >= s.total[1]) | (s.total[1] >= s.total[0]) << 1


# ---------------------------------------------------------------- what a seat cannot know


def seen_discards(s: State) -> int:
    """The discards as a set; while a hand is played all of them have been seen (G17)."""
    seen = 0
    for i in range(s.thrown):
        seen |= 1 << s.discards[i]
    return seen


def imagine(s: State, seat: int, random: list[int]) -> None:
    """Re-deal at random the stock and the other's unknown cards; between hands nothing unknown matters any more."""
    if asked(s) == 0:
        return
    other = 1 - seat
    unseen = ALL_CARDS & ~(s.hand[seat] | s.known[other] | seen_discards(s))
    first = 52 - popcount(unseen)
    for i in range(first, 52):
        s.stock[i] = lowest(unseen)
        unseen &= unseen - 1
    shuffle(s.stock, first, 52, random)
    s.hand[other] = s.known[other]
    for i in range(first, s.next):  # as many as the other holds unknown
        s.hand[other] |= 1 << s.stock[i]
