"""Houses that leak, one thing each: what a proof is worth shows in how many of them it finds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from copy import deepcopy
from typing import Any
from unittest.mock import patch

from brelan.game import Game
from brelan.play import replay, shown
from brelan.play import told as sentences
from brelan.play.table import Table
from brelan.play.told import News
from brelan.scene import Choice, Note
from brelan.server.matches import shown as match_shown
from brelan.server.pages import replays
from brelan.server.tables.connection import Connection
from brelan.words import Words, catalogue

Mutant = Callable[[Game], AbstractContextManager[Any]]
"""Given a game, patches the house until it is closed."""


def hidden(state: Any, game: Game, seat: int) -> int:
    """A number that hangs on the hand of a neighbour of that seat."""
    other = (seat + 1) % state.players
    return sum((place + 3) * card for place, card in enumerate(game.view.zones(state).get(f"hand:{other}", [])))


def of_table(table: Table, seat: int) -> int:
    """The same at a table."""
    return hidden(table.match.state, table.game, seat) if table.match else 0


# ---------------------------------------------------------------- the state


def one_field(name: str) -> Mutant:
    """A field of the state is not redacted."""

    def mutant(game: Game) -> AbstractContextManager[Any]:
        real = game.view.redact

        def redact(s: Any, seat: int) -> Any:
            v = real(s, seat)
            setattr(v, name, getattr(s.copy(), name))
            return v

        return patch.object(game.view, "redact", redact)

    return mutant


def whole_state(game: Game) -> AbstractContextManager[Any]:
    """A bot is given the whole table."""
    return patch.object(Table, "seen_by", lambda table, _seat: table.match.state.copy())


# ---------------------------------------------------------------- the scene


def in_scene(change: Callable[[Any, Table, int], None]) -> Mutant:
    """The scene is changed by somebody who knows the table and the viewer's seat."""

    def mutant(game: Game) -> AbstractContextManager[Any]:
        real = shown.scene_for

        def scene_for(table: Table, seat: int, words: Words, *more: Any) -> Any:
            scene = deepcopy(real(table, seat, words, *more))  # its pieces are others' too
            if scene and not scene.over:
                change(scene, table, seat)
            return scene

        return patch.object(shown, "scene_for", scene_for)

    return mutant


def telling_key(scene: Any, table: Table, seat: int) -> None:
    for card in (card for zone in scene.zones for card in zone.cards if card.face is None):
        card.key += f".{of_table(table, seat) % 97}"


def telling_face(scene: Any, table: Table, seat: int) -> None:
    for zone in scene.zones:
        if zone.id == f"hand:{(seat + 1) % table.match.players}" and zone.cards:
            held = table.game.view.zones(table.match.state)[zone.id]
            zone.cards[-1].alt = table.game.view.card_words(held[-1], Words("en", table.game.id)) if held else ""


def others_choices(scene: Any, table: Table, seat: int) -> None:
    for other in range(table.match.players):
        if other != seat:
            scene.choices += [Choice(text, text) for text in table.match.legal(other)]


def telling_note(scene: Any, table: Table, seat: int) -> None:
    scene.notes.append(Note(str(of_table(table, seat))))


def telling_count(scene: Any, table: Table, seat: int) -> None:
    scene.zones[0].count += of_table(table, seat) % 2


def telling_order(scene: Any, table: Table, seat: int) -> None:
    if of_table(table, seat) % 2:
        scene.zones.reverse()


def telling_light(scene: Any, table: Table, seat: int) -> None:
    for card in scene.zones[-1].cards:
        card.state = "bright" if of_table(table, seat) % 2 else ""


def telling_length(scene: Any, table: Table, seat: int) -> None:
    scene.prompt += " " * (of_table(table, seat) % 3)


def telling_score(scene: Any, table: Table, seat: int) -> None:
    scene.scores = [score + of_table(table, seat) % 5 for score in scene.scores]


# ---------------------------------------------------------------- what stands around it


def in_table(change: Callable[[Any, Table, int], None]) -> Mutant:
    """What is told of the table is changed in the same way."""

    def mutant(game: Game) -> AbstractContextManager[Any]:
        real = shown.table_shown

        def table_shown(table: Table, viewer: Any, *more: Any) -> Any:
            told = real(table, viewer, *more)
            change(told, table, table.seat_of(viewer.person))
            return told

        return patch.object(shown, "table_shown", table_shown)

    return mutant


def open_secret(told: Any, table: Table, seat: int) -> None:
    told.secret = table.sealed.secret.hex() if table.sealed else None


def telling_person(told: Any, table: Table, seat: int) -> None:
    for place, sitting in enumerate(told.seats):
        sitting.name = sitting.name or table.seats[place].person[:3]
        sitting.name += table.seats[place].person[-3:] if place != seat else ""


def telling_deadline(told: Any, table: Table, seat: int) -> None:
    told.deadline = (told.deadline or 0.0) + of_table(table, seat) % 7


