"""People before a page: each plays a whole match in one manner only, by mouse, by touch or by keyboard.

They look at the page as it is drawn; the frames on its socket tell them only when it is their turn, and are kept, so
that a test can search every byte that came to this person.
"""

from __future__ import annotations

import json
import random
import time

SIZES = {"phone": (360, 640), "tablet": (768, 1024), "desktop": (1440, 900)}
CUSTOMS = {"pace": "live", "bank": "1", "increment": "0", "talk": "true", "watch": "true"}
CORNER = {"x": 18, "y": 22}  # of the box around it: a card at the edge of a fan leans
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
COVERED = """() => {
    const one = document.activeElement;
    const { left, top, width, height } = one.getBoundingClientRect();
    const holds = (found) => [one, ...one.labels ?? []].some((part) => part.contains(found)) || found?.contains(one);
    const at = (part) => document.elementFromPoint(left + width / 2, top + height * part);
    const seen = [.1, .3, .5, .7, .9].some((part) => holds(at(part)));
    return one === document.body || one.matches("dialog") || seen ? null : one.outerHTML.slice(0, 120);
}"""
"""What has the focus, if all of it lies under something else."""

COUNT_FLIGHTS = """() => {
    window.flown = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) { window.flown += 1; return animate.apply(this, given); };
}"""


COPIES_NOTHING = """() => {
    delete Navigator.prototype.share;
    navigator.clipboard.writeText = async () => { throw new DOMException("", "NotAllowedError"); };
}"""


def named(address):
    """The same house by a name, as other devices find it: what leads them there is not shown at a machine's own."""
    return address.replace("127.0.0.1", "house.localhost")


