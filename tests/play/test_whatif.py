"""What if: played on from a finished match, with its chance; the whole record is right to the letter."""

import itertools
from dataclasses import replace

import pytest

from brelan import bots
from brelan.errors import Refusal
from brelan.play.messages import Again, Bot, Next, Nonce, Sit, Start
from brelan.play.record import verify
from brelan.play.replay import NotOver, Replay, origin_at, record_of
from brelan.play.shown import Viewer, table_shown
from brelan.play.table import Table
from brelan.server.matches.results import is_rated
from brelan.words import LANGUAGES, Words
from tests.tables import TABLES, bare, generator

SHEETS = [t for t in TABLES if t.preset == "sheet" and t.players == t.game.seats[0]]
NOW = 1000.0


numbers = itertools.count(1)


def draw(count):
    return next(numbers).to_bytes(count, "big")


def begun(table, origin=None):
    """Anna against bots, at a table of that kind; with an origin, from there on."""
    made = Table.made(draw, "abcdef", table.game.id, table.players, "anna", NOW, table.preset, origin=origin)
    made.receive("anna", Sit("sit", 0, "Anna"), NOW)
    for seat in range(1, table.players):
        made.receive("anna", Bot(f"bot {seat}", seat, "novice"), NOW)
    made.receive("anna", Start("start"), NOW)
    if made.wants_nonce(0):
        made.receive("anna", Nonce("ab" * 16), NOW)
    return made


def play_on(table, level="novice", seed=1):
    """Until the match is over; every seat by a bot of that level."""
    random = generator(seed)
    for _ in range(20_000):
        if table.match.over:
            return table
        if table.waits_for():
            table.receive("anna", Next(f"next {table.number}"), NOW)
            continue
        if table.pause:
            table.tick(NOW + 100)
            continue
        seat = table.match.asked()[0]
        table._move(seat, bots.at_once(table.game, level, table.seen_by(seat), seat, random, table.preset), NOW)
    raise AssertionError("no end")


def played(table):
    return play_on(begun(table))


@pytest.mark.parametrize("table", SHEETS, ids=str)
@pytest.mark.parametrize("part", [0.0, 0.4, 0.97])
def test_the_first_lines_are_the_same_and_the_whole_is_right_to_the_letter(table, part):
    past = played(table)
    replay = Replay(past.events, past.sealed.match)
    step = int(part * (len(replay.steps) - 2))
    what_if = begun(table, origin_at(replay, step))
    assert what_if.match.lines[: step + 1] == past.match.lines[: step + 1]
    assert all("shuffle" in line for line in what_if.match.lines[step + 1 :]), "only what is due is dealt"
    play_on(what_if, seed=99)
    old, new = (bare(record_of(one.events, one.sealed.match)) for one in (past, what_if))
    mark = new[0].pop("whatif")
    assert mark == {"match": what_if.sealed.match, "of": past.sealed.match, "line": step + 1}
    assert new[: step + 2] == old[: step + 2]
    assert new[-1]["secret"] == old[-1]["secret"]
    (match,) = verify(record_of(what_if.events, what_if.sealed.match).encode(), strict=True)
    assert match.lines == what_if.match.lines
    assert match.shuffles == sum("root" in line for line in new)


GIN = next(t for t in TABLES if str(t) == "gin-2-sheet")


@pytest.fixture(scope="module")
def past():
    return played(GIN)


def test_it_is_another_match_with_an_address_of_its_own(past):
    what_if = play_on(begun(GIN, origin_at(Replay(past.events, past.sealed.match), 10)), seed=5)
    assert what_if.sealed.match != past.sealed.match
    assert Replay(what_if.events, what_if.sealed.match).table.origin.match == past.sealed.match
    with pytest.raises(Refusal):
        record_of(what_if.events, past.sealed.match)
    rebuilt = Table.rebuilt(draw, what_if.events)
    assert (rebuilt.match.lines, rebuilt.origin) == (what_if.match.lines, what_if.origin)


def test_once_more_begins_at_the_same_step_again(past):
    what_if = play_on(begun(GIN, origin_at(Replay(past.events, past.sealed.match), 10)), seed=5)
    first = what_if.sealed.match
    what_if.receive("anna", Again("again"), NOW)
    assert what_if.sealed.match != first
    assert what_if.match.lines == past.match.lines[:11]


def test_one_may_ask_what_if_of_a_what_if(past):
    one = play_on(begun(GIN, origin_at(Replay(past.events, past.sealed.match), 10)), seed=5)
    two = play_on(begun(GIN, origin_at(Replay(one.events, one.sealed.match), 20)), seed=6)
    assert two.match.lines[:21] == one.match.lines[:21]
    assert len(verify(record_of(two.events, two.sealed.match).encode(), strict=True)) == 1
    header = bare(record_of(two.events, two.sealed.match))[0]
    assert header["match"] == past.sealed.match
    assert header["whatif"]["of"] == one.sealed.match


def test_between_two_rounds_it_begins_with_the_pause(past):
    replay = Replay(past.events, past.sealed.match)
    what_if = begun(GIN, origin_at(replay, replay.rounds()[0].end))
    assert what_if.waits_for() == [0]
    assert what_if.match.due()


def test_friends_may_sit_down_first(past):
    """Nothing is dealt before every chair is taken; then the match stands at its step, whoever sits where."""
    origin = origin_at(Replay(past.events, past.sealed.match), 10)
    table = Table.made(draw, "abcdef", "gin", 2, "anna", NOW, origin=origin)
    table.receive("bob", Sit("sit", 1, "Bob"), NOW)
    table.receive("anna", Sit("sit", 0, "Anna"), NOW)
    assert table.status == "open"
    table.receive("anna", Start("start"), NOW)
    assert not table.wants_nonce(0)
    assert table.match.lines == past.match.lines[:11]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_everywhere_what_it_is_and_is_never_rated(past, language):
    what_if = begun(GIN, origin_at(Replay(past.events, past.sealed.match), 10))
    words = Words(language, "gin")
    for viewer in ("anna", "somebody"):
        shown = table_shown(what_if, Viewer(viewer, words), set())
        assert shown.title == words("whatif.title", game="Gin Rami") != "Gin Rami"
        assert past.sealed.match in shown.differs[0]
        assert (shown.origin.match, shown.origin.line) == (past.sealed.match, 11)
        assert shown.first == past.match.first
        assert shown.secret is None
    assert not is_rated(what_if)
    assert is_rated(past)
    assert table_shown(past, Viewer("anna", words), set()).origin is None


def test_there_is_no_what_if_before_the_end_or_after_it(past):
    replay = Replay(past.events, past.sealed.match)
    for step in (len(replay.steps) - 1, len(replay.steps), -1):
        with pytest.raises(Refusal):
            origin_at(replay, step)
    replay.steps[-1] = replace(replay.steps[-1], kind="shuffle")  # behind the last move, as in Hawaiki
    with pytest.raises(Refusal, match="Nothing is left"):
        origin_at(replay, len(replay.steps) - 2)
    playing = begun(GIN)
    with pytest.raises(NotOver):
        Replay(playing.events, playing.sealed.match)
