"""A passphrase: seven words that the house draws, by which a guest is the same person on every device.

Each word is one of 1024, so seven are worth 70 bits. The house keeps a hash only, and there is no user name: the hash
itself is looked up, so it cannot have a salt for each person. That is safe here, and only here, because the phrase is
never chosen by a person. Of 70 bits that nobody influenced no two persons share one, no list of likely phrases exists,
and a thief of the whole database, who may try a phrase on all of its N hashes at once, gains log2(N) bits only: of a
million persons, 50 bits at the price of one scrypt each remain, which is a thousand years' work for a thousand cores.
And without the house's key, which is not in the database, the thief cannot even begin: it is part of the salt.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from functools import cache

from brelan.words import LANGUAGES, document

LENGTH = 7
LETTERS = 200  # so many of what was typed are looked at
LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss"})
COST = {"n": 2**14, "r": 8, "p": 1}  # 16 MB and some 40 ms for each try, ours and a thief's


@cache
def words(language: str) -> tuple[str, ...]:
    """The 1024 words to draw from, as they are shown; those of the first language where one has none.

    None begins another, so that a phrase without spaces still reads in one way only; and no two differ by a single
    slip of the pen (`slipped`), so that one slip in a word is mended.
    """
    return tuple(document("phrase.{}.txt", language)[0].read_text("utf-8").split())


@cache
def _letters() -> frozenset[str]:
    """The words of all languages, in plain letters."""
    return frozenset(plain(word) for language in LANGUAGES for word in words(language))


def drawn(language: str) -> str:
    """A new phrase."""
    return " ".join(secrets.choice(words(language)) for _ in range(LENGTH))


def plain(text: str) -> str:
    """Letters from a to z only: no case, no accents, nothing between."""
    parted = unicodedata.normalize("NFKD", text.casefold().translate(LIGATURES))
    return "".join(letter for letter in parted if letter.isascii() and letter.isalpha())


def meant(typed: str) -> str:
    """The phrase that was meant, in plain letters, however it was parted or written; one slip in a word is mended, but
    not in far more words than a phrase has: each is compared with all that there are.
    """
    typed_words = [plain(word) for word in re.split(r"[\s,.;:_/–—-]+", typed[:LETTERS])]
    return "".join(typed_words if len(typed_words) > 2 * LENGTH else map(_mended, typed_words))


def _mended(word: str) -> str:
    """The one word of the lists that this is, but for a slip; else as it was typed."""
    if word in _letters():
        return word
    near = [known for known in _letters() if slipped(word, known)]
    return near[0] if len(near) == 1 else word


def slipped(a: str, b: str) -> bool:
    """Whether a single slip makes one of the other: a letter left out, added, or changed, or two neighbours swapped."""
    begin = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[begin:], b[begin:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return max(len(a), len(b)) == 1 or (len(a) == 2 and a == b[::-1])


def hashed(typed: str, key: bytes) -> str:
    """By what the house knows a phrase, in hex; `key` is the house's own."""
    pepper = hmac.digest(key, b"passphrase", "sha256")
    return hashlib.scrypt(meant(typed).encode(), salt=pepper, dklen=32, **COST).hex()
