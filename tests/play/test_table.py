"""A live table without a network: scripts of messages in, numbered events and views out."""

import hashlib
import itertools
import json
from dataclasses import replace

import msgspec
import pytest

from brelan.cards import seed
from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.games import GAMES
from brelan.play import shown
from brelan.play.messages import Again, Back, Bot, Malformed, Move, Next, Nonce, Sit, Stand, Start, key_of, read
from brelan.play.past import BOTS_PAUSE, PAUSE
from brelan.play.record import verify, written
from brelan.play.seats import Full, Late, NotHost, Open, bot_name, clean_name
from brelan.play.table import NONCE_WAIT, SEAT_CHANGES, Table
from brelan.play.told import refusal_words
from brelan.scene import places
from brelan.words import Words

NONCE = "ab" * 16


def drawing():
    """A generator that draws the same in every test."""
    count = itertools.count()
    return lambda n: hashlib.shake_256(str(next(count)).encode()).digest(n)


def made(game="gin", players=2, **choices):
    return Table.made(drawing(), "abc", game, players, "anna", 0.0, **choices)


def begun(game="gin", players=2, persons=1, now=10.0, **choices):
    """A table whose match has begun; anna sits at 0 and is the host."""
    table = made(game, players, **choices)
    names = ["anna", "ben", "cleo"][:persons]
    for seat, name in enumerate(names):
        table.receive(name, Sit(f"sit {seat}", seat, name.title()), now)
    for seat in range(persons, players):
        table.receive("anna", Bot(f"bot {seat}", seat, "novice"), now)
    table.receive("anna", Start("start"), now)
    for name in names:
        table.receive(name, Nonce(NONCE), now + 1)
    return table


def act(table, chance, now=20.0):
    """The next move of the seat asked first, by the novice; the seat."""
    seat = table.match.asked()[0]
    move = table.game.notation.move_text(table.game.policy.novice(table.seen_by(seat), seat, chance))
    table.receive(table.seats[seat].person, Move(f"move {table.number}", table.number, move), now)
    return seat


def play_on(table, until=lambda table: table.status == "over", now=20.0):
    """Let novices play for everybody until something holds; persons say next between rounds."""
    chance = [0]
    seed(chance, 1)
    while not until(table):
        if table.pause:
            go_on(table, now)
        else:
            act(table, chance, now)
    return table


def go_on(table, now=20.0):
    """One of those who look at a result has seen it; where only bots sit the pause ends by itself."""
    if table.waits_for():
        seat = table.waits_for()[0]
        table.receive(table.seats[seat].person, Next(f"next {table.number}"), now)
    else:
        table.tick(table.deadline)


def viewed(table, person, language="en", before=None, since=0):
    viewer = shown.Viewer(person, Words(language, table.game.id), "/link")
    seen = shown.Seen(before.number, before.table.match, places(before.scene.zones)) if before else None
    return shown.view(table, viewer, {"anna"}, seen, since)[0]


# ---------------------------------------------------------------- seats


def test_a_new_table_has_open_seats_and_every_option():
    table = made("gin", preset="classic", options={"target": 50})
    assert (table.status, [seat.kind for seat in table.seats]) == ("open", ["open", "open"])
    assert (table.options["target"], table.options["undercut_bonus"]) == (50, 25)


def test_a_wrong_choice_makes_no_table():
    with pytest.raises(Refusal, match="target"):
        made(options={"target": 0})


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
        (Nonce(NONCE), "Nothing is due here that this could answer."),
        (Again("k"), "The match has begun; seats stay as they are until it is over."),
        (Back("k"), "No bot plays for you: there is nothing to take back."),
        (Move("k", 0, "draw"), "The table has gone on since; look again."),
    ],
)
def test_who_answers_what_nobody_asked_is_not_told_to_look_again(message, says):
    table = begun()
    with pytest.raises(Late) as refused:
        table.receive("anna", message, 20.0)
    assert str(refused.value) == says


