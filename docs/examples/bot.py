"""A bot for any game of the house, which makes any legal move: so little does a program need.

brelan bot-check "python docs/examples/bot.py"
brelan arena gin --bots "cmd:python docs/examples/bot.py,novice" --deals 50
"""

import json
import random
import sys


def answer(said):
    """What is said to a line, or None."""
    if said["type"] == "hello":
        return {"type": "hello", "name": "any move", "version": "1"}
    if said["type"] == "ask":
        chance = random.Random(said["seed"])
        return {"type": "move", "id": said["id"], "move": chance.choice(said["legal"])}
    if said["type"] == "bye":
        sys.exit()
    return None


for line in sys.stdin:
    answered = answer(json.loads(line))
    if answered:
        print(json.dumps(answered), flush=True)
