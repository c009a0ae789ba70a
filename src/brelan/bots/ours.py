"""Our own bots as a program that speaks the line protocol: `brelan bot`.

It answers at once by a level's policy, and by its search as soon as the game is compiled; that goes on in a thread, the
game that was asked for first. Told `{"type": "compile", "game": …}` it does so before anybody asks.
"""

from __future__ import annotations

import sys
from itertools import chain
from queue import Queue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO

from brelan import __version__, bots, cards, games
from brelan.bots.protocol import PROTOCOL, Said, heard, line
from brelan.errors import Refusal, at_table
from brelan.game import TUNED, Game, not_asked

if TYPE_CHECKING:
    from brelan.bots.thinker import Found


class OurBots:
    """The thinkers of all games, each from when it is compiled."""

    def __init__(self, out: BinaryIO) -> None:
        self.out, self.lock = out, Lock()
        self.ready: dict[str, Any] = {}
        self.wanted: Queue[str] = Queue()
        self.known: set[str] = set()  # ready, or on the way
        Thread(target=self._compile_all, daemon=True).start()

    def say(self, **said: Any) -> None:
        with self.lock:
            self.out.write(line(said))
            self.out.flush()

    def answer(self, ask: Said) -> None:
        """Answer an ask, or say what is wrong with it."""
        try:
            self.say(type="move", id=ask.get("id"), **self._answer(ask))
        except Refusal as refusal:
            self.say(type="wrong", id=ask.get("id"), why=str(refusal))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            self.say(type="wrong", id=ask.get("id"), why=f"this cannot be asked: {type(error).__name__} {error}")

    def _answer(self, ask: Said) -> dict[str, Any]:
        """A level's move, and why where it has searched."""
        game = games.find(ask["game"])
        name = ask.get("level") or bots.known(game)[-1]
        level = bots.find(game, name, ask["preset"])
        state, seat, seed = game.rules.State.from_json(ask["state"]), ask["seat"], ask.get("seed", 0)
        state = checked(game, state, seat)
        if level.mind.kind == TUNED:
            self.compile(game)
        if level.mind.kind == TUNED and game.id in self.ready:
            found = self.ready[game.id].found(state, seat, level.mind, seed)
            return {"move": game.notation.move_text(found.move)} | (why(game, found) if level.mind.worlds else {})
        random = [0]
        cards.seed(random, seed)
        return {"move": game.notation.move_text(bots.at_once(game, name, state, seat, random, ask["preset"]))}

    def compile(self, game: Game) -> None:
        """Have a game compiled, soon."""
        if game.id not in self.known:
            self.known.add(game.id)
            self.wanted.put(game.id)

    def told_to_compile(self, said: Said) -> None:
        """The same by a line of the host's."""
        try:
            self.compile(games.find(said.get("game", "")))
        except Refusal as refusal:
            self.say(type="wrong", id=None, why=str(refusal))

    def _compile_all(self) -> None:
        while True:
            self._compile(games.find(self.wanted.get()))

    def _compile(self, game: Game) -> None:
        try:
            from brelan.bots.thinker import Thinker

            thinker = Thinker(game)
            thinker.prepare()
        except Exception as error:  # memory may be short: other games wait, and this one may be asked for again
            self.known.discard(game.id)
            self.say(type="failed", game=game.id, why=type(error).__name__)
        else:
            self.ready[game.id] = thinker
            self.say(type="ready", game=game.id)


def checked(game: Game, state: Any, seat: int) -> Any:
    """What a seat that is asked may know of a state, or a refusal of one that no match comes to.

    Whoever asks may be a house of another version, or no house at all, and compiled code would read and write past the
    ends of what it is given: so a first world is imagined here, and must be the deck.
    """
    game.settle(state.players)
    at_table(seat, state.players)
    if not game.rules.asked(state) >> seat & 1:
        raise not_asked(game.rules, state, seat)
    seen = game.view.redact(state, seat)
    world, start = seen.copy(), game.new(state.players)
    for option in game.options:
        setattr(start, option.name, getattr(state, option.name))
    if game.rules.asked(seen) >> seen.turn & 1 and game.view.sound(seen):
        game.rules.imagine(world, seat, [1])
        if game.view.redact(world, seat) == seen and all_cards(game, world) == all_cards(game, start):
            return seen
    raise ValueError(f"no match of {game.title} comes to this state: its numbers do not go together")


def all_cards(game: Game, state: Any) -> list[int]:
    """The cards of all zones, in their order."""
    return sorted(chain.from_iterable(game.view.zones(state).values()))


def why(game: Game, found: Found) -> dict[str, Any]:
    """What a search adds to its move."""
    return {"why": {"worlds": found.worlds, "close": [game.notation.move_text(move) for move in found.close]}}


def main() -> int:
    """Serve whoever asks, until the input ends or says bye."""
    ours = OurBots(sys.stdout.buffer)
    for given in sys.stdin.buffer:
        try:
            said = heard(given)
        except Refusal as refusal:
            ours.say(type="wrong", id=None, why=str(refusal))
            continue
        if said["type"] == "hello":
            levels = [*bots.BASELINES, *bots.NAMES]
            ours.say(type="hello", name="brelan", version=__version__, protocol=PROTOCOL, levels=levels)
        elif said["type"] == "ask":
            ours.answer(said)
        elif said["type"] == "compile":
            ours.told_to_compile(said)
        elif said["type"] == "bye":
            return 0
    return 0
