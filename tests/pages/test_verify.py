"""The page's own check of the provable shuffle against `brelan verify`: two readings of one text, one verdict."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

import brelan.server
from brelan.errors import Refusal
from brelan.games import GAMES
from brelan.lab.simulate import Plan, play
from brelan.play.leaves import Proof, Tree
from brelan.play.record import as_text, verify
from brelan.play.shuffle import Chance
from tests.play.leaves import VECTORS, wrong
from tests.tables import bare

SCRIPT = Path(brelan.server.__file__).parent / "static" / "verify.js"
JUDGE = """async (asked) => {
    const { verify, textOf, holds } = await import(LOCATION);
    const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16)).buffer;
    const read = async (record) => verify(textOf(bytes(record)));
    const judged = (record) => read(record).then((right) => right, ({ line, reason }) => ({ line, reason }));
    return Promise.all(asked.map((one) => (typeof one === "string" ? judged(one) : holds(...one))));
}"""


@pytest.fixture(scope="module")
def judge(request, tmp_path_factory):
    """What verify.js says of records, and of proofs with roots: in Node where there is one, else in the browser."""

    def asked(records):
        plain = (record.encode() if isinstance(record, str) else record for record in records)
        return [record.hex() if isinstance(record, bytes) else record for record in plain]

    if not shutil.which("node"):
        page = request.getfixturevalue("chromium").new_page()
        page.goto(request.getfixturevalue("house"))
        return lambda records: page.evaluate(JUDGE.replace("LOCATION", '"/static/verify.js"'), asked(records))
    module = tmp_path_factory.mktemp("node") / "verify.mjs"
    module.write_text(SCRIPT.read_text())
    judge = JUDGE.replace("LOCATION", json.dumps(module.as_uri()))
    program = f"import {{ readFileSync }} from 'node:fs'; const judge = {judge};"
    program += "console.log(JSON.stringify(await judge(JSON.parse(readFileSync(0)))));"

    def judged(records):
        run = ["node", "--input-type=module", "--eval", program]
        return json.loads(
            subprocess.run(run, input=json.dumps(asked(records)), capture_output=True, text=True, check=True).stdout
        )

    return judged


def line_of(record):
    """The line at which `brelan verify` refuses a record; 0 for a right one."""
    try:
        verify(record.encode() if isinstance(record, str) else record, strict=True)
    except Refusal as refusal:
        return int(re.match(r"line (\d+):", str(refusal))[1])
    return 0


def played(game, seed, players):
    return play(Plan(game.id, players, seed), seed, record=True).record


def flipped(digits):
    return ("0" if digits[0] != "0" else "1") + digits[1:]


def tampered(lines):
    """A record with something about its shuffles changed, in every way that may tempt somebody."""
    deals = [i for i, line in enumerate(lines) if "shuffle" in line]
    for deal in {deals[0], deals[-1]}:
        cards = lines[deal]["shuffle"]
        other = next(i for i in range(1, len(cards)) if cards[i] != cards[0])
        swapped = [cards[other], *cards[1:other], cards[0], *cards[other + 1 :]]
        yield [*lines[:deal], {"shuffle": swapped}, *lines[deal + 1 :]]
        for root in (flipped(lines[deal]["root"]), lines[deal]["root"].upper(), None, ""):
            yield [*lines[:deal], lines[deal] | {"root": root}, *lines[deal + 1 :]]
    for key, value in (("commit", flipped(lines[0]["commit"])), ("match", "mine"), ("nonces", ["ab" * 16] * 9)):
        yield [lines[0] | {key: value}, *lines[1:]]
    yield [lines[0] | {"nonces": ["ab" * 16, *lines[0]["nonces"][1:]]}, *lines[1:]]
    yield [{k: v for k, v in lines[0].items() if k != "commit"}, *lines[1:]]
    yield [lines[0] | {"commit": "ab"}, *lines[1:]]
    for secret in (flipped(lines[-1]["secret"]), "", "ab", None):
        yield [*lines[:-1], lines[-1] | {"secret": secret}]
    yield [*lines[:-1], {k: v for k, v in lines[-1].items() if k != "secret"}]
    for early in (0, len(lines) // 2):
        yield [*lines[:early], lines[early] | {"secret": lines[-1]["secret"]}, *lines[early + 1 :]]
    yield lines[:-1]
    yield [*lines, lines[-1]]
    yield [*lines, lines[len(lines) // 2]]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_right_records_are_right(game, judge):
    """Two matches a game; at night 200."""
    seats = [game.seats[0], game.seats[-1]] * (int(os.environ.get("BRELAN_RECORDS", "2")) // 2)
    records = [played(game, seed, players) for seed, players in enumerate(seats)]
    for record, verdict in zip(records, judge(records), strict=True):
        lines = bare(record)
        assert line_of(record) == 0
        assert verdict == {
            "match": lines[0]["match"],
            "whatif": False,
            "commit": lines[0]["commit"],
            "first": lines[0]["first"],
            "nonces": lines[0]["nonces"],
            "shuffles": sum("shuffle" in line for line in lines),
            "roots": [line["root"] for line in lines if "shuffle" in line],
        }


@pytest.mark.parametrize("chained", [True, False], ids=["chained-anew", "without-chain"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_tampering_is_refused_at_the_same_line(game, chained, judge):
    """Even by somebody who makes the chain anew, or leaves it out."""
    text = as_text if chained else lambda lines: "".join(json.dumps(line) + "\n" for line in lines)
    records = [text(lines) for lines in tampered(bare(played(game, 3, game.seats[0])))]
    verdicts = judge(records)
    assert [verdict.get("line", 0) for verdict in verdicts] == [line_of(record) for record in records]
    assert 0 not in map(line_of, records)
    assert {verdict["reason"] for verdict in verdicts} == {"order", "root", "commit", "seal", "cut", "after"}


def test_a_changed_line_breaks_the_chain_there(judge):
    """A word more in a line, or a line too few, and nothing chained anew."""
    rows = played(GAMES[0], 3, GAMES[0].seats[0]).splitlines(keepends=True)
    moves = [i for i, row in enumerate(rows) if '"move"' in row][5:60:5]
    records = ["".join([*rows[:i], rows[i].replace('"seat": ', '"was": 1, "seat": '), *rows[i + 1 :]]) for i in moves]
    verdicts = judge(records)
    assert (
        [verdict["line"] for verdict in verdicts] == [line_of(record) for record in records] == [i + 1 for i in moves]
    )
    assert {verdict["reason"] for verdict in verdicts} == {"chain"}
    begun = ["".join([json.dumps(bare(rows[0])[0]) + "\n", *rows[1:]])]
    assert judge(begun) == [{"line": line_of(begun[0]), "reason": "chain"}] == [{"line": 1, "reason": "chain"}]
    cut = judge(["".join([*rows[:i], *rows[i + 1 :]]) for i in moves])
    assert [verdict["line"] for verdict in cut] == [i + 1 for i in moves]


def test_a_name_that_is_there_twice_is_refused(judge):
    """Others would read another of the two; how names, numbers and spaces are written does not matter."""
    rows = played(GAMES[0], 3, GAMES[0].seats[0]).splitlines(keepends=True)
    deal = next(i for i, row in enumerate(rows) if '"shuffle"' in row)
    twice = "".join([*rows[:deal], rows[deal].replace("{", '{"shuffle": ["x"], ', 1), *rows[deal + 1 :]])
    escaped = "".join(row.replace('"', ' "', 1).replace("shuffle", "sh\\u0075ffle") for row in rows)
    assert line_of(twice) == deal + 1
    assert judge([twice])[0] == {"line": deal + 1, "reason": "unreadable"}
    assert (line_of(escaped), "reason" in judge([escaped])[0]) == (0, False)


@pytest.mark.parametrize("text", ["", "{", "[]\n", "null\n", "{}\n", '{"brelan": 2}\n', "\n\n"])
def test_what_is_no_record_is_refused(judge, text):
    assert judge([text])[0] == {"line": 1, "reason": "unreadable"}


def test_bytes_are_read_alike(judge):
    """Blanks at the end are nothing; what only looks like some, stands before the text or is no UTF-8 is refused."""
    lines = [json.dumps(line).encode() for line in bare(played(GAMES[0], 3, 3))]
    right, more = b"\n".join(lines), len(lines) + 1
    odd = b"\n".join([*lines[:2], b'{"odd": "\xff", ' + lines[2][1:], *lines[3:]])
    records = {
        right + b" \r\n\v\n\t\f\n": 0,
        right + b"\n\xc2\xa0": more,
        right + b"\n\xe2\x80\xa8\n": more,
        b"\xef\xbb\xbf" + right: 1,
        odd: 3,
    }
    assert [verdict.get("line", 0) for verdict in judge(list(records))] == list(records.values())
    assert [line_of(record) for record in records] == list(records.values())


ODD = [
    (1, {"shuffle": []}),
    (1, {"shuffle": [7]}),
    (1, {"shuffle": [{"toString": 1, "valueOf": 1}]}),
    (1, {"shuffle": "R1"}),
    (0, {"move": "play R1"}),
    (0, {"scores": [1]}),
]


@pytest.mark.parametrize("chained", [True, False], ids=["chained-anew", "without-chain"])
def test_odd_values_are_refused_at_the_same_line_in_both(chained, judge):
    """None of them is a fault of the page, which would never say a word."""
    lines = bare(played(GAMES[0], 3, 3))
    text = as_text if chained else lambda lines: "".join(json.dumps(line) + "\n" for line in lines)
    records = [text([*lines[:at], lines[at] | odd, *lines[at + 1 :]]) for at, odd in ODD]
    assert judge(records) == [{"line": at + 1, "reason": "unreadable"} for at, _ in ODD]
    assert [line_of(record) for record in records] == [at + 1 for at, _ in ODD]


LONG = pytest.param("9" * 5000, id="5000 digits")


@pytest.mark.parametrize("odd", ["0.5", "2.0", "1e3", "-0.0", "9007199254740992", '"\\ud800"', '{"\\udc00": 1}', LONG])
def test_a_chain_is_of_one_text_only(judge, odd):
    """What another program would write in another way is refused by both, and may stand where no chain is."""
    lines = bare(played(GAMES[0], 3, 3))
    chained, loose = (
        "".join(f'{json.dumps(line)[:-1]}, "odd": {odd}}}\n' if i == 1 else json.dumps(line) + "\n" for i, line in rows)
        for rows in (enumerate(map(json.loads, as_text(lines).splitlines())), enumerate(lines))
    )
    assert judge([chained, loose])[0] == {"line": 2, "reason": "unreadable"}
    assert "reason" not in judge([loose])[0]
    assert (line_of(chained), line_of(loose)) == (2, 0)


def test_keys_are_sorted_by_code_point(judge):
    header, *rest = bare(played(GAMES[0], 3, 3))
    assert "reason" not in judge([as_text([header | {"\uff5e": 1, "\U0001f600": 2}, *rest])])[0]


def test_cards_are_sorted_by_code_point(judge):
    """Of a game of another program: in no deck of ours there are such cards, nor would it be played here."""
    chance = Chance(b"s" * 64, "m", (b"",))
    cards = chance.order(0, ["\uff5e", "\U0001f0a1", "\U0001f0a1"])
    footer = {"scores": [0], "secret": chance.secret.hex()}
    record = as_text([chance.header() | {"brelan": 1, "players": 1}, {"shuffle": cards}, footer])
    assert "reason" not in judge([record])[0]


def test_what_is_nested_deeper_than_can_be_followed_is_refused(judge):
    """However deep that is here: to write it takes more than to read it."""
    rows = as_text(bare(played(GAMES[0], 3, 3))).splitlines(keepends=True)
    deep = [f'{{"x": {"[" * depth}{"]" * depth}, {rows[1][1:]}' for depth in range(1000, 12000, 500)]
    verdicts = judge(["".join([rows[0], row, *rows[2:]]) for row in deep])
    assert {(verdict.get("line"), verdict.get("reason")) for verdict in verdicts} <= {(2, "unreadable"), (2, "chain")}


@pytest.mark.parametrize("whatif", [7, {"match": 7}, {"match": {"toString": 1}}, {"match": "theirs"}], ids=str)
def test_a_match_goes_by_an_id_that_is_a_text(whatif, judge):
    header, *rest = bare(played(GAMES[0], 3, 3))
    known = "theirs" if whatif == {"match": "theirs"} else header["match"]
    assert judge([as_text([header | {"whatif": whatif}, *rest])])[0]["match"] == known


def test_proofs_hold_as_they_do_for_us(judge):
    """Every card of shuffles of many sizes, right and with each part changed: two readings, one verdict."""
    asked, right = [], []
    for count in (1, 2, 5, 8, 13):
        tree = Tree(Chance(b"s" * 64, "m", (b"n" * 16,)), count, [f"R{n}" for n in range(count)])
        for place in range(count):
            proof = tree.proof(place, "hand:0")
            for one in (proof, *wrong(proof)):
                asked.append([asdict(one), tree.root])
                right.append(one is proof)
    assert judge(asked) == right == [Proof(**proof).holds(root) for proof, root in asked]


def test_fixed_vectors_are_the_same_for_both_readings(judge):
    """The same file as for Python: a root over its cards, and the proof of one of them."""
    asked = []
    for vector in VECTORS:
        chosen = {key: vector[key] for key in ("shuffle", "position", "salt", "path")}
        card = vector["order"][vector["position"]]
        asked.append([chosen | {"of": len(vector["cards"]), "card": card, "zone": ""}, vector["root"]])
    assert judge(asked) == [True] * len(VECTORS)
