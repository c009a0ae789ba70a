"""OpenSpiel's simple gin rummy bot at our table: `python -m bench.peers.openspiel_bot`.

The bot looks at OpenSpiel's own state. Each time it is asked, one is made by legal moves in which its seat sees what it
sees here: its hand, the upcard, what it may do. It keeps nothing in mind between two turns, so nothing is lost by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

import pyspiel

from bench.peers import gin
from bench.peers.gin import SPIEL, Sight
from bench.peers.seat import Choose, sit
from brelan.games.gin.melds import deadwood
from brelan.games.gin.notation import card_of
from brelan.games.gin.rules import State

ME = 0
"""The bot's seat in OpenSpiel's state: the first to be asked."""


@cache
def rummy() -> Any:
    """OpenSpiel's game, by the usual numbers: knock at 10, 25 for gin and for an undercut."""
    return pyspiel.load_game("gin_rummy")


@cache
def undealt() -> Any:
    """A state to copy: to make one costs a millisecond, nearly all of the time of a move."""
    return rummy().new_initial_state()


@cache
def simple_bot() -> Any:
    """The bot, made once for the same reason and told to begin anew before each question."""
    return pyspiel.make_simple_gin_rummy_bot(rummy().get_parameters(), ME)


def dealt(hand: tuple[str, ...], other: list[str], upcard: str) -> Any:
    """A hand just dealt: ten cards each, and the upcard."""
    state = undealt().clone()
    for card in (*hand, *other, upcard):
        state.apply_action(SPIEL.index(card))
    return state


def drawing(sight: Sight) -> Any:
    """The upcard is to be taken or left. The bot decides on a first upcard as on any other."""
    return dealt(sight.hand, sight.strangers(10), sight.discards[-1])


def throwing(sight: Sight) -> Any:
    """Eleven cards, the last of them drawn after both had passed."""
    *other, upcard = sight.strangers(11)
    state = dealt(sight.hand[:10], other, upcard)
    for action in (gin.SPIEL_PASS, gin.SPIEL_PASS, gin.SPIEL_DRAW, SPIEL.index(sight.hand[10])):
        state.apply_action(action)
    return state


def choose(ask: dict[str, Any]) -> str:
    """The bot's move; where our rules forbid it (G5), the legal one that is nearest to it."""
    sight = Sight.of(ask)
    bot = simple_bot()
    bot.restart()
    if not sight.throws:
        return "take" if bot.step(drawing(sight)) == gin.SPIEL_TAKE else gin.not_taken(sight.legal)
    state = throwing(sight)
    action = bot.step(state)
    if action != gin.SPIEL_KNOCK:
        move = f"discard {SPIEL[action]}"
        return move if move in sight.legal else nearest(ask, ["discard {}"])
    state.apply_action(action)
    return gin.out_with(SPIEL[bot.step(state)], sight.legal) or nearest(ask, ["gin {}", "knock {}", "discard {}"])


def nearest(ask: dict[str, Any], forms: list[str]) -> str:
    """Of the first of these forms that is legal, the throw that leaves least."""
    state, seat = State.from_json(ask["state"]), ask["seat"]
    hand = ask["zones"][f"hand:{seat}"]
    left = {card: deadwood(state, state.hand[seat] ^ 1 << card_of(card)) for card in hand}
    moves = [(form.format(card), left[card]) for form in forms for card in hand if form.format(card) in ask["legal"]]
    form = moves[0][0].split()[0]
    return min((one for one in moves if one[0].startswith(form)), key=lambda one: one[1])[0]


def chooser(_: Sequence[str]) -> Choose:
    """Who chooses; there is nothing to set."""
    return choose


if __name__ == "__main__":
    sit("OpenSpiel simple gin rummy bot", version("open-spiel"), ["gin"], choose)
