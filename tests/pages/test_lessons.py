"""A lesson in a real Chromium, by touch on a small phone: gin from its first card to its last, and what goes wrong."""

import json

import pytest

from brelan.games import GAMES
from tests.gallery.looks import looks
from tests.pages.people import CORNER, ByTouch, Person
from tests.pages.wire import PATIENT, PORTAL

STEP = 1500  # milliseconds, longer than from one move of the script to the next


class Learner(ByTouch):
    """Somebody who does as the lesson says; the page's clock is theirs, so that nobody waits."""

    def __init__(self, chromium, house, game, **context):
        super().__init__(chromium, house, "phone", **context)
        self.page.clock.install()
        self.open(game)

    def open(self, game):
        self.page.goto(f"{self.house}/learn/{game}")
        self.parts = json.loads(self.page.locator("#lesson").text_content())
        self.let_play()

    def let_play(self):
        """Until the script has nothing more to do."""
        for _ in range(6):
            self.page.clock.run_for(STEP)

    def at(self):
        return self.page.locator("#coach").get_attribute("data-step")

    def step(self):
        part, step = map(int, self.at().split("."))
        return self.parts[part - 1]["steps"][step - 1]

    def do(self, move):
        """Make a move by touch, as at any table."""
        scene = self.step()["views"][-1]["scene"]
        self.make(min((c for c in scene["choices"] if c["move"] == move), key=lambda c: len(c["cards"])), scene)
        self.let_play()

    def make(self, choice, scene):
        """One move at a time, for a lesson answers each."""
        Person.make(self, choice, scene)

    def follow(self):
        """Do what is meant, or read on."""
        move = self.step()["move"]
        if move:
            self.do(move)
        else:
            self.press(self.page.locator("#coach .choices .button-primary"))
            self.let_play()

    def remark(self):
        return self.page.locator(".remark").inner_text()


@pytest.fixture
def learner(chromium, house):
    learner = Learner(chromium, house, "gin")
    yield learner
    learner.context.close()


TWICE = "buttons => [...new Set(buttons.map((button) => getComputedStyle(button).touchAction))]"
"""Two quick taps are two taps: the page grows by none."""


def test_gin_is_learned_by_touch_on_a_phone(learner):
    page, seen = learner.page, []
    last = f"{len(learner.parts)}.{len(learner.parts[-1]['steps'])}"
    while learner.at() != last:
        seen.append(learner.at())
        assert page.locator("#coach .says").inner_text().startswith(learner.step()["say"])
        assert page.locator("#voice p").last.text_content() == learner.step()["say"]
        assert page.locator("#coach .rule").get_attribute("href") == f"/rules/gin#{learner.step()['rule']}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert page.locator("#coach button").evaluate_all(TWICE) == ["manipulation"]
        learner.follow()
    assert len(set(seen)) == len(seen) == sum(len(part["steps"]) for part in learner.parts) - 1
    assert page.locator(".result").is_visible()
    assert page.locator("#coach nav [data-done]").count() == len(learner.parts)
    learner.press(page.locator("#coach form button"))
    page.wait_for_url("**/t/*")
    assert learner.errors == []


@pytest.mark.parametrize("size", [(360, 640), (740, 360)])
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_below_what_a_lesson_says_nothing_is_covered_or_cut(game, size, chromium, house):
    """However long its sentence, and where it ends with two ways on; in French, which says more."""
    learner = Learner(chromium, house, game, locale="fr")
    learner.resize(*size)
    for part in range(len(learner.parts)):
        for step in range(len(learner.parts[part]["steps"])):
            assert learner.at() == f"{part + 1}.{step + 1}"
            learner.settle()
            assert not looks(learner.page), learner.at()
            if learner.page.locator("#coach form").count() == 0:
                learner.follow()
    learner.context.close()


def test_another_move_is_kindly_put_off_and_one_that_is_not_allowed_says_why(learner):
    learner.follow()
    assert learner.step()["move"] == "take"
    learner.do("draw")
    assert learner.remark().startswith(learner.step()["other"])
    assert learner.at() == "1.2"
    learner.follow()
    learner.hand_card("7h").tap(position=CORNER, force=True)  # it looks shut, and still may be asked why
    assert "G5" in learner.remark()
    assert learner.page.locator(".remark .rule").get_attribute("href") == "/rules/gin#G5"
    assert learner.at() == "1.3"


