"""Programs that speak the line protocol: the examples of the documents, and odd ones."""

import os
import shutil
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
PYTHON = f"{sys.executable} {EXAMPLES / 'bot.py'}"

may_skip = os.environ.get("CI") != "true" and not shutil.which("node")
needs_node = pytest.mark.skipif(may_skip, reason="no Node here: what is in JavaScript is not run")

ANSWERS = """
import sys, json, time
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({{"type": "hello", "name": "odd"}}), flush=True)
    elif said["type"] == "ask":
        {0}
"""
ODD = {
    "bot_line": 'print("draw", flush=True)',
    "bot_answer": 'print(json.dumps({"type": "move", "id": said["id"] + 1, "move": said["legal"][0]}), flush=True)',
    "bot_move": 'print(json.dumps({"type": "move", "id": said["id"], "move": "win"}), flush=True)',
    "bot_ended": "sys.exit(3)",
    "bot_killed": "import os; print('{', end='', flush=True); os.kill(os.getpid(), 9)",
    "bot_gone": "import os; os.close(1); time.sleep(60)",
    "bot_late": "time.sleep(60)",
    "bot_late while it talks": 'while True: print(json.dumps({"type": "mood"}), flush=True)',
    "bot_long": 'print("x" * (1 << 21), flush=True)',
    "bot_wrong": 'print(json.dumps({"type": "wrong", "id": said["id"], "why": "tired"}), flush=True)',
}

FIRST = 'print(json.dumps({"type": "move", "id": said["id"], "move": said["legal"][0]}), flush=True)'
TALKATIVE = f'print(json.dumps({{"type": "mood", "is": "good"}}), flush=True); {FIRST}'


def odd(folder, fault):
    """The command of a program with one fault, or with much to say."""
    script = folder / f"{fault.replace(' ', '-')}.py"
    script.write_text(ANSWERS.format(ODD.get(fault, TALKATIVE)), "utf-8")
    return f"{sys.executable} {script}"
