"""Hawaiki at random, at every number of seats and with every set of variants: the laws, and what imagining keeps."""

import itertools
from collections import Counter

import pytest

from brelan import cards
from brelan.cards import HIDDEN
from brelan.games.hawaiki import GAME, notation
from brelan.games.hawaiki.bags import has
from brelan.games.hawaiki.memory import laid_by_others, new_unseen, unseen
from brelan.games.hawaiki.state import SHUFFLE
from brelan.play.match import Match
from brelan.words import LANGUAGES, Words
from tests.games.hawaiki.written import DECK, say, table
from tests.tables import chance_of, generator, viewers

VARIANTS = [
    dict(zip(("one_hidden", "sacrifice", "second_chance"), on, strict=True))
    for on in itertools.product((False, True), repeat=3)
]
WHOLE = sorted(map(notation.card_of, DECK))

with_seats = pytest.mark.parametrize("players", GAME.seats)
with_variants = pytest.mark.parametrize("variants", VARIANTS, ids=lambda v: "+".join(k for k in v if v[k]) or "sheet")


def walk(players, options, seed, most):
    """The match before each of its first moves: uniform moves, the novice, and players who love to draw, by turns.

    The last make the stock run out. Of several seats asked any one moves.
    """
    match = Match(GAME, players, seed % players, options={"tokens": 40} | options)
    chance, random = chance_of(seed, players), generator(seed)
    match.deal(chance)
    for ply in range(most):
        if match.over:
            break
        yield match
        asked = match.asked()
        seat = asked[cards.below(random, len(asked))]
        texts = match.legal(seat)
        text = texts[cards.below(random, len(texts))]
        if ply // 9 % 3 == 1:
            text = notation.move_text(GAME.policy.novice(GAME.view.redact(match.state, seat), seat, random))
        elif "draw" in texts and cards.below(random, 4):
            text = "draw"
        match.move(seat, text)
        match.deal(chance)
    yield match


def held(state):
    return sorted(card for row in GAME.view.zones(state).values() for card in row)


@with_seats
@with_variants
def test_cards_are_conserved_and_whoever_is_asked_may_move(players, variants):
    for match in walk(players, variants, 1, 500):
        assert held(match.state) == WHOLE
        assert match.over or match.asked()
        for seat in range(players):
            assert bool(match.legal(seat)) == (seat in match.asked())
        counts = [len(GAME.view.zones(match.state)[f"hand:{seat}"]) for seat in range(players)]
        assert match.over or match.due() or counts == match.state.count[:players]
    shuffled = [len(line["shuffle"]) for line in match.lines if "shuffle" in line]
    assert min(shuffled) < 70


@with_seats
@with_variants
def test_views_keep_what_is_known_and_nothing_else(players, variants):
    random = generator(2)
    for match in itertools.islice(walk(players, variants, 2, 500), 0, None, 3):
        if match.over:
            continue
        for seat in range(players):
            seen = GAME.view.redact(match.state, seat)
            assert GAME.view.redact(seen, seat) == seen
            for start in (seen, match.state):
                world = start.copy()
                GAME.rules.imagine(world, seat, random)
                assert held(world) == WHOLE
                assert GAME.view.redact(world, seat) == seen
                check_world(match.state, world, seat)
        for viewer in viewers(match):
            where = GAME.view.zones(GAME.view.redact(match.state, viewer))
            known = Counter(card for row in where.values() for card in row if card != HIDDEN)
            assert not known - Counter(WHOLE)


def check_world(state, world, seat):
    """An imagined world keeps who may still be hidden, and one's own hand; its seats can be asked in turn."""
    assert world.hand[seat] == state.hand[seat]
    for other in range(state.players):
        assert (world.hidden[other] >= 0) == (state.hidden[other] >= 0)
        if world.hidden[other] >= 0:
            assert world.hand[other][0] >> world.hidden[other] & 1


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_an_imagined_table_keeps_old_and_new_cards_apart(players):
    """After a rebuild the stock is of that heap, less one's own draws; who has drawn nothing holds none of it."""
    random, stocks, hands = generator(3), 0, 0
    for seed in range(6):
        heap, lines = None, 0
        for match in walk(players, {}, 30 + seed, 500):
            for line in match.lines[lines:]:
                if "shuffle" in line:
                    heap = Counter(map(notation.card_of, line["shuffle"]))
            lines = len(match.lines)
            if heap is None or sum(heap.values()) == 70 or match.over or match.state.phase == SHUFFLE:
                continue
            tops = Counter(match.state.pile[pile][0] for pile in range(3))
            for seat in range(players):
                world = GAME.view.redact(match.state, seat)
                GAME.rules.imagine(world, seat, random)
                zones = GAME.view.zones(world)
                drawn = Counter({card: has(world.mine[seat], card) for card in range(35)})
                assert Counter(zones["stock"]) <= heap - drawn
                stocks += len(zones["stock"]) > 0
                for other in range(players):
                    if not world.drawn[other]:
                        assert Counter(zones[f"hand:{other}"]) <= Counter(WHOLE) - heap - tops
                        hands += 1
    assert stocks > 100
    assert hands > 100


def may_be_either(world, seat, card):
    """Whether a copy that another laid, and one that `seat` does not see, are the old one and the new one, or not."""
    laid, new = laid_by_others(world, seat, card), new_unseen(world, seat, card)
    return laid > 0 < new < unseen(world, seat, card) + laid


