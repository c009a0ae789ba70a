"""Bad records: each gets one clear sentence that names its line, and no other way out."""

import json
import re
from hashlib import sha256, sha512

import pytest

from brelan.errors import Refusal, WrongSeat
from brelan.games import find
from brelan.lab.simulate import Plan, play
from brelan.play.match import Match
from brelan.play.record import chained, link, match_of, parsed, verify
from tests.tables import bare

RECORD = play(Plan("gin", 2, 3), 0, record=True).record
LINES = bare(RECORD)


def refusal(lines, strict=False):
    data = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()
    with pytest.raises(Refusal) as refused:
        verify(data, strict)
    return str(refused.value)


def changed(number, **keys):
    lines = list(LINES)
    lines[number] = {k: v for k, v in (lines[number] | keys).items() if v is not ...}
    return lines


def test_a_record_is_read_as_text_or_as_bytes():
    [match], [same] = verify(RECORD), verify(RECORD.encode())
    assert match.lines == same.lines
    with pytest.raises(Refusal, match="line 1: this is not one JSON object in UTF-8"):
        verify("\ud800" + RECORD)


HEADERS = [
    ({"brelan": 2}, "format 2"),
    ({"brelan": True}, "whole number"),
    ({"brelan": "1"}, "whole number"),
    ({"revision": 99}, "revision 99"),
    ({"revision": True}, "revision"),
    ({"game": "whist"}, "“whist” is not a game"),
    ({"game": 7}, "must be a text"),
    ({"preset": "mine"}, "no preset “mine”"),
    ({"players": 3}, "played by 2 players, not 3"),
    ({"players": 2.0}, "whole number"),
    ({"first": 2}, "from 0 to 1"),
    ({"first": -1}, "from 0 to 1"),
    ({"options": []}, "must be an object"),
    ({"options": {"jokers": 2}}, "no option “jokers”"),
    ({"options": {"stock_end": 31}}, "0 … 30"),
    ({"options": {"gin_on_ten": 1}}, "true | false"),
    ({"options": {"target": True}}, "1 … "),
    ({"nonces": [""]}, "each of the 2 seats"),
    ({"nonces": 5}, "each of the 2 seats"),
    ({"nonces": ["", "zz"]}, "line 1: “nonces[1]” must be 16 bytes in hex."),
    ({"commit": "00"}, "line 1: “commit” must be 64 bytes in hex."),
    ({"nonces": [0, []]}, "16 bytes in hex"),
    ({"match": "\ud800"}, "“match” must be a text"),
    ({"game": "\udfff"}, "“game” must be a text"),
    ({"scores": []}, "line 1: a record begins with a header, which has the key “brelan” and none of shuffle, move"),
    ({"move": "draw"}, "line 1: a record begins with a header"),
    ({"secret": LINES[-1]["secret"]}, "line 1: the secret of a sealed record stands in its footer only"),
    ({"players": "2"}, '“players” must be a whole number, not "2"'),
    ({"preset": ...}, "line 1: the key “preset” is missing."),
    ({"preset": None}, "line 1: “preset” must be a text, not null."),
    ({"commit": ...}, "“commit” of the provable shuffle is missing"),
    ({"commit": ..., "nonces": ...}, "line 1: the key “commit” of the provable shuffle is missing"),
]


@pytest.mark.parametrize(("keys", "says"), HEADERS, ids=str)
def test_a_wrong_header(keys, says):
    assert says in refusal(changed(0, **keys))


def test_a_strict_reader_wants_every_option():
    assert len(verify("\n".join(map(json.dumps, changed(0, options={}))).encode())) == 1
    assert "line 1: the option ace_high_runs is missing" in refusal(changed(0, options={}), strict=True)


def test_a_strict_reader_wants_each_move_as_its_list_spells_it():
    """MIO where none is due means the same (O-M2), and stands in no list of legal moves."""
    lines = bare(play(Plan("mio", 3, 3), 0, record=True).record)
    number, line = next((n, line) for n, line in enumerate(lines) if line.get("move", "").startswith("play"))
    lines[number] = line | {"move": f"{line['move']} mio"}
    assert len(verify("\n".join(map(json.dumps, lines)).encode())) == 1
    assert refusal(lines, strict=True) == (
        f"line {number + 1}: “{line['move']} mio” is not the canonical text, which is “{line['move']}”."
    )


