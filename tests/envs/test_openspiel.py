"""OpenSpiel's own tests hold for every game, and its IS-MCTS plays all of them through resampling."""

import pickle
import re
import subprocess
import sys
import unittest

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.tests import games_sim_test  # noqa: E402

from brelan.envs import openspiel  # noqa: E402
from brelan.errors import Illegal, Refusal, WrongSeat  # noqa: E402
from brelan.games import GAMES, find  # noqa: E402
from tests.tables import for_every_game  # noqa: E402

SHORT = {"gin": {"target": 1, "knock_limit": 100}, "mio": {"target": 1}, "hawaiki": {"tokens": 1}}
"""Options with which even random play ends soon."""


def load(game, **parameters):
    return pyspiel.load_game(f"python_brelan_{game.id}", SHORT.get(game.id, {}) | parameters)


def play_on(state, chance, most=10**6):
    """Play at random until somebody has something to choose, at most so many decisions; the state."""
    while not state.is_terminal():
        if not state.is_chance_node():
            if most == 0:
                break
            most -= 1
        state.apply_action(at_random(state, chance))
    return state


def at_random(state, chance):
    """A legal action, or the next card of a shuffle: equal cards are one outcome, not equally likely."""
    if not state.is_chance_node():
        return int(chance.choice(state.legal_actions()))
    cards, odds = zip(*state.chance_outcomes(), strict=True)
    return int(chance.choice(cards, p=odds))


@for_every_game
def test_openspiel_simulates_each_game_with_all_seats(game):
    for players in {game.seats[0], game.seats[-1]}:
        pyspiel.random_sim_test(load(game, players=players), num_sims=1, serialize=False, verbose=False)


@for_every_game
def test_states_are_cloned_and_written_down_as_openspiel_asks(game, capsys):
    games_sim_test.GamesSimTest("sim_game").sim_game(load(game))


READ = """
import pickle, sys
game = pickle.loads(sys.stdin.buffer.read())
print(game, game.new_initial_state())
"""


def test_a_game_is_read_by_a_process_that_knows_only_openspiel():
    """As a worker that is handed its game: nothing of ours has been imported there."""
    game = pyspiel.load_game("python_brelan_mio", {"players": 3, "target": 50})
    read = subprocess.run([sys.executable, "-c", READ], input=pickle.dumps(game), capture_output=True, check=True)
    assert read.stdout.decode() == f"{game} {game.new_initial_state()}\n"


@for_every_game
def test_a_part_of_the_tree_keeps_openspiels_contract(game):
    kept = {"game": load(game), "game_name": f"python_brelan_{game.id}"}
    case = type("Kept", (api_test.EnforceAPIOnPartialTreeBase,), kept)
    found = unittest.TestLoader().loadTestsFromTestCase(case).run(unittest.TestResult())
    assert found.testsRun
    assert not found.failures + found.errors


def test_a_shuffle_of_one_card_is_dealt_by_itself():
    """Hawaiki: who draws and draws at last turns over a single card for a new stock."""
    state = pyspiel.load_game("python_brelan_hawaiki", {"players": 2}).new_initial_state()
    chance = np.random.RandomState(4)
    while len(state.pile.due) != 1:
        draw = [action for action in state.legal_actions() if state.action_to_string(action) == "draw"]
        state.apply_action(draw[0] if draw and chance.rand() < 0.97 else at_random(state, chance))
    state.apply_action(state.legal_actions()[0])
    assert not state.is_terminal()
    assert state.legal_actions()


@for_every_game
def test_imperfect_information_search_plays_through_resampling(game):
    chance = np.random.RandomState(4)
    spiel = load(game)
    bot = ismcts.ISMCTSBot(
        game=spiel,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(2)),
        uct_c=10.0,
        max_simulations=4,
        random_state=np.random.RandomState(3),
    )
    state = spiel.new_initial_state()
    for _ in range(4):
        play_on(state, chance, 3)
        if state.is_terminal():
            break
        state.apply_action(int(bot.step(state)))
    assert state.move_number() > 4


@for_every_game
def test_a_resampled_state_is_the_same_to_who_imagines_it_and_another_to_others(game):
    chance, sampler = np.random.RandomState(5), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = play_on(pyspiel.load_game(f"python_brelan_{game.id}").new_initial_state(), chance, 4)
    seat = state.current_player()
    worlds = [state.resample_from_infostate(seat, sampler) for _ in range(8)]
    for world in worlds:
        assert world.information_state_string(seat) == state.information_state_string(seat)
        assert world.observation_string(seat) == state.observation_string(seat)
        assert world.legal_actions() == state.legal_actions()
    other = (seat + 1) % state.num_players()
    assert len({world.information_state_string(other) for world in worlds}) > 1
    play_on(worlds[0], chance, 30)


@for_every_game
def test_a_shuffle_in_the_making_is_imagined_with_its_world(game):
    """Nobody has seen its first cards; and where others hold what the seat cannot know, other cards are shuffled."""
    chance, sampler = np.random.RandomState(5), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state, tops = load(game).new_initial_state(), []
    for _ in range(400):
        if state.is_terminal():
            break
        if len(state.pile.top) == 2:
            world = state.resample_from_infostate(0, sampler)
            assert sorted(world.pile.top + world.pile.due) == sorted(openspiel.due(game, world.ply.state))
            assert len(world.pile.top) == 2
            tops.append(world.pile.top == state.pile.top)
            play_on(world, chance, 30)
        state.apply_action(at_random(state, chance))
    assert not all(tops)


