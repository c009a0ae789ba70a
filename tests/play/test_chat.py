"""What people say at a table: ready-made sentences in each reader's language, or words of their own."""

import json

import pytest

from brelan.errors import WrongSeat
from brelan.play.chat import OFTEN, SAYINGS, SPELL
from brelan.play.customs import Customs
from brelan.play.messages import PRESETS, SAYING, Leave, Malformed, Say, Sit, read
from brelan.play.seats import Full
from brelan.play.table import Table
from brelan.words import LANGUAGES, catalogue
from tests.play.scripts import begun, drawing, kinds, made, play_on, two, viewed

TALK = Customs(talk=True)


def say(table, person, now=50.0, **said):
    return table.receive(person, Say(f"say {person} {table.number}", **said), now)


def heard(table, person, language="en"):
    return viewed(table, person, language, since=table.number - 1).news


def test_everybody_hears_a_ready_sentence_in_their_own_language():
    table = two()
    (event,) = say(table, "ben", preset="well_played").events
    assert (event.kind, event.data) == ("said", {"seat": 1, "preset": "well_played"})
    for language, words in (("en", "Ben: “Well played!”"), ("fr", "Ben\u00a0: «\u00a0Bien joué\u00a0!\u00a0»")):
        (news,) = heard(table, "watcher", language)
        assert (news.seat, news.words, news.kind) == (1, words, "said")


def test_every_ready_sentence_is_there_in_every_language():
    assert {"hello", "well_played", "thanks", "sorry", "hurry", "moment", "oops", "good_luck", "bye"} <= set(PRESETS)
    for language in LANGUAGES:
        assert all(catalogue(language)[f"chat.{preset}"] for preset in PRESETS)


def test_own_words_are_for_tables_where_that_is_usual_and_are_cleaned_like_names():
    with pytest.raises(Full):
        say(two(), "anna", text="hello")
    table = two(customs=TALK)
    (event,) = say(table, "anna", text="  what\u202e a <b>hand\n ").events
    assert event.data == {"seat": 0, "text": "what a <b>hand"}
    assert heard(table, "ben")[0].words == "Anna: “what a <b>hand”"


@pytest.mark.parametrize(
    "said", [{}, {"preset": "hello", "text": "hello"}, {"preset": "nonsense"}, {"text": " \u202e "}]
)
def test_what_says_nothing_or_two_things_is_malformed(said):
    with pytest.raises(Malformed) as refused:
        say(two(customs=TALK), "anna", **said)
    assert refused.value.key != "table.malformed"  # but one that says what is wrong


def test_too_many_letters_are_no_message():
    text = json.dumps({"type": "say", "key": "k", "text": "é" * SAYING})
    assert read(text).text == "é" * SAYING
    with pytest.raises(Malformed):
        read(json.dumps({"type": "say", "key": "k", "text": "é" * (SAYING + 1)}))


def test_nobody_says_more_than_others_can_read():
    table = two()
    for word in range(OFTEN):
        say(table, "anna", 50.0 + word, preset="hello")
    say(table, "ben", 54.0, preset="hello")
    with pytest.raises(Full, match="let the others read"):
        say(table, "anna", 50.0 + SPELL - 0.1, preset="hello")
    again = Table.rebuilt(drawing(), table.events)
    with pytest.raises(Full):
        say(again, "anna", 55.0, preset="hello")
    assert kinds(say(table, "anna", 50.0 + SPELL, preset="hello").events) == ["said"]


def test_what_was_said_before_the_clock_was_set_back_silences_nobody():
    table = two()
    for word in range(OFTEN):
        say(table, "anna", 5000.0 + word, preset="hello")
    assert kinds(say(table, "anna", 50.0, preset="hello").events) == ["said"]


def test_no_table_fills_the_store_with_words_and_no_voice_silences_another():
    table = two()
    for person in ("anna", "ben"):
        for word in range(SAYINGS // 2):
            say(table, person, 50.0 + word * SPELL, preset="hello")
        with pytest.raises(Full):
            say(table, person, 40.0, preset="hello")


def test_who_speaks_is_the_same_under_any_name_and_on_any_seat():
    table = made("mio", 3, customs=TALK)
    for person, seat, name in (("anna", 0, "Anna"), ("ben", 1, "Ben"), ("ben", 2, "Zoë"), ("cleo", 1, "Ben")):
        table.receive(person, Sit(f"{person} {seat}", seat, name), 1.0)
    who = {seat.name: seat.who for seat in viewed(table, "watcher").table.seats}
    say(table, "ben", text="hello")
    say(table, "cleo", text="hello")
    told = [news.who for news in viewed(table, "watcher", since=table.number - 2).news]
    assert told == [who["Zoë"], who["Ben"]]
    assert len(set(who.values())) == 3
    table.receive("ben", Sit("again", 2, "Ben (2)"), 60.0)
    assert viewed(table, "watcher").table.seats[2].who == who["Zoë"]
    assert Table.rebuilt(drawing(), table.events).who == table.who


def test_words_change_nothing_else():
    table = two()
    seat = table.match.asked()[0]
    before, seen = viewed(table, "anna"), table.number
    say(table, "ben", preset="hurry")
    after = viewed(table, "anna")
    assert (after.scene, after.table.undo, after.table.waits_for) == (before.scene, before.table.undo, [])
    assert table.acted(seat) <= seen  # a move that was thought of before is not late
    assert table.slips.before == Table.rebuilt(drawing(), table.events[:-1]).slips.before


def test_only_who_holds_a_seat_speaks_and_at_any_time():
    with pytest.raises(WrongSeat):
        say(two(), "cleo", preset="hello")
    table = two()
    table.receive("ben", Leave("leave"), 49.0)
    say(table, "ben", preset="bye")
    say(play_on(two()), "ben", preset="well_played")
    with pytest.raises(WrongSeat):
        say(made(), "anna", preset="hello")


def test_what_is_said_where_nobody_may_watch_is_never_told_to_others():
    table = begun(persons=2, options={"target": 1}, customs=Customs(watch=False, talk=True))
    table.receive("ben", Say("1", text="between us"), 20.0)
    for over in (False, True):
        assert "between us" in told_to(table, "anna")
        assert "between us" not in told_to(table, "cleo")
        if not over:
            play_on(table)
    assert "wins" in told_to(table, "cleo")


def told_to(table, person):
    return " ".join(news.words for news in viewed(table, person).news)
