"""Bots that think in a process of their own: it may die, hang or talk nonsense, and nobody loses a match."""

import asyncio
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from brelan import bots, games
from brelan.bots import levels
from brelan.bots.levels import levels_read
from brelan.play.customs import Customs
from brelan.play.messages import Bot, Sit, Start
from brelan.play.table import Table
from brelan.server.ledger import metrics
from brelan.server.settings import Settings
from brelan.server.tables.thinking import (
    COMMAND,
    ONWARD,
    READ,
    THOUGHT,
    TROUBLES,
    Thinking,
    ask_of_person,
    pause,
    settled,
)
from tests.bots.programs import ANSWERS, FIRST, ODD
from tests.play.scripts import act, begun
from tests.tables import generator

LEVEL = {"version": 1, "weights": "hand", "worlds": 4}


@pytest.fixture
def thoughtful(monkeypatch):
    """Gin with one level that searches."""
    gin = games.find("gin")
    known = {
        "master": [LEVEL | {"version": 1}, LEVEL | {"version": 2}],
        "weights": {"hand": {"values": list(gin.policy.START)}},
    }
    monkeypatch.setattr(levels, "levels_read", lambda game: known if game == "gin" else levels_read(game))


def table_of(level="master@2", game="gin"):
    """A table at which a bot of that level is asked in seat 1."""
    players = games.find(game).seats[0]
    table = Table.made(lambda n: b"\1" * n, "abc", game, players, "anna", 0.0)
    sitting = [Bot(f"bot {seat}", seat, level) for seat in range(1, players)]
    for message in (Sit("sit", 0, "Anna"), *sitting, Start("start")):
        table.receive("anna", message, 0.0)
    while not table.match:
        table.tick(table.deadline)
    while table.match.asked() != [1]:
        (seat,) = table.match.asked()
        table._move(seat, bots.at_once(table.game, "novice", table.seen_by(seat), seat, [1], "sheet"), 1.0)
    return table


def test_a_bot_takes_longer_after_an_end_and_less_time_where_its_own_turn_goes_on():
    table, settings = table_of("novice"), Settings(bot_pause=(2.0, 2.0))
    assert pause(table, 1, settings) == 2.0
    table._move(1, table.game.notation.move_of("draw"), 1.0)
    assert table.match.asked() == [1]
    assert pause(table, 1, settings) == 2.0 * ONWARD
    table.window, claims = SimpleNamespace(race=True), Settings(bot_claim=(3.0, 3.0))
    assert pause(table, 1, claims) == 3.0, "nobody is hurried who may speak first"
    table.window = None
    table.outcomes[table.stage] = []
    assert pause(table, 1, settings) == 2.0 * READ


def test_a_bot_takes_as_long_as_the_table_says_whatever_it_holds():
    table, settings = table_of("novice"), Settings(bot_fast=(1.0, 1.0), bot_slow=(5.0, 5.0))
    for tempo, seconds in (("fast", 1.0), ("slow", 5.0), ("step", 60.0)):
        table.customs = Customs(tempo=tempo)
        assert pause(table, 1, settings) == seconds
    assert pause(table, 1, settings, told=True) == 1.0


def test_a_bot_hides_whether_it_has_searched():
    table = table_of("master", "companeros")
    for tempo, least in (("fast", 0.2), ("usual", 0.0), ("slow", 0.3)):
        table.customs = Customs(tempo=tempo)
        settings = Settings(bot_fast=(least, 0.4), bot_pause=(least, 0.4), bot_slow=(least, 0.4))
        assert {pause(table, 1, settings) for _ in range(20)} == {THOUGHT}
    table.customs = Customs(tempo="step")
    assert pause(table, 1, Settings(), told=True) == THOUGHT
    assert pause(table_of("novice"), 1, Settings(bot_fast=(0.2, 0.2)), told=True) == 0.2


def test_a_program_is_told_all_that_was_played_since_it_was_asked_last_whatever_was_said_for_it():
    """A friendly table thanks for everybody."""
    table, chance, asked = begun("hawaiki", 3, 3, manner="friendly"), generator(1), {}
    while not table.pause:
        seat = table.match.asked()[0]
        assert ask_of_person(table, seat, 20.0).heard == table.match.heard(seat, asked.get(seat, 0))
        asked[seat] = len(table.match.lines)
        act(table, chance)
    assert any(step.kind == "move" and not step.person for step in table.steps)


async def thought(thinking, table, times=1):
    """What a bot there answers, so many times, and seconds."""
    began = time.monotonic()
    try:
        done = asyncio.Event()
        for _ in range(times):
            thinking.begin(table, 1, done.set)
        first = thinking.begin(table, 1, done.set)
        assert first.fits(table)
        return (await first.answer).move, time.monotonic() - began
    finally:
        await thinking.close()


