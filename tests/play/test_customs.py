"""What a table's customs may be, what they change for who watches, and tables that were made before there were any."""

from pathlib import Path

import msgspec
import pytest

from brelan.errors import Refusal
from brelan.play.claims import Window
from brelan.play.customs import BOUNDS, Customs
from brelan.play.messages import Move, Next
from brelan.play.seats import Answered, Event, Late
from brelan.play.table import Table
from tests.games.hawaiki.written import DECK, set_up, without
from tests.play.scripts import act, begun, drawing, made, play_on, two, undo, viewed
from tests.tables import generator

EVERY = {
    "pace": "live",
    "bank": 60,
    "increment": 0,
    "days": 14,
    "watch": False,
    "listed": True,
    "talk": True,
    "hints": True,
    "keeper": "strong@1",
    "grace": 600,
    "tempo": "step",
}


def test_customs_are_as_usual_unless_asked_for():
    assert Customs.of({}) == Customs()
    assert Customs.of(EVERY).to_json() == EVERY
    assert made(customs=Customs.of({"days": 2})).events[0].data["customs"] == Customs(days=2).to_json()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name, (least, most) in BOUNDS.items() for value in (least - 1, most + 1, "60", True, 60.0)),
        *(("pace", value) for value in ("slow", None, ["live"], {})),
        *(("tempo", value) for value in ("live", "", None, 1)),
        *((name, value) for name in ("watch", "listed", "talk", "hints") for value in (1, "yes", None)),
    ],
)
def test_a_custom_that_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(Refusal, match=f"custom {name} may not be") as refusal:
        Customs.of({name: value})
    assert refusal.value.key == "customs"


def test_an_unknown_custom_is_refused_with_those_there_are():
    with pytest.raises(Refusal, match="“tip”; known: pace, bank"):
        Customs.of({"tip": 3})


def test_by_turns_the_table_says_things_aloud():
    days = Customs(pace="days")
    assert made("hawaiki", customs=days).manner == "turns"
    assert made("hawaiki", customs=days, manner="friendly").manner == "friendly"
    assert made("gin", customs=days).manner is None
    with pytest.raises(Refusal, match="first to speak"):
        made("hawaiki", customs=days, manner="claim")


# ---------------------------------------------------------------- who may watch


def test_a_table_may_keep_its_match_to_itself_until_it_is_over():
    table = begun(customs=Customs(watch=False))
    shown = viewed(table, "watcher")
    assert (shown.scene, shown.table.hidden, shown.table.sheet, shown.table.scores) == (None, True, [], [])
    assert viewed(table, "anna").scene
    assert not viewed(table, "anna").table.hidden
    play_on(table, until=lambda table: table.match.tallies)
    shown = viewed(table, "watcher")
    assert (shown.scene, shown.table.sheet, [seat.score for seat in shown.table.seats]) == (None, [], [0, 0])
    assert shown.table.shuffles == 0
    assert {news.kind for news in shown.news} == {"table"}
    play_on(table)
    shown = viewed(table, "watcher")
    assert (shown.table.hidden, shown.table.scores) == (False, table.match.scores)
    assert shown.scene
    assert {news.kind for news in shown.news} == {"table", "move", "round", "over"}


def test_a_table_that_keeps_its_match_to_itself_tells_of_no_round_that_ends_behind_a_shuffle():
    table = begun("hawaiki", 2, persons=2, customs=Customs(watch=False))
    seat = table.match.asked()[0]
    held = [["P3"], ["O1"]] if seat == 0 else [["O1"], ["P3"]]
    under = without(DECK, ["P3", "O1", "P1", "P2", "G3", "Y7"])
    set_up(table.match.state, held, [[*under, "P1"], ["P2"], ["G3"]], ["Y7"])
    for move in "play P3 3 colour", f"name {1 - seat}", f"name {1 - seat}":
        table.receive(table.seats[seat].person, Move(f"{table.number}", table.number, move), 20.0)
    assert "round" in {news.kind for news in viewed(table, "anna").news}
    assert {news.kind for news in viewed(table, "watcher").news} == {"table"}