class Person:
    """Somebody at a table of the house, with a browser of their own."""

    touch = False

    def __init__(self, chromium, house, size="desktop", calm=True, **context):
        width, height = SIZES[size]
        self.context = chromium.new_context(
            viewport={"width": width, "height": height},
            has_touch=self.touch,
            reduced_motion="reduce" if calm else "no-preference",
            **{"locale": "en", "service_workers": "block"} | context,  # a worker would hide requests from a test
        )
        self.house, self.frames, self.errors, self.requests = house, [], [], []
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: socket.on("framereceived", self.hear))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.view, self.answered = None, 0
        self.moves = 0
        self.whim = random.Random(7)

    def sit_down(self, game, players=None, **options):
        """Play against bots: at once or, with options, at a table made for them."""
        self.page.goto(f"{self.house}/new/{game}" if options else self.house)
        form = self.page.locator("form.table-form" if options else "form.play")
        self.write(form.locator("[name=nickname]"), "Anna")
        if players and options and form.locator("[name=players][type=radio]").count():
            self.tick(form.locator(f"[name=players][value='{players}']"))
        elif players and form.locator(f"[name='players.{game}']").count():
            self.pick(form.locator(f"[name='players.{game}']"), str(players))
        if options:
            self.press(form.locator("summary"))
        for name, value in options.items():
            self.write(form.locator(f"[name='option.{name}']"), str(value))
        self.press(form.locator(".create button" if options else f"#{game} button"))
        if options:
            self.seat_bots()
        self.page.wait_for_selector("#table .bar")
        return self

    def seat_bots(self):
        """In the waiting room: a bot on every free chair, then the cards are dealt."""
        self.page.wait_for_selector(".room")
        chairs = self.page.locator(".chair[data-kind=open]")
        for free in range(chairs.count(), 0, -1):
            self.press(chairs.first.get_by_role("button").last)
            self.page.wait_for_function("n => document.querySelectorAll('.chair[data-kind=open]').length < n", arg=free)
        self.press(self.page.locator(".room .big"))

    def write(self, field, text):
        field.fill(text)

    def tick(self, field):
        self.press(field)

    def pick(self, field, value):
        field.select_option(value)

    def hear(self, frame):
        """Keep what came: every byte, the newest view, and the number at which the table took the last thing said."""
        self.frames.append(frame)
        message = json.loads(frame)
        if message["type"] == "view":
            self.view = message
        if message["type"] == "ack":
            self.answered = message["number"]

    def play(self, most=10_000):
        """Play on until the match is over, or for some moves; the last view."""
        while not self.over and self.moves < most:
            view = self.view
            if self.asked(view):
                before = self.answered
                self.make(self.choose(view["scene"]), view["scene"])
                self.moves += 1
                self.wait(lambda new, before=before: new["number"] >= self.answered > before)
            else:
                self.next_view()
        return self.view

    def come_to_turn(self):
        """Until one is asked: rounds may end before that, and the house waits long for those who look at a result."""
        self.wait(lambda view: view["scene"])
        while not self.asked(self.view):
            assert not self.over
            self.next_view()

    def next_view(self):
        """What comes while one is not asked; after a round one says oneself that it may go on."""
        view = self.view
        if view["table"]["seat"] in view["table"]["waits_for"]:
            self.go_on()
        self.wait(lambda new: new["number"] > view["number"])

    @property
    def over(self):
        return self.view["table"]["status"] == "over"

    @staticmethod
    def asked(view):
        scene = view["scene"]
        return bool(scene and scene["seat"] in scene["turn"] and not scene["between"])

    def wait(self, until):
        """Until a view like that has come and is drawn."""
        end = time.monotonic() + 30
        while not (self.view and until(self.view)):
            assert time.monotonic() < end, (self.errors, self.frames[-2:])
            self.page.wait_for_timeout(2)

    def resize(self, width, height):
        """Another screen, and until the page has laid itself out on it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.settle()

    def settle(self):
        """Two frames: what was begun before them is drawn."""
        self.page.evaluate(TWO_FRAMES)

    def choose(self, scene):
        """What somebody in a hurry would do: end the round if possible, else lay any card, else anything."""
        choices = [choice for choice in scene["choices"] if not choice["why"]]
        ending = [choice for choice in choices if choice["move"].startswith(("knock", "gin"))]
        return self.whim.choice(ending or [choice for choice in choices if choice["cards"]] or choices)

    # ---- places on the page

    def hand_card(self, key):
        return self.page.locator(f'[data-hand] [data-key="{key}"], .before [data-key="{key}"]').first

    def zone(self, zone):
        return self.page.locator(f'[data-zone="{zone}"] > .lie > .aim')

    def button(self, choice):
        return self.page.locator(f'.bar .choices [data-move="{choice["move"]}"]').first

    # ---- manners: `press` one thing

    def press(self, locator, **where):
        raise NotImplementedError

    def take(self, key):
        """A card is taken by its corner: the rest of it may lie under the next one."""
        self.press(self.hand_card(key), position=CORNER)

    def go_on(self):
        self.press(self.page.locator("#go-on"))

    def call(self, choice, scene):
        """Press the button of the word that goes with this move, where one does; the move without it."""
        called = scene["call"] and choice["move"].endswith(f" {scene['call']['word']}")
        button = self.page.locator(".bar .call")
        if scene["call"] and called != (button.get_attribute("aria-pressed") == "true"):
            self.press(button)
        bare = choice["move"].removesuffix(f" {scene['call']['word']}") if called else choice["move"]
        return next(c for c in plain(scene) if c["move"] == bare and c["cards"] == choice["cards"])

    def make(self, choice, scene):
        """Tap the cards, then the zone or the button; a move that cannot be taken back asks once more."""
        choice = self.call(choice, scene)
        for key in choice["cards"]:
            self.take(key)
        if choice["target"]:
            self.press(self.zone(choice["target"]))
            if self.several(choice, scene):
                self.press(self.button(choice))
        else:
            self.press(self.button(choice))
        if choice["confirm"]:
            self.press(self.page.locator(".confirm .button-primary", has_text=choice["words"]))

    @staticmethod
    def several(choice, scene):
        """Whether a tap on the zone leaves several moves to choose among."""
        alike = [c for c in plain(scene) if c["target"] == choice["target"]]
        return len([c for c in alike if sorted(c["cards"]) == sorted(choice["cards"])]) > 1

    def second_tap(self, choice, scene):
        """Whether a second tap on the card is enough."""
        exact = [c for c in plain(scene) if c["cards"] == choice["cards"]]
        return len(choice["cards"]) == 1 and len(exact) == 1 and not choice["confirm"]


def plain(scene):
    """The choices that look open, without those that only add the word that is called out."""
    word = scene["call"]["word"] if scene["call"] else ""
    looks_open = [choice for choice in scene["choices"] if not choice["why"] or choice["blind"]]
    return [choice for choice in looks_open if not (word and choice["move"].endswith(f" {word}"))]


class ByMouse(Person):
    """Clicks; every other card is played by a second click on it where that is enough."""

    def press(self, locator, **where):
        locator.click(**where)

    def make(self, choice, scene):
        if self.moves % 2 and not scene["call"] and self.second_tap(choice, scene):
            self.take(choice["cards"][0])
            self.take(choice["cards"][0])
        else:
            super().make(choice, scene)


class ByTouch(Person):
    """Taps with a finger; of moves that may be made together makes two at once."""

    touch = True
    place: dict[str, float] | None = None

    def press(self, locator, **where):
        """Never twice in haste at one place: the second tap would count as the first one's."""
        before, self.place = self.place, None if where else locator.bounding_box()
        if before and self.place and all(abs(before[side] - self.place[side]) < 200 for side in "xy"):
            self.page.wait_for_timeout(400)
        locator.tap(**where)

    def make(self, choice, scene):
        others = [other for other in plain(scene) if other["together"] and other != choice]
        if not choice["together"] or not others:
            super().make(choice, scene)
            return
        both = {one["move"]: one["cards"][0] for one in (choice, others[0])}
        for key in both.values():
            self.take(key)
        self.press(self.page.locator(".bar .choices .button", has_text=choice["together"]))
        self.wait(lambda view: not any(left["move"] in both for left in view["scene"]["choices"]))


