"""A scene as a piece of a page, for a notebook: its own look, nothing to load, nothing that runs."""

from __future__ import annotations

from html import escape

from brelan.ink import read
from brelan.scene import Card, Scene, Zone, laid
from brelan.words import Words

COLOURS = {
    "R": "#b3261e", "Y": "#f2c230", "G": "#2e7d32", "B": "#1f5fa8", "P": "#7b3fa0", "O": "#e07b1a",
    "S": "#8a8f98", "J": "#2aa198", "s": "#1a1a1a", "c": "#1a1a1a", "h": "#b3261e", "d": "#b3261e",
}  # fmt: skip
"""The edge of a card, by the letter of its colour or suit; the card's text says the same."""

TABLE = "font:14px/1.5 system-ui,sans-serif;max-width:60em;padding:.6em 1em;border:1px solid #8886;border-radius:.5em"
CARD = (
    "display:inline-block;min-width:1.6em;padding:.1em .3em;margin:.1em;text-align:center;border-radius:.25em;"
    "border:1px solid #8888;border-left:.3em solid {edge}"
)
BACK = "display:inline-block;padding:.1em .5em;margin:.1em;border-radius:.25em;border:1px dashed #888"


def page(scene: Scene, title: str, words: Words) -> str:
    """The table: zones from the far side to the viewer's own, notes, scores, what is asked, and the moves."""
    parts = [f"<b>{escape(title)}</b>"]
    parts += [f"<div>{labelled(words, caption(zone, words), cards_of(zone))}</div>" for zone in laid(scene)]
    parts += [f"<div><i>{escape(whose(note.seat, words) + note.words)}</i></div>" for note in scene.notes]
    scores = " · ".join(map(str, scene.scores))
    parts.append(f"<div>{labelled(words, escape(words('terminal.score')), scores)}</div>")
    parts.append(f"<div><b>{escape(scene.prompt)}</b></div>")
    moves = list(dict.fromkeys(choice.move for choice in scene.choices if not choice.why))
    parts += [f"<div>{' '.join(f'<code>{escape(move)}</code>' for move in moves)}</div>"] if moves else []
    return f'<div style="{TABLE}">{"".join(parts)}</div>'


def labelled(words: Words, label: str, text: str) -> str:
    """What something is called, and what it is, with the colon of the language."""
    return words("terminal.labelled", label=label, text=text)


def caption(zone: Zone, words: Words) -> str:
    """What a zone is called, and whose it is."""
    return escape(whose(zone.owner, words) + zone.caption)


def whose(seat: int | None, words: Words) -> str:
    """A seat's name before what is its own."""
    return "" if seat is None else f"{words('client.seat', n=seat)}, "


def cards_of(zone: Zone) -> str:
    """The known cards of a zone, a gap between its groups, and how many lie face down."""
    known = [card for card in zone.cards if card.face is not None]
    gaps = [place and card.group != known[place - 1].group for place, card in enumerate(known)]
    shown = "".join(("&ensp;" if gap else "") + card_of(card) for card, gap in zip(known, gaps, strict=True))
    hidden = zone.count - len(known)
    return shown + (f'<span style="{BACK}">{hidden}</span>' if hidden or not known else "")


def card_of(card: Card) -> str:
    """A card: its text, its words for who points at it or hears it."""
    face = card.face or ""
    edge = COLOURS.get(face[-1]) or COLOURS.get(face[0], "#888")
    return f'<span style="{CARD.format(edge=edge)}" title="{escape(card.alt)}">{escape(read(face)[1])}</span>'
