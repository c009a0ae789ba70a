"""Elements: the rules of the sheet, and of the Adlung edition as an option (E1-E25, O-E1-O-E9).

The state and the numbers of the moves are in `state`, what is legal in `moves`, what laid cards are worth in
`combinations`, the row in `row`, and what everybody remembers of the cards in `memory`.
"""

from __future__ import annotations

from brelan.cards import highest, lowest, popcount
from brelan.games.elements.combinations import worth
from brelan.games.elements.memory import HAND, face_down, redeal, seen
from brelan.games.elements.moves import asked, legal
from brelan.games.elements.row import NONE, clear_row, sort_row
from brelan.games.elements.state import (
    ACTIONS,
    ALL_CARDS,
    AUCTION,
    DECK,
    ELEMENT,
    ELEMENTS,
    LAY,
    LAY_TWO,
    OVER,
    PASS,
    PLACING,
    READY,
    RETURN,
    RETURNING,
    SHUFFLE,
    State,
    left_of,
    starter,
)

__all__ = [
    "ACTIONS",
    "DECK",
    "State",
    "asked",
    "deal",
    "due",
    "imagine",
    "legal",
    "over",
    "play",
    "score",
    "start",
    "wins",
]

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
            seat = left_of(s, seat)
        s.hand[seat] |= 1 << cards[i]
        seat = left_of(s, seat)


# ---------------------------------------------------------------- moves


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
        ask_from(s, left_of(s, seat))
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
    s.turn = left_of(s, seat)
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
    for _ in range(s.players):
        if can_lay(s, seat):
            return seat
        seat = left_of(s, seat)
    return -1


def ask_from(s: State, seat: int) -> None:
    """Ask the next seat that can lay; where nobody can the auction ends, and the next begins (E12, O-E1, O-E8)."""
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
    ask_from(s, left_of(s, seat))


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
        s.turn = left_of(s, s.turn)


# ---------------------------------------------------------------- the end


def over(s: State) -> int:
    """1 once every seat has been first and the last auction is settled."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Points won in the rounds that have ended."""
    return s.total[seat]


def wins(s: State) -> int:
    """All seats with most points, as a set (E23); nobody before the end."""
    return leaders(s) if s.phase == OVER else 0


def leaders(s: State) -> int:
    """All seats with most points so far, as a set."""
    return highest(s.total, s.players)


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
