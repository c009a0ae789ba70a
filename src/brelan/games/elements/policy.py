"""What the bots of Elements know: the novice, and a policy by weights that judges every move of a round's three phases.

It plays cards for a point as far as what they can still make is worth what they cost later, knows who is still in and
what must be beaten, and keeps for the next round what belongs together.
"""

from __future__ import annotations

from brelan.cards import below, happens, insert, lowest, popcount
from brelan.game import BLUR, CARELESS, SHORT
from brelan.games.elements.auctions import NEVER, Stakes, bid_worth, is_won, stakes
from brelan.games.elements.hopes import AHEAD, FAR, LONG
from brelan.games.elements.novice import novice
from brelan.games.elements.state import AUCTION, LAY, LAY_TWO, PAIR, PASS, PLACING, READY, RETURN, RETURNING, State
from brelan.games.elements.thrift import future, place_worth
from brelan.games.elements.weights import KEEP, SPARING, START, WIDE
from brelan.leads import hope

__all__ = ["START", "believe", "novice", "outlook", "shortlist", "tuned"]

MOVE = 4095
"""The bits of an entry of the shortlist that hold its move."""


def next_card(hand: int, card: int) -> int:
    """The lowest card of a hand above another; 55 if there is none."""
    return lowest(hand >> card + 1 << card + 1 | 1 << 55)


def next_place(s: State, hand: int, move: int) -> int:
    """The next way to lay a card of a hand beside a vacant element; -1 after the last one."""
    card = next_card(hand, -1) if move < 0 else move // 5
    at = 0 if move < 0 else move % 5 + 1
    while card < 55:
        while at < 5:
            if s.placer[at] < 0:
                return 5 * card + at
            at += 1
        card = next_card(hand, card)
        at = 0
    return -1


def next_single(hand: int, move: int, base: int, last: int) -> int:
    """The next card of a hand as a move from `base` on, then `last`; -1 after it."""
    if move == last:
        return -1
    card = next_card(hand, move - base if move >= 0 else -1)
    return base + card if card < 55 else last


def next_pair(hand: int, move: int) -> int:
    """The next two cards of a hand, a with a higher b, as LAY_TWO + 64 a + b, then PASS; -1 after it. A shift takes
    them apart again, which is quicker than the division by 55 that the rules' numbers would need.
    """
    if move == PASS:
        return -1
    a = next_card(hand, -1) if move < 0 else move - LAY_TWO >> 6
    b = next_card(hand, a if move < 0 else move - LAY_TWO & 63)
    if b == 55:
        a = next_card(hand, a)
        b = next_card(hand, a) if a < 55 else 55
    return LAY_TWO + (a << 6) + b if b < 55 else PASS


def next_move(s: State, seat: int, move: int) -> int:
    """The move to judge after another one, the first after -1; -1 after the last. Two cards stand as in `next_pair`."""
    hand = s.hand[seat]
    if s.phase == PLACING:
        return next_place(s, hand, move)
    if s.phase == RETURNING:
        return next_single(hand, move, RETURN, READY)
    if popcount(s.laid[seat]) == 2:
        return next_pair(hand, move)
    return next_single(hand, move, LAY, PASS)


def legal_form(move: int) -> int:
    """A judged move as the rules write it."""
    return PAIR[55 * (move - LAY_TWO >> 6) + (move - LAY_TWO & 63)] if move >= LAY_TWO else move


def judge(s: State, seat: int, move: int, at: Stakes, w: list[int]) -> int:
    """What a move is worth to a seat, in 1/64 points; only at an auction is anything at stake."""
    if s.phase == AUCTION:
        return bid_worth(s, seat, move, at, w)
    if s.phase == PLACING:
        return place_worth(s, seat, move // 5, move % 5, w)
    return 0 if move == READY else w[KEEP] - future(s, s.hand[seat], move - RETURN, w)


def tuned(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that the weights call best. Who is careless looks at nobody else's cards."""
    at = stakes(s, seat, happens(random, w[CARELESS]), w)
    best = -1
    most = -(1 << 40)
    move = next_move(s, seat, -1)
    while move >= 0:
        hoped = 16 * judge(s, seat, move, at, w) + below(random, 16 * w[BLUR] + 16)
        if hoped > most:
            most = hoped
            best = move
        move = next_move(s, seat, move)
    return legal_form(best)


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, the best by weights first; how many."""
    if w[SPARING] and is_won(s, seat):
        out[0] = PASS
        return 1
    n = best_places(s, seat, w, out) if w[WIDE] and s.phase == PLACING else best_moves(s, seat, w, out)
    for i in range(n):
        out[i] &= MOVE
    return n


def best_moves(s: State, seat: int, w: list[int], out: list[int]) -> int:
    """The best moves by the weights, each behind what it is worth, no cards thrown away; how many."""
    at = stakes(s, seat, False, w)
    n = 0
    move = next_move(s, seat, -1)
    while move >= 0:
        value = judge(s, seat, move, at, w)
        if value > NEVER:
            n = insert(out, n, SHORT, value * (MOVE + 1) + legal_form(move))
        move = next_move(s, seat, move)
    return n


def best_places(s: State, seat: int, w: list[int], out: list[int]) -> int:
    """Of each card its best place, in the same form; how many. Else the places of a few high cards leave no room for
    the low ones, and whoever holds four of a number gives one of them away.
    """
    n = 0
    move = next_place(s, s.hand[seat], -1)
    while move >= 0:
        card = move // 5
        best = -(1 << 40)
        while move // 5 == card:
            best = max(best, place_worth(s, seat, card, move % 5, w) * (MOVE + 1) + move)
            move = next_place(s, s.hand[seat], move)
        n = insert(out, n, SHORT, best)
    return n


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: its hope to win the match, in 1/2**20."""
    return hope(AHEAD, FAR, min(s.players - s.finished, LONG), s.total, s.players, seat)


def believe(s: State, seat: int, random: list[int]) -> None:
    """Nothing is read out of the others' moves."""
