"""Brelan as a library: what its documentation shows is run, and it is light until it is used."""

import copy
import doctest
import importlib
import os
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from enum import Enum
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import brelan
from brelan import bots
from brelan.cards import SPECTATOR, below
from brelan.envs.matches import Matches
from brelan.errors import Illegal, Refusal, WrongSeat
from brelan.fast import engine
from brelan.games import find
from brelan.pieces import split
from brelan.play.record import verify
from brelan.words import LANGUAGES
from tests.tables import for_every_game

LIGHT = """
import sys, brelan
heavy = {"numpy", "numba", "gymnasium", "pettingzoo", "pyspiel", "brelan.library"} & sys.modules.keys()
brelan.match("gin").play("draw")
print(sorted(heavy), sorted({"numpy", "numba"} & sys.modules.keys()))
"""


TYPED = """
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import brelan
from brelan.envs import pettingzoo
from brelan.envs.gym import BrelanEnv, BrelanVectorEnv

brelan.mathces("gin", 10)  # refused
m = brelan.match("gin", seed=1)
m.options["target"] = 3  # refused
assert_type(m.observation(), NDArray[np.int32])
assert_type(m.pieces()["hand"], NDArray[np.int32])
assert_type(brelan.pieces.split(m.game.observation.PIECES, 2, m.observation()), dict[str, NDArray[np.int32]])
for match in brelan.read(m.record()):
    for seen, seat, move in match.decisions():
        assert_type((seen.turn, seat, move), tuple[int, int, str])
try:
    m.play("pass")
except brelan.Illegal as refused:
    assert_type(refused.rule, str)
assert_type(brelan.matches("gin", 3, who=("novice", "random")).shares, NDArray[np.float64])
brelan.matches("gin", 3, who=("strong",))  # refused
BrelanEnv("gin", opponents="novice", first=0, reward="win", render_mode="ansi").step(3)
BrelanEnv("gin", oponents="novice")  # refused
BrelanEnv("gin", render_mode="human")  # refused
BrelanVectorEnv("gin", 3, reward="wins")  # refused
BrelanVectorEnv("gin", 3, opponents="strong")  # refused
pettingzoo.parallel_env("gin", preset="classic", illegal_reward=-1.0)
pettingzoo.env("gin", render_mode="rgb_array")  # refused
pettingzoo.env("gin", num_envs=2)  # refused
"""


@pytest.mark.parametrize("module", ["brelan.library"])
def test_the_examples_in_the_documentation_run(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted
    assert not found.failed


def test_brelan_is_loaded_without_what_it_may_never_need():
    said = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True).stdout
    assert said == "[] []\n"
    with pytest.raises(AttributeError, match="has no attribute"):
        brelan.nothing  # noqa: B018
    assert {"Match", "match", "matches", "__version__"} <= {*dir(brelan)}


def test_what_brelan_offers_is_there_before_anything_was_asked_for():
    asked = "import brelan; brelan.pieces.split, brelan.games.GAMES, brelan.Refusal, brelan.errors"
    subprocess.run([sys.executable, "-c", asked], check=True)


def test_a_checker_of_types_knows_what_there_is_and_what_it_gives(tmp_path):
    """Any name would be taken for one of ours, and nothing said of what comes of it, if types were left out."""
    for package in ("mypy", "gymnasium"):
        pytest.importorskip(package)
    program = tmp_path / "program.py"
    program.write_text(TYPED)
    check = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", tmp_path, "--strict", program]
    home = os.environ | {"MYPYPATH": str(Path(brelan.__file__).parents[1])}
    check += ["--follow-imports=silent", "--ignore-missing-imports"]
    said = subprocess.run(check, capture_output=True, text=True, env=home).stdout
    wrong = [str(number) for number, line in enumerate(TYPED.splitlines(), 1) if "# refused" in line]
    assert re.findall(r"program.py:(\d+): error", said) == wrong, said


def test_a_match_takes_what_match_does_and_nothing_else_by_name():
    assert signature(brelan.Match).parameters == signature(brelan.match).parameters
    with pytest.raises(TypeError, match="'preste'"):
        brelan.Match("gin", preste="classic")


def test_players_and_seed_are_told_apart_by_their_names():
    for door in (lambda: brelan.match("gin", 2), lambda: brelan.matches("gin", 10, 2)):
        with pytest.raises(TypeError, match="positional argument"):
            door()