EVENTS = [
    (1, {"shuffle": LINES[1]["shuffle"][::-1]}, "line 2: shuffle 0 is not the one"),
    (1, {"shuffle": LINES[1]["shuffle"][1:]}, "line 2"),
    (1, {"shuffle": "As"}, "line 2: “shuffle” must be a list"),
    (1, {"shuffle": [[], *LINES[1]["shuffle"][1:]]}, "line 2: “shuffle” must be a list"),
    (1, {"shuffle": ["1s", *LINES[1]["shuffle"][1:]]}, "line 2: “1s” is not a card"),
    (2, {"seat": 1}, "line 3: Seat 1 is not asked now; asked: 0 (seats are counted from 0)."),
    (2, {"seat": 2}, "line 3: There is no seat 2"),
    (2, {"seat": "0"}, "line 3: “seat” must be a whole number"),
    (2, {"seat": True}, "line 3: “seat” must be a whole number"),
    (2, {"move": "pass"}, "(G4)"),
    (2, {"move": "draw "}, "line 3: “draw ” is not a move"),
    (2, {"move": 5}, "line 3: A move is a text"),
    (2, {"scores": [1, 2]}, "line 3: a line has exactly one"),
    (2, {"move": ...}, "line 3: a line has exactly one"),
    (2, {"legal": ["draw"]}, "line 3: the list of legal moves is wrong about “take”"),
    (2, {"legal": "draw"}, "line 3: “legal” must be a list"),
    (2, {"legal": [[]]}, "line 3: “legal” must be a list"),
    (-1, {"scores": [0, 0]}, "“scores” is [0, 0]"),
    (-1, {"scores": [float(n) for n in LINES[-1]["scores"]]}, "“scores” is"),
    (-1, {"winners": [0, 1]}, "“winners” is [0, 1]"),
    (-1, {"winners": ...}, f"line {len(LINES)}: the key “winners” is missing."),
    (-1, {"winners": ""}, '“winners” is "", but the moves give'),
    (-1, {"winners": None}, "“winners” is null, but the moves give"),
    (2, {"seat": ...}, "line 3: the key “seat” is missing."),
    (-1, {"secret": ...}, "“secret” of the provable shuffle is missing"),
    (-1, {"secret": "ab"}, "64 bytes"),
    (-1, {"secret": ""}, f"line {len(LINES)}: “secret” must be 64 bytes"),
    (-1, {"secret": ...}, f"line {len(LINES)}: the key “secret” of the provable shuffle is missing"),
    (-1, {"secret": "ab" * 64}, f"line {len(LINES)}: the opened secret does not match the commitment"),
    (0, {"commit": "ab" * 64}, f"line {len(LINES)}: the opened secret does not match the commitment"),
    (3, {"secret": LINES[-1]["secret"]}, "line 4: the secret of a sealed record stands in its footer only"),
]


@pytest.mark.parametrize(("number", "keys", "says"), EVENTS, ids=str)
def test_a_wrong_event(number, keys, says):
    assert says in refusal(changed(number, **keys))


FILES = [
    ([], "line 1: there is no record here"),
    (["{"], "line 1: this is not one JSON object"),
    (["[]"], "line 1: a line of a record is a JSON object"),
    (['{"brelan": NaN}'], "line 1: this is not one JSON object"),
    ([*LINES[:3], "", *LINES[3:]], "line 4: empty lines stand only at the very end of a file (O-A8)"),
    (["", *LINES], "line 1: empty lines"),
    (LINES[1:], "line 1: a record begins with a header"),
    ([{}, *LINES], "line 1: a record begins with a header"),
    ([*LINES[:3], {"weather": "fair"}, *LINES[3:]], "line 4: a line has exactly one"),
    (LINES[:-1], f"line {len(LINES) - 1}: the record ends before the match does"),
    ([*LINES, LINES[-1]], f"line {len(LINES) + 1}: nothing may follow"),
    ([*LINES, LINES[2]], f"line {len(LINES) + 1}: nothing may follow"),
    ([*LINES, {"scores": [0, 0]}], f"line {len(LINES) + 1}: nothing may follow"),
    ([*LINES[:2], LINES[1], *LINES[2:]], "line 3: No shuffle is due here"),
    ([LINES[0], *LINES[2:]], "line 2: a shuffle is due"),
    ([*LINES[:-2], LINES[-1]], f"line {len(LINES) - 1}: the match is not over yet"),
    (["[" * 100_000], "line 1: this is not one JSON object"),
    ([LINES[0], *["{}"] * 200_000], "line 2: a line has exactly one"),
]