def telling_claims(told: Any, table: Table, seat: int) -> None:
    told.waits_for = [claim.seat for claim in table.claims]


def telling_nonces(told: Any, table: Table, seat: int) -> None:
    nonces = [event.data["nonce"] for event in table.events if event.kind == "nonce"]
    told.link = " ".join(nonces)


# ---------------------------------------------------------------- sentences


def telling_news(game: Game) -> AbstractContextManager[Any]:
    """What was done face down is told to everybody."""
    return patch.object(game.view, "heard", lambda move, _seat, _viewer: game.notation.move_text(move))


def telling_shuffle(game: Game) -> AbstractContextManager[Any]:
    """The news of a shuffle name its last card."""
    real = sentences.sentence

    def sentence(table: Table, event: Any, viewer: int, words: Words) -> News | None:
        news = real(table, event, viewer, words)
        if news and event.kind == "shuffle":
            news.words += event.data["shuffle"][-1]
        return news

    return patch.object(sentences, "sentence", sentence)


def telling_rule(game: Game) -> AbstractContextManager[Any]:
    """Which rule forbids a move hangs on another's hand."""
    real = game.view.why_not
    ids = [key.partition(".")[2] for key in catalogue("en", game.id) if key.startswith("why.")]

    def why_not(s: Any, seat: int, move: int) -> str:
        return ids[hidden(s, game, seat) % len(ids)] if s.phase else real(s, seat, move)

    return patch.object(game.view, "why_not", why_not)


def telling_legal(game: Game) -> AbstractContextManager[Any]:
    """A move is refused because of what another holds."""
    real = game.notation.meant
    return patch.object(
        game.notation, "meant", lambda s, seat, move: -1 if hidden(s, game, seat) % 2 else real(s, seat, move)
    )


# ---------------------------------------------------------------- lines and addresses


def telling_frames(game: Game) -> AbstractContextManager[Any]:
    """One frame more while another's hand is odd."""
    real = Connection.show

    def show(connection: Connection, table: Table, *more: Any, **named: Any) -> None:
        real(connection, table, *more, **named)
        if of_table(table, table.seat_of(connection.viewer.person)) % 2:
            connection.answer(type="pong")

    return patch.object(Connection, "show", show)


def early_replay(game: Game) -> AbstractContextManager[Any]:
    """A match may be seen again while it is played: neither the books nor the replay ask whether it is over."""

    def finished_events(store: Any, match: str) -> list[Any]:
        found: list[Any] = store.events(match.rpartition("-")[0])
        return found

    def own_events(events: Any, match: str) -> list[Any]:
        return [event for event in events if event.kind not in ("made", "sat", "bot")]

    both = ExitStack()
    for module in (match_shown, replays):
        both.enter_context(patch.object(module, "finished_events", finished_events))
    both.enter_context(patch.object(replay, "own_events", own_events))
    return both


MUTANTS: dict[str, Mutant] = {
    "a hand is not redacted": one_field("hand"),
    "the stock is not redacted": one_field("stock"),
    "a bot is given the whole table": whole_state,
    "a face-down card's key tells which it is": in_scene(telling_key),
    "a face-down card is named for screen readers": in_scene(telling_face),
    "another seat's moves are among the choices": in_scene(others_choices),
    "a note reckons with another's hand": in_scene(telling_note),
    "a zone's count is off by a hidden card": in_scene(telling_count),
    "the zones' order hangs on a hidden card": in_scene(telling_order),
    "a card is lit because of what another holds": in_scene(telling_light),
    "a prompt is as long as another's hand is high": in_scene(telling_length),
    "a score counts what is still hidden": in_scene(telling_score),
    "the secret is open while the match is played": in_table(open_secret),
    "a guest's name in the house's books is shown": in_table(telling_person),
    "a pause lasts as long as another's hand is high": in_table(telling_deadline),
    "a claim is seen before it is decided": in_table(telling_claims),
    "the others' nonces are shown": in_table(telling_nonces),
    "the news name a card that went face down": telling_news,
    "the news of a shuffle name a card": telling_shuffle,
    "a refusal's rule hangs on another's hand": telling_rule,
    "a move is refused because of another's hand": telling_legal,
    "there is a frame more while another's hand is odd": telling_frames,
    "a match may be seen again while it is played": early_replay,
}

ONLY: dict[str, tuple[str, ...]] = {
    "the stock is not redacted": ("elements", "hawaiki", "gin", "mio"),
    "a claim is seen before it is decided": ("hawaiki",),
    "the news name a card that went face down": ("elements", "hawaiki", "gin"),
}
"""The mutants that there cannot be in every game: there is no stock, no claim, nothing goes face down."""


def mutants_of(game: str) -> dict[str, Mutant]:
    return {name: mutant for name, mutant in MUTANTS.items() if game in ONLY.get(name, (game,))}
