"""What Hawaiki's policy weighs: where each weight stands in the row. A card held less is worth 100.

The first two are every game's: BLUR, how much chance enters each judgement; CARELESS, how often of a thousand times a
combination is not said, thanks are forgotten, or another's silence goes unnoticed.
"""

from __future__ import annotations

REACH = 2  # the most cards that are looked ahead within a turn, behind the first one; 0 to 4
SOME = 3  # at least one card held that a top would take
READY = 4  # each card held that would make a combination on the tops
COLOURS = 5  # each colour held
VALUES = 6  # each value held
THEIR_FITS = 7  # each card that the next seat must be expected to hold and to lay
THEIR_COMBINATIONS = 8  # each combination that it must be expected to have
THEIR_END = 9  # the chance that the next seat lays its last card, for each card held
GIFT = 10  # a card drawn by an opponent
GIFT_FEW = 11  # the same, divided by how many cards it holds
GIFT_NEXT = 12  # if it plays next
GIFT_RICH = 13  # for each token it has more than oneself
TOKEN = 14  # a token for a sacrifice
RETRY = 15  # a token for another turn
HIDE_FIT = 16  # hiding a card that a top would take
LAST = 17  # a single card held: how much better that is than its count says
LAST_TWO = 18  # two cards held, likewise

START = [0, 0, 3, 65, 85, -16, -20, 22, 108, 250, 85, 60, 0, 25, 250, 250, -50, 85, 75]
"""By hand, after a first look at duels."""