@pytest.mark.parametrize(("lines", "says"), FILES, ids=lambda value: "" if isinstance(value, list) else value)
def test_a_wrong_file(lines, says):
    assert says in refusal(lines)


TWICE = [
    (0, '"players": 2', '"players": 2, "players": 2'),
    (0, '"target": 100', '"target": 1, "target": 100'),
    (2, '"seat": 0', '"seat": 1, "seat": 0'),
    (2, '"move"', '"m\\u006fve": "take", "move"'),
    (-1, '"scores"', '"scores": [1000, 0], "scores"'),
]


@pytest.mark.parametrize(("number", "once", "twice"), TWICE, ids=str)
def test_no_line_says_two_things_to_two_readers(number, once, twice):
    """The chain would be the same: JSON's readers mostly take the last value of a key, and some the first."""
    rows = RECORD.splitlines()
    assert once in rows[number]
    rows[number] = rows[number].replace(once, twice, 1)
    name = json.loads("{" + once.partition(":")[0] + ": 0}").popitem()[0]
    assert refusal(rows) == f"line {number % len(rows) + 1}: the key “{name}” stands twice in one object."


def test_bytes_that_are_no_text():
    with pytest.raises(Refusal, match="line 1"):
        verify(b"\xff\xfe")


@pytest.mark.parametrize("other", [{"brelan": 7}, {"revision": 99}])
def test_who_plays_a_record_again_plays_none_of_other_rules(other):
    (record,) = parsed(RECORD)
    record[0].line |= other
    with pytest.raises(Refusal, match=r"reads format 1|revision 99"):
        match_of(record)


def test_unknown_keys_are_ignored_and_empty_lines_at_the_end_allowed():
    lines = [line | {"weather": "fair"} for line in LINES]
    data = "".join(json.dumps(line) + "\n" for line in lines) + "\n \n"
    (match,) = verify(data.encode(), strict=True)
    assert match.scores == LINES[-1]["scores"]


def test_an_empty_secret_seals_nothing():
    """Whoever commits to no secret could shuffle as he likes."""
    commit = sha512(LINES[0]["match"].encode()).hexdigest()
    forged = [LINES[0] | {"commit": commit}, *LINES[1:-1], LINES[-1] | {"secret": ""}]
    assert "64 bytes in hex" in refusal(forged)


def test_keys_of_other_programs_are_theirs():
    lines = [{k: v for k, v in LINES[0].items() if k not in ("commit", "nonces")}, *LINES[1:-1], dict(LINES[-1])]
    del lines[-1]["secret"]
    lines[2] = lines[2] | {"brelan": "was here", "secret": "mine"}
    assert len(verify("\n".join(map(json.dumps, lines)).encode(), strict=True)) == 1


@pytest.mark.parametrize(("number", "key"), [(0, "revision"), (1, "root")])
def test_other_programs_know_neither_revisions_nor_roots(number, key):
    lines = changed(number, **{key: ...})
    assert len(verify("\n".join(map(json.dumps, lines)).encode(), strict=True)) == 1


def test_hex_may_be_written_in_capitals():
    lines = changed(0, commit=LINES[0]["commit"].upper())
    assert len(verify("\n".join(map(json.dumps, lines)).encode(), strict=True)) == 1


def test_a_chain_is_to_the_letter_of_the_format():
    """Other programs work it out for themselves, from docs/records.md."""
    first, second = chained([{"brelan": 1, "a": ["é", {}]}, {"seat": 0, "move": "draw"}])
    assert first["chain"] == sha256('\n{"a":["é",{}],"brelan":1}'.encode()).hexdigest()[:16]
    assert second["chain"] == sha256(f'{first["chain"]}\n{{"move":"draw","seat":0}}'.encode()).hexdigest()[:16]


