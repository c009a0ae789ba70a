"""The arena: equal deals for everybody, the same figures however and wherever it runs, and honest intervals."""

import json
import os
import signal
import sys
import time
from dataclasses import replace
from itertools import chain, product
from math import sqrt
from threading import Event, Timer

import pytest

from brelan import games
from brelan.bots import levels, minds, thinker_of
from brelan.bots.levels import BASELINES, find
from brelan.bots.minds import MATCH
from brelan.bots.thinker import Thinker
from brelan.cli import main
from brelan.cores import all_cores
from brelan.errors import Refusal
from brelan.fast import engine as fast_engine
from brelan.lab import arena, arena_report, balance, course, courses, duels, engines, players, runs, simulate
from brelan.lab.arena import BLOCK, STARTED, Block, Plan, Table, run
from brelan.lab.duels import Shares, rotations, shares, student
from brelan.words import Words
from tests.bots.programs import ANSWERS
from tests.lab.arenas import PLAN, played


def test_everybody_sits_everywhere_alone_and_among_others():
    assert rotations(2) == [[0, 1], [1, 0]]
    assert sorted(rotations(3)) == sorted([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.fixture
def luckless(monkeypatch):
    """A thinker, interpreted, whose policy draws no luck."""
    game = games.find("companeros")
    monkeypatch.setattr(game.policy, "below", lambda random, n: 0)
    return Thinker(game, compiled=False)


def test_every_rotation_of_a_deal_has_the_same_cards(luckless):
    """Where all make the same of the same cards, all rotations are the same match, and nobody gains anything."""
    order, novice = rotations(3), BASELINES["novice"]
    batch = luckless.duels([novice, novice], order, 5, 0, 30)
    deals = [{tuple(row) for row in deal} for deal in batch.results.reshape(30, len(order), -1).tolist()]
    assert all(len(played) == 1 for played in deals)
    assert len(set.union(*deals)) == 30
    found = shares(batch, 3, order)
    assert (found.mean(), found.mean("few"), found.mean("points")) == pytest.approx((0, 0, 0))


def test_the_first_seat_goes_round_from_deal_to_deal(luckless, monkeypatch):
    begun, desk, who = [], luckless.desk, [BASELINES["novice"]] * 2
    monkeypatch.setattr(luckless, "desk", lambda *given: begun.append(desk(*given)) or begun[-1])
    for deal in range(7):
        luckless.duels(who, rotations(3), 5, deal, 1)
    assert [desk.states[MATCH].first for desk in begun] == [0, 1, 2, 0, 1, 2, 0]


def test_duels_are_the_same_wherever_a_block_begins():
    thinker, who = Thinker(games.find("companeros"), compiled=False), [BASELINES["novice"], BASELINES["random"]]
    blocks = [(0, 4), (0, 2), (2, 2)]
    whole, a, b = (thinker.duels(who, rotations(3), 5, *block).results.tolist() for block in blocks)
    assert whole == a + b


def endless(monkeypatch, most):
    """A round of more decisions is taken for one without an end."""
    for module in (minds, fast_engine):
        monkeypatch.setattr(module, "ENDLESS", most)


def test_a_match_that_does_not_end_is_named(monkeypatch):
    """At three seats of Compañeros a round takes 27 cards, and what is taken from the pot: fewer than 60 moves."""
    who, game = [BASELINES["novice"]] * 2, games.find("companeros")
    endless(monkeypatch, 60)
    assert len(Thinker(game, compiled=False).duels(who, rotations(3), 5, 2, 1, options={"rounds": 3}).results) == 6
    endless(monkeypatch, 30)
    with pytest.raises(Refusal, match="Match 12 does not end: a round of it takes more than 30 moves"):
        Thinker(game, compiled=False).duels(who, rotations(3), 5, 2, 1, options={"rounds": 3})


class Watching:
    """Plays the first legal move, and keeps what it sees: who is first, and the shuffles."""

    def __init__(self, seen):
        self.seen = seen

    def move(self, match, seat, seed):
        shuffled = [tuple(line["shuffle"]) for line in match.lines if "shuffle" in line]
        self.seen.setdefault(id(match), (match, match.first, shuffled[0], seed))
        return match.legal(seat)[0]

    def close(self):
        """Nothing is open."""


def test_move_by_move_every_rotation_has_the_same_cards_and_first_seat_too():
    """Wherever a block begins: deal 3 of a run is the same in all of them."""
    plan, seen = Plan("companeros", ("a", "b"), 3), {}
    for block in (Block("a", "b", 0, 2), Block("a", "b", 2, 3)):
        arena.by_moves(plan, block, lambda name, seconds: Watching(seen))
    matches, each = [begun[1:] for begun in seen.values()], len(rotations(3))
    deals = [matches[at : at + each] for at in range(0, len(matches), each)]
    assert all(len(set(deal)) == 1 for deal in deals)
    assert [deal[0][0] for deal in deals] == [0, 1, 2, 0, 1]
    assert len({deal[0][1] for deal in deals}) == 5


def test_luck_and_deals_of_programs_hang_on_the_seed_and_on_a_salt_of_the_run():
    begun = {}
    for seed, salt in product((1, 2), ("", "", "x", "y")):
        plan, seen = Plan("companeros", ("a", "b"), 3, seed=seed, salt=salt), {}
        arena.by_moves(plan, Block("a", "b", 0, 5), lambda name, seconds, seen=seen: Watching(seen))
        begun.setdefault((plan.seed, plan.salt), set()).update(first[2:] for first in seen.values())
    deals, lucks = zip(*chain(*begun.values()), strict=True)
    assert len(set(deals)) == len(set(lucks)) == len(deals) == 30
    assert max(lucks) < 1 << 62


def test_a_match_of_programs_that_does_not_end_is_shared_and_told(monkeypatch):
    """In gin, who always draws and never knocks deals for ever, though each of its rounds ends."""
    monkeypatch.setattr(players, "MOST", 200)
    plan = Plan("gin", ("cmd:a", "cmd:b"), 2)
    table, block = Table(plan), Block(*plan.bots, 0, 2)
    table.came[block] = found = arena.by_moves(plan, block, lambda name, seconds: Watching({}))
    assert (found.wins, found.wins2, found.endless) == (0, 0, 4)
    said = arena_report.as_text(arena_report.as_data(table, {}, Words("en")), Words("en"))
    assert said.endswith("shared by all seats: cmd:a 4, cmd:b 4.")


def test_the_share_of_the_better_one_is_found_both_ways_and_adds_up():
    table = played()
    novice, random = table.alone("novice", "random"), table.alone("random", "novice")
    assert random[0] < 1 / 3 - random[1]
    assert novice[0] > 1 / 3 + novice[1]
    assert novice[2] == random[2] == PLAN.deals
    assert table.ratings()["novice"] == 0 > table.ratings()["random"]


def test_the_interval_is_that_of_independent_deals():
    values = [0.5, -0.5, 0.5, 0.5, -0.25]
    found = sum((Shares(1, v, v * v, v, v * v, v, v * v) for v in values), Shares())
    mean = sum(values) / 5
    spread = sqrt(sum((v - mean) ** 2 for v in values) / 4)
    assert found.mean() == pytest.approx(mean)
    assert found.error() == pytest.approx(spread / sqrt(5))
    assert Shares(1).error() == float("inf")


@pytest.mark.parametrize(("freedom", "quantile"), [(3, 3.182), (5, 2.571), (9, 2.262), (29, 2.045), (1999, 1.961)])
def test_few_deals_have_students_wider_interval(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, rel=0.01)
    found = sum((Shares(1, v, v * v) for v in range(freedom + 1)), Shares())
    assert found.interval()[1] == pytest.approx(found.mean() + found.error() * quantile, rel=0.01)


def test_the_same_table_is_told_in_one_way():
    """However its options are named, what was played at it is found again."""
    named = [{}, {"target": 100}, {"target": 50, "gin_bonus": 30}, {"gin_bonus": 30, "target": 50}]
    plans = [Plan("gin", ("novice", "random"), 2, options=options) for options in named]
    told = [json.dumps(plan.decides(plan.blocks()[0])) for plan in plans]
    assert (told[0] == told[1], told[2] == told[3], told[0] == told[2]) == (True, True, False)


def test_who_takes_time_plays_deal_by_deal():
    """So that what is interrupted has lost little, and tells how far it is."""
    plan = Plan("gin", ("cmd:mine", "novice", "skilled", "strong"), 2, deals=BLOCK)
    sizes = {(block.a, block.b): block.deals for block in plan.blocks()}
    assert [pair for pair, deals in sizes.items() if deals == BLOCK] == [("novice", "skilled")]
    assert {deals for (a, _), deals in sizes.items() if a == "cmd:mine"} == {STARTED}
    assert {sizes["novice", "strong"], sizes["skilled", "strong"]} == {1}
    assert {block.deals for block in replace(plan, block=5).blocks()} == {5}


@pytest.mark.parametrize("engine", ["here", "cores"])
def test_who_interrupts_keeps_what_is_finished_and_waits_for_nothing(engine, tmp_path, monkeypatch):
    """Of what is under way, which nobody can stop, nothing is written down."""
    file, held = tmp_path / "blocks.jsonl", Event()
    monkeypatch.setattr(arena, "play", lambda plan, block: Shares() if block.first < BLOCK else held.wait(60))
    Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(run(PLAN, engine, file))
    assert time.monotonic() - began < 20
    assert len(file.read_text("utf-8").splitlines()) == 1
    held.set()


@pytest.mark.parametrize("engine", ["here", "cores"])
def test_who_has_enough_waits_for_what_is_under_way(engine):
    """Nothing goes on behind the back of whoever asked for it."""
    begun, ended = [], []

    def play(plan, work):
        begun.append(work)
        time.sleep(0.1 * work)
        ended.append(work)

    asked = engines.done(engine, play, None, range(8))
    assert [next(asked)[0] for _ in range(2)] == [0, 1]
    asked.close()
    assert sorted(begun) == sorted(ended)
    assert len(ended) < 8 or all_cores() > 6


@pytest.mark.parametrize("engine", [engine for engine in engines.ENGINES if engine != "here"])
def test_every_engine_finds_the_same(engine):
    assert played(engine=engine).came == played().came


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path, monkeypatch):
    file = tmp_path / "blocks.jsonl"
    whole = played(file=file)
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([lines[0], lines[1][:30]]), "utf-8")
    play, again = arena.play, []
    monkeypatch.setattr(arena, "play", lambda plan, block: again.append(block) or play(plan, block))
    assert played(file=file).came == whole.came
    assert [block.first for block in again] == [BLOCK, 2 * BLOCK]
    assert played(file=file).came == whole.came
    assert len(again) == 2


