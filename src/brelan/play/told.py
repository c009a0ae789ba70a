"""What happened at a table and how it is kept, in words: as its viewer may hear it, in the viewer's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from brelan.cards import SPECTATOR
from brelan.errors import Refusal, Unreadable
from brelan.game import Game
from brelan.options import Option, Value
from brelan.play.claims import Faster
from brelan.play.seats import Event, Seat, place_of
from brelan.play.spans import NEWS
from brelan.play.table import Table
from brelan.scene import Outcome, Tally
from brelan.words import Said, Words

Made = dict[tuple[object, ...], Any]
"""What of the views of one moment is made already, by what it depends on."""


class News(Struct, gc=False):
    """Something that happened, as a sentence its viewer may hear."""

    seat: int | None
    words: str
    rule: str | None = None
    kind: Literal["move", "round", "over", "said", "table"] = "table"  # which is all else
    text: str | None = None  # of what was said: nothing but that
    aloud: bool = False  # a move with which something is called out
    led: str = ""  # of its words, those that tell what the move led to: they are the last
    follows: bool = False  # a move that the table made for its seat, right after the one before it
    number: int = 0  # of the event that it tells of
    who: int = 0  # of what was said: who of the seats' persons said it, wherever they sit now


def name_of(seat: Seat, i: int, words: Words) -> str:
    """A person's nickname, none if they wanted to be forgotten; a bot is always called one, and so is an open seat."""
    if seat.kind != "person":
        return words("table.bot_name" if seat.level else "client.seat", n=i + 1)
    return called(seat.name, words)


def ended_by(seat: Seat, i: int, words: Words) -> str:
    """Who played a match to its end: where a bot kept the seat then, with that."""
    name = name_of(seat, i, words)
    return words("table.kept_name", name=name) if seat.kept else name


def called(name: str, words: Words) -> str:
    """A nickname; who wanted to be forgotten has none any more."""
    return name or words("table.somebody")


def titled(title: str, whatif: bool, words: Words) -> str:
    """What is played; a match that goes on from a finished one is always called so."""
    return words("whatif.title", game=title) if whatif else title


def differences(game: Game, players: int, options: Mapping[str, Value], words: Words) -> list[str]:
    """How options differ from the printed sheet, each difference as a sentence."""
    sheet = game.settle(players)
    return [
        words("table.differs", option=words(f"option.{o.name}"), value=value_words(o, options[o.name], words))
        for o in game.options
        if options.get(o.name, sheet[o.name]) != sheet[o.name]
    ]


def value_words(option: Option, value: Value, words: Words) -> str:
    """An option's value as people say it."""
    if isinstance(value, bool):
        return words("table.yes" if value else "table.no")
    if option.choices:
        chosen = value if option.kind == "several" and isinstance(value, str) else [value]
        return ", ".join(choice_words(str(choice), words) for choice in chosen)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def choice_words(choice: str, words: Words) -> str:
    """One of an option's choices: by a word of its own, or the colour's that it names."""
    return next((words(key) for key in (f"value.{choice}", f"colour.{choice}") if key in words), choice)


def names_of(table: Table, words: Words) -> list[str]:
    """The names of those who play the match, or played the one that is over."""
    return [name_of(seat, i, words) for i, seat in enumerate(table.match_seats)]


def reason(names: Sequence[str], tally: Tally, words: Words) -> str:
    """Why a round ended as it did, with the names of the seats it speaks of."""
    values = dict(tally.values)
    for key in ("ender", "other"):
        if key in values:
            values[key] = names[values[key]]
    return words(f"result.{tally.reason}", **values | together(names, values, words))


def outcome_told(names: Sequence[str], outcome: Outcome, words: Words) -> str:
    """What a move led to, as a sentence."""
    values = {key: value(words) if callable(value) else value for key, value in outcome.values.items()}
    name = "" if outcome.seat is None else names[outcome.seat]
    return words(f"outcome.{outcome.reason}", name=name, **values | together(names, values, words))


def together(names: Sequence[str], values: dict[str, Any], words: Words) -> dict[str, Any]:
    """The names of several seats that a sentence speaks of, and how many they are."""
    seats = values.get("seats")
    return {} if seats is None else {"n": len(seats), "seats": words.listed([names[i] for i in seats])}


def news(table: Table, person: str, since: int, words: Words, made: Made | None = None) -> Iterator[News]:
    """What has happened after event `since`, as that person may hear it from the seat they had then, or from none."""
    made = {} if made is None else made
    for event in table.events[max(since, len(table.events) - NEWS, 0) :]:
        viewer = place_of(person, table.seats_at(event))
        if is_unheard(table, event, viewer):
            continue
        heard = heard_of(table, event, viewer) if event.kind == "move" else ""
        if (key := (event.number, heard, words)) not in made:
            made[key] = sentence(table, event, viewer, words)
        if told := made[key]:
            told.number = event.number
            yield told
        if event.number in table.tallied and table.match and not table.hides_from(viewer):
            tally = table.match.tallies[table.tallied[event.number]]
            yield News(None, reason(names_of(table, words), tally, words), tally.rule, "round", number=event.number)


def is_unheard(table: Table, event: Event, viewer: int) -> bool:
    """Whether an event is not for that viewer's ears; what was said between four eyes stays there for good. Of an
    earlier match only its end is told.
    """
    if event.kind == "said":
        return viewer == SPECTATOR and not table.customs.watch
    if event.number < table.begun:
        return event.kind != "over"
    return event.kind == "move" and table.hides_from(viewer)


