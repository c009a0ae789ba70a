"""Elements: the rules of the sheet, and of the Adlung edition as an option (E1-E25, O-E1-O-E9).

A card is 11 * colour + value, colours R Y G B P; the element cards follow, 55 + colour. A move is a number:

    5 * c + p          place c beside the element at place p, 0 nearest the box
    LAY + c            lay c                      PASS     leave this auction
    LAY_TWO + 55 a + b lay a and b together       READY    no more cards go back
    RETURN + c         give c back before the refill
"""

from __future__ import annotations

from brelan.cards import lowest, popcount
from brelan.games.elements.combinations import worth
from brelan.games.elements.memory import HAND, face_down, redeal, seen
from brelan.games.elements.row import NONE, clear_row, sort_row
from brelan.schema import Plain, cards, ints

LAY, RETURN, PASS, READY, LAY_TWO, ACTIONS = 275, 330, 385, 386, 387, 3412
DECK = 55
ELEMENT = 55  # the element card of colour 0
ALL_CARDS = (1 << 55) - 1

ELEMENTS, SHUFFLE, PLACING, AUCTION, RETURNING, OVER = 0, 1, 2, 3, 4, 5
"""Phases: the element cards, then the cards wait for a shuffle; the three phases of a round; the end."""

PAIR = [0] * 55 * 55
"""For two cards, 55 * a + b in either order: the move that lays both, in the order of their texts (O-A3)."""


def _fill() -> None:
    text = [f"{'RYGBP'[card // 11]}{card % 11}" for card in range(55)]
    for a in range(55):
        for b in range(55):
            low, high = sorted((a, b), key=text.__getitem__)
            PAIR[55 * a + b] = LAY_TWO + 55 * low + high


_fill()


class State(Plain):
    players: int
    first: int
    turn: int
    phase: int
    finished: int  # rounds ended; the round's first player is this many seats after `first`
    unpaired: int  # 1: a stock card goes beside each vacant element (E2)
    auction: int  # the place in the row whose point card is played for, -1 outside auctions
    leader: int  # who led this auction
    passed: int  # seats that passed in it, as a set
    ready: int  # seats that give nothing more back, as a set
    next: int  # stock[next] is the top of the stock
    drawn: int  # stock cards laid beside vacant elements in this round
    stale: int  # cards that all saw in the round before: nobody kept one of them
    hand: list[int] = ints(5)  # sets of cards
    laid: list[int] = ints(5)  # in this auction
    won: list[int] = ints(5)  # point cards of this round
    shown: list[int] = ints(5)  # cards of the hand that all have seen in this round
    returned: list[int] = ints(5)  # given back before this deal or, at a round's end, before the next
    back: list[int] = ints(5)  # how many went back since this round's end
    kept: list[int] = ints(5)  # how many were kept before this deal
    gain: list[int] = ints(5)  # points won in the last round
    total: list[int] = ints(5)  # points won in the match
    row: list[int] = cards(5)  # colours, nearest the box, that is strongest, first
    beside: list[int] = cards(5)  # the card beside each, or NONE
    placer: list[int] = cards(5)  # the seat whose card lies there face down, -1 if none
    stock: list[int] = cards(55)  # as shuffled; what stands before `next` has left it


def starter(s: State) -> int:
    """The round's first player; at the end of a round already the next one's (E22)."""
    return (s.first + s.finished) % s.players


# ---------------------------------------------------------------- chance


def start(s: State) -> None:
    """Everything lies unshuffled and nobody holds a card."""
    for card in range(55):
        s.stock[card] = card
    for seat in range(s.players):
        s.back[seat] = HAND
    clear_row(s)
    s.turn = s.first
    s.auction = -1
    s.phase = ELEMENTS


def due(s: State, out: list[int]) -> int:
    """Once the five element cards (E4), then before each round all cards that are in no hand (O-E5)."""
    if s.phase == ELEMENTS:
        for colour in range(5):
            out[colour] = ELEMENT + colour
        return 5
    if s.phase != SHUFFLE:
        return 0
    rest = ALL_CARDS
    for seat in range(s.players):
        rest &= ~s.hand[seat]
    n = 0
    while rest:
        out[n] = lowest(rest)
        rest &= rest - 1
        n += 1
    return n


def deal(s: State, cards: list[int]) -> None:
    """The first element card is nearest the box (E4); the other cards fill the hands, the rest is the stock."""
    if s.phase == ELEMENTS:
        for place in range(5):
            s.row[place] = cards[place] - ELEMENT
        s.phase = SHUFFLE
    else:
        remember(s)
        refill(s, cards)
        clear_row(s)
        s.phase = PLACING