def test_seats_stay_as_they_are_while_a_match_is_played():
    table = begun()
    for message in (Sit("a", 0, "Anna"), Stand("b"), Bot("c", 1), Start("d")):
        with pytest.raises(Late):
            table.receive("anna", message, 20.0)


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
    mine, bots = view.table.nonces
    assert (mine, len(bots)) == (None, 32)  # what is the house's own to choose is shown before anybody adds to it
    assert not viewed(table, "ben").table.wants_nonce
    table.receive("anna", Nonce(NONCE), 2.5)
    header = next(event.data for event in table.events if event.kind == "header")
    assert header["commit"] == view.table.commit
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
    with pytest.raises(Late):
        table.receive("anna", Nonce(NONCE), 6.0)


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
    me = table.seats[table.match.asked()[0]].person
    first = table.receive(me, Move("key", table.number, "draw"), 20.0)
    again = table.receive(me, Move("key", table.number, "draw"), 30.0)
    assert (again.number, again.events) == (first.number, [])
    rebuilt = Table.rebuilt(drawing(), table.events)
    assert rebuilt.receive(me, Move("key", 0, "draw"), 40.0).number == first.number


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


def test_a_stored_table_whose_results_nobody_had_to_see_goes_on():
    """So tables of Elements were stored before they paused: moves followed the count at once."""
    table = play_on(begun("elements", 3), until=lambda table: table.tallied and not table.pause)
    act(table, [1])
    moves = [event for event in table.events if event.kind not in ("next", "onward")]
    again = Table.rebuilt(drawing(), [replace(event, number=n) for n, event in enumerate(moves, 1)])
    assert (again.match.lines, again.asked()) == (table.match.lines, table.asked())
    assert again.asked()


def test_a_pause_ends_by_itself_where_others_wait():
    table = play_on(begun(persons=2), until=lambda table: table.pause, now=50.0)
    assert not table.tick(50.0 + PAUSE - 1)
    assert [event.kind for event in table.tick(50.0 + PAUSE)] == ["shuffle"]


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


# ---------------------------------------------------------------- views


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_view_of_a_match_has_words_for_everything(game, language):
    table, before = begun(game.id, game.seats[0]), {}

    def seen(table):
        for person in ("anna", "watcher"):
            old = before.get(person)
            view = viewed(table, person, language, old, old.number if old else 0)
            assert view.number == table.number
            assert all(news.words for news in view.news)
            before[person] = view
        return table.status == "over"

    play_on(table, until=seen)
    assert before["anna"].table.winners == table.match.winners
    assert len(before["anna"].table.sheet) == len(table.match.tallies)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_a_viewer_is_sent_does_not_depend_on_what_it_may_not_know(game):
    """Deal the hidden cards anew: not one byte of the view changes."""
    table, chance, pairs = begun(game.id, game.seats[0], persons=game.seats[0]), [0], 0
    seed(chance, 5)
    for step in range(80):
        if table.status == "over":
            break
        if table.pause:
            table.tick(table.deadline)
        elif step % 3 == 0:
            pairs += hidden_redealt(table, step % len(table.seats), chance)
        else:
            act(table, chance)
    assert pairs > 5


def hidden_redealt(table, seat, chance):
    """Whether dealing anew what a seat cannot know makes another state; neither it nor a spectator may notice."""
    state = table.match.state
    people = (table.seats[seat].person, "watcher")
    before = [msgspec.json.encode(viewed(table, person)) for person in people]
    table.match.state = state.copy()
    table.game.rules.imagine(table.match.state, seat, chance)
    changed = table.match.state != state
    assert [msgspec.json.encode(viewed(table, person)) for person in people] == before
    table.match.state = state
    return changed


@pytest.mark.parametrize(
    ("game", "language", "sentences"),
    [
        ("elements", "en", ["The element cards are shuffled.", "The cards from 0 to 10 are shuffled."]),
        ("elements", "fr", ["Les cartes éléments sont mélangées.", "Les cartes de 0 à 10 sont mélangées."]),
        ("mio", "en", ["The cards are shuffled."]),
    ],
)
def test_what_is_shuffled_is_told(game, language, sentences):
    told = [news.words for news in viewed(begun(game, 3), "anna", language).news]
    assert told[-len(sentences) - 1 :] == [Words(language)("table.told.started"), *sentences]


