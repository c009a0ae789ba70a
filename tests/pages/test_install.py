"""The house on a device of one's own: kept like a program, heard, called by, and still there when the line is not."""

import gzip
import json
import struct
import subprocess
from pathlib import Path

import httpx
import pytest

from brelan.build import build_id
from brelan.server.pages import install
from brelan.server.pages.install import ICONS
from brelan.words import LANGUAGES, Words
from tests.bots.programs import needs_node
from tests.pages.ears import CALLING, EARS, HIDDEN, NOTICES, eared, heard
from tests.pages.people import ByMouse, Pair
from tests.pages.wire import PATIENT
from tests.server.clients import SERVER, Process


@pytest.fixture
def own_house(tmp_path):
    """A house that comes back at the same address after a kill."""
    first = Process(tmp_path)
    address = first.address.rstrip("/")
    running = [first]

    def back():
        script = SERVER.replace("port=0", f"port={address.rpartition(':')[2]}")
        running.append(Process(tmp_path, script=script))

    yield address, lambda: running[-1].kill(), back
    running[-1].__exit__()


# ---------------------------------------------------------------- kept like a program


CORNER = """async address => {
    const icon = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = Object.assign(document.createElement("canvas"), { width: icon.width, height: icon.height });
    const on = canvas.getContext("2d");
    on.drawImage(icon, 0, 0);
    return on.getImageData(0, 0, 1, 1).data[3];
}"""
"""How opaque a picture is at its corner: from 0 to 255."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_is_there_in_each_language_with_its_icons(language, house):
    page = httpx.get(house, headers={"accept-language": language}).text
    assert f'<link rel="manifest" href="/manifest.webmanifest?lang={language}" crossorigin="use-credentials">' in page
    answer = httpx.get(f"{house}/manifest.webmanifest?lang={language}")
    told = answer.json()
    assert answer.headers["content-type"] == "application/manifest+json"
    assert (told["lang"], told["start_url"], told["display"]) == (language, "/", "standalone")
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon, (_, side, _) in zip(told["icons"], ICONS, strict=True):
        picture = httpx.get(house + icon["src"])
        assert picture.headers["content-type"] == icon["type"]
        assert struct.unpack(">II", picture.content[16:24]) == (side, side)
        assert icon["sizes"] == f"{side}x{side}"


def test_an_icon_that_others_cut_or_lay_on_their_own_ground_has_no_clear_corner(chromium, house):
    page = chromium.new_page()
    page.goto(house)
    for part, name in (("link[rel=apple-touch-icon]", "href"), ("meta[property='og:image']", "content")):
        assert page.evaluate(CORNER, page.locator(part).get_attribute(name)) == 255
    page.close()


def test_texts_come_packed_to_whoever_takes_them_so(house):
    plain = httpx.get(f"{house}/static/table.css", headers={"accept-encoding": "identity"})
    packed = httpx.get(f"{house}/static/table.css", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(gzip.compress(plain.content)) + 100 < len(plain.content) / 2
    for answer in (plain, packed):
        assert answer.headers["vary"] == "accept-encoding"
        known = {"if-none-match": answer.headers["etag"], "accept-encoding": "gzip"}
        again = httpx.get(f"{house}/static/table.css", headers=known)
        assert (again.status_code, again.headers["etag"]) == (304, packed.headers["etag"])


def test_texts_come_packed_to_nobody_who_refuses_it(house):
    for taken, is_packed in (("br, gzip;q=0.5", True), ("gzip;q=0", False), ("gzip; q=0.0, br", False)):
        answer = httpx.get(f"{house}/static/table.css", headers={"accept-encoding": taken})
        assert ("content-encoding" in answer.headers) == is_packed, taken


# ---------------------------------------------------------------- without a line

WORKER = """
const fs = require("fs"), vm = require("vm");
const source = fs.readFileSync(0, "utf8").replace('const BUILD = "";', 'const BUILD = "newer";');
const kept = new Map(), on = {}, path = (request) => request.url ?? request;
const cache = {
    match: async (request) => kept.get(path(request)),
    put: async (request, answer) => void kept.set(path(request), answer.build),
};
let status = 200, build = "";  // of the process that answers; a proxy is of none
let hangs = false;  // whether nobody answers, and time flies
const headers = () => new Map(build ? [["brelan-build", build]] : []);
const answer = () => ({ status, build, headers: headers(), clone() { return this; } });
const self = { addEventListener: (name, does) => { on[name] = does; }, skipWaiting: async () => {} };
const asks = [];  // how the network was asked
vm.runInNewContext(source, {
    self, URL, location: { origin: "http://house" }, clearTimeout,
    setTimeout: (does, wait, ...given) => setTimeout(does, hangs ? 0 : wait, ...given),
    fetch: async (request) => (asks.push(request.cache), hangs ? new Promise(() => {}) : answer()),
    caches: { ...cache, open: async () => cache, keys: async () => [] },
    Request: class { constructor(url, { cache }) { Object.assign(this, { url, cache }); } },
});
const navigated = { url: "http://house/", method: "GET", mode: "navigate" };
const waited = (job, done) => job.then(() => done(true), () => done(false));
const begun = () => new Promise((done) => on.install({ waitUntil: (job) => waited(job, done) }));
const asked = (url) => ({ url, method: "GET", mode: "cors" });
const fetched = (request, more) =>
    new Promise((done) => on.fetch({ request, ...more, respondWith: done, waitUntil() {} }));
