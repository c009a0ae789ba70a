"""The gallery in short: on every screen, at the fullest table and the widest choice, nothing is amiss."""

import json
from copy import deepcopy
from functools import partial
from types import SimpleNamespace

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES
from tests.gallery.looks import SIDEWAYS, looks
from tests.gallery.moments import ANNA, PERSONS, begun, frame, laid, moments, seen
from tests.gallery.stage import NARROW, SIZES, furnish, stage
from tests.pages.conftest import ARGUMENTS, WHOLE
from tests.pages.people import TWO_FRAMES
from tests.pages.readers import Reader
from tests.server.clients import Process

SMALL = {name: SIZES[name] for name in ("phone", "low")}
MOST = SMALL | {name: (SIZES | NARROW)[name] for name in ("narrow", "tablet", "wide")}
MOST |= {
    "laptop": (1280, 800),
    "window": (1366, 630),
    "square": (900, 700),
    "across": (1024, 768),
    "high": (1920, 950),
    "unfolded": (600, 900),
    "upright": (1024, 1366),
}
FULL = [(game.id, max(game.seats)) for game in GAMES]


@pytest.fixture(scope="module")
def played():
    return {game: moments(game, players, f"{game[:3]}{players}") for game, players in FULL}


@pytest.fixture(scope="module")
def address(played, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    furnish(folder, [table for table, _ in played.values()])
    with Process(folder) as house:
        yield house.address.rstrip("/")


@pytest.mark.parametrize(("game", "players"), FULL)
def test_nothing_overlaps_is_cut_or_scrolls_at_a_full_table(game, players, played, address, chromium):
    table, found = played[game]
    with stage(chromium, address, table.code, "fr") as on:
        for state, sizes in (("hand", MOST), ("choice", SMALL | {name: MOST[name] for name in ("across", "high")})):
            on.show(found[state].views["fr"], found[state].picked)
            for name, (width, height) in sizes.items():
                on.resize(width, height)
                assert not [fault for fault in looks(on.page) if not (name == "narrow" and is_below(fault))], name
        assert not on.errors


def test_however_many_answers_there_are_the_question_stands_beside_them(played, address, chromium):
    table, found = played["hawaiki"]
    with stage(chromium, address, table.code, "fr") as on:
        on.show(found["choice"].views["fr"], found["choice"].picked)
        on.resize(*MOST["high"])
        assert on.page.locator(".act[data-many] .prompt").bounding_box()["width"] > 100


@pytest.mark.parametrize(("game", "players"), FULL)
def test_to_whoever_has_their_browser_write_large_a_desk_is_as_narrow_as_a_phone(
    game, players, played, address, playwright, tmp_path
):
    table, found = played[game]
    with stage(large(playwright, tmp_path), address, table.code, "fr") as on:
        on.show(found["hand"].views["fr"])
        on.resize(1280, 800)
        assert on.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert not looks(on.page)
        on.resize(390, 844)
        assert not on.page.evaluate(SIDEWAYS)
        assert not on.page.evaluate(
            "[...document.querySelectorAll('.name')].filter(one => one.scrollWidth > one.clientWidth)"
        )


@pytest.mark.parametrize("game", ["companeros", "mio"])
@pytest.mark.parametrize("state", ["hand", "choice"])
def test_on_a_phone_with_large_letters_what_is_told_lies_on_nothing(game, state, played, address, playwright, tmp_path):
    """Nor who takes when under a card, nor what fits over the piles."""
    table, found = played[game]
    with stage(large(playwright, tmp_path), address, table.code) as on:
        on.show(found[state].views["en"], found[state].picked)
        on.resize(390, 844)
        assert not [fault for fault in looks(on.page) if fault.startswith(("overlap", "covered"))]


def test_on_a_short_phone_what_fits_in_mio_lies_below_the_piles(played, address, chromium):
    """Also where it is said in two lines; so does a tablet whose page is twice as large."""
    table, found = played["mio"]
    with stage(chromium, address, table.code, "fr") as on:
        on.show(found["hand"].views["fr"])
        on.resize(412, 560)
        assert on.page.locator(".middle .note").inner_text().startswith("De la main")
        assert not looks(on.page)


@pytest.mark.parametrize(("game", "players"), FULL)
def test_on_a_tablet_that_lies_at_twice_its_size_only_the_felt_may_scroll(game, players, played, address, chromium):
    """One's own hand is always there."""
    table, found = played[game]
    with stage(chromium, address, table.code, "fr") as on:
        for state in ("hand", "choice"):
            on.show(found[state].views["fr"], found[state].picked)
            on.resize(512, 384)
            assert not [fault for fault in looks(on.page) if not fault.startswith("felt scrolls by")]


@pytest.mark.parametrize("state", ["hand", "choice"])
@pytest.mark.parametrize(("width", "height"), [(667, 320), (640, 300)])
def test_on_the_lowest_screens_a_question_stands_below_the_place_card(width, height, state, played, address, chromium):
    """What it does not leave room for is scrolled to."""
    table, found = played["mio"]
    with stage(chromium, address, table.code) as on:
        on.show(found[state].views["en"], found[state].picked)
        on.resize(width, height)
        assert not [fault for fault in looks(on.page) if fault.startswith(("overlap", "covered"))]
        on.page.locator(".bar .choices .button").last.scroll_into_view_if_needed()
        last = on.page.locator(".bar .choices .button").last.bounding_box()
        assert last["y"] + last["height"] < height + 1


@pytest.mark.parametrize(("game", "state"), [("gin", "end"), ("companeros", "end"), ("mio", "round")])
def test_long_names_push_no_points_off_the_screen_nor_over_another_hand(game, state, played, address, chromium):
    table, found = played[game]
    shown = frame(found[state].views["en"])
    for one in PERSONS:
        shown = shown.replace(one, "W" * 24)
    with stage(chromium, address, table.code) as on:
        on.lines[-1].send(shown)
        on.page.wait_for_selector(".laid")
        for size in (SIZES["phone"], MOST["laptop"]):
            on.resize(*size)
            assert not [fault for fault in looks(on.page) if "sideways" in fault or fault.startswith("overlap")], size


@pytest.mark.parametrize(
    "path", ["/", "/new/hawaiki", "/fair", "/me", "/rules/gin", *(f"/learn/{game}" for game, _ in FULL)]
)
def test_on_a_phone_with_large_letters_no_page_scrolls_sideways(path, address, playwright, tmp_path):
    opened = large(playwright, tmp_path).new_context(locale="fr", viewport={"width": 390, "height": 844})
    page = opened.new_page()
    page.goto(address + path)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.locator("main > :nth-child(2), .felt").first.wait_for(state="attached")
    assert not page.evaluate(SIDEWAYS)
    opened.close()


def large(playwright, folder):
    """Letters twice as large, as the browser's own settings have it: for this a profile of its own is needed."""
    (folder / "Default").mkdir()
    preferences = {"webkit": {"webprefs": {"default_font_size": 32}}}
    (folder / "Default" / "Preferences").write_text(json.dumps(preferences))
    launch = playwright.chromium.launch_persistent_context
    return SimpleNamespace(new_context=partial(launch, folder, executable_path=WHOLE, args=ARGUMENTS))


@pytest.mark.parametrize(("width", "height"), [(768, 1024), (820, 1180), (1366, 768), (1280, 800)])
def test_a_bot_says_its_level_where_there_is_room(width, height, played, address, chromium):
    table, found = played["hawaiki"]
    with stage(chromium, address, table.code) as on:
        on.show(found["hand"].views["en"])
        on.resize(width, height)
        bots = sum(seat.kind == "bot" for seat in table.seats)
        assert on.page.locator(".seat .plate .level:visible").all_inner_texts() == ["novice"] * bots


def test_the_score_sheet_says_a_bots_level_on_a_phone(played, address, chromium):
    table, found = played["hawaiki"]
    with stage(chromium, address, table.code) as on:
        on.show(found["hand"].views["en"])
        on.resize(*SIZES["phone"])
        on.page.locator(".tally").click()
        assert on.page.locator(".scores thead th").all_inner_texts()[1:3] == ["Anna", "Bot 2\nnovice"]


def test_nothing_shines_through_who_is_awaited_after_a_round(played, address, chromium):
    """The cloth is closed behind the first line that stands over the hands."""
    table, found = played["hawaiki"]
    with stage(chromium, address, table.code) as on:
        on.show(found["round"].views["en"])
        on.resize(*SIZES["phone"])
        fade, top = on.page.locator(".result > .choices").evaluate(
            """box => [/ ([\\d.]+)px\\)$/.exec(getComputedStyle(box).backgroundImage)?.[1],
                box.querySelector("p").getBoundingClientRect().top - box.getBoundingClientRect().top]"""
        )
        assert float(fade) <= top


def is_below(fault):
    """Whether only the felt scrolls under the hand, or laid cards lie close: on the narrowest screen they may."""
    return fault.startswith(("felt scrolls by", "covered by a card: laid")) or (
        "overlap" in fault and ("hand:0.fan" in fault or ".notes" in fault)
    )


def test_a_screen_on_the_wall_shows_what_anybody_may_see(played, address, chromium):
    """Nothing to press, large letters, and the way to the table; its line says nothing for whoever owns the device."""
    table, found = played["mio"]
    with stage(chromium, address, table.code, query="?screen") as on:
        on.show(found["hand"].public["en"])
        on.resize(*SIZES["wide"])
        assert not looks(on.page)
        assert on.page.locator(".poster .qr").is_visible()
        assert on.page.locator("button:visible:not(.last)").count() == 0
        assert on.page.locator("[data-hand]").count() == 0
        assert on.lines[-1].url.endswith("&screen")


def test_a_bare_screen_shows_the_table_alone(played, address, chromium):
    """Neither a way to the table nor a ground: it is laid over a film. The house knows it as a screen all the same."""
    table, found = played["mio"]
    with stage(chromium, address, table.code, query="?screen=bare") as on:
        for shown in (found["hand"].public["en"], seen(laid("mio", 6, "bare01", sitting=1), "nobody", "en")):
            on.show(shown)
            on.resize(*SIZES["wide"])
            assert on.page.locator(":is(.qr, .code):visible").count() == 0
        assert on.page.evaluate("getComputedStyle(document.body).background").startswith("rgba(0, 0, 0, 0) none")
        assert on.lines[-1].url.endswith("&screen")


@pytest.mark.parametrize("size", ["phone", "low", "desktop", "wide"])
def test_a_wall_says_for_whom_the_table_waits_after_a_round(size, played, address, chromium):
    table, found = played["hawaiki"]
    with stage(chromium, address, table.code, query="?screen") as on:
        on.show(found["round"].public["en"])
        on.resize(*SIZES[size])
        assert on.page.locator(".result .choices .hint").inner_text().startswith("Waiting for Anna, Béla and Cléo.")
        assert not on.page.evaluate(UNDER)


UNDER = """() => {
    const said = document.createRange(), poster = document.querySelector(".poster").getBoundingClientRect();
    said.selectNodeContents(document.querySelector(".result .choices .hint"));
    return [...said.getClientRects()].some(({ right, bottom }) => right > poster.left && bottom > poster.top);
}"""


APART = """() => {
    const poster = document.querySelector(".poster").getBoundingClientRect();
    return [...document.querySelectorAll(".laid")].filter(hand => {
        const { right, bottom } = hand.getBoundingClientRect();
        return right > poster.left && bottom > poster.top;
    }).length;
}"""


@pytest.mark.parametrize(("game", "players"), FULL)
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_on_the_wall_no_hand_of_a_round_lies_under_the_way_to_the_table(game, players, size, played, address, chromium):
    table, found = played[game]
    with stage(chromium, address, table.code, query="?screen") as on:
        for state in found.keys() & {"round", "end"}:
            on.show(found[state].public["en"])
            on.resize(*size)
            assert on.page.evaluate(APART) == 0, state
            assert on.page.evaluate(BELOW) == 0, state


BELOW = """() => {
    const edge = Math.min(document.querySelector(".felt").getBoundingClientRect().bottom, innerHeight);
    const bottom = (card) => card.getBoundingClientRect().bottom;
    return [...document.querySelectorAll(".felt .card")].filter(card => bottom(card) > edge).length;
}"""
"""How many cards lie below the edge of the felt, all or in part."""


def test_on_a_small_wall_all_that_six_have_captured_is_seen(played, address, chromium):
    with stage(chromium, address, played["companeros"][0].code, query="?screen") as on:
        on.show(moments("companeros", 6, "com6x")[1]["end"].public["en"])  # who wins has captured 14 cards
        on.resize(1280, 720)
        assert on.page.evaluate(BELOW) == 0


@pytest.mark.parametrize("players", [2, 3, 6])
def test_on_the_wall_no_plate_of_a_kept_seat_lies_over_what_fits_in_mio(players, played, address, chromium):
    for language in LANGUAGES:
        shown = deepcopy(moments("mio", players, f"mio{players}k")[1]["hand"].public[language])
        for seat in shown.table.seats:
            seat.kept, seat.since = "skilled", shown.table.now
        with stage(chromium, address, played["mio"][0].code, language, "?screen") as on:
            on.show(shown)
            for size in ((900, 700), (1024, 768), (1280, 720), (1280, 800)):
                on.resize(*size)
                assert not looks(on.page), (language, size)


@pytest.mark.parametrize(("game", "players"), FULL)
def test_with_all_hands_open_no_card_lies_below_the_edge_of_the_felt(game, players, played, address, chromium):
    table, _ = played[game]
    reader = Reader(chromium, address, reduced_motion="reduce").open(table.sealed.match, "?seat=open")
    for step in {*range(0, reader.end, reader.end // 12), reader.end}:
        reader.page.evaluate("step => { location.hash = step + 1; }", step)
        reader.comes_to(step)
        for name in ("desktop", "wide"):
            width, height = SIZES[name]
            reader.page.set_viewport_size({"width": width, "height": height})
            reader.page.evaluate(TWO_FRAMES)
            assert reader.page.evaluate(BELOW) == 0, (name, step)
    reader.context.close()


OFF = """() => {
    const middle = (one) => (({ left, right }) => left + right)(document.querySelector(one).getBoundingClientRect());
    return Math.abs(middle(".result .chairs") - middle(".result"));
}"""


def test_on_the_wall_the_chairs_stand_in_the_middle_when_one_is_free_at_the_end(address, played, chromium):
    table, found = played["mio"]
    shown = deepcopy(found["end"].public["en"])
    shown.table.seats[1].kind = "open"
    with stage(chromium, address, table.code, query="?screen") as on:
        on.show(shown)
        on.resize(*SIZES["desktop"])
        assert on.page.evaluate(OFF) < 4


def test_where_a_browser_cannot_check_a_shuffle_the_end_of_a_match_promises_no_check(address, played, chromium):
    table, found = played["gin"]
    with stage(chromium, address, table.code) as on:
        on.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
        for able in (True, False):
            on.show(found["end"].views["en"])
            assert ("this browser shuffles" in on.page.locator(".proof p").text_content()) == able
            on.lines.clear()
            on.page.reload()
            while not on.lines:
                on.page.wait_for_timeout(5)


HIDDEN = """() => {
    const cards = [...document.querySelectorAll("[data-hand] .card")];
    return cards.slice(1).filter((card, at) => {
        cards[at].focus();
        const { left, top, width, height } = card.getBoundingClientRect();
        return !card.contains(document.elementFromPoint(left + width * .13, top + height * .13));
    }).length;
}"""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_card_that_has_the_focus_hides_none_beside_it(size, played, address, chromium):
    """However close they lie: of each one sees what it is, and can tap it."""
    table, found = played["mio"]
    with stage(chromium, address, table.code) as on:
        on.show(found["hand"].views["en"])
        on.resize(*size)
        on.page.keyboard.press("ArrowRight")
        assert on.page.locator("[data-hand] .card:focus-visible").count() == 1
        assert on.page.locator("[data-hand] .card").count() > 9
        assert on.page.evaluate(HIDDEN) == 0


HEIGHTS = """() => [...document.querySelectorAll(".felt > .seat")].map(seat => seat.getBoundingClientRect().top)"""


@pytest.mark.parametrize("players", [5, 6])
def test_left_and_right_sit_level_at_a_round_table(players, played, address, chromium):
    """Whether one sits there or looks on: then four are five."""
    with stage(chromium, address, played["mio"][0].code) as on:
        on.resize(*SIZES["desktop"])
        for who, around in ((ANNA, players), ("nobody", players - 1)):
            on.show(seen(begun(laid("mio", around, "level1")), who, "en"))
            tops = on.page.evaluate(HEIGHTS)
            assert len(tops) == players - 1
            assert tops == tops[::-1]
