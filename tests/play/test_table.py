"""A live table without a network: scripts of messages in, numbered events and views out."""

from dataclasses import replace

import msgspec
import pytest

from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.games import GAMES
from brelan.play.clocks import DAY
from brelan.play.customs import Customs
from brelan.play.flow import BOTS_PAUSE, PAUSE, UNHURRIED
from brelan.play.messages import (
    Again,
    Asking,
    Back,
    Bot,
    Leave,
    Malformed,
    Move,
    Next,
    Nonce,
    Sit,
    Start,
    Undo,
)
from brelan.play.past import WAS
from brelan.play.record import verify, written
from brelan.play.seats import Event, Late
from brelan.play.table import NONCE_WAIT, ON, Answered, Table
from tests.games.hawaiki.written import DECK, set_up, without
from tests.play.scripts import NONCE, act, begun, drawing, go_on, kinds, made, play_again, play_on, viewed

# ---------------------------------------------------------------- the sealed chance


def test_the_commitment_is_public_before_any_nonce_and_any_card():
    table = made()
    table.receive("anna", Sit("1", 0, "Anna"), 1.0)
    table.receive("anna", Bot("2", 1, "novice"), 1.0)
    table.receive("anna", Start("3"), 2.0)
    view = viewed(table, "anna")
    assert view.table.commit
    assert view.table.wants_nonce
    assert view.scene is None
    first = view.table.first  # from whom on cards are dealt
    assert first in (0, 1)
    mine, bots = view.table.nonces
    assert (mine, len(bots)) == (None, 32)  # what is the house's own to choose is shown before anybody adds to it
    assert not viewed(table, "ben").table.wants_nonce
    table.receive("anna", Nonce(NONCE), 2.5)
    header = next(event.data for event in table.events if event.kind == "header")
    assert (header["commit"], header["first"]) == (view.table.commit, first)
    assert header["nonces"] == [NONCE, bots] == viewed(table, "anna").table.nonces
    assert viewed(table, "ben").table.nonces == [None, bots]
    assert not viewed(table, "anna").table.wants_nonce


def test_a_nonce_that_does_not_come_in_time_is_empty():
    table = made()
    table.receive("anna", Sit("1", 0, "Anna"), 1.0)
    table.receive("anna", Bot("2", 1, "novice"), 1.0)
    table.receive("anna", Start("3"), 2.0)
    assert not table.tick(2.0 + NONCE_WAIT - 0.1)
    assert [event.kind for event in table.tick(2.0 + NONCE_WAIT)] == ["header", "shuffle"]
    assert table.chance.nonces[0] == b""
    number = table.number
    assert table.receive("anna", Nonce(NONCE), 2.5 + NONCE_WAIT) == Answered(number, [])  # a slow line is no mistake
    assert table.chance.nonces[0] == b""


def test_the_secret_is_shown_only_when_the_match_is_over():
    table = begun()
    secret = table.sealed.secret.hex()
    for person in ("anna", "ben"):
        assert secret.encode() not in msgspec.json.encode(viewed(table, person))
    play_on(table)
    assert viewed(table, "ben").table.secret == secret


# ---------------------------------------------------------------- moves


def test_a_move_is_checked_in_the_games_own_words():
    table = begun()
    first = table.match.asked()[0]
    me, other = table.seats[first].person, table.seats[1 - first].person
    with pytest.raises(Unreadable):
        table.receive(me, Move("a", table.number, "fly"), 20.0)
    with pytest.raises(Illegal) as refusal:
        table.receive(me, Move("b", table.number, "discard 7h"), 20.0)
    assert refusal.value.rule == "O-G1"
    with pytest.raises(WrongSeat):
        table.receive(other, Move("c", table.number, "draw"), 20.0)
    before = table.number
    outcome = table.receive(me, Move("d", table.number, "draw"), 20.0)
    assert (outcome.number, [event.kind for event in outcome.events]) == (before + 1, ["move"])


def test_a_repeated_key_is_acknowledged_alike_and_plays_nothing_twice():
    table = begun()
    me, move = table.seats[table.match.asked()[0]].person, Move("key", table.number, "draw")
    first = table.receive(me, move, 20.0)
    again = table.receive(me, move, 30.0)
    assert (again.number, again.events) == (first.number, [])
    rebuilt = Table.rebuilt(drawing(), table.events)
    assert rebuilt.receive(me, Move("key", 0, "draw"), 40.0).number == first.number


