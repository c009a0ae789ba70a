"""Two people over real sockets at a table of Hawaiki where they speak up, until a combination is laid in silence."""

from tests.play.claims import COMBINATIONS
from tests.server.clients import moves_of, my_turn


def move(line, lines, text):
    """An acknowledged move that both have seen."""
    ack = line.ask("move", seen=line.view["number"], move=text)
    assert ack["type"] == "ack", ack
    together(lines, ack["number"])
    return ack


def combinations(line):
    return [text for text in moves_of(line.view) if text.split()[-1] in COMBINATIONS]


def ordinary(line):
    """What brings the match on without a combination in silence."""
    moves = moves_of(line.view)
    for wanted in ("thanks much", "name", "play", "draw"):
        found = [text for text in moves if text.startswith(wanted)]
        if found:
            return (combinations(line) or found)[0] if wanted == "play" else found[0]
    raise AssertionError(moves)


def in_silence(lines):
    """Play until somebody has laid a combination without a word: who did, and the other."""
    for _ in range(400):
        number = together(lines)
        line = next((line for line in lines if my_turn(line.view)), None)
        asked = [line for line in lines if line.view["table"]["seat"] in line.view["table"]["waits_for"]]
        if line and combinations(line):
            move(line, lines, combinations(line)[0].rpartition(" ")[0])
            return line, lines[line is lines[0]]
        if line:
            move(line, lines, ordinary(line))
        elif asked:
            asked[0].ask("next")
        else:
            together(lines, number + 1)
    raise AssertionError("nobody could make a combination")


def together(lines, number=0):
    """Wait until both have seen that number and the newest that either has; it."""
    newest = max(number, *(line.view["number"] for line in lines))
    for line in lines:
        line.viewed(lambda view: view["number"] >= newest)
    return newest