def sentence(table: Table, event: Event, viewer: int, words: Words) -> News | None:
    """One event as a sentence, None for those that are nobody's news."""
    seat: Any = event.data.get("seat")
    seats = table.seats_at(event)
    seated = words("table.somebody") if seat is None else name_of(seats[seat], seat, words)
    name = event.data.get("name") or seated
    match event.kind:
        case "sat":
            before = table.renamed.get(event.number)
            key, old = "sat" if before is None else "renamed", before or words("table.somebody")
            return News(seat, words(f"table.told.{key}", name=name or words("table.somebody"), old=old, seat=seat + 1))
        case "stood" | "bot":
            kind = "bot" if event.data.get("level") else "stood"
            return News(seat, words(f"table.told.{kind}", seat=seat + 1))
        case "started" | "shuffle" | "resumed":
            return News(None, house_told(event, words))
        case "back" | "again" | "undo_asked" | "undone":
            key = event.kind if event.data.get("wish", True) else "again_no"
            return News(seat, words(f"table.told.{key}", name=name, n=event.data.get("lines")))
        case "kept":
            return News(seat, words(f"table.told.kept_{event.data['why']}", name=name))
        case "consented":
            return News(seat, words("table.told.agreed" if event.data["agree"] else "table.told.refused", name=name))
        case "said" if event.data.get("text") != "":  # else whoever said it wanted to be forgotten
            text = event.data.get("text") or words(f"chat.{event.data['preset']}")
            heard = words("table.told.said", name=name, text=text)
            return News(seat, heard, None, "said", text, who=table.who.get(event.person, 0))
        case "move":
            return move_news(table, event, viewer, words)
        case "over":
            winners = [ended_by(seats[i], i, words) for i in event.data["winners"]]
            return News(None, words("table.told.over", n=len(winners), names=words.listed(winners)), None, "over")
    return None


def house_told(event: Event, words: Words) -> str:
    """What the house did, in words of the game's if it has any; one shuffle of several is known by a card in it."""
    own = [f"told.{event.kind}_{card}" for card in event.data.get("shuffle", [])]
    keys = [*own, f"told.{event.kind}", f"table.told.{event.kind}"]
    return words(next(key for key in keys if key in words))


def move_news(table: Table, event: Event, viewer: int, words: Words) -> News:
    """A move as that viewer heard it, and what it led to; who moved is named with the bot that keeps the seat."""
    seat, names = event.data["seat"], names_of(table, words)
    heard, outcomes = heard_of(table, event, viewer), table.outcomes.get(event.number, [])
    told = move_heard(table, event, viewer, words)
    led = " ".join(outcome_told(names, outcome, words) for outcome in outcomes)
    rule = outcomes[0].rule if outcomes else None
    aloud, follows = is_aloud(heard, words), not event.person
    return News(seat, f"{told} {led}".strip(), rule, "move", aloud=aloud, led=led, follows=follows)


def move_heard(table: Table, event: Event, viewer: int, words: Words) -> str:
    """The sentence of a move alone, as that viewer heard it."""
    names, heard = names_of(table, words), heard_of(table, event, viewer)
    name = names[event.data["seat"]]
    mover = words("table.kept_name", name=name) if event.data.get("by") else name
    return move_told(table.game, names, heard, mover, words, table.told.get(event.number, {}))


def heard_of(table: Table, event: Event, viewer: int) -> str:
    """The text of a move as that viewer heard it: who heard the same is told the same."""
    return table.game.view.heard(table.game.notation.move_of(event.data["move"]), event.data["seat"], viewer)


def key_of(heard: str) -> str:
    """The name of the sentence for a move: `told.<verb>_<how many words follow it>` of the game's catalogue."""
    verb, *rest = heard.split()
    return f"told.{verb}_{len(rest)}" if rest else f"told.{verb}"


def move_told(game: Game, names: Sequence[str], heard: str, name: str, words: Words, more: Mapping[str, Said]) -> str:
    """A move as its viewer heard it.

    The words that follow are its values a, b and c; one that is a seat's number is seat_a, seat_b or seat_c by name.
    What everybody saw besides are `more` values (`View.told`).
    """
    verb, *rest = heard.split()
    parts = [part_words(game, part, words) for part in rest]
    if (key := key_of(heard)) in words:
        seats = {f"seat_{letter}": seat_name(names, part) for letter, part in zip("abc", rest, strict=False)}
        seen = {value: say(words) for value, say in more.items()}
        return words(key, name=name, **dict(zip("abc", parts, strict=False)), **seats, **seen)
    return words("table.told.move", name=name, move=" ".join([verb, *parts]))


def is_aloud(heard: str, words: Words) -> bool:
    """Whether something is called out with a move: a word of it stands under `said` in the game's catalogue."""
    return any(f"said.{part}" in words for part in heard.split())


def seat_name(names: Sequence[str], part: str) -> str:
    """The name of the seat whose number a part of a move's text may be: the sentence knows whether it is one."""
    return names[int(part)] if part.isdecimal() and int(part) < len(names) else part


def refusal_words(table: Table, refusal: Refusal, viewer: int, words: Words) -> str:
    """What a refusal says; where somebody else was faster, also what was said. Seats have names here, and no numbers:
    people count them from 1, their messages from 0.
    """
    if isinstance(refusal, Faster) and (told := sentence(table, refusal.event, viewer, words)):
        return words("table.faster", told=told.words)
    if refusal.key == "wrong_seat":
        names = names_of(table, words)
        return words("table.not_asked", names=words.listed([names[seat] for seat in table.asked()]) or "–")
    return words.refusal(refusal)


def part_words(game: Game, part: str, words: Words) -> str:
    """A part of a move's text in words: a card, a colour, something said, or as it stands."""
    if part == "?":
        return words("card.hidden")
    try:
        return game.view.card_words(game.notation.card_of(part), words)
    except Unreadable:
        return next((words(key) for key in (f"colour.{part}", f"said.{part}") if key in words), part)
