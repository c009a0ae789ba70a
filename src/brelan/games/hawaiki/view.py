"""How Hawaiki is shown; what each seat may know of it is in `knowledge`, why a move is refused in `refusals`."""

from __future__ import annotations

from functools import cache

from brelan.cards import HIDDEN, SPECTATOR
from brelan.game import legal_moves
from brelan.games.hawaiki import notation, rules
from brelan.games.hawaiki.knowledge import redact, sound, table, zones
from brelan.games.hawaiki.moves import asked
from brelan.games.hawaiki.refusals import why_not
from brelan.games.hawaiki.rules import leaders
from brelan.games.hawaiki.state import (
    ACTING,
    AGAIN,
    ANSWERING,
    CONTRE,
    DRAW,
    HIDE,
    HIDING,
    NAME,
    NAMING,
    OVER,
    REBUILD,
    REHIDING,
    RETRYING,
    SACRIFICE,
    SHOW,
    SHUFFLE,
    WINDOW,
    State,
)
from brelan.scene import Card, Choice, Note, Outcome, Scene, Tally, Zone, distinct, keyed, leading, members
from brelan.words import Said, Words

__all__ = ["card_words", "heard", "outcomes", "redact", "scene", "sound", "tally", "told", "why_not", "zones"]


def heard(move: int, seat: int, viewer: int) -> str:
    """What `viewer` hears of a move of `seat`: a card is hidden without being named."""
    return "hide" if HIDE <= move < SHOW and viewer != seat else notation.move_text(move)


def tally(s: State) -> Tally:
    """What everybody paid at the end of the last round, and why it ended."""
    points = [-paid for paid in s.paid[: s.players]]
    if s.ender < 0:
        return Tally(points, "deadlock", rule="H17")
    if s.count[s.ender]:
        return Tally(points, "countered", {"ender": s.ender}, "H19")
    return Tally(points, "out", {"ender": s.ender}, "H18")


def told(was: State, move: int) -> dict[str, Said]:
    """A move's own words say all."""
    return {}


def outcomes(was: State, now: State) -> list[Outcome]:
    """Who had to draw, and how many cards: after contre, or for what was answered; a draw that found none."""
    drawn = [now.count[seat] - was.count[seat] + still_drawn(now, seat) for seat in range(was.players)]
    if was.phase == ACTING:
        if any(drawn) or was.height != now.height:
            return []
        return [Outcome("nothing" if now.phase == RETRYING else "passed", "O-H7")]
    if was.phase not in (WINDOW, ANSWERING):
        return []
    rule = "H8" if was.phase == WINDOW else "H14"
    return [Outcome("draws", rule, seat, {"n": n}) for seat, n in enumerate(drawn) if n > 0]


def still_drawn(s: State, seat: int) -> int:
    """How many cards a seat draws once the stock is made anew (O-H6)."""
    return min(s.drawing, beneath(s)) if s.phase == REBUILD and s.drawer == seat else 0


def beneath(s: State) -> int:
    """How many cards lie under the three tops."""
    return sum(s.height) - len(s.height)


def finds_none(s: State) -> bool:
    """Whether whoever draws now draws nothing, which is how one passes (H16, O-H7)."""
    return s.next == s.last and not beneath(s)


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    mine = seat != SPECTATOR and bool(asked(s) >> seat & 1)
    zones = zones_of(s, seat, words)
    choices = choices_of(s, seat, zones, words) if mine else []
    if mine and s.phase == ACTING:
        mark(zones, seat, choices, words)
    return Scene(
        game="hawaiki",
        seat=seat,
        turn=list(members(asked(s))),
        prompt=prompt(s, seat, words) if mine else words(f"prompt.{waiting(s)}"),
        zones=zones,
        choices=choices,
        notes=notes(s, seat, words),
        scores=s.purse[: s.players],
        leaders=leading(leaders(s), s.players, s.phase == OVER),
        over=s.phase == OVER,
        rule=IN_FORCE[s.phase],
    )


def waiting(s: State) -> str:
    """What the table waits for, to who is not asked."""
    return {SHUFFLE: "shuffle", REBUILD: "rebuild", OVER: "over"}.get(s.phase, "wait")


IN_FORCE = {
    SHUFFLE: "O-A5",
    REBUILD: "H16",
    HIDING: "O-H8",
    REHIDING: "O-H10",
    ACTING: "H23",
    NAMING: "O-H1",
    ANSWERING: "H14",
    WINDOW: "H8",
    RETRYING: "O-H12",
    OVER: "H22",
}
"""The paragraph that says what may be done in each phase."""


def prompt(s: State, seat: int, words: Words) -> str:
    """What is asked of the viewer."""
    if s.phase == NAMING:
        return words("prompt.name", n=s.naming)
    if s.phase == ANSWERING:
        return words("prompt.answer", n=s.owing[seat])
    if s.phase == WINDOW:
        return words("prompt.late" if seat == s.actor else "prompt.window")
    if s.phase == ACTING:
        return words(f"prompt.{asked_to_act(s, seat)}")
    return words({HIDING: "prompt.hide", REHIDING: "prompt.rehide", RETRYING: "prompt.retry"}[s.phase])


def asked_to_act(s: State, seat: int) -> str:
    """Which sentence says what can be done in a turn."""
    moves = legal_moves(rules, s, seat)
    if min(moves) < DRAW:
        return "act"
    if len(moves) > 1:
        return "sacrifice"
    return "pass" if finds_none(s) else "draw"


# ---------------------------------------------------------------- zones


