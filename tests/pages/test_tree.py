"""Those who listen learn of a table what those who look do, from Chromium's own tree of accessibility."""

import json
import re
from pathlib import Path

import pytest

import brelan.server
from brelan.games import GAMES
from brelan.words import Words
from tests.pages.people import ByKeyboard, ByTouch, Pair
from tests.pages.tree import HEAR, tree

ALL = [(game.id, max(game.seats)) for game in GAMES]
WORDS = Words("en")
SERVER = Path(brelan.server.__file__).parent
LONG = {"hawaiki": {"tokens": 100}}  # where one hand may end the match
SIZES = [(360, 640), (1440, 900)]
CROWDED = """sign => {
    document.querySelector(".bar").dataset.picked = "";
    document.querySelector(".act").dataset[sign] = "";
}"""


def test_a_list_without_signs_is_said_to_be_one():
    """VoiceOver takes none for one that its style strips of them."""
    files = {end: [file.read_text() for file in SERVER.rglob(f"*.{end}")] for end in ("css", "html", "js")}
    bare = set(re.findall(r"\.([\w-]+) \{[^}]*list-style: none", "".join(files["css"])))
    lists = re.findall(r'<[uo]l [^>]*class="([\w-]+)"([^>]*)', "".join(files["html"] + files["js"]))
    assert {name for name, rest in lists if name in bare and "role=" not in rest} == set()
    assert len(bare & {name for name, _ in lists}) > 5


@pytest.mark.parametrize(("game", "players"), ALL)
def test_the_tree_tells_the_table(game, players, chromium, house):
    """At a full table, on two screens: every card, zone, seat and turn; by T all of it at once; then every change."""
    person = ByTouch(chromium, house, "phone").sit_down(game, players, **LONG.get(game, {}))
    person.play(2)
    person.come_to_turn()
    for width, height in SIZES:
        person.resize(width, height)
        root, view = beheld(person)
        check_hand(root, view["scene"])
        check_zones(root, view["scene"])
        check_seats(root, view)
        assert view["scene"]["prompt"] in root.text
    check_read_aloud(*beheld(person, "t"))
    check_changes(person)
    assert not person.errors
    person.context.close()


def test_who_loads_a_table_anew_hears_the_last_of_it_only(chromium, house):
    """The view that comes first brings the whole match as news, which is for the log."""
    person = ByTouch(chromium, house, "phone").sit_down("gin")
    person.play(2)
    person.come_to_turn()
    person.view = None
    person.page.reload()
    person.page.locator("#voice p").first.wait_for(state="attached")
    news = [one["words"] for one in person.view["news"]]
    assert len(news) > 2
    assert person.page.locator("#voice p").all_inner_texts() == [news[-1], person.view["scene"]["prompt"]]
    person.context.close()


def test_what_only_the_reader_sees_is_told(chromium, house):
    """What a draw brought, what is asked then, and the hand of a new round: the news tell of none of it."""
    person = ByKeyboard(chromium, house, "tablet").sit_down("gin", target=500)
    person.come_to_turn()
    person.page.evaluate(HEAR)
    before = hand_of(person.view["scene"])
    drawing = next(choice for choice in person.view["scene"]["choices"] if choice["target"] == "stock")
    person.choose = lambda scene: drawing
    person.play(1)
    (key,) = set(hand_of(person.view["scene"])) - set(before)
    brought = WORDS("client.came", cards=hand_of(person.view["scene"])[key])
    person.page.wait_for_function("() => window.heard.length > 1")
    assert person.page.evaluate("window.heard")[1:] == [f"{brought} {person.view['scene']['prompt']}"]
    del person.choose
    while not person.view["table"]["sheet"]:
        person.play(person.moves + 1)
        person.come_to_turn()
    dealt = WORDS("client.came", cards=WORDS.listed(list(hand_of(person.view["scene"]).values())))
    person.page.wait_for_function("dealt => window.heard.some(line => line.startsWith(dealt))", arg=dealt)
    person.context.close()


@pytest.mark.parametrize("game", ["gin", "mio"])
def test_the_first_hand_is_told_as_every_later_one(game, chromium, house):
    person = ByKeyboard(chromium, house, "tablet")
    person.page.add_init_script(f"addEventListener('DOMContentLoaded', () => setTimeout({HEAR}))")
    person.sit_down(game)
    person.come_to_turn()
    person.page.wait_for_function("window.heard.some(line => line.startsWith('You get: '))")
    told = person.page.evaluate("window.heard.filter(line => line.startsWith('You get: '))")
    assert len(told) == 1
    assert told[0].split(". ")[0].count(",") + 2 == len(hand_of(person.view["scene"]))
    person.context.close()


def hand_of(scene):
    """The cards in the reader's own hand: their words by their keys."""
    (hand,) = [zone for zone in scene["zones"] if zone["owner"] == scene["seat"] and zone["kind"] == "fan"]
    return {card["key"]: card["alt"] for card in hand["cards"]}


