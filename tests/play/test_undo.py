"""Taking moves back: at once where nobody learned anything, else by consent; never across a shuffle."""

from dataclasses import replace

import msgspec
import pytest

from brelan.errors import WrongSeat
from brelan.play.messages import Back, Consent, Leave, Move, Nonce, Undo
from brelan.play.record import verify
from brelan.play.replay import Replay, record_of
from brelan.play.seats import Event, Full, Kept, Late, bot_name
from brelan.play.shown import UndoShown
from brelan.play.table import Table
from brelan.play.undoing import REFUSED, UNDOS
from brelan.words import Words
from tests.play.claims import claiming, window
from tests.play.scripts import NONCE, act, begun, drawing, kept, kinds, play_again, play_on, two, undo, viewed
from tests.tables import generator


def asked(table):
    """The seat that is asked first, and its person."""
    seat = table.match.asked()[0]
    return seat, table.seats[seat].person


def say(table, person, text, now=20.0):
    return table.receive(person, Move(f"{person} {table.number}", table.number, text), now)


def throws(table):
    return [text for text in table.match.legal(asked(table)[0]) if text.startswith("discard")]


def consent(table, person, agree):
    return table.receive(person, Consent(f"consent {person} {table.number}", agree), 22.0)


# ---------------------------------------------------------------- at once


def test_a_slip_that_showed_nobody_anything_is_taken_back_at_once():
    table = two()
    seat, me = asked(table)
    say(table, me, "take")
    before, state = viewed(table, me), table.match.state.copy()
    say(table, me, throws(table)[0])
    assert viewed(table, me).table.undo == UndoShown(may=True, free=True, asked=None, waits_for=[])
    (event,) = undo(table, me).events
    assert (event.kind, event.data) == ("undone", {"seat": seat, "lines": 1, "free": True})
    assert table.match.state == state
    assert table.stage == table.number, "what was thought before is out of date"
    assert viewed(table, me).scene == before.scene
    assert table.indulged == set()
    undo(table, me)  # and the one before it, too
    assert table.match.state.phase == two().match.state.phase
    with pytest.raises(Late):
        undo(table, me)  # nothing is left of one's own


def test_a_card_that_was_seen_is_not_unseen():
    table = two()
    _, me = asked(table)
    say(table, me, "draw")
    assert viewed(table, me).table.undo.may
    assert not viewed(table, me).table.undo.free
    assert kinds(undo(table, me).events) == ["undo_asked"]


def test_mio_that_the_table_has_told_to_be_forgotten_is_not_said_by_taking_the_move_back():
    table = play_on(two("mio"), until=is_mio_due)
    _, me = asked(table)
    say(table, me, next(text.removesuffix(" mio") for text in table.match.legal(asked(table)[0]) if "mio" in text))
    assert table.match.state.penalty
    assert viewed(table, me).table.undo == UndoShown(may=True, free=False, asked=None, waits_for=[])
    assert kinds(undo(table, me).events) == ["undo_asked"]


def is_mio_due(table):
    return any("mio" in text for text in table.match.legal(asked(table)[0]))


def test_what_somebody_else_has_done_stays_unless_they_agree():
    table, me, you = both_moved()
    seat, other = table.seat_of(me), table.seat_of(you)
    assert not table.is_free(seat)
    assert table.is_free(other)  # nobody has answered that one yet
    (event,) = undo(table, me).events
    assert (event.kind, event.data) == ("undo_asked", {"seat": seat, "lines": 2})


def test_what_somebody_else_has_shown_was_seen_even_if_they_took_it_back():
    table, me, you = both_moved()
    assert kinds(undo(table, you).events) == ["undone"]
    assert table.undo_lines(table.seat_of(me)) == 1
    assert kinds(undo(table, me).events) == ["undo_asked"]


def test_what_was_seen_before_all_agreed_was_seen():
    table = two()
    _, me = asked(table)
    say(table, me, "take")
    say(table, me, throws(table)[0])
    _, you = asked(table)
    say(table, you, "draw")
    undo(table, you)
    assert kinds(consent(table, me, True).events) == ["consented", "undone"]
    say(table, you, "take")
    assert table.is_free(table.seat_of(you))
    undo(table, you)
    assert not table.is_free(table.seat_of(me))


def both_moved():
    """Gin: one threw a card, the other has taken it; both persons."""
    table = two()
    _, me = asked(table)
    say(table, me, "take")
    say(table, me, throws(table)[0])
    _, you = asked(table)
    say(table, you, "take")
    return table, me, you


