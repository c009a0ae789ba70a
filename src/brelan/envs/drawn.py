"""A table as text, as one of its seats sees it: what every environment here renders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brelan.errors import Refusal
from brelan.game import Game
from brelan.ink import Ink
from brelan.terminal import Paper, draw
from brelan.words import Words


def drawn(game: Game, state: Any, seat: int) -> str:
    """The lines of the scene of a seat, or of a spectator; `state` is whole, and is redacted here."""
    words = Words("en", game.id)
    scene = game.view.scene(game.view.redact(state, seat), seat, words)
    return "\n".join([*draw(scene, Paper(names(state.players), words, Ink())), f"  {scene.prompt}"])


def mode_of(asked: str | None, known: Sequence[str]) -> str | None:
    """How tables are to be drawn, or the refusal that names the ways there are; None: not at all."""
    if asked is not None and asked not in known:
        raise Refusal("argument", name="render_mode", given=asked, allowed=" | ".join(known))
    return asked


def names(players: int) -> list[str]:
    """What the seats are called: as the environments' agents."""
    return [f"seat_{seat}" for seat in range(players)]
