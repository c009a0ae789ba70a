"""The seats of a table before its match: who sits down, under which name, and who leads."""

import json

import pytest

from brelan.errors import Refusal, WrongSeat
from brelan.games import GAMES, find
from brelan.play.clocks import DAY
from brelan.play.customs import Customs
from brelan.play.match import Match
from brelan.play.messages import (
    Again,
    Back,
    Bot,
    Consent,
    Malformed,
    Move,
    Next,
    Nonce,
    Sit,
    Stand,
    Start,
    Undo,
    read,
)
from brelan.play.present import SEAT_CHANGES
from brelan.play.seats import Full, Late, NotHost, Open, clean, clean_name, told_apart
from brelan.play.table import RENAMES, Table
from brelan.play.told import refusal_words
from brelan.play.whatif import Origin
from brelan.words import Words
from tests.play.scripts import NONCE, act, begun, drawing, made, play_on, viewed


def test_a_new_table_has_open_seats_and_every_option():
    table = made("gin", preset="classic", options={"target": 50})
    assert (table.status, [seat.kind for seat in table.seats]) == ("open", ["open", "open"])
    assert (table.options["target"], table.options["undercut_bonus"]) == (50, 25)


def test_a_table_bears_the_name_of_the_preset_whose_options_it_has():
    assert made("elements", 3, options={"unpaired": "stock"}).preset == "adlung"
    assert made("gin", preset="classic", options=dict(find("gin").settle(2))).preset == "sheet"
    assert made("gin", preset="classic", options={"target": 50}).preset == "classic"


def test_what_plays_on_has_the_header_of_the_match_before():
    origin = Origin("abc-0123456789abcdef", 0, {}, [], "")
    assert made("elements", 3, options={"unpaired": "stock"}, origin=origin).preset == "sheet"


def test_a_wrong_choice_makes_no_table():
    with pytest.raises(Refusal, match="target"):
        made(options={"target": 0})


LONG = [(game.id, option.name, option.at_table[-1]) for game in GAMES for option in game.options if option.at_table]


@pytest.mark.parametrize(("game", "name", "most"), LONG)
def test_no_table_is_made_whose_match_goes_on_for_ever(game, name, most):
    """A record may hold one; and what a table before there were bounds has played is played on as it was."""
    players, longer = find(game).seats[0], {name: most + 1}
    assert made(game, players, options={name: most}).options[name] == most
    with pytest.raises(Refusal, match=rf"allowed: 1 … {most}\."):
        made(game, players, options=longer)
    assert Match(find(game), players, options=longer).options[name] == most + 1
    assert made(game, players, options=longer, origin=Origin("", 0, {}, [], "")).options[name] == most + 1


def test_a_person_moves_from_seat_to_seat_and_stands_up():
    table = made()
    table.receive("ben", Sit("1", 0, " Ben \u202e\n "), 1.0)
    table.receive("ben", Sit("2", 1, "Ben"), 2.0)
    assert [seat.kind for seat in table.seats] == ["open", "person"]
    table.receive("ben", Stand("3"), 3.0)
    assert [seat.kind for seat in table.seats] == ["open", "open"]
    assert [event.kind for event in table.events] == ["made", "sat", "sat", "stood"]


def test_a_nickname_is_printable_and_short():
    assert clean_name("  A\u0007b\u202ec \n d" + "x" * 40) == "A b c d" + "x" * 17
    assert clean_name("\u2800\u3164 \ufe0f") == "", "nobody would see it"
    assert clean_name("❤\ufe0f Zoé") == "❤\ufe0f Zoé"
    assert clean_name("\u200d\u200c") == clean_name("\u2800" * 24 + "a") == ""
    assert clean_name("Maximilian von Hohenfels I") == "Maximilian von Hohenfels", "a space at the end is cut off"


