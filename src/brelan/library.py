"""Brelan as a library: a match by hand, in a terminal or a notebook; thousands of matches as arrays.

    >>> import brelan
    >>> m = brelan.match("gin", seed=1)
    >>> m.turn, m.legal()
    (0, ['draw', 'take'])
    >>> m.play("draw").legal()[:2]
    ['discard Ts', 'discard Qs']

A match shows itself, as whoever is asked sees it: as text in a terminal, as a table in a notebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self

from brelan import bots, cards, games
from brelan.cards import SPECTATOR
from brelan.errors import Refusal, at_least, at_table, integer
from brelan.game import Game
from brelan.ink import Ink
from brelan.pieces import size_of, split
from brelan.play import match as played
from brelan.play.record import checked, written
from brelan.play.shuffle import simulated
from brelan.terminal import Paper, draw
from brelan.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from brelan.fast import Batch, Engine


class Seen(played.Match):
    """A match that shows itself, as whoever is asked sees it, and every decision that was made in it.

    What it inherits: `state` (the rules' own, whole), `lines` (the record so far), `over`, `scores`, `winners`,
    `tallies` (how each round ended).
    """

    def __init__(
        self, game: Game, players: int, first: int, preset: str, options: Mapping[str, Any] | None, language: str
    ) -> None:
        super().__init__(game, players, first, preset, options)
        self.words = Words(language, game.id)

    @property
    def turn(self) -> int:
        """The seat that is asked, the first of several; -1 when the match is over."""
        return next(iter(self.asked()), SPECTATOR)

    def legal(self, seat: int | None = None) -> list[str]:
        """The texts of all that a seat may do now, by default the one that is asked.

        >>> match("companeros", seed=2).legal(1)
        []
        """
        viewer = self._viewer(seat)
        return super().legal(viewer) if viewer != SPECTATOR else []

    def observation(self, seat: int | None = None) -> NDArray[np.int32]:
        """What a seat knows, as numbers (size,), int32; `pieces` names them, docs/environments.md explains them.

        >>> match("gin", seed=1).observation().shape
        (276,)
        """
        import numpy as np

        pieces = self.game.observation.PIECES
        out = [0] * size_of(pieces, self.players)
        self.game.observation.observe(self.state, self._viewer(seat), out)
        return np.array(out, np.int32)

    def pieces(self, seat: int | None = None) -> dict[str, NDArray[np.int32]]:
        """The same by name, each piece in its shape: views of one array.

        >>> match("gin", seed=1).pieces()["hand"].sum()
        np.int64(10)
        """
        return split(self.game.observation.PIECES, self.players, self.observation(seat))

    def decisions(self) -> Iterator[tuple[Seen, int, str]]:
        """Every decision until now: the match as it stood before it, the seat that decided, and its move.

        It is one match that goes on: look at it before you ask for the next decision, or copy it.

        >>> [(m.legal(seat), move) for m, seat, move in match("gin", seed=1).play("draw").decisions()]
        [(['draw', 'take'], 'draw')]
        """
        again = Seen(self.game, self.players, self.first, self.preset, self.options, self.words.language)
        for line in self.lines[:]:
            if "move" in line:
                yield again, line["seat"], line["move"]
            again.follow(line)

    def text(self, seat: int | None = None) -> str:
        """The table as a seat sees it, by default the one that is asked."""
        scene = self._scene(seat)
        paper = Paper([self.words("client.seat", n=seat) for seat in range(self.players)], self.words, Ink())
        return "\n".join([*list(draw(scene, paper))[1:], f"  {scene.prompt}"])

    def html(self, seat: int | None = None) -> str:
        """The same as a piece of a page, with its own look and nothing to load."""
        from brelan.notebook import page

        return page(self._scene(seat), self.game.title, self.words)

    def _scene(self, seat: int | None) -> Any:
        viewer = self._viewer(seat)
        return self.game.view.scene(self.game.view.redact(self.state, viewer), viewer, self.words)

    def _viewer(self, seat: int | None) -> int:
        """The seat named, or the one that is asked; SPECTATOR is nobody's."""
        return self.turn if seat is None else at_table(seat, self.players, SPECTATOR)

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


class Match(Seen):
    """A match that anybody may play on: every shuffle is made by itself, by the chance of a seed.

    What cannot be done is refused by a `Refusal`, a `ValueError` that says in English what is wrong; `words.refusal`
    says it in the match's language. Its `rule` is the one that forbids a move (`Illegal`), else None.
    """

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        seed: int = 0,
        preset: str = "sheet",
        options: Mapping[str, Any] | None = None,
        first: int = 0,
        language: str = "en",
    ) -> None:
        found = games.find(game)
        super().__init__(found, found.seats[0] if players is None else players, first, preset, options, language)
        seed = integer("seed", seed)
        self.chance = simulated(f"library-{seed}", self.players, seed)
        self._random = [0]
        cards.seed(self._random, int.from_bytes(self.chance.secret[:7], "big"))
        self.deal(self.chance)

    def play(self, move: str, seat: int | None = None) -> Self:
        """Play a move of a seat, by default of the one that is asked; the match, to go on with.

        >>> try:
        ...     match("gin", seed=1).play("pass")
        ... except Refusal as refused:
        ...     print(refused.rule)
        G4
        """
        self.move(self.turn if seat is None else seat, move)
        return self

    def move(self, seat: int, text: str, by: str | None = None) -> str:
        """As of any match, and what is to be shuffled then is."""
        canonical = super().move(seat, text, by)
        self.deal(self.chance)
        return canonical

    def back(self, lines: int) -> None:
        """Take so many of the last lines back; a shuffle, which is one, is made again as it was."""
        super().back(lines)
        self.deal(self.chance)

    def bot(self, level: str = "novice", moves: int = 1) -> Self:
        """Let a bot make the next moves, whoever is asked; the match, to go on with.

        A level plays here as at a table, its search included: the first move that is searched for waits until the game
        is compiled.

        >>> match("mio", players=3, seed=4).bot("novice", moves=10_000).over
        True
        """
        moves = integer("moves", moves)
        at_least(0, moves=moves)
        for _ in range(moves):
            if self.over:
                break
            seat = self.turn
            seen = self.game.view.redact(self.state, seat)
            found = bots.searched(self.game, level, seen, seat, self._random, self.preset)
            self.play(self.game.notation.move_text(found), seat)
        return self

    def record(self) -> str:
        """The record of a match that is over, as JSON Lines: `brelan verify` makes every shuffle again.

        >>> len(match("companeros", seed=5).bot(moves=10_000).record().splitlines()) > 27
        True
        """
        if not self.over:
            raise Refusal("record_not_over")
        return written(self, self.chance)


