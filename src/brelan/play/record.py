"""Records: a match as JSON Lines, written, read and verified exactly as the format says.

Our own records bear one key more on every line: `chain`, the first 16 hex digits of the SHA-256 of the chain of the
line before and of this line's content. So whoever changes a line breaks the chain at that very line; a record without
chains, from another program, is verified by the rules, the shuffles and the scores alone.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from brelan.errors import Refusal
from brelan.games import find
from brelan.play.leaves import Tree
from brelan.play.match import FORMAT, Line, Match
from brelan.play.shuffle import COMMIT_BYTES, NONCE_BYTES, SECRET_BYTES, Chance, commitment

KINDS = ("shuffle", "move", "scores")
SEALED = ("match", "commit", "nonces")  # in the header; in the footer: secret


def chained(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of one record, each with its chain."""
    chain = ""
    for line in lines:
        chain = link(chain, line)
        yield line | {"chain": chain}


def link(before: str, line: Line) -> str:
    """The chain of a line, from the one before it and its content."""
    content = {key: value for key, value in line.items() if key != "chain"}
    try:
        if not exact(content):
            raise Refusal("record_exact")
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:  # read without it, but nested too deeply to be written
        raise Refusal("record_json") from None
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()[:16]


def exact(value: Any) -> bool:
    """Whether all programs write a value alike: whole numbers that each can hold, and no half letters."""
    if isinstance(value, dict):
        return all(exact(name) and exact(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(map(exact, value))
    if isinstance(value, str):
        return not halved(value)
    return value is None or (isinstance(value, int) and abs(value) < 2**53)


def halved(text: str) -> bool:
    """Whether a text has half letters in it: JSON can spell them, UTF-8 cannot."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def written(match: Match, chance: Chance | None = None, **more: Any) -> str:
    """The record of a match that is over, as text; its header bears what is said besides."""
    if not chance:
        return as_text([match.header() | more, *match.lines, match.footer()])
    header, footer = match.header() | chance.header() | more, match.footer() | {"secret": chance.secret.hex()}
    return as_text([header, *rooted(match.lines, chance), footer])


def rooted(lines: Iterable[Line], chance: Chance) -> Iterator[Line]:
    """The lines of a match, each shuffle with the root of its leaves."""
    number = 0
    for line in lines:
        if "shuffle" in line:
            line = line | {"root": Tree(chance, number, line["shuffle"]).root}
            number += 1
        yield line


def as_text(lines: Iterable[Line]) -> str:
    """The lines of one record, each with its chain, as text."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in chained(lines))


@dataclass(slots=True)
class Numbered:
    """A line of a record and its number in the file, from 1."""

    number: int
    line: Line


def parsed(data: bytes | str) -> Iterator[list[Numbered]]:
    """The records of a file, as its bytes or as text, each a list of its lines; refuses what is not JSON Lines."""
    record: list[Numbered] = []
    for numbered in _lines(data):
        if record and "brelan" in numbered.line and not kinds_of(numbered.line):
            yield record
            record = []
        record.append(numbered)
    if not record:
        raise at(1, Refusal("record_empty"))
    yield record


def _lines(data: bytes | str) -> Iterator[Numbered]:
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")  # half letters are refused with their line
    gap = 0
    for number, row in enumerate(io.BytesIO(data), 1):  # row by row: files of many matches are large
        if not row.strip():
            gap = gap or number
            continue
        if gap:
            raise at(gap, Refusal("record_gap"))
        try:
            line = json.loads(
                row.decode("utf-8"), parse_int=_integer, parse_constant=_not_a_number, object_pairs_hook=each_once
            )
        except Refusal as refusal:
            raise at(number, refusal) from None
        except (ValueError, RecursionError):
            raise at(number, Refusal("record_json")) from None
        if not isinstance(line, dict):
            raise at(number, Refusal("record_object"))
        yield Numbered(number, line)


def _integer(digits: str) -> float:
    """A whole number; of more digits than Python reads (4,300) no line says anything, and it is infinite."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _not_a_number(name: str) -> None:
    raise ValueError(name)


def each_once(pairs: list[tuple[str, Any]]) -> Line:
    """An object, each key of which stands there once: of two values, one reader would take this, another that."""
    line: Line = {}
    for name, value in pairs:
        if name in line:
            raise Refusal("record_twice", name=name)
        line[name] = value
    return line


def kinds_of(line: Line) -> list[str]:
    """What happens in a line: one thing, and nothing in a header."""
    return [kind for kind in KINDS if kind in line]


def at(number: int, refusal: Refusal) -> Refusal:
    """The same refusal, naming its line."""
    return Refusal("record_line", line=number, why=refusal)


def verify(data: bytes | str, strict: bool = False) -> list[Match]:
    """Each record's match, played again and found right; else a Refusal that names the line and the reason.

    `strict` also refuses what only means the same: spellings that are not canonical, options left out (O-A3, O-A6).
    """
    return [found.match for found in checked(data, strict)]


def checked(data: bytes | str, strict: bool = False) -> Iterator[Verifier]:
    """The same one by one, with what is known beside the match: `chance` is None where a record is not sealed."""
    for record in parsed(data):
        found = Verifier(record, strict)
        found.check()
        yield found


def match_of(record: list[Numbered]) -> Match:
    """The match that a record's header tells of, where nothing has happened yet; refused if it was played by another
    format or other rules than ours.
    """
    header = record[0].line
    if _whole(header, "brelan") != FORMAT:
        raise Refusal("record_format", given=header["brelan"], known=FORMAT)
    game = find(_text(header, "game"))
    if "revision" in header and _whole(header, "revision") != game.revision:
        raise Refusal("record_revision", given=header["revision"], known=game.revision)
    return Match(game, _whole(header, "players"), _whole(header, "first"), _text(header, "preset"), _options(header))


class Verifier:
    """Checks one record, line by line."""

    def __init__(self, record: list[Numbered], strict: bool) -> None:
        self.record, self.strict = record, strict
        self.chain: str | None = "" if any("chain" in numbered.line for numbered in record) else None
        self.is_whatif = "whatif" in record[0].line  # played on from a match whose secret was open
        self.footer = next((n.line for n in record if kinds_of(n.line) == ["scores"]), {})  # {}: it was cut
        self.done = False

    def check(self) -> None:
        for numbered in self.record:
            try:
                self._line(numbered)
            except Refusal as refusal:
                raise at(numbered.number, refusal) from None
            except RecursionError:  # read, but nested too deeply to be compared or told
                raise at(numbered.number, Refusal("record_json")) from None
        if not self.done:
            raise at(self.record[-1].number, Refusal("record_cut"))

    def _line(self, numbered: Numbered) -> None:
        line = numbered.line
        if numbered is self.record[0]:
            self._header(line)
        else:
            self._event(line)
        if self.chance and "secret" in line and "scores" not in line:
            raise Refusal("record_secret_early")
        self._chain(line)  # last: what the rules say of a changed line tells its reader more

    def _event(self, line: Line) -> None:
        if self.done:
            raise Refusal("record_after_footer")
        kinds = kinds_of(line)
        if len(kinds) != 1:
            raise Refusal("record_kind", known=", ".join(KINDS))
        {"shuffle": self._shuffle, "move": self._move, "scores": self._footer}[kinds[0]](line)

    def _chain(self, line: Line) -> None:
        if self.chain is None:
            return
        self.chain = link(self.chain, line)
        if line.get("chain") != self.chain:
            raise Refusal("record_chain")

    def _header(self, line: Line) -> None:
        if "brelan" not in line or kinds_of(line):
            raise Refusal("record_no_header", known=", ".join(KINDS))
        self.match = match_of(self.record)
        missing = [name for name in self.match.options if name not in line["options"]]
        if self.strict and missing:
            raise Refusal("record_option_missing", name=missing[0])
        self.chance = self._sealed(line)

    def _sealed(self, header: Line) -> Chance | None:
        """The chance that the header commits to and the footer opens; None for a record without commitment."""
        if not ({"commit", "nonces"} & header.keys() or "secret" in self.footer):
            return None
        if missing := [key for key in SEALED if key not in header]:
            raise Refusal("record_seal_missing", name=missing[0])
        nonces, match = header["nonces"], _text(header, "match")
        if not isinstance(nonces, list) or len(nonces) != self.match.players:
            raise Refusal("record_nonces", seats=self.match.players)
        seats = tuple(
            b"" if nonce == "" else _hex(f"nonces[{i}]", nonce, NONCE_BYTES) for i, nonce in enumerate(nonces)
        )
        return Chance(self._opened(match, _hex("commit", header["commit"], COMMIT_BYTES)), match, seats)

    def _opened(self, match: str, commit: bytes) -> bytes:
        """The secret, if it is the one that the header commits to; else none, and the footer is told what is wrong."""
        with suppress(Refusal):
            secret = _hex("secret", self.footer.get("secret"), SECRET_BYTES)
            if bytes.fromhex(commitment(secret, match)) == commit:
                return secret
        return b""

    def _shuffle(self, line: Line) -> None:
        cards = line["shuffle"]
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise Refusal("record_shuffle")
        for card in cards:
            self.match.game.notation.card_of(card)
        if self.chance and self.chance.secret and self.match.due():
            if cards != self.chance.order(self.match.shuffles, self.match.due()):
                raise Refusal("record_shuffle_order", number=self.match.shuffles)
            if "root" in line and line["root"] != Tree(self.chance, self.match.shuffles, cards).root:
                raise Refusal("record_root", number=self.match.shuffles)
        self.match.shuffle(cards)

    def _move(self, line: Line) -> None:
        if self.match.due():
            raise Refusal("record_shuffle_missing")
        seat = _whole(line, "seat")
        if "legal" in line:
            self.match.read(seat, line["move"])
            self._legal(seat, line["legal"])
        canonical = self.match.move(seat, line["move"], line.get("by"))
        if self.strict and canonical != line["move"]:
            raise Refusal("record_spelling", given=line["move"], canonical=canonical)

    def _legal(self, seat: int, given: Any) -> None:
        if not isinstance(given, list) or not all(isinstance(move, str) for move in given):
            raise Refusal("record_legal_kind")
        wrong = set(given) ^ set(self.match.legal(seat))
        if wrong:
            raise Refusal("record_legal", move=min(wrong))

    def _footer(self, line: Line) -> None:
        if not self.match.over:
            raise Refusal("record_not_over")
        for name, right in self.match.footer().items():
            given = _value(line, name)
            if given != right or any(type(n) is not int for n in given):
                raise Refusal("record_footer", name=name, given=_told(given), right=_told(right))
        if self.chance and not self.chance.secret:
            if "secret" not in line:
                raise Refusal("record_seal_missing", name="secret")
            _hex("secret", line["secret"], SECRET_BYTES)
            raise Refusal("record_commit")
        self.done = True


# ---------------------------------------------------------------- values of a line


def _value(line: Line, key: str) -> Any:
    if key not in line:
        raise Refusal("record_missing", name=key)
    return line[key]


def _told(value: Any) -> str:
    """As it would stand in the record; half letters, which are no text, by their numbers."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if halved(text) else text


def _whole(line: Line, key: str) -> int:
    value = _value(line, key)
    if type(value) is not int:
        raise Refusal("record_whole", name=key, given=_told(value))
    return value


def _text(line: Line, key: str) -> str:
    value = _value(line, key)
    if not isinstance(value, str) or halved(value):
        raise Refusal("record_text", name=key, given=_told(value))
    return value


def _options(header: Line) -> dict[str, Any]:
    options = header.get("options")
    if not isinstance(options, dict):
        raise Refusal("record_options")
    return options


def _hex(name: str, value: Any, size: int) -> bytes:
    """The bytes of a hex text of that size; `name` is where it stands."""
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-fA-F]{{{2 * size}}}", value):
        raise Refusal("record_hex", name=name, size=size)
    return bytes.fromhex(value)