def zones_of(s: State, seat: int, words: Words) -> list[Zone]:
    """Stock, piles and hands; hands are named first, so that the copy that is laid keeps its key on the pile."""
    where = table(s)
    top = [HIDDEN] * min(len(where["stock"]), 1)
    piles = [Zone("stock", "pile", None, words("zone.stock"), len(where["stock"]), cards_of("stock", top, words))]
    for n in (1, 2, 3):
        cards = where[f"pile:{n}"]
        shown = cards_of(f"pile:{n}", cards[-1:], words)
        piles.append(Zone(f"pile:{n}", "pile", None, words("zone.pile", number=n), len(cards), shown))
    hands = [fan(s, owner, where[f"hand:{owner}"], seat, words) for owner in range(s.players)]
    distinct(hands + piles)
    return piles + hands


def fan(s: State, owner: int, cards: list[int], seat: int, words: Words) -> Zone:
    """A hand. A card that was hidden where all could see it lies face down as well: remembering it is up to people."""
    if owner != seat and s.phase != OVER and s.hidden[owner] in cards and s.hidden[owner] != HIDDEN:
        cards.remove(s.hidden[owner])
        cards.append(HIDDEN)
    zone = f"hand:{owner}"
    return Zone(zone, "fan", owner, words("zone.hand"), len(cards), cards_of(zone, cards, words))


def cards_of(zone: str, cards: list[int], words: Words) -> list[Card]:
    return keyed(zone, cards, notation.card_text, lambda card: card_words(card, words))


@cache
def card_words(card: int, words: Words) -> str:
    """The words for a card: purple 3."""
    if card == HIDDEN:
        return words("card.hidden")
    return words("card.name", colour=words(f"colour.{notation.COLOURS[card // 7]}"), value=card % 7 + 1)


def mark(zones: list[Zone], seat: int, choices: list[Choice], words: Words) -> None:
    """The cards of `seat`, whose turn it is: bright if one may be laid, else dim with the reason."""
    bright = {key for choice in choices for key in choice.cards}
    for card in (card for zone in zones if zone.owner == seat for card in zone.cards):
        if card.key in bright:
            card.state = "bright"
        else:
            card.state, card.rule, card.why = "dim", "H23", words("why.H23")


# ---------------------------------------------------------------- choices


def choices_of(s: State, seat: int, zones: list[Zone], words: Words) -> list[Choice]:
    """The legal moves, and with each lay all that could be said; each copy of a card may be picked for its moves."""
    legal = legal_moves(rules, s, seat)
    hand = [card for zone in zones if zone.id == f"hand:{seat}" for card in zone.cards]
    found = []
    for move in dict.fromkeys(said for lay in legal for said in sayings(lay)):
        if move < DRAW or HIDE <= move < SHOW:
            face = notation.card_text(move // 15 if move < DRAW else move - HIDE)
            is_true = move in legal
            found += [pick(move, card.key, card.alt, is_true, words) for card in hand if card.face == face]
        else:
            found.append(button(move, finds_none(s), words))
    return found


def sayings(move: int) -> range:
    """A lay with nothing and with everything that can be announced; any other move alone."""
    return range(move - move % 5, move - move % 5 + 5) if move < DRAW else range(move, move + 1)


@cache
def pick(move: int, key: str, name: str, is_true: bool, words: Words) -> Choice:
    """A card to lay or to hide. Where a lay could be announced, tapping the pile leaves the choice of what is said; if
    it is announced as what it does not make, to see that is its player's part.
    """
    text = notation.move_text(move)
    if move >= HIDE:
        return Choice(text, words("move.hide", card=name), [key])
    pile, said = move // 5 % 3 + 1, notation.COMBINATIONS[move % 5]
    verb = f"play_{said}" if said else "play"
    brief = words("move.brief_said", pile=pile, said=words(f"said.{said}")) if said else words("zone.pile", number=pile)
    found = Choice(text, words(f"move.{verb}", card=name, pile=pile), [key], f"pile:{pile}", brief=brief)
    if not is_true:
        found.why, found.rule, found.blind = words("why.H10"), "H10", True
    return found


def button(move: int, passes: bool, words: Words) -> Choice:
    """Everything else: a button, or a place to tap. What costs a token is asked once more on small screens."""
    text = notation.move_text(move)
    if move == DRAW:
        return Choice(text, words("move.pass" if passes else "move.draw"), target="stock")
    if NAME <= move < CONTRE:
        player = move - NAME
        return Choice(text, words("move.name", player=player + 1), target=f"hand:{player}", brief=words("move.named"))
    if SACRIFICE <= move < AGAIN:
        pile = move - SACRIFICE + 1
        return Choice(text, words("move.sacrifice", pile=pile), target=f"pile:{pile}", confirm=True)
    return Choice(text, words(f"move.{text.replace(' ', '_')}"), confirm=move == AGAIN)


# ---------------------------------------------------------------- notes


def notes(s: State, seat: int, words: Words) -> list[Note]:
    """Thanks that are due, one's own hidden card, an empty stock."""
    owing = [other for other in range(s.players) if s.owing[other] and asked(s)]
    found = [Note(words("note.owing", n=s.owing[other]), "O-H2", other, f"hand:{other}") for other in owing]
    if seat != SPECTATOR and s.hidden[seat] >= 0:
        found.append(Note(words("note.hidden", card=card_words(s.hidden[seat], words)), "H25", seat, f"hand:{seat}"))
    if asked(s) and s.next == s.last:
        found.append(Note(words("note.no_stock"), "H16", zone="stock"))
    return found
