"""A small random number generator, so that a player's choices follow from a seed alone.

Not Python's `random`, because a versioned player must not change with the interpreter.
The step is SplitMix64 (Steele, Lea and Flood, 2014). Not for secrets.
"""

import hashlib
from typing import Final

_MASK: Final = (1 << 64) - 1


class SeededRandom:
    """A stream of random numbers from a text seed, the same on every machine."""

    def __init__(self, seed: str) -> None:
        self._state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")

    def next_word(self) -> int:
        """The next 64 bits."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ state >> 27) * 0x94D049BB133111EB) & _MASK
        return state ^ state >> 31

    def below(self, count: int) -> int:
        """A number in 0..count-1; the bias is negligible for small counts."""
        return self.next_word() % count

    def shuffled(self, cards: bytes) -> bytes:
        """The cards in a random order (Fisher-Yates, four swaps from one word)."""
        order = bytearray(cards)
        word = 0
        for last in range(len(order) - 1, 0, -1):
            if word < 1 << 24:  # the rest of a used word would favour some cards
                word = self.next_word()
            word, at = divmod(word, last + 1)
            order[last], order[at] = order[at], order[last]
        return bytes(order)
