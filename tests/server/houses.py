"""Houses in processes of their own, as whoever keeps them sees them: what they log and count, and how they end."""

import json
import multiprocessing
import os
import signal

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.server.clients import Process

WAIT = 30.0  # seconds for a loaded machine

SCRIPT = """
import sys
from pathlib import Path
sys.stderr = (Path(sys.argv[1]) / "stderr").open("a", 1)
from brelan.server.app import Settings, serve
{before}
choices = {{"bots": "novice", "bot_pause": (0.0, 0.0), "log": "json", "metrics": 0}} | {choices}
serve(Settings(data=Path(sys.argv[1]), **choices), lambda address: print(address, flush=True))
"""


def house(data, before="", **choices):
    """A house in a process of its own, whose lines go to a file in its folder."""
    data.mkdir(exist_ok=True)
    return Process(data, script=SCRIPT.format(before=before, choices={"port": 0} | choices))


def told(data, event):
    """The lines of that event."""
    lines = map(json.loads, (data / "stderr").read_text("utf-8").splitlines())
    return [line for line in lines if line["event"] == event]


def end(process, how=signal.SIGTERM):
    process.process.send_signal(how)
    assert process.process.wait(20) == 0
    process.process.stdout.close()


def figures(port):
    """What a house counts: by name and labels."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, *sorted(sample.labels.items())): sample.value for sample in samples}


def stillborn():
    """A worker that ended before it answered."""
    process = multiprocessing.get_context("spawn").Process(target=os._exit, args=(3,), daemon=True)
    process.start()
    process.join(WAIT)
    return process


class Clock:
    """Stands still until a test moves it."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now