"""
"""The worker of a newer build, without a browser."""

RENEWAL = """
(async () => {
    const told = {};
    for (build of ["older", "newer"]) {
        told[build] = [await begun(), kept.size > 0];
        await fetched(asked(`http://house/static/${build}.js`));
    }
    console.log(JSON.stringify({ ...told, kept: [...kept.keys()].filter((url) => url.includes("er.js")) }));
})();
"""
"""First an old process of the house answers, and then a new one."""

OUTAGE = """
(async () => {
    const told = [];
    kept.set("/offline", "waits");
    for ([status, build] of %s) told.push(await fetched(navigated));
    console.log(JSON.stringify(told.map((shown) => shown.status ?? shown)));
})();
"""


def by_worker(script):
    """What a script says that has the worker before it."""
    source = Path(install.__file__).parents[1] / "static" / "worker.js"
    command = ["node", "-e", WORKER + script]
    run = subprocess.run(command, input=source.read_bytes(), capture_output=True, check=True, timeout=60)
    return json.loads(run.stdout)


@needs_node
def test_the_page_without_a_line_stands_for_what_proxies_say_and_for_nothing_of_the_house():
    answers = [(502, ""), (503, ""), (504, ""), (521, ""), (530, ""), (500, ""), (503, "newer")]
    assert by_worker(OUTAGE % json.dumps(answers)) == ["waits"] * 5 + [500, 503]


HUNG = """
(async () => {
    kept.set("/offline", "waits");
    hangs = true;
    console.log(JSON.stringify(await fetched(navigated)));
})();
"""


@needs_node
def test_the_page_without_a_line_stands_for_one_that_nobody_answers():
    assert by_worker(HUNG) == "waits"


@needs_node
def test_the_worker_keeps_nothing_of_another_build():
    assert by_worker(RENEWAL) == {
        "older": [False, False],
        "newer": [True, True],
        "kept": ["http://house/static/newer.js"],
    }


BEGINNING = """
(async () => {
    build = "newer";
    await begun();
    console.log(JSON.stringify(asks));
})();
"""


@needs_node
def test_a_worker_that_begins_fetches_nothing_anew_that_is_the_same():
    assert set(by_worker(BEGINNING)) == {"no-cache"}


AWAKE = """
(async () => {
    const enabled = [];
    const activated = (registration) => new Promise((done) => {
        Object.assign(self, { registration, clients: { claim: async () => {} } });
        on.activate({ waitUntil: (job) => job.then(done) });
    });
    await activated({ navigationPreload: { enable: async () => enabled.push(true) } });
    await activated({});
    kept.set("/offline", "waits");
    const early = { ...answer(), status: 299 }, told = [];
    for (const preloadResponse of [Promise.resolve(early), Promise.reject(), Promise.resolve(), undefined])
        told.push(await fetched(navigated, { preloadResponse }));
    console.log(JSON.stringify([enabled.length, told.map((shown) => shown.status ?? shown), asks.length]));
})();
"""
"""Browsers that ask for a page while the worker wakes, and one that does not."""


@needs_node
def test_a_page_does_not_wait_until_the_worker_is_awake():
    assert by_worker(AWAKE) == [1, [299, "waits", 200, 200], 2]


SLOW_DISK = """
(async () => {
    build = "newer";
    cache.put = () => new Promise(() => {});
    console.log(JSON.stringify(await fetched(asked("http://house/static/newer.js"))));
    process.exit();
})();
"""


@needs_node
def test_a_file_is_there_before_it_is_written_down():
    assert by_worker(SLOW_DISK)["status"] == 200


TOUCHED = """
(async () => {
    const page = (name, url) => ({ url: `http://house/t/${url}`, focus: () => name });
    const pages = [page("wall", "abcdef?screen"), page("own", "abcdef?lang=fr")];
    const told = [];
    for (const open of [pages, pages.slice(0, 1)]) {
        self.clients = { matchAll: async () => open, openWindow: (url) => url };
        const notification = { close() {}, data: "http://house/t/abcdef" };
        told.push(await new Promise((done) => on.notificationclick({ notification, waitUntil: done })));
    }
    console.log(JSON.stringify(told));
})();
"""


@needs_node
def test_a_notice_leads_to_ones_own_page_and_not_to_the_wall():
    assert by_worker(TOUCHED) == ["own", "http://house/t/abcdef"]


CALLED = """
(async () => {
    const page = (url, visibilityState) => ({ url: `http://house/${url}`, visibilityState });
    const home = page("", "hidden"), looked = page("t/abcdef?lang=fr", "visible"), told = [];
    for (const open of [
        [home, looked],
        [home, page("t/abcdef", "hidden"), page("t/abcdef?screen", "visible"), page("t/uvwxyz", "visible")],
    ]) {
        let there = [];
        const shown = [], getNotifications = async () => there;
        const showNotification = async (title, notice) => {
            shown.push([title, notice.body, notice.renotify]);
            there = [notice];
        };
        Object.assign(self, {
            clients: { matchAll: async () => open }, registration: { getNotifications, showNotification },
        });
        for (const body of ["Ben has sat down", "Your turn", "Your turn"]) {
            const data = { title: "Gin", body, tag: "abcdef", data: "http://house/t/abcdef" };
            await new Promise((done) => on.message({ data, waitUntil: (job) => job.then(done) }));
        }
        told.push(shown);
    }
    console.log(JSON.stringify(told));
})();
"""


@needs_node
def test_nobody_is_called_to_the_table_that_they_look_at_and_others_aloud_by_what_is_new():
    told = [("Ben has sat down", True), ("Your turn", True), ("Your turn", False)]
    assert by_worker(CALLED) == [[], [["Gin", *one] for one in told]]


@pytest.mark.parametrize("path", ["/", "/offline", "/static/table.js", "/static/icon-192.png", "/worker.js"])
def test_every_answer_says_of_which_build_it_is(house, path):
    answer = httpx.get(house + path)
    assert answer.headers["brelan-build"] == build_id()
    if tag := answer.headers.get("etag"):
        again = httpx.get(house + path, headers={"if-none-match": tag})
        assert (again.status_code, again.headers["brelan-build"]) == (304, build_id())


CONTROLLED = "() => navigator.serviceWorker.controller !== null"
KEPT = """async () => {
    const caches_ = await Promise.all((await caches.keys()).map(name => caches.open(name)));
    const asked = await Promise.all(caches_.map(cache => cache.keys()));
    return [await caches.keys(), asked.flat().map(({ url }) => new URL(url).pathname)];
}"""


def test_without_a_line_a_page_says_so_and_gives_way_when_it_is_back(chromium, own_house):
    address, kill, back = own_house
    person = ByMouse(chromium, address, service_workers="allow")
    person.page.goto(address)
    person.page.wait_for_function(CONTROLLED)
    person.sit_down("gin").play(1)
    names, paths = person.page.evaluate(KEPT)
    assert names == [f"brelan {build_id()}"]
    assert "/offline" in paths
    assert "/static/table.js" in paths
    assert [path for path in paths if not path.startswith("/static/")] == ["/offline"]
    kill()
    person.page.goto(f"{address}/ratings")
    text = person.page.inner_text("main")
    assert "the match goes on by itself" in text
    assert "la partie reprendra d’elle-même" in text
    assert text.index("the match goes on") < text.index("la partie reprendra")
    back()
    person.page.get_by_role("heading", name="Ladder").wait_for(timeout=20_000)
    person.context.close()


def test_the_page_without_a_line_waits_for_no_look_that_hangs(people, house):
    page, asked = people().page, []
    page.clock.install()
    page.add_init_script(PATIENT)
    page.route("**/health", lambda route: asked.append(route))
    page.goto(f"{house}/offline")
    for looks in 1, 2:
        for _ in range(30):
            if len(asked) < looks:
                page.clock.run_for(1_000)
                page.wait_for_timeout(50)  # what is asked and given up goes through the browser, by its own time
        page.clock.run_for(4_000)
        page.wait_for_timeout(200)
        assert len(asked) == looks


def test_who_begins_to_play_while_the_house_begins_anew_keeps_the_page(chromium, own_house):
    address, kill, back = own_house
    person = ByMouse(chromium, address, service_workers="allow")
    person.page.goto(address)
    person.page.wait_for_function(CONTROLLED)
    person.page.locator("form.play [name=nickname]").fill("Anna")
    kill()
    person.page.locator("#gin button").click()
    assert person.page.locator(".error[role=alert]").inner_text() == Words("en")("page.unsent")
    assert person.page.locator("form.play [name=nickname]").input_value() == "Anna"
    back()
    person.page.locator("#gin button").click()
    person.page.wait_for_selector("[data-hand] .card")
    person.context.close()


RENEWED = f"""
import sys
from pathlib import Path
import brelan.build as build
from brelan.words import LANGUAGES
build.build_id = lambda: "newer" if Path(sys.argv[1], "renewed").exists() else "older"
{SERVER}"""
"""A house that is of an older build until there is such a file in its folder."""

SPOIL = """async () => {
    const cache = await caches.open((await caches.keys())[0]);
    await cache.put("/static/lobby.js", new Response("spoilt"));
}"""
RENEWS = "async () => (await caches.keys()).join() === 'brelan newer'"
READ = "() => fetch('/static/lobby.js').then(answer => answer.text())"


def test_a_page_of_another_build_is_not_mixed_with_kept_files(chromium, tmp_path):
    with Process(tmp_path, script=RENEWED) as process:
        person = ByMouse(chromium, process.address.rstrip("/"), service_workers="allow")
        person.page.goto(person.house)
        person.page.wait_for_function(CONTROLLED)
        person.page.evaluate(SPOIL)
        assert person.page.evaluate(READ) == "spoilt"
        (tmp_path / "renewed").touch()
        person.page.goto(f"{person.house}/ratings")
        assert "/** The home page" in person.page.evaluate(READ)
        person.page.goto(person.house)
        person.page.wait_for_function(RENEWS)
        person.context.close()


def test_a_match_goes_on_when_the_line_blinks(chromium, own_house):
    address, kill, back = own_house
    person = ByMouse(chromium, address, service_workers="allow").sit_down("gin")
    person.play(2)
    person.come_to_turn()
    place = person.page.url
    kill()
    person.page.locator(".banner.line", has_text="The connection is lost").wait_for()
    assert person.page.locator("[data-hand] .card").count() >= 10
    back()
    person.page.locator(".banner.line", has_text="Connected again").wait_for(timeout=20_000)
    person.play(person.moves + 2)
    assert person.page.url == place
    person.context.close()


GUARDED = f"""
import sys
from pathlib import Path
from starlette.applications import Starlette
from starlette.responses import Response
door, house = Path(sys.argv[1], "door"), Starlette.__call__
async def guarded(app, scope, *line):
    if scope["type"] == "http" and door.exists() and b"authorization" not in dict(scope["headers"]):
        await Response(status_code=401, headers={{"www-authenticate": "Basic"}})(scope, *line)
    else:
        await house(app, scope, *line)
