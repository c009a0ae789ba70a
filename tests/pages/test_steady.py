"""The table keeps still: nothing jumps while cards are picked and notes come, the last move stays, raised cards too."""

import json
import random
import re

import pytest

from brelan.cards import seed
from brelan.games import GAMES
from brelan.play.customs import Customs
from brelan.play.messages import Move
from brelan.words import LANGUAGES
from tests.gallery.looks import looks
from tests.gallery.moments import ANNA, begun, laid, seen, step
from tests.gallery.stage import SIZES, furnish, stage
from tests.pages.ears import HIDDEN, eared, heard
from tests.pages.people import ByKeyboard, ByMouse, Pair
from tests.server.clients import Process

FULL = [(game.id, max(game.seats)) for game in GAMES]
CODES = {game: f"{game[:5]}7" for game, _ in FULL} | {"companeros": "compa6"}
"""Matches in which what once jumped comes: six cards to take alone, three notes beside a name, MIO forgotten."""
WHERE = """() => [
    document.querySelector(".choices:is([data-signs], [data-answers]:not([data-answers='1']))")
        ? 0 : document.querySelectorAll("[data-hand] .card").length,
    [".felt", ".hand", ".bar", "[data-game=mio] [data-zone=stock]"]
        .map(name => document.querySelector(name)).filter(Boolean)
        .map(part => part.getBoundingClientRect()).map(box => [Math.round(box.top), Math.round(box.height)]).join()]"""
STEPS = """() => [...document.querySelectorAll("[data-hand][data-rows='2'] > li + li")]
    .map(card => [card.hasAttribute("data-gap"), card.offsetLeft - card.previousElementSibling.offsetLeft])
    .filter(([, step]) => step > 0)"""
"""In a hand of two rows: whether each card begins a meld, or what is no meld, and how far from the one before it."""
APART = """() => [...document.querySelectorAll(".laid .fan > li[data-gap]")]
    .map(card => card.offsetLeft - card.previousElementSibling.offsetLeft - card.firstElementChild.offsetWidth)"""
"""In a hand that is laid out: from the last card of each meld to the next one."""
POT = (
    "[...document.querySelectorAll('[data-base=pot]')].map(zone => zone.getBoundingClientRect().left.toFixed()).join()"
)
OWN = "[...document.querySelectorAll('.before [data-base=trick] .card')].map(card => card.offsetWidth)"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("steady")
    furnish(folder, [begun(laid(game, players, CODES[game])) for game, players in FULL])
    with Process(folder) as process:
        yield process.address.rstrip("/")


@pytest.mark.parametrize(("game", "players", "preset"), [*((*full, "sheet") for full in FULL), ("gin", 2, "classic")])
def test_nothing_jumps_while_cards_are_picked_and_laid(game, players, preset, address, chromium):
    """Where a hand has as many cards, felt, hand and bar stand where they stood, whatever notes and buttons come; and
    Mio's stock, whatever is drawn. What is only said lifts them a little, and is not looked at.
    """
    for size in ("phone", "desktop"):
        with stage(chromium, address, CODES[game]) as on:
            on.resize(*SIZES[size])
            stood = {}
            for view in played(laid(game, players, CODES[game], preset=preset)):
                look(on, view, stood)
            jumped = {cards: places for cards, places in stood.items() if len(places) > 1}
            assert any(len(numbers) > 1 for places in stood.values() for numbers in places.values())
            assert not jumped, (size, jumped)
            assert not on.errors


def forgot(scene):
    """Whether a card of Anna's is set aside, since she forgot MIO."""
    return any(zone.id == "aside:0" and zone.cards for zone in scene.zones)


def leads(scene):
    """Whether another than Anna leads an auction of Elements."""
    return any(note.rule == "E17" and note.seat for note in scene.notes)


def takers(scene):
    """Whether it is known in which order all six take from the pot of Compañeros."""
    return sum(note.rule == "C2" and note.seat is not None for note in scene.notes) == 6


@pytest.mark.parametrize(
    ("game", "players", "telling"), [("mio", 4, forgot), ("elements", 4, leads), ("companeros", 6, takers)]
)
def test_where_many_play_on_a_phone_nothing_is_covered_or_cut(game, players, telling, address, chromium):
    """Three beside each other leave no room: neither for a sign after a name, nor for words beside the piles; and the
    names of six fill more than one line.
    """
    shown = [view for view in played(laid(game, players, f"{game}p"), most=250) if telling(view.scene)]
    assert shown
    with stage(chromium, address, CODES[game], "fr") as on:
        on.resize(*SIZES["phone"])
        for view in shown:
            on.show(view)
            on.settle()
            assert not looks(on.page), view.number