def match(
    game: str,
    *,
    players: int | None = None,
    seed: int = 0,
    preset: str = "sheet",
    options: Mapping[str, Any] | None = None,
    first: int = 0,
    language: str = "en",
) -> Match:
    """A match of a game, dealt: the same again with the same seed.

    `game` is the id of one of `brelan.games.GAMES`, `players` by default the fewest, `first` the seat that leads.

    >>> match("gin", seed=1, options={"target": 50}).state.target
    50
    """
    return Match(game, players=players, seed=seed, preset=preset, options=options, first=first, language=language)


def read(data: bytes | str, *, language: str = "en") -> Iterator[Seen]:
    """The matches of a file of records, as its bytes or as text, each at its end; found right as by `brelan verify`, or
    refused with the line that is wrong.

    >>> [m.scores for m in read(match("gin", seed=1).bot(moves=10_000).record())]
    [[83, 116]]
    """
    for found in checked(data):
        was = found.match
        seen = Seen(was.game, was.players, was.first, was.preset, was.options, language)
        vars(seen).update(vars(was))
        yield seen


def matches(
    game: str,
    count: int,
    *,
    players: int | None = None,
    seed: int = 0,
    preset: str = "sheet",
    options: Mapping[str, Any] | None = None,
    who: Sequence[Literal["random", "novice"]] = ("random",),
    cores: int | None = 1,
) -> Batch:
    """Play many matches at full speed; what became of them, in NumPy arrays that are views of one: nothing is copied.

    `who` names "random" or "novice" for each seat, repeated around the table: one name is for all. Matches by "random",
    as all are unless told, may be a hundred times as long as those of novices. The first seat goes round from match to
    match. `scores` is (count, players), `wins` the victories of each seat. `winners` is a number for each match, with
    bit i set where seat i has won: 1 is seat 0 alone, 2 seat 1, 3 both (of a `Match` it is a list of seats); `shares`
    has a column for each seat. With `cores` None all are used; the results do not depend on it. The first call compiles
    the game.

    >>> batch = matches("gin", 100, seed=1, who=("novice", "random"))
    >>> batch.scores.shape, batch.wins[0] > 90
    ((100, 2), True)
    """
    if isinstance(who, str):
        raise Refusal("who_text", given=who)
    kinds = [_number(name) for name in who]
    return _engine(games.find(game).id).matches(seed, count, players, preset, options, kinds, cores)


@cache
def _engine(game: str) -> Engine:
    from brelan.fast import Engine

    return Engine(games.find(game))


def _number(name: str) -> int:
    if name not in tuple(bots.BASELINES):  # whatever it is: a list cannot be asked for in a mapping
        raise Refusal("level", given=name, known=", ".join(bots.BASELINES))
    return bots.BASELINES[name].kind