def test_a_key_that_was_used_is_refused_to_who_has_seen_what_it_did():
    """A program that counts its keys and begins anew would hear that its moves are played."""
    table = begun()
    me = table.seats[table.match.asked()[0]].person
    table.receive(me, Move("1", table.number, "draw"), 20.0)
    for message in (Move("1", table.number, table.match.legal(table.match.asked()[0])[0]), Undo("1", table.number)):
        with pytest.raises(Malformed):
            table.receive(me, message, 30.0)


def test_the_key_of_one_person_says_nothing_about_another():
    table = made()
    table.receive("anna", Sit("key", 0, "Anna"), 1.0)
    assert table.receive("ben", Sit("key", 1, "Ben"), 1.0).events


def test_a_move_that_answers_an_older_table_is_late():
    table = begun()
    me = table.seats[table.match.asked()[0]].person
    seen = table.number
    table.receive(me, Move("a", seen, "draw"), 20.0)
    with pytest.raises(Late):
        table.receive(me, Move("b", seen, "draw"), 20.0)
    throw = next(text for text in table.match.legal(table.match.asked()[0]))
    with pytest.raises(Late):  # legal by chance, but chosen before the card was drawn
        table.receive(me, Move("c", seen, throw), 20.0)


def test_a_move_is_chosen_from_a_view_in_which_it_is_ones_turn():
    """Legal by then, but of a card that the view did not show."""
    table = begun(persons=2)
    first = table.match.asked()[0]
    you = table.seats[1 - first].person
    seen = table.number
    act(table, [1])
    act(table, [1])
    assert table.match.asked() == [1 - first]
    for old in (seen, table.number - 1):
        with pytest.raises(Late):
            table.receive(you, Move("blind", old, "take"), 20.0)
    assert table.receive(you, Move("seeing", table.number, "take"), 20.0).events


def test_of_several_who_are_asked_each_may_answer_what_they_saw_before_the_others_did():
    table = begun("elements", 3, persons=3)
    play_on(table, until=lambda table: len(table.asked()) > 1)
    seen = table.number
    act(table, [1])
    slow = table.match.asked()[-1]
    move = table.match.legal(slow)[0]
    assert table.receive(table.seats[slow].person, Move("slow", seen, move), 20.0).events


# ---------------------------------------------------------------- rounds and matches


def test_between_two_rounds_every_person_says_next():
    table = play_on(begun(persons=2), until=lambda table: table.pause)
    assert table.waits_for() == [0, 1]
    assert table.match.asked() == []
    table.receive("anna", Next("n1"), 30.0)
    assert table.waits_for() == [1]
    assert table.pause
    outcome = table.receive("ben", Next("n2"), 30.0)
    assert [event.kind for event in outcome.events] == ["next", "shuffle"]
    assert not table.pause


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_nobody_is_asked_while_a_result_is_looked_at(game):
    options = {"rounds": 2} if game.id == "companeros" else {}  # whose sheet has one
    table = play_on(begun(game.id, game.seats[0], options=options), until=lambda table: table.pause)
    shown = viewed(table, "anna").scene
    assert (shown.between, shown.turn, shown.choices) == (True, [], [])
    go_on(table)
    shown = viewed(table, "anna").scene
    assert not shown.between
    assert shown.turn


def test_a_result_is_seen_before_cards_go_back():
    """In Elements the seats have something to do before the next deal: nobody does it while others look."""
    table = play_on(begun("elements", 3, persons=2), until=lambda table: table.pause)
    shown = viewed(table, "anna").scene
    assert (shown.between, shown.turn, shown.choices, shown.prompt) == (True, [], [], "The round is over.")
    assert table.bots_asked() == []
    with pytest.raises(Late, match="say that you go on"):
        table.receive("anna", Move("early", table.number, "ready"), 30.0)
    table.receive("anna", Next("n1"), 30.0)
    assert [event.kind for event in table.receive("ben", Next("n2"), 30.0).events] == ["next", "onward"]
    assert set(viewed(table, "anna").scene.turn) >= {0, 1, 2}
    assert table.bots_asked() == [2]
    table.receive("anna", Move("ready", table.number, "ready"), 31.0)
    assert not table.pause