@pytest.mark.parametrize("left", [b"\0", b"\0" * 5000, b'{"of"\0\0', b'{"of":{"game":"gin\0\0'])
def test_what_the_power_left_of_a_line_is_a_line_that_was_cut(left, tmp_path, monkeypatch):
    """A file may have grown before its bytes were on the disk: then it ends in zeros."""
    file = tmp_path / "blocks.jsonl"
    whole = played(file=file)
    first = file.read_bytes().splitlines(keepends=True)[0]
    file.write_bytes(first + left)
    assert played(file=file).came == whole.came
    monkeypatch.setattr(arena, "play", None)
    assert played(file=file).came == whole.came  # what was played then was noted behind the zeros, on lines of its own
    assert file.read_bytes().startswith(first + left + b"\n")


def test_figures_of_another_plan_are_not_taken(tmp_path, monkeypatch):
    file = tmp_path / "blocks.jsonl"
    played(file=file)
    other = Plan("companeros", ("random", "novice"), 3, deals=BLOCK, seed=7)
    again = []
    monkeypatch.setattr(arena, "play", lambda plan, block: again.append(block) or Shares())
    assert len(dict(arena.run(other, file=file))) == len(again) == 1
    more = Plan("companeros", ("random", "novice"), 3, deals=4 * BLOCK)
    assert len(dict(arena.run(more, file=file))) == 4
    assert [block.first for block in again] == [0, 3 * BLOCK]


