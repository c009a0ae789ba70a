"""Hawaiki: the rules of Ilopeli's sheet with its variants as options (H1-H28, O-H1-O-H15).

The state and the numbers of the moves are in `state`, what is legal in `moves`, what is new on the table in
`combinations`, what follows a move in `steps`, and what everybody remembers of the cards in `memory`.
"""

from __future__ import annotations

from brelan.cards import highest
from brelan.games.hawaiki.bags import drop, empty, put
from brelan.games.hawaiki.combinations import COLOUR, RUN, THREE, combination
from brelan.games.hawaiki.memory import (
    NONE,
    SUNK,
    redeal,
    remember_hiding,
    remember_lay,
    remember_shuffle,
)
from brelan.games.hawaiki.moves import asked, legal
from brelan.games.hawaiki.state import (
    ACTING,
    ACTIONS,
    AGAIN,
    ANNOUNCE,
    CONTRE,
    DECK,
    DRAW,
    END,
    HAND,
    HIDE,
    HIDING,
    LET,
    NAME,
    NAMING,
    OVER,
    REBUILD,
    SACRIFICE,
    SHOW,
    SHUFFLE,
    SILENT,
    THANKS,
    WINDOW,
    State,
    left_of,
    top_of,
)
from brelan.games.hawaiki.steps import DRAW_ON, GO_ON, PASS_ON, SETTLE, THANK, WAIT, follow

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
    """Tokens for everybody; the designated seat starts (H1, H24)."""
    s.starter = s.actor = s.turn = s.first
    s.ender = -1
    s.phase = SHUFFLE
    for seat in range(6):
        s.hidden[seat] = NONE
    for seat in range(s.players):
        s.purse[seat] = s.tokens


def due(s: State, out: list[int]) -> int:
    """All 70 cards before a round; for a new stock the cards that lie under the three tops (H16)."""
    if s.phase == SHUFFLE:
        for i in range(DECK):
            out[i] = i >> 1
        return DECK
    n = 0
    if s.phase == REBUILD:
        for pile in range(3):
            for place in range(s.height[pile] - 1):
                out[n] = s.pile[pile][place]
                n += 1
    return n


def deal(s: State, cards: list[int]) -> None:
    """A round's cards, or a new stock in the middle of a draw, which then goes on (O-H6)."""
    if s.phase == SHUFFLE:
        deal_round(s, cards)
    else:
        rebuild(s, cards)
        follow(s, DRAW_ON)


def deal_round(s: State, cards: list[int]) -> None:
    """Six cards each, one at a time from the starter; the next three start the piles; then hide or play."""
    clear(s)
    place = s.starter
    for i in range(HAND * s.players):
        put(s.hand[place], cards[i])
        put(s.mine[place], cards[i])
        place = left_of(s, place)
    for seat in range(s.players):
        s.count[seat] = s.drawn[seat] = HAND
    for i in range(DECK):
        s.stock[i] = cards[i]
        put(s.heap, cards[i])
    s.next = HAND * s.players
    s.last = DECK
    for pile in range(3):
        lay_first(s, pile)
    s.actor = s.turn = s.starter
    s.voices = (1 << s.players) - 1 if s.one_hidden else 0
    s.phase = HIDING if s.one_hidden else ACTING


def lay_first(s: State, pile: int) -> None:
    """The stock's top starts a pile."""
    card = s.stock[s.next]
    s.next += 1
    s.pile[pile][0] = card
    s.height[pile] = 1
    put(s.seen, card)
    drop(s.heap, card)


def clear(s: State) -> None:
    """Nothing is left of the round before."""
    remember_shuffle(s)
    empty(s.seen)
    for seat in range(s.players):
        empty(s.hand[seat])
        empty(s.known[seat])
        s.hidden[seat] = NONE
        s.owing[seat] = 0
    s.sacrificed = s.retried = s.passes = s.idle = 0
    s.made = 0


def rebuild(s: State, cards: list[int]) -> None:
    """The cards from under the tops are the stock; the tops stay (H16)."""
    n = s.height[0] + s.height[1] + s.height[2] - 3
    remember_shuffle(s)
    for i in range(n):
        s.stock[SUNK - n + i] = cards[i]
        put(s.heap, cards[i])
        drop(s.seen, cards[i])
    for pile in range(3):
        s.pile[pile][0] = s.pile[pile][s.height[pile] - 1]
        s.height[pile] = 1
    s.next = SUNK - n
    s.last = SUNK


# ---------------------------------------------------------------- moves