def remember(s: State) -> None:
    """Begin the new round's memory: what was seen in the old one cannot have been kept."""
    s.stale = seen(s)
    s.drawn = 0
    for seat in range(s.players):
        s.kept[seat] = popcount(s.hand[seat])
        s.won[seat] = s.shown[seat] = s.back[seat] = s.gain[seat] = 0


def refill(s: State, cards: list[int]) -> None:
    """One card at a time, clockwise from the first player, up to eleven each (E20, O-E6)."""
    missing = HAND * s.players
    kept = 0
    for seat in range(s.players):
        kept += s.kept[seat]
    missing -= kept
    for i in range(55 - kept):
        s.stock[kept + i] = cards[i]
    s.next = kept + missing
    seat = s.turn = starter(s)
    for i in range(missing):
        while popcount(s.hand[seat]) == HAND:
            seat = (seat + 1) % s.players
        s.hand[seat] |= 1 << cards[i]
        seat = (seat + 1) % s.players


# ---------------------------------------------------------------- moves


def asked(s: State) -> int:
    """The seat to play; before the refill every seat that is not ready (O-E3)."""
    if s.phase == PLACING or s.phase == AUCTION:
        return 1 << s.turn
    if s.phase == RETURNING:
        return (1 << s.players) - 1 & ~s.ready
    return 0


def legal(s: State, seat: int, out: list[int]) -> int:
    """What `seat` may do now, written to out; how many there are, at most 55."""
    if not asked(s) >> seat & 1:
        return 0
    if s.phase == PLACING:
        return legal_places(s, s.hand[seat], out)
    if s.phase == RETURNING:
        out[0] = READY
        return singles(s.hand[seat], RETURN, out)
    out[0] = PASS
    if popcount(s.laid[seat]) == 2:
        return pairs(s.hand[seat], out)
    return singles(s.hand[seat], LAY, out)


def legal_places(s: State, hand: int, out: list[int]) -> int:
    """Any card of the hand beside any vacant element (E6)."""
    n = 0
    for place in range(5):
        if s.placer[place] < 0:
            rest = hand
            while rest:
                out[n] = 5 * lowest(rest) + place
                rest &= rest - 1
                n += 1
    return n


def singles(hand: int, base: int, out: list[int]) -> int:
    """One move for each card, after the one already written."""
    n = 1
    while hand:
        out[n] = base + lowest(hand)
        hand &= hand - 1
        n += 1
    return n


def pairs(hand: int, out: list[int]) -> int:
    """One move for each two cards, after the one already written (E10)."""
    n = 1
    while hand:
        a = 55 * lowest(hand)
        hand &= hand - 1
        rest = hand
        while rest:
            out[n] = PAIR[a + lowest(rest)]
            rest &= rest - 1
            n += 1
    return n


