"""A whole match in the terminal: the same scenes as everywhere, drawn as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from brelan import bots
from brelan.errors import Refusal, Unreadable
from brelan.ink import BOLD, FAINT, ITALIC, Ink, columns, wrapped
from brelan.play.match import Match, outcomes, told
from brelan.play.shuffle import Chance
from brelan.play.told import move_told, outcome_told, reason
from brelan.scene import Choice, Scene, Zone, laid
from brelan.words import Words

Say = Callable[[str], None]
Ask = Callable[[str], str]

FEW = 16
"""So many choices are told in sentences; of more, each is its text alone, in columns."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What a scene is drawn on: names, language, ink."""

    names: Sequence[str]
    words: Words
    ink: Ink

    def labelled(self, label: str, text: str) -> str:
        return self.words("terminal.labelled", label=label, text=text)


def names(players: int, words: Words) -> list[str]:
    """What the seats are called: the person sits at seat 0."""
    return [words("terminal.you"), *(f"{words('terminal.bot')} {seat}" for seat in range(1, players))]


# ---------------------------------------------------------------- drawing


def draw(scene: Scene, paper: Paper) -> Iterator[str]:
    """The lines of a scene, from the far side of the table to the viewer's hand."""
    yield ""
    for zone in laid(scene):
        yield from wrapped("  " + paper.labelled(_caption(zone, paper), ""), _cards(zone, paper.ink))
    for note in scene.notes:
        said = paper.labelled(paper.names[note.seat], note.words) if note.seat is not None else note.words
        rule = [paper.ink.paint(f"({note.rule})", FAINT)] if note.rule else []
        yield from wrapped("  · ", [*(paper.ink.paint(word, ITALIC) for word in said.split(" ")), *rule])
    scores = [f"{paper.labelled(name, str(score))} " for name, score in zip(paper.names, scene.scores, strict=True)]
    yield from map(str.rstrip, wrapped("  " + paper.labelled(paper.words("terminal.score"), ""), scores))


def _caption(zone: Zone, paper: Paper) -> str:
    return paper.ink.paint(zone.caption if zone.owner is None else f"{paper.names[zone.owner]}, {zone.caption}", BOLD)


def _cards(zone: Zone, ink: Ink) -> Iterator[str]:
    """Known cards, groups parted by bars; face-down ones as a count."""
    known = [card for card in zone.cards if card.face is not None]
    for place, card in enumerate(known):
        if place and card.group != known[place - 1].group:
            yield "|"
        yield ink.card(card.face or "")
    hidden = zone.count - len(known)
    if hidden or not known:
        yield f"+ {hidden}" if known else f"({hidden})"


def listed(choices: list[Choice], ink: Ink) -> Iterator[str]:
    """What may be done, each by its number: in words, or many as their texts in columns."""
    numbered = list(enumerate(choices, 1))
    if len(choices) > FEW:
        yield from columns([f"  {number:3} {choice.move}" for number, choice in numbered])
        return
    for number, choice in numbered:
        text = ink.paint(f"[{choice.move}]", FAINT)
        yield from wrapped(f"  {ink.paint(f'{number:3}', BOLD)} ", [*choice.words.split(" "), text])


def offered(scene: Scene) -> list[Choice]:
    """Every open move once; a word that may be called with any of them is left out."""
    called = f" {scene.call.word}" if scene.call else "\n"
    open_ones = [choice for choice in scene.choices if not (choice.why or choice.move.endswith(called))]
    return list({choice.move: choice for choice in open_ones}.values())


def in_full(choice: Choice, scene: Scene, paper: Paper) -> Choice:
    """What is done to somebody, with the name that they have here."""
    owner = next((zone.owner for zone in scene.zones if zone.id == choice.target), None)
    if choice.cards or not choice.brief or owner in (None, scene.seat):
        return choice
    return replace(choice, words=f"{paper.names[owner]} {choice.brief}")


# ---------------------------------------------------------------- playing