@for_every_game
def test_a_match_shows_itself_as_the_seat_that_is_asked_sees_it(game):
    for language in LANGUAGES:
        m = brelan.match(game.id, players=game.seats[-1], seed=3, language=language)
        m.bot("random", moves=9)
        assert repr(m) == m.text(m.turn) != m.text((m.turn + 1) % m.players)
        assert m._repr_html_() == m.html(m.turn) != m.html((m.turn + 1) % m.players)
        moves = re.findall("<code>(.*?)</code>", m.html())
        assert moves
        assert set(moves) <= set(m.legal())


@for_every_game
def test_a_page_is_whole_and_shows_no_card_that_the_seat_may_not_know(game):
    m = brelan.match(game.id, seed=6).bot("random", moves=5)
    seat = (m.turn + 1) % m.players
    scene = m._scene(seat)
    shown = re.findall(r'title="([^"]*)"', m.html(seat))
    assert sorted(shown) == sorted(card.alt for zone in scene.zones for card in zone.cards if card.face)
    assert sorted(re.findall(r"<(\w+)", m.html(seat))) == sorted(re.findall(r"</(\w+)", m.html(seat)))


def test_a_seed_repeats_a_match_and_another_gives_another():
    first, same, other = (brelan.match("mio", seed=seed).bot(moves=30).lines for seed in (1, 1, 2))
    assert first == same != other


def known(match, seat, move):
    """What a seat knows and may do, and what it does."""
    return match.observation(seat).tolist(), match.legal(seat), match.text(seat), seat, move


@for_every_game
def test_a_record_that_is_read_shows_every_decision_as_it_was_made(game):
    match, made = brelan.match(game.id, players=game.seats[-1], seed=2, first=1), []
    while not match.over:
        twin, played = copy.copy(match), len(match.lines)
        move = next(line for line in match.bot().lines[played:] if "move" in line)
        made.append(known(twin, move["seat"], move["move"]))
    next(line for line in match.lines if "move" in line)["by"] = "casual"  # as of a seat that a bot kept
    [again] = brelan.read(match.record().encode())
    assert [known(*decision) for decision in again.decisions()] == made
    assert repr(again) == repr(match)
    assert again.lines == match.lines


def test_a_match_shows_what_was_decided_until_now_while_it_is_played_on():
    match = brelan.match("gin", seed=1).bot(moves=3)
    assert len([match.bot() for _ in match.decisions()]) == 3
    assert len(list(match.decisions())) == 6


def test_what_is_read_is_a_record_and_right():
    record = brelan.match("gin", seed=1).bot(moves=10_000).record()
    read = brelan.read(record + record.replace('"scores": [83', '"scores": [84'), language="fr")
    first = next(read)
    assert (first.scores, first.winners) == ([83, 116], [1])
    assert first.text() == brelan.match("gin", seed=1, language="fr").bot(moves=10_000).text()
    with pytest.raises(Refusal, match=f"line {2 * record.count(chr(10))}: .*scores"):
        next(read)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
@for_every_game
def test_a_copy_plays_on_by_itself_and_in_the_same_way(game, twin):
    first = brelan.match(game.id, seed=6).bot(moves=40)
    was = list(first.lines)
    second = twin(first).bot(moves=10_000)
    assert first.lines == was
    assert second.record() == first.bot(moves=10_000).record()
    assert second.game is game


def test_a_game_that_no_room_holds_is_not_written_down_as_another():
    changed = replace(find("gin"), revision=99)
    assert copy.deepcopy(changed) is changed
    with pytest.raises(TypeError, match=r"it is not the GAME of brelan\.games\.gin"):
        pickle.dumps(changed)


def test_a_bot_plays_as_its_level_does_its_search_included():
    """The compiled search with the match's own chance; and that is not what the policy alone would play."""
    game, m = find("gin"), brelan.match("gin", seed=1)
    mind = bots.find(game, "master").mind
    searched, bare, played = [], [], []
    for _ in range(10):
        seat, chance = m.turn, list(m._random)
        seen = game.view.redact(m.state, seat)
        bare.append(game.notation.move_text(bots.at_once(game, "master", seen, seat, list(chance), "sheet")))
        found = bots.thinker_of(find("gin")).move(seen, seat, mind, below(chance, 1 << 30))
        searched.append(game.notation.move_text(found))
        played.append(next(line["move"] for line in reversed(m.bot("master").lines) if "move" in line))
    assert played == searched != bare