def play(s: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`; trusts its caller."""
    if move < LAY:
        place(s, seat, move // 5, move % 5)
    elif move < RETURN:
        lay(s, seat, 1 << move - LAY)
    elif move < PASS:
        give_back(s, seat, 1 << move - RETURN)
    elif move == PASS:
        s.passed |= 1 << seat
        ask_from(s, (seat + 1) % s.players)
    elif move == READY:
        s.ready |= 1 << seat
        ask_returning(s)
    else:
        pair = move - LAY_TWO
        lay(s, seat, 1 << pair // 55 | 1 << pair % 55)


# ---------------------------------------------------------------- phase 1: the row


def place(s: State, seat: int, card: int, at: int) -> None:
    """Lay a card face down beside an element; after the last seat all are turned up (E6)."""
    s.hand[seat] ^= 1 << card
    s.beside[at] = card
    s.placer[at] = seat
    s.turn = (seat + 1) % s.players
    if s.turn == starter(s):
        reveal(s)


def reveal(s: State) -> None:
    """Turn the placed cards up, bring the row into order, and begin the auctions with the first player (E25)."""
    for at in range(5):
        if s.placer[at] >= 0:
            s.shown[s.placer[at]] |= 1 << s.beside[at]
            s.placer[at] = -1
        elif s.unpaired:  # O-E7
            s.beside[at] = s.stock[s.next]
            s.drawn |= 1 << s.beside[at]
            s.next += 1
    sort_row(s)
    s.leader = s.turn
    s.phase = AUCTION
    next_auction(s, 4)
    if s.auction < 0:
        end_round(s)
    else:
        ask_from(s, s.leader)


# ---------------------------------------------------------------- phase 2: the auctions


def next_auction(s: State, at: int) -> None:
    """Go on to the next point card, from the weak end to the strong one (E9); -1 when none is left."""
    while at >= 0 and s.beside[at] < 0:
        at -= 1
    s.auction = at


def can_lay(s: State, seat: int) -> bool:
    """Whether a seat is still in and has the card, or in its third turn the two, that it would lay (E10, O-E1)."""
    laid = popcount(s.laid[seat])
    least = 2 if laid == 2 else 1
    return laid < 4 and not s.passed >> seat & 1 and popcount(s.hand[seat]) >= least


def able_from(s: State, seat: int) -> int:
    """The first seat that can lay, clockwise from `seat`, which counts; -1 if nobody can."""
    for i in range(s.players):
        other = (seat + i) % s.players
        if can_lay(s, other):
            return other
    return -1


def ask_from(s: State, seat: int) -> None:
    """Ask the next seat that can lay; where nobody can the auction ends, and the next begins (O-E1, O-E8)."""
    able = able_from(s, seat)
    while able < 0:
        settle(s)
        if s.auction < 0:
            end_round(s)
            return
        able = able_from(s, s.leader)
    s.turn = able


def lay(s: State, seat: int, cards: int) -> None:
    """Lay one card or two in front of oneself."""
    s.hand[seat] ^= cards
    s.laid[seat] |= cards
    s.shown[seat] |= cards
    ask_from(s, (seat + 1) % s.players)


def ahead(s: State) -> int:
    """Who has laid the best combination, -1 if nobody has laid a card (E11, E17)."""
    best = -1
    winner = -1
    for seat in range(s.players):
        if s.laid[seat]:
            value = worth(s, s.laid[seat])
            if value > best:
                best = value
                winner = seat
    return winner


def settle(s: State) -> None:
    """The best takes the point card and leads the next; a card that nobody played for goes to the stock (E18)."""
    winner = ahead(s)
    if winner >= 0:
        s.won[winner] |= 1 << s.beside[s.auction]
        s.leader = winner
    s.beside[s.auction] = NONE
    for seat in range(s.players):
        s.laid[seat] = 0
    s.passed = 0
    next_auction(s, s.auction - 1)


def end_round(s: State) -> None:
    """Score the point cards; after each seat was first once the match is over (E19, E22, O-E9)."""
    s.finished += 1
    s.ready = 0
    for seat in range(s.players):
        s.gain[seat] = points(s.won[seat])
        s.total[seat] += s.gain[seat]
        s.returned[seat] = 0
        if s.hand[seat] == 0:
            s.ready |= 1 << seat
    if s.finished == s.players:
        s.phase = OVER
    else:
        s.phase = RETURNING
        ask_returning(s)


def points(won: int) -> int:
    """The sum of the values of point cards."""
    total = 0
    while won:
        total += lowest(won) % 11
        won &= won - 1
    return total


# ---------------------------------------------------------------- phase 3: the refill


def give_back(s: State, seat: int, card: int) -> None:
    """A card of the hand goes to the stock; after the last one the seat is ready by itself (O-E4)."""
    s.hand[seat] ^= card
    s.returned[seat] |= card
    s.back[seat] += 1
    if s.hand[seat] == 0:
        s.ready |= 1 << seat
        ask_returning(s)


def ask_returning(s: State) -> None:
    """First asked is the next round's first player, then clockwise (O-A4); once all are ready, shuffle."""
    s.turn = starter(s)
    if s.ready == (1 << s.players) - 1:
        s.phase = SHUFFLE
        return
    while s.ready >> s.turn & 1:
        s.turn = (s.turn + 1) % s.players


# ---------------------------------------------------------------- the end


def over(s: State) -> int:
    """1 once every seat has been first and the last auction is settled."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Points won in the rounds that have ended."""
    return s.total[seat]


def wins(s: State) -> int:
    """The seats with most points, as a set; nobody before the end (E23)."""
    if s.phase != OVER:
        return 0
    most = 0
    for seat in range(s.players):
        most = max(most, s.total[seat])
    best = 0
    for seat in range(s.players):
        if s.total[seat] == most:
            best |= 1 << seat
    return best


# ---------------------------------------------------------------- what a seat cannot know


def imagine(s: State, seat: int, random: list[int]) -> None:
    """Re-deal at random the stock, the others' hands, and what they placed or gave back face down."""
    if s.phase == OVER or (s.phase <= SHUFFLE and s.finished == 0):
        return
    unseen = ALL_CARDS & ~(seen(s) | s.hand[seat])
    own = face_down(s, seat)
    if own >= 0:
        unseen &= ~(1 << s.beside[own])
    old = s.stale
    if s.phase == PLACING or s.phase == AUCTION:
        old |= s.returned[seat]  # before this round's deal
    else:
        unseen &= ~s.returned[seat]
    redeal(s, seat, unseen, old, random)
