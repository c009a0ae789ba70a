"""The weights of Elements' policy: where each stands and what is set by hand, in 1/64 points unless said."""

from __future__ import annotations

NUMBER_MATES = 2  # what a card brings later that is one of 1 to 4 of its number
COLOUR_MATES = 6  # and of its colour
STRONG = 10  # more for a strong colour
HIGH = 11  # more for a high card
REACH = 12  # a point's hope when entering, by the kind (`combinations`) within reach
RIVALS = 20  # less for each further seat that is in
ENTRY = 21  # what entering costs beside the card
SUNK = 22  # going on rather than beginning
LATER = 23  # how much of the future counts before the last auction of the round, the one before …, in 1/64
LAST_CHANCE = 28  # a point's hope after the last two cards, by kind
HOLD = 36  # a point's hope when ahead and passing, by kind
PRIZE = 44  # placing: for each point of the card
LIFT = 45  # and each card held of a colour, in 1/8
HELD = 46  # for each card held of the colour
SPARE = 47  # less for the card's own future, in 1/64
KEEP = 48  # what a card must bring later to be kept
DEAR = 49  # how much more of the future counts for each point above 8 of the dearest card to come, in 1/64

START = [0, 0]
START += [12, 97, 118, 119]  # NUMBER_MATES
START += [9, 38, 80, 109]  # COLOUR_MATES
START += [36, 7]  # STRONG, HIGH
START += [6, 11, 21, 26, 29, 34, 39, 66]  # REACH
START += [-5, 79, 78]  # RIVALS, ENTRY, SUNK
START += [13, 49, 80, 90, 62]  # LATER
START += [5, 4, 17, 24, 38, 52, 58, 67]  # LAST_CHANCE
START += [3, 5, 15, 20, 39, 44, 64, 64]  # HOLD
START += [32, 9, 20, 92, 54]  # PRIZE, LIFT, HELD, SPARE, KEEP
START += [8]  # DEAR