@pytest.fixture
def troubles(caplog, monkeypatch):
    """What was told of bots; all of it was counted, and nothing else."""

    def counted():
        sample = metrics.FIGURES.get_sample_value
        return {kind: sample("brelan_bot_troubles_total", {"kind": kind}) for kind in TROUBLES}

    def told():
        said = [said.fields for said in caplog.records if said.msg == "bots"]
        assert counted() == before | {fields["kind"]: before[fields["kind"]] + 1 for fields in said}
        return said

    before = counted()
    monkeypatch.setattr("brelan.server.ledger.logs._seen", {})
    return told


def command_of(fault, folder):
    script = folder / "odd.py"
    script.write_text(ANSWERS.format(ODD[fault]), "utf-8")
    return sys.executable, str(script)


def test_a_bot_thinks_in_the_process_and_not_here(monkeypatch):
    monkeypatch.setattr("brelan.server.tables.thinking.at_once", None)
    table = table_of("master", "companeros")
    move, _ = asyncio.run(thought(Thinking(), table, times=3))
    assert move in table.match.legal(1)


def test_what_lies_in_the_folder_of_the_house_is_not_run(monkeypatch, tmp_path, troubles):
    """There may be files of somebody's own under a library's name, and others may write there."""
    for module in ("random", "pickle", "brelan"):
        (tmp_path / f"{module}.py").write_text("open('came', 'w')", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("brelan.server.tables.thinking.at_once", None)
    asyncio.run(thought(Thinking(), table_of("master", "companeros")))
    assert (troubles(), (tmp_path / "came").exists()) == ([], False)


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="only Linux asks whom to end first")
def test_where_memory_is_short_the_process_goes_before_the_house(thoughtful, tmp_path):
    script, told = tmp_path / "short.py", tmp_path / "told"
    reading = f"open({str(told)!r}, 'w').write(open('/proc/self/oom_score_adj').read())"
    script.write_text(ANSWERS.format(f"{reading}; {FIRST}"), "utf-8")
    asyncio.run(thought(Thinking((sys.executable, str(script)), 30.0), table_of()))
    assert int(told.read_text()) > int(Path("/proc/self/oom_score_adj").read_text())


def test_a_process_that_failed_is_not_started_for_every_move(thoughtful, tmp_path, monkeypatch):
    monkeypatch.setattr("brelan.server.tables.thinking.CALM", 60.0)
    table, starts = table_of(), tmp_path / "starts"

    async def four():
        thinking = Thinking((sys.executable, "-c", f"open({str(starts)!r}, 'a').write('x')"), 30.0)
        for _ in range(4):
            await thinking.begin(table, 1, lambda: None).answer
        await thinking.close()

    asyncio.run(four())
    assert starts.read_text() == "x"


LATE = [fault for fault in ODD if fault.startswith("bot_late")]


@pytest.mark.parametrize("fault", [fault for fault in ODD if fault not in LATE])
def test_a_process_that_fails_costs_nobody_a_match(fault, thoughtful, tmp_path):
    table = table_of()
    move, seconds = asyncio.run(thought(Thinking(command_of(fault, tmp_path), 30.0), table))
    assert move in table.match.legal(1)
    assert seconds < 25


def test_a_process_that_talks_nonsense_unasked_keeps_the_next_bot_waiting_no_longer(thoughtful, tmp_path):
    """Nobody hears it any more."""
    script, table = tmp_path / "odd.py", table_of()
    script.write_text(ANSWERS.format(f"{FIRST}; print('nonsense', flush=True)"), "utf-8")

    async def twice():
        thinking = Thinking((sys.executable, str(script)), 30.0)
        await thinking.begin(table, 1, lambda: None).answer
        await thinking._reader
        return await thought(thinking, table)

    move, seconds = asyncio.run(twice())
    assert move in table.match.legal(1)
    assert seconds < 25


def test_the_log_says_how_a_process_ended(thoughtful, tmp_path, troubles):
    asyncio.run(thought(Thinking(command_of("bot_killed", tmp_path), 30.0), table_of()))
    (fields,) = troubles()
    assert fields == {"kind": "failed", "why": "bot_killed", "status": -9}


def test_the_log_says_which_game_could_not_be_compiled(thoughtful, tmp_path, troubles):
    failed = 'print(json.dumps({"type": "failed", "game": "gin", "why": "MemoryError"}), flush=True)'
    script = tmp_path / "failing.py"
    script.write_text(ANSWERS.format(f"{failed}; {FIRST}"), "utf-8")
    asyncio.run(thought(Thinking((sys.executable, str(script)), 30.0), table_of(), times=0))
    (fields,) = troubles()
    assert fields == {"kind": "not_compiled", "why": "MemoryError", "game": "gin"}