def test_what_everybody_saw_of_a_move_is_still_told_after_again():
    table = play_on(begun("elements", 3))
    table.receive("anna", Again("again"), 90.0)
    assert [news for news in viewed(table, "anna").news if "places beside the" in news.words]


def test_cards_are_followed_from_view_to_view():
    table = begun()
    seat = table.match.asked()[0]
    before = viewed(table, "watcher")
    table.receive(table.seats[seat].person, Move("a", table.number, "draw"), 20.0)
    view = viewed(table, "watcher", before=before, since=before.number)
    assert [(move.source, move.target) for move in view.last] == [("stock", f"hand:{seat}")]
    assert [news.seat for news in view.news] == [seat]


def test_a_new_match_moves_no_cards_of_the_old_one():
    table = play_on(begun())
    before = viewed(table, "anna")
    table.receive("anna", Again("again"), 90.0)
    table.receive("anna", Nonce(NONCE), 91.0)
    assert viewed(table, "anna", before=before).last == []


def test_only_its_owner_is_shown_the_link_of_a_seat():
    table = begun()
    assert viewed(table, "anna").table.link == "/link"
    assert viewed(table, "ben").table.link is None


def test_a_table_says_how_it_differs_from_the_sheet():
    table = made(options={"gin_on_ten": True, "target": 50})
    assert viewed(table, "anna").table.differs == [
        "Gin with ten cards, after the throw: yes",
        "Points that win the match: 50",
    ]
    assert viewed(made(), "anna").table.differs == []


def test_a_bot_is_always_called_one():
    table = begun()
    assert [seat.name for seat in viewed(table, "anna").table.seats] == ["Anna", "Bot 2"]
    assert table.seats[1].person == bot_name(1)


# ---------------------------------------------------------------- reading frames


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        b"\xff\xfe",
        "[" * 50000,
        '{"type":"move"}',
        '{"type":"move","key":"","seen":1,"move":"draw"}',
        '{"type":"move","key":"k","seen":"1","move":"draw"}',
        '{"type":"move","key":"k","seen":1,"move":7}',
        '{"type":"move","key":"' + "k" * 65 + '","seen":1,"move":"draw"}',
        '{"type":"nonce","nonce":"AB"}',
        '{"type":"asking","key":"k"}',
        '{"type":"Move","key":"k","seen":1,"move":"draw"}',
        '{"type":"sit","key":"k","seat":true,"name":"x"}',
    ],
)
def test_a_frame_that_is_no_message_is_malformed(frame):
    with pytest.raises(Malformed):
        read(frame)


def test_what_is_wrong_with_a_message_is_named():
    with pytest.raises(Malformed) as refused:
        read('{"type":"move","key":"k","seen":"1","move":"draw"}')
    assert str(refused.value) == "This message cannot be read: Expected `int`, got `str` - at `$.seen`."


def test_a_message_is_read_and_an_unreadable_one_keeps_its_key():
    assert read('{"type":"move","key":"k","seen":3,"move":"draw","more":1}') == Move("k", 3, "draw")
    assert key_of('{"type":"fly","key":"k"}') == "k"
    assert key_of("{") == ""


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


def test_nobody_fills_a_table_by_changing_seats():
    table = made()
    for i in range(SEAT_CHANGES):
        table.receive("ben", Sit(f"{i}", i % 2, "Ben"), 1.0)
    for message in (Sit("more", 0, "Ben"), Stand("away")):
        with pytest.raises(Full, match="too often"):
            table.receive("ben", message, 1.0)
    assert not table.receive("ben", Sit("still", table.seat_of("ben"), "Ben"), 1.0).events


def test_a_nonce_is_that_long_to_the_last_byte():
    assert read(json.dumps({"type": "nonce", "nonce": NONCE})) == Nonce(NONCE)
    with pytest.raises(Malformed):
        read(json.dumps({"type": "nonce", "nonce": f"{NONCE}\n"}))
