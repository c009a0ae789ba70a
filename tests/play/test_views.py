"""What a viewer is sent of a live table: words for everything, and nothing that it may not know."""

from collections import Counter

import msgspec
import pytest

from brelan.cards import SPECTATOR, seed
from brelan.games import GAMES, find
from brelan.play.customs import Customs
from brelan.play.messages import Again, Bot, Leave, Move, Nonce, Say, Sit, Stand
from brelan.play.replay import Replay
from brelan.play.seats import bot_name
from brelan.play.shown import Viewer, best, table_shown
from brelan.play.table import Table
from brelan.play.told import is_aloud
from brelan.words import LANGUAGES, Words
from tests.play.scripts import NONCE, act, begun, drawing, made, play_again, play_on, viewed


@pytest.mark.parametrize("language", LANGUAGES)
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
    sheet, tallies = before["anna"].table.sheet, table.match.tallies
    assert [one.round for one in sheet] == [*range(1, len(tallies) + 1)]
    assert [(one.points, one.rule) for one in sheet] == [(tally.points, tally.rule) for tally in tallies]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_a_viewer_is_sent_does_not_depend_on_what_it_may_not_know(game):
    """Deal the hidden cards anew: not one byte of the view changes. Where a match is short, several are played."""
    table, chance, pairs = begun(game.id, game.seats[0], persons=game.seats[0]), [0], 0
    seed(chance, 5)
    for step in range(80):
        if table.status == "over":
            another_match(table)
        elif table.pause:
            table.tick(table.deadline)
        elif step % 3 == 0:
            pairs += hidden_redealt(table, step % len(table.seats), chance)
        else:
            act(table, chance)
    assert pairs > 5


def another_match(table):
    play_again(table, 90.0)
    for seat in table.persons():
        table.receive(table.seats[seat].person, Nonce(NONCE), 91.0)


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


def test_of_an_earlier_match_only_its_end_is_told_and_what_was_said():
    table = play_on(begun("elements", 3, persons=2))
    ended = viewed(table, "anna").news[-1].words
    winners = table.match.winners
    table.receive("ben", Say("say", "thanks"), 90.0)
    table.receive("ben", Stand("stand"), 91.0)
    table.receive("cleo", Sit("sit", 1, "Cleo"), 92.0)
    play_again(table, 93.0)
    for nonce in ("anna", "cleo"):
        table.receive(nonce, Nonce(NONCE), 94.0)
    news = viewed(table, "anna").news
    assert [one.kind for one in news[:2]] == ["over", "said"]
    assert news[0].words == ended
    assert ("Ben" in ended) == (1 in winners)
    assert "Ben" in news[1].words
    assert all(one.seat is None and one.kind == "table" for one in news[2:])


def test_who_comes_after_a_match_did_not_play_it_and_who_goes_did():
    table = play_on(begun(persons=2))
    played = viewed(table, "anna")
    ((winner, name),) = [(seat, played.table.seats[seat].name) for seat in played.table.winners]
    gone = table.seats[winner].person
    table.receive(gone, Stand("stand"), 90.0)
    table.receive("cleo", Sit("sit", winner, "Cleo"), 91.0)
    for person, seat, scene in ((gone, None, winner), ("cleo", winner, SPECTATOR), ("watcher", None, SPECTATOR)):
        view = viewed(table, person)
        assert (view.table.seat, view.scene.seat) == (seat, scene)
        assert (view.table.seats[winner].name, view.table.seats[winner].player) == ("Cleo", name)
        told = " ".join(news.words for news in view.news if news.kind != "table")
        assert name in told
        assert "Cleo" not in told
    assert viewed(table, "watcher").news[-1].words == f"Cleo sits down at seat {winner + 1}."


@pytest.mark.parametrize("goes", [0, 1])
def test_the_result_says_for_whom_a_bot_has_finished(goes):
    """Nobody else's victory is taken for theirs, nor theirs for their own doing; each move is told as it was made."""
    table, names = begun(persons=2), ["Anna", "Ben"]
    person, names[goes] = ("anna", "ben")[goes], f"{names[goes]} (bot)"
    table.receive(person, Leave("leave"), 30.0)
    play_on(table)
    view = viewed(table, "anna")
    again = Replay(table.events, table.sealed.match).table
    for shown in (view.table, table_shown(again, Viewer("", Words("en", "gin")), set())):
        assert [seat.player for seat in shown.seats] == names
        assert [seat.kept for seat in shown.seats] == [None, None]
    winner = names[view.table.winners[0]]
    assert next(news.words for news in view.news if news.kind == "over") == f"The match is over: {winner} wins."
    assert not any("(bot) (bot)" in news.words for news in view.news)


def test_from_the_second_match_on_a_table_says_who_has_won_there():
    table, won = begun("elements", 3, persons=2), Counter()
    for match in range(3):
        assert viewed(table, "anna").table.evening == [], "nothing is counted while a match is played"
        play_on(table)
        won.update(table.seats[seat].person for seat in table.match.winners)
        told = {one.name: one.won for one in viewed(table, "watcher").table.evening}
        names = {"anna": "Anna", "ben": "Ben", "bot:2": "Bot 3"}
        assert told == ({names[person]: n for person, n in won.items()} if match else {})
        again = Table.rebuilt(drawing(), table.events)
        assert viewed(again, "watcher").table.evening == viewed(table, "watcher").table.evening
        play_again(table, 93.0)
        for person in ("anna", "ben"):
            table.receive(person, Nonce(NONCE), 94.0)
    assert sum(won.values()) >= 3


