"""What moves of written deals led to, as everybody is told."""

from brelan.game import legal_moves
from brelan.play.match import outcomes
from brelan.play.told import outcome_told
from brelan.words import Words

NAMES = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fay"]


def led(game, s, *moves, language="en"):
    """What the last of these moves led to, in words and with its rule; each is made by the seat that is asked first."""
    for text in moves:
        was, move = s.copy(), game.notation.move_of(text)
        assert move in legal_moves(game.rules, s, s.turn), text
        game.rules.play(s, s.turn, move)
    words = Words(language, game.id)
    return [(outcome_told(NAMES, outcome, words), outcome.rule) for outcome in outcomes(game, was, s)]