@pytest.mark.parametrize(
    "text",
    ["merci 🩷", "🤷‍♀️", "🏳️‍🌈", "👩🏽‍❤️‍💋‍👨🏻", "🫩 1️⃣", "می‌خواهم", "මල් ශ්‍රී", "မြို့", "བསྒྲུབས", "הַשָּׁלוֹם"],
)
def test_what_is_joined_in_any_script_stays_joined(text):
    """An emoji that Unicode had not yet when this Python was made is shown as well."""
    assert clean(text, 200) == clean_name(text) == text


@pytest.mark.parametrize("sign", ["🇫🇷", "👩🏽‍❤️‍💋‍👨🏻", "e\u0301", "👍🏽", "མི"])
def test_no_letter_and_no_emoji_is_cut_in_two(sign):
    for name in ("A" + 24 * sign, 24 * sign):
        for shown in (clean_name(name), told_apart(clean_name(name), [clean_name(name)], 2)):
            assert set(shown.removeprefix("A").removesuffix(" (2)").split(sign)) == {""}
    assert len(clean_name("a" + "\u200da" * 24)) == 24, "what never ends is cut all the same"


def test_marks_do_not_grow_over_the_lines_beside_a_name():
    grown = "Z" + "\u0336\u0321\u200d\u0322\u0327" * 4 + "oe\u0301"
    assert clean_name(grown) == "Z\u0336\u0321\u200doe\u0301"
    assert clean(grown, 200) == clean_name(grown), "nor words"
    assert clean_name("Tie\u0302\u0301n 1\ufe0f\u20e3") == "Tie\u0302\u0301n 1\ufe0f\u20e3"


PAIRS = ["(robot)", "(bot)", "（bot）", "((bot))", "❨bot❩", "⟮bot⟯", "⁽bot⁾", "⦅bot⦆", "(bot❩", "(bot", "((bot"]


@pytest.mark.parametrize("said", PAIRS)
def test_in_brackets_only_the_house_says_what_somebody_is(said):
    assert clean_name(f"Robin {said}") in ("Robin bot", "Robin robot")
    assert clean_name("Bot (master)") == "Bot master"
    assert clean_name("Robin (2)") == "Robin (2)", "by which the house tells them apart"
    assert [clean_name(name) for name in ("Zoé :)", "Zoé :(", "Zoé :((")] == ["Zoé :)", "Zoé :(", "Zoé :(("]
    assert clean_name("Zoé :( (2)") == "Zoé :( (2)"


LIKE = {
    "Cami\u0307lle": "Camille",
    "J\u0307o": "Jo",
    "ı\u0307stanbul": "Istanbul",
    "і\u0307ris": "Iris",
    "ոina": "nina",
    "հugo": "Hugo",
    "սgo": "Ugo",
    "Օtto": "Otto",
    "Ðan": "Đan",
}
"""With a second dot, in Armenian, and of two letters with a stroke."""


@pytest.mark.parametrize("name", ["Аnnа", "Αnna", "ANNA", "Ａnna", "Anna\ufe0f", "An\u200dna"])
def test_a_name_that_only_looks_like_anothers_is_told_apart(name):
    assert told_apart(name, ["Anna"], 2) == f"{name} (2)"
    assert told_apart("Il1a", ["llIа"], 2) == "Il1a (2)"
    assert told_apart("Вοt 1", [], 2) == "Вοt 1 (2)"
    assert told_apart("B0B", ["Bob"], 2) == "B0B (2)"
    assert told_apart("Huɡo", ["Hugo"], 2) == "Huɡo (2)"
    assert told_apart("Luϲ", ["Luc"], 2) == "Luϲ (2)"
    assert told_apart("Iѵo", ["Ivo"], 2) == "Iѵo (2)"
    for one, other in LIKE.items():
        assert told_apart(one, [other], 2) == f"{one} (2)"
    assert told_apart("Anne", ["Anna"], 2) == "Anne"


