"""Laws of records: written, read and verified to the letter; whatever is changed in one is found and named."""

import json
import random as chance

import pytest

from brelan.errors import Refusal
from brelan.lab.simulate import Plan, play
from brelan.play.record import verify
from tests.tables import TABLES, at_every_preset


def record_of(table, number=0, legal=True):
    plan = Plan(table.game.id, table.players, 7, table.preset, levels=("novice", "random"), legal=legal)
    if table.game.seats[0] == 2:  # uniform players may need thousands of moves
        plan = Plan(table.game.id, table.players, 7, table.preset, legal=legal)
    return play(plan, number, record=True).record


@pytest.fixture(scope="module")
def records():
    return {str(table): record_of(table).encode() for table in TABLES}


@at_every_preset
def test_what_the_house_writes_is_strictly_right(table, records):
    (match,) = verify(records[str(table)], strict=True)
    header, footer = (json.loads(line) for line in records[str(table)].splitlines()[:: len(match.lines) + 1])
    assert header["options"].keys() == match.options.keys()
    assert (footer["scores"], footer["winners"]) == (match.scores, match.winners)


@at_every_preset
def test_several_records_stand_in_one_file(table, records):
    assert len(verify(records[str(table)] * 3)) == 3


@at_every_preset
def test_a_record_without_chain_and_commitment_is_verified_by_the_rules(table, records):
    plain = b"".join(
        without(line, "chain", "match", "commit", "nonces", "secret") for line in records[str(table)].splitlines()
    )
    assert len(verify(plain, strict=True)) == 1


def without(line, *keys):
    content = {key: value for key, value in json.loads(line).items() if key not in keys}
    return json.dumps(content).encode() + b"\n"


@at_every_preset
def test_one_changed_character_of_a_card_move_seat_or_score_is_refused_at_its_line(table, records):
    lines = records[str(table)].decode().splitlines()
    picks = chance.Random(9)
    for number in [0, 1, 2, len(lines) - 1, *picks.sample(range(2, len(lines)), min(25, len(lines) - 2))]:
        changed = list(lines)
        changed[number] = tampered(lines[number], picks)
        with pytest.raises(Refusal) as refused:
            verify("\n".join(changed).encode())
        named = refused.value.values["line"]
        # a changed secret, in the footer, is found where the first shuffle does not follow from it
        assert named == number + 1 or (number == len(lines) - 1 and named == 2), (lines[number], changed[number])


def tampered(line, picks):
    """The line with one letter or digit of its meaning changed: a card's, a move's, a seat's, a score's, a number's."""
    content = json.loads(line)
    key = next(k for k in ("shuffle", "move", "scores", "brelan") if k in content)
    key = "seat" if key == "move" and picks.random() < 0.3 else key
    text = json.dumps(content[key])
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    place = picks.choice(places)
    letters = "0123456789" if text[place].isdigit() else "ABCDEFGHJKPQRSTXYZabcdehstuv"
    letter = picks.choice([x for x in letters if x != text[place] and not (x == "0" and text[place - 1] in "[ ")])
    start = line.index(f'"{key}": ') + len(f'"{key}": ')
    return line[: start + place] + letter + line[start + place + 1 :]


@at_every_preset
def test_a_line_left_out_doubled_or_exchanged_is_refused(table, records):
    lines = records[str(table)].splitlines()
    for number in (1, 2, 3, len(lines) - 2):
        for changed in (
            lines[:number] + lines[number + 1 :],
            lines[: number + 1] + lines[number:],
            [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]],
        ):
            with pytest.raises(Refusal):
                verify(b"\n".join(changed))


@at_every_preset
def test_a_cut_record_is_refused(table, records):
    data = records[str(table)]
    for size in (0, 1, 20, len(data) // 2, len(data) - 3):
        with pytest.raises(Refusal):
            verify(data[:size])