def test_who_is_asked_hears_what_would_be_taken_back():
    table, me, you = both_moved()
    undo(table, me)
    request, names = viewed(table, you).table.undo, [seat.name for seat in table.seats]
    (seat,) = [i for i, one in enumerate(table.seats) if one.person == me]
    assert request.after == 1
    assert request.move.startswith(f"{names[seat]} discards the ")
    assert viewed(table, you, "fr").table.undo.move != request.move
    assert viewed(table, you, since=table.number - 1).news[0].words.endswith(" asks to take the last 2 moves back.")
    say_no = Consent("no", False)
    table.receive(you, say_no, 30.0)
    assert (viewed(table, you).table.undo.move, viewed(table, you).table.undo.after) == (None, 0)


def thrown():
    """Two play, and one has thrown a card; what was seen last, who threw, and whose turn it is."""
    table = two()
    _, me = asked(table)
    say(table, me, "take")
    say(table, me, throws(table)[0])
    return table, table.number, me, asked(table)[1]


def test_an_answer_to_a_move_that_was_taken_back_is_late():
    table, seen, me, you = thrown()
    undo(table, me)
    say(table, me, throws(table)[1])
    with pytest.raises(Late):
        table.receive(you, Move("late", seen, "take"), 23.0)


def test_a_bots_move_that_was_thought_of_before_is_late():
    table = begun()
    play_on(table, until=lambda table: table.match.asked() == [0])
    say(table, "anna", "take")
    say(table, "anna", throws(table)[0])
    seen = table.number
    undo(table, "anna")
    with pytest.raises(Late):
        table.receive(bot_name(1), Move("bot", seen, "draw"), 23.0)
    say(table, "anna", throws(table)[1])
    with pytest.raises(Late):
        table.receive(bot_name(1), Move("bot", seen, "draw"), 23.0)


# ---------------------------------------------------------------- by consent


def test_a_move_is_taken_back_when_everybody_has_agreed():
    table = begun("hawaiki", 3, persons=3)
    people = {"anna", "ben", "cleo"}
    table.here(people, 20.0)
    seat, me = asked(table)
    while table.seats[asked(table)[0]].person != me or "draw" not in table.match.legal(seat):
        act(table, [7])
    before = table.match.state.copy()
    say(table, me, "draw")
    assert kinds(undo(table, me).events) == ["undo_asked"]
    first, second = sorted(people - {me})
    assert viewed(table, first).table.undo.asked == seat
    assert len(viewed(table, first).table.undo.waits_for) == 2
    assert kinds(consent(table, first, True).events) == ["consented"]
    with pytest.raises(Late):
        consent(table, first, True)
    assert kinds(consent(table, second, True).events) == ["consented", "undone"]
    assert table.match.state == before
    assert table.indulged == {seat}
    told = [news.words for news in viewed(table, me, since=table.number - 4).news]
    assert told[0].endswith("asks to take a move back.")
    assert told[1].endswith("agrees.")
    assert told[-1].endswith("takes a move back.")


def test_who_wanted_to_be_forgotten_is_asked_for_nothing():
    table = begun("hawaiki", 3, persons=3)
    table.here({"anna", "ben", "cleo"}, 20.0)
    seat, me = asked(table)
    while table.seats[asked(table)[0]].person != me or "draw" not in table.match.legal(seat):
        act(table, [7])
    say(table, me, "draw")
    gone, there = (other for other in range(3) if other != seat)
    table.seats[gone] = replace(table.seats[gone], name="")
    assert kinds(undo(table, me).events) == ["undo_asked"]
    assert viewed(table, me).table.undo.waits_for == [there]
    assert kinds(consent(table, table.seats[there].person, True).events) == ["consented", "undone"]


def test_one_refusal_is_enough_and_one_asks_but_once():
    table, me, you = both_moved()
    undo(table, me)
    assert kinds(consent(table, you, False).events) == ["consented"]
    assert table.slips.request is None
    assert not viewed(table, me).table.undo.may
    for person, message in ((me, Undo("again")), (you, Consent("late", True))):
        with pytest.raises(Late):
            table.receive(person, message, 23.0)


