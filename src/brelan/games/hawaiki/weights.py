"""What Hawaiki's policy weighs: where each weight stands in the row. A card held less is worth 100.

The first two are every game's: BLUR, how much chance enters each judgement; CARELESS, how often of a thousand times a
combination is not said, thanks are forgotten, or another's silence goes unnoticed.
"""

from __future__ import annotations

LAST = 2  # a single card held: how much better that is than its count says
LAST_TWO = 3  # two cards held, likewise
SOME = 4  # at least one card held that a top would take
READY = 5  # each card held that would make a combination on the tops
COLOURS = 6  # each colour held
VALUES = 7  # each value held
THEIR_FITS = 8  # each card that the next seat must be expected to hold and to lay
THEIR_COMBINATIONS = 9  # each combination that it must be expected to have
THEIR_END = 10  # the chance that the next seat lays its last card, for each card held
GIFT = 11  # a card drawn by an opponent
GIFT_FEW = 12  # the same, divided by how many cards it holds
GIFT_NEXT = 13  # if it plays next
GIFT_RICH = 14  # for each token it has more than oneself
TOKEN = 15  # a token for a sacrifice
RETRY = 16  # a token for another turn
HIDE_FIT = 17  # hiding a card that a top would take

START = [0, 0, 85, 75, 65, 85, -16, -20, 22, 108, 250, 85, 60, 0, 25, 250, 250, -50]
"""By hand, after a first look at duels."""
