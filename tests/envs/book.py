"""The tables of docs/environments.md, made from what the games declare; `python -m tests.envs.book` writes them."""

from __future__ import annotations

from pathlib import Path

from brelan.game import Game
from brelan.games import GAMES
from brelan.pieces import MOST, SEATS, Piece, size_of

BOOK = Path(__file__).parents[2] / "docs" / "environments.md"
MARK = "<!-- the tables below are made by `make golden` -->\n"


def number(n: int) -> str:
    return {MOST: "10⁹", -MOST: "-10⁹"}.get(n, str(n))


def row(piece: Piece) -> str:
    shape = " × ".join("seats" if n == SEATS else str(n) for n in piece.shape) or "1"
    whose = "viewer" if piece.own else "all"
    return f"| `{piece.name}` | {shape} | {number(piece.least)} … {number(piece.most)} | {whose} | {piece.tells} |"


def table(game: Game) -> str:
    pieces = game.observation.PIECES
    sizes = ", ".join(f"{size_of(pieces, players)} with {players} seats" for players in game.seats)
    lines = [f"### {game.title}", ""]
    lines += [f"`Brelan/{game.id}-v{game.revision}`, {game.rules.ACTIONS} actions; numbers: {sizes}.", ""]
    lines += ["| piece | shape | range | known to | tells |", "|---|---|---|---|---|", *map(row, pieces)]
    return "\n".join(lines) + "\n"


def made(text: str) -> str:
    """The book with its tables as they should stand."""
    return text[: text.index(MARK)] + MARK + "\n" + "\n".join(map(table, GAMES))


if __name__ == "__main__":
    BOOK.write_text(made(BOOK.read_text("utf-8")), "utf-8")
