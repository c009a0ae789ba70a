"""The weights of Elements' policy: where each stands and what it is at first, in 1/64 points unless said."""

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
WIDE = 50  # 1: a search looks at every card that may be placed; 0: at the best placings, mostly of few cards
SPARING = 51  # 1: who has won an auction looks at no further card to lay; 0: a search does

START = [0, 0]
START += [16, 81, 122, 113]  # NUMBER_MATES
START += [13, 41, 75, 116]  # COLOUR_MATES
START += [34, 6]  # STRONG, HIGH
START += [6, 9, 23, 25, 27, 32, 42, 66]  # REACH
START += [-7, 85, 62]  # RIVALS, ENTRY, SUNK
START += [13, 55, 76, 89, 62]  # LATER
START += [5, 6, 15, 22, 38, 50, 60, 70]  # LAST_CHANCE
START += [2, 2, 19, 21, 36, 48, 63, 65]  # HOLD
START += [36, 9, 23, 107, 58]  # PRIZE, LIFT, HELD, SPARE, KEEP
START += [8, 0, 0]  # DEAR, WIDE, SPARING
