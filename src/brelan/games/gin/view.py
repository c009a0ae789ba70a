"""What each seat of gin may know, and how it is shown."""

from __future__ import annotations

from functools import cache, partial

from brelan.cards import HIDDEN, SPECTATOR, popcount
from brelan.game import legal_moves
from brelan.games.gin import notation, rules
from brelan.games.gin.layout import Layout, best, defender, knocker
from brelan.games.gin.melds import ALL_CARDS, deadwood, least_answer
from brelan.games.gin.rules import (
    DRAW,
    DRAWING,
    GIN,
    GIN_ON,
    KNOCK,
    KNOCKED,
    LAST_OFFER,
    MUST_DRAW,
    OFFER,
    OVER,
    PASS,
    SHUFFLE,
    TAKE,
    THROWING,
    UNDERCUT,
    VOID,
    State,
    asked,
    leaders,
)
from brelan.scene import LAID_OFF, Card, Choice, Note, Outcome, Scene, Tally, Zone, keyed, leading, members
from brelan.words import Said, Words

ENDINGS = (
    ("", ""),  # none has ended yet
    ("void", "G13"),
    ("knocked", "G10"),
    ("undercut", "G9"),
    ("ginned", "G8"),
    ("big_ginned", "O-G2"),
)
"""How a hand ended, in the order of the rules' numbers: the sentence's name, and the rule that says what it scores."""

# ---------------------------------------------------------------- what a seat may know


def redact(s: State, seat: int) -> State:
    """The state as `seat` may know it: own hand, cards that were seen, the discards; all at the end."""
    v = s.copy()
    if s.phase == OVER:
        return v
    for other in range(2):
        if other != seat:
            v.hand[other] = v.known[other]
    v.stock = [HIDDEN] * 52
    for place in range(v.thrown, 52):
        v.discards[place] = 0  # what was taken up again, or lay there in an earlier hand
    if s.phase == SHUFFLE and s.ended >= KNOCKED and s.ender != seat and popcount(s.hand[s.ender]) == 10:
        v.discards[v.thrown - 1] = HIDDEN  # who ended the hand threw it face down
    return v


def heard(move: int, seat: int, viewer: int) -> str:
    """What `viewer` hears of a move of `seat`: a card thrown face down is not named (`knock ?`)."""
    verb, _, card = notation.move_text(move).partition(" ")
    face_down = card and verb != "discard" and viewer != seat
    return f"{verb} {notation.card_text(HIDDEN)}" if face_down else notation.move_text(move)


def zones(s: State) -> dict[str, list[int]]:
    """Every zone's cards (records.md), HIDDEN where a redacted state does not know them."""
    return undealt() if s.phase == SHUFFLE else table(s)


def undealt() -> dict[str, list[int]]:
    """All cards are due for a shuffle."""
    return {"stock": list(members(ALL_CARDS)), "discards": [], "hand:0": [], "hand:1": []}


def table(s: State) -> dict[str, list[int]]:
    """The cards as they lie, also between two hands, when the rules already count them to the stock."""
    if s.phase == SHUFFLE and not s.finished:
        return undealt()
    found = {"stock": s.stock[s.next :], "discards": s.discards[: s.thrown]}
    for seat in range(2):
        hand = list(members(s.hand[seat]))
        found[f"hand:{seat}"] = hand + [HIDDEN] * (hand_size(s, seat) - len(hand))
    return found


def hand_size(s: State, seat: int) -> int:
    """How many cards a seat holds while a hand is played."""
    return 11 if s.phase == THROWING and s.turn == seat else 10


def sound(s: State) -> bool:
    """Whether what may be drawn or taken is there, and no hand holds more cards than it may."""
    there = s.phase == THROWING or (s.thrown > 0 and s.next < 52)
    return there and all(popcount(s.hand[seat]) <= hand_size(s, seat) for seat in range(2))


# ---------------------------------------------------------------- why not


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    if s.phase in (SHUFFLE, OVER):
        return "G16" if s.phase == OVER else "G14"
    if s.phase in (OFFER, LAST_OFFER, MUST_DRAW):
        return "O-G4"
    if s.phase == THROWING and seat == s.turn:
        return why_not_throw(s, seat, move)
    return "G4" if move == PASS else "O-G1"