def test_leave_that_was_meant_for_another_request_is_none():
    """Said again after a cut, it finds another request, for other moves."""
    table = two()
    _, me = asked(table)
    you = next(seat.person for seat in table.seats if seat.person != me)
    say(table, me, "draw")
    undo(table, me)
    seen = table.number
    consent(table, you, False)
    say(table, me, throws(table)[0])
    say(table, you, "draw")
    undo(table, me)
    with pytest.raises(Late):
        table.receive(you, Consent("meant before", True, seen), 25.0)
    assert table.slips.request
    assert kinds(table.receive(you, Consent("meant now", True, table.number), 26.0).events) == ["consented", "undone"]


def test_a_move_is_not_taken_back_once_others_went_on_unseen():
    table, seen, me, you = thrown()
    say(table, you, "draw")
    for before in (0, seen):
        with pytest.raises(Late):
            table.receive(me, Undo("for the throw alone", before), 25.0)
    assert kinds(table.receive(me, Undo("for both", table.number), 26.0).events) == ["undo_asked"]


def test_one_asks_but_once_even_where_a_glance_finds_no_reason():
    """Elements: to place the last card looks harmless, and turns all cards up."""
    table, chance = begun("elements", 3, persons=3), generator(1)
    while table.match.legal(table.match.asked()[0])[0].startswith("place"):
        seat = act(table, chance)
    assert table.seems_free(seat)
    assert not table.is_free(seat)
    me, you = table.seats[seat].person, table.seats[(seat + 1) % 3].person
    undo(table, me)
    consent(table, you, False)
    with pytest.raises(Late):
        undo(table, me)


def test_who_was_refused_so_often_asks_no_more():
    table = two()
    _, me = asked(table)
    you = next(seat.person for seat in table.seats if seat.person != me)
    for _ in range(REFUSED):
        say(table, me, "draw")
        undo(table, me)
        consent(table, you, False)
        for person in (me, you, you):
            say(table, person, throws(table)[0] if throws(table) else "draw")
    say(table, me, "draw")
    assert not viewed(table, me).table.undo.may
    with pytest.raises(Full, match="refused as often"):
        undo(table, me)
    say(table, me, throws(table)[0])
    say(table, you, "take")
    assert viewed(table, you).table.undo.may
    assert Table.rebuilt(drawing(), table.events).slips.refused == table.slips.refused


def test_who_asked_may_think_better_of_it():
    table, me, you = both_moved()
    undo(table, me)
    with pytest.raises(Late):
        consent(table, me, True)
    consent(table, me, False)
    with pytest.raises(Late):
        consent(table, you, True)


def test_playing_on_is_an_answer():
    table, me, you = both_moved()
    undo(table, me)
    say(table, you, throws(table)[0])
    assert table.slips.request is None
    assert viewed(table, me).table.undo.asked is None


def test_bots_agree():
    table = begun()
    play_on(table, until=lambda table: table.match.asked() == [0])
    before = table.match.state.copy()
    say(table, "anna", "draw")
    assert kinds(undo(table, "anna").events) == ["undo_asked", "undone"]
    assert table.match.state == before
    assert table.indulged == {0}
    assert table.events[-1].data["free"] is False


def test_no_keeper_agrees_for_whose_seat_it_keeps():
    """Else who is left alone could look at the stock, give the card back and choose again."""
    table, me, you = both_moved()
    undo(table, me)
    assert kinds(table.receive(you, Leave("leave"), 30.0).events) == ["kept"]
    assert [table.seats[seat].person for seat in viewed(table, me).table.undo.waits_for] == [you]
    seat, _ = asked(table)
    table.receive(bot_name(seat), Move("bot", table.number, table.match.legal(seat)[0]), 90.0)
    assert table.slips.request is None


def test_nobody_asks_for_what_somebody_who_has_left_would_have_to_agree_to():
    table, me, you = both_moved()
    assert viewed(table, me).table.undo.may
    table.receive(you, Leave("leave"), 30.0)
    assert not viewed(table, me).table.undo.may
    with pytest.raises(Late):
        undo(table, me)
    table.receive(you, Back("back"), 31.0)
    assert kinds(undo(table, me).events) == ["undo_asked"]


def test_what_a_bot_did_for_somebody_is_not_theirs_to_take_back():
    table = kept(play_on(two(), until=lambda table: table.match.asked() == [1]))
    table.receive(bot_name(1), Move("bot", table.number, "take"), 90.0)
    with pytest.raises(Kept):
        undo(table, "ben")
    table.here({"anna", "ben"}, 91.0)
    assert not viewed(table, "ben").table.undo.may
    with pytest.raises(Late):
        undo(table, "ben")


# ---------------------------------------------------------------- never


