"""Where a raised card fits several places the page asks which, and nothing else can be chosen by mistake."""

import pytest
from msgspec.structs import replace

from brelan.play.told import News
from brelan.scene import Call
from tests.gallery.looks import looks
from tests.gallery.stage import SIZES, stage
from tests.pages.asked import OPEN, Asked, at, kept, where
from tests.pages.tree import HEAR

NUMBERED = """Object.fromEntries([...document.querySelectorAll(".aim")]
    .filter(place => getComputedStyle(place, "::after").content !== "none")
    .map(place => [place.dataset.number, place.closest(".zone").dataset.zone]))"""
FOCUS = "document.activeElement.className"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with kept(tmp_path_factory.mktemp("asking")) as address:
        yield address


@pytest.fixture
def asked(address, chromium, request):
    with stage(chromium, address, request.param) as on:
        found = Asked(on, request.param)
        yield found
        assert not on.errors


@at("where7")
def test_a_card_that_fits_two_piles_goes_on_one_of_them_and_nobody_draws(asked):
    """Both are numbered, the stock is not; Enter, a number and the arrows know the piles only."""
    assert asked.page.evaluate(NUMBERED) == {"1": "pile:1", "2": "pile:3"}
    for keys, pile in ("Enter", 1), ("1", 1), ("2", 3), ("ArrowRight Enter", 3), ("ArrowLeft Enter", 3):
        assert asked.answer(*keys.split()) == f"play {asked.card} {pile}", keys
        asked.ask()


@at("where7")
def test_while_a_move_is_under_way_no_refusal_of_anything_else_offers_it_again(asked):
    asked.acks = False
    asked.answer("Enter")
    asked.refuse("another")
    assert not asked.page.locator(OPEN).count()
    asked.refuse()
    asked.page.locator(OPEN).first.wait_for()


@at("saying")
def test_where_one_pile_fits_and_more_can_be_said_the_pile_comes_first(asked):
    for keys in ("Enter", "Enter"), ("1", "1"):
        assert asked.answer(*keys) == f"play {asked.card} 2", keys
        asked.ask()


@at("saying")
def test_once_the_pile_is_chosen_it_is_asked_what_is_announced_and_nothing_is_an_answer(asked):
    asked.press("Enter")
    assert asked.page.locator(".prompt").inner_text() == "What do you announce with this card?"
    answers = asked.page.locator(OPEN).all_inner_texts()
    assert answers == [f"Pile 2: {said}" for said in ("nothing", "a pair", "a run", "a colour", "three of a kind")]
    asked.press("Escape")
    assert asked.page.locator(".prompt").inner_text() == "Lay a card on a pile, or draw."


@at("saying")
def test_who_taps_the_pile_hears_what_is_asked_and_is_at_the_answers(asked):
    asked.page.locator(".aim").focus()
    asked.page.evaluate("document.getElementById('voice').replaceChildren()")
    asked.press("Enter")
    asked.page.locator("#voice", has_text="What do you announce with this card?").wait_for(state="attached")
    assert asked.page.evaluate("document.activeElement.matches('.bar .choices [data-move]')")


@at("saying")
def test_what_must_be_said_in_time_is_asked_each_time(asked):
    """Two others in a row say nothing: the second silence is asked about as the first was."""
    words = [replace(choice, cards=[], target=None) for choice in asked.view.scene.choices[:2]]
    due = replace(asked.view.scene, prompt="Nobody announced it.", choices=words)
    theirs = replace(due, choices=[], turn=[1])
    asked.page.evaluate(HEAR)
    for number, scene in enumerate((due, theirs, due), 1):
        asked.on.show(replace(asked.view, number=asked.view.number + number, scene=scene))
        asked.page.locator(f".bar{'[data-mine]' if scene is due else ':not([data-mine])'}").wait_for()
    assert asked.page.evaluate("window.heard").count("Nobody announced it.") == 2


@pytest.mark.parametrize(
    ("code", "prompt", "buttons"),
    [
        ("where7", "Choose one of the lit places.", 0),
        ("laying", None, 1),
        ("jokers", "Which colour do you name?", 5),
    ],
)
def test_on_a_phone_a_raised_card_says_how_it_is_laid(code, prompt, buttons, address, chromium):
    """By a button where one place takes it, whatever else is lit; else by what is asked."""
    view, key = where(code, 0)
    with stage(chromium, address, code) as on:
        on.resize(*SIZES["phone"])
        on.show(view, [key])
        on.settle()
        assert on.page.locator(".bar .choices [data-move]:visible").count() == buttons
        if prompt:
            assert on.page.locator(".prompt").inner_text() == prompt
            assert on.page.locator(".prompt").bounding_box()["width"] > 100
        assert not looks(on.page)


@at("where7")
def test_where_the_house_announces_nobody_is_asked_what(asked):
    said = asked.page.locator(".bar").inner_text()
    assert "announce" not in said
    assert "nothing" not in said


@at("knocks")
def test_where_words_are_left_to_choose_no_place_has_a_number(asked):
    assert not asked.page.evaluate(NUMBERED)
    assert asked.answer("1") == f"discard {asked.card}"


