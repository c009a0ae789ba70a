"""Hands laid out after a knock: no card in two parts, the parts as good as the rules count them."""

import pytest

from brelan.cards import popcount
from brelan.games.gin.layout import Layout, best, defender, knocker
from brelan.games.gin.melds import deadwood, least_answer

from .written import DECK, RULES, hands, mask, state

WORTH = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def points(s, cards):
    """What some cards are worth one by one."""
    held = [rank for rank in range(13) for suit in range(4) if cards >> 13 * suit + rank & 1]
    return sum(WORTH[rank] if rank else s.ace_value for rank in held)


def cards_of(laid: Layout) -> list[int]:
    return [1 << card for meld in laid.melds for card in meld] + [laid.off]


def attached(off: int, melds: list[list[int]]) -> bool:
    """Whether cards may be laid off on these melds one after the other: each lengthens a run, or fills up a set."""
    loose = {card for card in range(52) if off >> card & 1}
    for meld in melds:
        if meld[0] % 13 == meld[1] % 13:
            loose -= {card for card in loose if card % 13 == meld[0] % 13} if len(meld) == 3 else set()
            continue
        suit, low = meld[0] // 13 * 13, meld[0] % 13
        high = low + len(meld) - 1  # 13 is the ace above the king
        while high < 13 and suit + (high + 1) % 13 in loose:
            high += 1
            loose.remove(suit + high % 13)
        while low and suit + low - 1 in loose:
            low -= 1
            loose.remove(suit + low)
    return not loose


@pytest.mark.parametrize(("high", "ace"), RULES)
def test_no_card_lies_in_two_parts_and_the_rest_is_what_the_rules_count(high, ace):
    s = state(ace_high_runs=high, ace_value=ace)
    laid_off = 0
    for cards in hands(5, 400):
        mine, theirs = mask(" ".join(cards[:10])), mask(" ".join(cards[10:20]))
        parts, left = (best(s, mine), knocker(s, mine, theirs), defender(s, mine, theirs)), []
        for laid, hand in zip(parts, (mine, mine, theirs), strict=True):
            assert not sum(cards_of(laid)) & ~hand
            assert sum(map(popcount, cards_of(laid))) == popcount(sum(cards_of(laid)))
            assert all(len(meld) >= 3 for meld in laid.melds)
            left.append(points(s, hand ^ sum(cards_of(laid))))
        assert attached(parts[2].off, parts[1].melds)
        assert left == [deadwood(s, mine), deadwood(s, mine), least_answer(s, mine, theirs)]
        laid_off += popcount(parts[2].off)
    assert laid_off > 50


def test_a_card_is_laid_off_only_where_that_helps():
    s = state()
    laid = defender(s, mask("2s 3s 4s 7h 7d 7c Kh Kd Kc As"), mask("5s 6s 7s 8s Ks Qh 9d 2c 4d Jc"))
    faces = {DECK[card] for card in range(52) if laid.off >> card & 1}
    assert [[DECK[card] for card in meld] for meld in laid.melds] == [["5s", "6s", "7s", "8s"]]
    assert faces == {"Ks"}


def test_an_ace_that_may_stand_at_both_ends_leaves_the_cards_beside_it_where_they_can_be_laid():
    """Melded above the king, it would leave the two and the three to be laid off on a jack."""
    s = state()
    mine, theirs = mask("9s Ts Js 4h 4d 4c 8h 8d 8c 2d"), mask("As 2s 3s Qs Ks 7h 7d 7c Jd Jh")
    laid = defender(s, mine, theirs)
    assert [[DECK[card] for card in meld] for meld in laid.melds] == [["7h", "7d", "7c"], ["As", "2s", "3s"]]
    assert {DECK[card] for card in range(52) if laid.off >> card & 1} == {"Qs", "Ks"}