@pytest.mark.parametrize("without", [0, 5, -1])
def test_a_chain_has_all_its_links(without):
    lines = list(chained(LINES))
    del lines[without]["chain"]
    assert re.fullmatch(rf"line {without % len(lines) + 1}: .* the chain breaks here\.", refusal(lines))


@pytest.mark.parametrize("number", [0, 5, len(LINES) - 1])
def test_a_key_that_is_added_to_a_chained_line_changes_it(number):
    """Also one that nobody knows: the chain is of all keys, so that older readers can check newer records."""
    lines = list(chained(LINES))
    lines[number]["note"] = "mine"
    assert re.fullmatch(rf"line {number + 1}: .* the chain breaks here\.", refusal(lines))
    assert len(verify("\n".join(map(json.dumps, changed(number, note="mine"))).encode())) == 1


@pytest.mark.parametrize(
    "odd", ["é😀", 2**53 - 1, [[[[]]]], {"a": [None]}], ids=["letters", "number", "list", "object"]
)
def test_a_chained_line_may_hold_odd_things(odd):
    chained_lines = list(chained([*LINES[:2], LINES[2] | {"odd": odd}, *LINES[3:]]))
    assert len(verify("\n".join(map(json.dumps, chained_lines)).encode())) == 1


@pytest.mark.parametrize("odd", [0.5, 2.0, 2**53, -(2**53), "\ud800", {"\udfff": 1}, [[-1e16]]], ids=repr)
def test_what_two_programs_may_write_differently_is_under_no_chain(odd):
    """Such a line has no one text to hash; a record without chains may hold it."""
    lines = [*LINES[:2], LINES[2] | {"odd": odd}, *LINES[3:]]
    assert len(verify("\n".join(map(json.dumps, lines)).encode())) == 1
    with pytest.raises(Refusal, match="under a chain"):
        list(chained(lines))


@pytest.mark.parametrize("depth", [300, 600, 900, 989])
@pytest.mark.parametrize("key", ["options", "players", "brelan"])
def test_a_header_nested_too_deeply_is_refused_in_a_sentence(key, depth):
    nest = "[" * depth + "]" * depth
    value = f'{{"target": {nest}}}' if key == "options" else nest
    header = json.dumps({name: value for name, value in LINES[0].items() if name != key})
    assert "line 1" in refusal([f'{header[:-1]}, "{key}": {value}}}', *map(json.dumps, LINES[1:])])


@pytest.mark.parametrize("depth", [900, 950, 988, 1500, 5000])
def test_a_line_nested_too_deeply_for_its_chain_is_refused_or_read(depth):
    lines = [json.dumps(line) for line in chained(LINES)]
    lines[2] = lines[2][:-1] + ', "odd": ' + "[" * depth + "]" * depth + "}"
    assert "line 3" in refusal(lines)


def test_a_line_nested_too_deeply_to_be_written_is_refused():
    """How much deeper than that one may be read, hangs on the Python that reads it."""
    odd = []
    for _ in range(100_000):
        odd = [odd]
    with pytest.raises(Refusal, match="not one JSON object"):
        link("", {"odd": odd})


def test_a_shuffle_that_is_not_due_is_refused():
    match = Match(find("gin"), 2)
    match.shuffle(match.due())
    with pytest.raises(Refusal, match="No shuffle is due"):
        match.shuffle([])


def test_after_the_end_a_move_is_told_that_the_match_is_over():
    (match,) = verify(RECORD.encode())
    with pytest.raises(WrongSeat, match="The match is over"):
        match.move(0, "draw")


DUE = Match(find("gin"), 2).due()


@pytest.mark.parametrize(
    "cards",
    [DUE[1:], [DUE[0], *DUE[:-1]], [*DUE, DUE[0]], [*DUE[1:], "R3"]],
    ids=["too few", "one twice for another", "one too many", "one of another deck"],
)
def test_a_shuffle_of_other_cards_than_those_due_is_refused(cards):
    match = Match(find("gin"), 2)
    with pytest.raises(Refusal, match="shuffle"):
        match.shuffle(cards)
    assert (match.due(), match.lines) == (DUE, [])
