"""Laws of knowledge: what a seat is shown depends on nothing that it may not know, and lacks nothing that it may."""

import json
import os

import msgspec
from msgspec import to_builtins

from brelan.cards import HIDDEN
from brelan.game import legal_moves
from brelan.play.replay import still
from brelan.words import LANGUAGES, Words
from tests.tables import at_every_table, generator, tables_of, viewers, walk

PLIES = 80
MATCHES = int(os.environ.get("BRELAN_MATCHES", "1"))  # a game, and one at each table; `make nightly` asks for more


def walks(table, seed):
    """A table's share of the matches of its game, as `walk` goes through one."""
    for number in range(-(-MATCHES // len(tables_of(table.game)))):
        yield from walk(table, seed + number, PLIES)


@at_every_table
def test_legal_moves_can_be_listed_from_what_the_seat_knows(table):
    game = table.game
    for match in walks(table, 11):
        for seat in match.asked():
            seen = game.view.redact(match.state, seat)
            texts = [game.notation.move_text(move) for move in legal_moves(game.rules, seen, seat)]
            assert texts == match.legal(seat)


@at_every_table
def test_a_view_does_not_change_when_what_it_hides_is_dealt_anew(table):
    """Non-interference: the hidden cards are re-dealt at random; redacted state and scene stay the same."""
    game, random = table.game, generator(5)
    words = Words("en", game.id)
    changed = 0
    for match in walk(table, 12, PLIES):
        if match.over:
            continue
        for seat in range(match.players):
            other = match.state.copy()
            game.rules.imagine(other, seat, random)
            changed += other != match.state
            assert game.view.redact(other, seat) == game.view.redact(match.state, seat)
            scenes = [
                to_builtins(game.view.scene(game.view.redact(s, seat), seat, words)) for s in (other, match.state)
            ]
            assert scenes[0] == scenes[1]
    assert changed


@at_every_table
def test_an_imagined_state_agrees_with_what_the_seat_knows(table):
    game, random = table.game, generator(6)
    for match in walk(table, 13, PLIES):
        if match.over:
            continue
        for seat in range(match.players):
            seen = game.view.redact(match.state, seat)
            world = seen.copy()
            game.rules.imagine(world, seat, random)
            assert game.view.redact(world, seat) == seen
            held = sorted(card for cards in game.view.zones(world).values() for card in cards)
            assert held == sorted(card for cards in game.view.zones(match.state).values() for card in cards)


@at_every_table
def test_redacting_twice_is_redacting_once(table):
    game = table.game
    for match in walk(table, 14, PLIES):
        for seat in viewers(match):
            seen = game.view.redact(match.state, seat)
            assert game.view.redact(seen, seat) == seen


@at_every_table
def test_views_hold_the_same_zones_and_counts_for_everybody(table):
    zones = table.game.view.zones
    for match in walk(table, 15, PLIES):
        counts = {zone: len(cards) for zone, cards in zones(match.state).items()}
        for seat in viewers(match):
            seen = zones(table.game.view.redact(match.state, seat))
            assert {zone: len(cards) for zone, cards in seen.items()} == counts


@at_every_table
def test_a_hand_is_hidden_from_its_opponents_until_the_rules_open_it(table):
    """At the first move of the match nothing was shown yet: opponents and spectators see counts only."""
    match = next(walk(table, 16, 1))
    for seat in viewers(match):
        seen = table.game.view.zones(table.game.view.redact(match.state, seat))
        assert set(seen.get("stock", [])) <= {HIDDEN}
        for owner in range(match.players):
            hand = seen[f"hand:{owner}"]
            assert (HIDDEN in hand) == (owner != seat)


@at_every_table
def test_scenes_are_plain_data_with_keys_that_stand_once(table):
    for language in LANGUAGES:
        words = Words(language, table.game.id)
        for match in walk(table, 17, PLIES // 2):
            for seat in viewers(match):
                scene = table.game.view.scene(table.game.view.redact(match.state, seat), seat, words)
                json.dumps(to_builtins(scene))
                keys = [card.key for zone in scene.zones for card in zone.cards]
                assert len(set(keys)) == len(keys)
                check_choices(scene, match, seat)


@at_every_table
def test_a_scene_stays_as_it_was_whoever_is_shown_another(table):
    """Scenes share the pieces that are the same for all."""
    words, kept = Words("en", table.game.id), []
    for match in walk(table, 19, PLIES // 2):
        for seat in viewers(match):
            scene = table.game.view.scene(table.game.view.redact(match.state, seat), seat, words)
            kept.append((scene, msgspec.json.encode(scene)))
            still(table.game.view.scene(table.game.view.redact(match.state, seat), seat, words))  # as a replay shows it
    assert all(msgspec.json.encode(scene) == as_it_was for scene, as_it_was in kept)


def check_choices(scene, match, seat):
    """The open choices are the legal moves; each names cards and a zone that are on the table."""
    open_moves = [choice.move for choice in scene.choices if not choice.why]
    legal = match.legal(seat) if seat in range(match.players) else []
    assert set(legal) <= set(open_moves)
    spellings = {match.game.notation.meant(match.state, seat, match.game.notation.move_of(m)) for m in open_moves}
    assert {match.game.notation.move_text(m) for m in spellings} == set(legal)
    keys = {card.key for zone in scene.zones for card in zone.cards}
    for choice in scene.choices:
        assert set(choice.cards) <= keys, choice
        assert choice.target is None or choice.target in {zone.id for zone in scene.zones}, choice
        assert choice.words


@at_every_table
def test_the_novice_plays_from_what_its_seat_knows(table):
    """In compiled playouts it is given the whole state: it must choose as if it were given its own view."""
    game = table.game
    for match in walk(table, 18, PLIES):
        for seat in match.asked():
            seen = game.view.redact(match.state, seat)
            chosen = [game.policy.novice(state, seat, generator(8)) for state in (match.state, seen)]
            assert chosen[0] == chosen[1]
            assert game.notation.move_text(chosen[0]) in match.legal(seat)
