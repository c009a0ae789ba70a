"""The cards of gin as a frame may name them: by their text, or in words."""

import json
import re

RANKS = {"ace": "A", "10": "T", "jack": "J", "queen": "Q", "king": "K"} | {str(n): str(n) for n in range(2, 10)}
SUITS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
DECK = {rank + suit for rank in RANKS.values() for suit in SUITS.values()}

FACE = re.compile(r"\b[A23456789TJQK][shdc]\b")
NAME = re.compile(rf"\b({'|'.join(RANKS)}) of ({'|'.join(SUITS)})\b")


def named(part):
    """Every card that some part of a frame names, by its text or in words, wherever it stands."""
    text = json.dumps(part)
    return set(FACE.findall(text)) | {RANKS[rank] + SUITS[suit] for rank, suit in NAME.findall(text)}