def check_all_is_played_again(folder, monkeypatch, module, name, value):
    """Once a module says something else, of which a run's file knows nothing."""
    file, again = folder / "blocks.jsonl", []
    played(file=file)
    monkeypatch.setattr(arena, "play", lambda plan, block: again.append(block) or Shares())
    monkeypatch.setattr(runs, "edition", runs.edition.__wrapped__)
    assert len(dict(run(PLAN, file=file))) == 3 > len(again)
    monkeypatch.setattr(module, name, value)
    assert len(dict(run(PLAN, file=file))) == len(again) == 3


def test_figures_of_another_policy_are_not_taken(tmp_path, monkeypatch):
    """Nor of other rules, weights or nets, whose names and revision stay the same while somebody works on them."""
    sources = thinker_of(games.find(PLAN.game)).engine.twins.sources
    check_all_is_played_again(tmp_path, monkeypatch, sources, "said", "another")


@pytest.mark.parametrize("module", [course, courses, duels], ids=lambda module: module.__name__.rpartition(".")[2])
def test_figures_that_were_counted_in_another_way_are_not_taken(module, tmp_path, monkeypatch):
    other = tmp_path / "other.py"
    other.write_text("WHOLE = 1")
    check_all_is_played_again(tmp_path, monkeypatch, module, "__file__", str(other))