@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_a_rebuild_the_others_hold_in_imagined_worlds_as_much_of_a_card_as_they_do(players):
    """Of a card that lay in the heap, and of which a copy was laid since: that one came from a hand, most times."""
    random, really, imagined = generator(3), [], []
    for seed in range(12):
        for match in walk(players, {}, 60 + seed, 500):
            s = match.state
            if match.over or s.phase == SHUFFLE:
                continue
            for seat in range(players):
                world = GAME.view.redact(s, seat)
                either = [card for card in range(35) if may_be_either(world, seat, card)]
                if not either:
                    continue
                GAME.rules.imagine(world, seat, random)
                others = [other for other in range(players) if other != seat]
                for state, found in ((s, really), (world, imagined)):
                    found.append(sum(has(state.hand[other], card) for other in others for card in either) / len(either))
    assert len(really) > 200
    assert abs(sum(imagined) - sum(really)) / len(really) < 0.2


@with_variants
def test_a_match_is_played_again_from_its_record(variants):
    *_, match = walk(3, variants, 4, 300)
    again = Match(GAME, 3, match.first, options=match.options)
    for line in match.lines:
        if "shuffle" in line:
            again.shuffle(line["shuffle"])
        else:
            again.move(line["seat"], line["move"])
    assert again.state == match.state


@with_seats
@with_variants
def test_every_refusal_has_a_rule_with_words(players, variants):
    catalogues = [Words(language, "hawaiki") for language in LANGUAGES]
    for match in itertools.islice(walk(players, variants, 5, 250), 0, None, 5):
        for seat in range(players):
            legal = set(match.legal(seat))
            for move in range(0, GAME.rules.ACTIONS, 1 if seat == match.state.turn else 31):
                if notation.move_text(move) not in legal:
                    rule = GAME.view.why_not(match.state, seat, move)
                    assert all(f"why.{rule}" in words for words in catalogues), rule


@with_seats
@with_variants
def test_the_scene_offers_the_legal_moves_in_both_languages(players, variants):
    for match in itertools.islice(walk(players, variants, 6, 250), 0, None, 4):
        for viewer in viewers(match):
            for language in LANGUAGES:
                seen = GAME.view.redact(match.state, viewer)
                scene = GAME.view.scene(seen, viewer, Words(language, "hawaiki"))
                legal = match.legal(viewer) if viewer >= 0 else []
                assert {choice.move for choice in scene.choices if not choice.why} == set(legal)
                assert all(choice.blind for choice in scene.choices if choice.why)
                check_scene(scene, match, viewer)


def test_what_a_lay_makes_is_left_to_its_player():
    """With every lay all that can be said goes, in one order; only what is chosen says that it is not so (H10)."""
    told = set()
    for match in walk(3, {}, 8, 120):
        seat = match.asked()[0] if match.asked() else -1
        scene = GAME.view.scene(GAME.view.redact(match.state, seat), seat, Words("en", "hawaiki"))
        lays = [choice for choice in scene.choices if choice.move.startswith("play")]
        for card, pile in {(choice.cards[0], choice.target) for choice in lays}:
            offered = [choice for choice in lays if choice.cards == [card] and choice.target == pile]
            assert [choice.move.split()[3:] for choice in offered] == [[], ["pair"], ["run"], ["colour"], ["three"]]
            told |= {choice.rule for choice in offered}
    assert told == {None, "H10"}


def check_scene(scene, match, viewer):
    keys = [card.key for zone in scene.zones for card in zone.cards]
    assert len(set(keys)) == len(keys)
    own = {card.key for zone in scene.zones if zone.owner == viewer for card in zone.cards}
    for choice in scene.choices:
        assert set(choice.cards) <= own
        assert choice.target is None or choice.target in {zone.id for zone in scene.zones}
    for zone in scene.zones:
        if zone.kind == "fan" and zone.owner != viewer and not match.over:
            hidden = match.state.hidden[zone.owner] >= 0 or not match.state.one_hidden
            assert not zone.cards or not hidden or any(card.face is None for card in zone.cards)


@with_variants
def test_the_novice_plays_legal_moves_and_ends_its_matches(variants):
    for players in GAME.seats:
        match = Match(GAME, players, options=variants)
        chance, random = chance_of(7, players), generator(7)
        match.deal(chance)
        for _ in range(3000):
            if match.over:
                break
            seat = match.asked()[0]
            move = GAME.policy.novice(GAME.view.redact(match.state, seat), seat, random)
            match.move(seat, notation.move_text(move))
            match.deal(chance)
        assert match.over
        assert min(match.scores) == 0


@pytest.mark.parametrize(("drawn", "then"), [("G6", "end"), ("B6", "end"), ("G1", "end"), ("Y2", "again")])
def test_the_novice_takes_another_turn_for_a_combination_only(drawn, then):
    """Of what it draws the first fits nowhere, the next two fit and make nothing, the last makes a colour."""
    match = table("G3 P3", "O1 O4", piles="B2|Y1|Y5", stock=drawn, second_chance=True)
    say(match, "draw")
    assert notation.move_text(GAME.policy.novice(match.state, 0, generator(1))) == then