class ByKeyboard(Person):
    """Never points at anything: arrows walk the hand, Tab walks the page, Enter presses."""

    def press(self, locator, **_):
        """Walk to the thing with Tab, then Enter."""
        element = locator.element_handle()
        for _ in range(80):
            if element.evaluate("element => element === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {locator}")

    def write(self, field, text):
        field.focus()
        self.page.keyboard.type(text)

    pick = write  # typing its first letters chooses in a list

    def tick(self, field):
        field.focus()
        self.page.keyboard.press("Space")

    def go_on(self):
        self.page.keyboard.press("n")

    def make(self, choice, scene):
        choice = self.call(choice, scene)
        for key in choice["cards"]:
            self.walk_to(key)
            self.page.keyboard.press("Enter")
        if choice["target"] == "stock" and not choice["cards"]:
            self.page.keyboard.press("d")
        elif self.second_tap(choice, scene):
            self.page.keyboard.press("Enter")
        else:
            self.press(self.button(choice))
        if choice["confirm"]:
            self.press(self.page.locator(".confirm .button-primary", has_text=choice["words"]))

    def walk_to(self, key):
        """With the arrows from the hand's first card."""
        if not self.page.evaluate("document.activeElement.matches('[data-hand] .card')"):
            self.page.evaluate("document.activeElement.blur()")
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Home")
        for _ in range(40):
            if self.page.evaluate("document.activeElement.dataset.key") == key:
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrows do not reach {key}")


MANNERS = {"mouse": ByMouse, "touch": ByTouch, "keyboard": ByKeyboard}


class Pair:
    """Anna, who made a table of gin, in such a browser, Ben at it, and the address."""

    def __init__(self, chromium, house, browser=None, **customs):
        self.anna = ByMouse(chromium, house, **(browser or {}))
        self.ben = ByMouse(chromium, house, locale="fr")
        self.people = [self.anna, self.ben]
        form = {"game": "gin", "against": "friends", "nickname": "Anna", "players": "2"} | CUSTOMS | customs
        made = self.anna.page.request.post(f"{house}/tables", form=form, headers={"origin": house}, max_redirects=0)
        self.link = house + made.headers["location"]
        self.anna.page.goto(self.link)
        self.ben.page.goto(self.link)
        self.ben.page.locator("#nickname").fill("Ben")
        self.ben.page.locator(".chair[data-kind=open] .button-primary").click()
        self.anna.page.get_by_role("button", name="Deal the cards").click()
        for person in self.people:
            person.wait(lambda view: view["scene"] and view["scene"]["turn"])

    def asked(self):
        """Who is to move, and the other."""
        while True:
            for person in self.people:
                if person.asked(person.view) and self.anna.view["number"] == self.ben.view["number"]:
                    return person, self.people[person is self.anna]
                person.page.wait_for_timeout(5)

    def move(self, start=""):
        """Let whoever is asked make a move that begins so; who it was, and the other."""
        person, other = self.asked()
        scene, number = person.view["scene"], person.view["number"]
        person.make(next(c for c in scene["choices"] if not c["why"] and c["move"].startswith(start)), scene)
        for one in self.people:
            one.wait(lambda view: view["number"] > number)
        return person, other

    def play(self):
        """Until the match is over."""
        while not self.anna.over:
            if self.anna.view["scene"]["between"]:
                self.anna.next_view()
            else:
                person, _ = self.asked()
                self.move(person.choose(person.view["scene"])["move"])
        self.ben.wait(lambda view: view["table"]["status"] == "over")

    def done(self):
        for person in self.people:
            assert not person.errors
            person.context.close()


def hand(page):
    return page.locator("[data-hand] .card").evaluate_all("cards => cards.map(card => card.dataset.key)")


def to_throw(person):
    """Play until a card must be thrown."""
    while not (person.asked(person.view) and len(hand(person.page)) == 11):
        person.play(person.moves + 1)
    return person.view["scene"]


def to_throw_any(person):
    """Play until a card must be thrown and any may be: one just taken would not heed a press."""
    to_throw(person)
    while person.page.locator("[data-hand] [aria-disabled]").count():
        person.play(person.moves + 1)
        to_throw(person)


def make(person, game, **fields):
    """A table by its form, everything under "more" included; its code."""
    page = person.page
    page.goto(f"{person.house}/new/{game}")
    form = page.locator("form.table-form")
    form.locator("summary").click()
    for name, value in {"nickname": "Anna", **fields}.items():
        field = form.locator(f"[name='{name}']")
        if field.first.get_attribute("type") == "radio":
            form.locator(f"[name='{name}'][value='{value}']").check()
        elif field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.locator(".create button").click()
    page.wait_for_selector("#table .heading")
    return page.url.rpartition("/")[2]