@pytest.mark.parametrize(("tokens", "then"), [(10, []), (3, ["over"])])
def test_a_round_that_ends_behind_a_shuffle_ends_like_any_other(tokens, then):
    """Who has laid the last card names a seat, which draws from a new stock."""
    table = begun("hawaiki", 2, persons=2, options={"tokens": tokens})
    seat = table.match.asked()[0]
    held = [["P3"], ["O1"]] if seat == 0 else [["O1"], ["P3"]]
    under = without(DECK, ["P3", "O1", "P1", "P2", "G3", "Y7"])
    set_up(table.match.state, held, [[*under, "P1"], ["P2"], ["G3"]], ["Y7"])
    for move in "play P3 3 colour", f"name {1 - seat}", f"name {1 - seat}":
        events = table.receive(table.seats[seat].person, Move(f"{table.number}", table.number, move), 20.0).events
    assert kinds(events) == ["move", "move", "shuffle", *then]
    assert [tally.points[1 - seat] for tally in table.match.tallies] == [-3]
    assert bool(table.pause) == (not then)
    if table.pause:
        for person in "anna", "ben":
            events = table.receive(person, Next(f"next {person}"), 21.0).events
        assert kinds(events) == ["next", "shuffle"]
        assert len(table.match.tallies) == 1


def test_a_stored_table_whose_results_nobody_had_to_see_goes_on():
    """So tables of Elements were stored before they paused: moves followed the count at once."""
    table = play_on(begun("elements", 3), until=lambda table: table.tallied and not table.pause)
    act(table, [1])
    moves = [event for event in table.events if event.kind not in ("next", "onward")]
    again = Table.rebuilt(drawing(), [replace(event, number=n) for n, event in enumerate(moves, 1)])
    assert (again.match.lines, again.asked()) == (table.match.lines, table.asked())
    assert again.asked()


@pytest.mark.parametrize(("pace", "wait"), [("none", UNHURRIED), ("live", PAUSE)])
def test_a_pause_ends_by_itself_where_others_wait_and_later_where_no_clock_runs(pace, wait):
    table = play_on(begun(persons=2, customs=Customs(pace=pace)), until=lambda table: table.pause, now=50.0)
    assert not table.tick(50.0 + wait - 1)
    assert [event.kind for event in table.tick(50.0 + wait)] == ["shuffle"]


def test_by_turns_a_result_waits_for_each_who_sleeps_as_long_as_a_move_may():
    table = begun(persons=2, customs=Customs(pace="days", days=2))
    play_on(table, until=lambda table: table.pause, now=50.0)
    table.here(set(), 51.0)
    assert (table.waits_for(), table.wakes_at) == ([0, 1], 50.0 + 2 * DAY)
    assert not table.tick(49.0 + 2 * DAY)
    assert kinds(table.receive("anna", Next("n1"), 40_000.0).events) == ["next"]
    assert kinds(table.receive("ben", Next("n2"), 80_000.0).events) == ["next", "shuffle"]


def test_one_person_among_bots_looks_at_a_result_as_long_as_wanted():
    table = play_on(begun(), until=lambda table: table.pause, now=50.0)
    assert table.until is None
    assert table.waits_for() == [0]
    assert not table.tick(1e9)
    assert [event.kind for event in table.receive("anna", Next("n1"), 1e9).events] == ["next", "shuffle"]