@at("giving")
def test_the_key_for_drawing_gives_no_card_back(asked):
    asked.on.show(asked.view)
    asked.page.locator(OPEN).first.wait_for()
    asked.moves.clear()
    asked.press("d", "l")
    asked.page.locator(".remark").wait_for()  # what the second key says
    assert not asked.moves
    assert not asked.page.locator(".confirm").count()


def after(view, move):
    """The view when that move was made: it is offered no longer."""
    left = [choice for choice in view.scene.choices if choice.move != move]
    return replace(view, number=view.number + 1, scene=replace(view.scene, choices=left))


@at("giving")
def test_cards_given_back_together_go_one_after_the_other(asked):
    """A digit more raises a card more, the same one puts it down again; each goes once the one before it went."""
    asked.on.show(asked.view)
    asked.page.locator(OPEN).first.wait_for()
    asked.press("Escape", "1", "2", "3", "1")
    raised = asked.page.locator("[data-hand] [aria-pressed=true]")
    first, second = [card.get_attribute("data-key") for card in raised.all()]
    assert not asked.page.locator(".bar").get_by_text("Give back the").count()
    asked.moves.clear()
    asked.page.locator(OPEN, has_text="Give these cards back").click()
    view, wanted = asked.view, [f"return {first}", f"return {second}"]
    for made in (1, 2):
        asked.wait(made)
        assert asked.moves == wanted[:made]
        asked.on.show(view := replace(view, number=view.number + 1))  # somebody else was faster
        asked.page.wait_for_timeout(50)
        assert len(asked.moves) == made
        asked.on.show(view := after(view, wanted[made - 1]))
    asked.page.wait_for_timeout(50)
    assert len(asked.moves) == 2


@at("giving")
def test_after_a_refusal_none_of_the_others_goes(asked):
    asked.on.show(asked.view)
    asked.page.locator(OPEN).first.wait_for()
    asked.press("Escape", "1", "2")
    asked.moves.clear()
    asked.page.locator('[data-zone="stock"] .aim').click()
    asked.wait(1)
    asked.refuse()
    asked.on.show(after(asked.view, asked.moves[0]))
    asked.page.wait_for_timeout(50)
    assert len(asked.moves) == 1


@at("giving")
def test_after_a_cut_line_none_of_the_others_goes(asked):
    """Nobody can say what came of the first; on another device its reader may have gone on since."""
    asked.on.show(asked.view)
    asked.page.locator(OPEN).first.wait_for()
    asked.press("Escape", "1", "2", "3")
    asked.moves.clear()
    asked.acks = False
    asked.page.locator('[data-zone="stock"] .aim').click()
    asked.wait(1)
    lines = len(asked.on.lines)
    asked.on.lines[-1].close()
    while len(asked.on.lines) == lines:
        asked.page.wait_for_timeout(5)
    asked.on.lines[-1].on_message(asked.hear)
    made = asked.moves[0]
    asked.on.show(after(asked.view, made))
    asked.page.wait_for_timeout(50)
    assert set(asked.moves) == {made}  # at most said once more


@at("saying")
def test_a_card_that_was_taken_up_too_soon_is_asked_about_alone(asked):
    """Its drag began while others played; let go, it asks what is announced with it, and of no other card."""
    asked.press("Escape")
    asked.on.show(replace(asked.view, scene=replace(asked.view.scene, choices=[], turn=[1])))
    card, pile = asked.page.locator(f'[data-hand] [data-key="{asked.key}"]'), asked.page.locator('[data-zone="pile:2"]')
    asked.page.locator("[data-mine]").wait_for(state="detached")
    card.hover(position={"x": 8, "y": 30})
    asked.page.mouse.down()
    box = pile.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    asked.page.mouse.move(x, y, steps=4)
    asked.on.show(replace(asked.view, number=asked.view.number + 1))
    asked.page.locator("[data-mine]").wait_for()
    asked.page.mouse.up()
    asked.page.locator(".choices[data-aimed]").wait_for()
    moves = asked.page.evaluate("[...document.querySelectorAll('.choices [data-move]')].map(one => one.dataset.move)")
    assert len(moves) == 5
    assert all(move.startswith(f"play {asked.card} 2") for move in moves)


@at("saying")
def test_a_card_that_is_let_go_where_it_does_not_go_makes_no_other_move(asked):
    """A tap on the stock draws; whoever lets a card go there has missed the pile."""
    asked.press("Escape")
    card, stock = asked.page.locator(f'[data-hand] [data-key="{asked.key}"]'), asked.page.locator('[data-zone="stock"]')
    card.hover(position={"x": 8, "y": 30})
    asked.page.mouse.down()
    box = stock.bounding_box()
    asked.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    asked.page.mouse.up()
    asked.page.locator(f'[data-hand] [data-key="{asked.key}"][aria-pressed="true"]').wait_for()
    asked.page.wait_for_timeout(50)
    assert not asked.moves


@at("saying")
def test_a_digit_is_that_of_its_key_where_it_wants_shift(asked):
    asked.press("Escape")
    asked.page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '&', code: 'Digit1', bubbles: true}))"
    )
    assert asked.page.evaluate("document.activeElement.matches('[data-hand] li:first-child .card')")


