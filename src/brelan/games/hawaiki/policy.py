"""What Hawaiki's bots know. The novice announces and thanks, calls contre, and lays whatever it can."""

from __future__ import annotations

from brelan.cards import below, happens, insert, lowest, nth, popcount
from brelan.game import BLUR, CARELESS, SHORT
from brelan.games.hawaiki.choices import judged, next_choice
from brelan.games.hawaiki.combinations import FITS, combination
from brelan.games.hawaiki.hopes import hopes
from brelan.games.hawaiki.moves import may_sacrifice
from brelan.games.hawaiki.state import (
    ACTING,
    AGAIN,
    ANNOUNCE,
    ANSWERING,
    CONTRE,
    DRAW,
    END,
    HIDE,
    LET,
    NAME,
    NAMING,
    RETRYING,
    SACRIFICE,
    SILENT,
    THANKS,
    THANKS_MUCH,
    WINDOW,
    State,
    top_of,
)
from brelan.games.hawaiki.weights import START
from brelan.games.hawaiki.worth import share, unseen_once, unseen_twice

__all__ = ["START", "believe", "novice", "outlook", "shortlist", "tuned"]


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; equal ones are chosen among at random."""
    if s.phase == ACTING:
        return action(s, seat, random)
    if s.phase == WINDOW:
        return ANNOUNCE if seat == s.actor else CONTRE
    if s.phase == NAMING:
        return NAME + shortest(s, random)
    if s.phase == ANSWERING:
        return thanks(s, seat)
    if s.phase == RETRYING:
        return AGAIN if max(best_lay(s, seat, random), 0) % 5 > 0 else END
    return HIDE + nth(s.hand[seat][0], below(random, popcount(s.hand[seat][0])))


def thanks(s: State, seat: int) -> int:
    """Much thanks for two cards, else thanks (H14)."""
    return THANKS_MUCH if s.owing[seat] == 2 else THANKS


def action(s: State, seat: int, random: list[int]) -> int:
    """Lay the best card; where none fits, sacrifice a top if a card fits then, else draw."""
    move = best_lay(s, seat, random)
    if move >= 0:
        return move
    if may_sacrifice(s, seat) and s.purse[seat] > 1:
        for pile in range(3):
            if s.height[pile] > 1 and s.hand[seat][0] & FITS[s.pile[pile][s.height[pile] - 2]]:
                return SACRIFICE + pile
    return DRAW


def best_lay(s: State, seat: int, random: list[int]) -> int:
    """A combination if there is one, the dearest for the others first; else any card that fits; -1 if none does."""
    best = -1
    most = -1
    for pile in range(3):
        top = top_of(s, pile)
        left = top_of(s, (pile + 1) % 3)
        right = top_of(s, (pile + 2) % 3)
        fits = s.hand[seat][0] & FITS[top]
        while fits:
            card = lowest(fits)
            fits &= fits - 1
            made = combination(card, top, left, right)
            worth = made * 64 + below(random, 64)
            if worth > most:
                most = worth
                best = card * 15 + pile * 5 + made
    return best


def shortest(s: State, random: list[int]) -> int:
    """The opponent who holds fewest cards, those still owed counted in."""
    best = -1
    least = 1 << 20
    for seat in range(s.players):
        if seat != s.actor:
            cards = (s.count[seat] + s.owing[seat]) * 64 + below(random, 64)
            if cards < least:
                least = cards
                best = seat
    return best


def tuned(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that the weights call best; of equal ones any."""
    if s.phase == WINDOW or s.phase == ANSWERING:
        return spoken(s, seat, w, random)
    once = unseen_once(s, seat)
    twice = unseen_twice(s, seat)
    part = share(s, seat, once, twice)
    best = -1
    most = -(1 << 60)
    move = next_choice(s, seat, -1)
    while move >= 0:
        worth = 4 * judged(s, seat, w, move, once, twice, part) + below(random, 4 * w[BLUR] + 4)
        if worth > most:
            most = worth
            best = move
        move = next_choice(s, seat, move)
    return best - best % 5 if best < DRAW and happens(random, w[CARELESS]) else best


def spoken(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """What is said in a window, or in thanks."""
    if s.phase == WINDOW:
        return LET if happens(random, w[CARELESS]) else ANNOUNCE if seat == s.actor else CONTRE
    return SILENT if happens(random, w[CARELESS]) else thanks(s, seat)


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, the best by weights first; how many."""
    if s.phase == WINDOW or s.phase == ANSWERING:
        out[0] = spoken(s, seat, w, random)
        return 1
    once = unseen_once(s, seat)
    twice = unseen_twice(s, seat)
    part = share(s, seat, once, twice)
    n = 0
    move = next_choice(s, seat, -1)
    while move >= 0:
        n = insert(out, n, SHORT, judged(s, seat, w, move, once, twice, part) * 1024 + move)
        move = next_choice(s, seat, move)
    for i in range(n):
        out[i] %= 1024
    return n


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: its hopes of the match."""
    return hopes(s, seat)


def believe(s: State, seat: int, random: list[int]) -> None:
    """Draws are too rare for what they tell to be worth keeping."""
