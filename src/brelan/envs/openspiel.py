"""OpenSpiel: the games as Python games, `python_brelan_gin` … (extra `openspiel`).

    import pyspiel
    import brelan.envs.openspiel

    game = pyspiel.load_game("python_brelan_mio", {"players": 4, "target": 50})

Parameters are `players`, `preset`, `first`, `reward` ("points" or "win") and every option of the rules; a list is
written with spaces ("1 2 2 2 2 1"). OpenSpiel cannot say whether a parameter was named: one that has the value of the
sheet is left to the preset. Chance is explicit: a shuffle is a row of chance nodes, one for each card from the
top of the pile, where equal cards are one outcome. Of several seats asked the one in `turn` moves next. All is paid
at the end.

The information state is the story of a seat: every move as it heard it, and what each changed in what it knows.
`resample_from_infostate` deals anew all that the seat cannot know (`imagine` of the rules); a state so made can be
played on and searched, but has the history of the one it was made from, and the other seats' stories begin with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel

from brelan import cards, games
from brelan.cards import SPECTATOR
from brelan.envs.matches import REWARDS, named, refused
from brelan.envs.steps import POINTS, share
from brelan.errors import Refusal, WrongSeat, at_table, digits
from brelan.game import Game, Rules, due_cards, legal_moves
from brelan.games import GAMES
from brelan.options import Option, Value
from brelan.pieces import MOST, Piece, size_of, split

LONGEST = 10**6
"""What OpenSpiel is told of the moves in a match: a bound that no match here comes near; the rules know none."""

DEALING = pyspiel.PlayerId.CHANCE


# ---------------------------------------------------------------- what a seat has seen


@dataclass(slots=True, eq=False)
class Ply:
    """A state and how it came about; never changed once it is made, so that clones share it."""

    game: Game
    state: Any
    before: Ply | None = None
    mover: int = DEALING
    move: int = 0
    stories: dict[int, str] = field(default_factory=dict)  # those told already
    moves: dict[int, list[int]] = field(default_factory=dict)  # those listed already

    def __deepcopy__(self, _: Any) -> Ply:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """What is written down keeps the stories, and not the plies that they are told from."""
        stories = {seat: self.story(seat) for seat in range(SPECTATOR, self.state.players)}
        return revived, (self.game.id, self.state.to_json(), stories)

    def legal(self, seat: int) -> list[int]:
        """The legal moves of a seat, ascending; listed once, for who chooses and for the check of what was chosen."""
        if seat not in self.moves:
            self.moves[seat] = sorted(legal_moves(self.game.rules, self.state, seat))
        return self.moves[seat]

    def story(self, seat: int) -> str:
        """All that a seat has seen and heard, a line for each move."""
        if seat not in self.stories:
            self.stories[seat] = self._told(seat)
        return self.stories[seat]

    def _told(self, seat: int) -> str:
        """From the last ply back to one that was told already: no match is too long for a loop."""
        ply, lines = self, []
        while ply.before and seat not in ply.stories:
            lines.append(ply.line(ply.before, seat))
            ply = ply.before
        begun = ply.stories.get(seat) or described(self.game, ply.state, seat, self.game.observation.PIECES)
        return "\n".join([begun, *reversed(lines)])

    def line(self, before: Ply, seat: int) -> str:
        """What a seat heard of the move, and what it changed in what the seat knows."""
        happened = "shuffle" if self.mover < 0 else f"{self.mover} {self.game.view.heard(self.move, self.mover, seat)}"
        was, now = (row_of(self.game, state, seat) for state in (before.state, self.state))
        news = [f"{i}={n}" for i, (old, n) in enumerate(zip(was, now, strict=True)) if n != old]
        return f"{happened}: {' '.join(news)}"


def revived(game: str, state: dict[str, Any], stories: dict[int, str]) -> Ply:
    """A ply that was written down."""
    found = games.find(game)
    return Ply(found, found.rules.State.from_json(state), stories=stories)


@dataclass(frozen=True, slots=True, eq=False)
class Pile:
    """A shuffle in the making: its cards so far, from the top, and those that are still to come."""

    top: tuple[int, ...]
    due: tuple[int, ...]

    def __deepcopy__(self, _: Any) -> Pile:
        return self


def row_of(game: Game, state: Any, seat: int) -> list[int]:
    """The numbers of an observation."""
    out = [0] * size_of(game.observation.PIECES, state.players)
    game.observation.observe(state, seat, out)
    return out


def observed(game: Game, state: Any, seat: int) -> dict[str, Any]:
    """The pieces of an observation by name."""
    return split(game.observation.PIECES, state.players, np.array(row_of(game, state, seat)))


def described(game: Game, state: Any, seat: int, pieces: Sequence[Piece]) -> str:
    """Pieces of an observation as text, those that are not all zeros."""
    found = observed(game, state, seat)
    told = [f"{piece.name} {numbers(piece, found[piece.name])}" for piece in pieces]
    return f"seat {seat}\n" + "\n".join(line for line in told if not line.endswith(" "))


def numbers(piece: Piece, values: Any) -> str:
    """A piece's numbers: the places of ones, or place=number; a single number alone."""
    flat = values.reshape(-1).tolist()
    if not piece.shape:
        return str(flat[0])
    if piece.least == 0 and piece.most == 1:
        return " ".join(str(i) for i, n in enumerate(flat) if n)
    return " ".join(f"{i}={n}" for i, n in enumerate(flat) if n)