@at("knocks")
def test_what_a_key_changes_or_cannot_do_is_said(asked):
    """Nothing else tells it to those who listen."""
    scene = replace(asked.view.scene, call=Call("mio", "Mio!"))
    asked.on.show(replace(asked.view, number=asked.view.number + 1, scene=scene))
    asked.page.locator(".call").wait_for()
    asked.page.evaluate(HEAR)
    asked.press("m", "m", "s")
    theirs = replace(scene, choices=[], turn=[1])
    asked.on.show(replace(asked.view, number=asked.view.number + 2, scene=theirs, news=[]))
    asked.page.locator(".bar:not([data-mine])").wait_for()
    asked.press("h")
    heard = [line for line in asked.page.evaluate("window.heard") if line]
    assert heard[:2] == ["“Mio!” is said with your next move.", "“Mio!” is not said."]
    assert heard[2:] == ["Order of the hand: By colour", "It is not your turn yet."]


@at("knocks")
def test_a_word_that_was_called_goes_with_the_next_try_where_a_move_is_refused(asked):
    """Whoever does as the refusal says would else have forgotten it."""
    asked.press("Escape")
    choices = [choice for choice in asked.view.scene.choices if not choice.why]
    called = [replace(choice, move=f"{choice.move} mio") for choice in choices]
    scene = replace(asked.view.scene, call=Call("mio", "Mio!"), choices=[*choices, *called])
    asked.on.show(replace(asked.view, number=asked.view.number + 1, scene=scene))
    asked.page.locator(".call").click()
    asked.page.locator(f'[data-hand] [data-key="{asked.key}"]').click()
    asked.acks = False
    asked.moves.clear()
    asked.page.locator('[data-zone="discards"] .aim').click()
    asked.wait(1)
    assert asked.moves[0].endswith(" mio")
    asked.refuse()
    assert asked.page.locator(".call").get_attribute("aria-pressed") == "true"


@at("where7")
def test_what_others_say_takes_the_focus_from_nothing(asked):
    """Whoever is about to put the card back would else lay it by the next Enter."""
    while "put-back" not in asked.page.evaluate(FOCUS):
        asked.press("Tab")
    said = News(1, "Ben: Good luck!", kind="said", text="Good luck!")
    asked.on.show(replace(asked.view, number=asked.view.number + 1, news=[said]))
    asked.page.locator("#voice", has_text=said.words).wait_for(state="attached")
    assert "put-back" in asked.page.evaluate(FOCUS)
    asked.press("Enter")
    asked.page.locator("[data-asking]").wait_for(state="detached")
    assert not asked.moves
    assert not asked.page.locator("[data-hand] [aria-pressed=true]").count()


@at("knocks")
def test_what_is_asked_once_more_has_the_focus_wherever_it_was_chosen(asked):
    """The card that had it is still there: it would hear the Enter that is meant for the answer."""
    asked.press("Escape")
    asked.page.locator(f'[data-hand] [data-key="{asked.key}"]').focus()
    asked.press("Enter", "k")
    assert asked.page.evaluate("document.activeElement.closest('.confirm') !== null")
    assert asked.answer("Enter") == f"knock {asked.card}"


@at("where7")
def test_where_the_last_card_is_gone_the_focus_is_at_what_is_asked_and_the_arrows_lead_back(asked):
    """Not at some link, by which a second Enter would leave the table."""
    zones = [replace(zone, cards=[], count=0) if zone.id == "hand:0" else zone for zone in asked.view.scene.zones]
    scene = replace(asked.view.scene, zones=zones, choices=[])
    asked.press("Escape")
    asked.page.locator(f'[data-hand] [data-key="{asked.key}"]').focus()
    asked.on.show(replace(asked.view, number=asked.view.number + 1, scene=scene))
    asked.page.locator("[data-hand] .card").first.wait_for(state="detached")
    assert asked.page.evaluate(FOCUS) == "prompt"
    asked.on.show(replace(asked.view, number=asked.view.number + 2))
    asked.page.locator("[data-hand] .card").first.wait_for()
    asked.press("ArrowRight")
    assert asked.page.evaluate(FOCUS) == "card"


@pytest.mark.parametrize(
    ("asked", "keys", "focus"),
    [("knocks", ["Enter", "k"], ".confirm .button"), ("saying", ["Enter"], ".bar .choices [data-move]")],
    indirect=["asked"],
)
def test_what_is_asked_is_in_the_window_where_all_is_so_large_that_the_page_scrolls(asked, keys, focus):
    """As on a desktop at four times its size (WCAG 2.2 SC 1.4.10, 2.4.11)."""
    if focus.startswith(".confirm"):
        asked.press("Escape")
        asked.page.locator(f'[data-hand] [data-key="{asked.key}"]').focus()
    asked.on.resize(320, 256)
    asked.press(*keys)
    assert asked.page.evaluate("focus => document.activeElement.matches(focus)", focus)
    box = asked.page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    assert box["top"] >= 0
    assert box["bottom"] < 257
