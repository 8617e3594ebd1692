"""Shuffles the deck from a seed, and computes a seed's seal. Source: rules.md.

The algorithm is easy to write in any language, so that everybody can check a revealed
seed: 16-bit words from HMAC-SHA256, and Fisher-Yates from the top with rejection.
"""

import hashlib
import hmac
from collections.abc import Iterator

from game.rules.cards import DECK, Card
from game.rules.errors import InvalidSeed

SEED_LENGTH = 64


def check_seed(seed: object) -> str:
    """Return the seed if it is valid: 1..64 printable ASCII characters, trimmed.

    Raises InvalidSeed.
    """
    if not isinstance(seed, str) or not 1 <= len(seed) <= SEED_LENGTH:
        raise InvalidSeed("A seed is text of 1 to 64 characters.")
    if not (seed.isascii() and seed.isprintable()):
        raise InvalidSeed("A seed has only printable ASCII characters.")
    if seed != seed.strip(" "):
        raise InvalidSeed("A seed has no spaces at either end.")
    return seed


def _words(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(key, b"scoundrel-v1:%d" % counter, "sha256")
        for at in range(0, 32, 2):
            yield int.from_bytes(block[at : at + 2], "big")
        counter += 1


def deal(seed: str) -> tuple[Card, ...]:
    """The 44 cards in the order of the seed; index 0 is dealt first.

    Raises InvalidSeed.
    """
    words = _words(check_seed(seed).encode())
    cards = list(DECK)
    for i in range(len(cards) - 1, 0, -1):
        n = i + 1
        # Larger words would make low positions more likely.
        fair = 65536 - 65536 % n
        word = next(word for word in words if word < fair)
        j = word % n
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def seal_of(seed: str) -> str:
    """The seal of a seed, a hash commitment: the SHA-256 of its text in hexadecimal.

    To check it: `printf %s SEED | sha256sum`. Raises InvalidSeed.
    """
    return hashlib.sha256(check_seed(seed).encode()).hexdigest()
