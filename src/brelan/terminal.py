"""A whole match in the terminal: the same scenes as everywhere, drawn as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from brelan import bots
from brelan.errors import Refusal
from brelan.play.match import Match
from brelan.play.shuffle import Chance
from brelan.scene import Card, Choice, Scene, Tally, Zone
from brelan.words import Words

Say = Callable[[str], None]
Ask = Callable[[str], str]


def names(players: int, words: Words) -> list[str]:
    """What the seats are called: the person sits at seat 0."""
    return [words("terminal.you"), *(f"{words('terminal.bot')} {seat}" for seat in range(1, players))]


def draw(scene: Scene, names: Sequence[str], words: Words) -> Iterator[str]:
    """The lines of a scene, from the far side of the table to the viewer's hand."""
    yield ""
    own = [zone for zone in scene.zones if zone.owner == scene.seat]
    for zone in [z for z in scene.zones if z.owner != scene.seat] + own:
        if zone.count or zone.kind == "fan":
            yield f"  {_caption(zone, names)}: {_cards(zone)}"
    for note in scene.notes:
        where = f"{names[note.seat]}: " if note.seat is not None else ""
        yield f"  · {where}{note.words}" + (f" ({note.rule})" if note.rule else "")
    scores = "   ".join(f"{name} {score}" for name, score in zip(names, scene.scores, strict=True))
    yield f"  {words('terminal.score')}: {scores}"


def _caption(zone: Zone, names: Sequence[str]) -> str:
    return zone.caption if zone.owner is None else f"{names[zone.owner]}, {zone.caption}"


def _cards(zone: Zone) -> str:
    """Known cards by their text, groups parted by bars; face-down ones as a count."""
    known = [card for card in zone.cards if card.face is not None]
    text = "".join(f"{_gap(known, place)}{card.face}" for place, card in enumerate(known)).strip()
    hidden = zone.count - len(known)
    return f"{text} + {hidden}" if text and hidden else text or f"({hidden})"


def _gap(cards: list[Card], place: int) -> str:
    return " | " if place and cards[place].group != cards[place - 1].group else " "


def result(tally: Tally, names: Sequence[str], words: Words) -> str:
    """How a round ended, as a sentence with the seats' names."""
    values = {k: names[v] if k in ("ender", "other") else v for k, v in tally.values.items()}
    if "seats" in values:
        values["seats"] = ", ".join(names[seat] for seat in tally.values["seats"])
    return words(f"result.{tally.reason}", **values)


def play(match: Match, chance: Chance, levels: list[str], random: list[int], words: Words, say: Say, ask: Ask) -> None:
    """Seat 0 is the person's, the others are bots; `ask` shows a prompt and gives what was typed."""
    called = names(match.players, words)
    match.deal(chance)
    while not match.over:
        seat = match.asked()[0]
        rounds = len(match.tallies)
        if seat == 0:
            _turn(match, called, words, say, ask)
        else:
            _bot(match, seat, levels[(seat - 1) % len(levels)], random, called, words, say)
        if len(match.tallies) > rounds:
            _between(match, called, words, say)
        match.deal(chance)


def _bot(match: Match, seat: int, level: str, random: list[int], names: list[str], words: Words, say: Say) -> None:
    game = match.game
    move = bots.find(level)(game, game.view.redact(match.state, seat), seat, random)
    match.move(seat, game.notation.move_text(move))
    say(f"  {names[seat]}: {game.view.heard(move, seat, 0)}")


def _turn(match: Match, names: list[str], words: Words, say: Say, ask: Ask) -> None:
    """Ask the person until a legal move was typed: its number in the list, or its text."""
    scene = match.game.view.scene(match.game.view.redact(match.state, 0), 0, words)
    for line in draw(scene, names, words):
        say(line)
    open_choices = list({choice.move: choice for choice in scene.choices if not choice.why}.values())
    for number, choice in enumerate(open_choices, 1):
        say(f"  {number:3} {choice.words}  [{choice.move}]")
    while True:
        try:
            match.move(0, _typed(ask(f"{scene.prompt} "), open_choices))
            return
        except Refusal as refusal:
            say(f"  {words.refusal(refusal)}")


def _typed(text: str, choices: list[Choice]) -> str:
    text = text.strip()
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1].move
    return text


def _between(match: Match, names: list[str], words: Words, say: Say) -> None:
    scene = match.game.view.scene(match.game.view.redact(match.state, 0), 0, words)
    for line in draw(scene, names, words):
        say(line)
    say(f"  {result(match.tallies[-1], names, words)}")
