"""Proofs of cards, right for ever and wrong, by which both readings of them are tried: ours and the page's."""

import json
from pathlib import Path

from brelan.play.leaves import Proof

VECTORS = json.loads(Path(__file__).with_name("leaves.json").read_text())


def wrong(proof):
    """The proof with one thing changed, each in turn."""
    flipped = ("0" if proof.salt[0] != "0" else "1") + proof.salt[1:]
    changes = [{"card": "R11"}, {"salt": flipped}, {"shuffle": proof.shuffle + 1}]
    changes += [{"position": place} for place in (*range(proof.of + 2), -1) if place != proof.position]
    changes += [{"path": [*proof.path, "00" * 64]}, {"path": proof.path[:-1]}, {"path": ["00" * 64, *proof.path[1:]]}]
    changes += [{"salt": salt} for salt in ("", proof.salt + "\n", "zz" * 64, proof.salt[:-2], 7)]
    changes += [{"path": [hash, *proof.path[1:]]} for hash in ("", "zz" * 64, None)]
    changes += [{"shuffle": proof.shuffle + more} for more in (2**64, -(2**64), 0.5)]
    changes += [{"position": proof.position + more, "of": 2**70} for more in (2**64, 0.5)]
    changes += [{"card": "\ud800"}, {"path": None}]
    fields = {name: getattr(proof, name) for name in Proof.__slots__}
    return [changed for change in changes if (changed := Proof(**fields | change)) != proof]
