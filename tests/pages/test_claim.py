"""Two people in two browsers play Hawaiki where everybody speaks up: one says nothing, the other calls contre."""

import re
import time

from tests.pages.people import ByMouse
from tests.play.claims import COMBINATIONS
from tests.server.clients import moves_of


def make_table(anna):
    """By the lobby's form: two seats, and the first to speak wins."""
    anna.page.goto(f"{anna.house}/new/hawaiki")
    form = anna.page.locator("form.table-form")
    form.locator("[name=nickname]").fill("Anna")
    form.locator("[name=players][value='2']").check()
    form.locator("[name=manner][value=claim]").check()
    form.locator("summary").click()
    form.locator("[name='option.tokens']").fill("60")
    form.locator(".create button").click()
    anna.page.wait_for_selector(".room")


def come_in(ben, link):
    """By the link that was shared: a name, and the free chair."""
    ben.page.goto(link)
    ben.page.locator("#nickname").fill("Ben")
    ben.page.locator(".chair[data-kind=open] .button-primary").click()


def own(person):
    """The number of cards in hand."""
    seat = person.view["table"]["seat"]
    return next(zone["count"] for zone in person.view["scene"]["zones"] if zone["id"] == f"hand:{seat}")


def is_awaited(view):
    """Whether the table waits for its reader to go on to the next round."""
    return view["table"]["seat"] in view["table"]["waits_for"]


def in_turn(people):
    """Who is asked; who must go on to the next round does so meanwhile."""
    while True:
        for person in people:
            if is_awaited(person.view):
                person.go_on()
                person.wait(lambda view: not is_awaited(view))
        asked = [person for person in people if person.asked(person.view)]
        if asked and len({person.view["number"] for person in people}) == 1:
            return asked[0]
        people[0].page.wait_for_timeout(5)


def play(person, people, text):
    """Make a move on the page, and wait until everybody has seen what came of it."""
    scene, number = person.view["scene"], person.view["number"]
    person.make(next(choice for choice in scene["choices"] if choice["move"] == text), scene)
    for other in people:
        other.wait(lambda view: view["number"] > number)


def button(person, move):
    """The button of a move, and its words."""
    words = next(choice["words"] for choice in person.view["scene"]["choices"] if choice["move"] == move)
    return person.page.locator(".bar .choices button", has_text=words).element_handle(), words


def next_move(person):
    """A combination without a word wherever there is one, else whatever brings the match on."""
    moves = moves_of(person.view)
    for move in moves:
        if move.split()[-1] in COMBINATIONS:
            return move.rpartition(" ")[0], True
    wanted = ("thanks much", "name", "play", "draw")
    return next(move for start in wanted for move in moves if move.startswith(start)), False


def to_silence(people, end):
    """Play until somebody has laid a combination without a word: who did, and the other."""
    while time.monotonic() < end:
        person = in_turn(people)
        move, silent = next_move(person)
        play(person, people, move)
        if silent:
            return person, people[person is people[0]]
    raise AssertionError("nobody could make a combination")


STILL = "(button, words) => button.isConnected && button.innerText.includes(words) && (button.click(), true)"


def to_both_at_once(people, end):
    """Play until the player announces and the other calls contre before either page shows what the first one said:
    both, and how many cards the player held.
    """
    while time.monotonic() < end:
        player, other = to_silence(people, end)
        held, number = own(player), player.view["number"]
        both = [button(player, "announce"), button(other, "contre")]
        said = [element.evaluate(STILL, words) for element, words in both]
        for person in people:
            person.wait(lambda view, number=number: view["number"] > number)
        if all(said):
            return player, other, held
    raise AssertionError("one was always too late even to press")


def test_contre_between_two_browsers(chromium, house):
    anna, ben = people = [ByMouse(chromium, house), ByMouse(chromium, house, locale="fr")]
    make_table(anna)
    assert "first to speak wins" in anna.page.locator(".room").inner_text()
    come_in(ben, anna.page.url)
    anna.page.get_by_role("button", name="Deal the cards").click()
    for person in people:
        person.wait(lambda view: view["scene"])
    end = time.monotonic() + 60

    player, other = to_silence(people, end)
    held = own(player)
    other.page.locator(".countdown", has_text=re.compile("[1-5] second")).wait_for()  # in French just so
    play(other, people, "contre")
    assert own(player) == held + 1
    told = [news["words"] for news in anna.view["news"]]
    caller, called = ("Ben", "Anna") if other is ben else ("Anna", "Ben")
    assert f"{caller} calls contre. {called} draws 1 card." in told

    player, other, held = to_both_at_once(people, end)  # who is faster may be the player himself
    countered = own(player) - held  # by lines as fast as these either may be the first, and is, by the house's clock
    assert countered in (0, 1)
    slower = player if countered else other
    slower.page.locator(".remark", has_text=re.compile("moment too late|instant trop tard")).wait_for()
    assert not [error for person in people for error in person.errors]
    for person in people:
        person.context.close()