def why_not_throw(s: State, seat: int, move: int) -> str:
    """The same when a card must be thrown."""
    if move in (DRAW, TAKE, PASS):
        return "O-G1"
    if move == GIN:
        return "O-G2" if s.gin_on_ten else "G7"
    card = move - GIN_ON if move >= GIN_ON else move % KNOCK
    if not s.hand[seat] >> card & 1:
        return "G1"
    if card == s.taken:
        return "G5"
    if move >= GIN_ON:
        return "O-G3" if s.gin_on_ten else "G7"
    return "O-G3" if s.gin_on_ten and deadwood(s, s.hand[seat] ^ 1 << card) == 0 else "G6"


# ---------------------------------------------------------------- the scene


def tally(s: State) -> Tally:
    """How the last hand ended."""
    reason, rule = ENDINGS[s.ended]
    if s.ended == VOID and len(s.stock) - s.next > s.stock_end:
        reason, rule = "turns", "O-G6"
    values = {"ender": s.ender, "other": 1 - s.ender, "points": max(s.gain)}
    if s.ended in (KNOCKED, UNDERCUT):
        mine, theirs = s.hand[s.ender], s.hand[1 - s.ender]
        values |= {"left": deadwood(s, mine), "answer": least_answer(s, mine, theirs)}
    return Tally(s.gain[:], reason, values, rule)


def told(was: State, move: int) -> dict[str, Said]:
    """The card that was taken from the discards."""
    return {"card": partial(card_words, was.discards[was.thrown - 1])} if move == TAKE else {}


def outcomes(was: State, now: State) -> list[Outcome]:
    """A move of gin says itself all that it leads to, or ends the hand."""
    return []


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    where = table(s)
    choices = choices_of(s, seat, words) if seat != SPECTATOR and asked(s) >> seat & 1 else []
    return Scene(
        game="gin",
        seat=seat,
        turn=list(members(asked(s))),
        prompt=prompt(s, seat, choices, words),
        zones=[pile("stock", where["stock"], words), pile("discards", where["discards"], words)]
        + [fan(s, owner, where[f"hand:{owner}"], seat, choices, words) for owner in range(2)],
        choices=choices,
        notes=notes(s, words),
        scores=s.total[:],
        leaders=leading(leaders(s), s.players, s.phase == OVER),
        over=s.phase == OVER,
        rule=IN_FORCE[s.phase],
    )


IN_FORCE = {
    SHUFFLE: "G14",
    OFFER: "O-G4",
    LAST_OFFER: "O-G4",
    MUST_DRAW: "O-G4",
    DRAWING: "O-G1",
    THROWING: "O-G1",
    OVER: "G16",
}
"""The paragraph that says what may be done in each phase."""


def prompt(s: State, seat: int, choices: list[Choice], words: Words) -> str:
    """What is asked of the viewer, or what the table waits for."""
    if s.phase == OVER:
        return words("prompt.over")
    if s.phase == SHUFFLE:
        return words("prompt.shuffle")
    if seat != s.turn:
        return words("prompt.wait")
    step = {OFFER: "offer", LAST_OFFER: "offer", MUST_DRAW: "must_draw", DRAWING: "draw", THROWING: "throw"}[s.phase]
    if s.phase == THROWING and any(choice.confirm and not choice.why for choice in choices):
        step = "throw_or_end"
    return words(f"prompt.{step}")


@cache
def card_words(card: int, words: Words) -> str:
    """The words for a card: seven of hearts."""
    if card == HIDDEN:
        return words("card.hidden")
    text = notation.CARDS[card]
    return words("card.name", rank=words(f"rank.{text[0]}"), suit=words(f"suit.{text[1]}"))


def cards_of(zone: str, cards: list[int], words: Words) -> list[Card]:
    return keyed(zone, cards, notation.card_text, lambda card: card_words(card, words))


def pile(name: str, cards: list[int], words: Words) -> Zone:
    """A pile shows its top only; the stock lies face down."""
    top = [HIDDEN] * min(1, len(cards)) if name == "stock" else cards[-1:]
    return Zone(name, "pile", None, words(f"zone.{name}"), len(cards), cards_of(name, top, words))