def test_who_may_not_watch_reads_of_no_move_that_would_be_taken_back():
    table = two(customs=Customs(watch=False))
    while not table.slips.request:
        other = 1 - act(table, [1])
        if table.undo_lines(other) > 1:
            undo(table, table.seats[other].person)
    assert viewed(table, "anna").table.undo.move
    assert viewed(table, "watcher").table.undo.move is None


def test_everybody_may_watch_where_it_is_usual():
    shown = viewed(begun(), "watcher")
    assert shown.scene
    assert not shown.table.hidden


# ---------------------------------------------------------------- bots that wait to be told


def waiting(persons=1, players=2, **customs):
    """A table whose bots go on move by move, where one of them waits."""
    table = begun("gin" if players == 2 else "mio", players, persons, customs=Customs(tempo="step", **customs))
    while table.thinking():
        act(table, generator(1))
    return table


def test_a_bot_waits_until_somebody_who_plays_says_next_and_nothing_is_kept_of_that():
    table = waiting()
    before = table.number
    assert viewed(table, "anna").table.held
    go_on = Next("go on", table.number)
    assert table.lets_go(go_on)
    assert table.receive("anna", go_on, 20.0) == Answered(before, [])
    assert table.receive("anna", go_on, 21.0) == Answered(before, [])
    act(table, generator(1))
    assert not table.lets_go(go_on), "the next bot waits for a word of its own"
    assert table.receive("anna", go_on, 22.0).events == [], "another said it, or a minute was over"


def test_who_holds_no_seat_or_saw_nothing_lets_no_bot_go():
    table = waiting()
    with pytest.raises(Refusal, match="no seat"):
        table.receive("watcher", Next("go on", table.number), 20.0)
    for seen in (None, table.number + 1):
        assert not table.lets_go(Next("go on", seen))
        with pytest.raises(Late):
            table.receive("anna", Next("go on", seen), 20.0)


@pytest.mark.parametrize("customs", [{"tempo": "usual"}, {"tempo": "slow"}, {"tempo": "step", "pace": "days"}])
def test_a_bot_waits_only_where_that_is_the_custom_and_never_by_turns(customs):
    table = begun(customs=Customs(**customs))
    while table.thinking():
        act(table, generator(1))
    assert not table.held
    with pytest.raises(Late):
        table.receive("anna", Next("go on", table.number), 20.0)


def test_a_bot_waits_for_nobody_where_nobody_is_here_or_others_are_asked_or_time_to_speak_runs():
    table = waiting(persons=2, players=3)
    assert table.held
    table.here({"ben"}, 20.0)
    assert table.held
    table.here(set(), 20.0)
    assert not table.held
    table.here({"anna", "ben"}, 20.0)
    table.window = Window(table.number, 20.0, 24.0, {})
    assert not table.held
    table.window = None
    while not table.thinking():
        act(table, generator(1))
    assert not table.held


# ---------------------------------------------------------------- tables of other versions


def test_a_table_with_a_custom_of_another_version_has_all_the_others():
    (event,) = made(customs=Customs(days=2)).events
    odd = Event(1, 0.0, "made", "anna", "", event.data | {"customs": event.data["customs"] | {"spectators": True}})
    assert Table.rebuilt(drawing(), [odd]).customs == Customs(days=2)


def test_a_table_from_before_there_were_customs_is_rebuilt_at_every_number():
    rows = (Path(__file__).parent / "golden" / "table-before-customs.jsonl").read_bytes().splitlines()
    events = [msgspec.json.decode(row, type=Event) for row in rows]
    for number in range(1, len(events) + 1):
        table = Table.rebuilt(drawing(), events[:number])
        assert (table.customs, table.clocks, table.slips.request) == (Customs(), None, None)
        assert viewed(table, "anna").table.customs == Customs()
    assert len(table.match.tallies) > 1
    assert table.match.footer().items() <= events[-1].data.items()