def play(
    match: Match, chance: Chance, levels: Sequence[str], random: list[int], paper: Paper, say: Say, ask: Ask
) -> None:
    """Seat 0 is the person's, the others are bots; `ask` shows a prompt and gives what was typed."""
    _deal(match, chance, paper, say)
    while not match.over:
        seat, was = match.asked()[0], match.state.copy()
        rounds = len(match.tallies)
        if seat == 0:
            _turn(match, paper, say, ask)
        else:
            _bot(match, seat, levels[(seat - 1) % len(levels)], random, paper, say)
        for outcome in outcomes(match.game, was, match.state):
            say(f"  {outcome_told(paper.names, outcome, paper.words)}")
        if len(match.tallies) > rounds:
            _between(match, paper, say)
        _deal(match, chance, paper, say)


def _deal(match: Match, chance: Chance, paper: Paper, say: Say) -> None:
    """Every shuffle that is due; a round may end behind one."""
    while due := match.due():
        rounds = len(match.tallies)
        match.shuffle(chance.order(match.shuffles, due))
        if len(match.tallies) > rounds:
            _between(match, paper, say)


def _bot(match: Match, seat: int, level: str, random: list[int], paper: Paper, say: Say) -> None:
    game = match.game
    move = bots.searched(game, level, game.view.redact(match.state, seat), seat, random, match.preset)
    heard, more = game.view.heard(move, seat, 0), told(game, match.state, move)
    match.move(seat, game.notation.move_text(move))
    say(f"  {move_told(game, paper.names, heard, paper.names[seat], paper.words, more)}")


def _turn(match: Match, paper: Paper, say: Say, ask: Ask) -> None:
    """Ask the person until a legal move was typed, by its number in the list or its text; a card lists its moves."""
    scene = match.game.view.scene(match.game.view.redact(match.state, 0), 0, paper.words)
    for line in draw(scene, paper):
        say(line)
    choices = every = [in_full(choice, scene, paper) for choice in offered(scene)]
    _list(scene, choices, paper, say)
    while True:
        say(paper.ink.paint(scene.prompt, BOLD))
        typed = ask("> ")  # without ink: a terminal that lets the line be edited counts its columns
        if about := [choice for choice in every if is_about(choice, typed.strip())]:
            choices = about
            _list(scene, choices, paper, say)
            continue
        try:
            match.move(0, _typed(typed, choices))
            return
        except Refusal as refusal:
            told = [paper.words.refusal(refusal)]
            if isinstance(refusal, Unreadable):  # as `quit` and `help` are
                told.append(paper.words("terminal.leave", game=match.game.id))
            for sentence in told:
                say("\n".join(wrapped("  ", sentence.split(" "))))


def _list(scene: Scene, choices: list[Choice], paper: Paper, say: Say) -> None:
    say("")
    for line in listed(choices, paper.ink):
        say(line)
    cards = [text_of(key) for choice in choices for key in choice.cards]
    if cards and len(choices) > FEW:
        say(f"      {paper.words('terminal.narrow', card=cards[0])}")
    if cards and scene.call:
        say(f"      {paper.words('terminal.call', word=scene.call.word)}")


def is_about(choice: Choice, card: str) -> bool:
    """Whether a card, by its text, is one that a choice picks."""
    return any(text_of(key).lower() == card.lower() for key in choice.cards)


def text_of(key: str) -> str:
    """A card's text by its key, which tells copies apart."""
    return key.partition("#")[0]


def _typed(text: str, choices: list[Choice]) -> str:
    """What was typed, a number as the move that it stands for; what follows the number is added to it: "4 mio". One
    that is not in the list is refused.
    """
    number, _, rest = text.strip().partition(" ")
    numbered = {str(n): choice for n, choice in enumerate(choices, 1)}
    if number in numbered:
        return f"{numbered[number].move} {rest}".strip()
    if number.isdecimal():
        raise Refusal("terminal.number", most=len(choices))
    return text.strip()


def _between(match: Match, paper: Paper, say: Say) -> None:
    scene = match.game.view.scene(match.game.view.redact(match.state, 0), 0, paper.words)
    for line in draw(scene, paper):
        say(line)
    say("")
    for line in wrapped("  ", reason(paper.names, match.tallies[-1], paper.words).split(" ")):
        say(paper.ink.paint(line, BOLD))