Starlette.__call__ = guarded
{SERVER}"""
"""A house before which, once there is such a file in its folder, a proxy asks for a password, if not of sockets."""


def test_behind_a_password_of_a_proxy_pages_and_rulebooks_are_there(chromium, tmp_path):
    with Process(tmp_path, script=GUARDED) as process:
        password = {"username": "anna", "password": "word"}
        person = ByMouse(chromium, process.address.rstrip("/"), service_workers="allow", http_credentials=password)
        person.page.goto(person.house)
        person.page.wait_for_function(CONTROLLED)
        (tmp_path / "door").touch()
        with person.page.expect_navigation():  # it is asked for once more, past the worker
            person.page.goto(f"{person.house}/ratings")
        person.page.get_by_role("heading", name="Ladder").wait_for()
        person.page.goto(person.house)
        person.page.wait_for_function(CONTROLLED)
        person.sit_down("gin").page.keyboard.press("r")
        person.page.locator(".book [data-at]").wait_for()
        person.context.close()


# ---------------------------------------------------------------- heard, and called


def test_each_event_of_a_match_is_heard_by_its_sound(chromium, house):
    person = eared(ByMouse(chromium, house).sit_down("gin", target=60))  # in one hand alone no second turn may come
    while not (person.asked(person.view) and any(choice["why"] for choice in person.view["scene"]["choices"])):
        person.play(person.moves + 1)
    shut = next(choice for choice in person.view["scene"]["choices"] if choice["why"])
    assert "refusal" not in heard(person)
    person.button(shut).click(force=True)
    assert "refusal" in heard(person)
    person.play()
    won = person.view["table"]["seat"] in person.view["table"]["winners"]
    assert heard(person) == {"turn", "card", "shout", "refusal"} | ({"win"} if won else set())
    listen = """([view, winner]) => import("/static/sound.js").then(({ heard }) => heard(
        { ...view, table: { ...view.table, winners: [winner] } },
        { ...view, table: { ...view.table, status: "playing" } }, []))"""
    seat = person.view["table"]["seat"]
    assert "win" in person.page.evaluate(listen, [person.view, seat])
    assert "win" not in person.page.evaluate(listen, [person.view, 1 - seat])
    person.context.close()


ASLEEP = """() => {
    const now = performance.now() + 60_000;
    performance.now = () => now;
    window.ears.state = "interrupted";
}"""


def test_a_device_that_was_locked_is_heard_again_from_the_next_touch_on(chromium, house):
    """And what came meanwhile is not heard all at once."""
    pair = Pair(chromium, house)
    anna = eared(pair.anna)
    anna.page.evaluate(ASLEEP)
    pair.ben.page.keyboard.press("c")
    pair.ben.page.locator(".sayings button").first.click()
    anna.page.locator(".seat .bubble").wait_for()
    assert not heard(anna)
    pair.ben.page.keyboard.press("Escape")
    anna.page.keyboard.press("t")
    assert anna.page.evaluate("window.ears.state") == "running"
    pair.move()
    assert "card" in heard(anna)
    pair.done()


def test_a_wall_that_may_sound_is_heard_though_nobody_touches_it(people, chromium, house):
    pair, wall = Pair(chromium, house), people()
    wall.context.add_init_script(EARS)
    wall.page.goto(f"{pair.link}?screen")
    wall.page.locator("#table .felt").wait_for()
    pair.move()
    wall.wait(lambda view: view["number"] == pair.anna.view["number"])
    assert heard(wall) == {"card"}
    pair.done()


def test_who_switched_the_sounds_off_hears_nothing(chromium, house):
    pair = Pair(chromium, house)
    anna, ben = map(eared, pair.people)
    ben.page.locator("[data-sheet=settings]").click()
    ben.page.locator("[name=sound]").uncheck()
    ben.page.keyboard.press("Escape")
    ben.page.keyboard.press("c")
    ben.page.locator(".sayings button", has_text="Bonne chance").click()
    anna.page.locator(".seat .bubble").wait_for()
    assert heard(anna) == {"message"}
    for _ in range(6):
        pair.move()
    assert heard(anna) - {"shout"} == {"message", "turn", "card"}, "a knock may be among the six moves"
    assert ben.page.evaluate("window.made && window.heard.length") == 0
    assert ben.page.evaluate("window.ears.state") == "suspended", "the device keeps nothing awake for it"
    ben.page.reload()
    ben.page.wait_for_selector(".bar")
    ben.page.keyboard.press("t")
    assert not ben.page.evaluate("window.made")
    pair.done()


@pytest.mark.parametrize("answer", ["default", "denied"])
def test_a_box_that_the_browser_gives_no_leave_for_is_not_ticked(answer, chromium, house):
    person = ByMouse(chromium, house, service_workers="allow").sit_down("gin")
    person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    leave = """answer => {
        Object.defineProperty(Notification, "permission", { get: () => window.said ?? "default" });
        Notification.requestPermission = async () => (window.said = answer);
    }"""
    person.page.evaluate(leave, answer)
    person.page.locator("[data-sheet=settings]").click()
    box = person.page.locator("[name=notices]")
    box.click()
    person.page.wait_for_function("() => window.said")
    person.settle()
    assert not box.is_checked()
    person.context.close()


def test_a_box_is_not_ticked_where_no_worker_would_give_a_notice(whole, house):
    person = ByMouse(whole, house, permissions=["notifications"]).sit_down("gin")
    person.page.locator("[data-sheet=settings]").click()
    box = person.page.locator("[name=notices]")
    box.click()
    person.page.locator("dialog .hint", has_text=Words("en")("client.notices_denied")).wait_for()
    assert not box.is_checked()
    person.context.close()


def test_a_device_tells_of_the_turn_only_when_nobody_looks_and_somebody_wished_it(whole, house):
    pair = Pair(whole, house, CALLING)
    page = pair.anna.page
    page.evaluate(NOTICES)

    def turns(hidden):
        """What the device tells while Ben moves, until it is Anna's turn again."""
        for _ in range(5):
            page.evaluate(HIDDEN, hidden and pair.asked()[0] is pair.ben)
            pair.move()
            pair.anna.settle()
        page.evaluate(HIDDEN, False)
        return page.evaluate("window.told")

    while pair.asked()[0] is pair.ben:
        pair.move()
    page.wait_for_selector("link[rel=icon][href$='icon-turn.svg']", state="attached")
    assert turns(hidden=True) == []
    page.locator("[data-sheet=settings]").click()
    page.locator("[name=notices]").check()
    page.keyboard.press("Escape")
    assert turns(hidden=False) == []
    told = turns(hidden=True)
    assert told
    for title, more in told:
        assert (title, more["body"]) == (pair.anna.view["table"]["title"], "Your turn")
        assert more["data"] == page.url
    pair.done()
