"""How fast the page of a table is: `python -m bench.page`. Needs a Chromium (tests/get-chromium gets one).

A house on this machine, a table with as many seats as the game has, bots that answer at once. The page plays by itself:
what it sends goes past its buttons, what comes is drawn as ever. Each line of JSON names the load of the machine before
it; of the times the median and the 95th percentile are told, in milliseconds, and what of them was the page's own
work: the main thread's time on the processor by update, once the page is warm, whatever else ran.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.pages.conftest import ARGUMENTS, WHOLE
from tests.pages.people import SIZES
from tests.pages.wire import Wire
from tests.server.clients import Process

SEATS = {"companeros": 6, "mio": 6, "gin": 2}
VISITS = 6
UPDATES, WARM = 80, 10  # views drawn, the first of which do not count
MOVES, BEGUN = 1000, 200  # of the matches in which memory is watched, and when the log is full: there it begins
SLOW = 4  # times
PLAIN = "--js-flags=--no-opt --no-maglev --no-sparkplug"
"""Memory is watched where the engine compiles no hot code: that grows with what is played, and is not the page's."""

PLAY = """
    window.updates = []; window.moves = 0; window.going = true; window.playable = 0;
    const said = (socket, message) => socket.send(JSON.stringify({ key: crypto.randomUUID(), ...message }));
    const act = (socket, { number, table, scene }) => {
        const open = scene?.choices.filter((choice) => !choice.why) ?? [];
        const choice = open.findLast((one) => !one.move.startsWith("knock")) ?? open.at(-1);
        if (table.status === "over") said(socket, { type: "again" });
        else if (table.waits_for.includes(table.seat)) said(socket, { type: "next" });
        else if (choice && scene.turn.includes(scene.seat)) {
            window.moves++;
            said(socket, { type: "move", seen: number, move: choice.move });
        }
    };
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
    Object.defineProperty(WebSocket.prototype, "onmessage", { set(listener) {
        set.call(this, (event) => {
            const begun = performance.now();
            listener(event);
            const drawn = performance.now() - begun;
            const message = JSON.parse(event.data);
            if (message.type !== "view") return;
            if (document.querySelector("[data-hand] .card")) window.playable ||= performance.now();
            requestAnimationFrame(() => {
                const frame = performance.now();
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => {
                    if (message.scene) window.updates.push(drawn + performance.now() - frame);
                    if (window.going) act(this, message);
                };
                port2.postMessage(0);
            });
        });
    } });
"""
"""Notes for each view how long the main thread was busy with it: drawing, then style, layout and paint."""


def opened(chromium, house, game, rate=1, size="phone"):
    """A page at a new table, its processor slowed so many times; and what came over the wire."""
    width, height = SIZES[size]
    context = chromium.new_context(viewport={"width": width, "height": height}, service_workers="block")
    page = context.new_page()
    form = {"game": game, "against": "bots", "nickname": "Anna", "players": str(SEATS[game])}
    made = page.request.post(f"{house}/tables", form=form, headers={"origin": house}, max_redirects=0)
    wire, session = Wire(page), context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.add_init_script(PLAY)
    page.goto(house + made.headers["location"])
    page.wait_for_function("() => window.playable")
    return page, wire, session


def told(name, **figures):
    load = round(os.getloadavg()[0], 1)
    print(json.dumps({"name": name, "load": load} | figures), flush=True)


def light(chromium, house):
    """How much comes, in how many requests, and when the first card can be played on a slow device.

    To people who have never been there; the first of them only lets the house read its own files.
    """
    for visit in range(VISITS):
        page, wire, _ = opened(chromium, house, "companeros", SLOW)
        playable = round(page.evaluate("window.playable"))
        if visit:
            told("page.first", requests=len(wire.asked), bytes=wire.total, playable_ms=playable)
        page.context.close()


def quick(chromium, house):
    """How long the main thread is busy with one update of a full table."""
    for size in ("phone", "desktop"):
        for rate in (1, SLOW):
            page, _, session = opened(chromium, house, "companeros", rate, size)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            before, drawn = worked(page, session, WARM)
            after, until = worked(page, session, UPDATES)
            times = sorted(page.evaluate("window.updates")[WARM:])
            median, high = statistics.median(times), times[int(len(times) * 0.95)]
            own = 1000 * (after - before) / (until - drawn)
            told(
                f"page.update.{size}.cpu{rate}", median_ms=round(median, 1), p95_ms=round(high, 1), own_ms=round(own, 1)
            )
            page.context.close()


def worked(page, session, updates):
    """Seconds of a processor that the main thread has needed once so many views are drawn, and how many are by then."""
    page.wait_for_function(f"() => window.updates.length >= {updates}", timeout=300_000)
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return metrics["TaskDuration"], page.evaluate("window.updates.length")


def small(chromium, house, moves):
    """How much memory the page holds late in a long match, against early in it."""
    page, _, session = opened(chromium, house, "gin")
    held = []
    for until in (BEGUN, moves):
        page.wait_for_function(f"() => window.moves >= {until}", timeout=600_000)
        session.send("HeapProfiler.collectGarbage")
        held.append(session.send("Runtime.getHeapUsage")["usedSize"])
    growth = held[1] / held[0] - 1
    told(
        "page.heap",
        moves=moves,
        early_kb=held[0] // 1024,
        late_kb=held[1] // 1024,
        growth_percent=round(100 * growth, 1),
    )
    page.context.close()


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.page")
    parser.add_argument("--moves", type=int, default=MOVES, help="of the match in which memory is watched")
    moves = parser.parse_args().moves
    with Process(Path(tempfile.mkdtemp())) as process, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=WHOLE, args=ARGUMENTS)
        house = process.address.rstrip("/")
        light(chromium, house)
        quick(chromium, house)
        chromium.close()
        chromium = playwright.chromium.launch(executable_path=WHOLE, args=[*ARGUMENTS, PLAIN])
        small(chromium, house, moves)
        chromium.close()


if __name__ == "__main__":
    main()