def test_two_of_one_name_are_told_apart_and_nobody_is_called_as_a_bot():
    table = made("mio", players=4)
    for seat, (person, name) in enumerate([("a", "Théo"), ("b", " THE\u0301O"), ("c", "Théo"), ("d", "x" * 24)]):
        table.receive(person, Sit(f"{seat}", seat, name), 1.0)
    assert [seat.name for seat in table.seats][:3] == ["Théo", "THE\u0301O (2)", "Théo (3)"]
    assert table.receive("b", Sit("same", 1, "THE\u0301O"), 2.0).events == [], "that is what they are called already"
    table.receive("a", Sit("own", 0, "Théo"), 2.0)
    assert table.seats[0].name == "Théo"
    bots = {"Bot 2": "Bot 2 (2)", "robot 4": "robot 4 (2)", "Bot 5": "Bot 5"}
    for name, called in {**bots, "x" * 24: "x" * 20 + " (2)"}.items():
        table.receive("a", Sit(name, 0, name), 3.0)
        assert table.seats[0].name == called
    for unseen in ("Bot 2\ufe0f", "Bot\u3164 2", "Bot 2\u2800"):
        assert told_apart(unseen, [], 4) != unseen, "what nobody sees tells nobody apart"
    two = f"{'x' * 19} yyyy"
    assert told_apart(two, [two], 4) == f"{'x' * 19} (2)", "single spaces, as in any name"
    assert [seat.name for seat in Table.rebuilt(drawing(), table.events).seats] == [seat.name for seat in table.seats]


@pytest.mark.parametrize(
    ("person", "message", "refusal"),
    [
        ("ben", Sit("k", 0, "Ben"), Full),
        ("ben", Sit("k", 2, "Ben"), Malformed),
        ("ben", Sit("k", -1, "Ben"), Malformed),
        ("ben", Sit("k", 1, "\u202e"), Malformed),
        ("ben", Stand("k"), WrongSeat),
        ("ben", Bot("k", 1, "novice"), NotHost),
        ("ben", Start("k"), NotHost),
        ("anna", Start("k"), Open),
        ("anna", Bot("k", 0, "novice"), Full),
        ("anna", Again("k"), Late),
        ("anna", Next("k"), Late),
        ("anna", Nonce(NONCE), Late),
        ("anna", Move("k", 0, "draw"), Late),
        ("ben", Move("k", 0, "draw"), WrongSeat),
    ],
)
def test_what_may_not_be_done_is_refused_and_changes_nothing(person, message, refusal):
    table = made()
    table.receive("anna", Sit("sit", 0, "Anna"), 1.0)
    with pytest.raises(refusal):
        table.receive(person, message, 2.0)
    assert table.number == 2


def test_who_is_not_asked_is_told_by_name_who_is():
    """On the page the second seat is seat 2, in what is sent it is 1: a number in a sentence might be either."""
    table = begun(persons=2)
    asked = table.asked()[0]
    other = table.seats[1 - asked].person
    with pytest.raises(WrongSeat) as refused:
        table.receive(other, Move("k", table.number, "draw"), 20.0)
    name = table.seats[asked].name
    for language, says in (("en", f"asked: {name}."), ("fr", f"on attend\u00a0: {name}.")):
        assert refusal_words(table, refused.value, 1 - asked, Words(language, "gin")).endswith(says)
    with pytest.raises(WrongSeat, match=rf"Seat {1 - asked} is not .* asked: {asked} \(seats are counted from 0\)"):
        table.match.read(1 - asked, "draw")


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (Next("k"), "Nothing is due here that this could answer."),
        (Next("k", 1), "The table has gone on since; look again."),
        (Again("k"), "Seats stay as they are until the match is over."),
        (Back("k"), "No bot plays for you: there is nothing to take back."),
        (Move("k", 0, "draw"), "The table has gone on since; look again."),
    ],
)
def test_who_answers_what_nobody_asked_is_not_told_to_look_again(message, says):
    table = begun()
    with pytest.raises(Late) as refused:
        table.receive("anna", message, 20.0)
    assert str(refused.value) == says


