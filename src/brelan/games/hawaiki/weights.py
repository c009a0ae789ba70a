"""What Hawaiki's policy weighs: where each weight stands in the row. A card held less is worth 100.

The first two are every game's: BLUR, how much chance enters each judgement; CARELESS, how often of a thousand times a
combination is not said, thanks are forgotten, or another's silence goes unnoticed.
"""

from __future__ import annotations

REACH = 2  # the most cards that are looked ahead within a turn, behind the first one; 0 to 4
DRAWN = 3  # what it costs to draw
END = 4  # the round's end by one's last card
LAST = 5  # a single card held: how much better that is than its count says
LAST_TWO = 6  # two cards held, likewise
SOME = 7  # at least one card held that a top would take
FINISH = 8  # the same, if it is the last one
READY = 9  # each card held that would make a combination on the tops
COLOURS = 10  # each colour held
VALUES = 11  # each value held
THEIR_FITS = 12  # each card that the next seat must be expected to hold and to lay
THEIR_COMBINATIONS = 13  # each combination that it must be expected to have
THEIR_END = 14  # the chance that the next seat lays its last card, for each card held
LATER_END = 15  # the same of a later seat
GIFT = 16  # a card drawn by an opponent
GIFT_FEW = 17  # the same, divided by how many cards it holds
GIFT_NEXT = 18  # if it plays next
GIFT_RICH = 19  # for each token it has more than oneself
TOKEN = 20  # a token for a sacrifice
RETRY = 21  # a token for another turn
HIDE_FIT = 22  # hiding a card that a top would take

START = [0, 0, 3, 160, 270, 85, 75, 60, 0, 90, -16, -20, 24, 108, 200, 0, 85, 250, 10, 15, 150, 150, 0]
"""By hand, after a first look at duels."""