def fan(s: State, owner: int, cards: list[int], seat: int, choices: list[Choice], words: Words) -> Zone:
    """A hand; where its cards are known, its melds stand together, then what is laid off, then the rest."""
    laid = layout_of(s, owner) if HIDDEN not in cards else Layout([], 0)
    groups = {card: number for number, meld in enumerate(laid.melds, 1) for card in meld}
    groups |= dict.fromkeys(members(laid.off), LAID_OFF)
    shown = cards_of(f"hand:{owner}", [*groups, *(card for card in cards if card not in groups)], words)
    for card, number in zip(shown, groups.values(), strict=False):
        card.group, card.state = number, "marked"
    for card in shown if owner == seat and choices else []:
        mark(s, seat, card, choices, words)
    return Zone(f"hand:{owner}", "fan", owner, words("zone.hand"), len(cards), shown)


def layout_of(s: State, owner: int) -> Layout:
    """How a known hand is laid out: after a knock, each with regard to the other."""
    if asked(s) or s.ended not in (KNOCKED, UNDERCUT):
        return best(s, s.hand[owner])
    return (knocker if owner == s.ender else defender)(s, s.hand[s.ender], s.hand[1 - s.ender])


def mark(s: State, seat: int, card: Card, choices: list[Choice], words: Words) -> None:
    """Bright if a move takes it, else dim with the reason."""
    if any(card.key in choice.cards and not choice.why for choice in choices):
        card.state = "bright"
    elif s.phase == THROWING and card.face:
        card.state, card.rule = "dim", why_not(s, seat, notation.card_of(card.face))
        card.why = words(f"why.{card.rule}")


def choices_of(s: State, seat: int, words: Words) -> list[Choice]:
    """The legal moves; the best way to end the hand also as a button, or the knock as shut while there is none. Gin
    with all cards comes before it: it is worth more.
    """
    found = [choice(s, move, words) for move in legal_moves(rules, s, seat)]
    endings = [c for c in found if c.cards and c.move.startswith(("knock", "gin"))]
    if endings:
        left = {c.cards[0]: deadwood(s, s.hand[seat] ^ 1 << notation.card_of(c.cards[0])) for c in endings}
        best = min(endings, key=lambda c: left[c.cards[0]])
        found.insert(found[0].move == "gin", Choice(best.move, best.words, confirm=True))
    elif s.phase == THROWING and not any(c.move == "gin" for c in found):
        values = {"points": least_left(s, seat), "limit": s.knock_limit}
        why = words("shut.knock", **values)
        found.append(Choice("knock", words("move.knock_shut", **values), why=why, rule="G6"))
    return found


def choice(s: State, move: int, words: Words) -> Choice:
    """A move as the table offers it: a card to pick, a pile to tap, a button."""
    text = notation.move_text(move)
    verb, _, card = text.partition(" ")
    if card:
        name = card_words(notation.card_of(card), words)
        target = "discards" if verb == "discard" else None
        said, brief = words(f"move.{verb}", card=name), words(f"move.brief_{verb}")
        return Choice(text, said, [card], target, confirm=verb != "discard", brief=brief)
    if move == GIN:
        return Choice(text, words("move.big_gin"), confirm=True)
    up = card_words(s.discards[s.thrown - 1], words)
    target = {DRAW: "stock", TAKE: "discards"}.get(move)
    return Choice(text, words(f"move.{verb}", card=up), target=target)


def notes(s: State, words: Words) -> list[Note]:
    """The deadwood of every hand that the viewer sees whole."""
    where = table(s)
    return [note(s, owner, words) for owner in range(2) if s.hand[owner] and HIDDEN not in where[f"hand:{owner}"]]


def note(s: State, owner: int, words: Words) -> Note:
    """The deadwood of one hand: of eleven cards what the best throw leaves, and after a knock what lay-offs leave."""
    hand, zone = s.hand[owner], f"hand:{owner}"
    if s.phase == THROWING and owner == s.turn:
        return Note(words("note.throwing", n=least_left(s, owner)), "G12", owner, zone)
    if not asked(s) and s.ended in (KNOCKED, UNDERCUT) and owner != s.ender:
        left = least_answer(s, s.hand[s.ender], hand)
        off = ", ".join(card_words(card, words) for card in members(layout_of(s, owner).off))
        return Note(words("note.layoffs" if off else "note.deadwood", n=left, cards=off), "G10", owner, zone)
    return Note(words("note.deadwood", n=deadwood(s, hand)), "G12", owner, zone)


def least_left(s: State, seat: int) -> int:
    """The deadwood that the best throw of a seat leaves."""
    return min(deadwood(s, s.hand[seat] ^ 1 << card) for card in members(s.hand[seat]) if card != s.taken)