@pytest.mark.parametrize("ahead", [1, 2**53])
@pytest.mark.parametrize("kind", [Move, Next, Undo, Consent])
def test_who_saw_what_never_was_is_told_to_look_again(ahead, kind):
    """As one whose house went back to an older copy: the cards that this answers may be others by now."""
    table = begun(persons=2)
    number, asked = table.number, table.asked()[0]
    said = {Move: {"move": table.match.legal(asked)[0]}, Consent: {"agree": True}}.get(kind, {})
    with pytest.raises(Late, match="The table has gone on since; look again"):
        table.receive(table.seats[asked].person, kind("k", seen=number + ahead, **said), 20.0)
    assert table.number == number


def test_seats_stay_as_they_are_while_a_match_is_played():
    table = begun()
    for message in (Sit("a", 0, "Anna"), Stand("b"), Bot("c", 1), Start("d")):
        with pytest.raises(Late):
            table.receive("anna", message, 20.0)


# ---------------------------------------------------------------- a waiting room


def test_what_is_so_already_is_acknowledged_and_nothing_happens():
    table = made()
    table.receive("anna", Sit("1", 0, "Anna"), 1.0)
    table.receive("anna", Bot("2", 1, "novice"), 1.0)
    for again in (Sit("3", 0, " Anna "), Bot("4", 1, "novice")):
        outcome = table.receive("anna", again, 2.0)
        assert (outcome.number, outcome.events) == (3, [])
    assert table.receive("anna", Sit("5", 0, "Zoë"), 2.0).events
    with pytest.raises(NotHost):
        table.receive("ben", Bot("6", 1, "novice"), 2.0)
    with pytest.raises(Malformed):
        table.receive("anna", Sit("7", -2, "Anna"), 2.0)


def test_nobody_speaks_by_names():
    table = made(options={"target": 10})
    for i in range(RENAMES + 1):
        table.receive("ben", Sit(f"{i}", i % 2, f"Name {i}"), 1.0)
    table.receive("ben", Stand("up"), 1.0)
    with pytest.raises(Full, match="your name too often"):
        table.receive("ben", Sit("more", 1, "More"), 1.0)
    assert table.receive("ben", Sit("as before", 1, f"Name {RENAMES}"), 1.0).events
    table.receive("anna", Sit("anna", 0, "Anna"), 1.0)
    table.receive("anna", Start("start"), 2.0)
    for person in ("anna", "ben"):
        table.receive(person, Nonce(NONCE), 2.0)
    play_on(table)
    assert table.receive("ben", Sit("now", 1, "Ben"), 30.0).events


def test_nobody_fills_a_table_by_changing_seats():
    table = made()
    for i in range(SEAT_CHANGES):
        table.receive("ben", Sit(f"{i}", i % 2, "Ben"), 1.0)
    for message in (Sit("more", 0, "Ben"), Stand("away")):
        with pytest.raises(Full, match="too often"):
            table.receive("ben", message, 1.0)
    assert not table.receive("ben", Sit("still", table.seat_of("ben"), "Ben"), 1.0).events
    table.receive("anna", Bot("bot", 1 - table.seat_of("ben"), "novice"), 1.0)
    table.receive("anna", Start("start"), 1.0)
    assert table.sealed, "whoever comes and goes keeps no host from beginning"


def test_a_nonce_is_that_long_to_the_last_byte():
    assert read(json.dumps({"type": "nonce", "nonce": NONCE})) == Nonce(NONCE)
    with pytest.raises(Malformed):
        read(json.dumps({"type": "nonce", "nonce": f"{NONCE}\n"}))


def test_a_number_that_was_taken_may_be_given_again():
    """A slow line repeats it before it hears that it was taken; nothing happens by that, and nobody is told off."""
    table = begun(persons=2)
    before = table.number
    assert table.receive("anna", Nonce("cd" * 16), 20.0).events == []
    assert table.number == before
    with pytest.raises(WrongSeat):
        table.receive("cleo", Nonce(NONCE), 20.0)