def test_bots_among_themselves_do_not_wait_as_long():
    table = play_on(begun(persons=0), until=lambda table: table.pause, now=50.0)
    assert [event.kind for event in table.tick(50.0 + BOTS_PAUSE)] == ["shuffle"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_table_waits_for_somebody_until_the_match_is_over(game):
    """Either a seat is asked, or a pause runs: never both, never neither."""
    table = begun(game.id, game.seats[0])
    play_on(table, until=lambda table: table.status == "over" or bool(table.pause) == bool(table.asked()))
    assert table.status == "over"


def test_the_match_ends_with_a_record_that_verifies():
    table = play_on(begun())
    assert table.events[-1].kind == "over"
    text = written(table.match, table.chance)
    (match,) = verify(text.encode(), strict=True)
    assert match.scores == table.match.scores
    assert table.events[-1].data["secret"] == table.sealed.secret.hex()


def test_again_keeps_the_seats_and_the_next_seat_begins():
    table = play_on(begun())
    first, secret = table.match.first, table.sealed.secret
    with pytest.raises(WrongSeat):
        table.receive("ben", Again("x"), 90.0)
    table.receive("anna", Again("again"), 90.0)
    assert table.status == "playing"
    assert table.sealed.secret != secret
    assert viewed(table, "anna").table.secret is None
    table.receive("anna", Nonce(NONCE), 91.0)
    assert table.match.first == 1 - first
    assert [seat.name for seat in table.seats] == ["Anna", ""]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_table_is_rebuilt_from_its_events_at_every_number(game):
    table = play_on(begun(game.id, game.seats[0]))
    events = msgspec.json.decode(msgspec.json.encode(table.events), type=list[type(table.events[0])])
    step = max(1, len(events) // 25)
    for number in [*range(1, len(events), step), len(events)]:
        rebuilt = Table.rebuilt(drawing(), events[:number])
        assert rebuilt.events == table.events[:number]
    assert rebuilt.match.state == table.match.state
    assert viewed(rebuilt, "anna") == viewed(table, "anna")


def test_every_message_has_its_handler_and_every_event_its_change():
    assert set(ON) == {Nonce, *Asking.__subclasses__()}
    methods = {name for name in dir(Table) if name.startswith(("_on_", "_was_"))}
    assert methods == {change.__name__ for change in (*ON.values(), *WAS.values())}
    assert all(change.__name__ == f"_was_{kind}" for kind, change in WAS.items())


@pytest.mark.parametrize(
    ("kind", "data"), [("toasted", {}), ("stood", {"seat": 0, "why": "hunger"}), ("sat", {"seat": 1})]
)
def test_an_event_that_only_another_version_knows_is_refused_and_changes_nothing(kind, data):
    """Its kind, or something that it says; or it does not say what this version must know."""
    table = begun(persons=2)
    known, number = list(table.seats), table.number
    with pytest.raises(Refusal, match=f"Another version .* “{kind}”"):
        table.follow([Event(number + 1, 1.0, kind, "anna", "", data)])
    assert (table.seats, table.number) == (known, number)


def test_a_fault_of_ours_is_taken_for_no_other_version(monkeypatch):
    monkeypatch.setitem(WAS, "stood", lambda table, event, seat: {}[seat])
    with pytest.raises(KeyError):
        made().follow([Event(2, 1.0, "stood", "anna", "", {"seat": 0})])


SETTLED = ("seats", "sealed", "pause", "encore", "window", "slips", "indulged", "outcomes")
COUNTED = ("tallied", "match_seats", "steps", "_acks", "_restless", "stage", "_acted", "_asked_from", "_race")


def test_matches_that_are_long_over_are_not_played_again_and_missed_nowhere(monkeypatch):
    """Whoever looks finds the table as if it had never left memory: its news, its keys, its seats, the next match."""
    table, played, move = begun(persons=2, options={"target": 10}), [], WAS["move"]
    monkeypatch.setitem(WAS, "move", lambda *given, **told: played.append(given) or move(*given, **told))

    def look():
        again = Table.rebuilt(drawing(), table.events)
        for part in (*SETTLED, *COUNTED, "events", "away"):
            assert getattr(again, part) == getattr(table, part), part
        for person in ("anna", "ben", "watcher"):
            assert viewed(again, person) == viewed(table, person)

    for number in range(15):
        for message in (Leave(f"leave {number}"), Back(f"back {number}")):
            table.receive("ben", message, 20.0)
        play_on(table)
        look()
        play_again(table, 30.0)
        look()
        for person in ("anna", "ben"):
            table.receive(person, Nonce(NONCE), 31.0)
    played.clear()
    look()
    assert 0 < len(played) < sum(event.kind == "move" for event in table.events) / 2


def test_a_move_is_kept_once():
    """As an event and as a line of the match: a table keeps hundreds of them."""
    table = play_on(begun(persons=2))
    moves = zip(table.steps, table.match.lines, strict=True)
    assert [step.data is line for step, line in moves] == [step.kind == "move" for step in table.steps]
