"""Players of other engines at our tables: cards and moves are translated truly, and the bots play as at home."""

import importlib
import random
import shutil
from collections import Counter
from types import SimpleNamespace

import pytest

from bench.peers import gin, strength
from brelan.games.gin.notation import CARDS
from brelan.games.mio.fits import JOKER
from brelan.lab import bench
from brelan.lab.arena import Block, Plan
from brelan.lab.bench import C_SOURCES, IN_C, Skipped

HAND = ("As", "2s", "3s", "7h", "8h", "9h", "Kd", "Kc", "Kh", "5c", "Qd")


def sight(*legal, hand=HAND):
    return gin.Sight(tuple(hand), ("4d", "Jc"), legal)


def test_their_decks_are_ours_in_their_order():
    assert sorted(gin.SPIEL) == sorted(gin.RLCARD) == sorted(CARDS)
    assert gin.RLCARD == CARDS
    assert (gin.SPIEL[0], gin.SPIEL[13], gin.SPIEL[26], gin.SPIEL[51]) == ("As", "Ac", "Ad", "Kh")


def test_a_sight_is_what_the_seat_holds_and_sees():
    zones = {"hand:0": ["?"] * 10, "hand:1": list(HAND), "discards": ["4d", "Jc"], "stock": ["?"]}
    found = gin.Sight.of({"seat": 1, "zones": zones, "legal": ["discard 5c"]})
    assert found == gin.Sight(HAND, ("4d", "Jc"), ("discard 5c",))
    assert found.throws
    assert not set(found.strangers(11)) & {*HAND, "4d", "Jc"}


def test_moves_go_to_rlcard_and_come_back():
    drawing = sight("draw", "take", hand=HAND[:10])
    assert [gin.from_rlcard(move, drawing.legal) for move in gin.to_rlcard(drawing, ())] == ["draw", "take"]
    offered = sight("take", "pass", hand=HAND[:10])
    assert {gin.from_rlcard(move, offered.legal) for move in gin.to_rlcard(offered, ())} == {"pass", "take"}
    throwing = sight("discard 5c", "discard Qd", "knock Qd", "knock As")
    moves = gin.to_rlcard(throwing, ["Qd", "5c"])
    assert sorted(gin.from_rlcard(move, throwing.legal) for move in moves) == ["discard 5c", "discard Qd", "knock Qd"]


def test_gin_is_the_only_thing_that_rlcard_does_with_gin_and_of_eleven_the_dearer():
    ten = sight("discard 5c", "gin Qd", "knock 5c")
    assert gin.to_rlcard(ten, ["5c"]) == [gin.RLCARD_GIN]
    assert gin.from_rlcard(gin.RLCARD_GIN, ten.legal) == "gin Qd"
    assert gin.from_rlcard(gin.RLCARD_GIN, ("gin", "gin As")) == "gin"


def test_a_hand_ends_in_the_best_way_that_is_legal():
    assert gin.out_with("Qd", ("discard Qd", "knock Qd", "gin Qd")) == "gin Qd"
    assert gin.out_with("Qd", ("discard Qd", "gin Qd", "gin")) == "gin"
    assert gin.out_with("Qd", ("discard Qd", "knock As")) is None


def test_openspiels_bot_decides_at_our_table_as_at_its_own():
    """Hands of its own game between two bots; at each turn of the first the same is asked in our words."""
    pyspiel = pytest.importorskip("pyspiel")
    adapter = importlib.import_module("bench.peers.openspiel_bot")
    chance, asked = random.Random(1), 0
    for _ in range(15):
        state = adapter.rummy().new_initial_state()
        bots = [pyspiel.make_simple_gin_rummy_bot(adapter.rummy().get_parameters(), seat) for seat in range(2)]
        while not state.is_terminal() and not any(state.knocked()):
            if state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
                continue
            ask = in_our_words(state) if state.current_player() == 0 else None
            action = bots[state.current_player()].step(state)
            if ask:
                asked += 1
                assert adapter.choose(ask) in meant(action, ask["legal"])
            state.apply_action(action)
    assert asked > 100


def in_our_words(state):
    """An ask of our protocol at the first seat of OpenSpiel's hand; None at the end of the stock, which ours lack."""
    if str(state.current_phase()).endswith("WALL") or len(state.legal_actions()) == 1:
        return None
    hand = [gin.SPIEL[card] for card in state.hands()[0]]
    pile = [gin.SPIEL[card] for card in state.discard_pile()]
    upcard = [] if state.upcard() is None else [gin.SPIEL[state.upcard()]]
    legal = (
        ["draw", "take"] if len(hand) == 10 else [f"{form} {card}" for form in ("discard", "knock") for card in hand]
    )
    return {"seat": 0, "zones": {"hand:0": hand, "discards": pile + upcard}, "legal": legal}


def meant(action, legal):
    """What OpenSpiel's action may be in ours: it says which card a knock throws only with its next one."""
    named = {gin.SPIEL_TAKE: ["take"], gin.SPIEL_DRAW: ["draw"], gin.SPIEL_PASS: ["draw"]}
    if action == gin.SPIEL_KNOCK:
        return [move for move in legal if move.startswith("knock")]
    return named[action] if action in named else [f"discard {gin.SPIEL[action]}"]


def test_openspiels_search_plays_a_whole_match_through_resampling():
    pytest.importorskip("pyspiel")
    whole = importlib.import_module("bench.peers.whole")
    played = whole.several(whole.games.find("companeros"), 3, 1, 2)
    assert (played.matches, played.rounds) == (1, 1)
    assert played.decisions > 27


def test_openspiels_search_is_dealt_the_whole_deck(monkeypatch):
    """Of Mio's 55 cards five are jokers, equal cards: they came as seldom as a card of which there is but one."""
    pytest.importorskip("pyspiel")
    whole = importlib.import_module("bench.peers.whole")
    mio, dealt = whole.loaded(whole.games.find("mio"), 2, "sheet", {}), Counter()

    def step(state):
        dealt.update(state.history()[:10])
        raise StopIteration

    monkeypatch.setattr(whole, "bot_of", lambda *_: SimpleNamespace(step=step))
    for seed in range(100):
        with pytest.raises(StopIteration):
            whole.to_the_end(mio, 1, seed)
    assert 60 < dealt[JOKER] < 120


def chooser(settings):
    """This module as a peer: whoever plays the last move listed."""
    return lambda ask: ask["legal"][-int(settings[1])]


def test_a_peer_is_asked_within_this_process_as_its_program_would_be():
    name = f"cmd:python -m {__name__} --from-the-end 1"
    plan = Plan("mio", (name, "novice"), 2, options={"target": 1})
    found = strength.play(plan, Block(name, "novice", 0, 3))
    assert (found.deals, found.faults, found.faults_b) == (3, 0, 0)
    assert len(strength.peer(name).taken) > 10


def test_every_game_in_c_has_its_source():
    assert {source.stem for source in C_SOURCES.glob("*.c")} == set(IN_C)


def test_a_gcc_that_builds_nothing_leaves_a_figure_out(monkeypatch, tmp_path):
    (tmp_path / "gcc").symlink_to(shutil.which("false"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(bench, "enough", lambda *_: 1)
    with pytest.raises(Skipped, match="cannot build"):
        bench.against_c("gin")
