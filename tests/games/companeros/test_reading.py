"""The sheet read a second time, in texts and lists: the engine must agree with it at every step of random matches."""

from __future__ import annotations

from random import Random

import pytest

from brelan.games.companeros import GAME
from brelan.play.match import Match


def value(card: str) -> int:
    return int(card[1:])


def order_of(trick: dict[int, str]) -> list[int]:
    """Who takes, in order: down the sums until two colours share one."""
    sums: dict[str, int] = {}
    for card in trick.values():
        sums[card[0]] = sums.get(card[0], 0) + value(card)
    order: list[int] = []
    for total in sorted(set(sums.values()), reverse=True):
        colours = [colour for colour in sums if sums[colour] == total]
        if len(colours) > 1:
            break
        order += sorted((p for p in trick if trick[p][0] == colours[0]), key=lambda p: -value(trick[p]))
    return order


def play_trick(match: Match, hands: list[list[str]], lead: int, random: Random) -> dict[int, str]:
    """One random card from each hand, from `lead` on."""
    trick = {}
    for seat in [*range(lead, len(hands)), *range(lead)]:
        assert match.asked() == [seat]
        assert sorted(match.legal(seat)) == sorted(f"play {card}" for card in hands[seat])
        trick[seat] = hands[seat].pop(random.randrange(len(hands[seat])))
        match.move(seat, f"play {trick[seat]}")
    return trick


def share_out(match: Match, pot: list[str], trick: dict[int, str], random: Random) -> dict[int, int]:
    """Take at random from the pot, then add the trick to it; who took in order, and the points that he took."""
    taken: dict[int, int] = {}
    for seat in order_of(trick):
        if pot:
            colours = sorted({card[0] for card in pot})
            assert match.asked() == [seat]
            assert sorted(match.legal(seat)) == [f"take {colour}" for colour in colours]
            colour = random.choice(colours)
            match.move(seat, f"take {colour}")
            taken[seat] = sum(value(card) for card in pot if card[0] == colour)
            pot[:] = [card for card in pot if card[0] != colour]
    pot += trick.values()
    return taken


def play_round(match: Match, opener: int, totals: list[int], random: Random) -> None:
    players, deck = len(totals), match.due()
    random.shuffle(deck)
    match.shuffle(deck)
    pot, rest, lead = deck[:players], deck[players:], opener
    hands = [rest[(seat - opener) % players :: players] for seat in range(players)]
    gains = [0] * players
    for _ in range(9):
        taken = share_out(match, pot, play_trick(match, hands, lead, random), random)
        lead = next(iter(taken), lead)
        for seat, points in taken.items():
            gains[seat] += points
    totals[:] = [total + gain for total, gain in zip(totals, gains, strict=True)]


@pytest.mark.parametrize("seed", range(40))
def test_the_engine_agrees_with_a_second_reading(seed: int) -> None:
    random = Random(seed)
    players, rounds = random.randint(3, 6), random.randint(1, 3)
    opener, totals = random.randrange(players), [0] * players
    match = Match(GAME, players, opener, options={"rounds": rounds})
    for _ in range(rounds):
        play_round(match, opener, totals, random)
        assert match.scores == totals
        clockwise = [(opener + i) % players for i in range(players)]
        opener = max(clockwise, key=lambda seat: totals[seat])
    assert match.over
    assert match.winners == [seat for seat in range(players) if totals[seat] == max(totals)]