def test_two_may_ask_for_another_match_at_once():
    table = play_on(begun(persons=2))
    table.here({"anna"}, 30.0)
    table.receive("anna", Again("a"), 30.0)
    table.here({"anna", "ben"}, 30.0)
    assert table.receive("ben", Again("b"), 30.0).events == []
    for name in ("anna", "ben"):
        table.receive(name, Nonce(NONCE), 31.0)
    assert table.receive("ben", Again("c"), 32.0).events == []
    act(table, [1], 33.0)
    with pytest.raises(Late):
        table.receive("ben", Again("d"), 34.0)


def test_only_the_host_frees_a_chair_at_once():
    """Who leads while she sends the link to friends gives her the time that she would have in a match."""
    table = made(players=3, game="companeros")
    for seat, name in enumerate(["anna", "ben", "cleo"]):
        table.receive(name, Sit(name, seat, name.title()), 1.0)
    table.here({"ben"}, 2.0)
    for seat in (0, 2):
        with pytest.raises(Full, match="in 1 second"):
            table.receive("ben", Bot("soon", seat, None), 61.5)
    assert table.receive("ben", Bot("now", 0, None), 62.0).events
    table.here({"anna", "ben"}, 62.0)
    table.receive("anna", Sit("back", 0, "Anna"), 63.0)
    table.here({"anna"}, 64.0)
    assert table.receive("anna", Bot("free", 1, None), 64.0).events


def left_by_turns():
    """A waiting table of four, two of whom have gone; Zed has come since."""
    table = made("mio", 4, customs=Customs(pace="days", days=2))
    for now, name in enumerate(["anna", "ben", "zed"]):
        table.receive(name, Sit(name, now, name.title()), float(now))
    table.here({"zed"}, 3.0)
    return table


def test_by_turns_nobody_takes_a_waiting_table_from_those_who_have_gone():
    table = left_by_turns()
    for message in (Bot("a", 0, None), Bot("b", 1, None), Bot("c", 3, "novice")):
        with pytest.raises(Full, match="in 2 days"):
            table.receive("zed", message, 101.0)
    with pytest.raises(Full, match="in 1 day"):
        table.receive("zed", Bot("d", 1, None), 2 * DAY)
    assert table.receive("zed", Bot("e", 3, "novice"), 2 * DAY).events, "the host is waited for no longer"
    assert table.receive("zed", Bot("f", 1, None), 2 * DAY + 1).events


def test_by_turns_the_days_of_who_has_gone_stand_still_while_the_house_is_shut():
    """Also if somebody has come since, and where the table is read again."""
    table = left_by_turns()
    away, free, now = (DAY, 4 * DAY), Bot("a", 1, None), 4 * DAY + 200
    table.resumed([away], now)
    table.receive("cleo", Sit("cleo", 3, "Cleo"), now)
    again = Table.rebuilt(drawing(), table.events)
    again.recall(table.away, [away], [])
    table.resumed([away], now)
    for known in (table, again):
        with pytest.raises(Full, match="in 1 day"):
            known.receive("zed", free, 5 * DAY)
        assert known.receive("zed", free, 5 * DAY + 1).events


def test_by_turns_a_host_without_a_chair_is_waited_for_as_well():
    table = made("mio", 4, customs=Customs(pace="days", days=2))
    table.receive("zed", Sit("zed", 0, "Zed"), 1.0)
    table.here({"zed"}, 1.0)
    with pytest.raises(Full, match="in 2 days"):
        table.receive("zed", Bot("a", 3, "novice"), 101.0)
    assert table.receive("zed", Bot("b", 3, "novice"), 2 * DAY).events


def test_by_turns_whoever_sits_begins_a_match_in_which_all_keep_their_chairs():
    table = left_by_turns()
    table.receive("cleo", Sit("cleo", 3, "Cleo"), 100.0)
    table.here({"zed"}, 100.0)
    assert table.receive("zed", Start("start"), 101.0).events


