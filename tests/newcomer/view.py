"""What each seat of Newcomer may know, and how it is shown."""

from __future__ import annotations

from brelan.cards import HIDDEN, popcount
from brelan.scene import Choice, Outcome, Scene, Tally, Zone, keyed, members
from brelan.words import Words

from . import notation
from .rules import ALL_CARDS, OVER, SHUFFLE, State, asked, hand_size, legal, wins


def redact(s: State, seat: int) -> State:
    """The state as `seat` may know it: all but the hands of the others and what was not dealt."""
    v = s.copy()
    for other in range(6):
        if other != seat and s.phase != OVER:
            v.hand[other] = 0
    if s.phase != OVER:
        v.out = 0
    return v


def heard(move: int, seat: int, viewer: int) -> str:
    """Nothing is done in secret."""
    return notation.move_text(move)


def zones(s: State) -> dict[str, list[int]]:
    """Every zone's cards, HIDDEN where a redacted state does not know them."""
    if s.phase == SHUFFLE:
        return {"stock": list(members(ALL_CARDS))} | {f"hand:{seat}": [] for seat in range(s.players)}
    held = sum(hand_size(s, seat) for seat in range(s.players))
    found = {"gone": list(members(s.gone)), "stock": known(s.out, 20 - held - popcount(s.gone))}
    return found | {f"hand:{seat}": known(s.hand[seat], hand_size(s, seat)) for seat in range(s.players)}


def known(cards: int, count: int) -> list[int]:
    """The known cards of a zone, and HIDDEN for each of the others."""
    found = list(members(cards))
    return found + [HIDDEN] * (count - len(found))


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    return "N2" if asked(s) >> seat & 1 else "N3"


def tally(s: State) -> Tally:
    """How the round ended."""
    return Tally(s.points[: s.players], "round", {"seats": list(members(wins(s)))}, "N4")


def outcomes(was: State, now: State) -> list[Outcome]:
    """A move says itself all that it leads to."""
    return []


def card_words(card: int, words: Words) -> str:
    """The words for a card."""
    return words("card.hidden") if card == HIDDEN else words("card.name", value=card + 1)


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    out = [0] * 20
    turn = list(members(asked(s)))
    moves = out[: legal(s, seat, out)] if seat in turn else []
    return Scene(
        game="newcomer",
        seat=seat,
        turn=turn,
        prompt=words("prompt.over" if s.phase == OVER else "prompt.play" if seat in turn else "prompt.wait"),
        zones=[zone(s, name, cards, words) for name, cards in zones(s).items()],
        choices=[Choice(notation.move_text(m), words("move.play", card=m + 1), [notation.card_text(m)]) for m in moves],
        notes=[],
        scores=s.points[: s.players],
        leaders=list(members(wins(s))),
        over=s.phase == OVER,
        rule="N4" if s.phase == OVER else "N2",
    )


def zone(s: State, name: str, cards: list[int], words: Words) -> Zone:
    """One zone; a hand belongs to its seat."""
    kind, _, owner = name.partition(":")
    shown = keyed(name, cards, notation.card_text, lambda card: card_words(card, words))
    return Zone(
        name, "fan" if owner else "pile", int(owner) if owner else None, words(f"zone.{kind}"), len(cards), shown
    )