NO_RUNS = b"# Notes", b"# Notes\0", b"[]", b'{"mine":1}', b"3", b"\xff", b"[" * 90_000


@pytest.mark.parametrize("line", NO_RUNS, ids=range(len(NO_RUNS)))
def test_a_file_that_is_no_runs_is_refused_and_left_as_it_is(line, tmp_path):
    file = tmp_path / "blocks.jsonl"
    file.write_bytes(line + b"\n")
    with pytest.raises(Refusal) as refused:
        played(file=file)
    assert refused.value.key == "run_other"
    assert file.read_bytes() == line + b"\n"


@pytest.mark.parametrize("came", ['{"deal":1}', '{"wins":"x"}', '{"wins":NaN}', "null"])
def test_what_no_block_can_come_to_is_refused(came, tmp_path):
    file, (block, *_) = tmp_path / "blocks.jsonl", PLAN.blocks()
    file.write_text(f'{{"of":{runs.of_block(PLAN, block)},"came":{came}}}\n', "utf-8")
    with pytest.raises(Refusal) as refused:
        played(file=file)
    assert refused.value.key == "run_other"


def test_a_program_plays_anew_whatever_its_command_came_to_before(tmp_path, monkeypatch):
    """Nobody knows what stands behind a command by now."""
    again, file = [], tmp_path / "blocks.jsonl"
    monkeypatch.setattr(arena, "check_player", lambda name, game, seconds: None)
    monkeypatch.setattr(arena, "play", lambda plan, block: again.append({block.a, block.b}) or Shares())
    plan = Plan("gin", ("cmd:mine", "random", "novice"), 2, deals=BLOCK, block=BLOCK)
    runs.note(file, runs.of_block(plan, Block("cmd:mine", "novice", 0, BLOCK)), Shares())
    for _ in range(2):
        assert len(dict(run(plan, file=file))) == 3
    assert [pair for pair in again if "cmd:mine" not in pair] == [{"random", "novice"}]
    assert again.count({"cmd:mine", "novice"}) == again.count({"cmd:mine", "random"}) == 2
    assert len(file.read_text("utf-8").splitlines()) == 2


def test_figures_of_an_older_version_are_not_taken_for_the_newest(monkeypatch):
    plan = Plan("gin", ("novice", "casual"), 2)
    (block,) = {plan.decides(block)["b"] for block in plan.blocks()}
    assert block == find(games.find("gin"), "casual").id != "casual"


def test_who_fails_while_it_is_timed_has_no_pace(monkeypatch):
    closed = []

    class Failing:
        def move(self, match, seat, seed):
            raise Refusal("bot_gone")

        def close(self):
            closed.append(True)

    monkeypatch.setattr(arena, "player", lambda name, seconds: Failing())
    assert arena.pace(PLAN, "random") is None
    assert closed


def test_a_slow_program_is_timed_by_the_moves_that_it_makes_in_time(monkeypatch):
    asked = []

    class Slow:
        def move(self, match, seat, seed):
            asked.append(seat)
            return match.legal(seat)[0]

        def close(self):
            pass

    monkeypatch.setattr(arena, "player", lambda name, seconds: Slow())
    monkeypatch.setattr(arena, "ENOUGH", 0.0)
    assert arena.pace(PLAN, "random", moves=50)
    assert len(asked) > 50
    asked.clear()
    assert arena.pace(PLAN, "cmd:slow", moves=50)
    assert 3 <= len(asked) < 50


def test_who_breaks_off_while_moves_are_timed_keeps_the_report(tmp_path, monkeypatch):
    def broken_off(plan, bot):
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "pace", broken_off)
    assert main(["arena", "gin", "--bots", "random,novice", "--deals", "1", "--save", str(tmp_path)]) == 130
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert (len(report["shares"]), report["milliseconds"]) == (2, {})