def test_what_happens_is_told_once_while_a_sheet_lies_open(chromium, house):
    """A browser tells nothing of what lies behind one; and what comes to light again would be told again."""
    pair = Pair(chromium, house)
    _, other = pair.asked()
    other.page.keyboard.press("?")
    pair.move("draw")
    told = next(news["words"] for news in other.view["news"] if news["kind"] == "move")
    other.page.locator("dialog .spoken p", has_text=told).wait_for(state="attached")
    assert polite(tree(other.page)).text == told
    other.page.keyboard.press("Escape")
    other.page.wait_for_selector("dialog:not([open])", state="attached")
    assert polite(tree(other.page)).text == ""
    pair.done()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_asked_is_told_where_no_room_is_left_to_show_it(width, height, chromium, house):
    """Beside many choices, or while one is about to be confirmed."""
    person = ByTouch(chromium, house, "phone").sit_down("gin")
    person.come_to_turn()
    person.resize(width, height)
    for sign in ("many", "armed", "loose"):
        person.page.evaluate(CROWDED, sign)
        assert person.view["scene"]["prompt"] in tree(person.page).text, sign
    person.context.close()


def beheld(person, key=""):
    """The page as it is told after a key, and the view that it shows; the next one is here before it is drawn."""
    while True:
        view = person.view
        said = [news["words"] for news in view["news"]][-1:]
        last = "said => [...document.querySelectorAll('#voice p')].some(line => line.textContent.endsWith(said))"
        person.page.wait_for_function(last, arg=said[0] if said else "")
        person.page.wait_for_selector(".bar[data-mine]")
        if key:
            person.page.keyboard.press(key)
        root = tree(person.page)
        if person.view is view:
            return root, view


def cards(n):
    return WORDS("client.cards", n=n)


def points(scene, seat):
    return Words("en", scene["game"])("client.points", n=scene["scores"][seat])


def check_hand(root, scene):
    """The hand is a list of buttons, each with the card, whether it may be played, and its place."""
    (hand,) = [zone for zone in scene["zones"] if zone["owner"] == scene["seat"] and zone["kind"] == "fan"]
    (told,) = [node for node in root.all("list") if node.name == WORDS("client.hand", n=hand["count"])]
    open_cards = {key for choice in scene["choices"] if not choice["why"] for key in choice["cards"]}
    for at, (item, card) in enumerate(zip(told.children, hand["cards"], strict=True), 1):
        can = WORDS("client.playable" if card["key"] in open_cards else "client.not_playable")
        assert item.role == "listitem"
        meld = [WORDS("client.melded", n=card["group"])] if card["group"] else []
        place = WORDS("client.place", at=at, n=hand["count"])
        assert item.names("button") == [", ".join([card["alt"], *meld, can, place])]


def check_zones(root, scene):
    """Each zone by its name and count, with every card in it whose face is known; of a closed hand no card is told."""
    groups = {node.name: node for node in root.all("group")}
    for zone in scene["zones"]:
        if zone["count"] and not (zone["owner"] == scene["seat"] and zone["kind"] == "fan"):
            name = f"{zone['caption']}, {cards(zone['count'])}"
            if zone["badge"] and zone["badge"] not in re.findall(r"\d+", zone["caption"]):
                name = f"{zone['caption']} {zone['badge']}, {cards(zone['count'])}"
            assert name in groups
            told = [node.name for group in root.all("group") if group.name == name for node in group.all()]
            is_open = any(card["face"] for card in zone["cards"])
            for card in zone["cards"]:
                is_told = any(words.startswith(card["alt"]) for words in told)
                assert is_told if card["face"] else is_open or not is_told, (name, card)
            called, _, _ = name.rpartition(", ")  # a heading, with the number of cards that are not told
            heading = called if is_open or called != zone["caption"] else f"{called} {zone['count']}"
            assert heading in [" ".join(found.text.split()) for found in root.all("heading")]


def check_seats(root, view):
    """Each other seat by its name; a bot as one; whether it is asked; its points."""
    for seat in view["table"]["seats"]:
        if seat["seat"] != view["table"]["seat"]:
            level = WORDS(f"client.level_{seat['level']}")
            (group,) = [node for node in root.all("group") if node.name.startswith(f"{seat['name']}, ")]
            assert level in group.name
            asked = seat["seat"] in view["scene"]["turn"]
            assert group.name.endswith(WORDS("client.on_turn")) == asked
            assert points(view["scene"], seat["seat"]) in group.names("image")


def check_read_aloud(root, view):
    """T reads the whole table: whose turn, each zone with its count, each known card, each seat with its points."""
    scene = view["scene"]
    text = polite(root).all("paragraph")[-1].text
    assert scene["prompt"].rstrip(".") in text
    for zone in scene["zones"]:
        if zone["count"] or zone["owner"] is None:
            assert cards(zone["count"]) in text
            for card in zone["cards"]:
                assert not card["face"] or card["alt"] in text
    for seat in view["table"]["seats"]:
        assert seat["name"] in text
        assert points(scene, seat["seat"]) in text


def polite(root):
    """The region through which everything goes that may wait for a pause."""
    (region,) = [node for node in root.all("generic") if node.properties.get("live") == "polite"]
    return region


def check_changes(person):
    """What the house says of each move goes through the polite region; that it is one's turn, through the other."""
    person.page.evaluate(HEAR)
    first = len(person.frames)
    person.play(person.moves + 2)
    person.come_to_turn()
    views = [json.loads(frame) for frame in person.frames[first:] if '"type":"view"' in frame]
    told = [news["words"] for view in views for news in view["news"]]
    assert told
    person.page.wait_for_function("last => window.heard.some(line => line.includes(last))", arg=told[-1])
    spoken = " ".join(person.page.evaluate("window.heard"))
    assert not [words for words in told if words not in spoken]
    root = tree(person.page)
    assert told[-1] in polite(root).text
    (urgent,) = [node for node in root.all("generic") if node.properties.get("live") == "assertive"]
    assert urgent.all("paragraph")[-1].text == WORDS("client.your_turn")
