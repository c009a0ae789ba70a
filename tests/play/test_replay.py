"""A match seen again: every step is what each seat saw live, and nothing is shown before the end."""

from itertools import pairwise

import msgspec
import pytest

from brelan.cards import SPECTATOR
from brelan.errors import Refusal
from brelan.games import GAMES
from brelan.play import shown
from brelan.play.messages import Again, Nonce
from brelan.play.record import verify, written
from brelan.play.replay import OPEN, NotOver, Replay, record_of
from brelan.play.shown import Viewer
from brelan.play.told import news
from brelan.scene import still
from brelan.words import LANGUAGES, Words
from tests.play.claims import claiming
from tests.play.scripts import NONCE, act, begun, go_on, play_again, play_on
from tests.tables import for_every_game


def watched(game):
    """A whole match at a live table: the table, and what everybody saw after each of its events, by step."""
    table = begun(game.id, game.seats[-1])
    words, chance, seen = Words("en", game.id), [1], {}
    viewers = [*range(game.seats[-1]), SPECTATOR]

    def look():
        step = len(table.match.lines) - 1
        if step not in seen:  # after a result that was seen nothing has happened yet
            seen[step] = {viewer: still(shown.scene_for(table, viewer, words)) for viewer in viewers}
        return table.status == "over"

    while not look():
        if table.pause:
            go_on(table)
        else:
            act(table, chance)
    return table, seen


@for_every_game
def test_every_view_is_the_one_that_the_seat_got_live(game):
    table, seen = watched(game)
    replay, words = Replay(table.events, table.sealed.match), Words("en", game.id)
    for viewer in [*range(table.match.players), SPECTATOR]:
        steps = list(replay.scenes(viewer, words, 0, len(replay.steps)))
        assert len(steps) == len(table.match.lines)
        assert len(seen) > len(steps) / 2
        for step, live in seen.items():
            assert steps[step].scene == live[viewer], (viewer, step)


@for_every_game
def test_pages_of_steps_join_without_a_seam(game):
    table = play_on(begun(game.id, game.seats[0]))
    replay, words = Replay(table.events, table.sealed.match), Words("fr", game.id)
    whole = list(replay.scenes(0, words, 0, 1000))
    pages = [step for first in range(0, len(whole), 7) for step in replay.scenes(0, words, first, 7)]
    assert pages == whole
    assert not list(replay.scenes(0, words, len(whole), 7))
    assert not whole[0].last
    assert any(step.last for step in whole)


@for_every_game
def test_all_hands_lie_open_to_who_asks_for_it(game):
    table = play_on(begun(game.id, game.seats[-1]))
    replay, words = Replay(table.events, table.sealed.match), Words("en", game.id)
    closed = [card for step in replay.scenes(SPECTATOR, words, 0, 1000) for card in fans(step)]
    opened = [card for step in replay.scenes(OPEN, words, 0, 1000) for card in fans(step)]
    assert None in closed
    assert opened
    assert None not in opened


def fans(step):
    return [card.face for zone in step.scene.zones if zone.kind == "fan" for card in zone.cards]


@for_every_game
def test_rounds_begin_with_a_deal_and_end_with_a_tally(game):
    table = play_on(begun(game.id, game.seats[0]))
    replay = Replay(table.events, table.sealed.match)
    rounds = replay.rounds()
    assert len(rounds) == len(table.match.tallies)
    assert rounds[0].begin == 0
    assert rounds[-1].end == len(replay.steps) - 1
    assert all(replay.steps[one.begin].kind == "shuffle" for one in rounds)
    assert all(one.begin < one.end for one in rounds)
    assert all(one.end < following.begin for one, following in pairwise(rounds))


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_the_log_tells_each_viewer_what_it_heard_live(game, language):
    table = play_on(begun(game.id, game.seats[0]))
    replay, words = Replay(table.events, table.sealed.match), Words(language, game.id)
    live = [event for event in table.events if event.kind in ("shuffle", "move", "over")]
    for seat, person in ((0, "anna"), (SPECTATOR, "nobody")):
        told = list(replay.told(seat, words))
        assert [one.step for one in told] == sorted(one.step for one in told)
        heard = list(news(table, person, 0, words))[-len(told) :]
        assert [one.words for one in told][-len(heard) :] == [one.words for one in heard], person
        assert len(told) >= len(live)


def test_who_sees_all_hands_hears_all():
    table = play_on(begun("gin"))
    replay, words = Replay(table.events, table.sealed.match), Words("en", "gin")
    assert any("face down" in one.words for one in replay.told(SPECTATOR, words))
    assert not any("face down" in one.words for one in replay.told(OPEN, words))


# ---------------------------------------------------------------- which match


def test_earlier_matches_of_a_table_stay():
    table = play_on(begun("gin"))
    first, text = table.sealed.match, written(table.match, table.chance)
    assert record_of(table.events, first) == text
    table.receive("anna", Again("again"), 30.0)
    table.receive("anna", Nonce(NONCE), 30.0)
    second = table.sealed.match
    with pytest.raises(NotOver):
        Replay(table.events, second)
    with pytest.raises(NotOver):
        record_of(table.events, second)
    play_on(table)
    assert record_of(table.events, first) == text
    assert record_of(table.events, second) == written(table.match, table.chance) != text
    for match in (first, second):
        replay = Replay(table.events, match)
        assert replay.table.sealed.match == match
        (verified,) = verify(record_of(table.events, match).encode(), strict=True)
        assert verified.lines == replay.match.lines


def test_a_match_that_is_not_known_is_refused():
    table = play_on(begun("gin"))
    for match in ("abc-00", "", "abc"):
        with pytest.raises(Refusal, match="There is no match"):
            Replay(table.events, match)
    with pytest.raises(Refusal, match="There is no match"):
        Replay([], table.sealed.match)


def test_names_are_those_of_the_match_and_nobodys_link_is_shown():
    table = play_on(begun("gin"))
    replay = Replay(table.events, table.sealed.match)
    shown_table = shown.table_shown(replay.table, Viewer("anna", Words("en", "gin")), set())
    assert [seat.name for seat in shown_table.seats] == ["Anna", "Bot 2"]
    assert shown_table.seat == 0
    assert b'"link":null' in msgspec.json.encode(shown_table)


def test_still_scenes_offer_nothing():
    game = next(game for game in GAMES if game.id == "gin")
    table = begun(game.id)
    scene = still(shown.scene_for(table, 0, Words("en", "gin")))
    cards = [card for zone in scene.zones for card in zone.cards]
    assert not scene.choices
    assert not any(card.why or card.rule or card.state in ("bright", "dim") for card in cards)


def test_a_second_match_at_a_table_is_stepped_through_though_the_house_was_away_while_time_to_speak_ran():
    table = play_on(claiming(persons=2))
    play_again(table, 30.0)
    for name in ("anna", "ben"):
        table.receive(name, Nonce(NONCE), 31.0)
    play_on(table, until=lambda table: table.window)
    until, now = table.window.until, table.window.until + 100
    assert [event.kind for event in table.resumed([(until, now)], now)] == ["resumed"]
    assert table.window.until == until + 100
    play_on(table, now=now)
    replay = Replay(table.events, table.sealed.match)
    assert len(replay.steps) == len(table.match.lines)