@pytest.mark.parametrize("fault", LATE)
def test_a_process_that_hangs_is_waited_for_no_longer_than_it_may(fault, thoughtful, tmp_path):
    table = table_of()
    move, seconds = asyncio.run(thought(Thinking(command_of(fault, tmp_path), 0.5), table))
    assert move in table.match.legal(1)
    assert seconds < 25


def test_a_process_that_answers_others_is_not_ended_for_whom_it_lets_wait(thoughtful, tmp_path, troubles):
    script, table = tmp_path / "busy.py", table_of()
    script.write_text(ANSWERS.format(f"if said['id'] != 2: {FIRST}"), "utf-8")

    async def three():
        thinking = Thinking((sys.executable, str(script)), 30.0)
        await thinking.begin(table, 1, lambda: None).answer
        thinking.seconds = 2.0
        moves = await asyncio.gather(*(thinking.begin(table, 1, lambda: None).answer for _ in range(2)))
        await thinking.close()
        return moves

    assert {answer.move for answer in asyncio.run(three())} <= set(table.match.legal(1))
    assert troubles() == [{"kind": "busy"}]


def test_a_bot_does_not_wait_where_many_do_already(thoughtful, tmp_path, monkeypatch):
    monkeypatch.setattr("brelan.server.tables.thinking.MOST", 2)
    table = table_of()

    async def three():
        thinking = Thinking(command_of("bot_late", tmp_path), 30.0)
        *waiting, last = (thinking.begin(table, 1, lambda: None).answer for _ in range(3))
        move = (await last).move
        assert not any(answer.done() for answer in waiting)
        await thinking.close()
        return move

    assert asyncio.run(three()) in table.match.legal(1)


def test_a_house_that_closes_finds_no_fault_with_the_process_that_thinks(thoughtful, tmp_path, troubles):
    table = table_of()

    async def closed():
        thinking = Thinking(command_of("bot_late", tmp_path), 30.0)
        begun = thinking.begin(table, 1, lambda: None)
        while not thinking._asked:
            await asyncio.sleep(0.01)
        await thinking.close()
        return (await begun.answer).move

    assert asyncio.run(closed()) in table.match.legal(1)
    assert troubles() == []


def test_a_process_that_cannot_be_started_is_no_misfortune(thoughtful):
    table = table_of()
    assert asyncio.run(thought(Thinking(("/no/such/program",)), table))[0] in table.match.legal(1)


def test_a_process_that_cannot_be_started_is_told_of_and_not_tried_for_every_move(thoughtful, troubles, monkeypatch):
    async def full(*command, **_):
        tries.append(command)
        raise BlockingIOError

    tries = []
    monkeypatch.setattr("asyncio.create_subprocess_exec", full)
    asyncio.run(thought(Thinking(), table_of(), times=3))
    assert tries == [COMMAND]
    (fields,) = troubles()
    assert fields == {"kind": "failed", "why": "BlockingIOError", "status": None}


def test_a_bot_sits_down_by_the_version_of_its_level(thoughtful):
    table = table_of()
    assert settled(table, Bot("key", 0, "master")).level == "master@2"
    assert settled(table, Bot("key", 0, "master@1")).level == "master@1"
    assert settled(table, Bot("key", 0, "novice")).level == "novice"
    assert settled(table, Bot("key", 0, None)).level is None


def test_a_thought_about_what_is_over_is_not_played(thoughtful):
    async def later():
        table, thinking = table_of(), Thinking(("/no/such/program",))
        about = thinking.begin(table, 1, lambda: None)
        table._move(1, table.game.notation.move_of((await about.answer).move), 2.0)
        return about.fits(table)

    assert asyncio.run(later()) is False


@pytest.mark.parametrize("level", ["novice", "master@2"])
def test_a_thought_is_about_the_table_as_it_was_when_it_began(level, thoughtful):
    """The task runs later: by then the table may ask another seat, or nobody, and no bot must stumble over that."""

    async def moved_on():
        table, thinking = table_of(level), Thinking(("/no/such/program",))
        table._move(1, table.game.notation.move_of("draw"), 1.5)
        may = table.match.legal(1)
        about = thinking.begin(table, 1, lambda: None)
        while 1 in table.match.asked():
            table._move(1, table.game.notation.move_of(table.match.legal(1)[0]), 2.0)
        return (await about.answer).move in may

    assert asyncio.run(moved_on())
