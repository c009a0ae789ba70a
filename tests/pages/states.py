"""Every page and every state of a table, one after another: each generator brings a person there and names it."""

from brelan.games import GAMES
from tests.pages.people import plain

ADDRESSES = {
    "home": "/",
    "wrong code": "/join?code=zz",
    "form": "/new/hawaiki",
    "rules": "/rules/gin",
    "fairness": "/fair",
    "me": "/me",
    "ladders": "/ratings",
    "ladder": "/ratings/gin",
    "api": "/api",
    "offline": "/offline",
    "nothing there": "/nowhere",
    "no table": "/t/zzzzzz",
} | {f"lesson of {game.id}": f"/learn/{game.id}" for game in GAMES}
"""Pages that everybody can open at once."""

SHEETS = {name: f"[data-sheet={name}]" for name in ("log", "settings", "help", "chat")} | {
    "score": ".tally",
    "seal": ".sealed",
}
"""What opens each sheet, in the heading of a table."""

ADD_NONSENSE = """form => form.append(Object.assign(document.createElement("input"), { name: "pace", value: "x" }))"""


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


def sent(person, button):
    """Press what sends a form, and wait for the page that answers."""
    with person.page.expect_navigation():
        person.press(button)


def pages(person, addresses=ADDRESSES):
    """The pages around the tables, with everything on them unfolded."""
    for name, address in addresses.items():
        person.page.goto(person.house + address)
        unfold(person.page)
        yield name


def wrong_form(person):
    """The form of a table, sent back with what is wrong in it."""
    person.page.goto(f"{person.house}/new/gin")
    person.page.locator("[name=nickname]").fill("Anna")
    person.page.locator("form").evaluate(ADD_NONSENSE)
    sent(person, person.page.locator(".create button"))
    person.page.locator(".error").wait_for()
    yield "wrong form"


def room(person, other):
    """The waiting room, as who made it, as who comes by the link, and on a wall; on the palest of the cloths."""
    form = {"game": "companeros", "against": "friends", "nickname": "Anna", "players": "4"}
    made = person.page.request.post(
        f"{person.house}/tables", form=form, headers={"origin": person.house}, max_redirects=0
    )
    for name, who, query in (
        ("room of one's own", person, ""),
        ("room of a friend", other, ""),
        ("room on a wall", other, "?screen"),
    ):
        who.page.goto(person.house + made.headers["location"] + query)
        who.page.locator(".room").wait_for()
        unfold(who.page)
        yield name, who


def sheets(person):
    """Each sheet that the heading opens, by the page's own buttons."""
    page = person.page
    for name, opener in SHEETS.items():
        button = page.locator(f".heading {opener}")
        if button.count() and button.is_visible():
            person.press(button)
            page.locator("dialog[open] .leaf").wait_for()
            unfold(page)
            yield f"sheet {name}"
            page.keyboard.press("Escape")
            page.locator("dialog[open]").wait_for(state="detached")


def wall(person):
    """The table as a big screen shows it, in a window beside one's own."""
    own, person.page = person.page, person.context.new_page()
    person.page.goto(f"{own.url.partition('?')[0]}?screen")
    person.page.locator(".poster").wait_for()
    yield "wall"
    person.page.close()
    person.page = own


def turns(person, most=30):
    """What can stand on the page while it is one's turn, each once."""
    seen = set()
    while not person.over and person.moves < most and len(seen) < 5:
        if person.asked(person.view):
            for name in turn(person):
                if name not in seen:
                    yield name
                seen.add(name)
                person.page.keyboard.press("Escape")
        person.play(person.moves + 1)


def turn(person):
    """The states of one turn: nothing is played, and whoever listens presses Escape after each."""
    scene, page = person.view["scene"], person.page
    page.locator(".bar[data-mine]").wait_for()
    yield "asked"
    choices = plain(scene)
    for choice in [choice for choice in choices if choice["cards"]][:1]:
        person.take(choice["cards"][0])
        yield "aimed" if page.locator(".aim").count() > 1 else "picked"
    for choice in [choice for choice in choices if choice["confirm"] and not choice["cards"]][:1]:
        person.press(person.button(choice))
        page.locator(".confirm").wait_for()
        yield "sure"
    page.keyboard.press("Escape")
    shut = page.locator("[data-hand] .card[aria-disabled=true], .bar [data-move][aria-disabled=true]")
    if shut.count():
        shut.first.dispatch_event("click")
        page.locator(".remark").wait_for()
        yield "refused"


def ends(person):
    """The end of a round and of the match, and the match seen again."""
    page, seen = person.page, False
    while not person.over:
        if not seen and person.view["scene"]["between"]:
            page.locator("#go-on").wait_for()
            seen = True
            yield "round over"
        person.play(person.moves + 1)
    page.locator(".onward").wait_for()
    unfold(page)
    yield "over"
    page.goto(f"{person.house}/m/{person.view['table']['match']}")
    page.locator("#replay .felt").wait_for()
    yield "replay"


def own_pages(person):
    """What somebody finds who has played: tables, matches, the phrase, and the farewell."""
    page = person.page
    yield from pages(person, {"home with tables": "/", "me with matches": "/me", "ladder with me": "/ratings/gin"})
    page.goto(f"{person.house}/me")
    sent(person, page.locator("form[action='/me/phrase'] button"))
    yield "phrase"
    for name, sure in (("not sure", False), ("gone", True)):
        page.goto(f"{person.house}/me")
        unfold(page)
        page.locator("form[action='/me/delete'] [name=sure]").set_checked(sure)
        sent(person, page.locator("form[action='/me/delete'] button"))
        yield name
