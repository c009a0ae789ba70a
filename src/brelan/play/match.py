"""A match as it is played: moves as text in, record lines out, everything checked at this one boundary."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

from brelan.cards import SPECTATOR
from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat, at_least, at_table, integer
from brelan.game import Game, asked_seats, due_cards, legal_moves, not_asked
from brelan.options import Value
from brelan.play.shuffle import Chance
from brelan.scene import Outcome, Tally, members
from brelan.words import Said

FORMAT = 1

Line = dict[str, Any]
"""One line of a record."""


def told(game: Game, was: Any, move: int) -> dict[str, Said]:
    """What everybody saw of a move that its text does not say, as values of its sentence."""
    return game.view.told(game.view.redact(was, SPECTATOR), move)


def outcomes(game: Game, was: Any, now: Any) -> list[Outcome]:
    """What led from one state to the other besides the move itself, made of what everybody may know of them."""
    return game.view.outcomes(game.view.redact(was, SPECTATOR), game.view.redact(now, SPECTATOR))


class Match:
    """A game between seats, from the first shuffle to the last point.

    `lines` is its record so far without header and footer, `tallies` how each round ended. Whoever holds the match
    brings the chance: while `due` names cards, `shuffle` is what comes next.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        first: int = 0,
        preset: str = "sheet",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game, self.preset = game, preset
        self.options: Mapping[str, Value] = game.settle(players, preset, options)
        self.state: Any = game.new(players, first, preset, options)
        self.players, self.first = integer("players", players), integer("first", first)
        self.lines: list[Line] = []
        self.tallies: list[Tally] = []
        self.shuffles = 0
        self._dealt = self.state.copy(), 0, 0  # right after the last shuffle: the state, how many lines and tallies

    def __copy__(self) -> Self:
        """A match of its own: two that shared a state would play each other's moves."""
        return deepcopy(self)

    def header(self) -> Line:
        """The first line of its record."""
        return {
            "brelan": FORMAT,
            "game": self.game.id,
            "revision": self.game.revision,
            "preset": self.preset,
            "options": deepcopy(self.options),
            "players": self.players,
            "first": self.first,
        }

    def footer(self) -> Line:
        """The last line of its record, once it is over."""
        return {"scores": self.scores, "winners": self.winners}

    def due(self) -> list[str]:
        """The cards that must be shuffled now, sorted; none if a seat is asked or the match is over."""
        return sorted(self.game.notation.card_text(card) for card in due_cards(self.game.rules, self.state))

    def shuffle(self, cards: list[str]) -> None:
        """The shuffled cards arrive, top first; they must be exactly those due."""
        pool: dict[str, list[int]] = {}
        for card in due_cards(self.game.rules, self.state):
            pool.setdefault(self.game.notation.card_text(card), []).append(card)
        if not pool:
            raise Refusal("no_shuffle_due")
        order = [pool[text].pop() for text in cards if pool.get(text)]
        if len(order) != len(cards) or any(pool.values()):
            raise Refusal("shuffle_cards", given=len(cards), due=len(self.due()))
        self.game.rules.deal(self.state, order)
        self.lines.append({"shuffle": list(cards)})
        self.shuffles += 1
        self._count()
        self._dealt = self.state.copy(), len(self.lines), len(self.tallies)

    def deal(self, chance: Chance) -> None:
        """Make every shuffle that is due, by the match's own chance."""
        while due := self.due():
            self.shuffle(chance.order(self.shuffles, due))

    def asked(self) -> list[int]:
        """The seats that may act now, the one asked first before the others."""
        return asked_seats(self.game.rules, self.state)

    def legal(self, seat: int) -> list[str]:
        """The canonical texts of all that a seat may do now."""
        return [self.game.notation.move_text(move) for move in legal_moves(self.game.rules, self.state, seat)]

    def heard(self, viewer: int, begin: int) -> list[Line]:
        """The moves from a line on, as a seat hears them: who made each, and what of it."""
        notation, view = self.game.notation, self.game.view
        moves = [(line["seat"], notation.move_of(line["move"])) for line in self.lines[begin:] if "move" in line]
        return [{"seat": seat, "move": view.heard(move, seat, viewer)} for seat, move in moves]

    def move(self, seat: int, text: str, by: str | None = None) -> str:
        """Play the move of a seat, or refuse it and change nothing; its canonical text.

        `by` is the level of a bot that keeps the seat for its person; the line says so.
        """
        move, seat = self.read(seat, text), integer("seat", seat)
        self.game.rules.play(self.state, seat, move)
        canonical = self.game.notation.move_text(move)
        self.lines.append({"seat": seat, "move": canonical} | ({"by": by} if by else {}))
        self._count()
        return canonical

    def follow(self, line: Line) -> None:
        """Go on as a line of a record says: its shuffle, or its move."""
        if "shuffle" in line:
            self.shuffle(line["shuffle"])
        else:
            self.move(line["seat"], line["move"], line.get("by"))

    def _count(self) -> None:
        """How the round ended, if it has."""
        if self.state.finished > len(self.tallies):
            self.tallies.append(self.game.view.tally(self.state))

    def back(self, lines: int) -> None:
        """Take so many of the last lines back: play the others again, from the last shuffle on if it stays."""
        at_least(0, len(self.lines), lines=integer("lines", lines))
        kept = self.lines[: len(self.lines) - lines]
        again = Match(self.game, self.players, self.first, self.preset, self.options)
        state, line, rounds = self._dealt
        if line <= len(kept):  # it may be long until there, and tables take no more back
            again.state, again.shuffles, again._dealt = state.copy(), self.shuffles, self._dealt
            again.lines, again.tallies = kept[:line], self.tallies[:rounds]
        for one in kept[len(again.lines) :]:
            again.follow(one)
        vars(self).update(vars(again))

    def read(self, seat: int, text: str) -> int:
        """The legal move that a text means, or the refusal that says why there is none."""
        if not isinstance(text, str):
            raise Unreadable("move_kind", given=text)
        move = self.game.notation.move_of(text)
        if self.over:
            raise WrongSeat("match_over")
        seat = at_table(seat, self.players)
        if not self.game.rules.asked(self.state) >> seat & 1:
            raise not_asked(self.game.rules, self.state, seat)
        meant = self.game.notation.meant(self.state, seat, move)
        if meant not in legal_moves(self.game.rules, self.state, seat):
            raise Illegal(self.game.id, self.game.view.why_not(self.state, seat, move), text)
        return meant

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.game.rules.over(self.state))

    @property
    def scores(self) -> list[int]:
        """The score of each seat, as the game counts it."""
        return [self.game.rules.score(self.state, seat) for seat in range(self.players)]

    @property
    def winners(self) -> list[int]:
        """Every seat that shares the victory, ascending."""
        return list(members(self.game.rules.wins(self.state)))
