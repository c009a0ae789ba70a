"""Every game has a first lesson, and it holds: played through the rules, in every language, to its last step."""

from dataclasses import replace

import pytest

from brelan.errors import Refusal
from brelan.play.lesson import LEARNER, lesson, lesson_shown, opening, steps_shown
from brelan.words import LANGUAGES, Words
from tests.laws.rulebooks import anchors
from tests.tables import for_every_game

SAYING = 300
"""Letters of what is said at once, at most: so many fit above the cards of a phone."""


@pytest.fixture(params=LANGUAGES)
def words(request, game):
    return Words(request.param, game.id)


def steps(game):
    return [step for deal in lesson(game.id) for step in deal.steps]


@for_every_game
def test_every_move_of_a_lesson_is_legal(game, words):
    """Playing it is the proof: the table refuses any other; and the learner is shown the move that is asked for."""
    for part in lesson_shown(game, words, ""):
        for step in part.steps:
            scene = step.views[-1].scene
            open_moves = [choice.move for choice in scene.choices if not choice.why]
            assert scene.seat == LEARNER
            assert (step.move in open_moves) if step.move else not open_moves, (part.title, step.say)
            assert bool(step.move) == (scene.prompt != words("lesson.read")), "no move is asked for that cannot be made"


@for_every_game
def test_nobody_has_to_wait_for_the_learner_unasked(game, words):
    """Whenever a move is asked for it is the learner's turn; only the last step of a part may lead nowhere."""
    for part in lesson_shown(game, words, ""):
        assert not part.steps[-1].move
        for step in part.steps:
            assert not step.move or LEARNER in step.views[-1].scene.turn
            assert not step.views[-1].scene.over, f"{part.title}: the match ends within the lesson"


@for_every_game
def test_most_steps_leave_a_choice(game, words):
    """A lesson in which nothing else could be done would teach nothing."""
    asked = [step.views[-1].scene for part in lesson_shown(game, words, "") for step in part.steps if step.move]
    free = [scene for scene in asked if len({choice.move for choice in scene.choices if not choice.why}) > 1]
    assert len(free) * 2 > len(asked)


@for_every_game
def test_every_step_names_a_paragraph_of_the_rulebook(game):
    for language in LANGUAGES:
        assert not {step.rule for step in steps(game)} - set(anchors(game, language))


@for_every_game
def test_what_is_said_is_short(game, words):
    for part in lesson_shown(game, words, ""):
        assert all(len(said) <= SAYING for step in part.steps for said in (step.say, step.other))


@for_every_game
def test_no_sentence_of_a_lesson_is_idle(game, words):
    said = {f"lesson.{deal.name}.title" for deal in lesson(game.id)}
    for deal in lesson(game.id):
        for step in deal.steps:
            key = f"lesson.{deal.name}.{step.name}"
            said |= {f"{key}.say", f"{key}.other"} if step.move else {f"{key}.say"}
    house = {key for key in Words(words.language)._sentences if key.startswith("lesson.")}
    assert {key for key in words._sentences if key.startswith("lesson.")} - house == said


@for_every_game
def test_a_lesson_never_shows_its_learner_what_others_hold(game, words):
    """Its views are made as at any table: until a round has ended the others' cards lie face down."""
    for part in lesson_shown(game, words, ""):
        for scene in (view.scene for step in part.steps for view in step.views):
            hands = [zone for zone in scene.zones if zone.kind == "fan" and zone.owner != LEARNER]
            assert scene.between or not any(card.face for zone in hands for card in zone.cards)


@for_every_game
def test_a_lesson_that_rots_is_refused(game):
    """Neither a move nor a reply that the rules do not know is passed over, nor a card that there is not."""
    deal = lesson(game.id)[0]
    names, words = ["Anna", *"BCDEFG"], Words("en", game.id)
    at = next(i for i, step in enumerate(deal.steps) if step.move and step.replies)
    for rotten in ({"move": "dance"}, {"replies": ("1 dance",)}):
        steps = (*deal.steps[:at], replace(deal.steps[at], **rotten), *deal.steps[at + 1 :])
        with pytest.raises(Refusal):
            list(steps_shown(game, replace(deal, steps=steps), names, words))
    with pytest.raises(ValueError, match="not in list"):
        opening(game, replace(deal, decks=("X99",)))
