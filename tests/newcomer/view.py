"""What each seat of Newcomer may know, and how it is shown."""

from __future__ import annotations

from brelan.cards import HIDDEN, popcount
from brelan.game import legal_moves
from brelan.scene import Choice, Outcome, Scene, Tally, Zone, keyed, members
from brelan.words import Said, Words

from . import notation, rules
from .rules import DECK, OVER, PLAYING, ROUNDS, SHUFFLE, TRICKS, State, asked, hand_size, wins

IN_FORCE = {SHUFFLE: "N1", PLAYING: "N2", OVER: "N6"}

UNSEEN = ("stock", "gone")
"""Zones of cards out of play: a phone with six hands has no room for them, and nobody needs them."""


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
    held = sum(hand_size(s, seat) for seat in range(s.players))
    trick = [s.played[(s.turn - i) % s.players] for i in range(s.laid, 0, -1)]
    gone = [card for card in members(s.gone) if card not in trick]
    stock = known(s.out, DECK - held - popcount(s.gone))
    hands = {f"hand:{seat}": known(s.hand[seat], hand_size(s, seat)) for seat in range(s.players)}
    return {"stock": stock, "trick": trick, "gone": gone} | hands


def known(cards: int, count: int) -> list[int]:
    """The known cards of a zone, and HIDDEN for each of the others."""
    found = list(members(cards))
    return found + [HIDDEN] * (count - len(found))


def sound(s: State) -> bool:
    """Whether the round goes on, the cards of the trick are among those that are gone, and no hand holds too many."""
    trick = [s.played[(s.turn - i) % s.players] for i in range(1, s.laid + 1)]
    return (
        s.finished < ROUNDS
        and s.tricks < TRICKS
        and s.laid < s.players
        and all(card >= 0 and s.gone >> card & 1 for card in trick)
        and all(popcount(s.hand[seat]) <= hand_size(s, seat) for seat in range(s.players))
    )


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    return "N2" if asked(s) >> seat & 1 else "N3"


def tally(s: State) -> Tally:
    """How the round ended."""
    best = [seat for seat in range(s.players) if s.gain[seat] == max(s.gain)]
    return Tally(s.gain[: s.players], "round", {"seats": best, "points": max(s.gain)}, "N4")


def told(was: State, move: int) -> dict[str, Said]:
    """A move's own words say all."""
    return {}


def outcomes(was: State, now: State) -> list[Outcome]:
    """Who won the trick that the move ended."""
    return [Outcome("trick", "N3", now.turn)] if was.laid + 1 == was.players else []


def card_words(card: int, words: Words) -> str:
    """The words for a card."""
    return words("card.hidden") if card == HIDDEN else words("card.name", value=card + 1)


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    turn = list(members(asked(s)))
    moves = legal_moves(rules, s, seat) if seat in turn else []
    return Scene(
        game="newcomer",
        seat=seat,
        turn=turn,
        prompt=words(f"prompt.{prompt(s, seat)}"),
        zones=[zone(s, name, cards, words) for name, cards in zones(s).items() if name not in UNSEEN],
        choices=[Choice(notation.move_text(m), words("move.play", card=m + 1), [notation.card_text(m)]) for m in moves],
        notes=[],
        scores=s.points[: s.players],
        leaders=list(members(wins(s))),
        over=s.phase == OVER,
        rule=IN_FORCE[s.phase],
    )


def prompt(s: State, seat: int) -> str:
    """The name of what is asked of a viewer, or what the table waits for."""
    if s.phase == PLAYING:
        return "play" if seat in members(asked(s)) else "wait"
    return "over" if s.phase == OVER else "shuffle"


def zone(s: State, name: str, cards: list[int], words: Words) -> Zone:
    """One zone; a hand belongs to its seat."""
    kind, _, owner = name.partition(":")
    seat = int(owner) if owner else None
    shown = keyed(name, cards, notation.card_text, lambda card: card_words(card, words))
    return Zone(name, "fan" if owner else "row", seat, words(f"zone.{kind}"), len(cards), shown)