class Observer:
    """OpenSpiel's observer: the observation, its pieces by name; with perfect recall the text is the whole story, and
    there is no tensor (None): an observation in its place would not say that it is none.

    Without public information there are the pieces in which something is the viewer's alone; without private
    information they are a spectator's.
    """

    def __init__(self, game: Game, players: int, kind: pyspiel.IIGObservationType, params: Any) -> None:
        if params or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError(f"observers of {game.title} see with the eyes of one seat; not: {params}")
        self._game, self._recalls = game, kind.perfect_recall
        self._alone = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._pieces = [piece for piece in game.observation.PIECES if kind.public_info or piece.own]
        self.tensor = None if self._recalls else np.zeros(size_of(self._pieces, players), np.float32)
        self.dict: dict[str, Any] = {} if self.tensor is None else split(self._pieces, players, self.tensor)

    def set_from(self, state: BrelanState, player: int) -> None:
        """Write what a player, or a spectator, observes."""
        found = observed(self._game, state.ply.state, self._seat(player))
        for name, piece in self.dict.items():
            piece[...] = found[name]

    def string_from(self, state: BrelanState, player: int) -> str:
        """The same as text, or all that the player has seen."""
        seat = self._seat(player)
        return state.ply.story(seat) if self._recalls else described(self._game, state.ply.state, seat, self._pieces)

    def _seat(self, player: int) -> int:
        return player if self._alone else SPECTATOR


# ---------------------------------------------------------------- states