def play(s: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`; trusts its caller."""
    if move < DRAW:
        step = lay(s, seat, move // 15, move // 5 % 3, move % 5)
    elif move == DRAW:
        s.idle = 1
        step = draw(s, seat, 1, SETTLE)
    elif move < CONTRE:
        step = name(s, move - NAME)
    elif move < THANKS:
        step = speak(s, seat, move)
    elif move <= SILENT:
        step = answer(s, seat, move)
    elif move < AGAIN:
        step = give_up(s, seat, move - SACRIFICE)
    elif move <= END:
        step = choose_again(s, seat, move)
    else:
        step = hide(s, seat, move - HIDE)
    follow(s, step)


# ---------------------------------------------------------------- each move; the answer is the step that follows


def lay(s: State, seat: int, card: int, pile: int, announced: int) -> int:
    """A card goes onto a pile; if what it makes was not said, the others may speak (H8, O-H4, O-H5)."""
    s.made = combination(card, top_of(s, pile), top_of(s, (pile + 1) % 3), top_of(s, (pile + 2) % 3))
    drop(s.hand[seat], card)
    remember_lay(s, seat, card)
    s.count[seat] -= 1
    s.pile[pile][s.height[pile]] = card
    s.height[pile] += 1
    s.idle = s.passes = 0
    s.out = 1 if s.count[seat] == 0 else 0
    if s.hidden[seat] == card and not s.hand[seat][0] >> card & 1:  # of two copies the visible one goes first (O-H9)
        s.hidden[seat] = NONE
        s.bared = 1
    if announced:
        return take_effect(s)
    if s.made:
        s.phase = WINDOW
        s.voices = (1 << s.players) - 1
        s.turn = left_of(s, seat)
        return WAIT
    return SETTLE


def speak(s: State, seat: int, move: int) -> int:
    """The first call closes the window; so does silence, once each has let it be (H8, H9, H11, O-H4)."""
    s.voices ^= 1 << seat
    if move == LET and s.voices:
        s.turn = next_voice(s, left_of(s, s.actor))
        return WAIT
    s.voices = 0
    if move == CONTRE:
        return draw(s, s.actor, 1, SETTLE)
    return take_effect(s) if move == ANNOUNCE else SETTLE


def next_voice(s: State, seat: int) -> int:
    """The first seat, from this one clockwise, that may still speak."""
    while not s.voices >> seat & 1:
        seat = left_of(s, seat)
    return seat


def take_effect(s: State) -> int:
    """A pair: nothing to draw; a run and a colour: names; a three: everybody else draws one (H12, H13)."""
    s.replay = 1
    if s.made == RUN or s.made == COLOUR:
        s.naming = 1 if s.made == RUN else 2
        s.turn = s.actor
        s.phase = NAMING
        return WAIT
    if s.made == THREE:
        for seat in range(s.players):
            s.owing[seat] = 1 if seat != s.actor else 0
    return THANK


def name(s: State, seat: int) -> int:
    """A seat must draw one card more; all names stand before the first answer (O-H1)."""
    s.owing[seat] += 1
    s.naming -= 1
    return WAIT if s.naming else THANK


def answer(s: State, seat: int, move: int) -> int:
    """Thanks for one card, much thanks for two; anything less costs a card more (H14, O-H2)."""
    n = s.owing[seat]
    s.owing[seat] = 0
    if move == SILENT or (move == THANKS and n == 2):
        n += 1
    return draw(s, seat, n, THANK)


def give_up(s: State, seat: int, pile: int) -> int:
    """SACRIFICE: a token, and a top goes under the stock; the action is still to come (H26, O-H11)."""
    s.purse[seat] -= 1
    s.sacrificed |= 1 << seat
    s.passes = 0
    s.height[pile] -= 1
    s.stock[s.last] = s.pile[pile][s.height[pile]]
    s.last += 1
    return WAIT


def choose_again(s: State, seat: int, move: int) -> int:
    """DEUXIÈME CHANCE: a token for one more full turn, or the turn passes (H27, O-H12)."""
    if move == END:
        return PASS_ON
    s.purse[seat] -= 1
    s.retried |= 1 << seat
    s.idle = 0
    s.phase = ACTING
    return WAIT


def hide(s: State, seat: int, card: int) -> int:
    """UNE DE CACHÉE: the first card, which nobody else has seen; later any card, or none (O-H8, O-H10)."""
    if s.phase == HIDING:
        s.hidden[seat] = card
        remember_hiding(s, seat)
        s.voices ^= 1 << seat
        if s.voices:
            s.turn = next_voice(s, s.starter)
        else:
            s.turn = s.starter
            s.phase = ACTING
        return WAIT
    if card != SHOW - HIDE:
        s.hidden[seat] = card
    s.bared = 0
    return GO_ON


def draw(s: State, seat: int, n: int, step: int) -> int:
    """A seat must draw n cards; then comes `step`."""
    s.drawer = seat
    s.drawing = n
    s.step = step
    return DRAW_ON


# ---------------------------------------------------------------- the end


def over(s: State) -> int:
    """1 once a round has ended with somebody out of tokens (H21)."""
    return 1 if s.phase == OVER else 0


def score(s: State, seat: int) -> int:
    """Tokens left."""
    return s.purse[seat]


def wins(s: State) -> int:
    """Whoever kept most tokens, as a set; nobody before the end (H22)."""
    if s.phase != OVER:
        return 0
    return leaders(s)


def leaders(s: State) -> int:
    """Whoever has most tokens, as a set."""
    return highest(s.purse, s.players)


# ---------------------------------------------------------------- what a seat cannot know


def imagine(s: State, seat: int, random: list[int]) -> None:
    """Re-deal at random what a seat cannot know of the stock and the other hands."""
    if s.phase != OVER and (s.finished or s.phase != SHUFFLE):
        redeal(s, seat, random)