def test_who_has_won_is_called_as_they_are_now_or_as_they_last_were():
    table = begun(persons=2)
    for _ in range(2):
        play_again(play_on(table), 93.0)
        for person in ("anna", "ben"):
            table.receive(person, Nonce(NONCE), 94.0)
    play_on(table)
    first = max(table.victors)[0]
    table.receive(first, Sit("name", table.seat_of(first), "Zoé"), 95.0)
    table.receive(first, Stand("up"), 96.0)
    shown = viewed(table, "watcher").table.evening
    assert "Zoé" in [one.name for one in shown]
    assert [one.won for one in shown] == sorted((one.won for one in shown), reverse=True)


def test_nobody_is_given_the_victories_of_another_of_their_name_who_has_gone():
    table = play_on(begun(persons=2))
    (seat,) = table.match.winners
    winner = table.seats[seat]
    table.receive(winner.person, Stand("up"), 91.0)
    table.receive("bob", Sit("sit", seat, winner.name), 92.0)
    assert table.seats[seat].name == f"{winner.name} (2)"
    table.receive("bob", Stand("bob up"), 93.0)
    table.receive(winner.person, Sit("back", seat, winner.name), 94.0)
    assert table.seats[seat].name == winner.name


def test_who_takes_another_name_does_not_sit_down_again():
    table = made()
    table.receive("ben", Sit("sit", 0, "Ben"), 1.0)
    table.receive("ben", Sit("name", 0, "Béa"), 2.0)
    table.receive("ben", Sit("seat", 1, "Béa"), 3.0)
    told = [news.words for news in viewed(table, "anna").news]
    assert told[-3:] == ["Ben sits down at seat 1.", "Ben is called Béa now.", "Béa sits down at seat 2."]


def test_a_seat_that_opens_or_gets_a_bot_is_told_by_the_number_it_has_on_the_page():
    table = made()
    table.receive("ben", Sit("sit", 1, "Ben"), 1.0)
    table.receive("ben", Stand("stand"), 2.0)
    table.receive("anna", Bot("bot", 1, "novice"), 3.0)
    told = [(news.seat, news.words) for news in viewed(table, "anna").news]
    assert told[-2:] == [(1, "Seat 2 is open again."), (1, "A bot takes seat 2.")]


@pytest.mark.parametrize(
    ("game", "heard", "aloud"),
    [
        ("gin", "knock H5", True),
        ("gin", "discard H5", False),
        ("mio", "play R3 mio", True),
        ("mio", "play R3", False),
        ("hawaiki", "play P3 2 pair", True),
        ("hawaiki", "let", False),
    ],
)
def test_only_what_is_called_out_is_called_aloud(game, heard, aloud):
    assert is_aloud(heard, Words("en", game)) == aloud


def test_what_is_said_at_a_private_table_is_for_those_who_sat_there_then():
    table = play_on(begun(persons=2, options={"target": 10}, customs=Customs(watch=False, talk=True)))
    table.receive("ben", Say("one", "hello"), 90.0)
    table.receive("ben", Stand("stand"), 91.0)
    table.receive("cleo", Sit("sit", 1, "Cleo"), 92.0)
    table.receive("cleo", Say("two", "thanks"), 93.0)
    names = ("anna", "ben", "cleo", "watcher")
    said = [[news.words for news in viewed(table, name).news if news.kind == "said"] for name in names]
    assert [len(heard) for heard in said] == [2, 1, 1, 0]
    assert ["Ben" in said[0][0], "Cleo" in said[0][1]] == [True, True]
    assert said[1] + said[2] == said[0]


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
        "Gin with ten cards, after the discard: yes",
        "Points that win the match: 50",
    ]
    assert viewed(made(), "anna").table.differs == []


@pytest.mark.parametrize(
    ("game", "points", "seats"),
    [
        ("gin", [0, 25], [1]),
        ("gin", [0, 0], []),
        ("mio", [12, 0, 3], [1]),
        ("mio", [7, 7, 7], []),
        ("elements", [4, 9, 9], [1, 2]),
    ],
)
def test_the_best_of_a_round_are_those_with_most_points_or_with_fewest_and_none_where_all_are_alike(
    game, points, seats
):
    assert best(find(game), points) == seats


def test_a_bot_is_always_there_and_a_person_over_a_line_only():
    seats = viewed(begun("elements", 3, persons=2), "ben").table.seats
    assert [(seat.kind, seat.online) for seat in seats] == [("person", True), ("person", False), ("bot", True)]
    assert {seat.since for seat in seats} == {None}


def test_a_bot_is_always_called_one():
    table = begun()
    assert [seat.name for seat in viewed(table, "anna").table.seats] == ["Anna", "Bot 2"]
    assert table.seats[1].person == bot_name(1)