@pytest.mark.parametrize(("game", "players"), [("mio", 6), ("companeros", 6)])
def test_where_six_play_by_the_clock_on_a_phone_nothing_scrolls(game, players, address, chromium):
    clocked = laid(game, players, f"{game[:5]}c", customs=Customs(pace="live"))
    with stage(chromium, address, CODES[game], "fr") as on:
        on.resize(*SIZES["phone"])
        for view in played(clocked, most=60):
            on.show(view)
            on.settle()
            assert not looks(on.page), view.number


def test_the_card_that_ends_a_round_lies_on_its_pile(address, chromium):
    """Whoever looks up late sees there what the last move was."""
    view = next(view for view in played(laid("mio", 6, CODES["mio"]), most=400) if view.scene.between)
    pile = next(zone for zone in view.scene.zones if zone.id == "discards")
    top = json.dumps(pile.cards[-1].key)
    with stage(chromium, address, CODES["mio"]) as on:
        on.show(view)
        assert on.page.locator(f".result [data-zone={pile.id}] [data-key={top}]").is_visible()
        assert not on.errors


@pytest.mark.parametrize("width", [360, 390, 430])
def test_a_hand_of_ten_lies_as_one_of_eleven_does(width, address, chromium):
    """A row more or less would move all, twice a turn."""
    with stage(chromium, address, CODES["gin"]) as on:
        on.resize(width, 844)
        lies = {}
        for view in played(laid("gin", 2, CODES["gin"]), most=24):
            on.show(view)
            on.settle()
            cards, place = on.page.evaluate(WHERE)
            lies.setdefault(place, set()).add(cards)
    assert list(lies.values()) == [{10, 11}]


def test_a_trick_that_grows_pushes_the_pot_nowhere(address, chromium):
    """On a tablet too; and one's own card in it is as large there as there is room for."""
    with stage(chromium, address, CODES["companeros"]) as on:
        on.resize(*SIZES["tablet"])
        stood, own = {}, set()
        for view in played(laid("companeros", 6, CODES["companeros"]), most=40):
            pot = tuple((zone.id, zone.count) for zone in view.scene.zones if zone.id.startswith("pot"))
            on.show(view)
            on.settle()
            stood.setdefault(pot, set()).add(on.page.evaluate(POT))
            own.update(on.page.evaluate(OWN))
    assert own
    assert min(own) > 50
    assert all(len(places) == 1 for places in stood.values()), stood


def fitting(view):
    """Each card that may be laid at an element, and at how many."""
    cards = [choice.cards[0] for choice in view.scene.choices if (choice.target or "").startswith("element:")]
    return [(card, cards.count(card)) for card in set(cards)]


def test_a_raised_card_that_fits_many_places_moves_nothing_and_hides_no_question(address, chromium):
    """Places on the table are lit, and named to those who listen or use keys; a row of the same would lift the hand."""
    views = played(laid("elements", 4, CODES["elements"]))
    view, card = next((view, card) for view in views for card, places in fitting(view) if places > 3)
    with stage(chromium, address, CODES["elements"], "en") as on:
        on.resize(*SIZES["desktop"])
        places = []
        for picked in ([], [card]):
            on.show(view, picked)
            on.settle()
            places.append(on.page.evaluate(WHERE))
        assert places[0] == places[1]
        assert on.page.locator(".prompt").inner_text() == "Choose one of the lit places."
        assert on.page.locator(".prompt").bounding_box()["width"] > 100
        assert on.page.locator(".bar .choices [data-move]").count() > 3


def test_where_colours_are_taken_on_a_phone_the_bar_keeps_no_row_for_them(address, chromium):
    """They are lit in the pot."""
    views = played(laid("companeros", 6, CODES["companeros"]))
    view = next(
        view for view in views if sum(bool(choice.target and not choice.cards) for choice in view.scene.choices) > 2
    )
    with stage(chromium, address, CODES["companeros"]) as on:
        on.resize(*SIZES["phone"])
        on.show(view)
        on.settle()
        assert on.page.locator(".aim").count() > 2
        assert not on.page.locator(".bar .choices").is_visible()


def test_melds_in_a_result_stand_apart_on_a_phone(address, chromium):
    """Each shows its last card whole."""
    view = next(view for view in played(laid("gin", 2, CODES["gin"]), most=200) if view.scene.between)
    with stage(chromium, address, CODES["gin"]) as on:
        on.resize(390, 844)
        on.show(view)
        on.settle()
        apart = on.page.evaluate(APART)
    assert apart
    assert min(apart) > 0