def test_by_turns_they_have_as_long_to_see_the_end_of_a_match():
    table, chance = begun("gin", 2, 2, customs=Customs(pace="days", days=1), options={"target": 10}), [1]
    while table.status != "over":
        act(table, chance, 5 * DAY if table.asked() == [1] else 20.0)
    assert table.events[-2].person == "ben", "it is long since Anna has done anything"
    table.here({"ben"}, 5 * DAY)
    free = Bot("free", 0, None)
    with pytest.raises(Full, match="in 1 day"):
        table.receive("ben", free, 6 * DAY - 1)
    assert table.receive("ben", free, 6 * DAY).events


def test_whoever_sits_begins_where_the_host_does_not():
    table = made(players=3, game="companeros")
    table.receive("anna", Sit("1", 0, "Anna"), 1.0)
    table.receive("ben", Sit("2", 1, "Ben"), 1.0)
    with pytest.raises(NotHost):
        table.receive("ben", Bot("3", 2, "novice"), 2.0)
    table.here({"ben"}, 2.0)
    assert viewed(table, "ben").table.host, "while she is away"
    for message in (Bot("soon", 2, "novice"), Start("soon")):
        with pytest.raises(Full, match="in 1 second"):
            table.receive("ben", message, 61.5)
    assert table.receive("ben", Bot("now", 2, "novice"), 62.0).events
    table.here({"anna", "ben"}, 62.0)
    assert not viewed(table, "ben").table.host
    table.receive("anna", Stand("4"), 3.0)
    assert viewed(table, "ben").table.host
    assert not viewed(table, "cleo").table.host
    for seat in (0, 2):
        table.receive("ben", Bot(f"bot {seat}", seat, "novice"), 4.0)
    table.receive("ben", Start("go"), 5.0)
    assert table.sealed


def looked_on():
    """Anna made a table of three and looks on; Ben and Cleo have sat down."""
    table = made(players=3, game="companeros")
    table.here({"anna"}, 1.0)
    for seat, name in enumerate(["ben", "cleo"]):
        table.receive(name, Sit(name, seat, name.title()), 2.0)
    table.here({"anna", "ben", "cleo"}, 2.0)
    return table


def test_a_host_who_never_sat_leads_from_where_they_look_on():
    table = looked_on()
    assert not viewed(table, "ben").table.host
    for message in (Bot("fill", 2, "novice"), Start("start")):
        with pytest.raises(NotHost):
            table.receive("ben", message, 3.0)
    assert viewed(table, "anna").table.host
    table.receive("anna", Bot("bot", 2, "novice"), 4.0)
    table.receive("anna", Start("go"), 5.0)
    assert table.sealed


def test_a_host_who_looked_on_is_waited_for_as_one_who_sat():
    """Also where the table is read again meanwhile, and after the house was away."""
    table = looked_on()
    table.here({"ben", "cleo"}, 100.0)
    again = Table.rebuilt(drawing(), table.events)
    again.recall(table.away, [], [])
    for known in (table, again):
        known.here({"ben", "cleo"}, 130.0)
        with pytest.raises(Full, match="in 1 second"):
            known.receive("ben", Bot("soon", 2, "novice"), 159.5)
    table.resumed([(130.0, 150.0)], 150.0)
    with pytest.raises(Full, match="in 50 seconds"):
        table.receive("ben", Bot("late", 2, "novice"), 160.0)
    assert again.receive("ben", Bot("now", 2, "novice"), 160.0).events


def test_a_host_who_never_came_keeps_nobody_waiting():
    table = made(players=3, game="companeros")
    table.receive("ben", Sit("ben", 0, "Ben"), 1.0)
    table.here({"ben"}, 1.0)
    assert table.receive("ben", Bot("bot", 1, "novice"), 2.0).events