class BrelanState(pyspiel.State):  # type: ignore[misc]  # pyspiel tells no types
    """A match, and a shuffle in the making."""

    def __init__(self, game: BrelanGame, start: Any) -> None:
        """Made by `new_initial_state` only."""
        super().__init__(game)
        self.ply = self.start = Ply(game.game, start)
        self.pile = Pile((), due(game.game, start))
        self.reward = game.reward

    @property
    def rules(self) -> Rules:
        """The game's."""
        return self.ply.game.rules

    def current_player(self) -> int:
        """Who moves next."""
        state = self.ply.state
        if self.pile.due:
            return int(DEALING)
        return int(state.turn if self.rules.asked(state) else pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return bool(self.rules.over(self.ply.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come next, copies together."""
        return [(card, n / len(self.pile.due)) for card, n in sorted(Counter(self.pile.due).items())]

    def returns(self) -> list[float]:
        """What each seat is paid; nothing before the end."""
        state = self.ply.state
        if not self.is_terminal():
            return [0.0] * state.players
        if self.reward == POINTS:
            ends, starts = (points(self.ply.game, s) for s in (state, self.start.state))
            return [float(end - start) for end, start in zip(ends, starts, strict=True)]
        return [share(self.rules.wins(state), seat, state.players) for seat in range(state.players)]

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> BrelanState:
        """The same match as the player may imagine it: one of the worlds that fit all the cards it has seen."""
        random = [0]
        cards.seed(random, int(probability_sampler() * 2**53))
        world = self.ply.state.copy()
        self.rules.imagine(world, at_table(player_id, world.players), random)
        found: BrelanState = self.clone()
        found.ply = Ply(self.ply.game, world, stories={player_id: self.ply.story(player_id)})
        found.pile = self._imagined(due(self.ply.game, world), random)
        return found

    def _imagined(self, cards_due: tuple[int, ...], random: list[int]) -> Pile:
        """A shuffle of that world come as far as ours has: nobody has seen one of its cards yet."""
        shuffled, dealt = list(cards_due), len(self.pile.top)
        cards.shuffle(shuffled, 0, len(shuffled), random)
        return Pile(tuple(shuffled[:dealt]), tuple(shuffled[dealt:]))

    def _legal_actions(self, player: int) -> list[int]:
        return self.ply.legal(player)

    def _apply_action(self, action: int) -> None:
        if self.pile.due:
            self._deal(action)
            return
        player, after = self.current_player(), self.ply.state.copy()
        self._check(player, action)
        self.rules.play(after, player, action)
        self._go_on(after, player, action)

    def _check(self, player: int, action: int) -> None:
        """Refuse an action that is not legal, and any when the match is over."""
        if player == pyspiel.PlayerId.TERMINAL:
            raise WrongSeat("match_over")
        if action not in self.ply.legal(player):
            raise refused(self.ply.game, self.ply.state, player, action)

    def _deal(self, card: int) -> None:
        """The next card of the pile; the last one comes by itself."""
        if card not in self.pile.due:
            allowed = ", ".join(map(str, sorted({*self.pile.due})))
            raise Refusal("argument", name="action", given=card, allowed=allowed)
        at = self.pile.due.index(card)
        self.pile = Pile((*self.pile.top, card), self.pile.due[:at] + self.pile.due[at + 1 :])
        if len(self.pile.due) < 2:
            after = self.ply.state.copy()
            self.rules.deal(after, [*self.pile.top, *self.pile.due])
            self._go_on(after, int(DEALING), 0)

    def _go_on(self, after: Any, mover: int, move: int) -> None:
        self.ply = Ply(self.ply.game, after, self.ply, mover, move)
        self.pile = Pile((), due(self.ply.game, after))

    def _action_to_string(self, player: int, action: int) -> str:
        notation = self.ply.game.notation
        return f"deal {notation.card_text(action)}" if player == DEALING else notation.move_text(action)

    def __str__(self) -> str:
        return f"{self.ply.state!r} {list(self.pile.top)}"


def points(game: Game, state: Any) -> list[int]:
    """Each seat's score, few points counted as good where they are."""
    return [game.better * game.rules.score(state, seat) for seat in range(state.players)]


def due(game: Game, state: Any) -> tuple[int, ...]:
    """The cards that must be shuffled now."""
    return tuple(due_cards(game.rules, state))


# ---------------------------------------------------------------- games


class BrelanGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel tells no types
    """A game at one kind of table; `game` stands in the class that is registered for it."""

    game: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.players = params.get("players", self.game.seats[0])
        self.reward = named("reward", params.get("reward", "points"), REWARDS)
        sheet = defaults(self.game)
        changed = [o for o in self.game.options if params.get(o.name, sheet[o.name]) != sheet[o.name]]
        chosen = {o.name: read(o, params[o.name]) for o in changed}
        self._start = self.game.new(self.players, params.get("first", 0), params.get("preset", "sheet"), chosen)
        most = float(MOST) if self.reward == POINTS else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.rules.ACTIONS,
            max_chance_outcomes=outcomes(self.game, self._start.copy()),
            num_players=self.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=None if self.reward == POINTS else 0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind_of(self.game, self.reward), info, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (str(self),)

    def new_initial_state(self) -> BrelanState:
        """A match about to begin: its first shuffle is due."""
        return BrelanState(self, self._start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat knows, or with private_info NONE what a spectator does."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.game, self.players, kind, params)


def loaded(told: str) -> pyspiel.Game:
    """A game that was written down: a process that looks for this function imports the module, which registers it."""
    return pyspiel.load_game(told)


def outcomes(game: Game, state: Any) -> int:
    """One more than the highest card that is shuffled before anybody is asked: by then all cards are."""
    most = 0
    while pile := due(game, state):
        most = max(most, *pile)
        game.rules.deal(state, list(pile))
    return most + 1


def defaults(game: Game) -> dict[str, bool | int | str]:
    """What OpenSpiel gives for the options that are not named: such values are left to the preset.

    A default that hangs on the seats is an empty text here, or another table's would pass for it.
    """
    by_seats = {option.name: "" for option in game.options if callable(option.default)}
    return {option.name: written(option.default_for(game.seats[0])) for option in game.options} | by_seats


def written(value: Value) -> bool | int | str:
    """An option as a parameter of OpenSpiel, which knows no lists."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def read(option: Option, given: Any) -> Any:
    """A parameter as the option that it sets."""
    if option.kind != "numbers":
        return given
    numbers = [digits(part) for part in str(given).split()]
    if None in numbers:
        raise Refusal("option_value", name=option.name, given=given, allowed="1 2 …")
    return numbers


def kind_of(game: Game, reward: int = POINTS) -> pyspiel.GameType:
    """What OpenSpiel is told of a game: victories are shared out among the seats, points may come from nobody."""
    sums = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=f"python_brelan_{game.id}",
        long_name=f"{game.title} (Brelan)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=sums.GENERAL_SUM if reward == POINTS else sums.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults(game)
        | {"players": game.seats[0], "preset": "sheet", "first": 0, "reward": "points"},
    )


def register(game: Game) -> type[BrelanGame]:
    """Make a game known to OpenSpiel."""
    made = type(f"Brelan{game.id.capitalize()}", (BrelanGame,), {"game": game})
    pyspiel.register_game(kind_of(game), made)
    return made


REGISTERED: Sequence[type[BrelanGame]] = [register(game) for game in GAMES]