@for_every_game
def test_a_story_tells_apart_what_a_seat_has_seen_and_no_more(game):
    """Two seats' stories of one match differ; a seat's story of a world it cannot tell apart is its own."""
    state = play_on(load(game).new_initial_state(), np.random.RandomState(6), 8)
    stories = [state.information_state_string(seat) for seat in range(state.num_players())]
    assert len(set(stories)) == len(stories)


def test_a_long_match_is_told_written_down_and_imagined():
    """Longer than Python's stack is deep; and it is the same story told at its end as told on the way."""
    often, once = (pyspiel.load_game("python_brelan_gin").new_initial_state() for _ in range(2))
    chances = [np.random.RandomState(10) for _ in range(2)]
    for _ in range(15):
        play_on(often, chances[0], 100).information_state_string(0)
    play_on(once, chances[1], 1500)
    story = once.information_state_string(0)
    assert story.count("\n") > 1500
    assert story == often.information_state_string(0)
    assert story == pickle.loads(pickle.dumps(once)).information_state_string(0)
    world = once.resample_from_infostate(1, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert world.information_state_string(1) == once.information_state_string(1)


def test_observers_tell_the_pieces_by_name_and_a_spectator_no_hand():
    spiel = pyspiel.load_game("python_brelan_gin")
    state = play_on(spiel.new_initial_state(), np.random.RandomState(7), 3)
    seat = make_observation(spiel)
    seat.set_from(state, 0)
    assert seat.dict["hand"].sum() >= 10
    public = make_observation(
        spiel,
        pyspiel.IIGObservationType(public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE),
    )
    public.set_from(state, 0)
    assert public.dict["hand"].sum() == 0
    every = pyspiel.PrivateInfoType.ALL_PLAYERS
    with pytest.raises(ValueError, match="eyes of one seat"):
        spiel.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, private_info=every))


def test_an_information_state_has_no_tensor_and_passes_no_observation_off_as_one():
    spiel = pyspiel.load_game("python_brelan_gin")
    state = play_on(spiel.new_initial_state(), np.random.RandomState(7), 3)
    assert list(state.information_state_tensor(0)) == []
    recalls = make_observation(spiel, pyspiel.IIGObservationType(perfect_recall=True))
    recalls.set_from(state, 0)
    assert (recalls.tensor, recalls.string_from(state, 0)) == (None, state.information_state_string(0))


def test_a_world_is_imagined_by_a_seat_of_the_table():
    state = play_on(pyspiel.load_game("python_brelan_gin").new_initial_state(), np.random.RandomState(7), 3)
    for seat in (-1, 2):
        with pytest.raises(WrongSeat, match=f"no seat {seat}; seats are 0 to 1"):
            state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))


def test_parameters_are_the_options_of_the_rules():
    classic = pyspiel.load_game("python_brelan_gin(preset=classic,target=50)").new_initial_state().ply.state
    assert (classic.upcard_offer, classic.target) == (1, 50)
    deck = pyspiel.load_game("python_brelan_mio", {"players": 3, "deck": "0 2 2 2 2 2"}).new_initial_state().ply.state
    assert (deck.players, deck.deck) == (3, [0, 2, 2, 2, 2, 2])
    four = {"players": 4, "colours": "RYGB"}
    assert pyspiel.load_game("python_brelan_companeros", four).new_initial_state().ply.state.colours == 0b1111
    with pytest.raises(Refusal):
        pyspiel.load_game("python_brelan_companeros", four | {"colours": "RYG"})  # as three have it
    win = pyspiel.load_game("python_brelan_companeros", {"reward": "win"})
    assert sum(play_on(win.new_initial_state(), np.random.RandomState(8)).returns()) == 0


@pytest.mark.parametrize("players", [2, 6])
def test_victories_are_told_as_zero_sum_and_points_as_what_they_are(players):
    """Algorithms ask before they begin; also of a game that was written down."""
    sums, known = pyspiel.GameType.Utility, {"points": (None, 10**9), "win": (0.0, 1.0)}
    for reward, told in known.items():
        game = pickle.loads(
            pickle.dumps(pyspiel.load_game("python_brelan_mio", {"players": players, "reward": reward}))
        )
        assert game.get_type().utility == (sums.ZERO_SUM if reward == "win" else sums.GENERAL_SUM)
        assert (game.utility_sum(), game.max_utility(), game.min_utility()) == (*told, -told[1])


def test_what_may_not_be_done_is_refused_and_changes_nothing():
    chance = np.random.RandomState(1)
    state = load(find("gin")).new_initial_state()
    says_and_keeps(state, 52, Refusal, "may not be “52”; allowed: 0, 1, 2")
    play_on(state, chance, 0)
    says_and_keeps(state, max(state.legal_actions()) + 1, Illegal, "may not be played now")
    says_and_keeps(state, find("gin").rules.ACTIONS, Refusal, "“action” may not be")
    play_on(state, chance)
    says_and_keeps(state, 0, WrongSeat, "The match is over.")


def says_and_keeps(state, action, kind, says):
    was = str(state), state.history()
    with pytest.raises(kind, match=re.escape(says)):
        state.apply_action(action)
    assert (str(state), state.history()) == was


def test_points_are_paid_at_the_end_and_few_are_good_where_the_rules_say_so():
    state = play_on(load(find("mio")).new_initial_state(), np.random.RandomState(9))
    assert state.returns() == [-total for total in state.ply.state.total[: state.num_players()]]
    assert {kind.game.id for kind in openspiel.REGISTERED} == {game.id for game in GAMES}