def test_melds_in_a_hand_of_two_rows_stand_apart(address, chromium):
    """Of two side by side, one line of gold would make one meld."""
    with stage(chromium, address, CODES["gin"]) as on:
        on.resize(*SIZES["phone"])
        apart = []
        for view in played(laid("gin", 2, CODES["gin"]), most=100):
            on.show(view)
            on.settle()
            steps = on.page.evaluate(STEPS)
            usual = min((step for _, step in steps), default=0)
            apart += [step - usual for begins, step in steps if begins]
    assert apart
    assert min(apart) > 5


def played(table, most=120):
    """What Anna's page is told of a match that is the same each time; by turns in two languages.

    She lays any card that she may, and forgets MIO.
    """
    chance, whim = [0], random.Random(5)
    seed(chance, 2)
    begun(table)
    while table.status != "over" and table.number < most:
        view = seen(table, ANNA, LANGUAGES[table.number % 2])
        yield view
        choices = [] if table.pause else [choice for choice in view.scene.choices if not choice.why]
        if 0 in view.scene.turn and choices:
            choice = whim.choice([choice for choice in choices if choice.cards] or choices)
            table.receive(ANNA, Move(f"move {table.number}", table.number, choice.move), 20.0)
        else:
            step(table, chance)


def look(on, view, stood):
    """Note where things stand, by how many cards the hand holds: with this view, and with a card picked."""
    cards = next((choice.cards[:1] for choice in view.scene.choices if choice.cards and not choice.why), [])
    for picked in ([], cards)[: 1 + bool(cards)]:
        on.show(view, picked)
        on.settle()
        cards_held, places = on.page.evaluate(WHERE)
        if cards_held:
            stood.setdefault(cards_held, {}).setdefault(places, []).append(view.number)


def test_the_last_move_stays_in_sight_and_moves_that_nobody_saw_are_counted(chromium, house):
    pair = Pair(chromium, house)
    _, other = pair.move("draw")
    line = other.page.locator(".last")
    assert line.inner_text() == next(news["words"] for news in other.view["news"] if news["kind"] == "move")
    other.page.evaluate(HIDDEN, True)
    pair.move("discard")
    other.page.evaluate(HIDDEN, False)
    assert "1 " in other.page.locator(".last .missed").inner_text()
    assert line.bounding_box()["height"] <= 44
    line.click()
    assert other.page.locator(".sheet .log li").count() >= 2
    assert other.page.locator(".last .missed").count() == 0
    pair.done()


def test_moves_are_counted_that_were_made_while_the_page_was_not_open(chromium, house):
    pair = Pair(chromium, house)
    mover, other = pair.move("draw")
    address, scene, number = other.page.url, mover.view["scene"], mover.view["number"]
    other.page.goto("about:blank")
    mover.make(next(choice for choice in scene["choices"] if choice["move"].startswith("discard")), scene)
    mover.wait(lambda view: view["number"] > number)
    other.page.goto(address)
    said = other.page.locator(".missed").inner_text()
    assert said.startswith("1 ")
    assert said in other.page.locator("#voice").text_content()
    other.page.reload()
    other.page.wait_for_selector(".last")
    assert other.page.locator(".last .missed").count() == 0
    pair.done()


def test_the_line_tells_what_the_table_did_for_others_after_a_move(chromium, house):
    """In friendly Hawaiki the table says thanks for all: that must not hide who was named."""
    person = ByMouse(chromium, house).sit_down("hawaiki", 3, tokens=60)
    told = []
    while not (told and told[-1]["follows"]):
        person.play(person.moves + 1)
        person.come_to_turn()
        told = [news for news in person.view["news"] if news["kind"] == "move"]
    whole = [news["words"] for news in told[max(i for i, news in enumerate(told) if not news["follows"]) :]]
    line_says(person, " ".join(whole))
    person.context.close()


def test_the_line_counts_what_is_done_again_and_again(chromium, house):
    person = ByMouse(chromium, house).sit_down("mio", 2)
    for again in ("", " ×2", " ×3"):
        person.come_to_turn()
        draw = next(choice for choice in person.view["scene"]["choices"] if choice["move"] == "draw")
        number = person.view["number"]
        person.make(draw, person.view["scene"])
        person.wait(lambda view, number=number: view["number"] > number)
        line_says(person, f"Anna draws a card.{again}")
    person.context.close()


def line_says(person, words):
    """Wait until the line above the table is drawn and says that, nothing else."""
    person.page.locator(".last .sentence", has_text=re.compile(rf"^\s*{re.escape(words)}\s*$")).wait_for()