def test_many_matches_on_one_core_can_be_interrupted(monkeypatch):
    """Between two pieces: compiled code hears no Ctrl-C."""
    begun = []

    def interrupted(seed):
        begun.append(seed)
        if len(begun) == 3:
            raise KeyboardInterrupt
        return seed

    whole = brelan.matches("gin", 250, seed=3)
    monkeypatch.setattr(engine, "PIECE", 100)
    assert (brelan.matches("gin", 250, seed=3).results == whole.results).all()
    monkeypatch.setattr(engine, "run_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        brelan.matches("gin", 250, seed=3)


def test_what_cannot_be_done_is_refused():
    m = brelan.match("gin", seed=1)
    with pytest.raises(Illegal):
        m.play("pass")
    with pytest.raises(WrongSeat):
        m.play("draw", seat=1)
    with pytest.raises(ValueError, match="the match is not over yet"):
        m.record()
    with pytest.raises(ValueError, match="nobody"):
        brelan.matches("gin", 1, who=("nobody",))
    with pytest.raises(ValueError, match="not the text “novice”"):
        brelan.matches("gin", 1, who="novice")
    for options in ("target=50", [("target", 50)]):
        with pytest.raises(ValueError, match="“options” must be an object of names and values"):
            brelan.match("gin", options=options)
    with pytest.raises(ValueError, match="has no preset"):
        brelan.match("gin", preset=["sheet"])
    assert m.lines == brelan.match("gin", seed=1).lines


def test_what_is_made_of_a_header_does_not_change_its_match():
    match, twin = (brelan.match("mio", seed=1) for _ in range(2))
    match.header()["options"]["deck"].append(1)
    match.header()["options"]["target"] = 1
    assert match.header() == twin.header() == brelan.match("mio", seed=1).header()


@for_every_game
def test_a_game_names_itself_in_a_line(game):
    """Wherever it is printed, in a refusal too, and without what hangs on the memory of a process."""
    assert re.fullmatch(rf"<Game {game.id}: {game.title}, \d( to \d)? players, presets sheet(, \w+)*>", repr(game))
    assert "\n" not in repr(game)


def test_a_match_says_a_refusal_in_its_language():
    m = brelan.match("gin", seed=1, language="fr")
    with pytest.raises(Illegal, match="may not be played now") as refused:
        m.play("pass")
    assert "ne peut pas être joué maintenant" in m.words.refusal(refused.value)


@pytest.mark.parametrize(
    "door",
    [
        lambda: brelan.match(["gin"]),
        lambda: brelan.match("gin", language=["fr"]),
        lambda: brelan.match("gin", seed=1).bot(["novice"]),
        lambda: brelan.matches(["gin"], 1),
        lambda: brelan.matches("gin", 1, who=(["novice"],)),
        lambda: Matches(["gin"], 1),
        lambda: Matches("gin", 1, opponents=["novice"]),
        lambda: Matches("gin", 1, reward=["win"]),
    ],
)
def test_a_list_in_the_place_of_a_name_is_refused(door):
    """Of a mapping or a cache Python says that it cannot be hashed, which helps nobody."""
    with pytest.raises(Refusal, match=r"“\['(gin|fr|novice|win)'\]”.* (known|allowed): "):
        door()


NAMED = """
import enum, brelan
class Language(str, enum.Enum): fr = "fr"
class Level(str, enum.Enum): best = "casual"
said = [brelan.match("gin", seed=1, language=code).bot(Level.best).text() for code in (Language.fr, "fr", "en")]
print(said[0] == said[1] != said[2])
"""


def test_a_member_of_an_enum_of_texts_is_the_text_that_it_is_equal_to():
    """In a process that has not spoken yet: what is kept by a language is found under either."""
    said = subprocess.run([sys.executable, "-c", NAMED], capture_output=True, text=True, check=True).stdout
    assert said == "True\n"


@pytest.mark.parametrize(("lines", "bound"), [(-1, "at least 0"), (9, "at most 4")])
def test_no_more_lines_are_taken_back_than_there_are(lines, bound):
    match = brelan.match("gin", seed=1).bot(moves=3)
    was = list(match.lines)
    with pytest.raises(Refusal, match=f"“lines” must be {bound}, not {lines}."):
        match.back(lines)
    assert match.lines == was


def test_seeds_that_are_equal_deal_the_same_hands():
    seed = Enum("Seed", ["one"], type=int).one
    assert brelan.match("mio", seed=seed).lines == brelan.match("mio", seed=1).lines


def test_numbers_of_numpy_are_numbers():
    """As `np.flatnonzero` of an observation gives seats; a record holds Python's own."""
    match = brelan.match("mio", players=np.int64(2), seed=np.int64(1), first=np.int64(1))
    assert match.lines == brelan.match("mio", seed=1, first=1).lines
    seat = np.int64(match.turn)
    match.play(match.legal(seat)[0], seat).back(np.int64(1))
    match.play(match.legal(seat)[0], seat)
    match.bot(moves=10_000)
    assert [found.lines for found in verify(match.record().encode())] == [match.lines]
    plain = {"target": 50, "deck": [2, 2, 2, 2, 1, 1]}
    given = {"target": np.int64(50), "deck": np.array([2, 2, 2, 2, 1, 1])}
    assert brelan.match("mio", options=given).lines == brelan.match("mio", options=plain).lines
    assert brelan.match("mio", options=given | {"deck": list(given["deck"])}).options == plain
    table = {"seed": np.int64(1), "players": np.int64(2), "cores": np.int64(2)}
    assert brelan.matches("gin", np.int64(3), **table).wins == brelan.matches("gin", 3, seed=1).wins


@pytest.mark.parametrize("odd", [1.0, True, np.float64(1), "1", None])
def test_what_is_no_whole_number_is_refused_by_name(odd):
    match = brelan.match("gin", seed=1)
    doors = {
        "players": lambda: find("gin").new(odd),
        "first": lambda: brelan.match("gin", first=odd),
        "seed": lambda: brelan.match("gin", seed=odd),
        "lines": lambda: match.back(odd),
        "moves": lambda: match.bot(moves=odd),
        "count": lambda: brelan.matches("gin", odd),
    }
    if odd is not None:
        doors["seat"] = lambda: match.play("draw", odd)
    for name, door in doors.items():
        with pytest.raises(Refusal, match=rf"“{name}” must be a whole number, not {re.escape(repr(odd))}\."):
            door()


def test_fewer_moves_than_none_are_refused():
    with pytest.raises(Refusal, match="“moves” must be at least 0, not -1"):
        brelan.match("gin", seed=1).bot(moves=-1)


def test_nothing_is_played_when_the_match_is_over():
    m = brelan.match("gin", seed=1, options={"target": 1}).bot(moves=10_000)
    for seat in (None, 0):
        with pytest.raises(WrongSeat, match="The match is over"):
            m.play("draw", seat)


@pytest.mark.parametrize("seat", [-2, 2, 9])
@pytest.mark.parametrize("look", ["legal", "observation", "pieces", "text", "html"])
def test_nobody_looks_from_a_seat_that_is_not_there(look, seat):
    with pytest.raises(WrongSeat, match=f"no seat {seat}; seats are 0 to 1"):
        getattr(brelan.match("gin", seed=1), look)(seat)


def test_a_spectator_looks_on_and_may_do_nothing():
    m = brelan.match("gin", seed=1)
    assert m.legal(SPECTATOR) == []
    assert not m.pieces(SPECTATOR)["hand"].any()
    assert m.text(SPECTATOR) != m.text(0)


def test_a_row_of_another_number_of_seats_is_not_taken_apart():
    """Its numbers would have come out under the names of others."""
    row = brelan.match("companeros", players=4).observation()
    with pytest.raises(Refusal, match=r"An observation of 3 seats has 501 numbers, not 626\."):
        split(find("companeros").observation.PIECES, 3, row)


def test_batches_are_views_of_one_array():
    batch = brelan.matches("gin", 20, seed=1)
    assert batch.scores.base is batch.results or batch.scores.base is batch.results.base
    assert batch.scores.shape == (20, 2)


def test_batches_are_equal_where_all_their_matches_came_to_the_same():
    batch = brelan.matches("gin", 20, seed=1)
    assert batch == brelan.matches("gin", 20, seed=1, cores=2)
    assert batch not in (brelan.matches("gin", 20, seed=2), brelan.matches("gin", 19, seed=1), None)


def test_a_match_that_is_moved_or_taken_back_by_hand_is_dealt_on():
    """As `play` leaves it: somebody is asked until it is over."""
    match = brelan.match("mio", players=3, seed=2)
    while not any("shuffle" in line for line in match.lines[1:]):
        match.move(match.turn, match.legal()[0])
    lines = list(match.lines)
    match.back(0)
    assert match.lines == lines
    match.back(1)  # the shuffle, which is made again
    assert match.lines == lines
    match.back(2)
    assert match.lines == lines[:-2]
    assert match.turn in range(3)