def test_who_calls_a_word_that_is_not_due_and_does_as_the_lesson_says_goes_on(chromium, house):
    learner = Learner(chromium, house, "mio")
    learner.do(f"{learner.step()['move']} mio")
    assert learner.at() == "1.2"
    learner.context.close()


def test_another_part_begins_with_nothing_of_the_one_before(learner):
    """Another deal lies there, in which nobody has moved yet."""
    for _ in range(3):
        learner.follow()
    told = learner.page.locator(".last .sentence")
    assert told.inner_text().strip()
    learner.press(learner.page.locator("#coach nav button").nth(1))
    learner.let_play()
    assert learner.at() == "2.1"
    assert not any(view["news"] for view in learner.step()["views"])
    assert not told.inner_text().strip()


def test_what_is_done_stays_on_the_device(learner):
    for _ in learner.parts[0]["steps"]:
        learner.follow()
    assert learner.at() == "2.1"
    learner.open("gin")
    assert learner.at() == "2.1"
    assert learner.page.locator("#coach nav [data-done]").count() == 1
    learner.press(learner.page.locator("#coach nav button").first)
    learner.let_play()
    assert learner.at() == "1.1"


def test_the_focus_goes_from_what_is_read_to_what_is_asked(learner):
    """The button that leads on is gone with what was read."""
    on = learner.page.locator("#coach .choices .button-primary")
    while on.count():
        on.focus()
        learner.page.keyboard.press("Enter")
        learner.let_play()
    assert learner.step()["move"]
    assert learner.page.evaluate("document.activeElement.matches('[data-hand] .card')")


def test_what_only_a_match_has_is_not_offered(learner):
    """Talk, moves to take back, another round, a way out that a bot would keep the seat for."""
    page = learner.page
    learner.follow()
    assert not page.locator(".undo, [data-sheet=chat]").count()
    page.keyboard.press("?")
    letters = page.locator(".keys input").evaluate_all("letters => letters.map(key => key.value).join('')")
    assert letters == "dksltr"
    page.locator(".sheet").get_by_role("button", name="Settings").tap()
    page.locator(".settings").wait_for()
    assert not page.locator(".leave").count()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    assert not page.locator("dialog[open]").count()


def paragraph(learner):
    """The paragraph that the rulebook's sheet is open at."""
    shown = learner.page.locator("dialog[open] .book [data-at]")
    for _ in range(100):
        learner.page.clock.run_for(50)
        if shown.count():
            break
        learner.page.wait_for_timeout(20)
    assert learner.page.evaluate("""() => {
        const at = document.querySelector("dialog [data-at]").getBoundingClientRect();
        const sheet = document.querySelector("dialog").getBoundingClientRect();
        return at.top >= sheet.top && at.top < sheet.bottom;
    }""")
    return shown.inner_text()


def test_the_rulebook_opens_at_the_paragraph_of_a_link_or_at_the_one_in_force(learner):
    page = learner.page
    learner.press(page.locator("#coach .rule"))
    assert paragraph(learner).endswith("(G12)")
    learner.press(page.locator("dialog header button"))
    page.keyboard.press("r")
    assert paragraph(learner).endswith("(O-G1)")
    assert page.locator("dialog [data-at]").count() == 1
    assert len(page.context.pages) == 1
    assert learner.errors == []


@pytest.mark.parametrize("answer", ["none", "silence", "another's"])
def test_a_rulebook_that_does_not_come_is_asked_for_again(answer, learner):
    page = learner.page
    way = {"none": lambda route: route.abort(), "silence": lambda _: None}
    page.route("**/rules/**", way.get(answer, lambda route: route.fulfill(**PORTAL)))
    learner.open("gin")  # a page that was there before may ask once more past the route: the browser tells it late
    page.evaluate(PATIENT)
    page.keyboard.press("r")
    page.clock.run_for(20_000)
    page.locator("dialog .book a").wait_for()
    page.unroute("**/rules/**")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    assert paragraph(learner).endswith("(O-G1)")
