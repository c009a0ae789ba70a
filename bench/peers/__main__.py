"""`python -m bench.peers speed | strength | whole | melds`, each with --json: see docs/peers.md."""

from __future__ import annotations

import argparse
import json
import sys


def main() -> int:
    parser = argparse.ArgumentParser("python -m bench.peers")
    parser.add_argument("--json", action="store_true")
    kinds = parser.add_subparsers(dest="kind", required=True)
    speed = kinds.add_parser("speed", help="how fast they and we are, by turns")
    speed.add_argument("--rounds", type=int, default=5)
    speed.add_argument("--seconds", type=float, default=0.5, help="of a turn")
    strength = kinds.add_parser("strength", help="their players at our tables")
    strength.add_argument("--minutes", type=float, default=60)
    strength.add_argument("only", nargs="*", help="games and peers")
    whole = kinds.add_parser("whole", help="whole matches of every game by IS-MCTS alone")
    whole.add_argument("--matches", type=int, default=1)
    whole.add_argument("--simulations", type=int, default=2)
    melds = kinds.add_parser("melds", help="deadwood of hands, by them and by us")
    melds.add_argument("--hands", type=int, default=1_000_000)
    asked = parser.parse_args()
    report, text = run(asked)
    print(json.dumps(report) if asked.json else text)
    return 0


def run(asked: argparse.Namespace) -> tuple[dict, str]:
    """What was found, as data and as text. Each kind needs other packages."""
    if asked.kind == "speed":
        from bench.peers import speed

        found = speed.measure(asked.rounds, asked.seconds)
        return found, speed.as_text(found)
    if asked.kind == "strength":
        from bench.peers import strength

        found = strength.measure(asked.minutes, tuple(asked.only))
        return found, strength.as_text(found)
    if asked.kind == "melds":
        from bench.peers import melds

        found = melds.measure(asked.hands)
        return found, melds.as_text(found)
    from bench.peers import whole

    found = whole.measure(asked.matches, asked.simulations)
    return found, whole.as_text(found)


if __name__ == "__main__":
    sys.exit(main())