def test_what_came_to_the_same_in_every_deal_is_not_taken_for_certain():
    table = Table(Plan("gin", ("random", "novice"), 2))
    table.came[Block("random", "novice", 0, 30)] = Shares(30, -15.0, 7.5, -15.0, 7.5)
    assert table.alone("novice", "random") == (1, pytest.approx(0.1), 30)  # three deals of thirty


def test_no_interval_is_wider_than_all_there_is():
    table = Table(Plan("gin", ("random", "novice"), 2))
    table.came[Block("random", "novice", 0, 3)] = Shares(3, 0.0, 0.5, 0.0, 0.5)
    assert [table.alone(*pair) for pair in (("random", "novice"), ("novice", "random"))] == [(0.5, 1.0, 3)] * 2


def test_what_a_program_writes_as_it_fails_is_shown_once_and_not_in_each_match(tmp_path, capfd):
    script = tmp_path / "failing.py"
    script.write_text(ANSWERS.format("raise ValueError(said['id'])"), "utf-8")
    failing = f"cmd:{sys.executable} {script}"
    table = played(Plan("gin", (failing, "novice"), 2, deals=2, block=1))
    assert table.faults() == {failing: 4}
    assert capfd.readouterr().err.count("Traceback") == 1


def test_a_program_is_looked_at_once_before_it_plays(tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(arena, "check_player", lambda name, game, seconds: looked.append(name))
    monkeypatch.setattr(arena, "play", lambda plan, block: Shares())
    monkeypatch.setattr(arena, "pace", lambda plan, bot: None)
    assert main(["arena", "gin", "--bots", "cmd:mine,novice", "--deals", "1", "--engine", "here"]) == 0
    assert looked == ["cmd:mine", "novice"]


def test_what_programs_play_is_said_not_to_be_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LANG", "en")
    monkeypatch.setattr(arena, "check_player", lambda name, game, seconds: None)
    monkeypatch.setattr(arena, "run", lambda plan, engine, file: [])
    monkeypatch.setattr(arena, "pace", lambda plan, bot: None)
    for bots, said in ("cmd:mine,novice", 1), ("random,novice", 0):
        assert main(["arena", "gin", "--bots", bots, "--save", str(tmp_path / str(said))]) == 0
        assert capsys.readouterr().err.count("What programs play is not kept") == said


def test_who_is_not_named_is_every_level_that_there_is(monkeypatch, capsys):
    """A game just begun has none yet."""
    monkeypatch.setattr(levels, "levels_read", lambda game_id: {})
    assert main(["arena", "companeros", "--deals", "4", "--engine", "here", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"]["bots"] == ["random", "novice"]


@pytest.mark.parametrize(
    ("plan", "key"),
    [
        (Plan("companeros", ("novice",), 3), "arena_bots"),
        (Plan("companeros", ("novice", "genius"), 3), "level"),
        (Plan("companeros", ("novice", "random"), 2), "players"),
        (replace(PLAN, deals=-1), "at_least"),
        (replace(PLAN, deals=1.5), "record_whole"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(plan, key):
    for door in (plan.check, lambda: run(plan)):
        with pytest.raises(Refusal) as refused:
            door()
        assert refused.value.key == key


FEW = simulate.Plan("gin", 2)


@pytest.mark.parametrize(
    "door",
    [
        lambda engine: run(PLAN, engine),
        lambda engine: balance.run(balance.Plan("gin", 2, matches=2), engine),
        lambda engine: simulate.simulate(FEW, 1, engine=engine),
        lambda engine: engines.in_processes(engine, 1, abs, [1]),
    ],
)
def test_an_engine_that_there_is_not_is_refused(door):
    """It would have been taken for all cores."""
    with pytest.raises(Refusal, match=r"“engine” may not be “core”; allowed: here \| cores \| ray"):
        list(door("core"))


@pytest.mark.parametrize(("matches", "wrong"), [(-1, "at least 0, not -1"), (1.5, "a whole number, not 1.5")])
def test_no_other_number_of_matches_is_simulated(matches, wrong):
    with pytest.raises(Refusal, match=f"“matches” must be {wrong}"):
        list(simulate.simulate(FEW, matches))
