"""Seeds, shuffled decks and seals, with test vectors."""

import hashlib
import hmac
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import DECK, InvalidSeed, check_seed, deal, seal_of

CASES = Path(__file__).parents[1] / "cases" / "shuffle.json"
VECTORS = json.loads(CASES.read_text())
NO_SEEDS = [
    "", " ", " a", "a ", "a" * 65, "é", "a\tb", "a\n", "a\0b", "\x7f", "\ud800",
    "\u00a0", "💀", b"a", 1, None, ["a"],
]  # fmt: skip
SEEDS = st.text(
    st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64
).filter(lambda text: text == text.strip())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["seed"][:16])
def test_vectors(vector: dict[str, object]) -> None:
    seed = str(vector["seed"])
    assert list(deal(seed)) == vector["deck"]
    assert seal_of(seed) == vector["seal"]


@pytest.mark.parametrize("junk", NO_SEEDS, ids=repr)
def test_check_seed_refuses_junk(junk: object) -> None:
    functions: tuple[Callable[[Any], object], ...] = (check_seed, deal, seal_of)
    for function in functions:
        with pytest.raises(InvalidSeed) as refused:
            function(junk)
        assert refused.value.code == "seed.invalid"


@pytest.mark.parametrize("seed", ["a", "a b", "~" * 64, "0", '"\\'])
def test_seeds(seed: str) -> None:
    assert check_seed(seed) == seed


@given(SEEDS)
def test_every_seed_deals_the_whole_deck(seed: str) -> None:
    deck = deal(seed)
    assert sorted(deck) == sorted(DECK)
    assert deck == deal(seed)
    assert seal_of(seed) == hashlib.sha256(seed.encode("ascii")).hexdigest()


def test_first_card_is_uniformly_distributed() -> None:
    """Each card is first in about 1 of 44 decks, within five deviations."""
    tops = [deal(f"fair-{n}")[0] for n in range(4400)]
    assert all(50 < tops.count(card) < 150 for card in DECK)


def test_global_random_generator_is_not_used() -> None:
    random.seed(1)
    state = random.getstate()
    first = deal("tavern")
    assert random.getstate() == state
    random.seed(2)
    assert deal("tavern") == first


def _dealt_by_hand(seed: str) -> tuple[list[str], int]:
    """The deck by rules.md, in another way; and how many words were rejected."""
    words: list[int] = []
    for counter in range(8):
        message = f"scoundrel-v1:{counter}".encode()
        block = hmac.new(seed.encode(), message, hashlib.sha256).hexdigest()
        words += [int(block[at : at + 4], 16) for at in range(0, 64, 4)]
    cards, rejected = [str(card) for card in DECK], 0
    for n in range(44, 1, -1):
        while words[0] // n == 65536 // n:
            words.pop(0)
            rejected += 1
        j = words.pop(0) % n
        cards[n - 1], cards[j] = cards[j], cards[n - 1]
    return cards, rejected


@pytest.mark.parametrize(
    ("seed", "rejected"),
    # Too large, the smallest that is too large, the largest that is not.
    [("fair-31", 1), ("fair-749", 1), ("fair-892", 0)],
)
def test_words_that_are_too_large_are_rejected(seed: str, rejected: int) -> None:
    assert (list(deal(seed)), rejected) == _dealt_by_hand(seed)