def test_where_several_piles_fit_the_keyboard_is_asked_which(chromium, house):
    """Enter twice on a card that fits two piles: it stays raised, arrows walk among the piles, a number takes one.
    Nothing is refused by that, and nothing sounds like it.
    """
    person = eared(ByKeyboard(chromium, house).sit_down("hawaiki", 2))
    while True:
        person.come_to_turn()
        piles = {}
        for choice in person.view["scene"]["choices"]:
            if choice["target"] and choice["cards"] and not choice["why"]:
                piles.setdefault(choice["cards"][0], []).append(choice["target"])
        wide = [key for key, targets in piles.items() if len(set(targets)) == len(targets) > 1]
        if wide:
            break
        person.play(person.moves + 1)
    person.walk_to(wide[0])
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Enter")
    assert person.page.locator(f'[data-key="{wide[0]}"][aria-pressed=true]').count() == 1
    assert person.page.evaluate("document.activeElement.matches('.aim')")
    assert "refusal" not in heard(person)
    first = person.page.evaluate("document.activeElement.closest('.zone').dataset.zone")
    person.page.keyboard.press("ArrowRight")
    second = person.page.evaluate("document.activeElement.closest('.zone').dataset.zone")
    assert first != second
    number = person.view["number"]
    person.page.keyboard.press("2")
    person.wait(lambda view: view["number"] > number)
    assert not person.errors
    person.context.close()


def test_what_comes_new_to_the_log_takes_the_focus_from_no_sentence(chromium, house):
    """A round begins above that whose end somebody looks up."""
    pair = Pair(chromium, house, **{"option.knock_limit": "40"})
    anna, ben = pair.people
    while not anna.view["scene"]["between"]:
        person, _ = pair.asked()
        pair.move(person.choose(person.view["scene"])["move"])
    anna.page.locator(".last").click()
    anna.page.locator(".log .rule").first.focus()
    sentence = "document.activeElement.closest('li')?.innerText"
    before = anna.page.evaluate(sentence)
    anna.page.evaluate("document.getElementById('go-on').click()")
    ben.go_on()
    anna.page.locator(".log").nth(1).wait_for()
    assert anna.page.evaluate(sentence) == before
    pair.done()


HINT = {"type": "hint", "key": "", "move": "draw", "why": None}


def test_a_hint_that_comes_late_is_not_taken_for_another_position(address, chromium):
    table = laid("gin", 2, CODES["gin"], customs=Customs(hints=True))
    asked = [view for view in played(table) if any(choice.move == "draw" for choice in view.scene.choices)]
    with stage(chromium, address, CODES["gin"]) as on:
        on.show(asked[0])
        on.page.keyboard.press("h")
        on.show(asked[1])
        for late in (True, False):
            on.lines[-1].send(json.dumps(HINT))
            on.settle()
            assert on.page.locator(".remark").count() == (not late)
            on.page.keyboard.press("h")
        assert not on.errors


def test_who_asks_for_a_hint_while_another_is_thought_out_gets_it(address, chromium):
    """The house hears of the second question when the first is answered."""
    table = laid("gin", 2, CODES["gin"], customs=Customs(hints=True))
    asked = [view for view in played(table) if any(choice.move == "draw" for choice in view.scene.choices)]
    with stage(chromium, address, CODES["gin"]) as on:
        for view in asked[:2]:
            on.show(view)
            on.page.keyboard.press("h")
        for told in (False, True):
            on.lines[-1].send(json.dumps(HINT))
            on.settle()
            assert on.page.locator(".remark").count() == told


IN_HEBREW = """() => {
    const won = [...document.querySelectorAll(".log li:first-of-type .won")];
    const names = won.map((one) => document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode());
    for (const name of names) name.data = "שרה";
    return won.map((one) => one.querySelector("b").getBoundingClientRect().x);
}"""
"""Where each figure stands beside names that are read from the right."""


def test_the_log_in_rounds_and_the_scores_only(chromium, house):
    person = ByMouse(chromium, house).sit_down("gin")
    while not person.view["table"]["sheet"]:
        person.play(person.moves + 1)
    person.page.locator("[data-sheet=log]").click()
    assert person.page.locator(".sheet h3").first.inner_text().startswith("Round")
    person.page.locator(".filters button").last.click()
    assert person.page.locator(".sheet .log li").count() == len(person.view["table"]["sheet"])
    assert "Anna" in person.page.locator(".sheet .log").inner_text()
    first, second = person.page.evaluate(IN_HEBREW)
    assert first < second, "none stands beside the other's name"
    person.context.close()
