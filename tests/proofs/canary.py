"""Search every byte that anybody is sent for cards that they have no right to know: `python -m tests.proofs.canary`.

Each seat and a spectator has a real line of the house; every frame that goes out on it is searched for the texts and
the words of all faces of which the viewer has never been shown a copy since the last shuffle (`knowledge.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from brelan.cards import SPECTATOR
from brelan.games import find
from brelan.play.table import Table
from brelan.play.told import Made
from brelan.server.tables.connection import Connection
from brelan.words import Words
from tests.proofs import sent
from tests.proofs.knowledge import Memory
from tests.proofs.leaky import mutants_of
from tests.proofs.live import Live, lives
from tests.proofs.program import Counts, Progress, asked_for, report, shared

PIECE = 20
"""So many matches are one piece of work."""

MOST = 3000
"""At most so many moments of a match."""

MUTANTS = ("a face-down card is named for screen readers", "another seat's moves are among the choices")
"""Leaks that name a card: other leaks are for the pairs to find."""


WORD = re.compile(rb"[\w.-]+")
APART = bytes(byte if WORD.match(bytes([byte])) else ord(" ") for byte in range(256))
"""All that is no part of a word becomes a space."""


class Face:
    """What a frame looks like that names a card: by its text, or by words that are no general ones (a joker's are).

    A text that is one word is looked up among the words of the frame, which is read for all cards at once.
    """

    def __init__(self, text: str, words: str) -> None:
        self.text = text.encode()
        names = [self.text] if not WORD.fullmatch(self.text) else []
        self.names = [*names, *([words.encode()] if " " in words else [])]
        self.pattern = re.compile(rb"(?<![\w.-])(?:%s)(?![\w.-])" % b"|".join(map(re.escape, self.names)))

    def is_in(self, frame: bytes, read: set[bytes]) -> bool:
        return self.text in read or any(name in frame and self.pattern.search(frame) for name in self.names)


@cache
def faces(game: str, language: str) -> dict[int, Face]:
    """Of each card of a game, what names it."""
    room, words, found = find(game), Words(language, game), dict[int, Face]()
    for card in range(128):
        try:
            text = room.notation.card_text(card)
            if room.notation.card_of(text) == card:
                found[card] = Face(text, room.view.card_words(card, words))
        except (IndexError, ValueError):
            break
    return found


class Search:
    """One viewer's line at a table, and what it may be told."""

    def __init__(self, table: Table, viewer: int, language: str) -> None:
        self.memory, self.language = Memory(viewer), language
        self.line: Connection = sent.line(table, viewer, language, 0)
        self.frames = self.bytes = 0

    def look(self, table: Table, online: set[str], made: Made) -> set[int]:
        """Send what is to be sent now; the cards in it that the viewer has no right to know."""
        may, cards = self.memory.hear(table), faces(table.game.id, self.language)
        self.line.show(table, online, made, table.events[-1].at)
        commit = table.sealed.commit.encode() if table.sealed else b"-"
        frames = [frame.replace(commit, b"") for frame in sent.frames(self.line)]  # its hex reads like cards
        self.frames, self.bytes = self.frames + len(frames), self.bytes + sum(map(len, frames))
        unknown = () if self.memory.all else cards.keys() - may
        read = [(frame, set(frame.translate(APART).split())) for frame in frames] if unknown else []
        return {card for card in unknown for frame, words in read if cards[card].is_in(frame, words)}


def search(live: Live, number: int, most: int = MOST) -> Iterator[tuple[str, Search]]:
    """Play one match, and search all that is sent; yields each hit, at the end an empty one for each line."""
    seats = [*range(len(live.table.seats)), SPECTATOR]
    lines = [Search(live.table, seat, sent.language_for(number + seat)) for seat in seats]
    for table in live.positions(most):
        made: Made = {}
        for one in lines:
            if hits := one.look(table, live.online, made):
                texts = sorted(map(table.game.notation.card_text, hits))
                yield f"{table.game.id}, viewer {one.memory.viewer}, event {table.number}: {texts}", one
    yield from (("", one) for one in lines)


def piece(asked: tuple[str, int, int]) -> Counts:
    """Some matches of a game: frames, bytes, hits."""
    game, seed, wanted = asked
    done: Counts = {"matches": 0, "frames": 0, "bytes": 0, "hits": []}
    for number, live in enumerate(islice(lives(game, seed), wanted)):
        for hit, one in search(live, number):
            if hit:
                done["hits"].append(hit)
            else:
                done["frames"], done["bytes"] = done["frames"] + one.frames, done["bytes"] + one.bytes
        done["matches"] += 1
    return done


def caught(game: str, name: str, matches: int = 20) -> bool:
    """Whether a house that names a card is found out."""
    with mutants_of(game)[name](find(game)):
        return any(hit for live in islice(lives(game, 1), matches) for hit, _ in search(live, 0))


def main() -> int:
    asked = asked_for(__doc__, matches=(10_000, "matches, of all games together"))
    each = -(-asked.matches // len(asked.games))
    work = [(game, asked.seed + n, min(PIECE, each - n)) for n in range(0, each, PIECE) for game in asked.games]
    progress, hits = Progress("matches", each * len(asked.games)), list[str]()
    totals = {"matches": 0, "frames": 0, "bytes": 0}
    for done in shared(work, piece, asked):
        hits += done.pop("hits")
        totals = {name: totals[name] + done[name] for name in totals}
        progress.add(done["matches"])
    progress.close()
    missed = [f"{game}: {name}" for game in asked.games for name in MUTANTS if not caught(game, name)]
    mutants, passed = len(asked.games) * len(MUTANTS), not hits and not missed
    return report(
        "canary", asked.began, passed, **totals, hits=len(hits), first=hits[:3], mutants=mutants, missed=missed
    )


if __name__ == "__main__":
    raise SystemExit(main())