def test_nothing_is_taken_back_across_a_shuffle_or_the_end_of_a_round():
    table = two()
    play_on(table, until=lambda table: table.pause)
    for person in ("anna", "ben"):
        assert not viewed(table, person).table.undo.may
        with pytest.raises(Late):
            undo(table, person)
    table.tick(table.deadline)
    for person in ("anna", "ben"):
        with pytest.raises(Late):
            undo(table, person)


def test_nothing_is_taken_back_across_the_count_of_a_round_where_play_goes_on_after_it():
    """Elements: cards go back to the stock between the count and the next deal."""
    table = begun("elements", 3, persons=3)
    play_on(table, until=lambda table: table.tallied and not table.pause)
    assert table.match.lines[-1]["seat"] in range(3)
    assert [table.undo_lines(seat) for seat in range(3)] == [0, 0, 0]
    seat = act(table, [1])
    assert [table.undo_lines(other) for other in range(3)] == [int(other == seat) for other in range(3)]


def test_nothing_is_taken_back_while_others_hurry_to_speak_or_after_the_end():
    table = claiming()
    seat = window(table)
    with pytest.raises(Late):
        undo(table, table.seats[seat].person)
    table = play_on(two())
    with pytest.raises(Late):
        undo(table, "anna")
    assert not viewed(table, "anna").table.undo.may


def test_only_who_plays_is_asked_or_asks():
    table, me, _ = both_moved()
    for message in (Undo("u"), Consent("c", True)):
        with pytest.raises(WrongSeat):
            table.receive("cleo", message, 30.0)
    with pytest.raises(Late):
        consent(table, me, True)
    with pytest.raises(Late):
        two().receive("ben", Consent("c", True), 30.0)


def test_nobody_takes_back_for_ever():
    table = two()
    _, me = asked(table)
    for _ in range(UNDOS):
        say(table, me, "take")
        undo(table, me)
    say(table, me, "take")
    assert not viewed(table, me).table.undo.may
    with pytest.raises(Full):
        undo(table, me)


# ---------------------------------------------------------------- afterwards


def test_the_record_holds_the_lines_that_survive_and_the_replay_steps_through_them():
    table, chance, taken = two(), [5], 0
    while table.status == "playing":
        if table.pause:
            table.tick(table.deadline)
            continue
        seat = act(table, chance)
        if table.number % 3 == 0 and table.may_undo(seat):
            taken += 1
            undo(table, table.seats[seat].person)
            if table.slips.request:
                consent(table, table.seats[1 - seat].person, taken % 4 != 0)
    assert taken > 10
    assert [step.data for step in table.steps if step.kind == "move"] == [
        line for line in table.match.lines if "move" in line
    ]
    text = record_of(table.events, table.sealed.match)
    (match,) = verify(text.encode(), strict=True)
    assert match.scores == table.match.scores
    replay = Replay(table.events, table.sealed.match)
    assert len(replay.steps) == len(table.match.lines)
    words = Words("en", "gin")
    assert len(list(replay.scenes(0, words, 0, len(replay.steps)))) == len(replay.steps)
    assert not any(" back." in told.words for told in replay.told(-2, words))
    assert [told.step for told in replay.told(-2, words)] == sorted(told.step for told in replay.told(-2, words))


def test_a_table_is_rebuilt_with_what_was_taken_back_and_what_is_asked():
    table, me, you = both_moved()
    undo(table, me)
    consent(table, you, True)
    assert table.indulged == {table.seat_of(me)}
    say(table, me, throws(table)[1])
    undo(table, me)
    undo(table, me)
    say(table, me, "draw")
    undo(table, me)
    events = msgspec.json.decode(msgspec.json.encode(table.events), type=list[Event])
    for number in range(1, table.number + 1):
        again = Table.rebuilt(drawing(), events[:number])
    assert again.match.state == table.match.state
    assert again.slips.request == table.slips.request
    assert (again.slips.undos, again.match.lines, again.match.tallies) == (
        table.slips.undos,
        table.match.lines,
        table.match.tallies,
    )
    for person in ("anna", "ben", "cleo"):
        assert viewed(again, person) == viewed(table, person)


def test_again_begins_with_nothing_to_take_back():
    table, *_ = both_moved()
    play_on(table)
    play_again(table, 90.0)
    assert (table.slips.undos, table.slips.request, table.steps) == ([0, 0], None, [])
    for name in ("anna", "ben"):
        table.receive(name, Nonce(NONCE), 91.0)
        assert not viewed(table, name).table.undo.may
